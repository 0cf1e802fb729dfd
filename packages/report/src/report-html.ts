// Renders a report as one page from its JSON alone: no script, and no file or address outside of the page. Pure.
import { type Html, html, markup } from '../../base/src/html.ts';
import { counted, describeCost } from '../../base/src/words.ts';
import { outputCommand } from './commands.ts';
import { describeReplaced } from './facts-markdown.ts';
import {
  actionsSection,
  afterWords,
  answerSection,
  callTimeline,
  instructionsBox,
  leftSection,
  steeringSection,
} from './html/code-parts.ts';
import {
  causeChecksSection,
  claimsSection,
  gapsSection,
  lookedAtSection,
  standsOutSection,
  impactSection,
  modelTimeline,
  recommendedSection,
  rootCauseSection,
  ruledOutSection,
} from './html/model-parts.ts';
import { hypothesesSection } from './html/hypotheses.ts';
import { type Section, type Tone, command, duration, facts, moment, pill, link } from './html/parts.ts';
import { noReport } from '../../vocabulary/src/run-result.ts';
import { answerCutSentence } from './describe-end.ts';
import { isFixed } from './heading.ts';
import { withShownTimes } from './shown-times.ts';
import { reportStyle } from './html/style.ts';
import { describeAdjusted, describeGrade } from './marks.ts';
import { type Report, isNoFault } from './report.ts';
import { titleOf, toReportRef } from './report-ref.ts';
import type { RunFacts } from './run-facts.ts';

/** Texts are escaped; the page's content policy blocks any script or address that still got in. */
export function renderReportHtml(given: Report): string {
  const report = withShownTimes(given);
  const title = titleOf(report);
  const sections = [
    [impactSection(report), rootCauseSection(report)],
    [lookedAtSection(report)],
    [leftSection(report)],
    [standsOutSection(report)],
    [actionsSection(report)],
    [recommendedSection(report)],
    [causeChecksSection(report)],
    [claimsSection(report)],
    [ruledOutSection(report)],
    [hypothesesSection(report)],
    [gapsSection(report)],
    [modelTimeline(report), callTimeline(report)],
    [steeringSection(report)],
    [answerSection(report)],
  ];
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
        />
        <title>${title}</title>
        <style>
          ${markup(reportStyle)}
        </style>
      </head>
      <body>
        <div class="page">
          ${verdict(report, title)}${instructionsBox(report)}${contents(sections.flat().filter((each) => each !== undefined))}
          <main>${sections.map(sideBySide)}</main>
          ${foot(report)}
        </div>
      </body>
    </html> `;
  return page.html;
}

const grades: Record<Report['grade'], [Tone, string]> = {
  confirmed: ['good', 'Confirmed'],
  likely: ['warn', 'Likely'],
  inconclusive: ['flat', 'Inconclusive'],
};

function verdict(report: Report, title: string): Html {
  const { run, author, grade, dryRun, summary } = report;
  const [tone, word]: [Tone, string] = isNoFault(report) ? ['flat', 'No fault found'] : grades[grade];
  // green is for what is mended
  const frame = tone === 'good' && !isFixed(report) ? 'warn' : tone;
  return html`<header class="verdict ${frame}">
    <p class="kicker">
      Investigation report${author === 'code' ? ' · made by Holdfast, the agent handed in none' : ''}
    </p>
    <h1>${title}</h1>
    ${run && html`<p class="small">Task: ${run.title}</p>`}
    <p class="state">
      <span class="pill big">${word}</span>${run && statusPill(run)}${
        dryRun && pill('flat', 'Dry run: nothing was changed')
      }
    </p>
    ${run?.error && html`<p class="text"><strong>${run.error.code}</strong>: ${run.error.message}${run.error.last && html` (${run.error.last})`}</p>`}
    ${run?.answerCut && html`<p class="text">${answerCutSentence}</p>`}
    <p class="lead">${summary}</p>
    <p class="small dim">${gradeWords(report)} ${shareWords(report)}</p>
    ${run?.afterReport && html`<p class="small">${afterWords(run.afterReport)}</p>`}
  </header>`;
}

const statuses: Record<RunFacts['status'], [Tone, string]> = {
  completed: ['good', 'Run completed'],
  failed: ['bad', 'Run failed'],
  aborted: ['bad', 'Run aborted'],
  max_iterations: ['warn', 'Ended at a limit: turns (max_iterations)'],
  loop_detected: ['warn', 'Ended: it went in circles (loop_detected)'],
  context_exhausted: ['warn', 'Ended at a limit: context (context_exhausted)'],
  budget_exceeded: ['warn', 'Ended at a limit: budget (budget_exceeded)'],
  timed_out: ['warn', 'Ended at a limit: time (timed_out)'],
};

function statusPill({ status, cause, startedAt, endedAt }: RunFacts): Html {
  const [tone, words]: [Tone, string] =
    cause === noReport ? ['warn', 'Run completed without a report of the agent'] : statuses[status];
  return html`${pill(tone, words)}<span class="small dim"
      >${moment(startedAt, true)} to ${moment(endedAt)} · ${duration(startedAt, endedAt)}</span
    >`;
}

function gradeWords(report: Report): string {
  const { gradeReason, author } = report;
  const grade = `Grade: ${describeGrade(toReportRef(report, ''))}.`;
  if (gradeReason === undefined) return grade;
  return `${grade} ${author === 'code' ? 'Why' : 'Lowered by Holdfast'}: ${gradeReason}`;
}

function shareWords(report: Report): string {
  const ref = toReportRef(report, '');
  const { quotes, verifiedQuotes, claims, verifiedClaims } = ref;
  if (claims === 0) return 'It makes no claims.';
  return `${verifiedQuotes} of ${counted(quotes, 'quote')} found${describeAdjusted(ref)}; ${verifiedClaims} of ${counted(claims, 'claim')} with their quotes found.`;
}

function contents(sections: readonly Section[]): Html {
  const items = sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`);
  return html`<nav aria-label="Contents">
    <ul>
      ${items}
      <li><a href="#figures">Figures</a></li>
    </ul>
  </nav>`;
}

/** Puts sections beside each other; the page does so only on a wide screen. */
function sideBySide(parts: readonly (Section | undefined)[]): Html | undefined {
  const there = parts.filter((part) => part !== undefined);
  return there.length > 1 ? html`<div class="pair">${there}</div>` : there[0];
}

function foot(report: Report): Html {
  const { run, sessionId, runId, turn, claims, leftOut } = report;
  const call = claims.flatMap((claim) => claim.quotes)[0]?.callId ?? '<call>';
  const show = run?.links.show ?? `holdfast show ${sessionId}`;
  return html`<footer id="figures">
    <h2>Figures</h2>
    ${facts([
      ['Session', html`<code>${sessionId}</code>, run <code>${runId}</code>, turn ${turn}`],
      ['Status', run && [run.status, run.cause].filter(Boolean).join(', ')],
      ['Started', run && moment(run.startedAt, true)],
      ['Ended', run && moment(run.endedAt, true)],
      ['Model', run?.models.join(', ')],
      ['Turns, calls', run && `${counted(run.turns, 'turn')}, ${counted(run.toolCalls, 'tool call')}`],
      ['Tokens', run && run.tokens.toLocaleString('en-US')],
      ['Cost', run && describeCost({ costUsd: run.costUsd, costUnknown: run.unpriced !== undefined })],
      ['Without a price', run?.unpriced && `${run.unpriced.join(', ')}: what they cost is not in the sum.`],
      ['Quotes', shareWords(report)],
      ['Left out of what the agent handed in', leftOut?.join(', ')],
      ['Other reports', run?.replaced?.map((each) => describeReplaced(report, each)).join(' ')],
      ['Temporal UI', run?.links.ui === undefined ? undefined : link(run.links.ui)],
    ])}
    <p class="small">The session, and any output that it has stored. All times are UTC.</p>
    ${command(show)}${command(outputCommand(report, call))}
  </footer>`;
}

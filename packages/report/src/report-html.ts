// Renders a report as one page from its JSON alone: no script, and no file or address outside of the page. Pure.
import { type Html, html, markup } from '@holdfast/base/html';
import { capital, counted, describeCost } from '@holdfast/base/words';
import { noReport } from '@holdfast/vocabulary/run-result';
import {
  describeAfter,
  describeReplaced,
  describeSpan,
  dryRunNote,
  instructionsNote,
  instructionsTitle,
  mayDiffer,
  whoStopped,
} from './run-words.ts';
import { outputCommand } from './commands.ts';
import { answerCutSentence, endSentence } from './describe-end.ts';
import type { Section, Tone } from './document.ts';
import { isFixed } from './heading.ts';
import { renderLine, renderSection } from './html/document.ts';
import { type Pair, command, facts, link, bullets, moment, pill } from './html/parts.ts';
import { reportStyle } from './html/style.ts';
import { describeEvidence, describeGrade, gradeWord } from './marks.ts';
import type { Report } from './report.ts';
import { titleOf, toReportRef } from './report-ref.ts';
import type { FoundInstruction, RunFacts } from './run-facts.ts';
import { sectionsOf } from './sections.ts';
import { noReportNote } from './verdict.ts';
import { withShownTimes } from './shown-times.ts';

/** Texts are escaped; the page's content policy blocks any script or address that still got in. */
export function renderReportHtml(given: Report): string {
  const report = withShownTimes(given);
  const title = titleOf(report);
  const sections = sectionsOf(report);
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
          ${verdict(report, title)}${instructionsBox(report)}${contents(sections)}
          <main>${sections.map((section) => renderSection(report, section))}</main>
          ${foot(report)}
        </div>
      </body>
    </html> `;
  return page.html;
}

const gradeTones: Record<Report['grade'], Tone> = { confirmed: 'good', likely: 'warn', inconclusive: 'flat' };

function verdict(report: Report, title: string): Html {
  const { run, author, grade, dryRun, summary } = report;
  const ref = toReportRef(report, '');
  const tone = ref.noFault ? 'flat' : gradeTones[grade];
  // green is for what is mended
  const frame = tone === 'good' && !isFixed(report) ? 'warn' : tone;
  return html`<header class="verdict ${frame}">
    <p class="kicker">Investigation report${author === 'code' && ` · ${noReportNote}`}</p>
    <h1>${title}</h1>
    ${run && html`<p class="small">Task: ${run.title}</p>`}
    <p class="state">
      <span class="pill big">${capital(gradeWord(ref))}</span>${run && statusPill(run)}${
        dryRun && pill('flat', `Dry run: ${dryRunNote}`)
      }
    </p>
    ${run?.error && html`<p class="text"><strong>${run.error.code}</strong>: ${run.error.message}${run.error.last && html` (${run.error.last})`}</p>`}
    ${run?.answerCut && html`<p class="text">${answerCutSentence}</p>`}
    <p class="lead">${summary}</p>
    <p class="small dim">${gradeWords(report)} ${shareWords(report)}</p>
    ${run?.afterReport && html`<p class="small">${describeAfter(run.afterReport)} ${mayDiffer}</p>`}
  </header>`;
}

/** A run that ended otherwise has met a limit. */
const endTones: Partial<Record<RunFacts['status'], Tone>> = {
  completed: 'good',
  failed: 'bad',
  aborted: 'bad',
};

function statusPill({ answerCut: _, ...run }: RunFacts): Html {
  const { status, cause, startedAt, endedAt } = run;
  const tone = cause === noReport ? 'warn' : (endTones[status] ?? 'warn');
  return html`${pill(tone, endSentence(run))}<span class="small dim"
      >${moment(startedAt, true)} to ${moment(endedAt)} · ${describeSpan(startedAt, endedAt)}</span
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
  return ref.claims === 0 ? 'It makes no claims.' : describeEvidence(ref);
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

function foot(report: Report): Html {
  const { run, sessionId, runId, turn, claims, leftOut } = report;
  const call = claims.flatMap((claim) => claim.quotes)[0]?.callId ?? '<call>';
  const others =
    run?.replaced?.map((each): Pair => ['Another report', renderLine(describeReplaced(report, each))]) ?? [];
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
      ...others,
      ['Temporal UI', run?.links.ui === undefined ? undefined : link(run.links.ui)],
    ])}
    <p class="small">The session, and any output that it has stored. All times are UTC.</p>
    ${command(show)}${command(outputCommand(report, call))}
  </footer>`;
}

/** Comes first on the page: text from outside asked for something that the policy denied. */
function instructionsBox(report: Report): Html | undefined {
  const { instructions = [] } = report.run ?? {};
  if (instructions.length === 0) return undefined;
  return html`<aside class="box bad" id="instructions">
    <h2>⚠ ${instructionsTitle}</h2>
    <p>${instructionsNote}</p>
    ${bullets(instructions.map((found) => renderInstruction(report, found)))}
  </aside>`;
}

function renderInstruction(
  report: Report,
  { call, callId, reason, by, at, foundIn }: FoundInstruction,
): Html {
  return html`<p class="words"><code>${call}</code></p>
    <p>
      ${whoStopped(by)}, ${moment(at)} (call
      <code>${callId}</code>): ${reason}
    </p>
    <p>
      The words are in line ${foundIn.line} of what <code>${foundIn.call}</code> gave (call
      <code>${foundIn.callId}</code>):
    </p>
    <p class="words"><code>${foundIn.text}</code></p>
    ${command(outputCommand(report, foundIn.callId, foundIn.line))}`;
}

// The agent's own report as sections of the page. Pure.
import { type Html, html } from '../../../base/src/html.ts';
import { describeOver } from '../action-words.ts';
import { type CauseCheck, type Gap, type Report, isNoFault } from '../report.ts';
import { objectionsTo } from '../last-words.ts';
import { lookedAt } from '../looked-at.ts';
import { checkWords } from '../marks.ts';
import { renderClaim, renderQuote, renderQuotes } from './evidence.ts';
import { type Section, type Tone, facts, listSection, moment, pill, section, text } from './parts.ts';

export function impactSection(report: Report): Section | undefined {
  if (report.impact === undefined) return undefined;
  const { who, since, severity, ongoing } = report.impact;
  const over = pill('flat', describeOver(report));
  const goesOn = { yes: pill('bad', 'yes'), no: over, unknown: pill('warn', 'unknown') };
  const rows = facts([
    ['Who', who],
    ['Since', since],
    ['How bad', severity],
    ['Still going on', goesOn[ongoing]],
  ]);
  return section('impact', 'Impact', rows);
}

export function rootCauseSection(report: Report): Section | undefined {
  const { rootCause } = report;
  if (rootCause === undefined) return undefined;
  const rows = facts([
    ['Component', rootCause.component],
    ['Kind', rootCause.kind],
  ]);
  const title = isNoFault(report) ? 'No fault found' : 'Root cause';
  return section('root-cause', title, html`${text(rootCause.text)}${rows}`);
}

const checkTones: Record<CauseCheck['result'], Tone> = { holds: 'good', fails: 'bad', not_known: 'flat' };

export function causeChecksSection({ causeChecks = [] }: Report): Section | undefined {
  const items = causeChecks.map(
    ({ result, text: words }) => html`${pill(checkTones[result], checkWords[result])} ${words}`,
  );
  return listSection('cause-checks', 'Root cause, as checked by code', items);
}

/** The calls behind a report that found no fault. */
export function lookedAtSection(report: Report): Section | undefined {
  const items = lookedAt(report).map(
    ({ callId, call }) =>
      html`<code>${call}</code> <span class="small dim">· call <code>${callId}</code></span>`,
  );
  return listSection('looked-at', 'What was looked at', items);
}

export function recommendedSection({ recommended = [] }: Report): Section | undefined {
  const items = recommended.map(
    (action) =>
      html`<p class="words">${action.text}</p>
        ${facts([
          ['Risk', action.risk],
          ['Rollback', action.rollback],
          ['Marked by Holdfast', objectionsTo(action).join('; ') || undefined],
        ])}`,
  );
  return listSection('recommended', 'Recommended', items);
}

export function claimsSection(report: Report): Section | undefined {
  const { claims } = report;
  if (claims.length === 0) return undefined;
  return section(
    'claims',
    'Claims and their evidence',
    html`<p class="small dim">
        The most important first. Every quote was looked for in the stored output of its call; “found” says
        that it is there, not that it proves the claim. Open a quote to see the lines around it.
      </p>
      <ol class="plain">
        ${claims.map((claim, index) => renderClaim(report, claim, index))}
      </ol>`,
  );
}

export function ruledOutSection(report: Report): Section | undefined {
  const items = report.ruledOut.map(
    ({ text: words, quotes }) =>
      html`<p class="text">${words}</p>
        ${renderQuotes(report, quotes)}`,
  );
  return listSection('ruled-out', 'Ruled out', items);
}

/** Notable lines, in a report written by code. */
export function standsOutSection(report: Report): Section | undefined {
  const { standsOut = [] } = report;
  const items = standsOut.map((quote) => html`${renderQuotes(report, [quote])}`);
  return listSection('stands-out', 'What stands out in the outputs', items);
}

export function gapsSection(report: Report): Section | undefined {
  const items = report.gaps.map((gap) => renderGap(report, gap));
  return listSection('gaps', 'Gaps: what was not seen', items);
}

function renderGap(report: Report, { text: words, source, callId, count, closedBy }: Gap): Html {
  const found = source === 'code' && html`<span class="small dim">found by Holdfast</span>`;
  const call = callId && html`<span class="small dim">· call <code>${callId}</code></span>`;
  const times = count !== undefined && html` <strong>× ${count}</strong>`;
  return html`<p class="text">${words}${times || undefined}</p>
    <p>${closedBy && pill('good', 'Closed by a later read')} ${found || undefined} ${call}</p>
    ${closedBy && renderQuote(report, closedBy)}`;
}

export function modelTimeline(report: Report): Section | undefined {
  const { timeline = [] } = report;
  if (timeline.length === 0) return undefined;
  const items = timeline.map(
    ({ at, event, quotes }) =>
      html`<li>
        ${moment(at)}
        <div>${event}${renderQuotes(report, quotes)}</div>
      </li>`,
  );
  return section(
    'timeline',
    'Timeline, as the agent tells it',
    html`<ol class="times">
      ${items}
    </ol>`,
  );
}

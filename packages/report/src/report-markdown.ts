// Renders a checked report as Markdown, for people. Pure. Only this file writes the marks: the model's text is escaped
// (packages/base/src/plain-markdown.ts), so that it cannot pass for a heading or a mark.
import { codeSpan, plainLine, plainLines } from '../../base/src/plain-markdown.ts';
import {
  renderActions,
  renderAnswer,
  renderCalls,
  renderFigures,
  renderHead,
  renderInstructions,
  renderLeft,
  renderSteering,
} from './facts-markdown.ts';
import { describeOver } from './action-words.ts';
import { lastWordsTitle, objectionsTo } from './last-words.ts';
import { type LookedAt, lookedAt } from './looked-at.ts';
import {
  type CauseCheck,
  type CheckedClaim,
  type Gap,
  type Impact,
  type QuotedText,
  type Recommended,
  type Report,
  type RootCause,
  type TimelineEntry,
  isNoFault,
} from './report.ts';
import { toReportRef } from './report-ref.ts';
import { checkWords, describeAdjusted, describeGrade, markOf } from './marks.ts';
import { renderHypotheses } from './hypotheses-markdown.ts';
import { timeIn, withShownTimes } from './shown-times.ts';
import { type RenderQuote, quoteRenderer } from './quote-markdown.ts';

/** The whole report: every claim with its mark, and every quote with its place or the reason for having none. */
export function renderReport(given: Report): string {
  const report = withShownTimes(given);
  const {
    impact,
    rootCause,
    causeChecks = [],
    claims,
    ruledOut,
    recommended = [],
    gaps,
    timeline = [],
  } = report;
  const noFault = isNoFault(report);
  const show = quoteRenderer(report);
  const sections = [
    section('Impact', impact ? renderImpact(impact, report) : []),
    section(
      noFault ? 'No fault found' : 'Root cause',
      rootCause ? [renderRootCause(rootCause, noFault)] : [],
    ),
    section('What was looked at', lookedAt(report).map(renderLook)),
    section('Where it stopped', renderLeft(report)),
    section(
      'What stands out in the outputs',
      (report.standsOut ?? []).map((quote) => `- ${plainLine(quote.quote)}\n${show(quote)}`),
    ),
    section('Actions', renderActions(report)),
    section('Recommended', recommended.map(renderRecommended)),
    section('Root cause, as checked by code', causeChecks.map(renderCheck)),
    section(
      'Claims',
      claims.map((claim, index) => renderClaim(claim, index, show)),
    ),
    section(
      'Ruled out',
      ruledOut.map((entry) => renderRuledOut(entry, show)),
    ),
    section('Considered, and why not', renderHypotheses(report, show)),
    section(
      'Gaps',
      gaps.map((gap) => renderGap(gap, show)),
    ),
    section(
      'Timeline',
      timeline.map((event) => renderEvent(report, event, show)),
    ),
    section('Timeline of the calls', renderCalls(report)),
    section('What people said', renderSteering(report)),
    section(lastWordsTitle, renderAnswer(report)),
  ];
  const foot = report.run ? section('Figures', renderFigures(report)) : ['', ...renderFigures(report)];
  return `${[...renderTop(report), ...sections.flat(), ...foot].join('\n')}\n`;
}

/** Everything above the first section. */
function renderTop(report: Report): string[] {
  return [
    ...renderHead(report),
    ...(report.dryRun ? ['**Dry run**: nothing was changed, and only reads were executed.', ''] : []),
    ...renderInstructions(report),
    renderGrade(report),
    '',
    plainLines(report.summary),
  ];
}

/** The grade, its author, and the result of the quote check. */
function renderGrade(report: Report): string {
  const { author, gradeReason } = report;
  const ref = toReportRef(report, '');
  const { quotes, verifiedQuotes, claims, verifiedClaims } = ref;
  const why = gradeReason === undefined ? '' : ` Lowered by Holdfast: ${plainLine(gradeReason)}`;
  if (author === 'code') return `Grade: **${describeGrade(ref)}**: ${plainLine(gradeReason ?? '')}`;
  const share =
    `${verifiedQuotes} of ${quotes} quotes found in the stored tool outputs${describeAdjusted(ref)}, ` +
    `all of them for ${verifiedClaims} of ${claims} claims.`;
  return `Grade: **${describeGrade(ref)}**.${why} ${share}`;
}

function section(title: string, items: string[]): string[] {
  return items.length === 0 ? [] : ['', `## ${title}`, '', ...items];
}

function renderImpact({ who, since, severity, ongoing }: Impact, report: Report): string[] {
  const still = { yes: 'yes', no: `no (${describeOver(report)})`, unknown: 'not known' }[ongoing];
  return [
    `- Who: ${plainLine(who)}`,
    `- Since: ${plainLine(since)}`,
    `- How bad: ${plainLine(severity)}`,
    `- Still going on: ${still}`,
  ];
}

/** Neither a component nor a kind is news where there is no fault. */
function renderRootCause({ component, kind, text }: RootCause, noFault: boolean): string {
  if (noFault) return plainLine(text);
  return `**${plainLine(component)}** (${plainLine(kind)}): ${plainLine(text)}`;
}

function renderCheck({ result, text }: CauseCheck): string {
  return `- **${checkWords[result]}**: ${plainLine(text)}`;
}

function renderLook({ callId, call }: LookedAt): string {
  return `- ${codeSpan(call)}, call ${codeSpan(callId)}`;
}

function renderRecommended(recommended: Recommended, index: number): string {
  const { text, risk, rollback } = recommended;
  return [
    `${index + 1}. ${plainLine(text)}`,
    ...objectionsTo(recommended).map((objection) => `   - **Marked by Holdfast**: ${plainLine(objection)}`),
    ...(risk === undefined ? [] : [`   - Risk: ${plainLine(risk)}`]),
    ...(rollback === undefined ? [] : [`   - Rollback: ${plainLine(rollback)}`]),
  ].join('\n');
}

function renderClaim(claim: CheckedClaim, index: number, show: RenderQuote): string {
  const { role, confidence, reason } = claim;
  const words = [role, confidence && `${confidence} confidence`].filter(Boolean).join(', ');
  const why = reason === undefined ? '' : ` (${plainLine(reason)})`;
  return [
    `${index + 1}. **${markOf(claim)}.**${why} ${plainLine(claim.text)}${words === '' ? '' : ` (${words})`}`,
    ...claim.quotes.map(show),
  ].join('\n');
}

function renderRuledOut({ text, quotes }: QuotedText, show: RenderQuote): string {
  return [`- ${plainLine(text)}`, ...quotes.map(show)].join('\n');
}

function renderEvent(report: Report, { at, event, quotes }: TimelineEntry, show: RenderQuote): string {
  return [`- ${plainLine(timeIn(report, at))}: ${plainLine(event)}`, ...quotes.map(show)].join('\n');
}

function renderGap(gap: Gap, show: RenderQuote): string {
  const source = gap.source === 'code' ? ' (found by Holdfast)' : '';
  const { closedBy, count } = gap;
  const times = count === undefined ? '' : ` (x ${count})`;
  if (closedBy === undefined) return `- ${plainLine(gap.text)}${times}${source}`;
  return `- **Closed by a later read.** ${plainLine(gap.text)}${source}\n${show(closedBy)}`;
}

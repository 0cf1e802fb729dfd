// A checked report as Markdown, for people. Pure. The marks are written here and nowhere else: what the model
// wrote is shown as it wrote it (core/plain-markdown), so that it cannot pass for a heading or a mark.
import { plainLine, plainLines } from '../base/plain-markdown.ts';
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
import { markOf } from './marks.ts';
import type {
  CheckedClaim,
  CheckedQuote,
  Gap,
  Impact,
  QuoteSource,
  QuotedText,
  Recommended,
  Report,
  RootCause,
  TimelineEntry,
} from './report.ts';
import { toReportRef } from './report.ts';

/** The whole report: every claim with its mark, every quote with its place or the reason why it has none. */
export function renderReport(report: Report): string {
  const { impact, rootCause, claims, ruledOut, recommended = [], gaps, timeline = [] } = report;
  const head = [
    ...renderHead(report),
    ...(report.dryRun ? ['**Dry run**: nothing was changed, and only reads were executed.', ''] : []),
    ...renderInstructions(report),
    renderGrade(report),
    '',
    plainLines(report.summary),
  ];
  const show = quoteRenderer();
  const sections = [
    section('Impact', impact ? renderImpact(impact) : []),
    section('Root cause', rootCause ? [renderRootCause(rootCause)] : []),
    section('Where it stopped', renderLeft(report)),
    section('Actions', renderActions(report)),
    section('Recommended', recommended.map(renderRecommended)),
    section(
      'Claims',
      claims.map((claim, index) => renderClaim(claim, index, show)),
    ),
    section(
      'Ruled out',
      ruledOut.map((entry) => renderRuledOut(entry, show)),
    ),
    section(
      'Gaps',
      gaps.map((gap) => renderGap(gap, show)),
    ),
    section(
      'Timeline',
      timeline.map((event) => renderEvent(event, show)),
    ),
    section('Timeline of the calls', renderCalls(report)),
    section('What people said', renderSteering(report)),
    section('The answer', renderAnswer(report)),
  ];
  const foot = report.run ? section('Figures', renderFigures(report)) : ['', ...renderFigures(report)];
  return `${[...head, ...sections.flat(), ...foot].join('\n')}\n`;
}

/** Whose the grade is, and what was found of its quotes. */
function renderGrade(report: Report): string {
  const { author, grade, agentGrade, gradeReason = '' } = report;
  const { quotes, verifiedQuotes, claims, verifiedClaims } = toReportRef(report, '');
  if (author === 'code') return `Grade: **${grade}**, by Holdfast: ${plainLine(gradeReason)}`;
  const share =
    `${verifiedQuotes} of ${quotes} quotes found in the stored tool outputs, ` +
    `all of them for ${verifiedClaims} of ${claims} claims.`;
  return agentGrade === undefined
    ? `The agent's grade: **${grade}**. ${share}`
    : `Grade: **${grade}**, lowered by Holdfast: ${plainLine(gradeReason)} The agent's grade: ${agentGrade}. ${share}`;
}

function section(title: string, items: string[]): string[] {
  return items.length === 0 ? [] : ['', `## ${title}`, '', ...items];
}

function renderImpact({ who, since, severity, ongoing }: Impact): string[] {
  const still = { yes: 'yes', no: 'no, it is over', unknown: 'not known' }[ongoing];
  return [
    `- Who: ${plainLine(who)}`,
    `- Since: ${plainLine(since)}`,
    `- How bad: ${plainLine(severity)}`,
    `- Still going on: ${still}`,
  ];
}

function renderRootCause({ component, kind, text }: RootCause): string {
  return `**${plainLine(component)}** (${plainLine(kind)}): ${plainLine(text)}`;
}

function renderRecommended({ text, risk, rollback }: Recommended, index: number): string {
  return [
    `${index + 1}. ${plainLine(text)}`,
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

function renderEvent({ at, event, quotes }: TimelineEntry, show: RenderQuote): string {
  return [`- ${plainLine(at)}: ${plainLine(event)}`, ...quotes.map(show)].join('\n');
}

type RenderQuote = (quote: CheckedQuote) => string;

/** A quote is shown once, and where it is given again by its place. */
function quoteRenderer(): RenderQuote {
  const shown = new Set<string>();
  return (quote) => {
    const key = JSON.stringify([quote.callId, quote.quote]);
    if (shown.has(key)) return `   - ${renderPlace(quote)} (shown above)`;
    shown.add(key);
    return renderQuote(quote);
  };
}

function renderQuote(quote: CheckedQuote): string {
  const place = `   - ${renderPlace(quote)}`;
  const lines = quote.quote.split(/\r\n?|\n/);
  // Longer than any run of backticks inside, so that a quote cannot end its own block.
  const longest = Math.max(2, ...(quote.quote.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [place, `     ${fence}`, ...lines.map((line) => `     ${line}`), `     ${fence}`].join('\n');
}

/** Such as `http_get http://db1/metrics, 2026-11-22T03:49:11.213Z, call c1, line 8`. */
function renderPlace({ callId, position, reason, weak, redacted = [], source }: CheckedQuote): string {
  const call = `call \`${code(callId)}\``;
  const from = source === undefined ? call : `${renderSource(source)}, ${call}`;
  const notes = [
    ...(weak === undefined ? [] : [`. **Weak**: ${plainLine(weak)}`]),
    ...(redacted.length === 0
      ? []
      : [`. **Redacted**: a part was taken out before it was stored (${redacted.join(', ')})`]),
  ].join('');
  return position
    ? `quote found: ${from}, line ${position.line}${notes}`
    : `QUOTE NOT FOUND: ${from}: ${plainLine(reason ?? 'no reason known')}${notes}`;
}

function renderSource({ tool, agent, argument, host, at }: QuoteSource): string {
  const where = host === undefined || argument.includes(host) ? '' : ` on ${plainLine(host)}`;
  const who = agent === undefined ? '' : ` by ${plainLine(agent)}`;
  return `\`${code(`${tool} ${argument}`.trim())}\`${where}${who}, ${at}`;
}

function renderGap(gap: Gap, show: RenderQuote): string {
  const source = gap.source === 'code' ? ' (found by Holdfast)' : '';
  const { closedBy } = gap;
  if (closedBy === undefined) return `- ${plainLine(gap.text)}${source}`;
  return `- **Closed by a later read.** ${plainLine(gap.text)}${source}\n${show(closedBy)}`;
}

function code(text: string): string {
  return text.replaceAll(/[`\s]+/g, ' ');
}

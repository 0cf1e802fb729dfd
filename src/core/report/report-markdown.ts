// A checked report as Markdown, for people. Pure. The marks are written here and nowhere else: what the model
// wrote is shown as it wrote it (core/plain-markdown), so that it cannot pass for a heading or a mark.
import { plainLine, plainLines } from '../base/plain-markdown.ts';
import type { CheckedClaim, CheckedQuote, Gap, QuoteSource, Report } from './report.ts';
import { toReportRef } from './report.ts';

/** The whole report: every claim with its mark, every quote with its place or the reason why it has none. */
export function renderReport(report: Report): string {
  const figures = toReportRef(report, '');
  const head = [
    '# Report',
    '',
    ...(report.dryRun ? ['**Dry run**: nothing was changed, and only reads were executed.', ''] : []),
    `The agent's grade: **${report.grade}**. ${figures.verifiedQuotes} of ${figures.quotes} quotes found in the ` +
      `stored tool outputs, all of them for ${figures.verifiedClaims} of ${figures.claims} claims.`,
    '',
    plainLines(report.summary),
  ];
  const sections = [
    section('Claims', report.claims.map(renderClaim)),
    section(
      'Timeline',
      (report.timeline ?? []).map(({ at, event }) => `- ${plainLine(at)}: ${plainLine(event)}`),
    ),
    section(
      'Ruled out',
      report.ruledOut.map(({ text }) => `- ${plainLine(text)}`),
    ),
    section('Gaps', report.gaps.map(renderGap)),
  ];
  const foot = `Session ${plainLine(report.sessionId)}, run ${plainLine(report.runId)}, turn ${report.turn}.`;
  return `${[...head, ...sections.flat(), '', foot].join('\n')}\n`;
}

function section(title: string, items: string[]): string[] {
  return items.length === 0 ? [] : ['', `## ${title}`, '', ...items];
}

function renderClaim(claim: CheckedClaim, index: number): string {
  return [
    `${index + 1}. **${markOf(claim)}.** ${plainLine(claim.text)}`,
    ...claim.quotes.map(renderQuote),
  ].join('\n');
}

/** The words say what was checked: that the quotes are there, not that they prove the claim. */
function markOf({ verified, quotes }: CheckedClaim): string {
  const noun = quotes.length === 1 ? 'Quote' : 'Quotes';
  if (verified) return `${noun} found`;
  return quotes.length === 0 ? 'NO QUOTE' : `${noun.toUpperCase()} NOT FOUND`;
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
function renderPlace({ callId, position, reason, source }: CheckedQuote): string {
  const call = `call \`${code(callId)}\``;
  const from = source === undefined ? call : `${renderSource(source)}, ${call}`;
  return position
    ? `quote found: ${from}, line ${position.line}`
    : `QUOTE NOT FOUND: ${from}: ${plainLine(reason ?? 'no reason known')}`;
}

function renderSource({ tool, agent, argument, host, at }: QuoteSource): string {
  const where = host === undefined || argument.includes(host) ? '' : ` on ${plainLine(host)}`;
  const who = agent === undefined ? '' : ` by ${plainLine(agent)}`;
  return `\`${code(`${tool} ${argument}`.trim())}\`${where}${who}, ${at}`;
}

function renderGap(gap: Gap): string {
  const source = gap.source === 'code' ? ' (found by Holdfast)' : '';
  const { closedBy } = gap;
  if (closedBy === undefined) return `- ${plainLine(gap.text)}${source}`;
  return `- **Closed by a later read.** ${plainLine(gap.text)}${source}\n${renderQuote(closedBy)}`;
}

function code(text: string): string {
  return text.replaceAll(/[`\s]+/g, ' ');
}

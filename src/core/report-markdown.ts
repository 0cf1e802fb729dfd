// A checked report as Markdown, for people. Pure. The marks are written here and nowhere else: what the model
// wrote is shown as it wrote it (core/plain-markdown), so that it cannot pass for a heading or a mark.
import { plainLine, plainLines } from './plain-markdown.ts';
import type { CheckedClaim, CheckedQuote, Gap, Report } from './report.ts';
import { toReportRef } from './report.ts';

/** The whole report: every claim with its mark, every quote with its place or the reason why it has none. */
export function renderReport(report: Report): string {
  const figures = toReportRef(report, '');
  const head = [
    '# Report',
    '',
    `Grade: **${report.grade}**. ${figures.verifiedClaims} of ${figures.claims} claims verified, ` +
      `${figures.verifiedQuotes} of ${figures.quotes} quotes found in the stored tool outputs.`,
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
      report.ruledOut.map((text) => `- ${plainLine(text)}`),
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
  const mark = claim.verified ? '**Verified.**' : '**UNVERIFIED.**';
  const none = claim.quotes.length === 0 ? ['   - no quote was given'] : [];
  return [`${index + 1}. ${mark} ${plainLine(claim.text)}`, ...none, ...claim.quotes.map(renderQuote)].join(
    '\n',
  );
}

function renderQuote(quote: CheckedQuote): string {
  const place = quote.position
    ? `found in call \`${code(quote.callId)}\`, line ${quote.position.line}`
    : `NOT FOUND, call \`${code(quote.callId)}\`: ${plainLine(quote.reason ?? 'no reason known')}`;
  const lines = quote.quote.split(/\r\n?|\n/);
  // Longer than any run of backticks inside, so that a quote cannot end its own block.
  const longest = Math.max(2, ...(quote.quote.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [`   - ${place}`, `     ${fence}`, ...lines.map((line) => `     ${line}`), `     ${fence}`].join(
    '\n',
  );
}

function renderGap(gap: Gap): string {
  const source = gap.source === 'code' ? ' (found by Holdfast)' : '';
  return `- ${plainLine(gap.text)}${source}`;
}

function code(text: string): string {
  return text.replaceAll(/[`\s]+/g, ' ');
}

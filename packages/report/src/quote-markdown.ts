// Renders a quote as Markdown: its mark, its source, the command that prints more, and its words in context. Pure.
import { codeSpan, plainLine } from '@holdfast/base/plain-markdown';
import { present } from '@holdfast/base/present';
import { figure, finitePoints, leastOf, mostOf, sparkline, timeWords } from '@holdfast/base/series';
import { toReadable, toVisible } from '@holdfast/base/visible';
import { quoteCommand } from './commands.ts';
import { describeFound, describeSource, hostBeside, notesOf, unknownReason } from './marks.ts';
import { piecesOf, type QuotedLine, quotedLines } from './quotes/quoted-lines.ts';
import { timeIn } from './shown-times.ts';
import type { CheckedQuote, QuoteSource, Report } from './report.ts';

type Named = Pick<Report, 'sessionId' | 'series' | 'run'>;
export type RenderQuote = (quote: CheckedQuote) => string;

/** Shows each quote once; a repeated quote shows only its place. */
export function quoteRenderer(report: Named): RenderQuote {
  const shown = new Set<string>();
  return (quote) => {
    const key = JSON.stringify([quote.callId, quote.quote]);
    if (shown.has(key)) return `   - ${renderPlace(report, quote)} (shown above)`;
    shown.add(key);
    return renderQuote(report, quote);
  };
}

function renderQuote(report: Named, quote: CheckedQuote): string {
  const words = quoteCommand(report, quote);
  const shown = quotedLines(quote).flatMap(showLine);
  // of an exact quote the marks in its lines show all of it
  const isShown = shown.length > 0 && quote.near === undefined;
  const blocks = present([!isShown && quote.quote.split(/\r\n?|\n/), shown.length > 0 && shown]);
  const link = quote.source?.link;
  return present([
    `   - ${renderPlace(report, quote)}`,
    ...blocks.flatMap(fenced),
    seriesLine(report, quote),
    words !== undefined && `     More: ${span(words)}`,
    link !== undefined && `     Seen at: <${link}>`,
  ]).join('\n');
}

/** Such as "Series: `up` ▁▁█▁ 0 to 1, 2026-11-22T03:00:00Z to 2026-11-22T04:00:00Z". */
function seriesLine({ series = [] }: Named, { series: index = -1 }: CheckedQuote): string | undefined {
  const found = series[index];
  const real = finitePoints(found?.points ?? []);
  const [first, last] = [real[0], real.at(-1)];
  if (!found || !first || !last) return undefined;
  const values = real.map(([, value]) => value);
  const range = `${figure(leastOf(values))} to ${figure(mostOf(values))}, ${timeWords(first[0])} to ${timeWords(last[0])}`;
  return `     Series: ${codeSpan(found.name)} ${codeSpan(sparkline(real, first[0], last[0]))} ${range}`;
}

/** A quoted part of a line has `^` below it. */
function showLine(line: QuotedLine): string[] {
  const { number, text, marked } = line;
  const head = `${marked.length > 0 ? '>' : ' '} ${number}  `;
  const isPart = marked.some(
    ({ start, end }) => text.slice(0, start).trim() !== '' || text.slice(end).trim() !== '',
  );
  const below = piecesOf(line).map((piece) => piece.text.replaceAll(/[^\t]/g, piece.isQuoted ? '^' : ' '));
  return present([head + text, isPart && (' '.repeat(head.length) + below.join('')).trimEnd()]);
}

/** The fence is longer than any run of backticks inside, so that a quote cannot end its own block. */
function fenced(lines: readonly string[]): string[] {
  const runs = lines.flatMap((line) => line.match(/`+/g) ?? []);
  const fence = '`'.repeat(Math.max(2, ...runs.map((run) => run.length)) + 1);
  return [`     ${fence}`, ...lines.map((line) => `     ${toReadable(line)}`), `     ${fence}`];
}

/** Such as `http_get http://db1/metrics, 2026-11-22T03:49:11.213Z, call c1, line 8`. */
function renderPlace(report: Named, quote: CheckedQuote): string {
  const { callId, position, reason = unknownReason, source } = quote;
  const call = `call \`${code(callId)}\``;
  const from = source === undefined ? call : `${renderSource(report, source)}, ${call}`;
  const found = describeFound(quote);
  const notes = notesOf(quote).map(([name, words]) => `. **${name}**: ${plainLine(words)}`);
  const place = position
    ? `${found}: ${from}, line ${position.line}`
    : `${found.toUpperCase()}: ${from}: ${plainLine(reason)}`;
  return [place, ...notes].join('');
}

function renderSource(report: Named, source: QuoteSource): string {
  const { agent, at } = source;
  const host = hostBeside(source);
  const where = host === undefined ? '' : ` on ${plainLine(host)}`;
  const who = agent === undefined ? '' : ` by ${plainLine(agent)}`;
  return `\`${code(describeSource(source))}\`${where}${who}, ${timeIn(report, at)}`;
}

/** One line as code. */
export function span(text: string): string {
  return codeSpan(text.replaceAll(/\s+/g, ' '));
}

function code(text: string): string {
  return toVisible(text).replaceAll(/[`\s]+/g, ' ');
}

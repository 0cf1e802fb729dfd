// Lines of failure that were read in a run which found no fault, and that nothing in its report explains. Runs in Node;
// reads the store.
import { type CheckedQuote, type Report, isNoFault, quotesOf } from '@holdfast/report/report';
import type { LoggedCalls } from '@holdfast/stored/logged-calls';
import type { checkQuotes } from './check-quotes.ts';
import { ofFailure } from './decisive-lines.ts';
import { citedLines } from './causes/cause.ts';
import { standingOut } from './standing-out.ts';

/** Empty for a report of another ending. A line that any part of the report quotes is explained. */
export async function unexplainedFailures(
  report: Report,
  calls: LoggedCalls,
  session: Parameters<typeof checkQuotes>[1],
): Promise<CheckedQuote[]> {
  if (!isNoFault(report)) return [];
  const quoted = quotesOf(report).filter(({ verified }) => verified);
  const explained = new Set([
    ...quoted.flatMap(citedLines),
    ...quoted.map(({ quote }) => withoutFigures(quote)),
  ]);
  const found = await standingOut([...new Set(calls.values())], session, ofFailure);
  return found.filter(
    (line) =>
      !explained.has(withoutFigures(line.quote)) && !citedLines(line).some((place) => explained.has(place)),
  );
}

/** Lines that differ only in figures are one. */
function withoutFigures(line: string): string {
  return line.trim().replaceAll(/\d+/g, '0');
}

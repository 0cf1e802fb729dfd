// Remarkable lines in the outputs of a run without a report: decisive lines, each looked up in the stored output like a
// quote of an agent. Runs in Node; reads the store.
import { textOf } from '@holdfast/vocabulary/messages';
import type { CheckedQuote } from '@holdfast/report/report';
import { ownBooks } from '@holdfast/vocabulary/own-books';
import type { LoggedCall } from '@holdfast/stored/logged-calls';
import { decisiveLines, weightOf } from './decisive-lines.ts';
import { checkQuotes } from './check-quotes.ts';

const mostOfCall = 2;
const mostInAll = 10;
/** A longer line is quoted by its beginning. */
const quoteLength = 300;

/** Processor time: nobody waits for these lines. */
const lookUpMs = 15_000;

/** Only lines of `least` weight or more (decisive-lines.ts). */
export async function standingOut(
  calls: readonly LoggedCall[],
  session: Parameters<typeof checkQuotes>[1],
  least = 1,
): Promise<CheckedQuote[]> {
  const quotes = calls.flatMap((logged) => {
    const { result, call, id: callId } = logged;
    // failures are among the gaps, with their reason
    if (result === undefined || result.isError || ownBooks.has(call.name)) return [];
    const lines = decisiveLines(textOf(result), mostOfCall).filter((line) => weightOf(line) >= least);
    return lines.map((line) => ({ callId, quote: beginningOf(line) }));
  });
  const chosen = quotes
    .toSorted((left, right) => weightOf(right.quote) - weightOf(left.quote))
    .slice(0, mostInAll);
  const kept = quotes.filter((quote) => chosen.includes(quote));
  const check = await checkQuotes(
    kept,
    session,
    new Map(calls.map((logged) => [logged.id, logged])),
    lookUpMs,
  );
  return kept.map(check).filter(({ verified }) => verified);
}

/** Whole words if possible. */
function beginningOf(line: string): string {
  if (line.length <= quoteLength) return line;
  return /^.{200,300}(?=\s)/.exec(line)?.[0] ?? line.slice(0, quoteLength);
}

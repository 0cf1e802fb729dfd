// Looks quotes up in one stored output, which is read once for all of them. Runs in Node; reads the store, writes nothing.
import { setImmediate } from 'node:timers/promises';
import { quoteFinder } from '../../core/report/quote-finder.ts';
import type { QuotePosition } from '../../core/report/report.ts';
import { countLineFeeds, openOutput } from '../../stored/stored-output.ts';
import type { ToolContext } from '../tools/define-tool.ts';

/** By quote, where it was found. `unfinished`: the rest of the quotes may be in what was not searched. */
export type LookedUp = {
  found: ReadonlyMap<string, QuotePosition>;
  state: 'searched' | 'unfinished' | 'no output';
};

/** A quote over the border of two pieces is found this far before it. */
const overlap = 32_768;

export async function lookUpQuotes(
  artifactId: string,
  quotes: Iterable<string>,
  { artifacts, sessionId }: Pick<ToolContext, 'artifacts' | 'sessionId'>,
  signal: AbortSignal,
): Promise<LookedUp> {
  const found = new Map<string, QuotePosition>();
  if (signal.aborted) return { found, state: 'unfinished' };
  const output = await openOutput(artifacts, sessionId, artifactId);
  if (output === undefined) return { found, state: 'no output' };
  const left = new Set(quotes);
  let before = '';
  for (const { fromLine, load } of output.pieces) {
    if (left.size === 0) break;
    // also lets a time limit, and heartbeats, have their turn
    await setImmediate();
    if (signal.aborted) return { found, state: 'unfinished' };
    const text = await load();
    const find = quoteFinder(before + text);
    const line = fromLine - countLineFeeds(before);
    for (const quote of left) {
      const place = find(quote);
      if (place === undefined) continue;
      found.set(quote, { artifactId, line: line + place.line - 1, character: place.character });
      left.delete(quote);
    }
    before = linesAtEnd(text);
  }
  return { found, state: 'searched' };
}

/** Whole lines, so that the place in a line is right. */
function linesAtEnd(text: string): string {
  const end = text.slice(-overlap);
  return end.slice(end.indexOf('\n') + 1);
}

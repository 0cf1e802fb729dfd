// Looks quotes up in one stored output, which is read once for all of them. Runs in Node; reads the store, writes
// nothing.
import { setImmediate } from 'node:timers/promises';
import { cutText } from '../../core/base/cut-text.ts';
import { nearFinder } from '../../core/report/near-quote.ts';
import { type FoundQuote, quoteFinder } from '../../core/report/quote-finder.ts';
import type { QuotePosition } from '../../core/report/report.ts';
import { isTableHeader } from '../../core/report/table-header.ts';
import type { ArtifactReader } from '../../stored/artifact-names.ts';
import { countLineFeeds, openOutput } from '../../stored/stored-output.ts';
import type { WorkLimit } from './work-limit.ts';

/**
 * `found`: the place of each quote, even if it differs in blanks, backticks or line numbers (`isNear`). `near`: the
 * reason why a missing quote almost matches. `unfinished`: the missing quotes may be in the part that was not searched.
 */
export type LookedUp = {
  found: ReadonlyMap<string, FoundPlace>;
  near: ReadonlyMap<string, 'short' | 'apart'>;
  state: 'searched' | 'unfinished' | 'no output';
};

export type FoundPlace = {
  position: QuotePosition;
  context: { fromLine: number; lines: string[] };
  /** Only headers of tables. */
  isHeader: boolean;
  /** Every match cuts through a word or a number. */
  isCut: boolean;
  /** The output has it only here. */
  isOnly: boolean;
  isNear?: true;
};

/** Overlap of two pieces in which a quote across their border is found. */
const overlap = 32_768;

export async function lookUpQuotes(
  artifactId: string,
  quotes: Iterable<string>,
  { artifacts, sessionId }: { artifacts: ArtifactReader; sessionId: string },
  limit: WorkLimit,
): Promise<LookedUp> {
  const found = new Map<string, FoundPlace>();
  const near = new Map<string, 'short' | 'apart'>();
  if (limit.isOver()) return { found, near, state: 'unfinished' };
  const output = await openOutput(artifacts, sessionId, artifactId);
  if (output === undefined) return { found, near, state: 'no output' };
  const left = new Set(quotes);
  let before = { text: '', isCut: false };
  for (const [index, { fromLine, load }] of output.pieces.entries()) {
    if (left.size === 0) break;
    // also lets heartbeats and the time limit run
    await setImmediate();
    if (limit.isOver()) return { found, near, state: 'unfinished' };
    const text = before.text + (await load());
    limit.count(() => {
      const find = quoteFinder(text, { start: before.isCut, end: index < output.pieces.length - 1 });
      const findNear = nearFinder(text);
      const firstLine = fromLine - countLineFeeds(before.text);
      for (const quote of left) {
        const place = find(quote);
        if (place === undefined || typeof place === 'string') {
          if (place !== undefined) near.set(quote, place);
          const nearly = found.has(quote) ? undefined : findNear(quote);
          if (nearly)
            found.set(quote, { ...toFoundPlace(nearly, quote, { artifactId, firstLine }), isNear: true });
          continue;
        }
        // a later place may have it whole
        if (!place.isCut || (found.get(quote)?.isNear ?? true))
          found.set(quote, toFoundPlace(place, quote, { artifactId, firstLine }));
        if (!place.isCut) left.delete(quote);
      }
    });
    before = linesAtEnd(text);
  }
  return { found, near, state: 'searched' };
}

function toFoundPlace(
  { line, character, around, isCut, isOnly }: FoundQuote,
  quote: string,
  { artifactId, firstLine }: { artifactId: string; firstLine: number },
): FoundPlace {
  const fromLine = firstLine + around.fromLine - 1;
  const first = line - around.fromLine;
  const parts = quote.trim().split(/\r\n?|\n/);
  const isHeader = parts.every(
    (part, at) => part.trim() === '' || isTableHeader(around.lines, first + at, fromLine),
  );
  const lines = around.lines.map((text, at) => {
    const part = parts[at - first]?.trim();
    return part === undefined ? cutText(text, lineLength) : cutAround(text, part);
  });
  return {
    position: { artifactId, line: firstLine + line - 1, character },
    // copied through text: a part of a string would keep the whole output in memory
    context: JSON.parse(JSON.stringify({ fromLine, lines })),
    isHeader,
    isCut,
    isOnly,
  };
}

/** Characters of a line of the context. */
const lineLength = 300;

function cutAround(line: string, part: string): string {
  if (line.length <= lineLength) return line;
  const at = line.indexOf(part);
  const room = Math.max(0, Math.floor((lineLength - part.length) / 2));
  const from = Math.max(0, at - room);
  const cut = cutText(line.slice(from), Math.max(lineLength, part.length + 1));
  return from > 0 ? `…${cut}` : cut;
}

/** Whole lines, so that positions in a line are right. `isCut`: the line is longer than the overlap. */
function linesAtEnd(text: string): { text: string; isCut: boolean } {
  const end = text.slice(-overlap);
  const next = end.indexOf('\n');
  return { text: end.slice(next + 1), isCut: next < 0 && text.length > overlap };
}

// Looks quotes up in one stored output, which is read once for all of them. Runs in Node; reads the store, writes
// nothing.
import { setImmediate } from 'node:timers/promises';
import { cutText } from '@holdfast/base/cut-text';
import type { Cut } from '@holdfast/report/quotes/cut-quote';
import type { FoundQuote, Mark } from '@holdfast/report/quotes/found-quote';
import { nearFinder } from '@holdfast/report/quotes/near-quote';
import { quoteFinder } from '@holdfast/report/quotes/quote-finder';
import type { QuoteContext, QuotePosition } from '@holdfast/report/report';
import { isTableHeader } from '@holdfast/report/table-header';
import type { ArtifactReader } from '@holdfast/stored/artifact-names';
import { countLineFeeds, openOutput } from '@holdfast/stored/stored-output';
import { defined } from '@holdfast/base/defined';
import type { WorkLimit } from './work-limit.ts';

/**
 * `found`: the place of each quote, also in another form. `lost`: why a missing quote almost matches. `unfinished`: the
 * missing quotes may be in the part that was not searched.
 */
export type LookedUp = {
  found: ReadonlyMap<string, FoundPlace>;
  lost: ReadonlyMap<string, 'short' | 'apart'>;
  state: 'searched' | 'unfinished' | 'no output';
};

export type FoundPlace = {
  position: QuotePosition;
  context: QuoteContext;
  /** Only headers of tables. */
  isHeader: boolean;
  isRemoved: boolean;
  /** The output has it only here. */
  isOnly: boolean;
  /** Every match says less, or something else, than its line. */
  cut?: Cut;
  /** The differences of the quote from its lines. */
  near?: string[];
};

/** Overlap of two pieces in which a quote across their border is found. */
const overlap = 32_768;

/** Without `isNearEnough` every character must be there. */
export async function lookUpQuotes(
  artifactId: string,
  quotes: Iterable<string>,
  {
    artifacts,
    sessionId,
    isNearEnough,
  }: { artifacts: ArtifactReader; sessionId: string; isNearEnough: boolean },
  limit: WorkLimit,
): Promise<LookedUp> {
  const found = new Map<string, FoundPlace>();
  const lost = new Map<string, 'short' | 'apart'>();
  if (limit.isOver()) return { found, lost, state: 'unfinished' };
  const output = await openOutput(artifacts, sessionId, artifactId);
  if (output === undefined) return { found, lost, state: 'no output' };
  const left = new Set(quotes);
  let before = { text: '', isCut: false };
  for (const [index, { fromLine, load }] of output.pieces.entries()) {
    if (left.size === 0) break;
    // also lets heartbeats and the time limit run
    await setImmediate();
    if (limit.isOver()) return { found, lost, state: 'unfinished' };
    const text = before.text + (await load());
    limit.count(() => {
      const firstLine = fromLine - countLineFeeds(before.text);
      const find = quoteFinder(text, { start: before.isCut, end: index < output.pieces.length - 1 });
      const findNear = nearFinder(text, firstLine);
      for (const quote of left) {
        const exact = find(quote);
        if (typeof exact === 'string') lost.set(quote, exact);
        const near = (exact === undefined || exact === 'apart') && isNearEnough ? findNear(quote) : undefined;
        const place = typeof exact === 'object' ? exact : near;
        // a later place may have it whole
        if (place && isBetter(place, found.get(quote)))
          found.set(quote, {
            ...toFoundPlace(place, { artifactId, firstLine }),
            ...defined({ near: near?.forms }),
          });
        if (place && !near && !place.cut) left.delete(quote);
      }
    });
    before = linesAtEnd(text);
  }
  return { found, lost, state: 'searched' };
}

function isBetter(place: FoundQuote & { forms?: string[] }, before: FoundPlace | undefined): boolean {
  if (before === undefined) return true;
  if (before.near) return place.forms === undefined;
  return place.forms === undefined && place.cut === undefined;
}

function toFoundPlace(
  { marks, around, cut, isOnly, isRemoved }: FoundQuote,
  { artifactId, firstLine }: { artifactId: string; firstLine: number },
): FoundPlace {
  const [first, shift] = [marks[0] ?? { line: 1, start: 0 }, firstLine - 1];
  const hits = new Set(marks.map(({ line }) => line - around.fromLine));
  const fromLine = around.fromLine + shift;
  const isHeader = [...hits].every(
    (at) => around.lines[at]?.trim() === '' || isTableHeader(around.lines, at, fromLine),
  );
  const shown = around.lines.map((text, at) =>
    showLine(
      text,
      marks.filter(({ line }) => line - around.fromLine === at),
    ),
  );
  const context = {
    fromLine,
    lines: shown.map(({ text }) => text),
    marked: shown.flatMap(({ marks: each }) => each.map((mark) => ({ ...mark, line: mark.line + shift }))),
  };
  return {
    position: { artifactId, line: first.line + shift, character: first.start + 1 },
    // copied through text: a part of a string would keep the whole output in memory
    context: JSON.parse(JSON.stringify(context)),
    isHeader,
    isOnly,
    isRemoved,
    ...defined({ cut }),
  };
}

/** Characters of a line of the context. */
const lineLength = 300;

/** Cut around the quoted part, whose marks move with it. */
function showLine(line: string, marks: readonly Mark[]): { text: string; marks: Mark[] } {
  const [first, last] = [marks[0], marks.at(-1)];
  if (line.length <= lineLength || !first || !last)
    return { text: cutText(line, lineLength), marks: [...marks] };
  const quoted = last.end - first.start;
  const from = Math.max(0, first.start - Math.max(0, Math.floor((lineLength - quoted) / 2)));
  const text = `${from > 0 ? '…' : ''}${cutText(line.slice(from), Math.max(lineLength, quoted + 1))}`;
  const shift = from > 0 ? from - 1 : 0;
  return {
    text,
    marks: marks.map((mark) => ({ ...mark, start: mark.start - shift, end: mark.end - shift })),
  };
}

/** Whole lines, so that positions in a line are right. `isCut`: the line is longer than the overlap. */
function linesAtEnd(text: string): { text: string; isCut: boolean } {
  const end = text.slice(-overlap);
  const next = end.indexOf('\n');
  return { text: end.slice(next + 1), isCut: next < 0 && text.length > overlap };
}

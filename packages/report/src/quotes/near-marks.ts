// Marks the characters of an output that a quote in another form stands for. Pure.
import type { Mark } from './found-quote.ts';
import type { OutputLine, Place } from './near-lines.ts';
import { applyRules, type SignRule } from './plain-text.ts';

type Raw = { raw: readonly string[]; firstLine: number; rules: readonly SignRule[] };

/** `raw` are the lines as they are stored, `lines` those of the place. */
export function marksOf({ first, last, from, to }: Place, lines: readonly OutputLine[], source: Raw): Mark[] {
  const { raw, firstLine } = source;
  const [begin, end] = [first, last].map((at) => (lines[at]?.number ?? firstLine) - firstLine);
  const [head = '', tail = ''] = [lines[first]?.text, lines[last]?.text];
  const begun = head.slice(from, first === last ? to : undefined);
  // the same words may stand before it in the line
  const sameLine = lines.slice(0, first).filter(({ number }) => number === lines[first]?.number);
  const before = [...sameLine.map(({ text }) => text), head.slice(0, from)];
  const skipped = before.reduce((sum, text) => sum + countOf(text, begun), 0);
  const start = startOf(raw[begin ?? 0] ?? '', begun, skipped, source);
  const rest = begin === end ? start : 0;
  const stop =
    rest + endOf((raw[end ?? 0] ?? '').slice(rest), tail.slice(first === last ? from : 0, to), source);
  const marks = raw
    .slice(begin, (end ?? 0) + 1)
    .map((line, index, quoted) => ({
      line: (begin ?? 0) + index + 1,
      start: index === 0 ? start : line.length - line.trimStart().length,
      end: index === quoted.length - 1 ? stop : line.trimEnd().length,
    }));
  return marks.filter((mark) => mark.start < mark.end);
}

/** The last place from which on the line has the text as often as from this occurrence on. */
function startOf(line: string, text: string, skipped: number, { rules }: Raw): number {
  const countFrom = (at: number) => countOf(applyRules(line.slice(at), 'output', rules), text);
  const wanted = countFrom(0) - skipped;
  return lastWith(line.length, (at) => countFrom(at) >= wanted);
}

function countOf(text: string, part: string): number {
  return part === '' ? 0 : text.split(part).length - 1;
}

/** The first place up to which the line has the text. */
function endOf(line: string, text: string, { rules }: Raw): number {
  return lastWith(
    line.length,
    (at) => at === 0 || !applyRules(line.slice(0, at - 1), 'output', rules).includes(text),
  );
}

/** By halves: the last number from 0 to `most` that has the property, which all before it have. */
function lastWith(most: number, has: (at: number) => boolean): number {
  let [from, to] = [0, most];
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    if (has(middle)) from = middle;
    else to = middle - 1;
  }
  return from;
}

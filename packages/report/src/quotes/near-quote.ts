// Finds a quote that a model has copied in another form: other signs of no meaning, marks around it, numbers before its
// lines, parts left out. Pure. Every word and figure must be there, in order: an invented quote is near to nothing.
import { defined } from '@holdfast/base/defined';
import { type Cut, hasNegation } from './cut-quote.ts';
import { cutAt, type FoundQuote, placeQuote, shortLength } from './found-quote.ts';
import { type Slice, type OutputLine, pageLineOf, type Place, placesOf, readLines } from './near-lines.ts';
import { marksOf } from './near-marks.ts';
import { applyRules, type SignRule, signRules, thousands } from './plain-text.ts';
import { type Candidate, candidatesOf, linesIn, readingsOf } from './quote-forms.ts';

/** `forms` complete "it differs in". */
export type NearQuote = FoundQuote & { forms: string[] };
export type NearFinder = (quote: string) => NearQuote | undefined;

/** A part beside an ellipsis has as much; below `shortLength` it must be a whole line, or in the line of the other part. */
const leastLength = 4;
/** Lines that an ellipsis may leave out and still be one place. */
const nearLines = 20;
/** Places of a first part that are tried. */
const mostStarts = 50;

const withoutRedaction = signRules.filter(({ name }) => name !== 'the mark of redaction');

/** Words that look like a mark of redaction may stand in the output as they are. */
function ruleSetsFor(quote: string): readonly (readonly SignRule[])[] {
  const hasMark = applyRules(quote, 'quote', signRules) !== applyRules(quote, 'quote', withoutRedaction);
  return hasMark ? [signRules, withoutRedaction] : [withoutRedaction];
}

/** The first uncut match wins, else the first one; the text is prepared once for all quotes. `firstLine` is the number of its first line. */
export function nearFinder(text: string, firstLine = 1): NearFinder {
  const output = { text, firstLine, ...defined({ pageLine: pageLineOf(text) }) };
  const linesBy = new Map<readonly SignRule[], OutputLine[]>();
  let split: string[] | undefined;
  return (quote) => {
    for (const rules of ruleSetsFor(quote)) {
      const lines = linesBy.get(rules) ?? readLines(output, rules);
      linesBy.set(rules, lines);
      let cut: NearQuote | undefined;
      for (const hit of hitsOf(lines, quote, rules)) {
        const raw = (split ??= text.split(/\r\n?|\n/));
        const near = toNear(hit, { quote, lines, raw, output, rules });
        if (near.cut === undefined) return near;
        cut ??= near;
      }
      if (cut) return cut;
    }
    return undefined;
  };
}

/** `left`: a part of a line that an ellipsis leaves out. */
type Hit = { places: Place[]; forms: readonly string[]; left: string[]; isFar: boolean };

function* hitsOf(lines: readonly OutputLine[], quote: string, rules: readonly SignRule[]): Generator<Hit> {
  for (const { parts, forms } of readingsOf(quote, (text) => applyRules(text, 'quote', rules))) {
    const wanted = parts
      .map(({ text, isInside }) => ({
        isInside,
        lines: linesIn(text).map((line, at) => candidatesOf(line, isInside && at === 0)),
      }))
      .filter((part) => part.lines.length > 0);
    const [head, ...rest] = wanted;
    if (head === undefined) continue;
    const isOpen = parts.length > 1;
    if (isOpen && wanted.reduce((sum, part) => sum + lengthOf(part.lines), 0) < shortLength) continue;
    const isWhole = lengthOf(head.lines) < shortLength && !isOpen;
    let starts = 0;
    for (const start of placesOf(lines, head.lines, { isWhole })) {
      const places = follow(lines, start, rest);
      if (places) yield toHit(lines, places, rest, forms);
      if ((starts += 1) === mostStarts) break;
    }
  }
}

/** `isInside`: the ellipsis before it stands inside a line of the quote. */
type WantedPart = { isInside: boolean; lines: Candidate[][] };

/** The places of all parts, each the next one after the part before it; undefined if one is missing. */
function follow(
  lines: readonly OutputLine[],
  start: Place,
  rest: readonly WantedPart[],
): Place[] | undefined {
  const places = [start];
  for (const { lines: part } of rest) {
    const after = places.at(-1) ?? start;
    const [next] = placesOf(lines, part, { isWhole: false, after });
    if (!next || !isLongEnough(next) || !isLongEnough(after)) return undefined;
    const isApart = next.first !== after.last;
    if (
      isApart &&
      ![after, next].every((place) => widthOf(place) >= shortLength || isWholeLine(lines, place))
    )
      return undefined;
    places.push(next);
  }
  return places;
}

function lengthOf(part: readonly Candidate[][]): number {
  return part.reduce((sum, [line]) => sum + (line?.text.length ?? 0), 0);
}

function isLongEnough(place: Place): boolean {
  return widthOf(place) >= leastLength;
}

function isWholeLine(lines: readonly OutputLine[], { first, last, from, to }: Place): boolean {
  return from === 0 && first === last && to === lines[last]?.text.length;
}

function widthOf({ chosen }: Place): number {
  return chosen.reduce((sum, { text }) => sum + text.length, 0);
}

function toHit(
  lines: readonly OutputLine[],
  places: Place[],
  rest: readonly WantedPart[],
  forms: readonly string[],
): Hit {
  const pairs = places.slice(1).map((place, index) => [places[index] ?? place, place] as const);
  return {
    places,
    forms: [...forms, ...places.flatMap(({ chosen }) => chosen.flatMap((candidate) => candidate.forms))],
    left: pairs.flatMap(([before, next]) =>
      before.last === next.first ? (lines[next.first]?.text.slice(before.to, next.from) ?? []) : [],
    ),
    // an ellipsis inside a line joins what stands in one line
    isFar: pairs.some(
      ([before, next], index) => next.first - before.last > (rest[index]?.isInside ? 0 : nearLines),
    ),
  };
}

/** `raw` are the lines as they are stored. */
type Asked = {
  quote: string;
  lines: readonly OutputLine[];
  raw: readonly string[];
  output: Slice;
  rules: readonly SignRule[];
};

function toNear({ places, forms, left, isFar }: Hit, asked: Asked): NearQuote {
  const { lines, raw, output, rules } = asked;
  const marks = places.map((place) => marksOf(place, lines, { raw, firstLine: output.firstLine, rules }));
  const cuts = marks.flatMap((each): Cut[] => [cutAt(raw, each)].filter((cut) => cut !== undefined));
  const all = marks.flat();
  const [first, last] = [all[0]?.line ?? 1, all.at(-1)?.line ?? 1];
  const own: Slice = {
    text: raw.slice(first - 1, last).join('\n'),
    firstLine: output.firstLine + first - 1,
    ...defined({ pageLine: output.pageLine && output.pageLine + first - 1 }),
  };
  const needed = neededRules(own, asked);
  const names = needed.map(({ name }) => name);
  // `1,137` of the output may be two numbers
  const isList = needed.some(
    (rule) => rule.name === thousands && rule.apply(own.text, 'output') !== own.text,
  );
  return {
    ...placeQuote(raw, all),
    isOnly: false,
    forms: [...new Set([...forms, ...names])],
    ...defined({ cut: isFar ? 'far' : left.some(hasNegation) ? 'turned' : isList ? 'token' : cuts[0] }),
  };
}

/** The rules without which the quote is not found in its own lines. */
function neededRules(own: Slice, { quote, rules }: Asked): readonly SignRule[] {
  return rules.reduce((needed, rule) => {
    const fewer = needed.filter((each) => each !== rule);
    const [hit] = hitsOf(readLines(own, fewer), quote, fewer);
    return hit ? fewer : needed;
  }, rules);
}

// Looks for what speaks against the root cause in the report itself. Runs in Node, pure.
import { contentWords, nameFinder, wordsInCommon, wordsOf } from '@holdfast/report/component-names';
import { type CauseCheck, type CheckedClaim, carries } from '@holdfast/report/report';
import { saysWrong } from '../decisive-lines.ts';
import { argumentWords, type Cause, hitLines, citedLines } from './cause.ts';
import { isTheCause } from './check-alternatives.ts';

export function checkContradictions(cause: Cause): CauseCheck {
  const text = quotedForBoth(cause) ?? ruledOutItself(cause) ?? oppositeClaims(cause) ?? healthyFigure(cause);
  return text === undefined
    ? { check: 'contradiction', result: 'holds', text: 'nothing in the report speaks against the cause' }
    : { check: 'contradiction', result: 'fails', text };
}

/** One line that carries the cause, and that rules out an explanation with the cause's component. */
function quotedForBoth({ report, names, quotes }: Cause): string | undefined {
  const carried = quotes.flatMap(citedLines);
  for (const entry of report.ruledOut) {
    const finds = nameFinder(entry.text);
    if (names.length === 0 || !names.every(finds)) continue;
    const both = entry.quotes.flatMap(citedLines).find((place) => carried.includes(place));
    if (both !== undefined)
      return `${both} is quoted for the cause, and for ruling out an explanation that has its component`;
  }
  return undefined;
}

function ruledOutItself(cause: Cause): string | undefined {
  const entry = cause.report.ruledOut.find((each) => isTheCause(each, cause));
  return entry && `the cause itself is among what is ruled out: "${entry.text}"`;
}

/** Each with the words of two sides. */
const opposites = [
  'healthy well fine intact alive up running working works normal / unhealthy broken dead down stopped crashed crashing abnormal',
  'full exhausted / empty free idle',
  'increased rose grew higher more / decreased fell shrank lower fewer',
  'behind lags lagging late stale old / step sync synced current fresh caught',
  'fast quick / slow slower',
  'success succeeded accepted allowed / failure failed refused rejected denied blocked',
  'reachable available present there / unreachable unavailable missing gone lost',
  'valid / expired invalid',
  'open enabled / closed disabled',
  'large enough / small short',
].map((sides) => sides.split('/').map((side) => new Set(wordsOf(side))));

const negations = ['not', 'no', 'never', 'without', 'cannot'];

/** Two claims of opposite words over one line. */
function oppositeClaims({ report }: Cause): string | undefined {
  const { claims } = report;
  for (const [index, claim] of claims.entries()) {
    const places = claim.quotes.flatMap(citedLines);
    for (const [at, other] of claims.entries()) {
      if (at <= index) continue;
      const both = other.quotes.flatMap(citedLines).find((place) => places.includes(place));
      if (both !== undefined && areOpposite(claim, other))
        return `claims ${index + 1} and ${at + 1} say opposite things over ${both}`;
    }
  }
  return undefined;
}

function areOpposite({ text: left }: CheckedClaim, { text: right }: CheckedClaim): boolean {
  const [mine, theirs] = [new Set(wordsOf(left)), new Set(wordsOf(right))];
  const isPair = opposites.some(
    ([one, two]) => isSplit(mine, theirs, one, two) || isSplit(theirs, mine, one, two),
  );
  const isNegated = negations.some((word) => mine.has(word)) !== negations.some((word) => theirs.has(word));
  return isPair || (isNegated && alike(contentWords(left), contentWords(right)));
}

type Words = ReadonlySet<string>;

/** One claim has words of the first side alone, the other of the second. */
function isSplit(left: Words, right: Words, one: Words = new Set(), two: Words = new Set()): boolean {
  return hasAny(left, one) && !hasAny(left, two) && hasAny(right, two) && !hasAny(right, one);
}

function hasAny(words: Words, side: Words): boolean {
  return [...side].some((word) => words.has(word));
}

function alike(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  const shared = wordsInCommon(left, right).length;
  return shared > 1 && shared / Math.min(left.size, right.size) >= 0.7;
}

/** Statements of health. Words that a fault may have too, such as idle or 20/20, are none. */
const healthy = [
  /\b(?:healthy|passing)\b|\b(?:0|no) (?:errors?|failures?|timeouts?|restarts?)\b/i,
  /\b\w*(?:error|failure|timeout)\w*[=: ]+0(?![\d.])|\b(?:cpu|memory|mem|disk|load|usage|used|utili[sz]ation)\b[^%\n]{0,20}?\b[0-4]?\d(?:\.\d+)? ?%/i,
];
/** The state of what stands before it, as in a table. */
const stands = /\bRunning\b|\(running\)|\bOK\b|[:=] ?ok\b/;

/** The part of the line that says what is well; undefined if it says of nothing that it is. */
function healthySubject(line: string): string | undefined {
  if (healthy.some((form) => form.test(line))) return line;
  const at = line.search(stands);
  return at < 0 ? undefined : line.slice(0, at) || line;
}

/**
 * A claim that quotes how well the component is that is blamed: the line or its call names it. What rules out another fault
 * of it may say so.
 */
function healthyFigure({ report, names, quotes, calls }: Cause): string | undefined {
  const decisive = new Set(quotes.flatMap(citedLines));
  for (const { quotes: theirs } of report.claims)
    for (const quote of theirs.filter(carries))
      for (const { text, number } of hitLines(quote)) {
        if (saysWrong(text)) continue;
        const logged = calls.get(quote.callId);
        const subject = healthySubject(text);
        if (subject === undefined) continue;
        const finds = nameFinder(`${subject}\n${logged ? argumentWords(logged) : ''}`);
        if (!names.some(finds)) continue;
        const role = decisive.has(`line ${number} of call ${quote.callId}`) ? 'for the cause' : 'beside it';
        return `line ${number} of call ${quote.callId}, quoted ${role}, shows the component well`;
      }
  return undefined;
}

// Looks for what speaks against the root cause in the report itself. Runs in Node, pure.
import { contentWords, nameFinder, wordsOf } from '../../../core/report/component-names.ts';
import type { CauseCheck, CheckedClaim } from '../../../core/report/report.ts';
import { saysWrong } from '../decisive-lines.ts';
import { carries, type Cause, hitLines, placesOf } from './cause.ts';
import { isTheCause } from './check-alternatives.ts';

export function checkContradictions(cause: Cause): CauseCheck {
  const text = quotedForBoth(cause) ?? ruledOutItself(cause) ?? oppositeClaims(cause) ?? healthyFigure(cause);
  return text === undefined
    ? { check: 'contradiction', result: 'holds', text: 'nothing in the report speaks against the cause' }
    : { check: 'contradiction', result: 'fails', text };
}

/** One line that carries the cause, and that rules out an explanation with the cause's component. */
function quotedForBoth({ report, names, quotes }: Cause): string | undefined {
  const carried = quotes.flatMap(placesOf);
  for (const entry of report.ruledOut) {
    const finds = nameFinder(entry.text);
    if (names.length === 0 || !names.every(finds)) continue;
    const both = entry.quotes.flatMap(placesOf).find((place) => carried.includes(place));
    if (both !== undefined)
      return `${both} is quoted for the cause, and for ruling out an explanation that has its component`;
  }
  return undefined;
}

function ruledOutItself(cause: Cause): string | undefined {
  const entry = cause.report.ruledOut.find((each) => isTheCause(each, cause));
  return entry && `the cause itself is among what is ruled out: "${entry.text}"`;
}

const opposites = [
  'healthy/unhealthy up/down full/empty full/free increased/decreased rose/fell high/low more/fewer fast/slow',
  'success/failure succeeded/failed reachable/unreachable available/unavailable expired/valid open/closed',
  'enabled/disabled running/stopped before/after normal/abnormal present/missing large/small enough/short',
]
  .join(' ')
  .split(' ')
  .map((pair) => pair.split('/').flatMap(wordsOf));

const negations = ['not', 'no', 'never', 'without', 'cannot'];

/** Two claims of opposite words over one line. */
function oppositeClaims({ report }: Cause): string | undefined {
  const { claims } = report;
  for (const [index, claim] of claims.entries()) {
    const places = claim.quotes.flatMap(placesOf);
    for (const [at, other] of claims.entries()) {
      if (at <= index) continue;
      const both = other.quotes.flatMap(placesOf).find((place) => places.includes(place));
      if (both !== undefined && areOpposite(claim, other))
        return `claims ${index + 1} and ${at + 1} say opposite things over ${both}`;
    }
  }
  return undefined;
}

function areOpposite({ text: left }: CheckedClaim, { text: right }: CheckedClaim): boolean {
  const [mine, theirs] = [new Set(wordsOf(left)), new Set(wordsOf(right))];
  const has = (words: Set<string>, other: Set<string>, word = '') => words.has(word) && !other.has(word);
  const isPair = opposites.some(
    ([one, two]) =>
      (has(mine, theirs, one) && has(theirs, mine, two)) ||
      (has(mine, theirs, two) && has(theirs, mine, one)),
  );
  const isNegated = negations.some((word) => mine.has(word)) !== negations.some((word) => theirs.has(word));
  return isPair || (isNegated && alike(contentWords(left), contentWords(right)));
}

function alike(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  const shared = [...left].filter((word) => right.has(word)).length;
  return shared > 1 && shared / Math.min(left.size, right.size) >= 0.7;
}

const healthy =
  /\b(?:healthy|passing|running|ok|idle|normal)\b|\b([1-9]\d*)\/\1\b|\b(?:0|no) (?:errors?|failures?|restarts?)\b|\berrors?[=: ]+0\b|\b200 ok\b|\b(?:cpu|memory|mem|disk|load|usage|used|utili[sz]ation)\b[^%\n]{0,20}?\b[0-4]?\d(?:\.\d+)? ?%/i;

/** A claim that quotes how well the component is that is blamed. What rules out another fault of it may say so. */
function healthyFigure({ report, names, quotes }: Cause): string | undefined {
  const decisive = new Set(quotes.flatMap(placesOf));
  for (const { quotes: theirs } of report.claims)
    for (const quote of theirs.filter(carries))
      for (const { text, number } of hitLines(quote)) {
        const finds = nameFinder(text);
        if (!healthy.test(text) || saysWrong(text) || !names.some(finds)) continue;
        const role = decisive.has(`line ${number} of call ${quote.callId}`) ? 'for the cause' : 'beside it';
        return `line ${number} of call ${quote.callId}, quoted ${role}, shows the component well`;
      }
  return undefined;
}

// Decides if a quote says less, or something else, than its line does: it begins or ends inside a word or a number, or
// the words that turn its meaning stand just outside. Pure.

/**
 * `token`: it begins or ends inside a word or a number. `turned`: a negation, a condition, or the value that denies it is
 * left out. `far`: its parts are in different places.
 */
export type Cut = 'token' | 'turned' | 'far';

/** Only scripts that part words by blanks show where a word ends. */
const letter = String.raw`(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])\p{L}`;
const word = `(?:${letter}|[\\p{N}_])`;

const unit =
  '(?:%|percent|[kmgtpe]i?b?|bytes?|[mµun]?s|secs?|seconds?|mins?|minutes?|h|hours?|days?|thousand|million|billion)';

/** Two characters on either side of an end of the quote, with NUL between them. */
const insideTokens = [
  String.raw`${word}\0${word}`,
  // parts of 0.95, 12,345, 10:30, 0/5, 1-5
  String.raw`\d[.,:/-]\0\d`,
  String.raw`\d\0[.,:/]\d`,
  String.raw`\d\0[-+]${word}`,
  String.raw`\d\0%`,
  String.raw`${letter}(?:\0['’]|['’]\0)${letter}`,
].map((text) => new RegExp(text, 'u'));

/** Signs of a number that the quote begins with. */
const signs = /(?:[-+.<>≤≥≠~−]|[<>!]=)\0\d/;
const unitBehind = new RegExp(String.raw`\d\0 ?${unit}(?![\p{L}\p{N}])`, 'iu');

const negation = String.raw`(?:not|no|never|none|nothing|without|cannot|neither|nor|zero|0|hardly|\p{L}+n['’]t|(?:failed|fails|failing|failure|unable|refused|unwilling) to|instead of|rather than)`;
const condition = '(?:if|unless|whether|would|should|expected|until)';
/** Words between a negation and what it negates. */
const filler = String.raw`(?:(?:yet|be|been|being|a|an|the|any|is|are|was|were|have|has|had|fully|currently|longer|more|it|to)\s+){0,3}`;

const turnedBefore = new RegExp(
  String.raw`(?:(?<![\p{L}\p{N}_.,:/-])(?:${negation}|${condition})\s+${filler}["'“‘(]?|\b(?:no|non|not|un)-|!)$`,
  'iu',
);
const turnedBehind =
  /^["'`]?\s*[:=?]+\s*["'`]?(?:0(?:\.0+)?(?![\d.])|false|no|none|null|nil|never|off|disabled|not|n\/a)(?![\p{L}\p{N}_])/iu;

/** Characters of the line on either side that are looked at. */
const reach = 200;
/** Such as `logs/app.log:12:`; or `12:` before a date. */
const grepPlace = /^(?=\S*[/.])\S*\p{L}\S*[:-]\d{1,7}[:-]$/u;
const linePlace = /^\d{1,7}[:-]$/;
const date = /^\d{4}-\d\d-\d\d/;

type End = { line: string; at: number };

export function cutOf(begin: End, end: End): Cut | undefined {
  const before = begin.line.slice(Math.max(0, begin.at - reach), begin.at);
  const behind = end.line.slice(end.at, end.at + reach);
  // an escaped line feed is no letter, and the place that grep prints no number of the line
  const isPlace = grepPlace.test(before) || (linePlace.test(before) && date.test(begin.line.slice(begin.at)));
  const outside = isPlace ? '' : before.replace(/\\[nrt]$/, ' ');
  const first = `${outside.slice(-2)}\0${begin.line.slice(begin.at, begin.at + 2)}`;
  const last = `${end.line.slice(Math.max(0, end.at - 2), end.at)}\0${behind}`;
  const lastPair = last.slice(0, last.indexOf('\0') + 3);
  if (insideTokens.some((each) => each.test(first) || each.test(lastPair))) return 'token';
  if (signs.test(first) || unitBehind.test(last)) return 'token';
  const lastSign = end.line.charAt(end.at - 1);
  const value = ':=?'.includes(lastSign) ? lastSign : '';
  return turnedBefore.test(before) || turnedBehind.test(value + behind) ? 'turned' : undefined;
}

const denies = new RegExp(String.raw`(?<![\p{L}\p{N}_])${negation}(?![\p{L}\p{N}_])`, 'iu');

/** True if words that were left out of a line deny what is left of it. */
export function hasNegation(text: string): boolean {
  return denies.test(text);
}

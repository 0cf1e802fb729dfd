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
  '(?:%|percent|[kmgtpe]i?(?:b(?:it)?)?(?:/s)?|b(?:it)?/s|bytes?|req/s|[mµun]?s(?:ec)?|secs?|(?:milli|micro)?seconds?|mins?|minutes?|hrs?|h|hours?|d|days?|weeks?|months?|years?|°[cf]|[ap]m|thousand|million|billion)';

/** Two characters on either side of an end of the quote, with NUL between them. */
const insideTokens = [
  String.raw`${word}\0${word}`,
  // parts of 0.95, 12,345, 10:30, 0/5, 1-5
  String.raw`\d[.,:/-]\0\d`,
  String.raw`\d\0[.,:/^]\d`,
  String.raw`\d\0[-+]${word}`,
  String.raw`\d\0%`,
  String.raw`\d['’\u202F]\0\d|\d\0['’\u202F]\d`,
  String.raw`${letter}(?:\0['’]|['’]\0)${letter}`,
  // parts of payment-api, /tmp/cache, config.yaml
  String.raw`${word}[-./@]\0${letter}|${letter}\0[-./@]${word}|/\0${word}`,
].map((text) => new RegExp(text, 'u'));

/** Signs of a number that the quote begins with. */
const signs = /(?:[-+.<>≤≥≠~−]|[<>!]=)\0[$€£]?\d|(?:[<>≤≥≠]|[<>!]=) \0\d/u;
const unitBehind = new RegExp(String.raw`\d\0 ?(?:${unit}(?![\p{L}\p{N}])|(?:of|/|×|\^) ?\d)`, 'iu');

const negation = String.raw`(?:not|no|never|none|nothing|without|cannot|neither|nor|zero|0|hardly|\p{L}+n['’]t|(?:failed|fails|failing|failure|unable|refused|unwilling|could not) to|instead of|rather than|ruled out:|false (?:positive|alarm):)`;
const condition = String.raw`(?:if|unless|whether|would|should|could|may|might|expected|until|\[?dry[- ]run\]?:?)`;
/** Words between a negation and what it negates. */
const filler = String.raw`(?:(?:yet|be|been|being|a|an|the|any|is|are|was|were|have|has|had|fully|currently|longer|more|it|to|of|these|those|evidence|sign|signs)\s+){0,4}`;
/** Marks that may stand between words and a quote. */
const marks = String.raw`["'“‘(*_\x60\\]*`;

const turnedBefore = new RegExp(
  String.raw`(?:(?<![\p{L}\p{N}_.,:/-])(?:${negation}|${condition})${marks}\s+${filler}${marks}|\b(?:no|non|not|un)-|!|^\s*#\s*)$`,
  'iu',
);
/** A value that denies the words before it, and ends there. */
const denial = String.raw`(?:0(?:\.0+)?(?:ms|s|%)?|false|no|none|<none>|null|nil|never|off|disabled|not|n\/a|\[\]|f)(?=\s*(?:[,;.)}\]"'\x60|<\\]|$|\s{2}))`;
const turnedBehind = new RegExp(
  [
    String.raw`^["'\x60\\]*\s*(?:[:=?|,>]+|=>|->|\.{3,}|\s{2,}|\t)\s*["'\x60\\]*${denial}`,
    String.raw`^(?:\{[^}]*\})? 0(?:\.0+)?\s*$`,
    String.raw`^ (?:is|was|are|were|has been)? ?(?:false|not|never|0 times)\b`,
    String.raw`^\s*(?:\(?dry[- ]run|(?:only )?if |unless )|^-free\b|^: false alarm`,
  ].join('|'),
  'iu',
);

/** Characters of the line on either side that are looked at. */
const reach = 200;
/** Such as `logs/app.log:12:`; or `12:` before a date. */
const grepPlace = /^(?=\S*[/.])\S*\p{L}\S*(?::\d{1,7}:|-\d{1,7}-)$/u;
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

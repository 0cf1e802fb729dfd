// Estimates the tokens of a text without a vendor's vocabulary: counts words, numbers, signs and gaps, with the weights
// that fit the recorded histories best. Pure and linear: it runs in the workflow, every turn.

/** A word of up to six letters is mostly one token; a new one begins at a capital inside a word. */
const wordTokens = 0.77;
const shortWord = 6;
const furtherLetterTokens = 0.45;
/** Numbers are cut into groups of three digits; in ids and times most groups are not whole. */
const numberTokens = 1.2;
const digitsPerGroup = 3;
const signTokens = 0.62;
const signsPerGroup = 2;
/** A row of one sign is a few tokens, however long: a line under a title, a table's border. */
const rowSigns = 4;
const rowSignTokens = 0.05;
/** A line break or an indentation; a single blank belongs to the word behind it. */
const gapTokens = 1.5;
/** By UTF-16 unit outside ASCII: letters with marks, signs and dashes; then scripts with a character a word. */
const markedTokens = 0.7;
const wideTokens = 1.1;
const firstWide = 0x2e80;

const sign = 0;
const gap = 1;
const digit = 2;
const lower = 3;
const upper = 4;
const other = 5;
const ascii = Array.from({ length: 128 }, (_, unit) => kindOf(unit));

export function textTokens(text: string): number {
  let tokens = 0;
  let before = -1;
  let run = 0;
  let unitBefore = -1;
  let same = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    const kind = ascii[unit] ?? other;
    run = kind === before || (kind === lower && before === upper) ? run + 1 : 0;
    same = unit === unitBefore ? same + 1 : 0;
    before = kind;
    unitBefore = unit;
    if (kind === lower || kind === upper) {
      if (run === 0) tokens += wordTokens;
      else if (run >= shortWord) tokens += furtherLetterTokens;
    } else if (kind === gap) {
      if (run === 0 && (unit !== 32 || ascii[text.charCodeAt(index + 1)] === gap)) tokens += gapTokens;
    } else if (kind === digit) {
      if (run % digitsPerGroup === 0) tokens += numberTokens;
    } else if (same >= rowSigns) {
      tokens += rowSignTokens;
    } else if (kind === sign) {
      if (run % signsPerGroup === 0) tokens += signTokens;
    } else tokens += unit < firstWide ? markedTokens : wideTokens;
  }
  return tokens;
}

function kindOf(unit: number): number {
  if (unit >= 97 && unit <= 122) return lower;
  if (unit >= 65 && unit <= 90) return upper;
  if (unit >= 48 && unit <= 57) return digit;
  return unit === 32 || (unit >= 9 && unit <= 13) ? gap : sign;
}

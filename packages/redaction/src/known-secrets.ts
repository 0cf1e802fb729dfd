// Finds known secret values in a text, in every spelling. Encodings that can be broken up anywhere are decoded first over
// the whole text, in one pass each, however many secrets there are.
import { defined } from '@holdfast/base/defined';
import { knownForms, type KnownForms } from './known-forms.ts';

const mark = '[redacted:secret]';
/** Fewer characters of a secret reveal little, and often begin an ordinary word. */
const shortestBeginning = 8;

type Spelling = {
  forms: (known: KnownForms) => readonly string[];
  /** The encoding to undo; absent for the text as it is. */
  broken?: {
    pattern: RegExp;
    /** Unless the text matches this, nothing is undone: a copy of every log would cost memory. */
    needs?: RegExp;
    to: '' | ((found: string, ...parts: string[]) => string);
  };
};

const spellings: readonly Spelling[] = [
  { forms: ({ text, base64, hex }) => [...text, ...base64, ...hex] },
  {
    // lines of base64 and hex, also inside JSON; lines of words are shorter
    forms: ({ base64, hex }) => [...base64, ...hex],
    broken: { pattern: /(?<=[\w+/-]{16})(?:\r?\n[ \t]{0,64}|(?:\\{1,4}r)?\\{1,4}n)(?=[\w+/-])/g, to: '' },
  },
  {
    // 70 6c 61, 70:6c:61, 0x70, 0x6c and \x70\x6c, also across lines
    forms: ({ hex }) => hex,
    broken: {
      pattern: /(?<=[\da-f]{2})(?:[ \t\r\n:,-]{1,16}(?:0x|\\x)?|\\x)(?=[\da-f]{2})/gi,
      // not inside a word: most words begin with no hex digit
      needs:
        /(?<![\da-wyz])(?:(?:[\da-f]{2}(?:[ \t\r\n:,-]{1,16}(?:0x|\\x)?|\\x)){5}[\da-f]{2}|(?:[\da-f]{4}[ \r\n]{1,4}){2}[\da-f]{4}|[\da-f]{8} [\da-f]{4})/i,
      to: '',
    },
  },
  {
    // \u0041 in JSON, &#65; and &#x41; in HTML
    forms: ({ text }) => text,
    broken: {
      pattern: /\\{1,4}u([\da-f]{4})|&#(\d{1,7});|&#x([\da-f]{1,6});/gi,
      to: (found, unit, decimal, hex) => {
        const code = Number.parseInt(decimal ?? hex ?? unit ?? '', decimal === undefined ? 16 : 10);
        if (unit !== undefined) return String.fromCharCode(code);
        return code <= 0x10_ff_ff ? String.fromCodePoint(code) : found;
      },
    },
  },
];

/** A replacement string is many times faster than a function. */
function undone(text: string, { pattern, to }: NonNullable<Spelling['broken']>): string {
  return to === '' ? text.replace(pattern, '') : text.replace(pattern, to);
}

type Range = { from: number; to: number };

export class KnownSecrets {
  readonly #spellings: { forms: readonly string[]; broken?: Spelling['broken'] }[];

  constructor(secrets: readonly string[]) {
    const known = knownForms(secrets);
    this.#spellings = spellings.map(({ forms, broken }) => ({
      forms: [...new Set(forms(known))],
      ...defined({ broken }),
    }));
  }

  has(value: string): boolean {
    return this.#spellings[0]?.forms.includes(value) ?? false;
  }

  /** With `isCut` the text was cut at its end, which may hold the beginning of a secret. */
  redact(text: string, isCut = false): string {
    let result = text;
    for (const { forms, broken } of this.#spellings) {
      if (!broken) {
        result = replaceRanges(result, rangesOf(result, forms, isCut));
        continue;
      }
      if (broken.needs?.test(result) === false) continue;
      const whole = undone(result, broken);
      if (whole === result) continue;
      const ranges = rangesOf(whole, forms, isCut);
      if (ranges.length > 0) result = replaceRanges(result, toOriginal(result, broken, ranges));
    }
    return result;
  }
}

function rangesOf(text: string, forms: readonly string[], isCut: boolean): Range[] {
  const found: Range[] = [];
  for (const form of forms)
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length))
      found.push({ from: at, to: at + form.length });
  const cut = isCut ? beginningAtEnd(text, forms) : undefined;
  if (cut !== undefined) found.push({ from: cut, to: text.length });
  return joined(found);
}

/** The start of the first form that the end of the text cuts off. */
function beginningAtEnd(text: string, forms: readonly string[]): number | undefined {
  const found = forms.flatMap((form) => {
    const beginning = form.slice(0, shortestBeginning);
    const tail = Math.max(0, text.length - form.length);
    for (let at = text.indexOf(beginning, tail); at >= 0; at = text.indexOf(beginning, at + 1))
      if (form.startsWith(text.slice(at))) return [at];
    return [];
  });
  return found.length === 0 ? undefined : Math.min(...found);
}

/** Sorted; overlapping ranges are merged. */
function joined(ranges: Range[]): Range[] {
  const all: Range[] = [];
  for (const range of ranges.toSorted((left, right) => left.from - right.from)) {
    const last = all.at(-1);
    if (last && range.from < last.to) last.to = Math.max(last.to, range.to);
    else all.push({ ...range });
  }
  return all;
}

function replaceRanges(text: string, ranges: readonly Range[]): string {
  let at = 0;
  const pieces = ranges.map(({ from, to }) => {
    const before = text.slice(at, from);
    at = to;
    return before + mark;
  });
  return pieces.length === 0 ? text : pieces.join('') + text.slice(at);
}

/** Maps ranges of the decoded text back to the original. Walks both texts once. */
function toOriginal(
  text: string,
  { pattern, to: undo }: NonNullable<Spelling['broken']>,
  ranges: readonly Range[],
): Range[] {
  const found = ranges.map(() => ({ from: 0, to: 0 }));
  let next = 0;
  // `start` and `end` of the same piece in the original and in the decoded text
  const pass = (start: number, end: number, undoneStart: number, undoneEnd: number): void => {
    const isSame = end - start === undoneEnd - undoneStart;
    for (let index = next; index < ranges.length; index += 1) {
      const range = ranges[index];
      const original = found[index];
      if (range === undefined || original === undefined || range.from >= undoneEnd) return;
      if (range.from >= undoneStart) original.from = isSame ? start + range.from - undoneStart : start;
      if (range.to <= undoneEnd) {
        original.to = isSame ? start + range.to - undoneStart : end;
        next = index + 1;
      }
    }
  };
  let at = 0;
  let undoneAt = 0;
  for (const match of text.matchAll(pattern)) {
    const [whole, ...parts] = match;
    const before = undoneAt + match.index - at;
    pass(at, match.index, undoneAt, before);
    undoneAt = before + (undo === '' ? 0 : undo(whole, ...parts).length);
    at = match.index + whole.length;
    pass(match.index, at, before, undoneAt);
  }
  pass(at, text.length, undoneAt, undoneAt + text.length - at);
  return found;
}

// Signs that carry no meaning in a quote, each with the rule that makes them alike: models and their channels change them
// in copying. Pure.

/** Ends a line inside a line, as an escaped line feed does. */
export const softBreak = '\u{E000}';
const secret = '\u{E001}';

export const thousands = 'thousands separators';

export type TextSide = 'output' | 'quote';
/** `name` completes "it differs in". */
export type SignRule = { name: string; apply: (text: string, side: TextSide) => string };

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

const escapes: Readonly<Record<string, string>> = { n: softBreak, r: '', t: ' ' };

function unescape(text: string): string {
  return text.replaceAll(/\\(?:u([\da-fA-F]{4})|([nrt"'“”‘’\\/]))/g, (_whole, code, sign) =>
    code === undefined ? (escapes[sign] ?? sign) : signOf(Number.parseInt(code, 16)),
  );
}

/** A line feed that is written as a number ends no line of the output. */
function signOf(code: number): string {
  if (code === 10) return softBreak;
  return code < 32 || code > 0x10_ff_ff ? ' ' : String.fromCodePoint(code);
}

const ownMark = /\[redacted:[a-z-]+(?:, \d+ lines)?\]/g;
/** At most a word on either side, which may name the kind; figures would be a value. */
const anyMark =
  /[[<{]{1,2} ?(?:[a-z-]+[ :_-])?(?:redacted|removed|masked|censored|filtered|withheld)(?:[ :_-]+[a-z-]+)?(?:, \d+ lines)? ?[\]>}]{1,2}|\(redacted\)|\*{3,}|█{2,}|•{3,}|\bx{4,}\b|\bredacted\b/gi;

/** In the order in which they are applied. */
export const signRules: readonly SignRule[] = [
  {
    name: 'characters of no width',
    apply: (text) => text.replaceAll(/[\u00AD\u200B-\u200F\u2060\uFEFF]/g, ''),
  },
  {
    name: 'forms of characters',
    apply: (text) =>
      text
        .normalize('NFC')
        .replaceAll(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfe_e0)),
  },
  {
    name: thousands,
    apply: (text) =>
      text.replaceAll(/(?<![\d.,])[1-9]\d{0,2}(?:([,'’\u2009\u202F])\d{3})(?:\1\d{3})*(?![\d,])/g, (number) =>
        number.replaceAll(/\D/g, ''),
      ),
  },
  {
    name: 'entities',
    apply: (text) =>
      text.replaceAll(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
        if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
        return signOf(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
      }),
  },
  {
    name: 'escapes',
    // JSON in JSON is escaped twice, and an escaped quotation mark in it three times
    apply: (text) => unescape(unescape(unescape(text))),
  },
  {
    name: 'typographic signs',
    apply: (text) =>
      text
        .replaceAll(/[“”„‟«»″]/g, '"')
        .replaceAll(/[‘’‚‛′]/g, "'")
        .replaceAll(/[‐‑‒–—−]/g, '-')
        .replaceAll('…', '...'),
  },
  {
    name: 'the mark of redaction',
    apply: (text, side) => text.replaceAll(side === 'output' ? ownMark : anyMark, secret),
  },
  {
    name: 'backticks and bold',
    apply: (text) =>
      text
        .replaceAll(/(?<![\w*/])\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*(?![\w*/])/g, '$1')
        .replaceAll(/(?<!\w)`+|`+(?!\w)/g, ''),
  },
  {
    name: 'blanks',
    apply: (text) =>
      text
        // the number of a line, as cat -n prints it
        .replaceAll(/^([^\S\n]*\d{1,7})\t/gm, '$1: ')
        .replaceAll(/[^\S\n]+/g, ' ')
        .replaceAll(/ ?(["'\n\uE000]) ?/g, '$1')
        .replaceAll(/^ | $/g, ''),
  },
];

export function applyRules(text: string, side: TextSide, rules: readonly SignRule[]): string {
  return rules.reduce((given, { apply }) => apply(given, side), text.replaceAll(/\r\n?/g, '\n'));
}

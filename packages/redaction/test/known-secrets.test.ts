// Known values in encodings that may be broken up anywhere: with any value, any neighbours and any place of a break.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KnownSecrets } from '../src/known-secrets.ts';
import '../../../test/support/property-seed.ts';

const mark = '[redacted:secret]';
const characters = Array.from('abcXYZ0189+/=&<>"\'\\ %~_-.ä€😀');
const values = fc
  .array(fc.constantFrom(...characters), { minLength: 8, maxLength: 60 })
  .map((all) => all.join(''));
const secrets = values.filter((value) => value.trim() === value && value.length >= 8);
const neighbours = fc.string({ unit: 'binary-ascii', maxLength: 120 });
const lineEnds = fc.constantFrom('\n', '\r\n', '\n    ', String.raw`\n`, String.raw`\r\n`, String.raw`\\n`);
const widths = fc.constantFrom(60, 64, 70, 76);

/** Each redacted text has its neighbours, and the value nowhere. */
function expectGone(secret: string, encoded: string, decode: (left: string) => string): void {
  const clean = new KnownSecrets(['another-secret', secret]).redact(`before: ${encoded} :after`);
  expect(clean).toContain(mark);
  expect(clean.startsWith('before: ') && clean.endsWith(' :after')).toBe(true);
  for (const left of clean.slice(8, -7).split(mark)) expect(decode(left)).not.toContain(secret);
}

const wrap = (text: string, width: number, end: string): string =>
  (text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join(end);
const hexOf = (text: string): string[] => Buffer.from(text).toString('hex').match(/../g) ?? [];
const unitsOf = (text: string): string[] => text.split('');

describe('[SAFE-05] a known value is found', () => {
  test.each(['utf8', 'utf16le'] as const)('in lines of base64, of its %s', (encoding) => {
    fc.assert(
      fc.property(secrets, neighbours, neighbours, widths, lineEnds, (secret, left, right, width, end) => {
        const bytes = Buffer.from(left + secret + right, encoding);
        expectGone(secret, wrap(bytes.toString('base64'), width, end), (rest) =>
          Buffer.from(rest.replaceAll(/\s|\\+[rn]/g, ''), 'base64').toString(encoding),
        );
      }),
    );
  });

  test('in hex, spaced and over lines', () => {
    const between = fc.constantFrom(' ', ':', '-', ', 0x', String.raw`\x`, '\n', ' \n  ', '');
    fc.assert(
      fc.property(secrets, between, fc.boolean(), (secret, sign, isUpper) => {
        const hex = hexOf(secret).join(sign);
        expectGone(secret, isUpper && !/x/.test(sign) ? hex.toUpperCase() : hex, (rest) =>
          Buffer.from(rest.replaceAll(/0x|\W|x/g, ''), 'hex').toString(),
        );
      }),
    );
    fc.assert(
      fc.property(secrets, widths, lineEnds, (secret, width, end) => {
        expectGone(secret, wrap(hexOf(secret).join(''), width, end), (rest) => rest);
      }),
    );
  });

  test('in escapes of JSON and entities of HTML, of all or some of its characters', () => {
    const escapes: ((unit: string) => string)[] = [
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      (unit) => `\\\\u${unit.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`,
      (unit) => `&#${unit.charCodeAt(0)};`,
      (unit) => `&#x${unit.charCodeAt(0).toString(16)};`,
    ];
    const ascii = secrets.filter((value) => /^[ -~]*$/.test(value));
    fc.assert(
      fc.property(ascii, fc.array(fc.nat(4), { minLength: 60, maxLength: 60 }), (secret, choices) => {
        // a backslash as it is would belong to the escape behind it
        const encoded = unitsOf(secret).map(
          (unit, index) => escapes[unit === '\\' ? 0 : (choices[index] ?? 0)]?.(unit) ?? unit,
        );
        expectGone(secret, encoded.join(''), (rest) => rest);
      }),
    );
    expectGone(
      'pä€😀word',
      unitsOf('pä€😀word')
        .map((unit) => escapes[0]?.(unit))
        .join(''),
      (rest) => rest,
    );
    expectGone(
      'pä€😀word',
      Array.from('pä€😀word', (all) => `&#${all.codePointAt(0)};`).join(''),
      (rest) => rest,
    );
  });

  test('in a text that was cut within it, over lines too', () => {
    const secret = 'planted-secret-value-of-some-length-0123456789';
    const lines = wrap(Buffer.from(secret).toString('base64'), 20, '\n');
    const known = new KnownSecrets([secret]);
    for (let length = 12; length < lines.length; length += 1)
      expect(known.redact(`x ${lines.slice(0, length).trimEnd()}`, true)).toMatch(
        /^x \[redacted:secret\]\w?=*$/,
      );
  });
});

test('[SAFE-05] everything around it stays as it was', () => {
  const known = new KnownSecrets(['planted-secret', 'other/secret+1']);
  const kept = 'aGVsbG8K\nd29ybGQK\n\\u0041 &#65; &#x41; 12:34:56 de ad be ef &#99999999; \\ud83d\n';
  expect(known.redact(kept)).toBe(kept);
  const two = (one: string, other: string): string => `${kept}${one}\n${kept}${other}${kept}`;
  const spaced = hexOf('planted-secret').join(' ');
  const escaped = unitsOf('other/secret+1')
    .map((unit) => `&#${unit.charCodeAt(0)};`)
    .join('');
  expect(known.redact(two(spaced, escaped))).toBe(two(mark, mark));
  expect(known.redact(two('planted-secret', `${escaped}${escaped}`))).toBe(two(mark, mark + mark));
});

test.each([
  'aa\n',
  'ab ',
  'a:',
  String.raw`\u0041`,
  '&#65;',
  String.raw`\n`,
  '\\',
  'ab\\',
  '&#',
  'a\n \t',
  '0x',
])('a megabyte of %j comes through as it is', (piece) => {
  const known = new KnownSecrets(Array.from({ length: 20 }, (_, index) => `planted-secret-value-${index}`));
  const text = piece.repeat(1_048_576 / piece.length);
  expect(known.redact(text, true)).toBe(text);
});

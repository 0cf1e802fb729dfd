import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCleanStream } from '../src/clean-stream.ts';
import { createRedactor } from '../src/redaction.ts';
import { sanitiseText } from '../src/sanitise.ts';

const held = 'planted secret value';
const redactor = createRedactor([held]);
/** A stream holds back as much as this, to see what comes. */
const heldBack = 65_536;

function streamed(...texts: string[]): string {
  const stream = createCleanStream(redactor);
  const pieces = texts.map((text, index) =>
    index === texts.length - 1 ? stream.end(text) : stream.next(text),
  );
  return pieces.join('');
}

const atOnce = (text: string): string => redactor.text(sanitiseText(text));

const key = [
  '-----BEGIN RSA PRIVATE KEY-----',
  ...Array.from({ length: 12 }, (_, line) => `${'MIIEpAIBAAKCAQEA'.repeat(4).slice(0, 62)}${line % 10}x`),
  '-----END RSA PRIVATE KEY-----',
].join('\n');

const finds: [string, string][] = [
  ['a secret of the worker', held],
  ['a token', `ghp_${'aB3'.repeat(12)}`],
  ['a key of many lines', key],
  ['a name and its value', 'password: correct-horse-battery'],
  ['an address with a password', 'postgres://app:correct-horse@db.internal/app'],
  ['an escape', 'a\u001b[31mb'],
  ['a token between escapes', `ghp_${'aB3'.repeat(6)}\u001b[0m${'aB3'.repeat(6)}`],
  ['a character of two units', '🙂🙂🙂'],
];

describe('[SAFE-05] [SAFE-06] whatever lies across a cut is found, as in a whole text', () => {
  test.each(finds)('%s', (_name, found) => {
    const step = Math.max(1, Math.floor(found.length / 3));
    for (const [filling, end] of [
      ['x'.repeat(90_000), 'y'.repeat(70_000)],
      ['a b '.repeat(22_500), ' c d'.repeat(17_500)],
      [`${'a line of a log\n'.repeat(5_500)}\n`, '\na line of a log'.repeat(4_400)],
    ]) {
      for (let over = 0; over <= found.length; over += step) {
        // the cut is so far before the end of the first piece
        const whole = `${filling} ${found} ${end}`;
        const first = (filling?.length ?? 0) + 1 + over + heldBack;
        expect(streamed(whole.slice(0, first), whole.slice(first)) === atOnce(whole), `${over}`).toBe(true);
      }
    }
  });

  test('in any order, in pieces of any size', () => {
    const shuffled = fc.array(
      fc.oneof(
        { weight: 8, arbitrary: fc.stringMatching(/^[a-z .:/=-]{0,40}$/) },
        fc.constantFrom(...finds.map(([, found]) => found)),
        fc.constantFrom('\n', '\n', '\u001b[1m', 'token=', '"', ' '),
      ),
      { minLength: 20, maxLength: 60 },
    );
    fc.assert(
      fc.property(shuffled, fc.array(fc.integer({ min: 60_000, max: 250_000 })), (parts, sizes) => {
        const words = `a line\n${parts.join('')}\n`;
        const whole = words.repeat(Math.ceil(400_000 / words.length));
        const pieces: string[] = [];
        for (let at = 0, turn = 0; at < whole.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 131_072;
          pieces.push(whole.slice(at, at + size));
          at += size;
        }
        expect(streamed(...pieces, ' end.') === atOnce(`${whole} end.`)).toBe(true);
      }),
      { numRuns: 4 },
    );
  });
});

// larger than the window in which a cut is first tried, so only the wide one shows that it goes through the secret
test.each([5_000, 8_000])(
  '[SAFE-05] a secret of %d characters of the worker is found across a cut',
  (size) => {
    const words = Array.from({ length: size }, (_, at) => `w${((at * 7_919) % 9_973).toString(36)}`).join(
      ' ',
    );
    const secret = words.slice(0, size);
    const large = createRedactor([secret]);
    const filling = 'a word in a line without an end '.repeat(3_000);
    const whole = `${filling}${secret} ${filling}`;
    for (let over = 0; over <= size; over += 500) {
      const stream = createCleanStream(large);
      const first = filling.length + over + heldBack;
      const text = stream.next(whole.slice(0, first)) + stream.end(whole.slice(first));
      expect(text === `${filling}[redacted:secret] ${filling}`, `cut ${over} characters into it`).toBe(true);
    }
  },
);

test('[FAULT-110a] the first line of a key hides nothing behind it', () => {
  const begin = '-----BEGIN PRIVATE KEY-----\n';
  const pieces = Array.from({ length: 6 }, (_, index) => `piece ${index}\n`.repeat(40_000));
  const text = streamed(begin, ...pieces, '');
  expect(text).toBe(begin + pieces.join(''));
});

test('lines of a key without a beginning stay hidden over many pieces', () => {
  const lines = `${'aB3dE6gH'.repeat(8)}\n`;
  const text = streamed(...Array.from({ length: 4 }, () => lines.repeat(2_000)), 'the end');
  expect(text).toMatch(/the end$/);
  expect(text).not.toContain('aB3dE6gH');
  expect(text.length).toBeLessThan(10_000);
});

test('[FAULT-76] a program within a text is one notice, and the text around it stays', () => {
  const binary = String.fromCharCode(...Array.from({ length: 1_000 }, (_, at) => at % 32)).repeat(200);
  const after = 'after\n'.repeat(150_000);
  const text = streamed('before\n'.repeat(20_000), binary, binary, after, after);
  expect(text).toMatch(/^before\n/);
  expect(text).toMatch(/\[binary data, \d+ bytes: not shown\]\n/);
  expect(text).toMatch(/after\n$/);
  // oxlint-disable-next-line no-control-regex -- they are what must be gone
  expect(text).not.toMatch(/[\u0000-\u0008]/);
});

test('memory stays bounded: no more is held back than a little over a piece', () => {
  const stream = createCleanStream(redactor);
  let given = 0;
  let taken = 0;
  for (let turn = 0; turn < 30; turn++) {
    const piece = 'key '.repeat(50_000);
    given += piece.length;
    taken += stream.next(piece).length;
    expect(given - taken).toBeLessThan(1_500_000);
  }
  expect(taken + stream.end('').length).toBe(given);
});

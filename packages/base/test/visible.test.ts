// Signs that a reader could miss or mistake are written as escapes, and nothing else is changed.
import { expect, test } from 'vitest';
import fc from 'fast-check';
import { toReadable, toVisible, toVisibleLine } from '../src/visible.ts';

test.each([
  ['bidi override', "rm '/srv/x\u202etxt.gpj'", String.raw`rm '/srv/x\u{202E}txt.gpj'`],
  ['zero-width space', 'rm /srv/a\u200bb', String.raw`rm /srv/a\u{200B}b`],
  ['soft hyphen', 'a\u00adb', String.raw`a\u{AD}b`],
  ['tag character', 'x\u{e0041}', String.raw`x\u{E0041}`],
  ['no-break space', 'a\u00a0b', String.raw`a\u{A0}b`],
  ['Braille blank', 'a\u2800b', String.raw`a\u{2800}b`],
  ['Hangul filler', 'a\u3164b', String.raw`a\u{3164}b`],
  ['line separator', 'a\u2028b', String.raw`a\u{2028}b`],
  ['escape and backspace', 'a\u001b[2K\u0008', String.raw`a\u{1B}[2K\u{8}`],
  ['carriage return', 'a\rb', String.raw`a\u{D}b`],
  ['half a character', 'a\ud800', String.raw`a\u{D800}`],
  ['variation selector without an emoji', 'a\ufe0f', String.raw`a\u{FE0F}`],
  ['Cyrillic letter in a Latin word', 'p\u0430ypal', String.raw`p\u{430}ypal`],
  [
    'Cyrillic name that reads as a Latin one',
    'rm /srv/\u0441\u043e\u0440',
    String.raw`rm /srv/\u{441}\u{43E}\u{440}`,
  ],
  ['fullwidth letter', 'r\uff4d', String.raw`r\u{FF4D}`],
  ['slash of mathematics', 'srv\u2215x', String.raw`srv\u{2215}x`],
])('[SAFE-11a] %s', (_name, text, shown) => {
  expect(toVisible(text)).toBe(shown);
  expect(toVisible(shown)).toBe(shown);
});

test.each([
  'größe naïve ß 日本 API設定 ｶﾅ',
  'rm /home/ann/Документы/отчёт.txt',
  'с nginx всё хорошо',
  '5 μs, 3 Ω, 1⁄2',
  '🚀 ⚠️ 👨‍👩‍👧 🇩🇪 1️⃣ #️⃣',
  'two lines\n\tand a tab',
])('[SAFE-11a] plain writing stays as it is: %s', (text) => {
  expect(toVisible(text)).toBe(text);
});

test('[SAFE-11a] an argument on one line shows where it had line ends', () => {
  expect(toVisibleLine('echo done\n  rm -rf /srv/x\n')).toBe('echo done ⏎ rm -rf /srv/x');
});

test('[SAFE-11a] a long text with few signs outside of ASCII is made visible in a moment: a workflow may wait for it', () => {
  const text = 'checkout ERROR pool of 10 connections is used up — now\n'.repeat(40_000);
  const began = performance.now();
  expect(toVisible(text)).toBe(text);
  expect(performance.now() - began).toBeLessThan(1_000);
});

test('[SAFE-11a] a long run of blanks is read in a moment', () => {
  const blanks = ' '.repeat(100_000);
  const began = performance.now();
  expect(toVisibleLine(`a${blanks}b${blanks}\n${blanks}c`)).toBe(`a${blanks}b ⏎ c`);
  expect(performance.now() - began).toBeLessThan(1_000);
});

test('[SAFE-11c] prose keeps the blanks, joiners and emoji of its language, and nothing that hides or turns text', () => {
  const prose = 'Cause\u00a0: disque plein ⚠️ می\u200cخواهم';
  expect(toReadable(prose)).toBe(prose);
  expect(toReadable('a\r\nb\rc')).toBe('a\nb\nc');
  expect(toReadable('a\u202eb\u200bc\u{e0041}d\u001b[2J')).toBe(
    String.raw`a\u{202E}b\u{200B}c\u{E0041}d\u{1B}[2J`,
  );
});

test('[SAFE-11a] nothing that is left is a control, a format character or an odd blank, in any text', () => {
  const hidden = /(?![\n\t ])[\p{Cc}\p{Cs}\p{Zs}\p{Bidi_Control}\u200b\u00ad\u2060-\u2064\ufeff]/u;
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(hidden.test(toVisible(text))).toBe(false);
    }),
  );
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createOutputBuffer } from '@holdfast/processes/output-buffer';

function bufferOf(keepBytes: number, ...chunks: (string | Uint8Array)[]) {
  const buffer = createOutputBuffer(keepBytes);
  for (const chunk of chunks) buffer.add(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return buffer;
}

test('what fits is whole, however it was cut into chunks', () => {
  const lines = fc.array(fc.stringMatching(/^[a-zäß🙂 ]{0,20}$/u), { maxLength: 30 });
  fc.assert(
    fc.property(lines, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (words, sizes) => {
      const bytes = Buffer.from(words.join('\n'));
      const buffer = createOutputBuffer(bytes.length + 7);
      for (let at = 0, turn = 0; at < bytes.length; turn++) {
        const size = sizes[turn % sizes.length] ?? 1;
        buffer.add(bytes.subarray(at, at + size));
        at += size;
      }
      expect(buffer.read()).toEqual({ text: words.join('\n'), cutBytes: 0 });
    }),
  );
});

test('beginning, end and the missing bytes add up, whatever comes', () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 40 });
  fc.assert(
    fc.property(chunks, fc.integer({ min: 2, max: 200 }), (parts, keepBytes) => {
      const buffer = bufferOf(keepBytes, ...parts);
      const size = parts.reduce((sum, part) => sum + part.length, 0);
      const { text, cutBytes } = buffer.read();
      expect(buffer.totalBytes()).toBe(size);
      expect(cutBytes === 0).toBe(size <= keepBytes);
      if (size > keepBytes) expect(cutBytes).toBeGreaterThanOrEqual(size - keepBytes);
      expect(text.isWellFormed()).toBe(true);
    }),
  );
});

test('of a longer one the first and the last lines are left, whole', () => {
  const lines = Array.from({ length: 1_000 }, (_, index) => `line ${index}`);
  const { text, cutBytes } = bufferOf(200, lines.join('\n')).read();
  const [head = '', tail = ''] = text.split(/\n\[\.\.\. \d+ of \d+ bytes are left out here \.\.\.\]\n/);
  expect(lines.slice(0, head.split('\n').length)).toEqual(head.split('\n'));
  expect(lines.slice(-tail.split('\n').length)).toEqual(tail.split('\n'));
  const size = lines.join('\n').length;
  expect(cutBytes).toBe(size - head.length - tail.length);
  expect(text).toContain(`[... ${cutBytes} of ${size} bytes are left out here ...]`);
});

test('a word at the cut is left out: half a secret matches no pattern', () => {
  const secret = `ghp_${'a'.repeat(36)}`;
  const { text } = bufferOf(
    200,
    `${'x '.repeat(40)}${secret} ${'y '.repeat(400)}${secret}${' z'.repeat(40)}`,
  ).read();
  expect(text).not.toMatch(/ghp|aa/);
});

describe('text is clean', () => {
  test.each<[string, Uint8Array[], string]>([
    ['a character over two chunks', [Buffer.from([0xf0, 0x9f]), Buffer.from([0x99, 0x82])], '🙂'],
    ['an escape over two chunks', [Buffer.from('a\u001b[1'), Buffer.from(';31mb')], 'ab'],
    ['a byte order mark', [Buffer.from([0xef, 0xbb]), Buffer.from([0xbf, 0x61])], 'a'],
    ['NUL', [Buffer.from('a\0b')], 'ab'],
    ['a broken byte', [Buffer.from([0x61, 0xff, 0x62])], 'a\ufffdb'],
    ['half a surrogate pair in bytes', [Buffer.from([0x61, 0xed, 0xa0, 0x80])], 'a\ufffd\ufffd\ufffd'],
    [
      'a program',
      [Buffer.from(Uint8Array.from({ length: 400 }, (_, at) => at % 32))],
      '[binary data, 400 bytes: not shown]',
    ],
  ])('[SAFE-06] [FAULT-76] %s', (_name, chunks, expected) => {
    expect(bufferOf(1_000, ...chunks).read().text).toBe(expected);
  });
});

test('the newest bytes are at hand while more come', () => {
  const buffer = bufferOf(20, 'abcdefghij', 'klmnopqrstuvwxyz');
  expect(buffer.newest(4)).toBe('wxyz');
  buffer.add(Buffer.from('!'));
  expect(buffer.newest(5)).toBe('wxyz!');
});

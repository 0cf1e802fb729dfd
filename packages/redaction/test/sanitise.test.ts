import { describe, expect, test } from 'vitest';
import { decodeText, sanitiseText, toOneLine } from '../src/sanitise.ts';

describe('text', () => {
  test.each([
    ['colours', '\u001b[1;31mred\u001b[0m', 'red'],
    ['a cursor move', 'a\u001b[2K\u001b[1Ab', 'ab'],
    ['a window title', 'a\u001b]0;evil\u0007b', 'ab'],
    ['a link', '\u001b]8;;http://x\u001b\\name\u001b]8;;\u001b\\', 'name'],
    ['a device string', 'a\u001bPq#0\u001b\\b', 'ab'],
    ['an eight-bit escape', 'a\u009b31mb', 'ab'],
    ['a charset switch', 'a\u001b(Bb', 'ab'],
    ['a lone escape', 'a\u001b', 'a'],
    ['an unfinished colour', 'a\u001b[31', 'a31'],
    ['NUL', 'a\u0000b', 'ab'],
    ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
    ['tabs and newlines', 'a\tb\r\nc', 'a\tb\r\nc'],
    ['other languages', 'größe 日本 🙂', 'größe 日本 🙂'],
  ])('%s', (_name, input, expected) => {
    expect(sanitiseText(input)).toBe(expected);
  });

  test('that is mostly control characters is said to be binary', () => {
    expect(sanitiseText('\u0000\u0001\u0002\u0003'.repeat(100))).toBe('[binary data, 400 bytes: not shown]');
    expect(sanitiseText(`${'\ufffd'.repeat(50)}${'a'.repeat(100)}`)).toContain('binary data');
  });

  test.each(['\u001b]', '\u001b[', '\u001b]aaaaaaaa', '\u001b[000000000000', '\u001bP', '\ud800'])(
    'a megabyte of %j comes through',
    (piece) => {
      expect(sanitiseText(piece.repeat(1_000_000 / piece.length)).isWellFormed()).toBe(true);
    },
  );
});

describe('bytes', () => {
  test('broken UTF-8 becomes replacement characters', () => {
    expect(decodeText(Buffer.from([0x61, 0xff, 0xc3, 0x28, 0x62]))).toBe('a\ufffd\ufffd(b');
  });
  test('a NUL makes them binary', () => {
    expect(decodeText(Buffer.from('ELF\u0000\u0001'))).toBe('[binary data, 5 bytes: not shown]');
  });
  test('another encoding is read, an unknown one is taken for UTF-8', () => {
    expect(decodeText(Buffer.from([0xe4]), 'iso-8859-1')).toBe('ä');
    expect(decodeText(Buffer.from('ä'), 'klingon')).toBe('ä');
  });
});

test('one line is cut between characters', () => {
  expect(toOneLine('  a\n b\t c ', 100)).toBe('a b c');
  expect(toOneLine('🙂🙂🙂', 4)).toBe('🙂…');
});

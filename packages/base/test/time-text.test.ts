// Times as models write them: one reading for every tool.
import { expect, test } from 'vitest';
import { readTime, timeFault } from '../src/time-text.ts';

const now = Date.parse('2026-01-31T14:00:00Z');
const read = (text: string) => {
  const at = readTime(text, now);
  return at === undefined ? undefined : new Date(at).toISOString();
};

test.each([
  ['now', '14:00:00'],
  [' NOW ', '14:00:00'],
  ['-30m', '13:30:00'],
  ['30m', '13:30:00'],
  ['30 min ago', '13:30:00'],
  ['now-30m', '13:30:00'],
  ['now - 1h', '13:00:00'],
  ['1h30m', '12:30:00'],
  ['2 hours ago', '12:00:00'],
  ['90s', '13:58:30'],
  ['0.5h', '13:30:00'],
  ['2026-01-31T13:30:00Z', '13:30:00'],
  ['2026-01-31 13:30:00Z', '13:30:00'],
  ['2026-01-31T13:30Z', '13:30:00'],
  ['2026-01-31T13:30:00 UTC', '13:30:00'],
  ['2026-01-31T15:30:00+02:00', '13:30:00'],
  ['2026-01-31T15:30:00+0200', '13:30:00'],
  ['2026-01-31t13:30:00.250z', '13:30:00.250'],
  ['1769866200', '13:30:00'],
  ['@1769866200', '13:30:00'],
])('[TOOL-23a] %s', (text, expected) => {
  expect(read(text)).toBe(`2026-01-31T${expected}${expected.includes('.') ? 'Z' : '.000Z'}`);
});

test('[TOOL-23a] days and weeks', () => {
  expect([read('-2d'), read('1w')]).toEqual(['2026-01-29T14:00:00.000Z', '2026-01-24T14:00:00.000Z']);
});

test.each([
  '',
  'last week',
  'yesterday',
  '-',
  '30',
  '30x',
  '5 mo',
  '--since',
  '2026-13-45T99:00:00Z',
  '$(id)',
  '1h; id',
])('[TOOL-23a] %s is none, and the refusal says what is', (text) => {
  expect(readTime(text, now)).toBeUndefined();
  expect(timeFault(text)).toMatch(/2026-01-31T14:00:00Z/);
});

test.each(['2026-01-31 13:30:00', '2026-01-31T13:30:00', '2026-01-31'])(
  '[TOOL-23b] %s lacks its zone: nobody guesses it',
  (text) => {
    expect(readTime(text, now)).toBeUndefined();
    expect(timeFault(text)).toContain('without its zone');
  },
);

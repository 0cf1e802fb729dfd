// Which lines of an output a report by code shows: on made lines, and on recorded outputs of every kind of tool.
import { expect, test } from 'vitest';
import { decisiveLines } from '../../../src/activities/report/decisive-lines.ts';

test.each([
  [
    'an error behind plain lines',
    '14:03 ok\n14:04 ok\n14:05 ERROR pool timeout after 512 ms\n14:06 ok',
    '14:05 ERROR pool timeout after 512 ms',
  ],
  ['the first of several', 'a: connection refused\nb: connection reset by peer', 'a: connection refused'],
  ['an error before a change', 'deployed 4.2.1\nOOMKilled', 'OOMKilled'],
  [
    'a change before plain lines',
    'NAME  AGE\n2026-11-22 03:38 config changed: pool_size 20 -> 2',
    '2026-11-22 03:38 config changed: pool_size 20 -> 2',
  ],
  [
    'a value in place of another',
    'ID SERVICE CHANGE\nd-7 payments currency table\nd-8 payments pool: 20 -> 2',
    'd-8 payments pool: 20 -> 2',
  ],
  ['what is full', 'Filesystem Use%\n/dev/sda1 41%\n/dev/sdb1 98% /var', '/dev/sdb1 98% /var'],
  ['2 of 2', 'pool_size 2 of 2 in use', 'pool_size 2 of 2 in use'],
])('[REPORT-22a] %s', (_what, text, line) => {
  expect(decisiveLines(text, 1)).toEqual([line]);
});

test.each(['14:03 ok', '0 errors, 0 failures', 'no errors found', 'errors=0', 'up 12 days', ''])(
  '[REPORT-22a] "%s" decides nothing',
  (line) => expect(decisiveLines(line, 1)).toEqual([]),
);

test('[REPORT-22a] the same words with other figures are there once, and a long output costs no minutes', () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `${at} ERROR timeout after ${at} ms`);
  expect(decisiveLines(lines.join('\n'), 5)).toEqual(['0 ERROR timeout after 0 ms']);
});

test.each(['9'.repeat(100_000), ':x'.repeat(50_000), `{"a":1,"b":[${'{"c":2.5},'.repeat(10_000)}`])(
  '[REPORT-22a] a line without blanks, as JSON and base64 are, is read in a moment',
  (text) => {
    const began = performance.now();
    expect(decisiveLines(text, 1)).toEqual([]);
    expect(performance.now() - began).toBeLessThan(1_000);
  },
);

import { describe, expect, test } from 'vitest';
import { nearFinder } from '../../../src/core/report/near-quote.ts';

const output = [
  'NAME      READY   STATUS',
  'shop-0    0/1     CrashLoopBackOff',
  '{"pool_size": 2, "waiting":  41}',
  'set `max_connections` to 100',
  '03:04:05 error: 15 timeouts',
  'a line behind it',
].join('\n');
const find = nearFinder(output);
const numbered = nearFinder('  7\tlisten 8080;\n  8\tkeepalive 75;\n  9\troot /srv/www;');

describe('a quote is near where blanks, tabs, backticks and line numbers are all that differ', () => {
  test.each([
    ['one blank for many', 'shop-0 0/1 CrashLoopBackOff', 2],
    ['tabs', 'shop-0\t0/1\tCrashLoopBackOff', 2],
    ['no blanks around signs', '{"pool_size":2,"waiting":41}', 3],
    ['without backticks', 'set max_connections to 100', 4],
    ['with backticks', '`shop-0` `0/1` CrashLoopBackOff', 2],
    ['a part of a line', 'max_connections to 100', 4],
    ['two lines', '  shop-0 0/1 CrashLoopBackOff\n {"pool_size":2, "waiting": 41}', 2],
    ['a line number before it', '4: set `max_connections` to 100', 4],
    ['line numbers before two', '5| 03:04:05 error: 15 timeouts\n6| a line behind it', 5],
  ])('[REPORT-17a] %s', (_name, quote, line) => {
    expect(find(quote)).toMatchObject({ line, around: { fromLine: Math.max(1, line - 2) } });
  });

  test('[REPORT-17a] line numbers that only the output has', () => {
    expect(numbered('listen 8080;\nkeepalive 75;')).toMatchObject({ line: 1 });
  });

  test.each([
    ['another figure', 'shop-0 1/1 CrashLoopBackOff'],
    ['a blank that parts a number', '{"pool_size": 2, "waiting": 4 1}'],
    ['a number that a blank would make', 'set max_connections to 1 00'],
    ['a word that blanks would make', 'a linebehind it'],
    ['the end of a number', 'set max_connections to 10'],
    ['the beginning of a word', 'hop-0 0/1 CrashLoopBackOff'],
    ['a number that is no line number', '17: 04:05 error: 15 timeouts'],
    ['another hour', '13:04:05 error: 15 timeouts'],
    ['another order', 'a line behind it\nset max_connections to 100'],
    ['a letter of another case', 'Shop-0 0/1 CrashLoopBackOff'],
    ['numbers that do not count up', '4: 03:04:05 error: 15 timeouts\n9: a line behind it'],
    ['what is in many places', '` ` 0/1 ` `'],
    ['nothing', ' ` \n'],
  ])('[REPORT-17b] invented stays invented: %s', (_name, quote) => {
    expect(find(quote)).toBeUndefined();
  });
});

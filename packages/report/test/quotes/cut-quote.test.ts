import { describe, expect, test } from 'vitest';
import { nearFinder } from '../../src/quotes/near-quote.ts';
import { quoteFinder } from '../../src/quotes/quote-finder.ts';

/** The line has the quote between bars. */
function cutOf(barred: string) {
  const [before = '', quote = '', after = ''] = barred.split('|');
  const found = quoteFinder(`first\n${before}${quote}${after}\nlast`)(quote);
  return typeof found === 'object' ? (found.cut ?? 'whole') : found;
}

describe('a quote that ends inside a token', () => {
  test.each([
    '|success rate is 0|.95',
    '|the count was 12|,345',
    '|it began at 10|:30',
    '10:|30 the pool was down',
    '|the pool is at 30| of 100',
    'a non-|critical failure of the pool',
    'restarted |the payment-api|-canary',
    '|sudo rm -rf /|tmp/cache',
    '|throughput of 30| Mbit/s',
    'errors < |5 per hour today',
    '|it was at least 30|% of all',
    '|it took as long as 30|ms',
    '|it took as long as 30| ms',
    '|the limit is 2|Gi',
    '|pods that run: 1|/5',
    '|the versions 1|-5 of it',
    '|the address is 10.0.0.1|2',
    '|the address is 10.0.0|.12',
    'a change of -|5 to the limit',
    'a change of +|5 to the limit',
    'when it is <|5 below the limit',
    'when it is !=|5 below the limit',
    'the version 1.|2.4 was rolled out',
    '0|.95 is the success rate',
    'un|available since noon',
    'pool_|size is too small',
    '|the pool_size|_max is 4',
    "|the pool doesn|'t exist",
    'größ|er als erlaubt',
  ])('[REPORT-31a] %s', (barred) => {
    expect(cutOf(barred)).toBe('token');
  });

  test.each([
    '|the pool is down|.',
    '|the pool is down|, and so on',
    'level=error msg=|pool is down',
    '|the count was 12|, then 13',
    '/srv/shop/a.log:12:|2026-11-30T10:00:05Z the pool is down',
    '12:|2026-11-30T10:00:05Z the pool is down',
    'pool:|20 of 20 in use',
    '|it has 2 in use|: pool full',
    '|数据库连接池已满连接失败了|错误',
    String.raw`e\n|failed to start`,
    'logs/api.log:3:|2026-11-21T03:41:37Z the pool is empty',
  ])('[REPORT-31a] a whole one is none: %s', (barred) => {
    expect(cutOf(barred)).toBe('whole');
  });
});

describe('a quote that leaves out what turns its meaning', () => {
  test.each([
    'the pod is not |ready to serve traffic',
    'the pod is not yet |ready to serve traffic',
    'the pod is no longer |ready to serve traffic',
    "the pod isn't |ready to serve traffic",
    'it did not |restart the whole pool',
    'it failed to |restart the whole pool',
    'there were 0 |errors in the last hour',
    'unless |the pool is exhausted',
    '|deadlock detected|: false',
    '|deadlock detected|=0',
    '|"isExhausted"|: false',
    '|is the pool full?| no',
    '|MemoryPressure|   False   2026',
    '|http_errors_total| 0',
    'there is no evidence of |database deadlock',
    'the pod is **not** |ready for traffic',
    '0 of |12 checks of the pool failed',
    '|the pool will be exhausted| if it grows',
    '|deployment payments deleted| (dry run)',
    '#|max_connections = 100',
    '|"isExhausted":| false',
  ])('[REPORT-31b] %s', (barred) => {
    expect(cutOf(barred)).toBe('turned');
  });

  test.each([
    'exit code 10 |errors in the last hour',
    'note: |errors in the last hour',
    '|deadlock detected|: 04:05',
    '|deadlocks detected|: 12',
    '|connection failed|: not authorized',
    '|ERROR pool exhausted|: 0 idle of 50',
    'is it ready? not now. |The pool is full',
  ])('[REPORT-31b] other words do not: %s', (barred) => {
    expect(cutOf(barred)).toBe('whole');
  });
});

describe('a quote with an ellipsis', () => {
  const lines = Array.from({ length: 60 }, (_, at) => `line ${at + 1} of the log is here`);
  const output = ['the pool of the shop is not ready since noon', ...lines].join('\n');

  test.each([
    ['leaves out a negation', 'the pool of the shop ... ready since noon', 'turned'],
    ['joins what is far apart', 'line 2 of the log is here ... line 40 of the log is here', 'far'],
    ['leaves out a few lines', 'line 2 of the log is here\n...\nline 9 of the log is here', undefined],
  ])('[REPORT-31c] %s', (_name, quote, cut) => {
    expect(nearFinder(output)(quote)).toMatchObject({ forms: ['what an ellipsis leaves out'] });
    expect(nearFinder(output)(quote)?.cut).toBe(cut);
  });
});

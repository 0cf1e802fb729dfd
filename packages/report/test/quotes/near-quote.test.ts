import { describe, expect, test } from 'vitest';
import { nearFinder } from '../../src/quotes/near-quote.ts';

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

describe('a quote in another form is nearly found, and says what it differs in', () => {
  test.each([
    ['one blank for many', 'shop-0 0/1 CrashLoopBackOff', 2, 'blanks'],
    ['tabs', 'shop-0\t0/1\tCrashLoopBackOff', 2, 'blanks'],
    ['a blank beside a quotation mark', '{"pool_size": 2,"waiting": 41}', 3, 'blanks'],
    ['without backticks', 'set max_connections to 100', 4, 'backticks and bold'],
    ['with backticks', '`shop-0` `0/1` CrashLoopBackOff', 2, 'backticks and bold'],
    ['a part of a line', 'max_connections to 100', 4, 'backticks and bold'],
    ['two lines', '  shop-0 0/1 CrashLoopBackOff\n {"pool_size": 2, "waiting": 41}', 2, 'blanks'],
    ['a line number before it', '4: set `max_connections` to 100', 4, 'the line number'],
    ['line numbers before two', '5| 03:04:05 error: 15 timeouts\n6| a line behind it', 5, 'the line number'],
    ['a full stop', '03:04:05 error: 15 timeouts.', 5, 'a sign at the end'],
    ['a list mark', '- 03:04:05 error: 15 timeouts', 5, 'a list mark'],
    ['a fence', '```log\n03:04:05 error: 15 timeouts\n```', 5, 'a fence'],
    ['an ellipsis', '03:04:05 ... 15 timeouts', 5, 'what an ellipsis leaves out'],
  ])('[REPORT-17a] %s', (_name, quote, line, form) => {
    const found = find(quote);
    expect(found?.marks[0]).toMatchObject({ line });
    expect(found?.around).toMatchObject({ fromLine: Math.max(1, line - 2) });
    expect(found?.forms).toContain(form);
  });

  test('[REPORT-17a] line numbers that only the output has', () => {
    expect(numbered('listen 8080;\nkeepalive 75;')).toMatchObject({ marks: [{ line: 1 }, { line: 2 }] });
  });

  test('[REPORT-17a] only the characters of the quote are marked, each part of an ellipsis by itself', () => {
    const text = 'x at 12:00&nbsp;pool &quot;main&quot; is down since noon';
    const marked = nearFinder(text)('pool "main" ... since noon')?.marks ?? [];
    expect(marked.map(({ start, end }) => text.slice(start, end))).toEqual([
      'pool &quot;main&quot;',
      'since noon',
    ]);
  });

  test.each([
    ['another figure', 'shop-0 1/1 CrashLoopBackOff'],
    ['a blank that parts a number', '{"pool_size": 2, "waiting": 4 1}'],
    ['a number that a blank would make', 'set max_connections to 1 00'],
    ['a word that blanks would make', 'a linebehind it'],
    ['a blank that is not there', '{"pool_size":2, "waiting": 41}'],
    ['a blank before a sign', 'set max_connections to 100 , all'],
    ['the end of a number', 'set max_connections to 10'],
    ['the beginning of a word', 'hop-0 0/1 CrashLoopBackOff'],
    ['another hour', '13:04:05 error: 15 timeouts'],
    ['another order', 'a line behind it\nset max_connections to 100'],
    ['a letter of another case', 'Shop-0 0/1 CrashLoopBackOff'],
    ['what is in many places', '` ` 0/1 ` `'],
    ['parts in another order', '15 timeouts in all ... 03:04:05 error'],
    ['a key that is dropped between two lines', 'to 100\nerror: 15 timeouts\na line behind it'],
    ['nothing', ' ` \n'],
  ])('[REPORT-17b] invented stays invented: %s', (_name, quote) => {
    expect(find(quote)).toBeUndefined();
  });
});

describe('a number before a quoted line', () => {
  const page = `${output}\n[lines 201 to 206 of 900; continue with offset 207]`;
  const grepped = '/srv/a.log:17:the pool is empty\n/srv/a.log:21:the pool is full';

  test.each([
    ['of the output', output, '6: a line behind it'],
    ['of the page that was shown', page, '206: a line behind it'],
    ['that the output prints', grepped, '17: the pool is empty'],
    ['with its file', grepped, 'a.log:21: the pool is full'],
    ['of a piece of a long output', output, '1006: a line behind it', 1_001],
  ])('[REPORT-17c] %s', (_name, text, quote, firstLine = 1) => {
    expect(nearFinder(text, firstLine)(quote)).toBeDefined();
  });

  test.each([
    ['is a figure', output, '17 a line behind it'],
    ['is the one of another line', output, '5: a line behind it'],
    ['does not count up', output, '4: 03:04:05 error: 15 timeouts\n9: a line behind it'],
    ['is the one of another page', page, '306: a line behind it'],
    ['stands in the middle', output, '5: error: 15 timeouts'],
    ['is printed before another line', grepped, '17: the pool is full'],
    ['is that of the part, not of the whole', output, '6: a line behind it', 1_001],
  ])('[REPORT-17c] else it makes the quote an invention: it %s', (_name, text, quote, firstLine = 1) => {
    expect(nearFinder(text, firstLine)(quote)).toBeUndefined();
  });
});

describe('inventions that look like a form', () => {
  test.each([
    [
      'a number of another file',
      'orders.log:12:ERROR pool exhausted',
      'payments.log:12:ERROR pool exhausted',
    ],
    ['the sign of a diff', '+ timeout: 3 seconds', '- timeout: 3 seconds'],
    ['a box that is not ticked', '[ ] database reachable', '[x] database reachable'],
    ['a sign before a figure', '30 % throughput vs. yesterday', '- 30 % throughput vs. yesterday'],
    [
      'a value in place of a redacted one',
      'auth with [redacted:password] ok',
      'auth with [password redacted: root123] ok',
    ],
    ['words in brackets', 'token [redacted:api-key] expired', 'token (secret leaked to attacker) expired'],
    ['a power', 'limit is 2**10 connections', 'limit is 210 connections'],
    ['a figure as a number of the line', '10 20 connections open here', '10-20 connections open here'],
    ['zeros before a figure', '5 errors found in log', '0005 errors found in log'],
    ['figures that count up', '3 pods pending\n4 pods failed', 'pods pending\npods failed'],
    [
      'a key that one line has lost',
      'api.example.com: 200 OK\ndb.example.com: connection refused',
      'api.example.com: 200 OK\nconnection refused',
    ],
  ])('[REPORT-17b] %s', (_name, text, quote) => {
    expect(nearFinder(text)(quote)).toBeUndefined();
  });

  test.each([
    [
      'rows that an ellipsis joins',
      'payments-db-0 1/1 Running\ncache-0 0/1 CrashLoopBackOff',
      'payments-db-0 ... CrashLoopBackOff',
      'far',
    ],
    ['two numbers as one', 'ports: 80,443 open', 'ports: 80443 open', 'token'],
  ])('[REPORT-31c] carries nothing alone: %s', (_name, text, quote, cut) => {
    expect(nearFinder(text)(quote)?.cut).toBe(cut);
  });
});

describe('the marks of a quote in another form', () => {
  const marked = (text: string, quote: string) =>
    (nearFinder(text)(quote)?.marks ?? []).map(
      ({ line, start, end }) => `${line}: ${text.split('\n')[line - 1]?.slice(start, end)}`,
    );

  test('[REPORT-32a] stay in their line below an escaped line feed', () => {
    const text = '{"a":"x\\u000ay"}\nfoo “x” pool is empty\nfoo';
    expect(marked(text, 'foo "x" pool is empty')).toEqual(['2: foo “x” pool is empty']);
  });

  test('[REPORT-32a] are those of the place, not of the same words behind it', () => {
    expect(marked('retry 1 failed hard; then retry 1 ok', 'retry 1 ... failed hard')).toEqual([
      '1: retry 1',
      '1: failed hard',
    ]);
  });

  test('[REPORT-31b] a later place that has it whole counts', () => {
    const text = 'a “deadlock” detected: false\nb “deadlock” detected in orders';
    expect(nearFinder(text)('"deadlock" detected')).toMatchObject({ marks: [{ line: 2 }] });
  });
});

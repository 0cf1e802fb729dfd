// Quotes as a reader sees them, and those that a report has no room for.
import { describe, expect, test } from 'vitest';
import { repairReport } from '../../../src/activities/built-in/report/repair-report.ts';
import type { JsonObject } from '@holdfast/base/json';
import { textOf } from '@holdfast/vocabulary/messages';
import { renderReportHtml } from '@holdfast/report/report-html';
import { quoting, readStored, startReportSession } from '../../support/report-session.ts';

const lines = ['all was well at 09:57', 'FATAL: the success rate is 0.95 of 1', 'the end of the log'];

async function reported(output: string, ...quotes: string[]) {
  const { ran, report, artifacts } = await startReportSession();
  await ran('call_1', output);
  const result = await report(quoting(...quotes.map((quote): [string, string] => ['call_1', quote])));
  const { report: content, markdown } = await readStored(artifacts, result);
  return { quotes: content.claims[0]?.quotes ?? [], markdown, page: renderReportHtml(content) };
}

describe('the lines of a quote', () => {
  test('[REPORT-32a] are shown whole, with the quoted part marked', async () => {
    const { markdown, page } = await reported(lines.join('\n'), 'the success rate is 0');
    const shown = ['> 2  FATAL: the success rate is 0.95 of 1', '            ^^^^^^^^^^^^^^^^^^^^^'];
    expect(markdown).toContain(`${shown.join('\n     ')}\n`);
    expect(page).toContain('FATAL: <mark>the success rate is 0</mark>.95 of 1');
  });

  test('[REPORT-32a] a whole line needs no mark, and a long one is cut around the quoted part', async () => {
    const long = `${'a'.repeat(2_000)} the pool is empty ${'b'.repeat(2_000)}`;
    const { markdown, page, quotes } = await reported(
      `${lines.join('\n')}\n${long}`,
      lines[0] ?? '',
      'the pool is empty',
    );
    expect(markdown).toContain('> 1  all was well at 09:57\n       2  FATAL');
    expect(page).not.toContain('<mark>all');
    const { context } = quotes[1] ?? {};
    const [mark] = context?.marked ?? [];
    expect(context?.lines.at(-1)?.slice(mark?.start, mark?.end)).toBe('the pool is empty');
    expect(context?.lines.at(-1)?.length).toBeLessThan(400);
  });

  test('[REPORT-32a] each part of an ellipsis is marked, and the words of the agent are shown beside', async () => {
    const { page, markdown } = await reported(lines.join('\n'), 'FATAL: the success ... 0.95 of 1');
    expect(page).toContain('<mark>FATAL: the success</mark> rate is <mark>0.95 of 1</mark>');
    expect(markdown).toContain('FATAL: the success ... 0.95 of 1');
    expect(markdown).toContain('it differs in what an ellipsis leaves out');
  });

  test.each([
    ['of a diff', '@@ -1,2 +1,2 @@\n-pool_size: 20 places\n+pool_size: 2 places', true],
    ['of a list', 'values:\n-pool_size: 20 places\n+pool_size: 2 places', false],
  ])('[REPORT-32b] a line with a minus %s', async (_what, output, isRemoved) => {
    const { quotes, markdown, page } = await reported(output, 'pool_size: 20 places');
    expect(quotes[0]?.isRemoved ?? false).toBe(isRemoved);
    for (const form of [markdown, page]) expect(form.includes('line that a diff takes away')).toBe(isRemoved);
  });
});

describe('what a report has no room for', () => {
  const invented = { callId: 'call_1', quote: 'FATAL: the success rate is 0.00 of 1' };
  const real = { callId: 'call_1', quote: lines[1] ?? '' };
  const claim = (...quotes: (typeof real)[]) => ({ text: 'It fails.', role: 'effect', quotes });

  test.each([
    ['claims', [...Array.from({ length: 30 }, () => claim(real)), claim(invented)], 30, 1],
    ['quotes of a claim', [claim(...Array.from({ length: 20 }, () => real), invented)], 20, 1],
    ['the end of a quote', [claim({ ...real, quote: `${lines.join('\n')}\n${'x'.repeat(3_000)}` })], 0, 1],
    [
      'a real quote',
      [...Array.from({ length: 30 }, () => claim(real)), claim(real, { ...real, quote: lines[2] ?? '' })],
      31,
      0,
    ],
  ])(
    '[REPORT-33ab] %s: looked up, counted and named at the grade',
    async (_what, claims, found, notFound) => {
      const { ran, report, artifacts } = await startReportSession();
      await ran('call_1', lines.join('\n'));
      const given = { summary: 'It fails.', grade: 'confirmed', claims };
      const result = await report(repairReport(given).value as JsonObject, 'report_1', given);
      const { report: content } = await readStored(artifacts, result);
      const { quotes = 0, verifiedQuotes = 0 } = result.report ?? {};
      expect(verifiedQuotes).toBe(found);
      expect(quotes - verifiedQuotes).toBeGreaterThanOrEqual(notFound);
      expect(content.leftOutQuotes).toEqual({ quotes: 1, found: 1 - notFound });
      expect(textOf(result.message)).toContain('Left out, because the form has no place for it');
    },
  );
});

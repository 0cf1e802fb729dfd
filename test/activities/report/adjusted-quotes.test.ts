// Quotes that are real, and not where or not quite as the agent gave them: what code corrects, and what it leaves.
import { describe, expect, test } from 'vitest';
import { textOf } from '@holdfast/vocabulary/messages';
import { renderReportHtml } from '@holdfast/report/report-html';
import { quoting, readStored, startReportSession } from '../../support/report-session.ts';

const line = 'FATAL: remaining connection slots are reserved';

describe('a quote under a wrong call id', () => {
  test('[REPORT-16ab] is corrected where its place is the only one in the outputs of the session, and counted', async () => {
    const { ran, report, artifacts } = await startReportSession();
    await ran('call_1', 'all is well');
    await ran('call_2', `first\n${line}\nlast`);
    const result = await report(quoting(['call_1', line], ['call_9', line], ['call_2', line]));
    const { report: content, markdown } = await readStored(artifacts, result);
    const place = { callId: 'call_2', verified: true, position: { line: 2 }, source: { tool: 'grep' } };
    expect(content.claims[0]).toMatchObject({
      verified: true,
      quotes: [{ ...place, namedCallId: 'call_1' }, { ...place, namedCallId: 'call_9' }, place],
    });
    expect(content.claims[0]?.quotes[2]).not.toHaveProperty('namedCallId');
    expect(result.report).toMatchObject({ quotes: 3, verifiedQuotes: 3, correctedQuotes: 2 });
    expect(textOf(result.message)).toContain('found, line 2 of call call_2 (not call_1: corrected)');
    for (const form of [markdown, renderReportHtml(content)])
      expect(form).toContain('2 under another call than was named');
    expect(markdown).toContain('the agent named call call_1: corrected, it is nowhere else');
  });

  test.each([
    ['two calls have it', [line, line]],
    ['a call has it twice', [`${line}\n${line}`]],
    ['it is a part of a number there', [`${line}s 12`, `${line}s`]],
  ])('[REPORT-16c] is not where %s', async (_name, outputs) => {
    const { ran, report, artifacts } = await startReportSession();
    for (const [index, output] of outputs.entries()) await ran(`call_${index + 2}`, output);
    await ran('call_1', 'all is well');
    const result = await report(quoting(['call_1', line]));
    const { report: content } = await readStored(artifacts, result);
    expect(content.claims[0]?.quotes).toMatchObject([
      { callId: 'call_1', verified: false, reason: expect.stringContaining('in the output of call call_') },
    ]);
    expect(result.report).not.toHaveProperty('correctedQuotes');
  });
});

test('[REPORT-17ab] a quote in another form has a mark of its own, with its place and the difference', async () => {
  const { ran, report, artifacts } = await startReportSession();
  await ran('call_1', 'shop-0    0/1     CrashLoopBackOff\nshop-1    1/1     Running');
  const near = 'shop-0 0/1 CrashLoopBackOff';
  const result = await report(quoting(['call_1', near], ['call_1', 'shop-1 0/1 Running now']));
  const { report: content, markdown } = await readStored(artifacts, result);
  expect(content.claims[0]?.quotes).toMatchObject([
    { quote: near, verified: true, near: ['blanks'], position: { line: 1 } },
    { verified: false },
  ]);
  expect(content.claims[0]?.verified).toBe(false);
  expect(result.report).toMatchObject({ quotes: 2, verifiedQuotes: 1, nearQuotes: 1 });
  expect(markdown).toContain('quote nearly found: `grep');
  expect(markdown).toContain('it differs in blanks');
  expect(renderReportHtml(content)).toContain('≈ Quote nearly found');
  expect(textOf(result.message)).toContain('found, but it differs in blanks, line 1');
});

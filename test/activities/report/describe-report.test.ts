// What a critic reads of a report, from a real store.
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test } from 'vitest';
import { createDescribeReport } from '../../../src/activities/report/describe-report.ts';
import type { DescribeReportInput } from '@holdfast/vocabulary/activity-contracts';
import { clientWithCheckpoint } from '../../support/own-workflow.ts';
import { type ReportSession, startReportSession } from '../../support/report-session.ts';

const describeOf = ({ artifacts, log }: ReportSession) => {
  const describe = createDescribeReport({ artifacts, transcripts: { readLog: () => Promise.resolve(log) } });
  const client = clientWithCheckpoint({ messages: { toSeq: log.length } });
  return (input: DescribeReportInput): Promise<string> =>
    new MockActivityEnvironment({}, { client }).run(describe, input);
};

const lines = (count: number, wrong: number) =>
  Array.from({ length: count }, (_, at) =>
    at === wrong ? 'pool timeout after 512 ms' : `line ${at + 1} ok`,
  ).join('\n');

const report = {
  summary: 'The pool is too small.',
  grade: 'confirmed',
  claims: [
    {
      text: 'Requests wait for the pool.',
      quotes: [
        { callId: 'c1', quote: 'pool timeout after 512 ms' },
        { callId: 'c1', quote: 'never written' },
      ],
    },
  ],
};

test('[REPORT-18a] the report with its marks, and the lines around each quote that was found', async () => {
  const session = await startReportSession();
  await session.ran('c1', lines(40, 19), { args: { path: 'shop.log' } });
  const { report: ref } = await session.report(report);
  const describe = describeOf(session);
  const described = await describe({ sessionId: 'session-1', artifactId: ref?.artifactId ?? '' });
  expect(described).toContain('Grade: **confirmed (agent: confirmed)**. 1 of 2 quotes found');
  expect(described).toContain('The pool is too small.');
  expect(described.split('\n## Around ').slice(1)).toEqual([
    expect.stringMatching(
      /^line 20 of call c1: .*\n\n16: line 16 ok\n[^]*\n20: pool timeout after 512 ms\n[^]*24: line 24 ok$/,
    ),
  ]);
});

test('the lines around the quotes of what was ruled out and of the timeline, too', async () => {
  const session = await startReportSession();
  await session.ran('c1', lines(40, 19), { args: { path: 'shop.log' } });
  const quotes = (line: number) => [{ callId: 'c1', quote: `line ${line} ok\nline ${line + 1} ok` }];
  const more = {
    ruledOut: [{ text: 'The disk.', quotes: quotes(5) }],
    timeline: [{ at: '12:00', event: 'Started.', quotes: quotes(30) }],
  };
  const { report: ref } = await session.report({ ...report, ...more });
  const describe = describeOf(session);
  const described = await describe({ sessionId: 'session-1', artifactId: ref?.artifactId ?? '' });
  expect(described.match(/^## Around line \d+/gm)).toEqual(
    [20, 5, 30].map((line) => `## Around line ${line}`),
  );
});

test('what is too long together is left out, and the report itself is kept first', async () => {
  const session = await startReportSession();
  const ids = Array.from({ length: 20 }, (_, at) => `c${at}`);
  for (const id of ids)
    await session.ran(id, Array.from({ length: 9 }, () => 'pool timeout'.padEnd(200, '.')).join('\n'));
  const quotes = ids.map((callId) => ({ callId, quote: 'pool timeout' }));
  const long = { ...report, summary: 'x'.repeat(4_000), claims: [{ text: 'The pool.', quotes }] };
  const { report: ref } = await session.report(long);
  const describe = describeOf(session);
  const described = await describe({ sessionId: 'session-1', artifactId: ref?.artifactId ?? '' });
  expect(described.length).toBeLessThanOrEqual(14_000);
  expect(described).toContain('## Around line 1 of call c0');
  expect(described).not.toContain('## Around line 1 of call c19');
  await expect(describe({ sessionId: 'session-1', artifactId: 'report-x.md' })).rejects.toThrow(
    'is not in the artifact store',
  );
});

test('[TOOL-27c] the lines around a quote whose output is nowhere but in the log', async () => {
  const session = await startReportSession();
  await session.ran('c1', lines(40, 19), { args: { path: 'shop.log' } });
  const { report: ref } = await session.report(report);
  await session.artifacts.remove?.('session-1', 'tool-c1');
  const described = await describeOf(session)({ sessionId: 'session-1', artifactId: ref?.artifactId ?? '' });
  expect(described).toMatch(/^20: pool timeout after 512 ms$/m);
});

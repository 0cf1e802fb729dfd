// The report of a session: named by its result, kept in the store, whatever happens to executions and workers.
import { Connection } from '@temporalio/client';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/client.ts';
import { createReportTool } from '../../src/activities/built-in/report/report.ts';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { createFileArtifactStore } from '../../src/activities/storage/file-artifact-store.ts';
import { echoTool } from '../support/session-worker.ts';
import { storedNames } from '../support/tool-calls.ts';

const report = {
  summary: 'The pool is too small.',
  grade: 'likely',
  claims: [{ text: 'It timed out.', quotes: [{ callId: 'call_1_1', quote: 'pool timeout' }] }],
  ruledOut: [],
  gaps: [],
};

test('[REPORT-05ab] [REPORT-06a] [REPORT-13a] [REPORT-18d] the report is in the result by reference, as Markdown and JSON, over hand-overs and a lost worker', async () => {
  const model = functionModel(({ number }) => {
    if (number === 1) return { calls: [{ tool: 'echo', args: { text: 'the log' } }] };
    if (number === 2) return { calls: [{ tool: 'report', args: report }] };
    return number < 5 ? { calls: [{ tool: 'echo', args: { text: `more ${number}` } }] } : { text: 'done' };
  });
  const options = { model, tools: [echoTool({ 'the log': 'pool timeout' }), createReportTool()] };
  const bench = await createSessionBench({ ...options, workerless: true });
  const first = await bench.addWorker();
  const handle = await bench.start({ prompt: 'Why?', continueAsNewAfterTurns: 1, keepAlive: true });
  const { holdfast } = bench;
  await holdfast.session(handle.workflowId).result({ runId: 'run-1' });
  // what the first worker knew is gone
  await first.stop();
  await bench.addWorker();
  await holdfast.session(handle.workflowId).shutdown();
  const result = await handle.result().catch(() => holdfast.session(handle.workflowId).result());
  expect(result.report).toMatchObject({ grade: 'likely', quotes: 1, verifiedQuotes: 1, claims: 1 });
  expect(JSON.stringify(result.report)).not.toContain('It timed out.');
  const markdown = await holdfast.session(handle.workflowId).report(result);
  expect(markdown).toContain('It timed out.');
  const store = await createFileArtifactStore(bench.artifactsDir);
  const names = await storedNames(bench.artifactsDir, handle.workflowId);
  const json = names.find((name) => name.startsWith('report') && name.endsWith('.json')) ?? '';
  const bytes = await store.get(handle.workflowId, json);
  expect(JSON.parse(Buffer.from(bytes ?? []).toString('utf8'))).toMatchObject({
    grade: 'likely',
    summary: report.summary,
  });
  // [REPORT-13]: a program that reaches no store gets both from a worker, also after the session's end
  const connection = await Connection.connect({ address: bench.address });
  onTestFinished(() => connection.close());
  const { taskQueue } = bench;
  const outside = createClient({ connection, namespace: 'default', taskQueue });
  expect(await outside.report(handle.workflowId)).toMatchObject({ version: 1, summary: report.summary });
  expect(await outside.report(handle.workflowId, { runId: 'run-1' })).toMatchObject({ runId: 'run-1' });
  expect(await outside.report(handle.workflowId, { runId: 'run-7' })).toBeUndefined();
  expect(await outside.session(handle.workflowId).report(result)).toBe(markdown);
  const shownLines = await outside.session(handle.workflowId).readOutput('call_1_1', { line: 1 });
  expect(shownLines).toMatchObject({ lines: ['pool timeout'], marked: 1, call: { tool: 'echo' } });
  expect(await outside.session(handle.workflowId).readOutput('call_9_9')).toBeUndefined();
  // whoever mistypes a session is told so, and not to start a worker
  for (const queue of [taskQueue, 'nobody-polls']) {
    const client = createClient({ connection, namespace: 'default', taskQueue: queue });
    await expect(client.report('nobody')).rejects.toMatchObject({ code: 'UnknownSession' });
    await expect(client.session('nobody').readOutput('c1')).rejects.toMatchObject({ code: 'UnknownSession' });
  }
  // and no session is listed that was none
  expect((await outside.list()).filter(({ sessionId }) => sessionId.startsWith('read-'))).toEqual([]);
  expect((await holdfast.session(handle.workflowId).historySize()).runs).toBeGreaterThan(2);
  // [REPORT-18]: the grade is the agent's own in the Temporal UI as well
  const shown = await handle.query<{ currentDetails: string }, []>('__temporal_workflow_metadata');
  expect(shown.currentDetails).toContain('1/1 quotes found, grade likely (agent: likely)');
  const [quote] = JSON.parse(Buffer.from(bytes ?? []).toString('utf8')).claims[0].quotes;
  expect(quote.source).toMatchObject({ tool: 'echo', at: expect.stringMatching(/^20\d\d-.*Z$/) });
});

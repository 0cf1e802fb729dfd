// How a session ended, in Temporal's visibility: a good end differs from a bad one without its history being read.
import { ApplicationFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import { savedViews } from '../../src/config/ui-setup.ts';
import { createReportTool } from '../../src/activities/built-in/report/report.ts';
import type { SessionListing } from '../../src/client.ts';
import { createClient } from '../../src/client.ts';
import type { ModelProvider } from '@holdfast/providers/model-provider';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import type { SessionBench } from '../support/session-bench.ts';
import { echoTool } from '../support/session-worker.ts';
import { until } from '../support/until.ts';

const report = { summary: 'The pool is too small.', grade: 'likely', ruledOut: [], gaps: [] };
const claims = [{ text: 'It timed out.', quotes: [{ callId: 'call_1_1', quote: 'pool timeout' }] }];

/** Says "done", reports on "Report.", fails on "Fail.". */
const model = () =>
  functionModel(({ newTexts, number }) => {
    const asked = newTexts.at(-1);
    if (asked?.includes('without a report')) return { text: 'done' };
    if (asked === 'Fail.') throw ApplicationFailure.nonRetryable('no such model', 'Model.NotFound');
    if (asked === 'Report.') return { calls: [{ tool: 'echo', args: { text: 'the log' } }] };
    return number === 2 ? { calls: [{ tool: 'report', args: { ...report, claims } }] } : { text: 'done' };
  });

/** Every answer is cut by the output limit. */
const cutModel = (): ModelProvider => {
  const whole = functionModel(() => ({ text: 'Half an answer' }));
  return {
    ...whole,
    async call(request, options) {
      const { message } = await whole.call(request, options);
      return { message: { ...message, stopReason: 'length' } };
    },
  };
};

test('[LOOP-38d] the Temporal UI says of an idle session that its answer was cut', async () => {
  const bench = await createSessionBench({ model: cutModel(), tools: [echoTool()] });
  const kept = await bench.start({ prompt: 'Why?', tools: ['echo'], keepAlive: true });
  const result = await bench.holdfast.session(kept.workflowId).result({ runId: 'run-1' });
  expect(result).toMatchObject({ status: 'completed', answerCut: true, stopReason: 'length' });
  const ui = await kept.query<{ currentDetails: string }, []>('__temporal_workflow_metadata');
  expect(ui.currentDetails).toContain(
    '- result: **completed**: The run completed. The answer was cut by the output limit',
  );
});

test('[WORD-01h] the Temporal UI has the verdict of the report, and the last words as a marked quotation', async () => {
  const words = functionModel(({ number }) => {
    if (number === 1) return { calls: [{ tool: 'echo', args: { text: 'pool timeout' } }] };
    return number < 4
      ? { calls: [{ tool: 'report', args: { ...report, claims } }] }
      : { text: 'I was wrong.' };
  });
  const bench = await createSessionBench({ model: words, tools: [echoTool(), createReportTool()] });
  const kept = await bench.start({ prompt: 'Why?', tools: ['echo', 'report'], keepAlive: true });
  await bench.holdfast.session(kept.workflowId).result({ runId: 'run-1' });
  const ui = await kept.query<{ currentDetails: string }, []>('__temporal_workflow_metadata');
  expect(ui.currentDetails).toMatch(
    /\nInconclusive \(nothing was changed\)\. Grade: inconclusive \(agent: likely\)\. No cause is named\.\n\nLast words of the agent, unchecked:\n\n- marked by Holdfast: takes the report back: "I was wrong\."\n\n> I was wrong\.$/,
  );
});

const openBench = (searchAttributes?: string[]): Promise<SessionBench> =>
  createSessionBench({
    own: 'queries of the listing name the queue',
    model: model(),
    tools: [echoTool({ 'the log': 'pool timeout' }), createReportTool()],
    ...(searchAttributes ? { searchAttributes } : {}),
  });

/** What the server says, without a store that could say more. */
async function listingOf(
  bench: SessionBench,
  sessionId: string,
  ready: (listing: SessionListing) => boolean,
): Promise<SessionListing> {
  const connection = bench.client.connection as Parameters<typeof createClient>[0]['connection'];
  const plain = createClient({ connection, namespace: 'default', taskQueue: bench.taskQueue });
  return until('the listing', async () => {
    const listing = await plain.session(sessionId).describe();
    return ready(listing) && listing;
  });
}

const idsWhere = async (bench: SessionBench, query: string): Promise<string[]> => {
  const ids: string[] = [];
  const scope = `TaskQueue = '${bench.taskQueue}' AND ${query}`;
  for await (const { workflowId } of bench.client.workflow.list({ query: scope })) ids.push(workflowId);
  return ids;
};

test('[STATE-14c] [HTTP-09e] [LOOP-34c] Outcome says status and grade of the last run once it has ended, and the saved views find the bad ends', async () => {
  const bench = await openBench();
  const good = await bench.start({ prompt: 'Report.' });
  await good.result();
  expect(await listingOf(bench, good.workflowId, ({ status }) => status === 'COMPLETED')).toMatchObject({
    agentStatus: 'ended',
    outcome: 'completed',
    grade: 'likely',
  });
  const bad = await bench.start({ prompt: 'Fail.' });
  await bad.result();
  expect(await listingOf(bench, bad.workflowId, ({ status }) => status === 'COMPLETED')).toMatchObject({
    outcome: 'failed',
  });
  // refused before it was known which attributes there are
  const bare = await bench.start({ prompt: 'Hello.', loop: { maxTurns: -1 } });
  expect(await bare.result()).toMatchObject({ status: 'failed' });
  const kept = await bench.start({ prompt: 'Hello.', keepAlive: true });
  await bench.holdfast.session(kept.workflowId).result({ runId: 'run-1' });
  const idle = await listingOf(bench, kept.workflowId, ({ agentStatus }) => agentStatus === 'idle');
  expect(idle).toMatchObject({ status: 'RUNNING', outcome: 'completed', cause: 'no_report' });
  expect(idle).not.toHaveProperty('grade');
  const ui = await kept.query<{ currentDetails: string }, []>('__temporal_workflow_metadata');
  expect(ui.currentDetails).toContain(
    '- result: **completed/no_report**: The run completed without a report of the agent.\n- report: made by Holdfast',
  );
  await bench.holdfast.session(kept.workflowId).prompt('Fail.');
  await listingOf(bench, kept.workflowId, ({ outcome }) => outcome === 'failed');

  const ours = `WorkflowType = 'agentSession'`;
  await until('the views', async () => {
    const views = await Promise.all(
      [
        `${ours} AND Outcome = 'completed/likely'`,
        `${ours} AND Outcome IS NOT NULL AND Outcome != 'completed/likely'`,
        `${ours} AND Outcome = 'failed' AND ExecutionStatus = 'Running'`,
        `${ours} AND ExecutionStatus = 'Completed' AND (Outcome IS NULL OR Outcome != 'completed/likely')`,
      ].map((query) => idsWhere(bench, query)),
    );
    const [first = [], second = [], third = [], fourth = []] = views.map((ids) => ids.toSorted());
    return (
      first.join() === good.workflowId &&
      second.join() === [bad.workflowId, kept.workflowId].toSorted().join() &&
      third.join() === kept.workflowId &&
      fourth.join() === [bad.workflowId, bare.workflowId].toSorted().join()
    );
  });
  await bench.holdfast.session(kept.workflowId).shutdown();
  await kept.result();
});

test('[STATE-14c] where Outcome is not registered the stored result says it', async () => {
  const bench = await openBench(['AgentStatus']);
  const handle = await bench.start({ prompt: 'Hello.' });
  await handle.result();
  const listing = await listingOf(bench, handle.workflowId, ({ agentStatus }) => agentStatus === 'ended');
  expect(listing).not.toHaveProperty('outcome');
  expect(await bench.holdfast.session(handle.workflowId).describe()).toMatchObject({ outcome: 'completed' });
});

test('[LOOP-10c] [STATE-14c] a session of the client whose run failed is no success in the Temporal UI, and its result is read as any', async () => {
  const bench = await openBench();
  const session = await bench.holdfast.start({ prompt: 'Fail.', agent: 'tester' });
  const failed = { status: 'failed', sessionId: session.sessionId, error: { code: 'Model.NotFound' } };
  expect(await session.result()).toMatchObject(failed);
  const raw = bench.client.workflow.getHandle(session.sessionId).result();
  await expect(raw).rejects.toMatchObject({ cause: { type: 'RunFailed', details: [failed] } });
  const listing = await listingOf(bench, session.sessionId, ({ status }) => status === 'FAILED');
  expect(listing).toMatchObject({ outcome: 'failed', agentStatus: 'ended' });
  const query = savedViews['Holdfast: failed'] ?? '';
  await until('the view', async () => (await idsWhere(bench, query)).join() === session.sessionId);
  const completed = await bench.holdfast.start({ prompt: 'Hello.', agent: 'tester' });
  expect(await completed.result()).toMatchObject({ status: 'completed' });
  await listingOf(bench, completed.sessionId, ({ status }) => status === 'COMPLETED');
});

test('[STATE-16ab] the cost of a model without a price is unknown, and its attribute is not written', async () => {
  const bench = await createSessionBench({ model: model(), otherModels: [{ ...model(), name: 'own' }] });
  const start = (name: string) => bench.holdfast.start({ prompt: 'Hello.', agent: 'tester', model: name });
  const unpriced = await start('own:large');
  expect(await unpriced.result()).toMatchObject({ costUnknown: true });
  const ended = ({ status }: SessionListing): boolean => status === 'COMPLETED';
  const listing = await listingOf(bench, unpriced.sessionId, ended);
  expect(listing).toMatchObject({ model: 'own:large', turns: 1, costUnknown: true });
  expect(listing).not.toHaveProperty('costUsd');
  const priced = await start('scripted:test');
  expect(await priced.result()).not.toHaveProperty('costUnknown');
  expect(await listingOf(bench, priced.sessionId, ended)).toMatchObject({ costUsd: 0 });
});

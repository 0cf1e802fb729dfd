// What waits for people, as the server lists it: no session is asked, and no worker is needed.
import { expect, test } from 'vitest';
import { callsFirst, functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { eventsOf, readChain } from '../support/session-history.ts';
import { fakeTool } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';

test('[TOOL-20abcd] [MODE-09a] the calls of a session that wait are listed without its worker, noted at once and forgotten when they are answered', async () => {
  const bench = await createSessionBench({
    workerless: true,
    model: callsFirst(['a', 'b', 'c'].map((name) => ({ tool: 'change', args: { name } }))),
    tools: [fakeTool(() => ({ text: 'changed' }), { name: 'change', effect: 'once' })],
  });
  let queries = 0;
  const { workflowService } = bench.client;
  const query = workflowService.queryWorkflow.bind(workflowService);
  Object.assign(workflowService, {
    queryWorkflow: (request: Parameters<typeof query>[0]) => {
      // of other sessions of this server some may have to be asked
      if (request.execution?.workflowId === handle.workflowId) queries += 1;
      return query(request);
    },
  });
  const mine = async () => {
    const { waiting } = await bench.holdfast.waiting();
    return waiting.filter(({ sessionId }) => sessionId === handle.workflowId);
  };
  const worker = await bench.addWorker();
  const handle = await bench.start({ prompt: 'Go.' });
  const session = bench.holdfast.session(handle.workflowId);
  const listed = await until('the list has all of them', async () => {
    const items = await mine();
    return items.length === 3 && items;
  });
  const pending = await session.pendingApprovals();
  expect(listed).toEqual(
    pending.map((each) => ({ kind: 'approval', sessionId: handle.workflowId, task: 'Go.', ...each })),
  );
  await worker.stop();
  expect(queries).toBeGreaterThan(0);
  queries = 0;
  expect(await mine()).toEqual(listed);
  expect(queries).toBe(0);
  await bench.addWorker();
  for (const { id } of pending) await session.deny(id, { actor: 'ann@host' });
  await handle.result();
  const events = eventsOf(await readChain(bench.client, handle.workflowId, handle.firstExecutionRunId));
  const noted = events.filter((event) => event.workflowPropertiesModifiedEventAttributes);
  // all three at once, then after each answer what is left; the first is of the task
  expect(noted.length).toBeLessThanOrEqual(2 + pending.length);
  expect((await handle.describe()).memo?.['waiting']).toBeUndefined();
});

test('[TOOL-20f] fresh sessions that no worker has begun are not asked: they wait for nobody', async () => {
  const bench = await createSessionBench({
    workerless: true,
    model: functionModel(() => ({ text: 'Done.' })),
  });
  const handles = await Promise.all(Array.from({ length: 20 }, () => bench.start({ prompt: 'Go.' })));
  const mine = new Set(handles.map(({ workflowId }) => workflowId));
  await until('they are listed', async () => {
    const found = await bench.holdfast.list({ limit: 1_000 });
    return found.filter(({ sessionId }) => mine.has(sessionId)).length === mine.size;
  });
  const { waiting, unanswered } = await bench.holdfast.waiting();
  expect([...waiting, ...unanswered].filter(({ sessionId }) => mine.has(sessionId))).toEqual([]);
});

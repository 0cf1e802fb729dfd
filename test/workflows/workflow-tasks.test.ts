// Workflow tasks in trouble: wrong code, tasks without an end, small caches, a query that fails, a reset, a very wide batch.
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { QueryNotRegisteredError } from '@temporalio/client';
import { expect, onTestFinished, test } from 'vitest';
import type { ArtifactStore } from '../../src/activities/storage/artifact-store.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { createMemoryArtifactStore } from '../../src/in-process/memory-artifact-store.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import { queries } from '../../src/workflows/session/workflow-api.ts';
import { callsFirst, functionModel } from '../support/function-model.ts';
import { resultTexts } from '../support/result-texts.ts';
import { type SessionBench, type SessionHandle, createSessionBench } from '../support/session-bench.ts';
import { eventsOf, readChain } from '../support/session-history.ts';
import { fakeTool } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';
import { workerLog } from '../support/worker-log.ts';
import { killProcess } from '../support/worker-processes.ts';

function startWrongWorker({ address, taskQueue }: SessionBench): ChildProcess {
  const file = join(import.meta.dirname, '../support/other-workflow-child.ts');
  // with the thread that watches over the length of a task
  const { TEMPORAL_DEBUG: _, ...env } = readEnvironment();
  const child = spawn(process.execPath, [file, address, taskQueue], { stdio: 'ignore', env });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Until the server has given a task again. */
async function repeatedTask(handle: SessionHandle): Promise<void> {
  await until('the task has failed, and is given again', async () => {
    const { raw } = await handle.describe();
    return Number(raw.pendingWorkflowTask?.attempt) > 1;
  });
}

test('[FAULT-46] the code of a deploy does not fit the history: the session waits, and continues when the deploy is undone', async () => {
  const bench = await createSessionBench({
    model: functionModel(() => ({ text: 'done' })),
    workerless: true,
  });
  const good = await bench.addWorker();
  const handle = await bench.start({ prompt: 'Go.', keepAlive: true });
  const session = bench.holdfast.session(handle.workflowId);
  await session.result({ runId: 'run-1' });
  await good.stop();
  const wrong = startWrongWorker(bench);
  await session.followUp('And then?');
  await repeatedTask(handle);
  expect((await handle.describe()).status.name).toBe('RUNNING');
  const failures = eventsOf([await handle.fetchHistory()]).flatMap(
    ({ workflowTaskFailedEventAttributes: failed }) => failed?.failure?.message ?? [],
  );
  expect(failures).toEqual([expect.stringMatching(/nondeterminism/i)]);
  await killProcess(wrong);
  await bench.addWorker();
  await session.result({ runId: 'run-2' });
  const log = await bench.readLog(handle.workflowId);
  expect(log.map(textOf)).toEqual(['Go.', 'done', 'And then?', 'done']);
  await session.shutdown();
  await handle.result();
});

test('[FAULT-47] a workflow task that never ends is cut off: the history does not grow with its repetitions, and another deploy does the work', async () => {
  const bench = await createSessionBench({
    model: functionModel(() => ({ text: 'done' })),
    workerless: true,
  });
  const wrong = startWrongWorker(bench);
  const handle = await bench.start({ prompt: 'Never end a task.' });
  await repeatedTask(handle);
  const { events } = await handle.fetchHistory();
  // started; the task scheduled, started and failed once
  expect(events?.length).toBeLessThanOrEqual(6);
  await killProcess(wrong);
  await bench.addWorker();
  expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'done' });
});

test.each([0, 1, 3])(
  '[FAULT-40] [FAULT-11] [HOOK-14b] 10 runs on a worker that caches %i of them: each has its whole result, and says once that it begins and ends',
  async (maxCachedWorkflows) => {
    const model = callsFirst([{ tool: 'echo', args: { text: 'seen' } }]);
    const bench = await createSessionBench({ model, worker: { maxCachedWorkflows } });
    const input = { prompt: 'Go.', hooks: [{ name: 'logger' }] };
    const handles = await Promise.all(Array.from({ length: 10 }, () => bench.start(input)));
    const results = await Promise.all(handles.map((handle) => handle.result()));
    const whole = { status: 'completed', answer: 'done', turns: 2, toolCalls: 1 };
    expect(results).toEqual(results.map(() => expect.objectContaining(whole)));
    // one model call for each reply: nothing was done again
    expect(model.requests).toHaveLength(20);
    for (const { workflowId } of handles) {
      // written behind the workflow's back
      const lines = await until('the end of the run is in the log', () => {
        const own = readFileSync(workerLog(), 'utf8')
          .split('\n')
          .filter((line) => line.includes(workflowId));
        return own.some((line) => line.includes('run ended')) && own;
      });
      for (const words of ['run started', 'run ended'])
        expect(lines.filter((line) => line.includes(words))).toHaveLength(1);
    }
  },
);

test('[FAULT-33] 200 calls in one reply: as many at once as the agent says, results in the order of the calls', async () => {
  const [running, most] = [new Set<number>(), { count: 0 }];
  const work = fakeTool(
    async ({ index }) => {
      running.add(Number(index));
      most.count = Math.max(most.count, running.size);
      await new Promise((resolve) => setTimeout(resolve, Number(index) % 7));
      running.delete(Number(index));
      return { text: `result ${String(index)}` };
    },
    { name: 'work' },
  );
  const indexes = Array.from({ length: 200 }, (_, index) => index);
  const bench = await createSessionBench({
    model: callsFirst(indexes.map((index) => ({ tool: 'work', args: { index } }))),
    tools: [work],
  });
  const handle = await bench.start({ prompt: 'Go.', loop: { toolConcurrency: 20 } });
  expect(await handle.result()).toMatchObject({ status: 'completed', toolCalls: 200 });
  expect(most.count).toBeGreaterThan(1);
  expect(most.count).toBeLessThanOrEqual(20);
  expect(resultTexts(await bench.readLog(handle.workflowId))).toEqual(
    indexes.map((index) => `result ${index}`),
  );
});

test('[FAULT-38] a query that fails in the workflow is an error for who asked: nothing enters the history, and the session continues', async () => {
  const bench = await createSessionBench({ model: functionModel(() => ({ text: 'done' })) });
  const handle = await bench.start({ keepAlive: true });
  const session = bench.holdfast.session(handle.workflowId);
  await session.snapshot();
  const { events: before } = await session.historySize();
  await expect(handle.query('noSuchQuery')).rejects.toThrow(QueryNotRegisteredError);
  expect((await session.historySize()).events).toBe(before);
  await session.followUp('Go.');
  expect(await session.result({ runId: 'run-1' })).toMatchObject({ status: 'completed', answer: 'done' });
  await session.shutdown();
  await handle.result();
});

test('[FAULT-48a] a session that is reset to an earlier turn: its changes come again under their keys, and a message that it had is not taken twice', async () => {
  const keys: string[] = [];
  const change = fakeTool(
    (_, { idempotencyKey }) => {
      keys.push(idempotencyKey);
      return { text: 'changed' };
    },
    { name: 'change', effect: 'idempotent' },
  );
  const bench = await createSessionBench({
    model: functionModel(({ number }) => (number <= 2 ? { calls: [{ tool: 'change' }] } : { text: 'done' })),
    tools: [change],
    policy: [{ tool: '*', decision: 'allow' }],
    workerless: true,
  });
  const handle = await bench.start({ prompt: 'Go.' });
  await handle.signal('steer', { id: 's1', message: 'Look there too.' });
  await bench.addWorker();
  await handle.result();
  const events = eventsOf(await readChain(bench.client, handle.workflowId, handle.firstExecutionRunId));
  const [, second] = events.flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled?.activityType?.name === 'tool.change' ? [scheduled] : [],
  );
  await bench.client.workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId: handle.workflowId, runId: handle.firstExecutionRunId },
    reason: 'a test',
    requestId: handle.workflowId,
    workflowTaskFinishEventId: second?.workflowTaskCompletedEventId ?? null,
  });
  const again = bench.client.workflow.getHandle(handle.workflowId);
  await again.signal('steer', { id: 's1', message: 'Look there too.' }).catch(() => undefined);
  expect(await again.result()).toMatchObject({ status: 'completed', answer: 'done', toolCalls: 2 });
  expect(keys).toHaveLength(3);
  expect(keys[2]).toBe(keys[1]);
  const log = await bench.readLog(handle.workflowId);
  expect(log.filter(({ role }) => role === 'user').map(textOf)).toEqual(['Go.', 'Look there too.']);
});

/** Resets the session to the reply before the call of this number and activity type: the next reply is a new one. */
async function resetBefore(
  { client }: SessionBench,
  { workflowId, firstExecutionRunId }: SessionHandle,
  { type, number = 1 }: { type: string; number?: number },
): Promise<void> {
  const events = eventsOf(await readChain(client, workflowId, firstExecutionRunId));
  const scheduled = events.flatMap(({ activityTaskScheduledEventAttributes: found }) =>
    found ? [found] : [],
  );
  const call = scheduled.filter(({ activityType }) => activityType?.name === type)[number - 1];
  const reply = call && scheduled[scheduled.indexOf(call) - 1];
  await client.workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId, runId: firstExecutionRunId },
    reason: 'a test',
    requestId: `${workflowId}-reset`,
    workflowTaskFinishEventId: reply?.workflowTaskCompletedEventId ?? null,
  });
}

/** A session that calls these tools one after the other, and the ids of the calls of `restart` that ran. */
async function startCalls(
  plan: string[],
  {
    artifacts,
    continueAsNewAfterTurns,
  }: { artifacts?: ArtifactStore; continueAsNewAfterTurns?: number } = {},
) {
  const ran: string[] = [];
  const restart = fakeTool(
    (_, { callId }) => {
      ran.push(callId);
      return { text: 'restarted' };
    },
    { name: 'restart', effect: 'once' },
  );
  const bench = await createSessionBench({
    model: functionModel(({ number }) => {
      const tool = plan[number - 1];
      return tool === undefined ? { text: 'done' } : { calls: [{ tool, args: { unit: 'nginx' } }] };
    }),
    ...(artifacts ? { artifacts } : {}),
    tools: [restart, fakeTool(() => ({ text: 'seen' }), { name: 'look' })],
    policy: [{ tool: '*', decision: 'allow' }],
  });
  const handle = await bench.start({
    prompt: 'Go.',
    ...(continueAsNewAfterTurns ? { continueAsNewAfterTurns } : {}),
  });
  await handle.result();
  return { bench, handle, ran };
}

const forgotten = expect.stringMatching(
  /^Outcome unknown: this session had begun the same call before it was reset/,
);

test.each([
  [
    'another reply makes it again',
    ['restart'],
    1,
    ['look', 'restart', 'restart'],
    ['seen', forgotten, 'restarted'],
  ],
  ['the same reply makes it again', ['restart'], 1, ['restart'], [forgotten]],
  [
    'the history keeps the first of two',
    ['look', 'restart', 'restart'],
    2,
    ['look', 'restart', 'look', 'restart', 'restart'],
    ['seen', 'restarted', 'seen', forgotten, 'restarted'],
  ],
])(
  '[FAULT-48b] a reset takes a `once` call out of history, and %s: it does not run again, its outcome is unknown; a further one is a new call',
  async (_, before, number, after, expected) => {
    const plan = [...before];
    const { bench, handle, ran } = await startCalls(plan);
    const ranBefore = ran.length;
    plan.splice(0, plan.length, ...after);
    await resetBefore(bench, handle, { type: 'tool.restart', number });
    const again = bench.client.workflow.getHandle(handle.workflowId);
    expect(await again.result()).toMatchObject({ status: 'completed', answer: 'done' });
    expect(resultTexts(await bench.readLog(handle.workflowId))).toEqual(expected);
    // the further one is the only new one
    expect(ran.length - ranBefore).toBe(expected.at(-1) === 'restarted' ? 1 : 0);
  },
);

test('[FAULT-48c] a session whose `once` calls can leave no claim runs them, and says so once', async () => {
  const store = createMemoryArtifactStore();
  const put: ArtifactStore['put'] = (sessionId, name, bytes) =>
    name.startsWith('claim-') ? Promise.reject(new Error('no room')) : store.put(sessionId, name, bytes);
  const artifacts = { ...store, put };
  const { handle, ran } = await startCalls(['restart', 'restart'], { artifacts });
  expect(ran).toHaveLength(2);
  const { events } = await handle.query(queries.getEvents, 0);
  const warnings = events.filter((event) => event.type === 'warning' && event.code === 'Call.Unclaimed');
  expect(warnings).toEqual([expect.objectContaining({ message: expect.stringContaining('(no room)') })]);
});

test('[FAULT-48d] the same `once` calls of a session that continues as new in between all run', async () => {
  const plan = ['restart', 'look', 'restart', 'restart'];
  const { bench, handle, ran } = await startCalls(plan, { continueAsNewAfterTurns: 1 });
  expect(ran).toHaveLength(3);
  const last = await bench.client.workflow.getHandle(handle.workflowId).describe();
  expect(last.runId).not.toBe(handle.firstExecutionRunId);
});

// Queries that reach a new worker while the result of an activity is in history and no workflow task has begun, and answers that
// follow at once.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { outOfStep } from '@holdfast/base/in-step';
import { textOf } from '@holdfast/vocabulary/messages';
import type { PendingApproval } from '@holdfast/vocabulary/snapshot';
import type { agentSession } from '../../src/workflows/session/agent-session.ts';
import { callCli } from '../support/cli.ts';
import { makeCliFolder } from '../support/cli-folder.ts';
import { functionModel } from '../support/function-model.ts';
import { brokenPrefix, replayExecutions } from '../support/replayed.ts';
import { createSessionBench, type SessionBench, type SessionHandle } from '../support/session-bench.ts';
import { fakeTool } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';
import { killProcess, startChild } from '../support/worker-processes.ts';

/** 200 sessions. */
const rounds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const sessions = 20;
/** The commands take some seconds for each. */
const mostRescued = 3;

test.each(rounds)(
  '[FAULT-118a] the worker of 20 sessions is lost, clients query all the time and answer at once: every history replays, and every session ends, round %i',
  async () => {
    const { bench, handles, early } = await race();
    for (const handle of handles) await bench.holdfast.session(handle.workflowId).shutdown();
    const results = await Promise.all(handles.map((handle) => handle.result()));
    expect(results).toEqual(results.map(() => expect.objectContaining({ answer: 'done', toolCalls: 1 })));
    expect(await replayExecutions(bench.client, handles)).toEqual({ count: sessions, misfits: [] });
    // the race was there
    expect(early).toBeGreaterThan(0);
  },
);

/** A busy machine may miss the moment in all sessions of one race. */
async function breakSome() {
  const raced = await race({ unguarded: true });
  const { misfits } = await replayExecutions(raced.bench.client, raced.handles);
  const broken = raced.handles.filter(({ workflowId }) =>
    misfits.some((line) => line.startsWith(workflowId)),
  );
  return broken.length > 0 && { ...raced, broken };
}

test(
  '[FAULT-118bd] sessions that the SDK has broken are said to be stuck by show and list, and rescue continues them with all that they have',
  { timeout: 300_000 },
  async () => {
    const { bench, worker, changes, broken } = await until('some are broken', breakSome, 200_000);
    await worker.stop();
    await bench.addWorker();
    const folder = await makeCliFolder('rescue');
    onTestFinished(folder.remove);
    for (const { workflowId } of broken.slice(0, mostRescued)) {
      const before = changes();
      await bench.holdfast.session(workflowId).followUp('And then?', { id: 'next' });
      await until('its task has failed twice', async () => {
        const { failingTask } = await bench.holdfast.session(workflowId).describe();
        return failingTask !== undefined;
      });
      const shown = await callCli(['show', workflowId], folder);
      expect(shown.stdout).toMatch(
        /state +stuck: its workflow task has failed \d+ times: .*Nondeterminism error/,
      );
      const listed = await callCli(['list', '--running', '--limit', '500'], folder);
      expect(listed.stdout).toMatch(new RegExp(`${workflowId} .* stuck: `));
      const rescued = await callCli(['rescue', workflowId, '--yes'], folder);
      expect(rescued).toMatchObject({ code: 0, stdout: expect.stringContaining(`${workflowId}-rescued`) });
      const next = bench.holdfast.session(`${workflowId}-rescued`);
      const log = await until('the new session has read the message', async () => {
        const records = await bench.readLog(next.sessionId);
        return records.length === 6 && records;
      });
      expect(log.map(textOf)).toEqual(['Go.', '', 'changed', 'done', 'And then?', 'done']);
      expect(changes()).toBe(before);
      await next.shutdown();
      expect(await next.result()).toMatchObject({ status: 'completed' });
      await expect(bench.holdfast.session(workflowId).describe()).resolves.toMatchObject({
        status: 'TERMINATED',
      });
    }
  },
);

/** Sessions whose worker is lost in the first model call, and that wait for prompts in the end. */
async function race({ unguarded = false } = {}) {
  const model = heldModel();
  let changed = 0;
  const change = fakeTool(
    () => {
      changed++;
      return { text: 'changed' };
    },
    { name: 'change', effect: 'once' },
  );
  const bench = await createSessionBench({
    workerless: true,
    policy: [{ tool: '*', decision: 'ask' }],
    tools: [change],
    model: model.provider,
  });
  const activities = await bench.addWorker({ serves: 'activities' });
  const cached = startChild('workflow-worker-child.ts', bench, []);
  const handles = await Promise.all(
    Array.from({ length: sessions }, () => start(bench, unguarded ? brokenPrefix : 'race-')),
  );
  await until('all models are asked', () => model.waiting() === sessions, 60_000);
  await killProcess(cached);
  const next = await bench.addWorker({ serves: 'workflows', unguarded });
  const early = { count: 0 };
  const approving = handles.map((handle) => approveAtOnce(handle, early));
  // queries wait for the lost worker for a second
  await pause(300);
  model.release();
  await Promise.all(approving);
  for (const { workflowId } of handles) await bench.holdfast.session(workflowId).result({ runId: 'run-1' });
  const stop = async () => void (await Promise.all([activities.stop(), next.stop()]));
  return { bench, handles, early: early.count, worker: { stop }, changes: () => changed };
}

/** A model that asks for a change in its first reply, when it is released. */
function heldModel() {
  const gate = Promise.withResolvers<void>();
  let waiting = 0;
  const provider = functionModel(async ({ number }) => {
    if (number > 1) return { text: 'done' };
    waiting++;
    await gate.promise;
    return { calls: [{ tool: 'change' }] };
  });
  return { provider, release: () => gate.resolve(), waiting: () => waiting };
}

function start({ client, taskQueue }: SessionBench, prefix: string): Promise<SessionHandle> {
  return client.workflow.start<typeof agentSession>('agentSession', {
    taskQueue,
    workflowId: `${prefix}${randomUUID()}`,
    // a task that is lost comes again
    workflowTaskTimeout: '2s',
    args: [{ agent: 'tester', prompt: 'Go.', keepAlive: true }],
  });
}

/** As any client of Temporal, without what Holdfast's client waits for: one that watches, and one that answers. */
async function approveAtOnce(handle: SessionHandle, early: { count: number }): Promise<void> {
  const answered = { is: false };
  const ask = async (): Promise<PendingApproval | undefined> => {
    try {
      const [first] = await handle.query<PendingApproval[], []>('pendingApprovals');
      return first;
    } catch (error) {
      if (String(error).includes(outOfStep)) early.count++;
      return undefined;
    }
  };
  const watch = async (): Promise<void> => {
    while (!answered.is) await ask().then(() => pause(100));
  };
  const answer = async (): Promise<void> => {
    const { id, argsDigest } = await until('a call waits', ask, 60_000);
    const given = { approve: true, actor: 'racer', argsDigest };
    // refused where the answer came before its question, in one task
    await until('the answer is taken', () =>
      handle.executeUpdate('resolveApproval', { args: [id, given] }).then(
        () => true,
        // whose first reply was lost
        (error: unknown) => error instanceof Error && /was approved by racer/.test(String(error.cause)),
      ),
    );
    answered.is = true;
  };
  await Promise.all([watch(), answer()]);
}

// Queries that reach a new worker while the result of an activity is in history and no workflow task has begun, and answers that
// follow at once.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { outOfStep } from '../../src/core/base/in-step.ts';
import type { PendingApproval } from '../../src/core/model/snapshot.ts';
import type { agentSession } from '../../src/workflows/agent-session.ts';
import { functionModel } from '../support/function-model.ts';
import { misfits } from '../support/replayed.ts';
import { createSessionBench, type SessionBench, type SessionHandle } from '../support/session-bench.ts';
import { fakeTool } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';
import { killProcess, startChild } from '../support/worker-processes.ts';

const waves = [1, 2, 3, 4, 5];
const sessions = 40;

test.each(waves)(
  '[FAULT-124a] the worker of 40 sessions is lost, clients query all the time and answer at once: every history replays, and every session ends, round %i',
  async () => {
    const model = heldModel();
    const bench = await createSessionBench({
      workerless: true,
      policy: [{ tool: '*', decision: 'ask' }],
      tools: [fakeTool(() => ({ text: 'changed' }), { name: 'change', effect: 'once' })],
      model: model.provider,
    });
    await bench.addWorker({ serves: 'activities' });
    const cached = startChild('workflow-worker-child.ts', bench, []);
    const handles = await Promise.all(Array.from({ length: sessions }, () => start(bench)));
    await until('all models are asked', () => model.waiting() === sessions, 60_000);
    await killProcess(cached);
    await bench.addWorker({ serves: 'workflows' });
    const early = { count: 0 };
    const approving = handles.map((handle) => approveAtOnce(handle, early));
    // queries wait for the lost worker for a second
    await pause(300);
    model.release();
    await Promise.all(approving);
    const results = await Promise.all(handles.map((handle) => handle.result()));
    expect(results).toEqual(results.map(() => expect.objectContaining({ answer: 'done', toolCalls: 1 })));
    expect(await misfits(bench.client, handles)).toEqual([]);
    // the race was there
    expect(early.count).toBeGreaterThan(0);
  },
);

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

function start({ client, taskQueue }: SessionBench): Promise<SessionHandle> {
  return client.workflow.start<typeof agentSession>('agentSession', {
    taskQueue,
    workflowId: `race-${randomUUID()}`,
    // a task that is lost comes again
    workflowTaskTimeout: '2s',
    args: [{ agent: 'tester', prompt: 'Go.' }],
  });
}

/** As any client of Temporal, without what Holdfast's client waits for. */
async function approveAtOnce(handle: SessionHandle, early: { count: number }): Promise<void> {
  const seen = Promise.withResolvers<PendingApproval>();
  const poll = async (): Promise<void> => {
    try {
      const [first] = await handle.query<PendingApproval[], []>('pendingApprovals');
      if (first) seen.resolve(first);
    } catch (error) {
      if (String(error).includes(outOfStep)) early.count++;
    }
  };
  const polls: Promise<void>[] = [];
  const polling = setInterval(() => polls.push(poll()), 150);
  const { id, argsDigest } = await seen.promise;
  const answer = { approve: true, actor: 'racer', argsDigest };
  // a refusal: the answer came before its question, in one task
  await until('the answer is taken', () =>
    handle.executeUpdate('resolveApproval', { args: [id, answer] }).then(
      () => true,
      () => false,
    ),
  );
  clearInterval(polling);
  await Promise.all(polls);
}

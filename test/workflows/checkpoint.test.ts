// Checkpoints: what the query says, what is saved, and a second session that goes on where the first was.
import { ApplicationFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import type { Checkpoint } from '@holdfast/vocabulary/session-input';
import type { EventPage } from '@holdfast/vocabulary/events';
import type { ModelRequest } from '@holdfast/vocabulary/model-call';
import type { ToolEffect } from '@holdfast/vocabulary/tool-spec';
import { callsFirst, functionModel } from '../support/function-model.ts';
import { resultTexts } from '../support/result-texts.ts';
import type { FunctionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { echoTool } from '../support/session-worker.ts';
import { fakeTool } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';

/** The request as the provider gets it, but for whose it is. */
function bytesOf({ metadata: _, ...request }: ModelRequest): string {
  return JSON.stringify(request);
}

function requestsOf(model: FunctionModel, sessionId: string): string[] {
  return model.requests.filter(({ metadata }) => metadata.sessionId === sessionId).map(bytesOf);
}

/** A tool whose calls are counted by key; the first one is held until it is released. */
function heldTool(name: string, effect: ToolEffect) {
  const keys: string[] = [];
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const tool = defineTool({
    name,
    description: name,
    effect,
    input: z.strictObject({}),
    run: async (_, { idempotencyKey }) => {
      keys.push(idempotencyKey);
      begun.resolve();
      if (keys.length === 1) await promise;
      return { text: `${name} gave this` };
    },
  });
  return { tool, keys, begun: begun.promise, release };
}

test('[CKPT-04abcd] goes on in the middle of a batch: the next request is byte-equal, only the open call runs again, under its key', async () => {
  const held = heldTool('held', 'idempotent');
  let quickRuns = 0;
  const quick = defineTool({
    name: 'quick',
    description: 'quick',
    input: z.strictObject({}),
    effect: 'read',
    run: async () => ({ text: `quick ${++quickRuns}` }),
  });
  const model = functionModel(({ number }) => {
    if (number === 1) return { calls: [{ tool: 'echo', args: { text: 'x', times: 20_000 } }] };
    return number === 2 ? { calls: [{ tool: 'quick' }, { tool: 'held' }] } : { text: 'done' };
  });
  const bench = await createSessionBench({
    model,
    tools: [echoTool(), quick, held.tool],
    policy: [{ tool: 'held', decision: 'allow' }],
  });
  const handle = await bench.start({ prompt: 'Look into it.', labels: { team: 'shop' } });
  await held.begun;
  const exported = await until('one call is answered', async () => {
    const checkpoint = await bench.holdfast.session(handle.workflowId).checkpoint();
    const batch = checkpoint.session?.state.run?.batch ?? [];
    return batch.filter(({ answer }) => answer).length === 1 && checkpoint;
  });
  expect(exported).toMatchObject({ status: 'in_progress', iteration: 3, messages: { fromSeq: 1, toSeq: 4 } });
  const { sessionId } = await bench.holdfast.start({ checkpoint: exported });
  const result = await bench.holdfast.session(sessionId).result();
  held.release();
  await handle.result();

  expect(result).toMatchObject({ status: 'completed', answer: 'done', turns: 3 });
  expect(requestsOf(model, sessionId)).toEqual(requestsOf(model, handle.workflowId).slice(2));
  expect(quickRuns).toBe(1);
  const key = `${handle.workflowId}/call_2_2`;
  expect(held.keys).toEqual([key, key]);
  const [first, second] = [await bench.readLog(handle.workflowId), await bench.readLog(sessionId)];
  expect(second.map(withoutTime)).toEqual(first.map(withoutTime));
});

/** A session that waits for the approval of `change`, exported. */
async function exportedWait(): Promise<Checkpoint> {
  const bench = await createSessionBench({
    model: callsFirst([{ tool: 'change' }]),
    tools: [heldTool('change', 'once').tool],
  });
  const handle = await bench.start({ prompt: 'Change it.' });
  const session = bench.holdfast.session(handle.workflowId);
  await until('it asks', async () => (await session.snapshot()).approvals.length === 1);
  const exported = await session.checkpoint();
  await session.abort();
  await handle.result();
  return exported;
}

test('[MODE-23b] an imported call that the policy of its new worker denies is denied before a person is asked', async () => {
  const checkpoint = await exportedWait();
  const bench = await createSessionBench({
    model: callsFirst([]),
    tools: [heldTool('change', 'once').tool],
    policy: [{ tool: 'change', decision: 'deny', reason: 'freeze' }],
  });
  const handle = await bench.start({ checkpoint });
  expect(await handle.result()).toMatchObject({ status: 'completed' });
  const { events } = await handle.query<EventPage, [number]>('getEvents', 0);
  expect(events.filter(({ type }) => type === 'approval_requested')).toEqual([]);
  expect(resultTexts(await bench.readLog(handle.workflowId))).toEqual(['Denied: freeze']);
});

test('[MODE-23c] an imported call whose tool the new worker lacks is said to lack it before a person is asked', async () => {
  const checkpoint = await exportedWait();
  const bench = await createSessionBench({ model: callsFirst([]), tools: [echoTool()] });
  const handle = await bench.start({ checkpoint });
  const session = bench.holdfast.session(handle.workflowId);
  const snapshot = await until('it waits', async () => {
    const now = await session.snapshot();
    return now.waitingFor !== undefined && now;
  });
  expect(snapshot).toMatchObject({
    waitingFor: 'worker',
    waitingReason: expect.stringContaining('has no tool "change"'),
    approvals: [],
  });
  await session.abort();
  await handle.result();
});

test('[MODE-03] [CKPT-04d] a call that was allowed in another session does not run where the session that continues it observes', async () => {
  const ran: string[] = [];
  const held = heldTool('wait', 'read');
  const model = callsFirst([{ tool: 'wait' }, { tool: 'change' }]);
  const change = fakeTool(
    (_, { sessionId }) => {
      ran.push(sessionId);
      return { text: 'changed' };
    },
    { name: 'change', effect: 'once' },
  );
  const bench = await createSessionBench({
    model,
    tools: [held.tool, change],
    policy: [{ tool: '*', decision: 'allow' }],
  });
  const handle = await bench.start({ prompt: 'go', mode: 'act', loop: { toolExecution: 'sequential' } });
  await held.begun;
  const checkpoint = await bench.holdfast.session(handle.workflowId).checkpoint();
  const { sessionId } = await bench.holdfast.start({ checkpoint, mode: 'observe' });
  held.release();
  await bench.holdfast.session(sessionId).result();
  expect(resultTexts(await bench.readLog(sessionId))).toEqual([
    'wait gave this',
    expect.stringMatching(/^(Denied: .*In mode observe|Unknown tool change)/),
  ]);
  await handle.result();
  expect(ran).toEqual([handle.workflowId]);
});

test('[CKPT-12b] a change that was allowed for the run asks a person in a fork that was started with mode ask', async () => {
  const ran: string[] = [];
  const held = heldTool('wait', 'read');
  const model = functionModel(({ number }) => {
    if (number === 1) return { text: 'ready' };
    return number < 4 ? { calls: [{ tool: number === 2 ? 'wait' : 'change' }] } : { text: 'done' };
  });
  const change = fakeTool(
    (_, { sessionId }) => {
      ran.push(sessionId);
      return { text: 'changed' };
    },
    { name: 'change', effect: 'once' },
  );
  const bench = await createSessionBench({ model, tools: [held.tool, change] });
  const handle = await bench.start({ prompt: 'get ready', mode: 'ask', keepAlive: true });
  const first = bench.holdfast.session(handle.workflowId);
  await until('it is ready', async () => (await first.snapshot()).lastStatus);
  await first.setMode('act');
  await first.prompt('go');
  await held.begun;
  const started = await bench.holdfast.start({ checkpoint: await first.checkpoint(), mode: 'ask' });
  held.release();
  const fork = bench.holdfast.session(started.sessionId);
  await until('the fork asks', async () => (await fork.snapshot()).waitingFor === 'approval');
  await fork.abort();
  await fork.result();
  await first.shutdown();
  await handle.result();
  expect(ran).toEqual([handle.workflowId]);
});

test('[CKPT-12h] a change that was allowed and had not begun asks a person in a fork that was started with mode ask', async () => {
  const ran: string[] = [];
  const held = heldTool('wait', 'read');
  const change = fakeTool(
    (_, { sessionId }) => {
      ran.push(sessionId);
      return { text: 'changed' };
    },
    { name: 'change', effect: 'once' },
  );
  const model = callsFirst([{ tool: 'wait' }, { tool: 'change' }]);
  const bench = await createSessionBench({ model, tools: [held.tool, change] });
  const handle = await bench.start({ prompt: 'go', mode: 'act', loop: { toolExecution: 'sequential' } });
  await held.begun;
  const checkpoint = await bench.holdfast.session(handle.workflowId).checkpoint();
  const forks = await Promise.all(
    (['ask', 'act'] as const).map((mode) => bench.holdfast.start({ checkpoint, mode })),
  );
  held.release();
  const [asking, acting] = forks.map(({ sessionId }) => bench.holdfast.session(sessionId));
  const question = await until('the fork asks', async () => (await asking?.snapshot())?.approvals[0]);
  expect(question).toMatchObject({ tool: 'change' });
  await asking?.approve(question.id, { actor: 'ann', argsDigest: question.argsDigest });
  for (const fork of [asking, acting]) {
    await fork?.result();
    expect(resultTexts(await bench.readLog(fork?.sessionId ?? ''))).toEqual(['wait gave this', 'changed']);
  }
  await handle.result();
  expect(ran.toSorted()).toEqual([handle.workflowId, ...forks.map(({ sessionId }) => sessionId)].toSorted());
});

function withoutTime<T extends { at: number; ran?: unknown }>({ at: _, ran: __, ...record }: T) {
  return record;
}

test('[CKPT-02abc] the query: i while the call of iteration i is due or failed, i + 1 after it finished; with the messages inline', async () => {
  const calling = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const bench = await createSessionBench({
    model: functionModel(async ({ number }) => {
      if (number === 1) return { calls: [{ tool: 'echo', args: { text: 'a' } }] };
      calling.resolve();
      await released.promise;
      throw ApplicationFailure.nonRetryable('it broke', 'Model.NotFound');
    }),
  });
  const handle = await bench.start({ prompt: 'Go.', keepAlive: true, taskId: 'task-7' });
  const query = () => bench.client.workflow.getHandle(handle.workflowId).query<Checkpoint>('checkpoint');
  await calling.promise;
  const due = await query();
  expect(due).toMatchObject({ version: 1, iteration: 2, status: 'in_progress', task_id: 'task-7' });
  expect(due).toMatchObject({
    id: `${handle.workflowId}/3`,
    messages: { segments: [], fromSeq: 1, toSeq: 3 },
  });
  expect(due.messages.records?.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool_result']);
  expect(Date.parse(due.created_at)).toBeGreaterThan(Date.parse('2026-01-01'));
  released.resolve();
  await until(
    'it failed',
    async () => (await bench.holdfast.session(handle.workflowId).snapshot()).lastStatus,
  );
  expect(await query()).toMatchObject({ iteration: 2, status: 'failed', result: { status: 'failed' } });
  await bench.holdfast.session(handle.workflowId).shutdown();
  await handle.result();
});

test('[CKPT-05acd] start with what is saved: nothing is a fresh start; completed is its result without a model call; failed is refused, unless resumeFailed', async () => {
  let broken = true;
  const model = functionModel(({ newTexts, number }) => {
    if (newTexts.includes('Do it.')) return { text: 'done' };
    if (number === 1) return { calls: [{ tool: 'echo', args: { text: 'a' } }] };
    if (broken) throw ApplicationFailure.nonRetryable('it broke', 'Model.NotFound');
    return { text: 'mended' };
  });
  const bench = await createSessionBench({ model });
  const input = { prompt: 'Do it.', taskId: 'job-1', checkpoint: 'saved' as const };
  const first = await bench.start(input);
  expect(await first.result()).toMatchObject({ status: 'completed', answer: 'done' });
  const second = await bench.start(input);
  const result = await second.result();
  expect(result).toMatchObject({ status: 'completed', answer: 'done', sessionId: second.workflowId });
  expect(model.requests).toHaveLength(1);

  const breaks = { ...input, prompt: 'Try.', taskId: 'job-2' };
  const failed = await bench.start(breaks);
  expect(await failed.result()).toMatchObject({ status: 'failed' });
  broken = false;
  const refused = await bench.start(breaks);
  await expect(refused.result()).rejects.toMatchObject({
    cause: { type: 'Checkpoint.Failed', message: expect.stringContaining('resumeFailed') },
  });
  const resumed = await bench.start({ ...breaks, resumeFailed: true });
  expect(await resumed.result()).toMatchObject({ status: 'completed', answer: 'mended' });
  expect(requestsOf(model, refused.workflowId)).toEqual([]);
  expect(requestsOf(model, resumed.workflowId)).toEqual(requestsOf(model, failed.workflowId).slice(1));
});

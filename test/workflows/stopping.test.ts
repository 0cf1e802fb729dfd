// Stopping what is in flight: calls of a batch, the whole session. What is asked for is proved by order, not by clock.
import { expect, test } from 'vitest';
import type { AgentEvent } from '@holdfast/vocabulary/events';
import { createFileArtifactStore } from '../../src/activities/storage/file-artifact-store.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import type { Checkpoint } from '@holdfast/vocabulary/session-input';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { fakeTool } from '../support/tool-calls.ts';
import { untilStopped } from '../support/until-stopped.ts';
import { checkpointsKey, taskArtifact } from '@holdfast/vocabulary/outer-names';

test('[TOOL-18abcde] [TOOL-19a] [STATE-10c] [FAULT-97] an abort in a batch: the done one keeps its result, the obeying one what it had, the deaf one is left behind, the next never starts', async () => {
  const running = { obeying: Promise.withResolvers<void>(), deaf: Promise.withResolvers<void>() };
  const deafMayEnd = Promise.withResolvers<void>();
  let deafEnded = false;
  let started = 0;
  const model = functionModel(() => ({
    calls: ['done', 'obeying', 'deaf', 'late'].map((tool) => ({ tool })),
  }));
  const bench = await createSessionBench({
    model,
    policy: [{ tool: '*', decision: 'allow' }],
    tools: [
      fakeTool(() => ({ text: 'all of it' }), { name: 'done' }),
      fakeTool(
        async (_, { signal }) => {
          running.obeying.resolve();
          return untilStopped(signal).catch(() => ({ text: 'the first half' }));
        },
        { name: 'obeying' },
      ),
      fakeTool(
        async () => {
          running.deaf.resolve();
          await deafMayEnd.promise;
          deafEnded = true;
          return { text: 'much later' };
        },
        { name: 'deaf', effect: 'once' },
      ),
      fakeTool(
        () => {
          started++;
          return { text: 'never' };
        },
        { name: 'late' },
      ),
    ],
  });
  // two at a time: `done` makes room for `deaf`, and `late` waits until both of the others are stopped
  const handle = await bench.start({ prompt: 'Go.', loop: { toolConcurrency: 2 } });
  await Promise.all([running.obeying.promise, running.deaf.promise]);
  await handle.signal('abort');
  const result = await handle.result();
  const endedBefore = deafEnded;
  deafMayEnd.resolve();
  expect(endedBefore).toBe(false);
  // one durable timer for all that is stopped
  const { events } = await handle.fetchHistory();
  const waits = (events ?? []).flatMap(({ timerStartedEventAttributes: timer }) =>
    timer ? [Number(timer.startToFireTimeout?.seconds)] : [],
  );
  expect(new Set(waits)).toEqual(new Set([3]));
  expect(result).toMatchObject({ status: 'aborted', toolCalls: 4 });
  expect(started).toBe(0);
  expect(model.requests).toHaveLength(1);
  const log = await bench.readLog(handle.workflowId);
  const results = log.filter((record) => record.role === 'tool_result');
  expect(results.map(({ toolName }) => toolName)).toEqual(['done', 'obeying', 'deaf', 'late']);
  expect(results.map((record) => textOf(record))).toEqual([
    'all of it',
    expect.stringContaining('the first half'),
    expect.stringContaining('may have taken effect'),
    'tool execution aborted',
  ]);
  expect(log.at(-1)).toMatchObject({ role: 'assistant', stopReason: 'aborted' });
  const page = await handle.query<{ events: AgentEvent[] }, [number]>('getEvents', 0);
  const starts = page.events.flatMap((event) => (event.type === 'tool_execution_start' ? [event.tool] : []));
  expect(starts.sort()).toEqual(['deaf', 'done', 'late', 'obeying']);
});

test('[STATE-11ad] [CKPT-03a] a cancelled workflow answers its calls, saves its checkpoint under its task, and completes as aborted, whatever is sent meanwhile', async () => {
  const tooling = Promise.withResolvers<void>();
  let saved = 0;
  let steer: () => Promise<void> = () => Promise.resolve();
  const bench = await createSessionBench({
    model: functionModel(() => ({ calls: [{ tool: 'wait' }, { tool: 'ask' }] })),
    tools: [
      fakeTool(
        async (_, { signal }) => {
          tooling.resolve();
          return untilStopped(signal);
        },
        { name: 'wait' },
      ),
      fakeTool(() => ({ text: 'never' }), { name: 'ask', effect: 'once' }),
    ],
    beforePut: async (artifactId) => {
      if (artifactId !== 'result.json') return;
      saved++;
      await steer();
    },
  });
  const handle = await bench.start({ prompt: 'Go.', keepAlive: true, taskId: 'ticket-7' });
  steer = () => handle.signal('steer', { id: 'late', message: 'one more thing' });
  await tooling.promise;
  await handle.cancel();
  const result = await handle.result();
  expect(result).toMatchObject({ status: 'aborted', toolCalls: 2, undelivered: ['late'] });
  expect(saved).toBe(1);
  const log = await bench.readLog(handle.workflowId);
  expect(log.filter(({ role }) => role === 'tool_result')).toHaveLength(2);
  const store = await createFileArtifactStore(bench.artifactsDir);
  const bytes = (await store.get(checkpointsKey, taskArtifact('ticket-7'))) ?? new Uint8Array();
  const checkpoint = JSON.parse(Buffer.from(bytes).toString()) as Checkpoint;
  expect(checkpoint).toMatchObject({ task_id: 'ticket-7', messages: { fromSeq: 1, toSeq: log.at(-1)?.seq } });
});

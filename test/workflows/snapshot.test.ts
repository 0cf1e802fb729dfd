// The snapshot of a real session in each of its moments; asking changes nothing and leaves no trace.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { digestOf } from '../../src/activities/base/digest.ts';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import type { Snapshot } from '@holdfast/vocabulary/snapshot';
import { functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { until } from '../support/until.ts';
import { testerPrompt } from '../support/prompt-parts.ts';
import { approveShown } from '../support/approve-shown.ts';

test('[STATE-03bc] [STATE-04b] answers in a model call, in a wait for approval, idle and after the end, and adds no history', async () => {
  const calling = Promise.withResolvers<void>();
  const model = functionModel(async ({ number }) => {
    if (number > 1) return { text: 'done' };
    await calling.promise;
    return { calls: [{ tool: 'change' }] };
  });
  const bench = await createSessionBench({
    model,
    tools: [
      defineTool({
        name: 'change',
        description: 'Changes something.',
        input: z.strictObject({}),
        effect: 'once',
        run: async () => ({ text: 'changed' }),
      }),
    ],
  });
  const handle = await bench.start({ prompt: 'Go.', keepAlive: true, model: { thinkingLevel: 'low' } });
  const { holdfast } = bench;
  const id = handle.workflowId;
  const when = (what: string, ready: (snapshot: Snapshot) => boolean) =>
    until(what, async () => {
      const snapshot = await holdfast.session(id).mergedSnapshot();
      return ready(snapshot) && snapshot;
    });

  const inCall = await when('a model call', ({ streaming }) => streaming !== undefined);
  expect(inCall).toMatchObject({
    state: 'thinking',
    isStreaming: true,
    turn: 1,
    lastSeq: 1,
    tools: ['change'],
    thinkingLevel: 'low',
    mode: 'ask',
    dryRun: false,
    offTheRecord: false,
    streaming: { callId: 'run-1/1', turn: 1, messageSeq: 2, attempt: 1 },
  });
  const { ref = '', hash } = inCall.systemPrompt ?? {};
  expect(await holdfast.session(id).systemPrompt(ref)).toBe(testerPrompt);
  expect(hash).toBe(digestOf(testerPrompt));
  expect(await holdfast.session(id).systemPrompt('another')).toBeUndefined();
  calling.resolve();

  const waiting = await when('a wait for approval', ({ waitingFor }) => waitingFor === 'approval');
  expect(waiting).toMatchObject({ state: 'executing', pendingToolCalls: ['call_1_1'], isStreaming: true });
  expect(waiting).not.toHaveProperty('streaming');
  const { events } = await holdfast.session(id).historySize();
  for (let count = 0; count < 5; count++) await holdfast.session(id).snapshot();
  expect((await holdfast.session(id).historySize()).events).toBe(events);
  await approveShown(holdfast.session(id), 'call_1_1', { actor: 'test' });

  const idle = await when('idle', ({ lastStatus }) => lastStatus !== undefined);
  expect(idle).toMatchObject({ state: 'idle', isStreaming: false, waitingFor: 'prompt', lastSeq: 4 });
  await holdfast.session(id).shutdown();
  await handle.result();
  expect(await holdfast.session(id).snapshot()).toMatchObject({ lastStatus: 'completed', lastSeq: 4 });
});

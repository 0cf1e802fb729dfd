// A `once` call whose worker is lost: its tool finds out whether it happened. Real processes, killed at a known place.
import { ApplicationFailure } from '@temporalio/common';
import proto from '@temporalio/proto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ToolInfrastructureError } from '../../src/activities/tools/run-handler.ts';
import { defineTool } from '../../src/activities/tools/define-tool.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import { callsFirst, functionModel } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import type { SessionBench } from '../support/session-bench.ts';
import { eventsOf, readChain } from '../support/session-history.ts';
import { fakeTool } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';
import { untilStopped } from '../support/until-stopped.ts';
import { killProcess, openLedger, startChild } from '../support/worker-processes.ts';

const idleModel = functionModel(() => ({ text: 'not asked' }));

async function resultsOf(bench: SessionBench, id: string): Promise<{ text: string; isError: boolean }[]> {
  const log = await bench.readLog(id);
  return log.flatMap((record) =>
    record.role === 'tool_result' ? [{ text: textOf(record), isError: record.isError }] : [],
  );
}

test('[TOOL-08e] [FAULT-5] [FAULT-96] a worker killed after the effect of a once tool with reconcile: it is looked up, over a lost look-up too, and never done twice', async () => {
  const bench = await createSessionBench({ model: idleModel, workerless: true });
  const { ledger, begun } = await openLedger();
  const start = (where: string) => startChild('reconcile-child.ts', bench, [ledger, where]);
  const handle = await bench.start({ prompt: 'Go.', loop: { heartbeatTimeoutMs: 2_000 } });
  const first = start('after');
  await until('the worker is after its effect', () => begun().at(-1) === 'after');
  await killProcess(first);
  // the look-up itself loses its worker too, and is repeated
  const second = start('look-up');
  await until('it is looked up', () => begun().at(-1) === 'look-up');
  await killProcess(second);
  start('nowhere');
  expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'Done.', toolCalls: 1 });
  expect(await resultsOf(bench, handle.workflowId)).toEqual([
    { text: expect.stringMatching(/^transferred \S+\n\[It happened\. /), isError: false },
  ]);
  const counted = (word: string) => begun().filter((line) => line.startsWith(word)).length;
  expect(counted('begin ')).toBe(1);
  expect(counted('done ')).toBe(1);
  expect(counted('look-up')).toBe(2);
  const events = eventsOf(await readChain(bench.client, handle.workflowId, handle.firstExecutionRunId));
  const types = events.flatMap(({ activityTaskScheduledEventAttributes: scheduled }) => {
    const name = scheduled?.activityType?.name ?? '';
    return /^(tool|reconcile)\./.test(name) ? [name] : [];
  });
  expect(types).toEqual(['tool.transfer', 'reconcile.transfer']);
});

test('[TOOL-08e] [FAULT-96] a worker that is shut down in a once tool with reconcile: another one finds out what it did', async () => {
  const effects: string[] = [];
  const begun = Promise.withResolvers<void>();
  const tool = defineTool({
    name: 'change',
    description: 'Changes.',
    input: z.strictObject({}),
    async run(_, { signal, callId }) {
      effects.push(callId);
      begun.resolve();
      return untilStopped(signal);
    },
    reconcile: (_, { callId }) =>
      effects.includes(callId) ? { happened: true, text: 'changed' } : { happened: false },
  });
  const bench = await createSessionBench({
    workerless: true,
    worker: { shutdownGraceTime: 100 },
    policy: [{ tool: '*', decision: 'allow' }],
    model: callsFirst([{ tool: 'change' }], 'ok'),
    tools: [tool],
  });
  const handle = await bench.start({ prompt: 'Go.' });
  const worker = await bench.addWorker();
  await begun.promise;
  await worker.stop();
  await bench.addWorker();
  expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'ok' });
  expect(effects).toHaveLength(1);
  expect(await resultsOf(bench, handle.workflowId)).toEqual([
    { text: expect.stringMatching(/^changed\n\[It happened\. /), isError: false },
  ]);
});

/** A `once` tool that hangs in `where`, and the session that a person stops there. */
async function stoppedIn(where: 'body' | 'look-up', fail?: ApplicationFailure) {
  const reached = Promise.withResolvers<void>();
  let looked = 0;
  const hang = async (): Promise<never> => {
    reached.resolve();
    return new Promise(() => undefined);
  };
  const bench = await createSessionBench({
    policy: [{ tool: '*', decision: 'allow' }],
    model: functionModel(() => ({ calls: [{ tool: 'change' }] })),
    tools: [
      defineTool({
        name: 'change',
        description: 'Changes.',
        input: z.strictObject({}),
        run: () =>
          where === 'body' ? hang() : Promise.reject(new ToolInfrastructureError('The store is gone.')),
        reconcile: () => {
          looked++;
          return hang();
        },
      }),
    ],
  });
  const handle = await bench.start({ prompt: 'Go.' });
  await reached.promise;
  await handle.signal('abort');
  if (fail) {
    const activityId = await until('the call is to stop', async () => {
      const [call] = (await handle.describe()).raw.pendingActivities ?? [];
      return call?.state === cancelRequested && (call.activityId ?? '');
    });
    await bench.client.activity.fail({ workflowId: handle.workflowId, activityId }, fail);
  }
  await handle.result();
  const [result] = await resultsOf(bench, handle.workflowId);
  return { text: result?.text, looked };
}

const cancelRequested =
  proto.temporal.api.enums.v1.PendingActivityState.PENDING_ACTIVITY_STATE_CANCEL_REQUESTED;

test('[TOOL-08e] [TOOL-18c] [FAULT-96] a stop ends the look-up too: the call may have taken effect', async () => {
  const { text, looked } = await stoppedIn('look-up');
  expect(looked).toBe(1);
  expect(text).toMatch(/may have taken effect|Outcome unknown/);
});

test('[TOOL-18c] [FAULT-96] a call that is lost after a stop is not looked up: the run ends', async () => {
  const lost = ApplicationFailure.create({ type: 'WorkerShutdown', message: 'gone' });
  const { text, looked } = await stoppedIn('body', lost);
  expect(looked).toBe(0);
  expect(text).toMatch(/^Outcome unknown/);
});

test('[FAULT-96] a reconcile that is not on any worker leaves the outcome unknown', async () => {
  const { spec, ...change } = fakeTool(
    () => {
      throw new ToolInfrastructureError('The store is gone.');
    },
    { name: 'change', effect: 'once' },
  );
  const bench = await createSessionBench({
    model: callsFirst([{ tool: 'change' }], 'ok'),
    tools: [{ ...change, spec: { ...spec, reconciles: true } }],
    policy: [{ tool: '*', decision: 'allow' }],
  });
  const handle = await bench.start({ prompt: 'Go.' });
  expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'ok' });
  expect(await resultsOf(bench, handle.workflowId)).toEqual([
    {
      text: expect.stringMatching(/^Outcome unknown: the tool failed: The store is gone\. .*verify/),
      isError: true,
    },
  ]);
});

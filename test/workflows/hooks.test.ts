// Hooks under Temporal: a user's own run in activities, pure ones in the workflow; a run's deadline.
import { expect, test } from 'vitest';
import { defineHook } from '../../src/activities/hooks/hook-definition.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import type { PolicyRule } from '@holdfast/vocabulary/tool-spec';
import { functionModel } from '../support/function-model.ts';
import type { Saying } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import type { HistoryEvent } from '../support/session-history.ts';
import { echoTool } from '../support/session-worker.ts';
import { fakeTool } from '../support/tool-calls.ts';
import { killProcess, openLedger, startWorkerProcess } from '../support/worker-processes.ts';
import { until } from '../support/until.ts';
import { aborted, untilStopped } from '../support/until-stopped.ts';

const allowAll: [PolicyRule] = [{ tool: '*', decision: 'allow' }];

test('[HOOK-03d] a stop takes no result past afterToolCall: one in work ends, one that begins late has what is left of the grace, one that does not end withholds', async () => {
  const began = { early: Promise.withResolvers<void>(), deaf: Promise.withResolvers<void>() };
  const tooling = { late: Promise.withResolvers<void>(), slow: Promise.withResolvers<void>() };
  const told = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const redact = defineHook({
    name: 'redact',
    async afterToolCall({ toolCall }, { signal }) {
      if (toolCall.name === 'early') {
        began.early.resolve();
        await aborted(signal);
      }
      if (toolCall.name === 'deaf') {
        began.deaf.resolve();
        await mayEnd.promise;
      }
      // begins after the stop, and is told of it when the grace is over
      if (toolCall.name === 'slow') await aborted(signal).then(told.resolve);
      return { content: `redacted ${toolCall.name}` };
    },
  });
  const model = functionModel(({ number }): Saying =>
    number === 1 ? { calls: ['early', 'late', 'deaf', 'slow'].map((tool) => ({ tool })) } : { text: 'done' },
  );
  const bench = await createSessionBench({
    model,
    hooks: [redact],
    policy: allowAll,
    tools: [
      fakeTool(() => ({ text: 'SECRET' }), { name: 'early' }),
      ...(['late', 'slow'] as const).map((name) =>
        fakeTool(
          async (_, { signal }) => {
            tooling[name].resolve();
            await aborted(signal);
            return { text: 'SECRET' };
          },
          { name },
        ),
      ),
      fakeTool(() => ({ text: 'SECRET' }), { name: 'deaf' }),
    ],
  });
  const handle = await bench.start({ prompt: 'go', hooks: [{ name: 'redact' }] });
  const inWork = [began.early, began.deaf, tooling.late, tooling.slow];
  await Promise.all(inWork.map(({ promise }) => promise));
  await handle.signal('steer', { id: 'now', message: 'and now?', mode: 'interrupt' });
  await handle.result();
  mayEnd.resolve();
  await told.promise;
  const { events } = await handle.fetchHistory();
  const stops = events?.filter((event) => event.activityTaskCancelRequestedEventAttributes);
  // two hooks and two tools in work, and the hook whose grace is over
  expect(stops).toHaveLength(5);
  expect(model.requests[1]?.messages.map((message) => textOf(message))).toEqual([
    'go',
    '',
    'redacted early',
    'redacted late',
    expect.stringContaining('is withheld: hook redact was stopped'),
    expect.stringContaining('is withheld: hook redact was stopped'),
    'and now?',
  ]);
  expect(JSON.stringify(await bench.readLog(handle.workflowId))).not.toContain('SECRET');
});

test('[HOOK-13] timeout: a durable timer ends the run as timed out, with every open call answered and the result saved', async () => {
  const ran: string[] = [];
  const wait = fakeTool(
    async (_, { callId, signal }) => {
      ran.push(callId);
      return untilStopped(signal);
    },
    { name: 'wait' },
  );
  const model = functionModel(() => ({
    calls: [{ tool: 'echo', args: { text: 'a' } }, { tool: 'wait' }, { tool: 'wait' }],
  }));
  const bench = await createSessionBench({ model, tools: [echoTool(), wait] });
  const handle = await bench.start({
    prompt: 'go',
    loop: { toolConcurrency: 2 },
    hooks: [{ name: 'timeout', params: { ms: 4_000 } }],
  });
  expect(await handle.result()).toMatchObject({ status: 'timed_out', error: { code: 'Run.TimedOut' } });
  // one was done, one runs, and one has not begun
  expect(ran).toEqual(['call_1_2', 'call_1_3'].slice(0, ran.length));
  const log = await bench.readLog(handle.workflowId);
  const results = log.flatMap((record) =>
    record.role === 'tool_result' ? [[record.callId, record.isError]] : [],
  );
  expect(results).toEqual([
    ['call_1_1', false],
    ['call_1_2', true],
    ['call_1_3', true],
  ]);
  const { events = [] } = await handle.fetchHistory();
  const timers = (events ?? []).flatMap(({ timerStartedEventAttributes: timer, userMetadata }) =>
    timer && textOfSummary(userMetadata) === 'deadline of the run' ? [timer] : [],
  );
  const fired = (events ?? []).flatMap(({ timerFiredEventAttributes: timer }) =>
    timer ? [timer.timerId] : [],
  );
  // of the server, with what was left of the time; and it is what has ended the run
  expect(timers).toHaveLength(1);
  const { seconds, nanos } = timers[0]?.startToFireTimeout ?? {};
  const leftMs = Number(seconds) * 1_000 + Number(nanos) / 1e6;
  expect(leftMs).toBeGreaterThan(0);
  expect(leftMs).toBeLessThan(4_000);
  expect(fired).toContain(timers[0]?.timerId);
});

test('[HOOK-12] [HOOK-17a] [HOOK-18e] [HOOK-19c] three hooks go around a run and its model calls, over a killed worker and hand-overs', async () => {
  const model = functionModel(() => ({ text: 'not asked' }));
  const bench = await createSessionBench({ model, workerless: true });
  const { ledger, begun } = await openLedger();
  const handle = await bench.start({
    prompt: 'Go.',
    loop: { heartbeatTimeoutMs: 2_000 },
    hooks: ['A', 'B', 'C'].map((name) => ({ name })),
    continueAsNewAfterTurns: 1,
  });
  const child = startWorkerProcess(bench, ledger, 'B-in');
  await until('the worker is in the second hook', () => begun().at(-1) === 'B-in');
  await killProcess(child);
  startWorkerProcess(bench, ledger, 'nowhere');
  // three requests were answered, whatever was begun before the kill; the data is over two hand-overs
  expect(await handle.result()).toMatchObject({
    status: 'completed',
    answer: 'done C B A C3 B3 A3',
    turns: 3,
  });
  const steps = begun().filter((line) => /^[ABC]-/.test(line));
  const call = ['A-in', 'B-in', 'C-in', 'C-out', 'B-out', 'A-out'];
  expect(steps).toEqual([
    'A-start',
    'B-start',
    'C-start',
    'A-in',
    'B-in',
    ...call,
    ...call,
    ...call,
    'C-end',
    'B-end',
    'A-end',
  ]);
});

function textOfSummary(metadata: HistoryEvent['userMetadata']): string {
  const data = metadata?.summary?.data;
  return data ? String(JSON.parse(Buffer.from(data).toString())) : '';
}

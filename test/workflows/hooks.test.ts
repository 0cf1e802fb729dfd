// Hooks under Temporal: a user's own run in activities, pure ones in the workflow; a run's deadline.
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineHook } from '../../src/activities/hooks/hook-definition.ts';
import { textOf } from '../../src/core/model/messages.ts';
import type { PolicyRule } from '../../src/core/model/tool-spec.ts';
import { functionModel } from '../support/function-model.ts';
import type { Saying } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import type { HistoryEvent } from '../support/session-history.ts';
import { echoTool } from '../support/session-worker.ts';
import { fakeTool, temporaryFolder } from '../support/tool-calls.ts';
import { killProcess, startWorkerProcess } from '../support/worker-processes.ts';
import { until } from '../support/until.ts';

const allowAll: [PolicyRule] = [{ tool: '*', decision: 'allow' }];

const callThenAnswer = () =>
  functionModel(({ number }): Saying =>
    number === 1
      ? {
          calls: [
            { tool: 'echo', args: { text: 'a' } },
            { tool: 'echo', args: { text: 'b' } },
          ],
        }
      : { text: 'done' },
  );

test("[HOOK-01d] [HOOK-02a] [HOOK-03a] [HOOK-05ab] [HOOK-07a] [HOOK-12] a user's hook runs in activities, with the view, its params and its state", async () => {
  const seen: Record<string, unknown>[] = [];
  const wrapped: string[] = [];
  const failed: boolean[] = [];
  const guard = defineHook({
    name: 'guard',
    params: z.strictObject({ forbidden: z.string() }),
    beforeToolCall({ toolCall, args, assistantMessage, context }, { params }) {
      seen.push({
        at: 'before',
        args,
        reply: assistantMessage.content.length,
        messages: context.messages.map(({ role }) => role),
      });
      return toolCall.arguments.includes(params.forbidden) ? { block: true, reason: 'forbidden' } : undefined;
    },
    afterToolCall: ({ result, isError }) => {
      failed.push(isError);
      return { content: `${textOf(result)}!` };
    },
    beforeComplete({ phase, iteration, agentName }, { state, setState }) {
      seen.push({ at: phase, iteration, agentName, state: state ?? null });
      setState({ turn: iteration });
      return iteration === 1 ? { inject: 'be brief' } : undefined;
    },
    prepareNextTurn({ toolResults, newMessages, message }): { thinkingLevel: 'high' } | undefined {
      seen.push({
        at: 'next',
        results: toolResults.map(textOf),
        toSeq: newMessages.toSeq,
        reply: message.stopReason,
      });
      return toolResults.length > 0 ? { thinkingLevel: 'high' } : undefined;
    },
  });
  const around = (name: string) =>
    defineHook({
      name,
      runStart: () => void wrapped.push(`${name}-in`),
      runEnd: () => void wrapped.push(`${name}-out`),
    });
  const model = callThenAnswer();
  const bench = await createSessionBench({ model, hooks: [guard, around('A'), around('B')] });
  const handle = await bench.start({
    prompt: 'go',
    hooks: [{ name: 'A' }, { name: 'B' }, { name: 'guard', params: { forbidden: 'b' } }],
  });
  expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'done' });
  expect(wrapped).toEqual(['A-in', 'B-in', 'B-out', 'A-out']);
  // a blocked call has no result to change
  expect(failed).toEqual([false]);
  expect(seen).toEqual([
    { at: 'before_complete', iteration: 0, agentName: 'tester', state: null },
    { at: 'before', args: { text: 'a', times: 1 }, reply: 2, messages: ['user', 'assistant'] },
    { at: 'before', args: { text: 'b', times: 1 }, reply: 2, messages: ['user', 'assistant'] },
    { at: 'next', results: ['a!', 'forbidden'], toSeq: 4, reply: 'tool_use' },
    { at: 'before_complete', iteration: 1, agentName: 'tester', state: { turn: 0 } },
    { at: 'next', results: [], toSeq: 6, reply: 'stop' },
  ]);
  const [first, second] = model.requests;
  expect([first?.thinkingLevel, second?.thinkingLevel]).toEqual(['off', 'high']);
  expect(second?.messages.map((message) => textOf(message))).toEqual([
    'go',
    '',
    'a!',
    'forbidden',
    'be brief',
  ]);
});

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
      await aborted(signal);
      throw signal.reason;
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
  const ledger = join(await temporaryFolder(), 'ledger');
  await writeFile(ledger, '');
  const begun = () => readFileSync(ledger, 'utf8').split('\n').filter(Boolean);
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

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

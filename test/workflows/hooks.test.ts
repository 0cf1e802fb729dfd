// Hooks under Temporal: a user's own run in activities, pure ones in the workflow; a run's deadline.
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createDeltaBus } from '../../src/activities/base/delta-bus.ts';
import { defineHook } from '../../src/activities/hooks/hook-definition.ts';
import type { HookInputs } from '../../src/core/model/hook.ts';
import { textOf } from '../../src/core/model/messages.ts';
import type { SessionInput } from '../../src/core/model/session-input.ts';
import type { PolicyRule } from '../../src/core/model/tool-spec.ts';
import { functionModel } from '../support/function-model.ts';
import type { Saying } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { workerLog } from '../support/worker-log.ts';
import type { HistoryEvent } from '../support/session-history.ts';
import { echoTool } from '../support/session-worker.ts';
import { fakeTool, temporaryFolder } from '../support/tool-calls.ts';
import { killProcess, startWorkerProcess } from '../support/worker-processes.ts';
import { until } from '../support/until.ts';
import { testerPrompt } from '../support/prompt-parts.ts';

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

test('[HOOK-02b] a gate that an interrupting message leaves behind has let nothing through, also when that message is withdrawn', async () => {
  const asked = Promise.withResolvers<void>();
  const mayAnswer = Promise.withResolvers<void>();
  const gate = defineHook({
    name: 'gate',
    async beforeToolCall() {
      asked.resolve();
      await mayAnswer.promise; // whatever its signal says
      return { block: true };
    },
  });
  let ran = 0;
  const model = functionModel(({ number }): Saying =>
    number === 1 ? { calls: [{ tool: 'drop' }] } : { text: 'done' },
  );
  const drop = fakeTool(() => ({ text: `dropped ${++ran}` }), { name: 'drop', effect: 'once' });
  const bench = await createSessionBench({ model, hooks: [gate], tools: [drop], policy: allowAll });
  const handle = await bench.start({ prompt: 'go', hooks: [{ name: 'gate' }] });
  await asked.promise;
  await handle.signal('steer', { id: 'now', message: 'wait', mode: 'interrupt' });
  await handle.signal('clearSteering');
  const result = await handle.result();
  mayAnswer.resolve();
  expect(result).toMatchObject({ status: 'completed', answer: 'done' });
  expect(ran).toBe(0);
  expect(model.requests[1]?.messages.map((message) => textOf(message))).toEqual([
    'go',
    '',
    'tool execution aborted',
  ]);
});

test('[HOOK-03a] an interrupting message takes no result past afterToolCall: one in work ends, one that comes late is called, one that does not end withholds', async () => {
  const began = { early: Promise.withResolvers<void>(), deaf: Promise.withResolvers<void>() };
  const tooling = Promise.withResolvers<void>();
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
      return { content: `redacted ${toolCall.name}` };
    },
  });
  const model = functionModel(({ number }): Saying =>
    number === 1 ? { calls: ['early', 'late', 'deaf'].map((tool) => ({ tool })) } : { text: 'done' },
  );
  const bench = await createSessionBench({
    model,
    hooks: [redact],
    policy: allowAll,
    tools: [
      fakeTool(() => ({ text: 'SECRET' }), { name: 'early' }),
      fakeTool(
        async (_, { signal }) => {
          tooling.resolve();
          await aborted(signal);
          return { text: 'SECRET' };
        },
        { name: 'late' },
      ),
      fakeTool(() => ({ text: 'SECRET' }), { name: 'deaf' }),
    ],
  });
  const handle = await bench.start({ prompt: 'go', hooks: [{ name: 'redact' }] });
  await Promise.all([began.early.promise, began.deaf.promise, tooling.promise]);
  await handle.signal('steer', { id: 'now', message: 'and now?', mode: 'interrupt' });
  await handle.result();
  mayEnd.resolve();
  expect(model.requests[1]?.messages.map((message) => textOf(message))).toEqual([
    'go',
    '',
    'redacted early',
    'redacted late',
    expect.stringContaining('is withheld: hook redact was stopped'),
    'and now?',
  ]);
  expect(JSON.stringify(await bench.readLog(handle.workflowId))).not.toContain('SECRET');
});

test('[HOOK-03a] after an abort a hook that begins late has what is left of the grace, and no longer', async () => {
  const tooling = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  const redact = defineHook({
    name: 'redact',
    async afterToolCall(_, { signal }) {
      await aborted(signal);
      stopped.resolve();
      return { content: 'much too late' };
    },
  });
  const wait = fakeTool(
    async (_, { signal }) => {
      tooling.resolve();
      await aborted(signal);
      return { text: 'SECRET' };
    },
    { name: 'wait', effect: 'once' },
  );
  const model = functionModel(() => ({ calls: [{ tool: 'wait' }] }));
  const bench = await createSessionBench({ model, hooks: [redact], tools: [wait], policy: allowAll });
  const handle = await bench.start({ prompt: 'go', hooks: [{ name: 'redact' }] });
  await tooling.promise;
  await handle.signal('abort');
  expect(await handle.result()).toMatchObject({ status: 'aborted', toolCalls: 1 });
  await stopped.promise; // it was told
  const log = await bench.readLog(handle.workflowId);
  const results = log.filter(({ role }) => role === 'tool_result').map((record) => textOf(record));
  expect(results).toEqual([expect.stringMatching(/it may have taken effect.* is withheld: hook redact/)]);
});

test('[HOOK-05c] [STATE-07b] what prepareNextTurn has changed holds for the rest of the run, over other changes and an interrupting message; settings of the next run stay out', async () => {
  const assembling = Promise.withResolvers<void>();
  const mayAssemble = Promise.withResolvers<void>();
  let assembled = 0;
  const next = defineHook({
    name: 'next',
    prepareNextTurn({ newMessages, toolResults }) {
      if (toolResults.length === 0) return undefined;
      return newMessages.toSeq < 5 ? { context: { systemPrompt: 'SECOND' } } : { thinkingLevel: 'high' };
    },
  });
  const model = functionModel(async ({ number }): Promise<Saying> => {
    if (model.requests.length === 1) await handle.signal('setSystemPrompt', 'NEXT RUN');
    return number <= 2 ? { calls: [{ tool: 'echo', args: { text: `${number}` } }] } : { text: 'done' };
  });
  const bench = await createSessionBench({
    model,
    hooks: [next],
    async beforeContext() {
      if (++assembled !== 3) return;
      assembling.resolve();
      await mayAssemble.promise;
    },
  });
  const handle = await bench.start({ keepAlive: true, hooks: [{ name: 'next' }] });
  const { runId } = await bench.holdfast.session(handle.workflowId).prompt('go');
  await assembling.promise;
  await handle.signal('steer', { id: 'now', message: 'and now?', mode: 'interrupt' });
  await bench.holdfast.session(handle.workflowId).result({ runId });
  mayAssemble.resolve();
  await bench.holdfast.session(handle.workflowId).prompt('again');
  await handle.signal('shutdown');
  await handle.result();
  expect(model.requests.map((request) => [request.systemPrompt, request.thinkingLevel])).toEqual([
    [testerPrompt, 'off'],
    ['SECOND', 'off'],
    ['SECOND', 'high'],
    ['NEXT RUN', 'off'],
  ]);
});

test("[HOOK-04b] [HOOK-15a] a user's guardrail fails the run; a throw of a hook is final and not tried again", async () => {
  let calls = 0;
  const check = defineHook({
    name: 'check',
    runEnd: ({ answer, status }: HookInputs['runEnd']) =>
      status === 'completed' && !answer.includes('pool') ? { fail: 'Name the pool.' } : undefined,
  });
  const broken = defineHook({
    name: 'broken',
    shouldStopAfterTurn() {
      calls++;
      throw new Error('no disk');
    },
  });
  const bench = await createSessionBench({
    model: functionModel(() => ({ text: 'done' })),
    hooks: [check, broken],
  });
  const guarded = await bench.start({ prompt: 'go', hooks: [{ name: 'check' }] });
  expect(await guarded.result()).toMatchObject({
    status: 'failed',
    cause: 'guardrail',
    error: { message: 'Name the pool.' },
  });
  const failing = await bench.start({ prompt: 'go', hooks: [{ name: 'broken' }] });
  expect(await failing.result()).toMatchObject({
    status: 'failed',
    cause: 'hook_error',
    error: { message: 'Hook broken failed: no disk' },
  });
  expect(calls).toBe(1);
});

test('[HOOK-15a] no stop takes an answer past its check: an interrupting message leaves it alone, an abort fails what it has not seen', async () => {
  const checking = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const mayAnswer = Promise.withResolvers<void>();
  let checks = 0;
  const check = defineHook({
    name: 'check',
    async runEnd(_, { signal }) {
      checking[checks++]?.resolve();
      await Promise.race([mayAnswer.promise, aborted(signal)]);
      signal.throwIfAborted();
      return { fail: 'Name the pool.' };
    },
  });
  const bench = await createSessionBench({ model: functionModel(() => ({ text: 'done' })), hooks: [check] });
  const input: SessionInput = { prompt: 'go', hooks: [{ name: 'check' }] };
  const stopped = await bench.start(input);
  await checking[0]?.promise;
  await stopped.signal('abort');
  expect(await stopped.result()).toMatchObject({
    status: 'failed',
    cause: 'hook_error',
    error: { message: 'Hook check failed: it was stopped before it had answered' },
  });
  const interrupted = await bench.start(input);
  await checking[1]?.promise;
  await interrupted.signal('steer', { id: 'now', message: 'and now?', mode: 'interrupt' });
  await until('the message waits', () => interrupted.query<boolean>('hasQueuedMessages'));
  mayAnswer.resolve();
  expect(await interrupted.result()).toMatchObject({
    status: 'failed',
    cause: 'guardrail',
    undelivered: ['now'],
  });
  const { events = [] } = await interrupted.fetchHistory();
  const cancels = events?.filter((event) => event.activityTaskCancelRequestedEventAttributes);
  expect(cancels).toEqual([]);
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

test('[HOOK-13] timeout: a model call is stopped, and the checkpoint is the last event', async () => {
  const stopped = Promise.withResolvers<void>();
  const model = functionModel(({ number, options }): Promise<Saying> | Saying => {
    if (number === 1) return { calls: [{ tool: 'echo', args: { text: 'a' } }] };
    return new Promise((_, reject) => {
      options.signal.addEventListener('abort', () => {
        stopped.resolve();
        reject(options.signal.reason);
      });
    });
  });
  const bench = await createSessionBench({ model });
  const handle = await bench.start({ prompt: 'go', hooks: [{ name: 'timeout', params: { ms: 4_000 } }] });
  expect(await handle.result()).toMatchObject({
    status: 'timed_out',
    error: { code: 'Run.TimedOut' },
    turns: 2,
  });
  await stopped.promise;
  const { events } = await handle.query<{ events: { type: string }[] }, [number]>('getEvents', 0);
  expect(events.filter(({ type }) => type === 'agent_end')).toHaveLength(1);
  expect(events.at(-1)?.type).toBe('checkpoint_saved');
});

test('[HOOK-01b] [HOOK-14b] bad params refuse the run; an unknown hook waits for a worker that has it, with a list of those that there are; logger writes a line once', async () => {
  // without a cache every workflow task replays the history from its start
  const bench = await createSessionBench({
    model: functionModel(() => ({ text: 'done' })),
    worker: { maxCachedWorkflows: 0 },
  });
  const bad = await bench.start({ prompt: 'go', hooks: [{ name: 'progress', params: { interval: 0 } }] });
  expect(await bad.result()).toMatchObject({
    status: 'failed',
    error: { code: 'Run.ContextFailed', message: expect.stringContaining('interval is 0: expected a whole') },
  });
  const unknown = await bench.start({ prompt: 'go', hooks: [{ name: 'progres' }] });
  const reason = await until('the session waits for a worker', async () => {
    const { waitingFor, waitingReason } = await bench.holdfast.session(unknown.workflowId).snapshot();
    return waitingFor === 'worker' && waitingReason;
  });
  expect(reason).toContain('There is no hook "progres": expected one of condense,');
  await unknown.signal('abort');
  expect(await unknown.result()).toMatchObject({ status: 'aborted' });
  const logged = await bench.start({ prompt: 'go', hooks: [{ name: 'logger' }] });
  await logged.result();
  // the log is written behind the workflow's back
  const lines = await until('the end of the run is in the log', () => {
    const ofSession = linesOf(logged.workflowId);
    return ofSession.some((line) => line.includes('run ended')) && ofSession;
  });
  expect(lines.filter((line) => line.includes('run started'))).toHaveLength(1);
  expect(lines.filter((line) => line.includes('run ended') && line.includes('durationMs'))).toHaveLength(1);
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

function linesOf(workflowId: string): string[] {
  const lines = readFileSync(workerLog(), 'utf8').split('\n');
  return lines.filter((line) => line.includes(workflowId));
}

test.each([
  ['main', { status: 'completed', turns: 13, hooked: 13, condensed: true, shown: true, tools: ['echo'] }],
  [
    'subagent',
    { status: 'max_iterations', turns: 10, hooked: 0, condensed: false, shown: true, tools: ['echo'] },
  ],
  ['triage', { status: 'completed', turns: 13, hooked: 13, condensed: true, shown: false, tools: ['echo'] }],
  ['chat', { status: 'completed', turns: 1, hooked: 1, condensed: false, shown: true, tools: [] }],
] as const)(
  '[HOOK-16] a session runs under the profile %s, which only sets options',
  async (profile, expected) => {
    const counter = defineHook({ name: 'counter', beforeComplete: () => void (hooked += 1) });
    const bus = createDeltaBus();
    let [hooked, turns, condensed, shown] = [0, 0, false, false];
    const model = functionModel(
      ({ request, options }) => {
        if (request.metadata.purpose === 'condense') {
          condensed = true;
          return { text: 'notes' };
        }
        turns += 1;
        options.onDelta({ type: 'text', text: 'working' });
        const works = request.tools.length > 0 && turns < 13;
        return works
          ? { calls: [{ tool: 'echo', args: { text: `${turns}`.repeat(2_000) } }] }
          : { text: 'done' };
      },
      ({ messages }) => JSON.stringify(messages).length / 4,
    );
    const bench = await createSessionBench({
      model,
      hooks: [counter],
      agent: { model: { contextWindow: 8_000 }, hooks: [{ name: 'counter' }], loop: { warn: 0, stop: 0 } },
      deltaBus: { ...bus, publish: (event) => void (shown ||= event.type !== 'tool_partial') },
    });
    const handle = await bench.start({ prompt: 'Go.', profile });
    const { status } = await handle.result();
    const request = model.requests.find(({ metadata }) => metadata.purpose !== 'condense');
    const tools = request?.tools.map(({ name }) => name);
    expect({ status, turns, hooked, condensed, shown, tools }).toEqual(expected);
    expect(request?.systemPrompt.includes('You triage an alert')).toBe(profile === 'triage');
  },
);

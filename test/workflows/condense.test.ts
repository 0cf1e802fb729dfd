// A long session over a real server: results of 16 KB in a window that does not hold them.
import { ApplicationFailure } from '@temporalio/common';
import { expect, test } from 'vitest';
import type { CondenseStrategyName } from '../../src/core/model/agent-spec.ts';
import type { EventPage } from '../../src/core/model/events.ts';
import { textOf, userMessage } from '../../src/core/model/messages.ts';
import type { AssistantMessage } from '../../src/core/model/messages.ts';
import type { ModelProvider } from '../../src/activities/model/providers/model-provider.ts';
import type { ModelRequest } from '../../src/core/model/model-call.ts';
import type { SessionInput } from '../../src/core/model/session-input.ts';
import { lookWindow, reporter } from '../support/condensed-report.ts';
import { functionModel } from '../support/function-model.ts';
import type { Saying } from '../support/function-model.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { until } from '../support/until.ts';
import { testerPrompt } from '../support/prompt-parts.ts';

const task = 'Find out why checkout is slow, and quote the line that proves it.';

/** Counts what it is sent as a provider would, and refuses nothing. */
function countingModel(turns: number): ModelProvider & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  let asked = 0;
  return {
    name: 'scripted',
    requests,
    call: (request) => {
      requests.push(request);
      const input = Math.round(JSON.stringify(request.messages).length / 4);
      const main = request.metadata.purpose === 'main';
      if (main) asked++;
      const last = asked > turns;
      const message: AssistantMessage = {
        role: 'assistant',
        content:
          !main || last
            ? [{ type: 'text', text: 'ok' }]
            : [
                {
                  type: 'tool_call',
                  callId: `call_${asked}`,
                  name: 'echo',
                  arguments: JSON.stringify({ text: `line ${asked} `, times: 2_000 }),
                },
              ],
        model: request.model,
        usage: { input, cacheRead: 0, cacheWrite: 0, output: 20 },
        stopReason: !main || last ? 'stop' : 'tool_use',
      };
      return Promise.resolve({ message });
    },
  };
}

test('[COND-22] 50 turns with 16 KB results need one condense, and the last request holds the task', async () => {
  const model = countingModel(50);
  const bench = await createSessionBench({ model });
  const handle = await bench.start({ prompt: task, model: { contextWindow: 128_000 } });
  const result = await handle.result();
  expect(result).toMatchObject({ status: 'completed', condenses: 1, turns: 51 });
  const last = model.requests.at(-1);
  expect(last?.messages.map(textOf).join('\n')).toContain(task);
  const summaries = model.requests.filter(({ metadata }) => metadata.purpose === 'condense');
  expect(summaries).toHaveLength(1);
  expect(summaries[0]?.messages.map(textOf).join('\n')).toContain(task);
  expect(result.usage.condense?.output).toBe(20);
});

test('a condense that failed was paid for', async () => {
  const model = functionModel(
    ({ number, request }): Saying => {
      if (request.metadata.purpose === 'condense') return { text: '' };
      return number <= 4
        ? { calls: [{ tool: 'echo', args: { text: `line ${number}` } }] }
        : { text: 'Done.' };
    },
    ({ metadata }) => (metadata.purpose === 'condense' ? 90_000 : 10),
  );
  const bench = await createSessionBench({ model });
  const { workflowId } = await bench.start({ prompt: task, keepAlive: true });
  const snapshot = () => bench.holdfast.session(workflowId).snapshot();
  await until('idle', async () => (await snapshot()).state === 'idle');
  await bench.client.workflow.getHandle(workflowId).executeUpdate('condense');
  await until('paid', async () => (await snapshot()).usage.condense !== undefined);
  expect((await snapshot()).usage.condense?.input).toBe(90_000);
  await bench.holdfast.session(workflowId).shutdown();
});

test('[COND-06b] update condense: accepted when idle, its outcome in condense_end; refused without an event before a run and during one', async () => {
  const calling = Promise.withResolvers<void>();
  const mayAnswer = Promise.withResolvers<void>();
  const model = functionModel(async ({ number, request, newTexts }): Promise<Saying> => {
    if (request.metadata.purpose === 'condense') return { text: 'Pool is 2.' };
    if (newTexts.at(-1) === 'Slowly.') {
      calling.resolve();
      await mayAnswer.promise;
    }
    return number <= 4 ? { calls: [{ tool: 'echo', args: { text: `line ${number}` } }] } : { text: 'Done.' };
  });
  const bench = await createSessionBench({ model });
  const handle = await bench.start({ keepAlive: true });
  const condense = () => handle.executeUpdate('condense');
  await expect(condense()).rejects.toMatchObject({ cause: { type: 'NothingToCondense' } });
  const prompt = (text: string) => handle.executeUpdate('prompt', { args: [text] });
  await prompt(task);
  await bench.holdfast.session(handle.workflowId).result({ runId: 'run-1' });
  expect(await condense()).toEqual({ accepted: true });
  const end = await until('the condense has ended', async () => {
    const { events } = await handle.query<EventPage, [number]>('getEvents', 0);
    return events.find(({ type }) => type === 'condense_end');
  });
  expect(end).toMatchObject({ kept: 5 });
  expect(await handle.query('snapshot')).toMatchObject({ state: 'idle' });
  const events = async () => (await handle.fetchHistory()).events?.length ?? 0;
  await prompt('Slowly.');
  await calling.promise;
  const before = await events();
  await expect(condense()).rejects.toMatchObject({ cause: { type: 'RunInProgress' } });
  expect(await events()).toBe(before);
  mayAnswer.resolve();
  await bench.holdfast.session(handle.workflowId).result({ runId: 'run-2' });
  await handle.signal('shutdown');
  await handle.result();
  const first = model.requests.find(({ messages }) =>
    messages.some((message) => textOf(message) === 'Slowly.'),
  );
  // and the calls that were folded (REPORT-12)
  const [head, calls] = textOf(first?.messages[0] ?? userMessage('')).split('\n\nTool calls ');
  expect(head).toBe(`Context of previous work:\n\nPool is 2.\n\nThe task, as it was given:\n${task}`);
  expect(calls).toMatch(/:\n- echo line 1: call_1_1\n/);
});

test('[REPORT-12a] on a server, over hand-overs: a report after four condenses has every quote of the one without', async () => {
  const { model, tools } = reporter(4);
  const agent = { model: { contextWindow: lookWindow }, condense: { maxPerRun: 0 } };
  const bench = await createSessionBench({ model, tools, agent });
  const handle = await bench.start({ prompt: task, continueAsNewAfterTurns: 2 });
  const result = await bench.holdfast.session(handle.workflowId).result();
  expect(result).toMatchObject({ status: 'completed', condenses: 4 });
  expect(result.report).toMatchObject({ claims: 8, verifiedClaims: 8, quotes: 8, verifiedQuotes: 8 });
});

test('[COND-17b] [COND-19f] [COND-11a] [COND-16a] strategies on a worker: the summary in the system text; a summary call of 60 s that is retried', async () => {
  const counting = (name: string) => {
    let failures = name === 'token_tail' ? 1 : 0;
    return functionModel(
      ({ number, request }): Saying => {
        if (request.metadata.purpose === 'condense') {
          if (failures-- > 0) throw ApplicationFailure.create({ type: 'Model.Overloaded', message: 'later' });
          return { text: 'Pool is 2.' };
        }
        return number <= 12 && request.metadata.turn <= 12
          ? { calls: [{ tool: 'echo', args: { text: `line ${request.metadata.turn} `, times: 500 } }] }
          : { text: 'Done.' };
      },
      (request) => Math.round(JSON.stringify(request.messages).length / 4),
    );
  };
  for (const strategy of ['system_summary', 'token_tail'] as const) {
    const model = counting(strategy);
    const bench = await createSessionBench({ model, agent: { condense: { strategy } } });
    const handle = await bench.start({
      prompt: task,
      model: { contextWindow: 12_000, maxResponseTokens: 1_000 },
    });
    expect(await handle.result()).toMatchObject({ status: 'completed', condenses: 1 });
    const last = model.requests.at(-1);
    const head = last?.messages[0] ? textOf(last.messages[0]) : '';
    expect(head).toContain(task);
    expect(last?.systemPrompt).toBe(
      strategy === 'system_summary'
        ? `${testerPrompt}\n\n[Previous conversation summary: Pool is 2.]`
        : testerPrompt,
    );
    const { events = [] } = await handle.fetchHistory();
    const scheduled = events?.flatMap(({ activityTaskScheduledEventAttributes: of }) =>
      of?.activityType?.name === 'summarize' ? [Number(of.startToCloseTimeout?.seconds)] : [],
    );
    expect(scheduled).toEqual([strategy === 'token_tail' ? 60 : 600]);
  }
});

test('[COND-09bc] a real overflow after a spent quota: a partial result, a checkpoint, and a session that takes the next prompt', async () => {
  const model = functionModel(({ number, request }): Saying => {
    if (request.metadata.purpose === 'condense') return { text: 'ok' };
    const { turn, runId } = request.metadata;
    if (runId === 'run-1' && turn === 8) throw overflow();
    if (runId === 'run-1' && turn === 5 && number === 5) throw overflow();
    if (runId === 'run-2' || turn > 8) return { text: 'Fine.' };
    return { text: `So far ${turn}.`, calls: [{ tool: 'echo', args: { text: `line ${turn}` } }] };
  });
  const bench = await createSessionBench({ model });
  const handle = await bench.start({ prompt: task, keepAlive: true });
  const result = await bench.holdfast.session(handle.workflowId).result({ runId: 'run-1' });
  expect(result).toMatchObject({
    status: 'context_exhausted',
    cause: 'overflow',
    condenses: 1,
    answer: 'So far 7.',
  });
  await until('the checkpoint is saved', async () => {
    const { events } = await handle.query<EventPage, [number]>('getEvents', 0);
    return events.some(({ type }) => type === 'checkpoint_saved');
  });
  expect(await handle.query('snapshot')).toMatchObject({ state: 'idle' });
  await handle.executeUpdate('prompt', { args: ['And now?'] });
  await bench.holdfast.session(handle.workflowId).result({ runId: 'run-2' });
  await handle.signal('shutdown');
  expect(await handle.result()).toMatchObject({ status: 'completed', answer: 'Fine.', condenses: 0 });
});

function overflow(): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'Model.ContextOverflow',
    message: 'too long',
    nonRetryable: true,
  });
}

test('[CKPT-07ab] [COND-10b] a hand-over every three turns changes no cut, no summary request and no count', async () => {
  const play = async (strategy: CondenseStrategyName, input: SessionInput) => {
    const model = functionModel(
      ({ request }): Saying => {
        const { purpose, turn } = request.metadata;
        if (purpose === 'condense') return { text: `Notes of turn ${turn}.` };
        return turn <= 16
          ? { calls: [{ tool: 'echo', args: { text: `line ${turn} `, times: 500 } }] }
          : { text: 'Done.' };
      },
      (request) => Math.round(JSON.stringify(request.messages).length / 4),
    );
    const viewReducers = [{ name: 'trim_tool_results' as const, params: { keepLast: 2 } }];
    const bench = await createSessionBench({
      model,
      agent: { condense: { strategy, maxPerRun: 0, reducers: viewReducers } },
    });
    const handle = await bench.start({
      prompt: task,
      model: { contextWindow: 9_000, maxResponseTokens: 1_000 },
      ...input,
    });
    const { condenses, status } = await handle.result();
    const requests = model.requests.map(({ systemPrompt, messages }) => [systemPrompt, messages.map(textOf)]);
    return { condenses, status, requests };
  };
  for (const strategy of ['user_summary', 'system_summary'] as const) {
    const whole = await play(strategy, {});
    expect(whole).toMatchObject({ status: 'completed' });
    expect(whole.condenses).toBeGreaterThan(1);
    expect(await play(strategy, { continueAsNewAfterTurns: 3 })).toEqual(whole);
  }
});

test('[SAFE-03de] [QUEUE-17ac] an interrupting message stops a condense and is in the next request; what the condense cost then ends the run', async () => {
  const condensing = Promise.withResolvers<void>();
  const order: string[] = [];
  const model = functionModel(
    async ({ request, options, newTexts }): Promise<Saying> => {
      const { purpose, turn } = request.metadata;
      order.push(purpose === 'main' ? newTexts.join(' ') : purpose);
      if (purpose === 'main') return { calls: [{ tool: 'echo', args: { text: `line ${turn}` } }] };
      if (order.filter((entry) => entry === 'condense').length > 1) return { text: 'Pool is 2.' };
      condensing.resolve();
      return new Promise((_, refuse) => {
        options.signal.addEventListener('abort', () => refuse(new Error('stopped')));
      });
    },
    ({ metadata, messages }) => (metadata.purpose === 'main' ? messages.length * 100 : 1_000_000),
  );
  const bench = await createSessionBench({
    model,
    models: { 'scripted:test': { prices: { input: 1, output: 0 } } },
  });
  const handle = await bench.start({
    prompt: task,
    model: { contextWindow: 1_000, maxResponseTokens: 100 },
    budget: { costUsd: 1 },
  });
  await condensing.promise;
  await handle.signal('steer', { id: 'now', message: 'Look at the pool.', mode: 'interrupt' });
  const result = await handle.result();
  expect(order.filter(Boolean)).toEqual([task, 'condense', 'Look at the pool.', 'condense']);
  expect(result).toMatchObject({ status: 'budget_exceeded', condenses: 1 });
  // the summary has cost 1 USD, the main requests some hundred tokens each
  expect(result.costUsd).toBeGreaterThan(1);
  expect(result.costUsd).toBeLessThan(1.01);
  expect(await handle.query('snapshot')).toMatchObject({ costUsd: result.costUsd });
  const { events } = await handle.query<EventPage, [number]>('getEvents', 0);
  expect(events.filter(({ type }) => type === 'warning')).toEqual([]);
});

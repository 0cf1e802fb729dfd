// Faults of models that the loop has to bear, played through the real SDKs over HTTP: what becomes of the run.
import { describe, expect, test } from 'vitest';
import { textOf } from '@holdfast/vocabulary/messages';
import type { AssistantContent, ToolResultMessage } from '@holdfast/vocabulary/messages';
import { sampleEvents } from '../../support/sample-streams.ts';
import { errorAnswer } from '../../support/provider-calls.ts';
import { callOf, httpSession, loopWires, streamOf, textAnswerOf } from '../../support/model-loop.ts';
import type { HttpSession, LoopWire } from '../../support/model-loop.ts';
import { toSse } from '../../support/sse.ts';
import { fails, inTurn, reply } from '../../support/memory-model.ts';
import { MemorySession } from '../../support/memory-session.ts';

const calls = (wire: LoopWire, ...content: AssistantContent[]) => streamOf(wire, content, 'tool_use');
const said = (text: string) => JSON.stringify({ text });

/** What the model was told of its calls, in the last request. */
function resultsIn({ session }: HttpSession): ToolResultMessage[] {
  const messages = session.requests.at(-1)?.messages ?? [];
  return messages.filter((message) => message.role === 'tool_result');
}

describe.each(loopWires)('%s', (wire) => {
  test.each([
    ['FAULT-51', 429, 'insufficient_quota', 'You exceeded your current quota.'],
    ['FAULT-51', 402, 'billing_error', 'Pay.'],
    [
      'FAULT-51',
      400,
      'invalid_request_error',
      'You have reached your specified API usage limits: spend limit.',
    ],
    ['FAULT-53', 401, 'authentication_error', 'No.'],
    ['FAULT-53', 403, 'permission_error', 'No.'],
  ])(
    '[%s] [LOOP-12] %i %s: the run waits for the operator, and goes on',
    async (_id, status, type, message) => {
      const refusal = errorAnswer(wire, status, { type, message });
      const { session, server } = await httpSession(wire, [refusal, textAnswerOf(wire, 'done')]);
      session.prompt('go');
      const running = session.run();
      await session.until(() => session.session.operatorReason !== undefined);
      expect(server.requests).toHaveLength(1);
      session.send('resume');
      await running;
      expect(session.state.lastResult).toMatchObject({ status: 'completed', answer: 'done', turns: 1 });
      expect(server.requests[1]?.text).toBe(server.requests[0]?.text);
    },
  );

  test.each([
    ['FAULT-55', 400, 'Model.InvalidRequest', 'tools.0: bad name'],
    ['FAULT-56', 404, 'Model.NotFound', 'no such model'],
  ])('[%s] [LOOP-09] %i ends the run, not the session', async (_id, status, code, message) => {
    const { session } = await httpSession(wire, [errorAnswer(wire, status, { message })]);
    expect(await session.ask('go')).toMatchObject({
      status: 'failed',
      cause: 'model_error',
      error: { code },
    });
    expect(session.state.status).toBe('idle');
  });

  test('[FAULT-61] [LOOP-16] a length stop inside the arguments: nothing runs, the model is told, the run goes on', async () => {
    const cut = streamOf(wire, [callOf('c1', '{"text":"pool si')], 'length');
    const played = await httpSession(wire, [cut, textAnswerOf(wire, 'done')]);
    expect(await played.session.ask('go')).toMatchObject({ status: 'completed', answer: 'done' });
    expect(played.session.ran).toEqual([]);
    expect(resultsIn(played)).toMatchObject([{ isError: true }]);
    expect(resultsIn(played).map(textOf).join()).toMatch(/cut off/);
  });

  test.each([
    ['not JSON', '{"text":', 'echo', /JSON/],
    ['an array', '["a"]', 'echo', /array/],
    ['written twice', JSON.stringify(said('a')), 'echo', /JSON twice/],
    ['a wrong field', '{"txt":"a"}', 'echo', /txt/],
    ['an unknown tool', said('a'), 'ecko', /ecko/],
    ['a wrong case', said('a'), 'Echo', /Echo/],
  ])('[FAULT-62] %s: an error result that names the problem', async (_name, args, tool, named) => {
    const played = await httpSession(wire, [
      calls(wire, callOf('c1', args, tool)),
      textAnswerOf(wire, 'done'),
    ]);
    expect(await played.session.ask('go')).toMatchObject({ status: 'completed', answer: 'done' });
    expect(played.session.ran).toEqual([]);
    expect(resultsIn(played)).toMatchObject([{ isError: true }]);
    expect(resultsIn(played).map(textOf).join()).toMatch(named);
  });

  test('[FAULT-62] [SAFE-02b] a model that repeats its mistake is ended by the loop guard', async () => {
    const mistakes = [1, 2, 3, 4, 5].map((round) => calls(wire, callOf(`c${round}`, '{"txt":"a"}')));
    const { session } = await httpSession(wire, mistakes);
    expect(await session.ask('go')).toMatchObject({ status: 'loop_detected' });
  });

  test('[FAULT-63] [MSG-09b] an id twice in a message and again later: every call has its own result', async () => {
    const twice = calls(wire, callOf('same', said('one')), callOf('same', said('two')));
    const again = calls(wire, callOf('same', said('three')));
    const played = await httpSession(wire, [twice, again, textAnswerOf(wire, 'done')]);
    expect(await played.session.ask('go')).toMatchObject({ answer: 'done', toolCalls: 3 });
    expect(new Set(resultsIn(played).map(({ callId }) => callId)).size).toBe(3);
    expect(resultsIn(played).map(textOf)).toEqual(['one', 'two', 'three']);
  });

  test('[FAULT-70] a cancel with 3 of 5 tools done: 3 results, 2 synthetic ones, and it can go on', async () => {
    const batch = calls(wire, ...['1', '2', '3', '4', '5'].map((n) => callOf(`c${n}`, said(n))));
    let done = 0;
    const played: HttpSession = await httpSession(wire, [batch, textAnswerOf(wire, 'done')], {
      keepAlive: true,
      tools: {
        echo: ({ callId, signal }) => {
          if (callId === 'c4' || callId === 'c5') return untilAborted(signal);
          done += 1;
          if (done === 3) queueMicrotask(() => played.session.send('abort'));
          return callId;
        },
      },
    });
    const { session } = played;
    await session.ask('go');
    expect(session.state.lastResult).toMatchObject({ status: 'aborted' });
    await session.ask('go on');
    expect(session.state.lastResult).toMatchObject({ status: 'completed', answer: 'done' });
    expect(resultsIn(played).map(({ isError }) => isError)).toEqual([false, false, false, true, true]);
    expect(played.server.requests.map(({ refusal }) => refusal)).toEqual([undefined, undefined]);
  });

  test('[SAFE-03e] [FAULT-73] a budget reached in a fan-out: its calls are answered, and no request follows', async () => {
    const batch = calls(wire, ...['1', '2', '3', '4', '5'].map((n) => callOf(`c${n}`, said(n))));
    const settings = { budget: { tokens: 110 } };
    const { session, server } = await httpSession(wire, [batch], { settings });
    expect(await session.ask('go')).toMatchObject({ status: 'budget_exceeded', toolCalls: 5 });
    expect(server.requests).toHaveLength(1);
  });
});

describe('[LOOP-30] a refusal', () => {
  test('[FAULT-66] [LOOP-30ac] [WORD-08b] stands in log and result, and none of its calls runs', async () => {
    const events = sampleEvents('anthropic').map((event) =>
      event['type'] === 'message_delta' ? { ...event, delta: { stop_reason: 'refusal' } } : event,
    );
    const { session } = await httpSession('anthropic', [{ chunks: [toSse('anthropic', events)] }]);
    const result = await session.ask('go');
    expect(result).toMatchObject({
      status: 'failed',
      cause: 'refusal',
      answer: 'Größe prüfen…',
      error: { code: 'Model.Refusal' },
    });
    expect(session.ran).toEqual([]);
    // its call is answered all the same: the log stays valid
    expect(session.state.log.records.slice(-2)).toMatchObject([
      { role: 'assistant', stopDetail: 'refusal' },
      { role: 'tool_result', isError: true },
    ]);
  });

  test('[LOOP-30a] a session that stays can be asked another way', async () => {
    const refusal = reply([{ type: 'text', text: 'I cannot.' }], { stopDetail: 'refusal' });
    const session = new MemorySession({ model: inTurn(refusal, reply([{ type: 'text', text: 'Fine.' }])) });
    expect(await session.ask('go')).toMatchObject({ status: 'failed', cause: 'refusal' });
    expect(await session.ask('and now?')).toMatchObject({ status: 'completed', answer: 'Fine.' });
  });
});

test('[LOOP-30a] the refusal of a filter, which has no words of a model, has the cause too', async () => {
  const session = new MemorySession({ model: inTurn(fails('Model.Refusal')) });
  expect(await session.ask('go')).toMatchObject({ status: 'failed', cause: 'refusal' });
});

test('[LOOP-25c] a hook around the request that threw ends the run with its own cause', async () => {
  const session = new MemorySession({ model: inTurn(fails('Model.HookFailed')) });
  expect(await session.ask('go')).toMatchObject({ status: 'failed', cause: 'hook_error' });
});

test.each(['Model.Auth', 'Model.Quota'])(
  '[LOOP-12b] [FAULT-51] [FAULT-53] option onOperatorError fail: %s ends the run at once',
  async (type) => {
    const model = inTurn(fails(type, 'wait_for_operator'));
    const session = new MemorySession({ model, settings: { model: { onOperatorError: 'fail' } } });
    expect(await session.ask('go')).toMatchObject({ status: 'failed', error: { code: type } });
  },
);

test('a call that failed after the provider had answered is paid for, once', async () => {
  const wasted = { input: 300, cacheRead: 0, cacheWrite: 0, output: 30 };
  const failed = { ...fails('Model.EmptyResponse'), paid: { costUsd: 0.5, wasted } };
  const session = new MemorySession({ model: inTurn(failed) });
  expect(await session.ask('go')).toMatchObject({ costUsd: 0.5, usage: { main: wasted } });
  expect(session.state).toMatchObject({ costUsd: 0.5, usage: { main: wasted } });
});

function untilAborted(signal: AbortSignal): Promise<string> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('tool execution aborted')), { once: true });
  });
}

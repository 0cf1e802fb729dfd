// The loop in memory: what it asks the model, what it runs, and how a run ends.
import { describe, expect, test } from 'vitest';
import { overtaken } from '../../../src/core/session/inbox.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import { calls, fails, gate, inTurn, says } from '../../support/memory-model.ts';
import { textAnswer } from '../../../src/core/state/own-answers.ts';
import { MemorySession } from '../../support/memory-session.ts';

const echo = ({ callId }: { callId: string }) => `result of ${callId}`;
const rolesOf = (session: MemorySession) => session.state.log.records.map((record) => record.role);
const logOf = (session: MemorySession) =>
  session.state.log.records.map((record) =>
    record.role === 'tool_result' ? record.callId : `${record.role}: ${textOf(record)}`,
  );

describe('turns', () => {
  test('[LOOP-01ab] [LOOP-27] calls the model and its tools until a message has no calls', async () => {
    const session = new MemorySession({
      model: inTurn(calls('a'), calls('b', 'c'), says('The pool is too small.')),
      tools: { echo },
    });
    const result = await session.ask('Why is checkout slow?');
    expect(result).toMatchObject({
      status: 'completed',
      cause: 'answer',
      answer: 'The pool is too small.',
      turns: 3,
      toolCalls: 3,
    });
    // a plain tool loop: one request a turn, and no other model call
    expect(session.requests).toHaveLength(3);
    expect(session.requests.map(({ toolChoice }) => toolChoice)).toEqual(['auto', 'auto', 'auto']);
    expect(session.asked).toEqual([]);
  });

  test('[LOOP-01a] a run ends only when both queues are empty', async () => {
    const session = new MemorySession({ model: inTurn(says('one'), says('two'), says('three')) });
    session.prompt('go');
    session.followUp('later');
    session.steer('now');
    await session.run();
    expect(session.state.lastResult).toMatchObject({ runId: 'run-1', answer: 'two', turns: 2 });
    expect(logOf(session)).toEqual([
      'user: go',
      'user: now',
      'assistant: one',
      `user: ${overtaken}`,
      'user: later',
      'assistant: two',
    ]);
  });

  test('[LOOP-02] the parts of a turn come in their order', async () => {
    const session = new MemorySession({
      model: inTurn(calls('a'), says('done'), says('more')),
      tools: { echo },
    });
    session.prompt('go');
    session.steer('hint');
    session.followUp('later');
    await session.run();
    const types = session
      .events('message_end', 'tool_execution_start', 'turn_start', 'turn_end', 'queue_update', 'agent_end')
      .map((event) =>
        'role' in event ? event.role : event.type === 'queue_update' ? event.queue : event.type,
      );
    // oxfmt-ignore
    expect(types.slice(2)).toEqual([
      'steering', 'turn_start', 'user', 'user', 'assistant', 'tool_execution_start', 'tool_result',
      'turn_end', 'turn_start', 'assistant', 'turn_end',
      // follow-ups are polled only where the run would stop
      'followUp', 'turn_start', 'user', 'user', 'assistant', 'turn_end', 'agent_end',
    ]);
  });

  test('[LOOP-04] steering that waits enters turn 1 after the prompt', async () => {
    const session = new MemorySession({ model: inTurn(says('ok')) });
    session.prompt('go', 'on');
    session.steer('first look at the pool');
    await session.run();
    expect(session.requests).toHaveLength(1);
    expect(logOf(session)).toEqual(['user: go', 'user: on', 'user: first look at the pool', 'assistant: ok']);
  });

  test('[MSG-14] a prompt stands once in the log and in each request', async () => {
    const session = new MemorySession({ model: inTurn(calls('a'), says('ok')), tools: { echo } });
    await session.ask('only once');
    for (const { messages } of session.requests) {
      expect(messages.filter((message) => textOf(message) === 'only once')).toHaveLength(1);
    }
    expect(logOf(session).filter((line) => line === 'user: only once')).toHaveLength(1);
  });
});

describe('tool batches', () => {
  test('[LOOP-03ab] the reply is in the log before its tools start, and every call has one result in order', async () => {
    const rolesAtStart: string[][] = [];
    const slow = gate<string>();
    const session = new MemorySession({
      model: inTurn(calls('a:slow', 'b', 'c:missing'), says('done')),
      tools: {
        slow: () => slow.promise,
        echo: () => {
          rolesAtStart.push(rolesOf(session));
          slow.open('late');
          return 'early';
        },
      },
    });
    await session.ask('go');
    expect(rolesAtStart).toEqual([['user', 'assistant']]);
    expect(logOf(session)).toEqual(['user: go', 'assistant: ', 'a', 'b', 'c', 'assistant: done']);
    const [, second] = session.requests;
    expect(second?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool_result',
      'tool_result',
      'tool_result',
    ]);
  });

  test('[LOOP-03b] two calls with one id get one result each, and one of them runs', async () => {
    const session = new MemorySession({ model: inTurn(calls('a', 'a', 'b'), says('done')), tools: { echo } });
    await session.ask('go');
    expect(session.ran).toEqual(['a', 'b']);
    expect(logOf(session).slice(2, 5)).toEqual(['a', 'a', 'b']);
    const results = session.state.log.records.filter((record) => record.role === 'tool_result');
    expect(results.map(({ isError }) => isError)).toEqual([false, true, false]);
  });

  test('[MSG-06b] [LOOP-05abc] a batch in which every result terminates ends the run without another model call', async () => {
    const stop = ({ callId }: { callId: string }) => ({
      ...textAnswer({ call: { callId, name: 'stop' } }, 'bye'),
      terminate: true,
    });
    const both = new MemorySession({ model: inTurn(calls('a:stop', 'b:stop')), tools: { stop } });
    expect(await both.ask('go')).toMatchObject({ status: 'completed', cause: 'terminate', turns: 1 });
    const one = new MemorySession({ model: inTurn(calls('a:stop', 'b'), says('on')), tools: { stop, echo } });
    expect(await one.ask('go')).toMatchObject({ status: 'completed', cause: 'answer', turns: 2 });
    expect(JSON.stringify(one.requests[1]?.messages)).not.toContain('terminate');
    const steered = new MemorySession({
      model: (request) => {
        if (request.input.turn > 1) return says(`turn ${request.input.turn}`);
        steered.steer('wait');
        steered.followUp('and then');
        return calls('a:stop');
      },
      tools: { stop },
    });
    expect(await steered.ask('go')).toMatchObject({ cause: 'answer', turns: 3, answer: 'turn 3' });
    expect(logOf(steered).slice(3)).toEqual([
      'user: wait',
      'assistant: turn 2',
      `user: ${overtaken}`,
      'user: and then',
      'assistant: turn 3',
    ]);
  });

  test.each(['stop', 'tool_use', 'length'] as const)(
    '[FAULT-64] [LOOP-17bc] calls under stop reason stop are run; the result has the last reason, %s',
    async (last) => {
      const session = new MemorySession({
        model: inTurn({ ...calls('a'), stopReason: 'stop' }, says('done', { stopReason: last })),
        tools: { echo },
      });
      expect(await session.ask('go')).toMatchObject({ answer: 'done', stopReason: last });
      expect(session.ran).toEqual(['a']);
    },
  );

  test('[TOOL-06ac] an unknown tool gets an error result, and the run goes on', async () => {
    const session = new MemorySession({ model: inTurn(calls('a:gone'), says('ok')) });
    expect(await session.ask('go')).toMatchObject({ status: 'completed' });
    const result = session.requests[1]?.messages.at(-1);
    expect(result).toMatchObject({ role: 'tool_result', isError: true });
    expect(result && textOf(result)).toBe('Unknown tool gone');
  });

  test('[TOOL-07ab] a tool that throws fails alone: the others keep their results and the run goes on', async () => {
    const broken = () => {
      throw new Error('no such file');
    };
    const session = new MemorySession({
      model: inTurn(calls('a:broken', 'b'), says('ok')),
      tools: { broken, echo },
    });
    expect(await session.ask('go')).toMatchObject({ status: 'completed', answer: 'ok' });
    expect(session.requests[1]?.messages.slice(2)).toMatchObject([
      { callId: 'a', isError: true, content: [{ text: 'no such file' }] },
      { callId: 'b', isError: false, content: [{ text: 'result of b' }] },
    ]);
  });

  test('[TOOL-09abc] [TOOL-12ab] parallel calls start at once up to the limit; ends come as they come, results in order', async () => {
    const gates = new Map(['a', 'b', 'c'].map((id) => [id, gate<string>()]));
    const session = new MemorySession({
      model: inTurn(calls('a', 'b', 'c'), says('ok')),
      tools: { echo: ({ callId }) => gates.get(callId)?.promise ?? '' },
      settings: { loop: { toolConcurrency: 2 } },
    });
    session.prompt('go');
    const running = session.run();
    await session.until(() => session.ran.length === 2);
    expect(session.ran).toEqual(['a', 'b']);
    gates.get('b')?.open('b is done');
    await session.until(() => session.ran.length === 3);
    gates.get('c')?.open('c is done');
    await session.until(() => session.events('tool_execution_end').length === 2);
    gates.get('a')?.open('a is done');
    await running;
    expect(session.events('tool_execution_end').map(({ callId }) => callId)).toEqual(['b', 'c', 'a']);
    expect(logOf(session).slice(2, 5)).toEqual(['a', 'b', 'c']);
    const last = session.events('tool_execution_end').at(-1)?.seq ?? 0;
    const results = session
      .events('message_start', 'message_end')
      .filter(({ role }) => role === 'tool_result');
    expect(results.every(({ seq }) => seq > last)).toBe(true);
    expect(results).toHaveLength(6);
  });

  test.each([
    ['the run is sequential', { settings: { loop: { toolExecution: 'sequential' as const } } }],
    ['one tool of the batch is', { specs: { other: { executionMode: 'sequential' as const } } }],
  ])('[TOOL-10abc] calls run one by one in order when %s', async (_, options) => {
    const running = new Set<string>();
    let most = 0;
    const tool = async ({ callId }: { callId: string }) => {
      running.add(callId);
      most = Math.max(most, running.size);
      await Promise.resolve();
      running.delete(callId);
      return callId;
    };
    const session = new MemorySession({
      model: inTurn(calls('a', 'b:other', 'c'), says('ok')),
      tools: { echo: tool, other: tool },
      ...options,
    });
    await session.ask('go');
    expect(session.ran).toEqual(['a', 'b', 'c']);
    expect(most).toBe(1);
  });
});

describe('failures', () => {
  test('[LOOP-09ac] [LOOP-10a] a model failure ends the run, not the session, and stays out of the view', async () => {
    const session = new MemorySession({
      model: inTurn(calls('a'), fails('Model.InvalidRequest'), says('again')),
      tools: { echo },
      keepAlive: true,
    });
    await session.ask('go');
    expect(session.state.lastResult).toMatchObject({
      status: 'failed',
      cause: 'model_error',
      error: { code: 'Model.InvalidRequest' },
    });
    expect(session.state.log.records.at(-1)).toMatchObject({
      role: 'assistant',
      stopReason: 'error',
      errorMessage: 'It broke: Model.InvalidRequest',
    });
    const [end] = session.events('turn_end').slice(-1);
    expect(end).toMatchObject({ turn: 2, toolResultSeqs: [] });
    expect(session.events('agent_end')).toMatchObject([{ status: 'failed', cause: 'model_error' }]);
    expect(session.ran).toEqual(['a']);
    const moves = session.events('state_changed').map(({ to }) => to);
    expect(moves.slice(-2)).toEqual(['error', 'idle']);
    await session.ask('go on');
    expect(session.state.lastResult).toMatchObject({ runId: 'run-2', status: 'completed', answer: 'again' });
    expect(session.requests.at(-1)?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool_result',
      'user',
    ]);
  });

  test('[LOOP-15c] an answer that stayed empty fails the run with its own cause', async () => {
    const session = new MemorySession({ model: inTurn(fails('Model.EmptyResponse')) });
    expect(await session.ask('go')).toMatchObject({ status: 'failed', cause: 'empty_response' });
  });

  test('[LOOP-12a] waits for an operator, and repeats the same call on resume', async () => {
    const session = new MemorySession({
      model: inTurn(fails('Model.Auth', 'wait_for_operator'), says('ok')),
    });
    session.prompt('go');
    const running = session.run();
    await session.until(() => session.session.operatorReason !== undefined);
    expect(session.state.run).toBeDefined();
    session.send('resume');
    await running;
    expect(session.state.lastResult).toMatchObject({ status: 'completed', turns: 1 });
    expect(session.requests[1]?.messages).toEqual(session.requests[0]?.messages);
    // one message, however often it was asked for
    const assistant = session
      .events('message_start', 'message_end')
      .filter(({ role }) => role === 'assistant');
    expect(assistant.map(({ type }) => type)).toEqual(['message_start', 'message_end']);
  });

  test('[LOOP-12a] an abort ends the wait, also in the moment of a resume', async () => {
    const session = new MemorySession({ model: inTurn(fails('Model.Quota', 'wait_for_operator')) });
    session.prompt('go');
    const running = session.run();
    await session.until(() => session.session.operatorReason !== undefined);
    session.send('resume');
    session.send('abort');
    await running;
    expect(session.state.lastResult?.status).toBe('aborted');
    expect(session.requests).toHaveLength(1);
  });

  test('a context that cannot be assembled fails the run, and its prompt is in the log', async () => {
    const failure = { code: 'Run.ContextFailed', message: 'unknown agent' };
    const session = new MemorySession({
      model: inTurn(),
      bodies: { assembleContext: () => Promise.reject(new Error(failure.message)) },
    });
    expect(await session.ask('go')).toMatchObject({ status: 'failed', error: failure });
    expect(logOf(session)).toEqual(['user: go']);
    expect(session.state.lastResult?.newMessages).toMatchObject({ fromSeq: 1, toSeq: 1 });
  });
});

// Hooks at their points: what they get, what they may change, in which order, and what their failure means.
import { describe, expect, test } from 'vitest';
import type { HookInputs } from '@holdfast/vocabulary/hook';
import { textOf, userMessage } from '@holdfast/vocabulary/messages';
import { look } from '../../support/condense-sessions.ts';
import { calls, fails, gate, inTurn, says } from '../../support/memory-model.ts';
import { textAnswer } from '../../../src/core/state/own-answers.ts';
import type { PlainHook } from '../../../src/in-process/run-agent.ts';
import { MemorySession, type MemoryOptions } from '../../support/memory-session.ts';

const echo = ({ callId }: { callId: string }) => `result of ${callId}`;
const never: PlainHook = { name: 'never', beforeToolCall: () => undefined };
const resultsAt = (session: MemorySession, index: number) =>
  session.requests[index]?.messages.filter(({ role }) => role === 'tool_result').map(textOf);
const usersAt = (session: MemorySession, index: number) =>
  session.requests[index]?.messages.filter(({ role }) => role === 'user').map(textOf);

/** A session whose model makes the calls, then answers. */
function calling(
  hooks: PlainHook[],
  options: Partial<MemoryOptions> = {},
  ...wanted: string[]
): MemorySession {
  const model = inTurn(calls(...(wanted.length > 0 ? wanted : ['a'])), says('done'));
  return new MemorySession({ model, tools: { echo }, hooks, ...options });
}

describe('beforeToolCall', () => {
  test('[HOOK-02ab] gets the reply, the call, its validated arguments and the context; a block skips execution', async () => {
    const seen: HookInputs['beforeToolCall'][] = [];
    const block: PlainHook = {
      name: 'block',
      beforeToolCall(input) {
        seen.push(structuredClone(input));
        return input.toolCall.callId === 'a' ? { block: true, reason: 'not on a Friday' } : { block: false };
      },
    };
    const session = calling([block], {}, 'a:echo:{"n":"3"}', 'b');
    await session.ask('go');
    expect(session.ran).toEqual(['b']);
    expect(resultsAt(session, 1)).toEqual(['not on a Friday', 'result of b']);
    expect(seen[0]).toMatchObject({
      assistantMessage: { role: 'assistant', stopReason: 'tool_use' },
      toolCall: { callId: 'a', name: 'echo' },
      args: { n: '3' },
      context: {
        systemPrompt: 'You are a test.',
        tools: [{ name: 'echo' }],
        messages: [{ role: 'user' }, { role: 'assistant' }],
      },
    });
    const result = session.state.log.records.find((record) => record.role === 'tool_result');
    expect(result).toMatchObject({ callId: 'a', isError: true });
  });

  test('[HOOK-02bc] the default reason, and a block that ends the run', async () => {
    const session = new MemorySession({
      model: inTurn(calls('a')),
      tools: { echo },
      hooks: [{ name: 'end', beforeToolCall: () => ({ block: true, terminate: true }) }],
    });
    expect(await session.ask('go')).toMatchObject({ status: 'completed', cause: 'terminate' });
    expect(textOf(session.state.log.records.at(-1) ?? says(''))).toBe('Tool call blocked');
  });

  test('[TOOL-04c] [HOOK-02a] is not asked for calls that are unknown or denied', async () => {
    const asked: string[] = [];
    const session = calling(
      [{ name: 'look', beforeToolCall: ({ toolCall }) => void asked.push(toolCall.callId) }],
      { policy: { no: 'deny' }, tools: { echo, no: echo } },
      'a:gone',
      'b:no',
      'c',
    );
    await session.ask('go');
    expect(asked).toEqual(['c']);
  });

  test.each([
    ['parallel', ['ask a', 'ask b', 'ask c', 'run a', 'run b', 'run c']],
    ['sequential', ['ask a', 'run a', 'ask b', 'run b', 'ask c', 'run c']],
  ] as const)('[TOOL-11bc] %s', async (toolExecution, order) => {
    const seen: string[] = [];
    const session = calling(
      [{ name: 'look', beforeToolCall: ({ toolCall }) => void seen.push(`ask ${toolCall.callId}`) }],
      {
        settings: { loop: { toolExecution } },
        tools: { echo: ({ callId }) => (seen.push(`run ${callId}`), callId) },
        // a hook that takes its time: the others must be asked all the same before anything runs
        beforeHook: () => new Promise((resolve) => setImmediate(resolve)),
      },
      'a',
      'b',
      'c',
    );
    await session.ask('go');
    expect(seen).toEqual(order);
    const started = session.events('tool_execution_start').map(({ callId }) => callId);
    expect(started).toEqual(['a', 'b', 'c']);
  });

  test('[TOOL-18e] a stop while a hook is asked runs nothing, and every call is answered', async () => {
    const session: MemorySession = calling(
      [never],
      { beforeHook: () => void session.send('abort') },
      'a',
      'b',
    );
    expect(await session.ask('go')).toMatchObject({ status: 'aborted' });
    expect(session.ran).toEqual([]);
    expect(session.state.log.records.filter(({ role }) => role === 'tool_result')).toHaveLength(2);
  });

  test.each([[['a']], [['a', 'b']]])(
    '[HOOK-02b] a gate that was stopped has let nothing through, also when the stop is withdrawn by then: %j',
    async (wanted) => {
      const session: MemorySession = calling(
        [never],
        {
          beforeHook() {
            session.steer('now', 'now', 'interrupt');
            session.send('clearQueues');
            return 'stopped';
          },
        },
        ...wanted,
      );
      await session.ask('go');
      expect(session.ran).toEqual([]);
      expect(resultsAt(session, 1)).toEqual(wanted.map(() => 'tool execution aborted'));
    },
  );
});

describe('afterToolCall', () => {
  const change = (output: object): PlainHook => ({ name: 'change', afterToolCall: () => output });

  const nulls = { content: null, details: null, isError: null, terminate: null };
  const short = [{ type: 'text', text: 'short' }];
  test.each<[string, object, object]>([
    ['content', { content: 'short' }, { content: short }],
    ['content, with null for the others', { ...nulls, content: 'short' }, { content: short }],
    ['content by an empty one', { content: '' }, { content: [{ type: 'text', text: '' }] }],
    ['details, which are not merged', { details: { own: { b: 1 } } }, { details: { own: { b: 1 } } }],
    ['details, with null for the others', { ...nulls, details: 7 }, { details: 7 }],
    ['details by false', { details: false }, { details: false }],
    ['isError', { isError: false }, { isError: false }],
    ['isError, with null for the others', { ...nulls, isError: false }, { isError: false }],
    ['nothing, by null for all', nulls, {}],
    ['nothing, by none of them', {}, {}],
  ])('[HOOK-03ab] overrides %s, and keeps the rest', async (_, output, expected) => {
    const call = { call: { type: 'tool_call' as const, callId: 'a', name: 'echo', arguments: '{}' } };
    const original = {
      ...textAnswer(call, 'result').message,
      isError: true,
      details: { own: { a: 1 }, c: 2 },
    };
    const answer = { message: original, digest: 'digest-a', terminate: true };
    const session = calling([change(output)], { tools: { echo: () => answer } });
    const result = await session.ask('go');
    const record = session.state.log.records.find(({ role }) => role === 'tool_result');
    expect(record).toMatchObject({ callId: 'a', toolName: 'echo' });
    const { content, details, isError } = original;
    expect(pick(record)).toEqual({ content, details, isError, ...expected });
    // what the tool has said of the end of the run holds, too
    expect(result.cause).toBe('terminate');
    // a changed result is no longer the one that the worker has cached
    expect(record?.digest === undefined).toBe(Object.keys(expected).length > 0);
  });

  function pick(record: object = {}) {
    const { content, details, isError } = record as Record<'content' | 'details' | 'isError', unknown>;
    return { content, details, isError };
  }

  test('[HOOK-03b] terminate is overridden by false, and kept by null', async () => {
    const causes = await Promise.all(
      [false, null].map(async (terminate) => {
        const call = { call: { type: 'tool_call' as const, callId: 'a', name: 'echo', arguments: '{}' } };
        const answer = { ...textAnswer(call, 'result'), terminate: true };
        const session = calling([change({ terminate })], { tools: { echo: () => answer } });
        return (await session.ask('go')).cause;
      }),
    );
    expect(causes).toEqual(['answer', 'terminate']);
  });

  test('[HOOK-03c] is called for tools that failed, where it can set terminate; not for unknown, denied and blocked calls', async () => {
    const block: PlainHook = {
      name: 'block',
      beforeToolCall: ({ toolCall }) => ({ block: toolCall.callId === 'blocked', terminate: true }),
    };
    const seen: [string, string, boolean][] = [];
    const end: PlainHook = {
      name: 'end',
      afterToolCall({ toolCall, isError, result }) {
        seen.push([toolCall.callId, result.callId, isError]);
        return { terminate: true };
      },
    };
    const session = new MemorySession({
      model: inTurn(calls('failed:break', 'fine', 'unknown:gone', 'denied:no', 'blocked')),
      tools: { echo, no: echo, break: () => Promise.reject(new Error('broken')) },
      policy: { no: 'deny' },
      hooks: [block, end],
      settings: { loop: { maxTurns: 1, onLimit: 'error' } },
    });
    await session.ask('go');
    expect(seen.toSorted(([left], [right]) => (left < right ? -1 : 1))).toEqual([
      ['failed', 'failed', true],
      ['fine', 'fine', false],
    ]);
  });

  test('[HOOK-03a] a failed tool ends the run when a hook says so', async () => {
    const session = new MemorySession({
      model: inTurn(calls('a')),
      tools: { echo: () => Promise.reject(new Error('broken')) },
      hooks: [change({ terminate: true })],
    });
    expect(await session.ask('go')).toMatchObject({ status: 'completed', cause: 'terminate' });
  });

  const redact: PlainHook = { name: 'redact', afterToolCall: () => ({ content: 'redacted' }) };

  test.each(['abort', 'interrupt'] as const)(
    '[HOOK-03a] %s: what a tool has returned by then is changed all the same, also by a hook that is asked after it',
    async (stop) => {
      const session: MemorySession = calling(
        [redact],
        {
          tools: { echo: ({ callId }) => `SECRET of ${callId}` },
          beforeHook: (point) => {
            if (point !== 'afterToolCall') return;
            if (stop === 'abort') session.send('abort');
            else session.steer('now', 'now', 'interrupt');
          },
        },
        'a',
        'b',
      );
      await session.ask('go');
      expect(session.ran).toEqual(['a', 'b']);
      expect(JSON.stringify([session.state.log, session.seen, session.requests])).not.toContain('SECRET');
      const results = session.state.log.records.filter(({ role }) => role === 'tool_result');
      expect(results.map(textOf)).toEqual(['redacted', 'redacted']);
    },
  );

  test('[HOOK-03a] a result that a hook could not see to its end is withheld, with all that came with it', async () => {
    const call = { call: { type: 'tool_call' as const, callId: 'a', name: 'echo', arguments: '{}' } };
    const plain = textAnswer(call, 'SECRET');
    const answer = { ...plain, message: { ...plain.message, details: 'SECRET', artifactId: 'SECRET' } };
    const session: MemorySession = calling([redact], {
      tools: { echo: () => answer },
      specs: { echo: { effect: 'once' } },
      beforeHook: (point) => (point === 'afterToolCall' ? 'stopped' : undefined),
    });
    await session.ask('go');
    expect(resultsAt(session, 1)).toEqual([
      'tool execution aborted; it may have taken effect: verify before you repeat it. What it returned is withheld: hook redact was stopped before it had seen it.',
    ]);
    expect(JSON.stringify([session.state.log, session.seen, session.requests])).not.toContain('SECRET');
  });

  test('[TOOL-12a] parallel: hooks and ends come in the order of completion, results in the order of the calls', async () => {
    const first = gate<string>();
    const seen: string[] = [];
    const session: MemorySession = calling(
      [{ name: 'look', afterToolCall: ({ toolCall }) => void seen.push(toolCall.callId) }],
      {
        tools: {
          echo: ({ callId }) => {
            if (callId === 'a') return first.promise;
            setImmediate(() => first.open('late'));
            return callId;
          },
        },
      },
      'a',
      'b',
    );
    await session.ask('go');
    expect(seen).toEqual(['b', 'a']);
    expect(session.events('tool_execution_end').map(({ callId }) => callId)).toEqual(['b', 'a']);
    expect(resultsAt(session, 1)).toEqual(['late', 'b']);
  });
});

describe('a throw', () => {
  test.each(['beforeToolCall', 'afterToolCall'] as const)(
    '[HOOK-04a] in %s is the error of that call',
    async (point) => {
      const session = calling(
        [
          {
            name: 'bad',
            [point]: (input: HookInputs[typeof point]) => explode(input.toolCall.callId === 'a'),
          },
        ],
        {},
        'a',
        'b',
      );
      expect(await session.ask('go')).toMatchObject({ status: 'completed' });
      expect(resultsAt(session, 1)).toEqual(['Hook bad failed: boom', 'result of b']);
      expect(session.ran.includes('a')).toBe(point === 'afterToolCall');
    },
  );

  test.each([
    'beforeComplete',
    'afterComplete',
    'afterResponse',
    'prepareNextTurn',
    'shouldStopAfterTurn',
    'runStart',
    'runEnd',
  ] as const)('[HOOK-04b] [HOOK-07c] in %s ends the run as failed, with what it has', async (point) => {
    const session = new MemorySession({
      model: inTurn(says('done')),
      hooks: [{ name: 'bad', [point]: () => explode(true) }],
    });
    const result = await session.ask('go');
    expect(result).toMatchObject({
      status: 'failed',
      cause: 'hook_error',
      error: { code: 'Run.HookFailed', message: 'Hook bad failed: boom' },
    });
    const [end] = session.events('agent_end');
    expect(end?.newMessages).toEqual({ fromSeq: 1, toSeq: session.state.log.nextSeq - 1 });
    expect(result.newMessages).toEqual(end?.newMessages);
    expect(session.state.status).toBe('idle');
  });
});

describe('turn hooks', () => {
  test('[LOOP-02] [HOOK-07b] the order of a turn', async () => {
    const order: string[] = [];
    const note = (what: string) => () => void order.push(what);
    const all: PlainHook = {
      name: 'all',
      beforeComplete: note('before_complete'),
      afterComplete: note('after_complete'),
      afterResponse: note('afterResponse'),
      beforeToolCall: note('beforeToolCall'),
      afterToolCall: note('afterToolCall'),
      prepareNextTurn: note('prepareNextTurn'),
      shouldStopAfterTurn: note('shouldStopAfterTurn'),
    };
    const session: MemorySession = new MemorySession({
      model: (request) => (order.push('model'), request.messages.length < 3 ? calls('a') : says('done')),
      tools: { echo: () => (order.push('tool'), session.steer('s'), 'ok') },
      hooks: [all],
    });
    const events = ['turn_start', 'turn_end', 'message_end', 'queue_update'];
    session.onChange = () => {
      const event = session.seen.at(-1);
      if (!event || !events.includes(event.type) || order.includes(`${event.type} ${event.seq}`)) return;
      order.push(`${event.type} ${event.seq}`);
    };
    await session.ask('go');
    const names = order.map((entry) => entry.split(' ')[0]);
    // oxfmt-ignore
    expect(names.slice(names.indexOf('before_complete'), names.lastIndexOf('before_complete'))).toEqual([
      'before_complete', 'model', 'message_end', 'after_complete', 'afterResponse',
      'beforeToolCall', 'tool', 'queue_update', 'afterToolCall', 'message_end', 'turn_end',
      'prepareNextTurn', 'shouldStopAfterTurn', 'queue_update', 'message_end',
    ]);
    expect(names.filter((name) => name === 'prepareNextTurn')).toHaveLength(2);
  });

  test('[LOOP-02] [LOOP-06c] a condense that is due comes before them, and they before the request; it is no response', async () => {
    const order: string[] = [];
    const session = new MemorySession({
      model: ({ input }) => {
        order.push(`model ${input.turn}`);
        return look(input.turn, input.turn === 5 ? 900 : 100);
      },
      tools: { look: () => 'ok' },
      hooks: [{ name: 'note', beforeComplete: () => void order.push('before_complete') }],
      condense: () => (order.push('condense'), 'short'),
      settings: { model: { contextWindow: 1_000 }, loop: { maxTurns: 6, onLimit: 'error' } },
    });
    await session.ask('go');
    expect(order.slice(-4)).toEqual(['model 5', 'condense', 'before_complete', 'model 6']);
  });

  test('a change of settings between turns keeps the settings of toolsets that the run began with', async () => {
    const begun: unknown[] = [];
    const session: MemorySession = calling(
      [{ name: 'think', prepareNextTurn: () => ({ thinkingLevel: 'low' }) }],
      { bodies: { assembleContext: (input) => (begun.push(input.begun), session.context) } },
    );
    session.context.sourceDigests = { 'toolset:own': 'digest' };
    await session.ask('go');
    const [start, change] = begun;
    expect(start).toBeUndefined();
    expect(change).toMatchObject({ sourceDigests: { 'toolset:own': 'digest' } });
  });

  test('[HOOK-07a] get phase, iteration, context, usage and the name of the agent', async () => {
    const seen: HookInputs['beforeComplete'][] = [];
    const look = (input: HookInputs['beforeComplete']) => void seen.push(structuredClone(input));
    const session = calling([{ name: 'look', beforeComplete: look, afterComplete: look }]);
    await session.ask('go');
    expect(
      seen.map(({ phase, iteration, usage, context }) => [
        phase,
        iteration,
        usage.input,
        context.messages.length,
      ]),
    ).toEqual([
      ['before_complete', 0, 0, 1],
      ['after_complete', 0, 10, 2],
      ['before_complete', 1, 10, 3],
      ['after_complete', 1, 20, 4],
    ]);
    expect(seen[0]?.agentName).toBe('tester');
  });

  test('[HOOK-08ab] run in the order of registration; their state is reset at each run and goes over a hand-over', async () => {
    const order: unknown[] = [];
    const counting = (name: string): PlainHook => ({
      name,
      beforeComplete(_, { state, setState }) {
        order.push(`${name} ${JSON.stringify(state)}`);
        setState(typeof state === 'number' ? state + 1 : 1);
        return undefined;
      },
    });
    let current: MemorySession;
    const options: MemoryOptions = {
      model: inTurn(calls('a'), says('one'), says('two')),
      tools: { echo: () => (current.requestHandOver(), 'ok') },
      hooks: [counting('first'), counting('second')],
      keepAlive: true,
    };
    current = new MemorySession(options);
    current.prompt('go');
    expect(await current.run()).toBe('hand_over');
    current = new MemorySession(options, current.carry());
    const running = current.run();
    await current.until(() => current.state.lastResult !== undefined && !current.busy);
    current.prompt('again');
    current.send('shutdown');
    await running;
    // oxfmt-ignore
    expect(order).toEqual([
      'first undefined', 'second undefined', 'first 1', 'second 1',
      'first undefined', 'second undefined',
    ]);
  });

  test('[HOOK-08b] one that is listed twice remembers twice', async () => {
    const reflection = { name: 'reflection', params: { threshold: 4 } };
    const failing = calls('a:fail');
    const session = new MemorySession({
      model: inTurn(failing, failing, failing, failing, says('done')),
      tools: { fail: () => Promise.reject(new Error('no')) },
      hooks: [reflection, reflection],
      settings: { loop: { warn: 0, stop: 0 } },
    });
    await session.ask('go');
    const asked = session.requests.map(
      ({ messages }) => messages.filter((message) => textOf(message).includes('what was wrong')).length,
    );
    expect(asked).toEqual([0, 0, 0, 0, 2]);
  });

  test('[HOOK-07b] what one says enters the log before the request, behind all results', async () => {
    const session = calling([
      { name: 'say', beforeComplete: ({ iteration }) => ({ inject: `turn ${iteration}` }) },
    ]);
    await session.ask('go');
    expect(
      session.requests[1]?.messages.map((message) =>
        message.role === 'tool_result' ? message.callId : textOf(message),
      ),
    ).toEqual(['go', 'turn 0', '', 'a', 'turn 1']);
    expect(session.state.log.records.map(({ role }) => role)).toEqual([
      'user',
      'user',
      'assistant',
      'tool_result',
      'user',
      'assistant',
    ]);
  });

  test('[HOOK-07b] [MSG-10] what one says after the reply waits until the results are in', async () => {
    const session = calling([
      {
        name: 'say',
        afterComplete: ({ iteration }) => (iteration === 0 ? { inject: 'mind the pool' } : undefined),
      },
    ]);
    await session.ask('go');
    expect(session.requests[1]?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool_result',
      'user',
    ]);
    expect(session.state.log.records.map(({ role }) => role).slice(0, 4)).toEqual([
      'user',
      'assistant',
      'tool_result',
      'user',
    ]);
  });

  test('[LOOP-09b] after a failed model call no turn hook runs', async () => {
    const called: string[] = [];
    const look: PlainHook = {
      name: 'look',
      afterComplete: () => void called.push('afterComplete'),
      afterResponse: () => void called.push('afterResponse'),
      prepareNextTurn: () => void called.push('prepareNextTurn'),
      shouldStopAfterTurn: () => void called.push('shouldStopAfterTurn'),
    };
    const session = new MemorySession({ model: inTurn(fails('Model.NotFound')), hooks: [look] });
    expect(await session.ask('go')).toMatchObject({ status: 'failed', cause: 'model_error' });
    expect(called).toEqual([]);
  });

  test('[QUEUE-17a] an interrupting message while a turn hook runs is taken before the model is asked', async () => {
    let hooks = 0;
    const session: MemorySession = new MemorySession({
      model: inTurn(says('done')),
      hooks: [{ name: 'slow', beforeComplete: () => undefined }],
      beforeHook: () => void (++hooks === 1 && session.steer('now', 'now', 'interrupt')),
    });
    await session.ask('go');
    expect(usersAt(session, 0)).toEqual(['go', 'now']);
    expect(session.requests).toHaveLength(1);
  });

  test('[HOOK-09] [MSG-10] progress asks for a note before every fifth request, where there is a place for notes', async () => {
    const run = async (tools: string[]) => {
      let replies = 0;
      const session = new MemorySession({
        model: () => (++replies > 11 ? says('done') : calls(`c${replies}:${tools[0]}`)),
        tools: Object.fromEntries(tools.map((name) => [name, ({ callId }: { callId: string }) => callId])),
        hooks: [{ name: 'progress' }],
        settings: { loop: { maxTurns: 0 } },
      });
      await session.ask('go');
      return session.requests.map(
        ({ messages }) => messages.filter((message) => textOf(message).includes('progress note')).length,
      );
    };
    expect(await run(['echo', 'list_notes'])).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2]);
    expect(await run(['echo'])).toEqual(Array(12).fill(0));
  });

  test('[REFLECT-01a] [REFLECT-02bc] [MSG-10] reflection asks for criticism after two failed turns in a row, and counts anew', async () => {
    let replies = 0;
    const failing = [true, true, true, true, true, false, true];
    const session = new MemorySession({
      model: () => (++replies > failing.length ? says('done') : calls(`c${replies}`)),
      tools: {
        echo: ({ callId }) =>
          failing[Number(callId.slice(1)) - 1] ? Promise.reject(new Error(`no ${callId}`)) : callId,
      },
      hooks: [{ name: 'reflection' }],
      settings: { loop: { maxTurns: 0 } },
    });
    await session.ask('go');
    const asked = session.requests.map(
      ({ messages }) => messages.filter((message) => textOf(message).includes('what was wrong')).length,
    );
    expect(asked).toEqual([0, 0, 1, 1, 2, 2, 2, 2]);
    expect(usersAt(session, 2)?.at(-1)).toContain('- echo: no c2');
  });

  /** How often each request of the session asks for criticism; calls whose id begins with "bad" fail. */
  const reflecting = (threshold: number | undefined, ...replies: ReturnType<typeof calls>[]) => {
    const session: MemorySession = new MemorySession({
      model: inTurn(...replies),
      tools: {
        echo: ({ callId }) => (callId.startsWith('bad') ? Promise.reject(new Error(`no ${callId}`)) : callId),
      },
      hooks: [{ name: 'reflection', ...(threshold === undefined ? {} : { params: { threshold } }) }],
      settings: { loop: { maxTurns: 0, warn: 0, stop: 0 } },
      keepAlive: true,
    });
    const asked = () =>
      session.requests.map(
        ({ messages }) => messages.filter((message) => textOf(message).includes('what was wrong')).length,
      );
    const ask = async (prompt: string) => {
      const runs = session.state.runs + 1;
      session.prompt(prompt);
      await session.until(() => session.state.runs === runs && !session.busy);
    };
    return { session, asked, ask };
  };

  test('[REFLECT-01bc] a turn with one good result has not failed; with threshold 1 every failed turn is followed by a message that names all its failures', async () => {
    const mixed = reflecting(undefined, calls('bad1', 'good'), calls('bad2', 'good2'), says('done'));
    const every = reflecting(1, calls('bad1', 'bad2'), calls('bad3'), calls('good'), says('done'));
    for (const { session, ask } of [mixed, every]) {
      const running = session.run();
      await ask('go');
      session.send('shutdown');
      await running;
    }
    expect(mixed.asked()).toEqual([0, 0, 0]);
    expect(every.asked()).toEqual([0, 1, 2, 2]);
    expect(usersAt(every.session, 1)?.at(-1)).toMatch(/- echo: no bad1\n- echo: no bad2\n/);
  });

  test('[REFLECT-02ab] a new run begins to count anew, though its view has the failure of the one before', async () => {
    const { session, asked, ask } = reflecting(
      undefined,
      calls('bad1'),
      says('done'),
      calls('bad2'),
      calls('bad3'),
      says('done'),
    );
    const running = session.run();
    await ask('go');
    await ask('again');
    session.send('shutdown');
    await running;
    expect(asked()).toEqual([0, 0, 0, 0, 1]);
  });
});

describe('between turns', () => {
  test('[HOOK-05bc] [MSG-15ab] [PROMPT-04] a replaced context holds for the rest of the run, in an epoch of its own; log and session keep theirs', async () => {
    const ranges: [from: number, to: number, roles: string[] | undefined][] = [];
    const replace: PlainHook = {
      name: 'replace',
      prepareNextTurn: ({ newMessages: { fromSeq, toSeq, messages }, toolResults }) => {
        ranges.push([fromSeq, toSeq, messages?.map(({ role }) => role)]);
        if (toolResults.length === 0) return undefined;
        return {
          context: {
            messages: [{ role: 'user', content: [{ type: 'text', text: 'in short' }], origin: 'injected' }],
            systemPrompt: 'Be brief.',
            tools: ['echo'],
          },
          model: 'other',
          thinkingLevel: 'high',
        };
      },
    };
    const session = new MemorySession({
      model: inTurn(calls('a'), says('done'), says('and?')),
      tools: { echo, more: echo },
      hooks: [replace],
      keepAlive: true,
    });
    await session.ask('go');
    const [first, second] = session.requests;
    expect(usersAt(session, 1)).toEqual(['in short']);
    expect(second?.messages).toHaveLength(1);
    expect(second?.input.view.epoch).toBeGreaterThan(first?.input.view.epoch ?? 0);
    expect(session.state.context).toMatchObject({
      systemPrompt: 'Be brief.',
      model: { id: 'other' },
      tools: [{ name: 'echo' }],
      settings: { model: { thinkingLevel: 'high' } },
    });
    expect(session.events('prefix_changed')).toMatchObject([{ reason: 'prepareNextTurn' }]);
    expect(session.state.log.records.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool_result',
      'assistant',
    ]);
    expect(session.state.lastResult?.newMessages).toMatchObject({ fromSeq: 1, toSeq: 4 });
    await session.ask('next');
    expect(session.requests[2]?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool_result',
      'assistant',
      'user',
    ]);
    expect(session.state.context).toMatchObject({ systemPrompt: 'You are a test.', model: { id: 'test' } });
    expect(ranges).toEqual([
      [1, 3, ['user', 'assistant', 'tool_result']],
      [1, 4, ['user', 'assistant', 'tool_result', 'assistant']],
      [5, 6, ['user', 'assistant']],
    ]);
  });

  test('[HOOK-05bc] what was changed holds over the next change, of another hook or another turn', async () => {
    const first: PlainHook = {
      name: 'first',
      prepareNextTurn: () =>
        session.state.run?.turn === 1 ? { context: { systemPrompt: 'Be brief.' } } : { model: 'other' },
    };
    const second: PlainHook = { name: 'second', prepareNextTurn: () => ({ thinkingLevel: 'high' }) };
    const session: MemorySession = new MemorySession({
      model: inTurn(calls('a'), calls('b'), says('done')),
      tools: { echo },
      hooks: [first, second],
    });
    const seen: unknown[] = [];
    session.onChange = () => {
      const { systemPrompt, model, settings } = session.state.context ?? {};
      if (session.requests.length > seen.length)
        seen.push([systemPrompt, model?.id, settings?.model.thinkingLevel]);
    };
    await session.ask('go');
    expect(seen).toEqual([
      ['You are a test.', 'test', 'off'],
      ['Be brief.', 'test', 'high'],
      ['Be brief.', 'other', 'high'],
    ]);
  });

  test('[STATE-07b] [HOOK-05c] a setting for the next run does not come in with a change of this one', async () => {
    const replace: PlainHook = { name: 'replace', prepareNextTurn: () => ({ thinkingLevel: 'high' }) };
    const prompts: unknown[] = [];
    const set = (systemPrompt: string) =>
      session.session.record({ type: 'settings_changed', settings: { systemPrompt } });
    const session: MemorySession = new MemorySession({
      model: (request) => {
        prompts.push(session.state.context?.systemPrompt);
        set(`For run ${request.input.runId}, and later.`);
        return request.input.turn === 1 ? calls('a') : says('done');
      },
      tools: { echo },
      hooks: [replace],
      keepAlive: true,
    });
    set('From the start.');
    await session.ask('go');
    await session.ask('again');
    expect(prompts).toEqual([
      'From the start.',
      'From the start.',
      'For run run-1, and later.',
      'For run run-1, and later.',
    ]);
  });

  test('[HOOK-05a] after a turn that was interrupted nothing is prepared', async () => {
    const turns: number[] = [];
    const session: MemorySession = new MemorySession({
      model: (request) => {
        if (request.input.turn > 1) return says('done');
        session.steer('now', 'now', 'interrupt');
        return { type: 'stopped' };
      },
      hooks: [{ name: 'look', prepareNextTurn: () => void turns.push(session.state.run?.turn ?? 0) }],
    });
    await session.ask('go');
    expect(turns).toEqual([2]);
  });

  test('[HOOK-06] [QUEUE-06a] shouldStopAfterTurn ends the run before another request and without a poll, and sees the replaced context', async () => {
    const seen: string[] = [];
    const messages = [userMessage('in short', 'injected')];
    const session: MemorySession = new MemorySession({
      model: inTurn(calls('a')),
      tools: { echo: () => (session.steer('s'), session.followUp('f'), 'ok') },
      hooks: [
        { name: 'replace', prepareNextTurn: () => ({ context: { systemPrompt: 'Be brief.', messages } }) },
        {
          name: 'stop',
          shouldStopAfterTurn: ({ context }) => {
            seen.push(context.systemPrompt, ...context.messages.map(textOf));
            return { stop: true };
          },
        },
      ],
    });
    expect(await session.ask('go')).toMatchObject({ status: 'completed', cause: 'should_stop' });
    expect(seen).toEqual(['Be brief.', 'in short']);
    expect(session.snapshot.queues).toEqual({ steering: ['s'], followUp: ['f'] });
  });
});

describe('middleware', () => {
  const around = (name: string, order: string[]): PlainHook => ({
    name,
    runStart: () => void order.push(`${name}-in`),
    runEnd: () => void order.push(`${name}-out`),
  });

  test('[HOOK-12] the first listed is outermost', async () => {
    const order: string[] = [];
    const session = new MemorySession({
      model: () => (order.push('run'), says('done')),
      hooks: [around('A', order), around('B', order)],
    });
    await session.ask('go');
    expect(order).toEqual(['A-in', 'B-in', 'run', 'B-out', 'A-out']);
  });

  test('[HOOK-04b] [HOOK-12] a hook that fails at the end fails the run; those outside are called with that', async () => {
    const seen: unknown[] = [];
    const session = new MemorySession({
      model: () => says('done'),
      hooks: [
        { name: 'outer', runEnd: ({ status, cause }) => void seen.push([status, cause]) },
        { name: 'bad', runEnd: () => explode(true) },
      ],
    });
    expect(await session.ask('go')).toMatchObject({ status: 'failed', cause: 'hook_error' });
    expect(seen).toEqual([['failed', 'hook_error']]);
  });

  /** Beside the hook there are two that only look: one outside it, one inside. */
  const amid = (hook: PlainHook, order: string[]): PlainHook[] => [
    around('outer', order),
    hook,
    around('inner', order),
  ];

  test('[HOOK-18a] a hook at the start answers the run: no model is asked, and its words are the answer', async () => {
    const order: string[] = [];
    const known: PlainHook = {
      name: 'known',
      runStart: ({ task }) => ({ answer: `${task}: see runbook 7` }),
    };
    const session = new MemorySession({
      model: inTurn(),
      hooks: amid(known, order),
      tools: { report: echo },
      settings: { tools: ['report'] },
    });
    expect(await session.ask('disk full')).toMatchObject({
      status: 'completed',
      cause: 'answer',
      answer: 'disk full: see runbook 7',
      costUsd: 0,
    });
    expect(session.state.log.records.map((record) => [record.role, textOf(record)])).toEqual([
      ['user', 'disk full'],
      ['assistant', 'disk full: see runbook 7'],
    ]);
    expect(order).toEqual(['outer-in', 'inner-in', 'inner-out', 'outer-out']);
  });

  test('[HOOK-18a] [QUEUE-05a] a follow-up of an answered run is asked of the model', async () => {
    const session: MemorySession = new MemorySession({
      model: inTurn(says('looked')),
      hooks: [{ name: 'known', runStart: ({ task }) => (task === 'one' ? { answer: 'known' } : undefined) }],
      keepAlive: true,
    });
    await session.ask('one');
    await session.ask('two');
    expect(session.state.lastResult).toMatchObject({ answer: 'looked' });
  });

  test('[HOOK-18a] [QUEUE-21d] what a person says while a hook answers the run is not taken from the queue unread', async () => {
    const session: MemorySession = new MemorySession({
      model: inTurn(says('looked')),
      hooks: [
        {
          name: 'known',
          runStart: ({ task }) => {
            if (task !== 'one') return undefined;
            session.steer('s1', 'not the runbook: it is wrong');
            return { answer: 'see runbook 7' };
          },
        },
      ],
      keepAlive: true,
    });
    await session.ask('one');
    expect(session.session.inbox.receipt('s1')).toMatchObject({ state: 'queued' });
  });

  test('[HOOK-18b] a hook at the start refuses the run: nothing is asked, and the message is in the log', async () => {
    const order: string[] = [];
    const session = new MemorySession({
      model: inTurn(),
      hooks: amid({ name: 'freeze', runStart: () => ({ fail: 'no runs on a Friday' }) }, order),
    });
    expect(await session.ask('go')).toMatchObject({
      status: 'failed',
      cause: 'guardrail',
      error: { message: 'no runs on a Friday' },
    });
    expect(session.state.log.records.map(textOf)).toEqual(['go']);
    // the hooks inside are not begun
    expect(order).toEqual(['outer-in', 'inner-out', 'outer-out']);
  });

  test('[HOOK-18c] an answer that is sent back goes on with the words; hooks outside see the next one only', async () => {
    const order: string[] = [];
    const named: PlainHook = {
      name: 'named',
      runEnd: ({ answer }) => (answer.includes('pool') ? undefined : { retry: 'Name the part that failed.' }),
    };
    const session = new MemorySession({
      model: inTurn(says('it broke'), says('the pool broke')),
      hooks: amid(named, order),
    });
    expect(await session.ask('go')).toMatchObject({
      status: 'completed',
      answer: 'the pool broke',
      turns: 2,
    });
    expect(usersAt(session, 1)).toEqual(['go', 'Name the part that failed.']);
    expect(order).toEqual(['outer-in', 'inner-in', 'inner-out', 'inner-out', 'outer-out']);
    expect(session.events('agent_end')).toHaveLength(1);
  });

  test('[HOOK-18c] an answer of a hook that is sent back goes to the model, and is not given again', async () => {
    const session = new MemorySession({
      model: inTurn(says('the pool broke')),
      hooks: [
        {
          name: 'named',
          runStart: () => ({ answer: 'known' }),
          runEnd: ({ answer }) => (answer === 'known' ? { retry: 'Name the part that failed.' } : undefined),
        },
      ],
    });
    expect(await session.ask('go')).toMatchObject({
      status: 'completed',
      answer: 'the pool broke',
      turns: 2,
    });
    expect(usersAt(session, 0)).toEqual(['go', 'Name the part that failed.']);
  });

  test.each([
    ['three times', { maxTurns: 9 }, 4],
    ['not beyond the limit of turns', { maxTurns: 2 }, 2],
  ])('[HOOK-18c] an answer is sent back %s, then the run has failed', async (_, loop, turns) => {
    const session = new MemorySession({
      model: () => says('it broke'),
      settings: { loop },
      hooks: [{ name: 'never', runEnd: () => ({ retry: 'again' }) }],
    });
    expect(await session.ask('go')).toMatchObject({
      status: 'failed',
      cause: 'guardrail',
      error: { message: 'again' },
      turns,
    });
  });

  test('[HOOK-18c] neither a failed nor an aborted run is sent back', async () => {
    const again: PlainHook = { name: 'again', runEnd: () => ({ retry: 'again', answer: 'fine' }) };
    const failed = new MemorySession({ model: inTurn(fails('Model.NotFound')), hooks: [again] });
    expect(await failed.ask('go')).toMatchObject({ status: 'failed', cause: 'model_error' });
    const aborted: MemorySession = new MemorySession({
      model: () => (aborted.send('abort'), { type: 'stopped' }),
      hooks: [again],
    });
    expect(await aborted.ask('go')).toMatchObject({ status: 'aborted' });
  });

  test('[HOOK-18d] the answer is changed in the result by each hook in turn; the log keeps what was said', async () => {
    const seen: string[] = [];
    const suffix = (name: string): PlainHook => ({
      name,
      runEnd: ({ answer }) => (seen.push(answer), { answer: `${answer} ${name}` }),
    });
    const session = new MemorySession({ model: inTurn(says('done')), hooks: [suffix('out'), suffix('in')] });
    expect(await session.ask('go')).toMatchObject({ status: 'completed', answer: 'done in out' });
    expect(seen).toEqual(['done', 'done in']);
    expect(textOf(session.state.log.records.at(-1) ?? says(''))).toBe('done');
  });

  test('[HOOK-18e] verdicts hold over a hand-over in the middle of the run', async () => {
    const hooks: PlainHook[] = [
      { name: 'once more', runEnd: ({ answer }) => (answer === 'one' ? { retry: 'more' } : undefined) },
    ];
    const first: MemorySession = new MemorySession({ model: inTurn(says('one')), hooks });
    first.onChange = () => {
      if (first.state.run?.retried) first.handOver = true;
    };
    first.prompt('go');
    expect(await first.run()).toBe('hand_over');
    const next = new MemorySession({ model: inTurn(says('two')), hooks }, first.carry());
    await next.run();
    expect(next.state.lastResult).toMatchObject({ status: 'completed', answer: 'two', turns: 2 });
  });

  test('[HOOK-14b] logger writes start, and finish with duration and error, once each', async () => {
    let now = 1_000;
    const session = new MemorySession({
      model: () => ((now += 500), fails('Model.NotFound')),
      hooks: [{ name: 'logger' }],
      now: () => now,
    });
    const logged: object[] = [];
    session.effects.log = (message, attributes) => void logged.push({ message, ...attributes });
    await session.ask('go');
    expect(logged).toEqual([
      { message: 'run started' },
      {
        message: 'run ended',
        status: 'failed',
        cause: 'model_error',
        durationMs: 500,
        error: 'Model.NotFound: It broke: Model.NotFound',
      },
    ]);
  });

  test.each([
    [
      'fail',
      { status: 'failed', error: { code: 'Run.Exception', message: 'An error inside the run: boom' } },
    ],
    ['block', undefined],
  ] as const)('[HOOK-14] recovery: onError %s', async (onError, expected) => {
    const session = new MemorySession({
      model: () => explode(true) ?? says('never'),
      settings: { loop: { onError } },
    });
    if (expected) expect(await session.ask('go')).toMatchObject(expected);
    else await expect(session.ask('go')).rejects.toThrow('boom');
  });

  test('[HOOK-14a] an error that comes again while the run is ended is not caught for ever', async () => {
    const session: MemorySession = new MemorySession({
      model: () => explode(true) ?? says('never'),
      settings: { loop: { onError: 'fail' } },
    });
    session.onChange = () => {
      if (session.state.run?.end) throw new Error('still broken');
    };
    await expect(session.ask('go')).rejects.toThrow('still broken');
  });

  test.each([
    ['a check that fails', inTurn(says('it may be DNS')), 'failed', 'guardrail'],
    ['a check that passes', inTurn(says('it is the pool')), 'completed', 'answer'],
    ['a run that failed by itself', inTurn(fails('Model.NotFound')), 'failed', 'model_error'],
  ])('[HOOK-15ab] outputGuardrail: %s', async (_, model, status, cause) => {
    const params = { mustMatch: 'pool', mustNotMatch: 'DNS', message: 'Name the pool.' };
    const session = new MemorySession({ model, hooks: [{ name: 'outputGuardrail', params }] });
    const result = await session.ask('go');
    expect(result).toMatchObject({ status, cause });
    if (cause === 'guardrail') expect(result.error?.message).toBe('Name the pool.');
  });

  test('[HOOK-15b] a check of a user does not hide why a run failed', async () => {
    const session = new MemorySession({
      model: inTurn(fails('Model.NotFound')),
      hooks: [{ name: 'check', runEnd: () => ({ fail: 'no' }) }],
    });
    expect(await session.ask('go')).toMatchObject({ status: 'failed', cause: 'model_error' });
  });

  test.each([
    ['a completed run', says('done'), 'hook_error'],
    ['one that failed by itself', fails('Model.NotFound'), 'model_error'],
  ])('[HOOK-15a] a check that was stopped has passed nothing: %s', async (_, saying, cause) => {
    const session = new MemorySession({
      model: () => saying,
      hooks: [{ name: 'check', runEnd: () => undefined }],
      beforeHook: () => 'stopped',
    });
    expect(await session.ask('go')).toMatchObject({ status: 'failed', cause });
  });

  test('[HOOK-15a] an interrupting message leaves the check alone', async () => {
    const stops: unknown[] = [];
    const session: MemorySession = new MemorySession({
      model: () => says('done'),
      hooks: [{ name: 'check', runEnd: () => ({ fail: 'Name the pool.' }) }],
      beforeHook: () => {
        session.steer('now', 'and now?', 'interrupt');
        stops.push(session.session.stop);
      },
    });
    expect(await session.ask('go')).toMatchObject({ status: 'failed', cause: 'guardrail' });
    expect(stops).toEqual([undefined]);
  });

  test('[HOOK-15b] an aborted run is not tested', async () => {
    const session: MemorySession = new MemorySession({
      model: () => (session.send('abort'), { type: 'stopped' }),
      hooks: [{ name: 'outputGuardrail', params: { mustMatch: 'pool' } }],
    });
    expect(await session.ask('go')).toMatchObject({ status: 'aborted' });
  });
});

function explode(yes: boolean): undefined {
  if (yes) throw new Error('boom');
  return undefined;
}

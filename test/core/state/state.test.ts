// The state of a session: its moves, what an abort does, what the snapshot says.
import { describe, expect, test } from 'vitest';
import type { SessionState } from '@holdfast/vocabulary/events';
import { newAgentState } from '@holdfast/vocabulary/agent-state';
import { reduce } from '../../../src/core/state/reduce.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import { assertLegalMove, legalMoves } from '../../../src/core/state/draft.ts';
import { calls, fails, gate, inTurn, says } from '../../support/memory-model.ts';
import { MemorySession, stopped } from '../../support/memory-session.ts';

const echo = ({ callId }: { callId: string }) => `result of ${callId}`;
const movesOf = (session: MemorySession) =>
  session.events('state_changed').map(({ from, to }) => `${from}>${to}`);

describe('moves', () => {
  const states: SessionState[] = ['idle', 'thinking', 'executing', 'condensing', 'aborting', 'error'];
  const legal = new Set([
    'idle>thinking',
    'idle>condensing',
    ...['executing', 'idle', 'condensing', 'aborting', 'error'].map((to) => `thinking>${to}`),
    ...['thinking', 'idle', 'condensing', 'aborting', 'error'].map((to) => `executing>${to}`),
    ...['idle', 'thinking', 'executing', 'aborting', 'error'].map((to) => `condensing>${to}`),
    'aborting>idle',
    'error>idle',
  ]);

  test.each(states.flatMap((from) => states.map((to) => [from, to] as const)))(
    '[STATE-01b] from %s to %s',
    (from, to) => {
      const move = () => assertLegalMove(from, to);
      if (legal.has(`${from}>${to}`)) expect(move).not.toThrow();
      else expect(move).toThrow(/Illegal session move/);
    },
  );

  test('[STATE-01a] there are six states', () => {
    expect(Object.keys(legalMoves).toSorted()).toEqual(states.toSorted());
  });

  test('[STATE-02a] every move is one event, in order', async () => {
    const session = new MemorySession({
      model: inTurn(calls('a'), fails('Model.NotFound')),
      tools: { echo },
    });
    await session.ask('go');
    expect(movesOf(session)).toEqual([
      'idle>thinking',
      'thinking>executing',
      'executing>thinking',
      'thinking>error',
      'error>idle',
    ]);
  });
});

describe('abort', () => {
  test('[STATE-09ac] [LOOP-10a] ends the current run only, and the session accepts the next prompt with a valid view', async () => {
    const slow = gate<string>();
    const session: MemorySession = new MemorySession({
      model: inTurn(calls('a:slow', 'b:slow'), says('ok')),
      tools: {
        slow: ({ signal }) => {
          signal.addEventListener('abort', () => slow.open('half'));
          return slow.promise;
        },
      },
      keepAlive: true,
    });
    session.prompt('go');
    const running = session.run();
    await session.until(() => session.ran.length === 2);
    session.send('abort');
    expect(session.state.status).toBe('aborting');
    await session.until(() => session.state.lastResult !== undefined);
    expect(session.state.lastResult).toMatchObject({ runId: 'run-1', status: 'aborted' });
    expect(movesOf(session).slice(-2)).toEqual(['executing>aborting', 'aborting>idle']);
    session.prompt('go on');
    session.send('shutdown');
    await running;
    expect(session.state.lastResult).toMatchObject({ runId: 'run-2', status: 'completed', answer: 'ok' });
    expect(session.requests[1]?.messages.map(textOf)).toEqual(['go', '', 'half', 'half', 'go on']);
  });

  test('[STATE-09b] without a run it is a no-op', async () => {
    const session = new MemorySession({ model: inTurn(says('ok')) });
    const before = session.seen.length;
    session.send('abort');
    expect(session.seen).toHaveLength(before);
    expect(await session.ask('go')).toMatchObject({ status: 'completed' });
  });

  test.each([
    ['before the run has begun', 0],
    ['while its context is assembled', 1],
  ])('[STATE-09a] %s: the run is aborted, and its prompt is in the log', async (_, late) => {
    const held = gate<never>();
    const session = new MemorySession({ model: inTurn(), bodies: { assembleContext: () => held.promise } });
    session.prompt('go');
    if (late === 0) session.send('abort');
    const running = session.run();
    if (late === 1) {
      session.send('abort');
      held.refuse(stopped);
    }
    await running;
    expect(session.state.lastResult).toMatchObject({
      status: 'aborted',
      newMessages: { fromSeq: 1, toSeq: 1 },
    });
    expect(session.state.log.records).toMatchObject([{ role: 'user', origin: 'prompt' }]);
    expect(session.events('turn_start', 'turn_end')).toHaveLength(2);
  });

  test.each([
    ['a failure', () => fails('Model.NotFound')],
    ['a reply with calls', () => calls('a', 'b')],
    ['an answer', () => says('done')],
  ])('[STATE-09a] in the moment of %s the run is aborted all the same', async (_, answer) => {
    const held = gate<ReturnType<typeof answer>>();
    const session = new MemorySession({ model: () => held.promise, tools: { echo } });
    session.prompt('go');
    const running = session.run();
    await session.until(() => session.requests.length === 1);
    held.open(answer());
    session.send('abort');
    await running;
    expect(session.state.lastResult?.status).toBe('aborted');
    expect(session.ran).toEqual([]);
    const { records } = session.state.log;
    const asked = records.flatMap((record) =>
      record.role === 'assistant' ? record.content.filter((part) => part.type === 'tool_call') : [],
    );
    expect(records.filter(({ role }) => role === 'tool_result')).toHaveLength(asked.length);
  });

  test('[STATE-10b] during a model call the text known enters the log, not the view', async () => {
    const held = gate<Parameters<typeof says>[0]>();
    const session: MemorySession = new MemorySession({
      model: async (_, signal) => {
        if (session.requests.length > 1) return says('ok');
        signal.addEventListener('abort', () => held.open('half a sent'));
        const message = says(await held.promise, { stopReason: 'aborted' });
        return { type: 'stopped', result: { message, digest: 'd', calls: [], costUsd: 0 } };
      },
      keepAlive: true,
    });
    session.prompt('go');
    const running = session.run();
    await session.until(() => session.requests.length === 1);
    session.send('abort');
    await session.until(() => session.state.lastResult !== undefined);
    const last = session.state.log.records.at(-1);
    expect(last).toMatchObject({ role: 'assistant', stopReason: 'aborted' });
    expect(last && textOf(last)).toBe('half a sent');
    session.prompt('again');
    session.send('shutdown');
    await running;
    expect(session.requests[1]?.messages.map(textOf)).toEqual(['go', 'again']);
  });

  test('[EVENT-03c] [TOOL-18abde] [STATE-10c] during tools every call is answered, then the aborted record follows without a model call', async () => {
    const slow = gate<string>();
    const session: MemorySession = new MemorySession({
      model: inTurn(calls('a', 'b:slow', 'c')),
      tools: {
        echo,
        slow: ({ signal }) => {
          signal.addEventListener('abort', () => slow.open('what it had'));
          return slow.promise;
        },
      },
      settings: { loop: { toolConcurrency: 1 } },
    });
    session.prompt('go');
    const running = session.run();
    await session.until(() => session.ran.length === 2);
    session.send('abort');
    await running;
    expect(session.state.log.records.slice(2).map((record) => `${record.role} ${textOf(record)}`)).toEqual([
      'tool_result result of a',
      'tool_result what it had',
      'tool_result tool execution aborted',
      'assistant ',
    ]);
    expect(session.state.log.records.at(-1)).toMatchObject({ stopReason: 'aborted' });
    expect(session.events('turn_end')).toMatchObject([{ messageSeq: 6, toolResultSeqs: [] }]);
    const assistant = session
      .events('message_start', 'message_end')
      .filter(({ role }) => role === 'assistant');
    expect(assistant.map(({ type, messageSeq }) => [type, messageSeq])).toEqual([
      ['message_start', 2],
      ['message_end', 2],
      ['message_start', 6],
      ['message_end', 6],
    ]);
    expect(session.events('tool_execution_start').map(({ callId }) => callId)).toEqual(['a', 'b', 'c']);
    expect(session.requests).toHaveLength(1);
  });
});

test('[STATE-09b] an abort after the end of a run was decided changes nothing', () => {
  const accepted = reduce(
    newAgentState('s'),
    { type: 'run_accepted', messages: [], polled: false, continued: false },
    0,
  ).state;
  const ending = reduce(accepted, { type: 'ending', end: { status: 'failed' } }, 0).state;
  const aborting = reduce(ending, { type: 'aborting' }, 0);
  expect(aborting).toEqual({ state: ending, events: [] });
  expect(reduce(aborting.state, { type: 'run_ended' }, 0).state).toMatchObject({
    status: 'idle',
    lastResult: { status: 'failed' },
  });
});

describe('snapshot', () => {
  test('[STATE-05] pendingToolCalls are the started calls without an end, in start order', async () => {
    const gates = new Map(['a', 'b'].map((id) => [id, gate<string>()]));
    const session = new MemorySession({
      model: inTurn(calls('a', 'b', 'x:gone', 'd:no'), says('ok')),
      tools: { echo: ({ callId }) => gates.get(callId)?.promise ?? '', no: echo },
      policy: { no: 'deny' },
    });
    const open: string[] = [];
    let checked = 0;
    session.onChange = () => {
      for (const event of session.events('tool_execution_start', 'tool_execution_end').slice(checked)) {
        checked++;
        if (event.type === 'tool_execution_start') open.push(event.callId);
        else open.splice(open.indexOf(event.callId), 1);
      }
      expect(session.snapshot.pendingToolCalls).toEqual(open);
    };
    session.prompt('go');
    const running = session.run();
    await session.until(() => session.ran.length === 2);
    expect(session.snapshot.pendingToolCalls.slice(0, 2)).toEqual(['a', 'b']);
    gates.get('b')?.open('');
    await session.until(() => session.snapshot.pendingToolCalls.join() === 'a');
    gates.get('a')?.open('');
    await running;
    expect(checked).toBe(8);
    expect(session.snapshot.pendingToolCalls).toEqual([]);
  });

  test('the task is the newest one: that of a further prompt, and not of work that continues', async () => {
    const session = new MemorySession({
      model: inTurn(says('ok'), fails('Model.NotFound'), says('ok')),
      keepAlive: true,
    });
    await session.ask('why is checkout slow?');
    await session.ask('is the cache well?');
    expect(session.snapshot.task).toBe('is the cache well?');
    session.send('continue', { continueText: 'try again' });
    await session.until(() => session.state.runs === 3 && !session.busy);
    expect(session.snapshot.task).toBe('is the cache well?');
  });

  test('[STATE-06ac] errorMessage is that of a failed last message, and goes with a better one or a new run', async () => {
    const session = new MemorySession({
      model: inTurn(fails('Model.NotFound'), says('ok')),
      keepAlive: true,
    });
    await session.ask('go');
    expect(session.snapshot.errorMessage).toBe('It broke: Model.NotFound');
    session.prompt('again');
    await session.until(() => session.state.run !== undefined);
    expect(session.snapshot.errorMessage).toBeUndefined();
    await session.until(() => !session.busy);
    expect(session.snapshot.errorMessage).toBeUndefined();
  });

  test('[STATE-06ab] an empty text is shown as the stop reason, and a reply after an interrupt clears it', async () => {
    const shown: (string | undefined)[] = [];
    const session: MemorySession = new MemorySession({
      model: () => {
        shown.push(session.snapshot.errorMessage);
        if (session.requests.length > 1) return says('ok');
        session.steer('now', 'now', 'interrupt');
        const message = says('half', { stopReason: 'aborted', errorMessage: '' });
        return { type: 'stopped', result: { message, digest: 'd', calls: [], costUsd: 0 } };
      },
    });
    await session.ask('go');
    expect(shown).toEqual([undefined, 'aborted']);
    expect(session.snapshot.errorMessage).toBeUndefined();
  });

  test('[STATE-04c] streaming names the message in the making, from its start to its end', async () => {
    const seen = new Set<string>();
    const streaming: unknown[] = [];
    // a check that throws in there would be no more than a failed run
    const named: unknown[][] = [];
    const session: MemorySession = new MemorySession({
      model: ({ input }) => {
        streaming.push(session.snapshot.streaming);
        return input.turn === 1 ? calls('a') : says('ok');
      },
      tools: {
        echo: () => {
          streaming.push(session.snapshot.streaming);
          return 'x';
        },
      },
    });
    session.onChange = () => {
      const open = session.events('message_start', 'message_end').at(-1);
      seen.add(String(open?.type));
      const messageSeq = open?.type === 'message_start' ? open.messageSeq : undefined;
      named.push([session.snapshot.streaming?.messageSeq, messageSeq]);
    };
    expect(await session.ask('go')).toMatchObject({ status: 'completed' });
    expect(streaming).toEqual([
      { callId: 'run-1/1', turn: 1, messageSeq: 2 },
      undefined,
      { callId: 'run-1/2', turn: 2, messageSeq: 4 },
    ]);
    for (const [shown, expected] of named) expect(shown).toBe(expected);
    expect(seen).toEqual(new Set(['undefined', 'message_start', 'message_end']));
  });

  test('[STATE-04c] it stays while an operator is waited for, and goes with a failure', async () => {
    const session = new MemorySession({
      model: inTurn(fails('Model.Auth', 'wait_for_operator'), fails('Model.NotFound')),
    });
    session.prompt('go');
    const running = session.run();
    await session.until(() => session.session.operatorReason !== undefined);
    expect(session.snapshot.streaming).toMatchObject({ callId: 'run-1/1', messageSeq: 2 });
    session.send('resume');
    await running;
    expect(session.snapshot.streaming).toBeUndefined();
  });

  test('[STATE-03a] the snapshot tells what the session is, stands at and waits for', async () => {
    const held = gate<string>();
    const session = new MemorySession({
      model: inTurn(calls('a'), fails('Model.NotFound')),
      tools: { echo: () => held.promise },
      settings: { model: { thinkingLevel: 'high' }, budget: { turns: 7 } },
    });
    expect(session.snapshot).toMatchObject({
      state: 'idle',
      turn: 0,
      messageCount: 0,
      lastSeq: 0,
      tools: [],
    });
    session.prompt('go');
    const running = session.run();
    await session.until(() => session.ran.length === 1);
    session.steer('s1');
    session.followUp('f1');
    expect(session.snapshot).toMatchObject({
      state: 'executing',
      turn: 1,
      messageCount: 2,
      lastSeq: 2,
      isStreaming: true,
      model: { provider: 'memory', id: 'test' },
      thinkingLevel: 'high',
      tools: ['echo'],
      systemPrompt: { ref: session.state.context?.digest ?? '' },
      pendingToolCalls: ['a'],
      loadedGroups: [],
      loadedSkills: [],
      queues: { steering: ['s1'], followUp: ['f1'] },
      usage: { main: { input: 10, output: 5 } },
      queueModes: { steering: 'one-at-a-time', followUp: 'one-at-a-time' },
      budget: { turns: 7 },
    });
    const before = structuredClone([session.state, session.session.events.carry()]);
    for (let count = 0; count < 3; count++) expect(session.snapshot).toEqual(session.snapshot);
    expect([session.state, session.session.events.carry()]).toEqual(before);
    held.open('x');
    await running;
    expect(session.snapshot).toMatchObject({
      state: 'idle',
      isStreaming: false,
      errorMessage: 'It broke: Model.NotFound',
      lastStatus: 'failed',
      pendingToolCalls: [],
      turn: 2,
    });
  });

  test('[STATE-04a] isStreaming holds from the acceptance of a prompt to agent_end', async () => {
    const session = new MemorySession({ model: inTurn(says('ok')) });
    expect(session.snapshot.isStreaming).toBe(false);
    session.prompt('go');
    expect(session.snapshot.isStreaming).toBe(true);
    let ended = false;
    session.onChange = () => {
      ended ||= session.events('agent_end').length > 0;
      expect(session.snapshot.isStreaming).toBe(!ended);
    };
    await session.run();
    expect(ended).toBe(true);
  });
});

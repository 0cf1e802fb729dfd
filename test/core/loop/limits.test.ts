// When a run must stop although it would go on: turns, repetition, budgets; and what it leaves behind.
import { frozenWith } from '../../support/frozen-context.ts';
import { describe, expect, test } from 'vitest';
import { overtaken } from '../../../src/core/session/inbox.ts';
import { z } from 'zod';
import { createPrepareCalls } from '../../../src/activities/model/prepare-calls.ts';
import { createRedactor } from '@holdfast/redaction/redaction';
import { defineTool } from '../../../src/activities/tools/define-tool.ts';
import { agentDefaults } from '@holdfast/vocabulary/agent-spec';
import { loopKey, remember, repeats } from '../../../src/core/state/loop-guard.ts';
import type { ToolResultMessage } from '@holdfast/vocabulary/messages';
import { textOf } from '@holdfast/vocabulary/messages';
import { looker, task } from '../../support/condense-sessions.ts';
import { calls, inTurn, says } from '../../support/memory-model.ts';
import { MemorySession, type MemoryModel, type MemoryOptions } from '../../support/memory-session.ts';
import { assertValidTranscript } from '../../support/invariants.ts';

const echo = ({ callId }: { callId: string }) => `result of ${callId}`;
const same = () => 'same';
/** Calls the tool `echo` for ever, with new ids. */
const busy = (perTurn = 1): MemoryModel => {
  let next = 0;
  return ({ toolChoice }) =>
    toolChoice === 'none' ? says('so far') : calls(...Array.from({ length: perTurn }, () => `c${++next}`));
};
const warningsOf = (session: MemorySession) =>
  session.state.log.records.filter((record) => record.role === 'user' && record.origin === 'injected');

describe('turns', () => {
  test('[LOOP-06abd] maxTurns counts model responses, whatever is called in them; 0 is unlimited', async () => {
    const limited = new MemorySession({
      model: busy(3),
      tools: { echo },
      settings: { loop: { maxTurns: 2, onLimit: 'error' } },
    });
    expect(await limited.ask('go')).toMatchObject({ status: 'max_iterations', turns: 2, toolCalls: 6 });
    let left = 40;
    const free = new MemorySession({
      model: () => (--left > 0 ? calls(`c${left}`) : says('done')),
      tools: { echo },
      settings: { loop: { maxTurns: 0 } },
    });
    expect(await free.ask('go')).toMatchObject({ status: 'completed', turns: 40 });
  });

  test('[LOOP-06c] an interrupted call and a repeated one are no responses', async () => {
    const session: MemorySession = new MemorySession({
      model: ({ input }) => {
        if (session.requests.length > 1) return input.turn === 2 ? calls('a') : says('done');
        session.steer('now', 'now', 'interrupt');
        return { type: 'stopped' };
      },
      tools: { echo },
      settings: { loop: { maxTurns: 2, onLimit: 'error' } },
    });
    expect(await session.ask('go')).toMatchObject({ status: 'completed', answer: 'done' });
  });

  test('[LOOP-07ab] finalize: one more request without tools, whose text is the answer', async () => {
    const session = new MemorySession({
      model: busy(),
      tools: { echo },
      settings: { loop: { maxTurns: 2 } },
    });
    const result = await session.ask('go');
    expect(result).toMatchObject({ status: 'max_iterations', answer: 'so far', turns: 3 });
    expect(session.requests.map(({ toolChoice }) => toolChoice)).toEqual(['auto', 'auto', 'none']);
    // the last allowed batch was run and is read by the last request
    expect(session.ran).toEqual(['c1', 'c2']);
    expect(session.requests[2]?.messages.at(-1)).toMatchObject({ role: 'tool_result', callId: 'c2' });
  });

  test('[LOOP-07a] [WORD-08a] calls of a model that does not obey are answered, not run, and what it says beside them is no answer', async () => {
    const last = calls('b');
    const session = new MemorySession({
      model: inTurn(calls('a'), { ...last, content: [{ type: 'text', text: 'Checking.' }, ...last.content] }),
      tools: { echo },
      settings: { loop: { maxTurns: 1 } },
    });
    const answer = expect.stringMatching(/^The run ended at its limit of turns\./) as string;
    expect(await session.ask('go')).toMatchObject({ status: 'max_iterations', answer });
    expect(session.ran).toEqual(['a']);
    expect(session.state.log.records.at(-1)).toMatchObject({ callId: 'b', isError: true });
  });

  test('[LOOP-07a] steering after the last answer is answered by that one request', async () => {
    const session: MemorySession = new MemorySession({
      model: ({ toolChoice }) => {
        if (toolChoice === 'auto') session.steer('and the disk?');
        return says(toolChoice);
      },
      settings: { loop: { maxTurns: 1 } },
    });
    expect(await session.ask('go')).toMatchObject({ status: 'max_iterations', answer: 'none', turns: 2 });
    expect(session.requests[1]?.messages.map(textOf)).toEqual(['go', 'auto', overtaken, 'and the disk?']);
  });

  test('[LOOP-08ab] error: no further request, and the view stays valid for the next prompt', async () => {
    const session = new MemorySession({
      model: inTurn(calls('a', 'b'), says('ok')),
      tools: { echo },
      settings: { loop: { maxTurns: 1, onLimit: 'error' } },
      keepAlive: true,
    });
    await session.ask('go');
    expect(session.state.lastResult).toMatchObject({
      status: 'max_iterations',
      error: { code: 'Run.MaxTurns' },
      turns: 1,
    });
    expect(session.requests).toHaveLength(1);
    expect(session.state.log.records.slice(-2)).toMatchObject([{ callId: 'a' }, { callId: 'b' }]);
    await session.ask('go on');
    assertValidTranscript(session.requests[1]?.messages ?? []);
    expect(session.state.lastResult).toMatchObject({ status: 'completed', answer: 'ok' });
  });
});

describe('repetition', () => {
  const result = (text: string, extra: Partial<ToolResultMessage> = {}): ToolResultMessage => ({
    role: 'tool_result',
    callId: 'a',
    toolName: 'grep',
    isError: false,
    content: [{ type: 'text', text }],
    ...extra,
  });

  test('[SAFE-01a] a call is known by its tool, arguments and result, not by its id', () => {
    const key = loopKey('digest', result('same'));
    expect(loopKey('digest', result('same', { callId: 'b' }))).toBe(key);
    expect(loopKey('other', result('same'))).not.toBe(key);
    expect(loopKey('digest', result('other'))).not.toBe(key);
    expect(loopKey('digest', result('same', { toolName: 'find' }))).not.toBe(key);
    expect(loopKey('digest', result('same', { isError: true }))).not.toBe(key);
  });

  test('[SAFE-01a] the order of keys in the arguments does not matter', async () => {
    const registered = defineTool({
      name: 'echo',
      description: 'Echo.',
      effect: 'read' as const,
      input: z.strictObject({ path: z.string(), lines: z.int() }),
      run: async () => ({ text: 'same' }),
    });
    const prepareCalls = createPrepareCalls({
      tools: new Map([['echo', registered]]),
      policy: [],
      redactor: createRedactor([]),
    });
    const texts = ['{"path":"a","lines":1}', '{"lines":1,"path":"a"}', '{ "lines": 1, "path": "a" }'];
    const session = new MemorySession({
      model: inTurn(...texts.map((text, index) => calls(`c${index}:echo:${text}`)), says('done')),
      tools: { echo: same },
      prepare: (message) => prepareCalls(message, frozenWith([registered.spec])),
    });
    expect(await session.ask('go')).toMatchObject({ status: 'completed', toolCalls: 3 });
    expect(session.events('tool_execution_end').some(({ isError }) => isError)).toBe(false);
    expect(warningsOf(session)).toHaveLength(1);
  });

  test('[SAFE-01b] only the newest calls in a row count, among the last ten', () => {
    const ring = ['a', 'a', 'a', 'b', 'a', 'a'].reduce<string[]>((keys, key) => remember(keys, key, 10), []);
    expect(repeats(ring)).toBe(2);
    expect(
      repeats(
        Array.from({ length: 30 }, () => 'a').reduce<string[]>((keys, key) => remember(keys, key, 10), []),
      ),
    ).toBe(10);
    expect(repeats([])).toBe(0);
  });

  test('[SAFE-01c] polling with changing results is no loop', async () => {
    let left = 8;
    const session = new MemorySession({
      model: () => (--left > 0 ? calls(`c${left}`) : says('done')),
      tools: { echo: () => `${left} left` },
    });
    expect(await session.ask('go')).toMatchObject({ status: 'completed' });
    expect(warningsOf(session)).toEqual([]);
  });

  test('[FAULT-72] [SAFE-02ab] warns at three, again at each higher count, and ends at five with all calls answered', async () => {
    const session = new MemorySession({ model: busy(), tools: { echo: same } });
    const ended = await session.ask('go');
    expect(ended).toMatchObject({ status: 'loop_detected', error: { code: 'Run.Loop' }, turns: 5 });
    expect(warningsOf(session).map(({ turn }) => turn)).toEqual([4, 5]);
    expect(session.requests[3]?.messages.at(-1)).toMatchObject({ role: 'user', origin: 'injected' });
    expect(session.state.log.records.at(-1)).toMatchObject({ role: 'tool_result', callId: 'c5' });
  });

  test('[SAFE-02bc] equal calls in one reply count one each, and the run ends only after a warning was read', async () => {
    const session = new MemorySession({ model: busy(5), tools: { echo: same } });
    expect(await session.ask('go')).toMatchObject({ status: 'loop_detected', turns: 2 });
    expect(session.requests[1]?.messages.at(-1)).toMatchObject({ role: 'user', origin: 'injected' });
  });

  test('[SAFE-02d] warn 0 and stop 3 end at three without a word', async () => {
    const session = new MemorySession({
      model: busy(),
      tools: { echo: same },
      settings: { loop: { warn: 0, stop: 3 } },
    });
    expect(await session.ask('go')).toMatchObject({ status: 'loop_detected', turns: 3 });
    expect(warningsOf(session)).toEqual([]);
  });

  test('[SAFE-02a] something new ends a warning: the next loop is warned of again', async () => {
    const texts = ['x', 'x', 'x', 'new', 'y', 'y', 'y'];
    let next = 0;
    const session = new MemorySession({
      model: () => (next < texts.length ? calls(`c${next}`) : says('done')),
      tools: { echo: () => texts[next++] ?? '' },
    });
    expect(await session.ask('go')).toMatchObject({ status: 'completed' });
    expect(warningsOf(session).map(({ turn }) => turn)).toEqual([4, 8]);
  });

  test('[SAFE-02c] equal calls look equal whatever order they finish in', async () => {
    // a new result between them in the model's order: no loop, although the equal ones finish together
    const session = new MemorySession({
      model: inTurn(calls('a', 'b:other', 'c'), calls('d', 'e:other', 'f'), says('done')),
      tools: {
        echo: same,
        other: async ({ callId }) => {
          for (let ticks = 0; ticks < 20; ticks++) await Promise.resolve();
          return callId;
        },
      },
    });
    expect(await session.ask('go')).toMatchObject({ status: 'completed' });
    expect(warningsOf(session)).toEqual([]);
  });

  test('[SAFE-10d] a message begins the count of turns that failed anew', async () => {
    const session: MemorySession = new MemorySession({
      model: ({ input: { turn } }) => {
        if (turn === 5) session.steer('s1', 'Look at the disk.');
        return calls(`c${turn}:echo:{"at":${turn}}`);
      },
      tools: { echo: ({ callId }) => Promise.reject(new Error(`no ${callId}`)) },
      settings: { loop: { maxTurns: 0 } },
    });
    expect(await session.ask('go')).toMatchObject({ status: 'loop_detected', turns: 15 });
  });

  test('[WORD-07e] a message begins the share of turns that failed anew', async () => {
    const fails = ({ input: { turn } }: { input: { turn: number } }): boolean => turn % 4 !== 0;
    const session: MemorySession = new MemorySession({
      model: ({ input }) => {
        if (input.turn === 14) session.steer('s1', 'Look at the disk.');
        return calls(`c${input.turn}:${fails({ input }) ? 'gone' : 'echo'}:{"at":${input.turn}}`);
      },
      tools: {
        echo: ({ callId }) => callId,
        gone: ({ callId }) => Promise.reject(new Error(`no ${callId}`)),
      },
      settings: { loop: { maxTurns: 40 } },
    });
    expect(await session.ask('go')).toMatchObject({ status: 'loop_detected', turns: 34 });
  });

  test('[SAFE-02ef] the count goes on over a hand-over and starts afresh with a run', async () => {
    const options: MemoryOptions = { model: busy(), tools: { echo: same }, keepAlive: true };
    const first = new MemorySession(options);
    first.prompt('go');
    first.onChange = () => {
      if (first.state.run?.turn === 2) first.handOver = true;
    };
    expect(await first.run()).toBe('hand_over');
    expect(first.state.run).toMatchObject({ turn: 2, cursor: 'boundary' });
    const next = new MemorySession(options, first.carry());
    const running = next.run();
    await next.until(() => next.state.lastResult !== undefined);
    expect(next.state.lastResult).toMatchObject({ status: 'loop_detected', turns: 5 });
    next.prompt('again');
    next.send('shutdown');
    await running;
    expect(next.state.lastResult).toMatchObject({ runId: 'run-2', status: 'loop_detected', turns: 5 });
  });
});

describe('budgets', () => {
  const usage = { input: 60, cacheRead: 20, cacheWrite: 10, output: 10 };
  const spending = (): MemoryModel => {
    const model = busy();
    return async (request, signal) => ({ ...(await model(request, signal)), usage });
  };

  test('[SAFE-03a] no budget is the default', () => {
    expect(agentDefaults.budget).toEqual({});
  });

  test.each([
    ['turns', { turns: 3 }, 3],
    ['tokens', { tokens: 250 }, 3],
    ['costUsd', { costUsd: 0.5 }, 2],
    ['wallMs', { wallMs: 2_500 }, 3],
    ['toolCalls', { toolCalls: 2 }, 2],
  ])(
    '[SAFE-03bde] %s: checked before each model call, at most one call over',
    async (_, budget, requests) => {
      let now = 1_000;
      const session: MemorySession = new MemorySession({
        model: spending(),
        tools: {
          echo: ({ callId }) => {
            now += 1_000;
            return callId;
          },
        },
        settings: { budget },
        costUsd: 0.25,
        now: () => now,
      });
      expect(await session.ask('go')).toMatchObject({
        status: 'budget_exceeded',
        error: { code: 'Run.Budget' },
        turns: requests,
      });
      expect(session.requests).toHaveLength(requests);
      expect(session.state.log.records.at(-1)?.role).toBe('tool_result');
    },
  );

  test('[SAFE-03d] [SAFE-14] the time in which people are waited for is no work, however many calls wait at once', async () => {
    let now = 1_000;
    const work = ({ callId }: { callId: string }): string => {
      now += 1_000;
      return callId;
    };
    const session = new MemorySession({
      model: inTurn(calls('a:change', 'b:change'), calls('c'), calls('d'), says('too late')),
      tools: { echo: work, change: work },
      policy: { change: 'ask' },
      settings: { budget: { wallMs: 3_500 } },
      now: () => now,
    });
    session.prompt('go');
    const running = session.run();
    await session.until(() => session.approvals.length === 2);
    now += 60_000;
    session.send('resolveApproval', { id: 'a', approve: true, actor: 'ann' });
    await session.until(() => session.approvals.length === 1);
    now += 60_000;
    session.send('resolveApproval', { id: 'b', approve: true, actor: 'ann' });
    await session.until(() => session.approvals.length === 0);
    expect(session.snapshot.run?.workFrom).toBe(121_000);
    await running;
    expect(session.state.lastResult).toMatchObject({ status: 'budget_exceeded', turns: 3 });
    expect(session.state.lastResult?.error?.message).toContain('budget of 3.5 s of work is used up');
  });

  test('[SAFE-03e] an answer that uses the budget up is still an answer', async () => {
    const session = new MemorySession({ model: inTurn(says('done')), settings: { budget: { turns: 1 } } });
    expect(await session.ask('go')).toMatchObject({ status: 'completed', answer: 'done' });
  });

  test('[SAFE-03d] what a stopped call used counts', async () => {
    const stopped = { ...says('half', { stopReason: 'aborted' }), usage };
    const session: MemorySession = new MemorySession({
      model: () => {
        session.steer('now', 'now', 'interrupt');
        return { type: 'stopped', result: { message: stopped, digest: 'd', calls: [], costUsd: 1 } };
      },
      settings: { budget: { tokens: 90 } },
    });
    expect(await session.ask('go')).toMatchObject({ status: 'budget_exceeded', costUsd: 1 });
    expect(session.requests).toHaveLength(1);
    expect(session.snapshot.queues.steering).toEqual(['now']);
  });

  const cost = (costUsd: number) => ({ summary: 'ok', costUsd });
  const full = looker(8, (turn) => (turn === 5 ? 900 : 100));
  const condensing = { model: full, tools: { look: () => 'ok' }, condense: () => cost(5) };
  const window = { model: { contextWindow: 1_000 }, loop: { maxTurns: 0 } };

  test('[SAFE-03bd] what a condense has cost counts: no request follows one that used the budget up', async () => {
    const session = new MemorySession({ ...condensing, settings: { ...window, budget: { costUsd: 1 } } });
    expect(await session.ask(task)).toMatchObject({
      status: 'budget_exceeded',
      error: { code: 'Run.Budget' },
      costUsd: 5,
      condenses: 1,
    });
    expect(session.state.costUsd).toBe(5);
    expect(session.requests).toHaveLength(5);
    expect(session.events('turn_start')).toHaveLength(session.events('turn_end').length);
    // one that leaves something of it changes nothing
    const rich = new MemorySession({ ...condensing, settings: { ...window, budget: { costUsd: 6 } } });
    expect(await rich.ask(task)).toMatchObject({ status: 'completed', costUsd: 5 });
  });

  test('[SAFE-03b] turns: the turn that a condense opens has its request', async () => {
    const session = new MemorySession({ ...condensing, settings: { ...window, budget: { turns: 6 } } });
    expect(await session.ask(task)).toMatchObject({ status: 'budget_exceeded', turns: 6 });
    expect(session.requests).toHaveLength(6);
  });

  test('[SAFE-03e] toolCalls: of a fan-out so many run as the budget has left; every call is answered', async () => {
    const session = new MemorySession({
      model: inTurn(calls('a'), calls('b', 'c', 'd', 'e'), says('never')),
      tools: { echo },
      settings: { budget: { toolCalls: 3 } },
    });
    expect(await session.ask('go')).toMatchObject({ status: 'budget_exceeded', toolCalls: 3 });
    expect(session.ran).toEqual(['a', 'b', 'c']);
    const results = session.state.log.records.filter((record) => record.role === 'tool_result');
    expect(results.map(textOf)).toEqual([
      'result of a',
      'result of b',
      'result of c',
      ...Array(2).fill('Not run: the budget of tool calls is used up.'),
    ]);
    assertValidTranscript(session.state.log.records);
  });
});

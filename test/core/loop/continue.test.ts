// Going on without a new task: what a continued run begins with, and when there is nothing to go on with.
import { describe, expect, test } from 'vitest';
import { overtaken } from '../../../src/core/session/inbox.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import { calls, fails, gate, inTurn, says } from '../../support/memory-model.ts';
import { MemorySession, type MemoryOptions } from '../../support/memory-session.ts';

const echo = ({ callId }: { callId: string }) => callId;
const textsAt = (session: MemorySession, index: number) =>
  session.requests[index]?.messages.map((message) =>
    message.role === 'tool_result' ? message.callId : textOf(message),
  );

/** Runs a kept session until it has ended its `runs`-th run. */
async function untilRun(session: MemorySession, runs: number): Promise<void> {
  await session.until(() => session.state.runs === runs && session.state.run === undefined && !session.busy);
}

async function started(options: MemoryOptions, before?: (session: MemorySession) => void) {
  const session = new MemorySession({ keepAlive: true, tools: { echo }, ...options });
  session.prompt('go');
  before?.(session);
  const running = session.run();
  await untilRun(session, 1);
  const close = async () => {
    session.send('shutdown');
    await running;
  };
  return { session, close };
}

describe('with a view that the model owes an answer to', () => {
  test('[LOOP-20ac] [LOOP-08b] [LOOP-22] after a limit the run begins with a model call and adds no message', async () => {
    const { session, close } = await started({
      model: inTurn(calls('a'), says('done')),
      settings: { loop: { maxTurns: 1, onLimit: 'error' } },
    });
    expect(session.state.lastResult).toMatchObject({
      status: 'max_iterations',
      error: { code: 'Run.MaxTurns' },
    });
    const eventsBefore = session.seen.length;
    session.continue();
    await untilRun(session, 2);
    expect(textsAt(session, 1)).toEqual(['go', '', 'a']);
    const { lastResult } = session.state;
    expect(lastResult).toMatchObject({ runId: 'run-2', status: 'completed', answer: 'done' });
    const { fromSeq = 0, toSeq } = lastResult?.newMessages ?? {};
    expect(session.state.log.records.slice(fromSeq - 1, toSeq).map(({ role }) => role)).toEqual([
      'assistant',
    ]);
    const roles = session.seen.slice(eventsBefore).flatMap((e) => (e.type === 'message_end' ? [e.role] : []));
    expect(roles).toEqual(['assistant']);
    await close();
  });

  test('[LOOP-08b] [LOOP-07a] after a limit whose last request has answered, the run has fresh turns and asks for the rest', async () => {
    const { session, close } = await started({
      model: inTurn(calls('a'), says('so far'), calls('b'), says('so far, too')),
      settings: { loop: { maxTurns: 1 } },
    });
    expect(session.state.lastResult).toMatchObject({ status: 'max_iterations', answer: 'so far' });
    session.continue();
    await untilRun(session, 2);
    expect(textsAt(session, 2)).toEqual(['go', '', 'a', 'so far', expect.stringContaining('cut short')]);
    // tools again, which the last request before had not
    expect(session.requests.map(({ toolChoice }) => toolChoice)).toEqual(['auto', 'none', 'auto', 'none']);
    const { lastResult, lastTask } = session.state;
    expect(lastResult).toMatchObject({ runId: 'run-2', status: 'max_iterations', answer: 'so far, too' });
    expect(lastTask).toBe('go');
    await close();
  });

  test('[LOOP-20a] continueText is appended as a user message', async () => {
    const { session, close } = await started({ model: inTurn(says('one'), says('two')) });
    session.continue('and now the disk');
    await untilRun(session, 2);
    expect(textsAt(session, 1)).toEqual(['go', 'one', 'and now the disk']);
    await close();
  });

  test.each([
    ['failed', inTurn(fails('Model.NotFound'), says('done'))],
    ['aborted', undefined],
  ])(
    '[LOOP-22] after a run that %s it tries again: that reply is in the log, not in the view',
    async (_, model) => {
      const held = gate<ReturnType<typeof says>>();
      let requests = 0;
      const session = new MemorySession({
        keepAlive: true,
        model: model ?? (() => (++requests === 1 ? held.promise : says('done'))),
      });
      session.prompt('go');
      const running = session.run();
      await session.until(() => session.requests.length === 1);
      if (!model) session.send('abort');
      held.open(says('late', { stopReason: 'aborted' }));
      await untilRun(session, 1);
      session.continue();
      await untilRun(session, 2);
      expect(textsAt(session, 1)).toEqual(['go']);
      expect(session.state.lastResult).toMatchObject({ status: 'completed', answer: 'done' });
      session.send('shutdown');
      await running;
    },
  );
});

describe('after an answer', () => {
  test('[LOOP-21ac] steering is drained by its mode as the prompt, and is not polled again before the request', async () => {
    const { session, close } = await started({
      model: inTurn(fails('Model.NotFound'), says('0'), says('1'), says('2'), says('3')),
    });
    session.continue();
    await untilRun(session, 2); // now the view ends with an answer
    session.inbox.configure({ idleMessages: 'hold' });
    for (const id of ['s1', 's2']) session.steer(id);
    session.followUp('f');
    session.continue();
    await untilRun(session, 3);
    expect(textsAt(session, 2)).toEqual(['go', '0', 's1']);
    expect(textsAt(session, 3)).toEqual(['go', '0', 's1', '1', overtaken, 's2']);
    expect(session.inbox.receipt('s1')).toMatchObject({ state: 'delivered', runId: 'run-3', turn: 1 });
    expect(session.inbox.receipt('s2')).toMatchObject({ state: 'delivered', runId: 'run-3', turn: 2 });
    await close();
  });

  test('[LOOP-21a] in mode all the whole queue is the prompt', async () => {
    const { session, close } = await started({ model: inTurn(says('one'), says('two')) });
    session.inbox.configure({ idleMessages: 'hold' });
    session.inbox.setMode('steering', 'all');
    for (const id of ['s1', 's2']) session.steer(id);
    session.continue();
    await untilRun(session, 2);
    expect(textsAt(session, 1)).toEqual(['go', 'one', 's1', 's2']);
    await close();
  });

  test('[LOOP-21ac] else follow-ups are, and steering that comes then is polled before the request', async () => {
    const { session, close } = await started({ model: inTurn(says('one'), says('two')) });
    session.inbox.configure({ idleMessages: 'hold' });
    session.followUp('f');
    session.continue();
    session.steer('s');
    await untilRun(session, 2);
    expect(textsAt(session, 1)).toEqual(['go', 'one', 'f', 's']);
    await close();
  });

  test('[LOOP-21b] with both queues empty there is nothing to continue', async () => {
    const { session, close } = await started({ model: inTurn(says('one')) });
    expect(() => session.continue()).toThrow('NothingToContinue');
    await close();
  });
});

test('[LOOP-20b] refused while a run is in progress, and where the view is empty', async () => {
  const session = new MemorySession({ keepAlive: true, model: inTurn(says('one')) });
  expect(() => session.continue()).toThrow('NothingToContinue');
  expect(() => session.continue('go on')).toThrow('NothingToContinue');
  session.prompt('go');
  expect(() => session.continue()).toThrow('RunInProgress');
  session.send('shutdown');
  await session.run();
});

describe('reset', () => {
  test('[STATE-08ac] clears view, error and queues; the log is archived and its numbers go on', async () => {
    const { session, close } = await started({ model: inTurn(fails('Model.NotFound'), says('two')) });
    session.inbox.configure({ idleMessages: 'hold' });
    session.steer('s');
    session.followUp('f');
    expect(session.snapshot.errorMessage).toBeDefined();
    const { nextSeq } = session.state.log;
    session.send('reset');
    await session.until(() => session.state.log.segments.length === 1);
    expect(session.snapshot).toMatchObject({ queues: { steering: [], followUp: [] }, model: { id: 'test' } });
    expect(session.snapshot.errorMessage).toBeUndefined();
    expect(session.state.log).toMatchObject({
      nextSeq,
      records: [],
      segments: [{ fromSeq: 1, toSeq: nextSeq - 1 }],
    });
    expect(session.state.view.fromSeq).toBe(nextSeq);
    expect(() => session.continue()).toThrow('NothingToContinue');
    session.prompt('something else');
    await untilRun(session, 2);
    expect(textsAt(session, 1)).toEqual(['something else']);
    expect(session.state.log.records[0]).toMatchObject({ seq: nextSeq });
    await close();
  });

  test('[STATE-08b] model, tools, prompt, thinking level and hooks stay', async () => {
    const looked: string[] = [];
    const { session, close } = await started({
      model: inTurn(calls('a'), says('one'), calls('b:more'), says('two')),
      tools: { echo, more: echo },
      hooks: [{ name: 'look', beforeToolCall: ({ toolCall }) => void looked.push(toolCall.callId) }],
    });
    for (const [name, value] of [
      ['setModel', 'memory:other'],
      ['setSystemPrompt', 'You are somebody else.'],
      ['setThinkingLevel', 'high'],
      ['setTools', ['more']],
    ] as const)
      session.send(name, value);
    session.send('reset');
    await session.until(() => session.state.log.segments.length === 1);
    session.prompt('something else');
    await untilRun(session, 2);
    expect(session.state.lastResult).toMatchObject({ status: 'completed', answer: 'two' });
    expect(looked).toEqual(['a', 'b']);
    expect(session.ran).toEqual(['a', 'b']);
    expect(session.state.context).toMatchObject({
      systemPrompt: 'You are somebody else.',
      model: { id: 'memory:other' },
      settings: { model: { thinkingLevel: 'high' } },
      tools: [{ name: 'more' }],
    });
    expect(textsAt(session, 2)).toEqual(['something else']);
    await close();
  });

  test('[STATE-08d] while a run is in progress it waits for its end', async () => {
    const held: number[] = [];
    const session: MemorySession = new MemorySession({
      keepAlive: true,
      model: () => {
        session.send('reset');
        held.push(session.state.log.records.length);
        return says('done');
      },
    });
    session.prompt('go');
    const running = session.run();
    await session.until(() => session.state.log.segments.length === 1);
    expect(held).toEqual([1]);
    expect(session.state.lastResult).toMatchObject({ status: 'completed', answer: 'done' });
    session.send('shutdown');
    await running;
  });
});

describe('a budget that was used up', () => {
  const budget = { turns: 1 };

  test('[SAFE-03be] extendBudget and continue go on with the same work, which keeps its count', async () => {
    const { session, close } = await started({
      model: inTurn(calls('a'), calls('b'), calls('c'), says('done')),
      settings: { budget },
    });
    expect(session.state.lastResult?.status).toBe('budget_exceeded');
    session.continue();
    await untilRun(session, 2);
    // nothing was added: accepted, and stopped before a request
    expect(session.state.lastResult?.status).toBe('budget_exceeded');
    expect(session.requests).toHaveLength(1);
    session.session.record({ type: 'budget_extended', by: { turns: 2 } });
    expect(session.snapshot.budget).toEqual({ turns: 3 });
    session.continue();
    await untilRun(session, 3);
    expect(session.state.lastResult).toMatchObject({ status: 'budget_exceeded', turns: 2 });
    expect(session.requests).toHaveLength(3);
    session.prompt('a new task has its own budget');
    await untilRun(session, 4);
    expect(session.requests).toHaveLength(4);
    expect(session.snapshot.budget).toEqual({ turns: 1 });
    await close();
  });

  test('[SAFE-03d] [LOOP-08b] what was spent before an abort stays spent, over any number of continues', async () => {
    let asked = 0;
    const { session, close } = await started({
      model: () => {
        if (++asked === 4) session.send('abort');
        return calls(`c${asked}:echo:{"n":${asked}}`);
      },
      costUsd: 1,
      settings: { loop: { maxTurns: 0 }, budget: { costUsd: 3 } },
    });
    expect(session.state.lastResult?.status).toBe('budget_exceeded');
    session.send('extendBudget', { costUsd: 2 });
    session.continue();
    await untilRun(session, 2);
    expect(session.state.lastResult).toMatchObject({ status: 'aborted', costUsd: 1 });
    session.continue();
    await untilRun(session, 3);
    expect(session.state.lastResult).toMatchObject({ status: 'budget_exceeded', costUsd: 1 });
    expect(session.state.costUsd).toBe(5);
    session.prompt('a new task has its own budget');
    await untilRun(session, 4);
    expect(session.state.lastResult).toMatchObject({ status: 'budget_exceeded', costUsd: 3 });
    await close();
  });

  test("[SAFE-03d] wallMs goes on counting in a continued run; the time between the two is nobody's", async () => {
    let now = 0;
    const { session, close } = await started({
      model: inTurn(calls('a'), calls('b'), calls('c')),
      tools: {
        echo: ({ callId }) => {
          now += 1_000;
          return callId;
        },
      },
      now: () => now,
      settings: { loop: { maxTurns: 0 }, budget: { wallMs: 1_000 } },
    });
    expect(session.state.lastResult).toMatchObject({ status: 'budget_exceeded', turns: 1 });
    session.send('extendBudget', { wallMs: 1_500 });
    now += 60_000;
    session.continue();
    await untilRun(session, 2);
    // 1,000 before, 1,500 more: two calls of 1,000
    expect(session.state.lastResult).toMatchObject({ status: 'budget_exceeded', turns: 2 });
    await close();
  });

  test('[SAFE-03d] calls that the budget kept from running have used up nothing of it', async () => {
    const { session, close } = await started({
      model: inTurn(calls('a', 'b', 'c', 'd'), calls('e', 'f', 'g', 'h')),
      settings: { budget: { toolCalls: 2 } },
    });
    expect(session.state.lastResult).toMatchObject({ status: 'budget_exceeded', toolCalls: 2 });
    session.send('extendBudget', { toolCalls: 3 });
    session.continue();
    await untilRun(session, 2);
    expect(session.state.lastResult).toMatchObject({ status: 'budget_exceeded', toolCalls: 3 });
    expect(session.ran).toEqual(['a', 'b', 'e', 'f', 'g']);
    await close();
  });

  test('[SAFE-03b] extended in time, the run itself goes on', async () => {
    const session: MemorySession = new MemorySession({
      model: inTurn(calls('a'), says('done')),
      tools: {
        echo: ({ callId }) => {
          session.session.record({ type: 'budget_extended', by: { turns: 1 } });
          return callId;
        },
      },
      settings: { budget },
    });
    expect(await session.ask('go')).toMatchObject({ status: 'completed', turns: 2 });
  });
});

test('[CKPT-07] [STATE-07a] what is set for the next run, and a reset that is asked for, cross a hand-over', async () => {
  const options: MemoryOptions = {
    model: inTurn(calls('a'), says('one'), says('two')),
    tools: { echo },
    keepAlive: true,
  };
  const first = new MemorySession(options);
  first.prompt('go');
  const running = first.run();
  await first.until(() => first.ran.length === 1);
  first.send('setModel', 'memory:other');
  first.send('setSystemPrompt', 'You are somebody else.');
  first.send('setThinkingLevel', 'low');
  first.send('setTools', []);
  first.send('setToolExecution', 'sequential');
  first.send('setQueueMode', { queue: 'followUp', mode: 'all' });
  first.send('reset');
  first.requestHandOver();
  expect(await running).toBe('hand_over');
  const second = new MemorySession(options, first.carry());
  // of the run in hand nothing has changed
  expect(second.state.context).toMatchObject({ systemPrompt: 'You are a test.', tools: [{ name: 'echo' }] });
  const rest = second.run();
  await second.until(() => second.state.log.segments.length > 0 && !second.busy);
  second.prompt('again');
  second.send('shutdown');
  await rest;
  expect(second.state.context).toMatchObject({
    systemPrompt: 'You are somebody else.',
    model: { id: 'memory:other' },
    settings: { model: { thinkingLevel: 'low' } },
    tools: [],
  });
  expect(second.state.settings).toMatchObject({ toolExecution: 'sequential' });
  expect(second.inbox.modeOf('followUp')).toBe('all');
  expect(textsAt(second, 1)).toEqual(['again']);
});

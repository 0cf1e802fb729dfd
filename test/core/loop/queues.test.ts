// Steering, follow-ups, stops: what reaches a run, when, and what becomes of the rest.
import { describe, expect, test } from 'vitest';
import { older, overtaken } from '../../../src/core/session/inbox.ts';
import { textOf, userMessage } from '@holdfast/vocabulary/messages';
import { answer, look } from '../../support/condense-sessions.ts';
import { calls, fails, gate, inTurn, says } from '../../support/memory-model.ts';
import { MemorySession, stopped, type MemoryModel } from '../../support/memory-session.ts';
import { queryRules } from '../../../src/core/session/queries.ts';

const echo = ({ callId }: { callId: string }) => `result of ${callId}`;
const usersOf = (session: MemorySession) =>
  session.state.log.records.filter(({ role }) => role === 'user').map(textOf);
/** Texts and results that the model read at request `index`, from 0. */
const readAt = (session: MemorySession, index: number) =>
  session.requests[index]?.messages.map((message) =>
    message.role === 'tool_result' ? message.callId : textOf(message),
  );

/** Says `texts` in turn; `during` is called while the n-th reply (from 1) is on its way. */
function speaking(texts: string[], during: (request: number) => void): MemoryModel {
  let request = 0;
  return () => {
    during(++request);
    return says(texts[request - 1] ?? 'no more');
  };
}

describe('steering', () => {
  test('[FAULT-69] [QUEUE-01] [MSG-10] enters after all results of the running batch, before the next model call', async () => {
    const session = new MemorySession({
      model: inTurn(calls('a', 'b'), says('done')),
      tools: {
        echo: ({ callId }) => {
          if (callId === 'a') session.steer('look at the pool');
          return callId;
        },
      },
    });
    await session.ask('go');
    expect(readAt(session, 1)).toEqual(['go', '', 'a', 'b', 'look at the pool']);
    expect(usersOf(session)).toEqual(['go', 'look at the pool']);
  });

  test.each([
    [
      'one-at-a-time',
      [
        ['go', 's1'],
        ['go', 's1', 'one', overtaken, 's2'],
        ['go', 's1', 'one', overtaken, 's2', 'two', overtaken, 's3'],
      ],
    ],
    ['all', [['go', 's1', 's2', 's3']]],
  ] as const)('[QUEUE-03] mode %s', async (steeringMode, requests) => {
    const session = new MemorySession({
      model: speaking(['one', 'two', 'three'], () => {}),
      settings: { queues: { steeringMode } },
    });
    session.prompt('go');
    for (const id of ['s1', 's2', 's3']) session.steer(id);
    await session.run();
    expect(requests.map((_, index) => readAt(session, index))).toEqual(requests);
    expect(session.requests).toHaveLength(requests.length);
  });

  test('[QUEUE-12] a message in the moment of the last reply continues the run', async () => {
    for (const send of ['steer', 'followUp'] as const) {
      const session: MemorySession = new MemorySession({
        model: speaking(['one', 'two'], (request) => request === 1 && session[send]('late')),
      });
      expect(await session.ask('go')).toMatchObject({ runId: 'run-1', answer: 'two', turns: 2 });
    }
  });

  test.each(['afterResponse', 'prepareNextTurn', 'shouldStopAfterTurn'] as const)(
    '[QUEUE-12] so does one that comes while a hook of the last turn, %s, is awaited',
    async (point) => {
      for (const send of ['steer', 'followUp'] as const) {
        const session: MemorySession = new MemorySession({
          model: inTurn(says('one'), says('two')),
          hooks: [{ name: 'last', [point]: () => undefined }],
          beforeHook: async () => {
            await Promise.resolve();
            session[send]('late');
          },
        });
        expect(await session.ask('go')).toMatchObject({ runId: 'run-1', answer: 'two', turns: 2 });
      }
    },
  );
});

describe('words that were sent before the answer that they follow', () => {
  test('[QUEUE-23a] are told so to the model, right before them: they are no yes to what it asks there', async () => {
    const session = new MemorySession({
      model: inTurn(calls('a'), says('Shall I restart web-1?'), says('two')),
      tools: { echo },
    });
    session.prompt('go');
    session.followUp('yes, do that');
    await session.run();
    expect(readAt(session, 2)?.slice(-3)).toEqual(['Shall I restart web-1?', overtaken, 'yes, do that']);
  });

  test('[QUEUE-23b] words that come after the answer, while a hook looks at it, are not', async () => {
    let hooks = 0;
    const session: MemorySession = new MemorySession({
      model: inTurn(says('Shall I restart web-1?'), says('two')),
      hooks: [{ name: 'slow', afterComplete: () => undefined }],
      beforeHook: () => void (++hooks === 1 && session.followUp('yes, do that')),
    });
    await session.ask('go');
    expect(readAt(session, 1)).toEqual(['go', 'Shall I restart web-1?', 'yes, do that']);
  });

  test('[QUEUE-23a] each of several is told so, and one that came after the answer is not', async () => {
    let hooks = 0;
    const session: MemorySession = new MemorySession({
      model: speaking(['Shall I restart web-1?', 'two'], (request) => {
        if (request === 1) for (const id of ['also the pool', 'yes']) session.followUp(id);
      }),
      settings: { queues: { followUpMode: 'all' } },
      hooks: [{ name: 'slow', afterComplete: () => undefined }],
      beforeHook: () => void (++hooks === 1 && session.followUp('no')),
    });
    await session.ask('go');
    const asked = ['go', 'Shall I restart web-1?'];
    expect(readAt(session, 1)).toEqual([...asked, overtaken, 'also the pool', overtaken, 'yes', 'no']);
  });

  test('[QUEUE-23a] so it is where a run continues with one that its run has left', async () => {
    const session: MemorySession = new MemorySession({
      keepAlive: true,
      model: speaking(['Shall I restart web-1?', 'two'], (request) => {
        if (request === 1) session.steer('yes');
      }),
      settings: { loop: { maxTurns: 1, onLimit: 'error' } },
    });
    await session.ask('go');
    session.continue();
    await session.until(() => session.state.runs === 2 && !session.busy);
    expect(readAt(session, 1)).toEqual(['go', 'Shall I restart web-1?', overtaken, 'yes']);
    expect(session.state.lastTask).toBe('go\n\nyes');
  });
});

test('[QUEUE-23d] words of an aborted run, which enter after the next task, are told to be older than it; those that came after it are not', async () => {
  const session: MemorySession = new MemorySession({
    model: () => {
      const isFirst = session.requests.length === 1;
      if (session.requests.length < 3) session.steer(isFirst ? 'restart payments' : 'then the cache');
      if (isFirst) session.send('abort');
      return says('ok');
    },
    keepAlive: true,
  });
  await session.ask('go');
  session.send('prompt', 'leave payments alone');
  await session.until(() => session.state.runs === 2 && !session.busy);
  expect(usersOf(session).slice(1)).toEqual([
    'leave payments alone',
    older,
    'restart payments',
    overtaken,
    'then the cache',
  ]);
});

describe('follow-ups', () => {
  test('[QUEUE-04bc] are taken one at a time where the run would stop, and steering comes first', async () => {
    const session: MemorySession = new MemorySession({
      model: speaking(['one', 'two', 'three', 'four'], (request) => {
        if (request === 1) session.followUp('f1');
        if (request === 1) session.followUp('f2');
        if (request === 1) session.steer('s1');
      }),
    });
    await session.ask('go');
    expect(usersOf(session)).toEqual(['go', overtaken, 's1', overtaken, 'f1', overtaken, 'f2']);
    expect(readAt(session, 1)).toEqual(['go', 'one', overtaken, 's1']);
  });

  test('[QUEUE-04a] is not taken while the model has tool results to read', async () => {
    const session = new MemorySession({
      model: inTurn(calls('a'), says('one'), says('two')),
      tools: { echo },
    });
    session.prompt('go');
    session.followUp('f1');
    await session.run();
    expect(readAt(session, 1)).toEqual(['go', '', 'a']);
    expect(readAt(session, 2)).toEqual(['go', '', 'a', 'one', overtaken, 'f1']);
  });

  test('[QUEUE-05ab] continues the same run with a fresh allowance of turns', async () => {
    const session = new MemorySession({
      model: inTurn(calls('a'), says('one'), calls('b'), says('two')),
      tools: { echo },
      settings: { loop: { maxTurns: 2, onLimit: 'error' } },
    });
    session.prompt('go');
    session.followUp('more');
    await session.run();
    expect(session.state.lastResult).toMatchObject({ runId: 'run-1', status: 'completed', turns: 4 });
    expect(session.events('agent_end')).toHaveLength(1);
    expect(session.events('turn_start').map(({ turn }) => turn)).toEqual([1, 2, 3, 4]);
  });
});

/** Full at every fifth turn, and the work is done at turn 6 and 12. */
const condensing = (followUpBudget: 'fresh' | 'shared') =>
  new MemorySession({
    model: ({ input }) =>
      input.turn % 6 === 0
        ? answer(`done at ${input.turn}`)
        : look(input.turn, input.turn % 6 === 5 ? 900 : 100),
    tools: { look: () => 'ok' },
    settings: {
      model: { contextWindow: 1_000 },
      loop: { maxTurns: 0 },
      condense: { maxPerRun: 1 },
      queues: { followUpBudget },
    },
  });

test.each([
  ['fresh', 2],
  ['shared', 1],
] as const)(
  '[QUEUE-05bc] followUpBudget %s: %i condenses with maxPerRun 1',
  async (followUpBudget, condenses) => {
    const session = condensing(followUpBudget);
    session.prompt('go');
    session.followUp('more');
    await session.run();
    expect(session.state.lastResult).toMatchObject({
      runId: 'run-1',
      status: 'completed',
      answer: 'done at 12',
    });
    expect(session.events('condense_end')).toHaveLength(condenses);
  },
);

describe('options of the queues', () => {
  test.each(['parallel', 'sequential'] as const)(
    '[QUEUE-02] steeringPoint tool, %s: calls that have not begun are skipped, all are answered, then the message follows',
    async (toolExecution) => {
      const session: MemorySession = new MemorySession({
        model: inTurn(calls('a', 'b', 'c'), says('done')),
        tools: {
          echo: ({ callId }) => {
            session.steer('look at the pool');
            return callId;
          },
        },
        settings: { loop: { toolExecution, toolConcurrency: 1 }, queues: { steeringPoint: 'tool' } },
      });
      await session.ask('go');
      expect(session.ran).toEqual(['a']);
      expect(readAt(session, 1)).toEqual(['go', '', 'a', 'b', 'c', 'look at the pool']);
      const results = session.requests[1]?.messages.flatMap((message) =>
        message.role === 'tool_result' ? [[message.isError, textOf(message)]] : [],
      );
      const skipped = [true, 'Skipped due to queued user message.'];
      expect(results).toEqual([[false, 'a'], skipped, skipped]);
    },
  );

  test('[QUEUE-02] the default is the batch: every call runs', async () => {
    const session: MemorySession = new MemorySession({
      model: inTurn(calls('a', 'b'), says('done')),
      tools: { echo: ({ callId }) => (session.steer('s'), callId) },
      settings: { loop: { toolConcurrency: 1 } },
    });
    await session.ask('go');
    expect(session.ran).toEqual(['a', 'b']);
  });

  test('[QUEUE-03c] a mode that is set applies from the next drain point, and wins over the next run', async () => {
    const session: MemorySession = new MemorySession({
      model: speaking(
        ['one', 'two', 'three'],
        (request) => request === 1 && session.inbox.setMode('steering', 'all'),
      ),
    });
    session.prompt('go');
    for (const id of ['s1', 's2', 's3']) session.steer(id);
    await session.run();
    expect(readAt(session, 0)).toEqual(['go', 's1']);
    expect(readAt(session, 1)).toEqual(['go', 's1', 'one', overtaken, 's2', overtaken, 's3']);
    expect(session.inbox.modeOf('steering')).toBe('all');
    const next = new MemorySession({ model: inTurn() }, session.carry());
    next.inbox.configure({ steeringMode: 'one-at-a-time' });
    expect([next.inbox.modeOf('steering'), next.inbox.modeOf('followUp')]).toEqual(['all', 'one-at-a-time']);
  });

  test('[QUEUE-05c] followUpBudget shared: a follow-up goes on counting', async () => {
    const session = new MemorySession({
      model: inTurn(calls('a'), says('one'), calls('b'), says('two')),
      tools: { echo },
      settings: { loop: { maxTurns: 3, onLimit: 'error' }, queues: { followUpBudget: 'shared' } },
    });
    session.prompt('go');
    session.followUp('more');
    await session.run();
    expect(session.state.lastResult).toMatchObject({ runId: 'run-1', status: 'max_iterations', turns: 3 });
  });

  test('[QUEUE-05d] a follow-up that no turn is left for stays queued, and its receipt says so', async () => {
    const told: unknown[] = [];
    const session: MemorySession = new MemorySession({
      model: speaking(['one', 'two'], () => {
        session.followUp('more');
        told.push(queryRules.getReceipt(session.session, 'more'));
      }),
      settings: { loop: { maxTurns: 1, onLimit: 'error' }, queues: { followUpBudget: 'shared' } },
    });
    expect(await session.ask('go')).toMatchObject({ status: 'max_iterations', answer: 'one', turns: 1 });
    expect(usersOf(session)).toEqual(['go']);
    expect(session.snapshot.queues).toEqual({ steering: [], followUp: ['more'] });
    expect(told).toEqual([{ id: 'more', queue: 'followUp', state: 'queued', readIn: 'no_run' }]);
  });

  test('[QUEUE-08c] each queue can be emptied by itself', () => {
    const session = new MemorySession({ model: inTurn() });
    session.steer('s');
    session.followUp('f');
    session.inbox.clear(['steering']);
    expect(session.snapshot.queues).toEqual({ steering: [], followUp: ['f'] });
    session.steer('t');
    session.inbox.clear(['followUp']);
    expect(session.snapshot.queues).toEqual({ steering: ['t'], followUp: [] });
    expect(session.inbox.receipt('f')).toMatchObject({ state: 'cleared' });
  });

  test.each(['prompt', 'continue'] as const)(
    '[QUEUE-14] idleMessages hold: what arrives while idle waits for the next %s',
    async (start) => {
      const session = new MemorySession({
        model: inTurn(says('one'), says('two'), says('three')),
        keepAlive: true,
        settings: { queues: { idleMessages: 'hold' } },
      });
      await session.ask('go');
      session.steer('s');
      session.followUp('f');
      await new Promise((resolve) => setImmediate(resolve));
      expect([session.state.runs, session.snapshot.queues]).toEqual([
        1,
        { steering: ['s'], followUp: ['f'] },
      ]);
      if (start === 'prompt') session.prompt('again');
      else session.continue();
      await session.until(() => session.state.runs === 2 && !session.busy);
      expect(usersOf(session)).toEqual(
        start === 'prompt' ? ['go', 'again', 's', overtaken, 'f'] : ['go', 's', overtaken, 'f'],
      );
    },
  );
});

describe('what a run does not take', () => {
  const ends: [
    status: string,
    first: (session: MemorySession) => ReturnType<MemoryModel>,
    settings: object,
  ][] = [
    ['failed', () => fails('Model.NotFound'), {}],
    ['aborted', (session) => (session.send('abort'), { type: 'stopped' }), {}],
    ['timed_out', (session) => (session.session.timeOut('run-1'), { type: 'stopped' }), {}],
    ['loop_detected', () => calls('a', 'b'), { loop: { warn: 0, stop: 2 } }],
    ['context_exhausted', () => fails('Model.ContextOverflow', 'condense'), {}],
    ['budget_exceeded', () => calls('a'), { budget: { toolCalls: 1 } }],
    ['max_iterations', () => calls('a'), { loop: { maxTurns: 1, onLimit: 'error' } }],
    ['max_iterations', () => says('done'), { loop: { maxTurns: 1, onLimit: 'error' } }],
  ];
  describe.each(ends)('[QUEUE-06ab] [QUEUE-11b] %s', (status, first, settings) => {
    test.each(['prompt', 'continue'] as const)(
      'takes nothing; hasQueuedMessages says so, and the next %s takes steering, then the follow-up',
      async (next) => {
        const session: MemorySession = new MemorySession({
          model: () => {
            if (session.requests.length > 1) return says('ok');
            session.steer('s');
            session.followUp('f');
            return first(session);
          },
          tools: { echo: () => 'the same' },
          settings,
          keepAlive: true,
        });
        await session.ask('go');
        expect(session.state.lastResult).toMatchObject({ runId: 'run-1', status });
        expect(usersOf(session)).toEqual(['go']);
        expect(queryRules.hasQueuedMessages(session.session)).toBe(true);
        expect(session.snapshot.queues).toEqual({ steering: ['s'], followUp: ['f'] });
        // a budget of its own for the next run
        if (status === 'budget_exceeded') session.send('extendBudget', { toolCalls: 9 });
        if (next === 'prompt') session.prompt('again');
        else session.continue();
        await session.until(() => session.state.runs === 2 && !session.busy);
        expect(session.state.lastResult).toMatchObject({ status: 'completed' });
        const given = usersOf(session).filter((text) => ['go', 'again', 's', 'f'].includes(text));
        expect(given).toEqual(next === 'prompt' ? ['go', 'again', 's', 'f'] : ['go', 's', 'f']);
        expect(queryRules.hasQueuedMessages(session.session)).toBe(false);
      },
    );
  });
});

describe('the last request of a run', () => {
  test('[QUEUE-20a] has all the steering that waits behind its last batch, in either mode; the follow-up stays', async () => {
    for (const steeringMode of ['one-at-a-time', 'all'] as const) {
      const session: MemorySession = new MemorySession({
        model: () => {
          if (session.requests.length > 1) return says('the last words');
          session.steer('no names');
          session.steer('no numbers');
          session.followUp('f');
          return calls('a');
        },
        tools: { echo },
        settings: { loop: { maxTurns: 1 }, queues: { steeringMode } },
      });
      expect(await session.ask('go')).toMatchObject({ status: 'max_iterations', answer: 'the last words' });
      expect(readAt(session, 1)).toEqual(['go', '', 'a', 'no names', 'no numbers']);
      expect(session.requests.map(({ input }) => input.toolChoice)).toEqual(['auto', 'none']);
      expect(session.session.end().undelivered).toEqual(['f']);
    }
  });

  test('[QUEUE-20a] also an interrupting one that stops it: the request is asked again, once', async () => {
    const session: MemorySession = new MemorySession({
      model: () => {
        if (session.requests.length === 1) return calls('a');
        if (session.requests.length > 2) return says('the last words');
        session.steer('now', 'no names', 'interrupt');
        return { type: 'stopped' };
      },
      tools: { echo },
      settings: { loop: { maxTurns: 1 } },
    });
    expect(await session.ask('go')).toMatchObject({ status: 'max_iterations', answer: 'the last words' });
    expect(readAt(session, 2)).toEqual(['go', '', 'a', 'no names']);
    expect(session.requests).toHaveLength(3);
  });
});

describe('words that come while the next request is prepared', () => {
  const texts = ['also look at the cache', 'do NOT restart'];
  const say = (session: MemorySession) => texts.forEach((text) => session.steer(text));

  test('[QUEUE-21b] hooks before the request: in that request, and the hooks run once', async () => {
    const points: string[] = [];
    const session: MemorySession = new MemorySession({
      model: inTurn(says('done')),
      hooks: [{ name: 'slow', beforeComplete: () => ({ inject: 'mind the time' }) }],
      beforeHook: (point) => (points.push(point), say(session)),
    });
    await session.ask('go');
    expect(readAt(session, 0)).toEqual(['go', 'mind the time', ...texts]);
    expect(points).toHaveLength(1);
  });

  test('[QUEUE-21b] the context, a hook of the turn before, the sources that are read again', async () => {
    let assembled = 0;
    const session: MemorySession = new MemorySession({
      model: inTurn(calls('a'), says('done')),
      tools: { echo },
      settings: { promptConfig: { refresh: 'turn' } },
      bodies: {
        assembleContext: () => {
          if (++assembled === 2) say(session);
          return Promise.resolve(session.context);
        },
      },
    });
    await session.ask('go');
    expect(assembled).toBe(2);
    expect(readAt(session, 1)).toEqual(['go', '', 'a', ...texts]);
  });

  test('[QUEUE-21b] a run that has begun with a message of the queue', async () => {
    const session: MemorySession = new MemorySession({
      model: inTurn(fails('Model.NotFound'), says('done')),
      keepAlive: true,
      hooks: [{ name: 'start', runStart: () => undefined }],
      beforeHook: () => void (session.state.runs === 2 && say(session)),
    });
    session.prompt('go');
    const running = session.run();
    await session.until(() => session.state.lastResult !== undefined && !session.busy);
    const left = { id: 'left', message: userMessage('left', 'steer') };
    session.inbox.put('steering', left, { whileIdle: false });
    session.continue();
    await session.until(() => session.state.runs === 2 && !session.busy);
    expect(readAt(session, 1)?.slice(-3)).toEqual(['left', ...texts]);
    session.send('shutdown');
    await running;
  });

  test('[QUEUE-21b] an operator: the call is not repeated as it was', async () => {
    const session: MemorySession = new MemorySession({
      model: inTurn(fails('Model.Auth', 'wait_for_operator'), says('done')),
    });
    session.prompt('go');
    const running = session.run();
    await session.until(() => session.session.waitingFor === 'operator');
    say(session);
    session.send('resume');
    await running;
    expect(readAt(session, 1)).toEqual(['go', ...texts]);
  });

  test('[QUEUE-21c] while the request is on its way they wait for the next ones, one at a time', async () => {
    const session: MemorySession = new MemorySession({
      model: speaking(['one', 'two', 'three'], (request) => {
        if (request === 1) say(session);
      }),
    });
    await session.ask('go');
    expect(readAt(session, 1)).toEqual(['go', 'one', overtaken, texts[0]]);
    expect(readAt(session, 2)?.at(-1)).toBe(texts[1]);
  });

  test('[QUEUE-21d] in a run that has ended they are ordinary ones of the next run', () => {
    const session = new MemorySession({ model: inTurn() });
    for (const id of ['a', 'b'])
      session.inbox.put(
        'steering',
        { id, message: userMessage(id, 'steer') },
        { whileIdle: false, due: true },
      );
    session.inbox.runEnded();
    expect(session.inbox.isDue).toBe(false);
    expect(session.inbox.take('steering', { runId: 'r', turn: 1 })).toHaveLength(1);
  });
});

describe('ids and receipts', () => {
  test('[QUEUE-07ab] an id is accepted once, also after delivery and over a hand-over', async () => {
    const first = new MemorySession({ model: inTurn(says('one')) });
    first.prompt('go');
    expect([first.steer('x'), first.steer('x'), first.followUp('x')]).toEqual([true, false, false]);
    await first.run();
    expect(first.steer('x')).toBe(false);
    const next = new MemorySession({ model: inTurn() }, first.carry());
    expect(next.steer('x')).toBe(false);
    expect(usersOf(first)).toEqual(['go', 'x']);
  });

  test('[QUEUE-07c] [QUEUE-18a] a thousand ids are remembered, and a queued one however old it is', () => {
    const session = new MemorySession({ model: inTurn() });
    session.followUp('old');
    for (let index = 0; index < 1_200; index++) {
      session.steer(`s${index}`);
      session.send('cancelQueued', `s${index}`);
    }
    expect(session.followUp('old')).toBe(false);
    expect(session.inbox.receipt('old')).toMatchObject({ state: 'queued' });
    expect(session.inbox.receipt('s1199')).toMatchObject({ state: 'cancelled' });
    expect(session.inbox.receipt('s0')).toBeUndefined();
    expect(session.carry().inbox.receipts).toHaveLength(1_000);
    // the newest ids are those of s201 to s1199, and the one that waits
    expect([session.steer('s201'), session.steer('s200')]).toEqual([false, true]);
  });

  test('[QUEUE-08ac] cancelling removes a queued message and nothing else; clearing empties both queues', async () => {
    const session = new MemorySession({
      model: inTurn(says('one')),
      settings: { queues: { steeringMode: 'all' } },
    });
    session.prompt('go');
    for (const id of ['a', 'b']) session.steer(id);
    session.followUp('c');
    const cancelled = ['a', 'a', 'unknown'].map((id) => session.send('cancelQueued', id));
    expect(cancelled).toMatchObject([true, false, false].map((removed) => ({ value: { removed } })));
    session.send('clearQueues');
    expect(session.snapshot.queues).toEqual({ steering: [], followUp: [] });
    await session.run();
    expect(usersOf(session)).toEqual(['go']);
  });

  test('[QUEUE-08b] what was delivered cannot be cancelled', async () => {
    const session = new MemorySession({ model: inTurn(says('one')) });
    session.prompt('go');
    session.steer('a');
    await session.run();
    expect(session.send('cancelQueued', 'a')).toMatchObject({ value: { removed: false } });
  });

  test('[QUEUE-09a] every change of a queue is an event with the ids', async () => {
    const session = new MemorySession({ model: inTurn(says('one'), says('two')) });
    session.prompt('go');
    for (const id of ['a', 'b']) session.steer(id);
    session.send('cancelQueued', 'b');
    session.followUp('c');
    session.send('clearQueues');
    session.steer('d');
    await session.run();
    const updates = session
      .events('queue_update')
      .map(({ queue, action, ids }) => `${queue} ${action} ${ids.join()}`);
    // oxfmt-ignore
    expect(updates).toEqual([
      'steering enqueued a', 'steering enqueued b', 'steering cancelled b', 'followUp enqueued c',
      'steering cleared a', 'followUp cleared c', 'steering enqueued d', 'steering delivered d',
    ]);
  });

  test('[QUEUE-09a] the event says in which turn it happened', async () => {
    const session: MemorySession = new MemorySession({
      model: speaking(['one', 'two'], (request) => request === 1 && session.steer('a')),
    });
    await session.ask('go');
    expect(session.events('queue_update')).toMatchObject([
      { action: 'enqueued', turn: 1, runId: 'run-1' },
      { action: 'delivered', turn: 1, runId: 'run-1' },
    ]);
  });

  test('[QUEUE-18abc] a receipt says where a message is', async () => {
    const session: MemorySession = new MemorySession({
      model: speaking(['one', 'two'], (request) => request === 1 && session.steer('late')),
    });
    session.prompt('go');
    session.steer('first');
    session.followUp('gone');
    session.send('cancelQueued', 'gone');
    expect(session.inbox.receipt('first')).toEqual({ id: 'first', queue: 'steering', state: 'queued' });
    await session.run();
    session.followUp('never');
    expect(session.inbox.markUndelivered()).toEqual(['never']);
    const delivered = { queue: 'steering', state: 'delivered', runId: 'run-1' };
    expect(session.snapshot.receipts).toEqual([
      { id: 'first', ...delivered, turn: 1 },
      { id: 'gone', queue: 'followUp', state: 'cancelled' },
      { id: 'late', ...delivered, turn: 2 },
      { id: 'never', queue: 'followUp', state: 'undelivered' },
    ]);
    expect(session.inbox.receipt('nobody')).toBeUndefined();
    for (let index = 0; index < 30; index++) session.steer(`s${index}`);
    expect(session.snapshot.receipts).toHaveLength(20);
    const next = new MemorySession({ model: inTurn() }, session.carry());
    expect(next.inbox.receipt('late')).toEqual({ id: 'late', ...delivered, turn: 2 });
  });
});

describe('messages while idle', () => {
  test.each(['steer', 'followUp'] as const)('[QUEUE-13] %s starts a run with it as prompt', async (send) => {
    const session = new MemorySession({ model: inTurn(says('one'), says('two')), keepAlive: true });
    await session.ask('go');
    session[send]('wake up');
    await session.until(() => session.state.lastResult?.runId === 'run-2');
    expect(session.state.lastResult).toMatchObject({ status: 'completed', answer: 'two', turns: 1 });
    expect(usersOf(session)).toEqual(['go', 'wake up']);
  });

  test('[QUEUE-13b] beside a prompt they belong to its run, and start none when it fails', async () => {
    const session = new MemorySession({
      model: inTurn(fails('Model.NotFound'), says('a run that nobody asked for')),
      keepAlive: true,
    });
    session.followUp('idle');
    session.prompt('go');
    const running = session.run();
    await session.until(() => session.state.lastResult !== undefined && session.state.status === 'idle');
    // whatever the loop would still do by itself is done after this
    await new Promise((resolve) => setImmediate(resolve));
    expect(session.snapshot.queues.followUp).toEqual(['idle']);
    session.send('shutdown');
    expect(await running).toBe('closed');
    expect(session.state.runs).toBe(1);
  });

  test('a session that closes starts no run for them: they are undelivered', async () => {
    const session = new MemorySession({ model: inTurn(says('one')), keepAlive: true });
    session.prompt('go');
    const running = session.run();
    await session.until(() => session.state.lastResult !== undefined);
    session.send('shutdown');
    session.steer('too late');
    await running;
    expect(session.inbox.markUndelivered()).toEqual(['too late']);
    expect(session.state.runs).toBe(1);
  });

  test('[QUEUE-15] a session that does not stay keeps its answer: a message after it is undelivered', async () => {
    const session: MemorySession = new MemorySession({
      model: inTurn(says('the answer'), says('thank you too')),
      bodies: {
        saveResult: () => (session.steer('thanks'), { artifactId: 'result', checkpoint: 'checkpoint' }),
      },
    });
    await session.ask('go');
    expect(session.state.lastResult).toMatchObject({ runId: 'run-1', answer: 'the answer' });
    expect(session.inbox.markUndelivered()).toEqual(['thanks']);
  });

  test('[STATE-12a] a shutdown holds over a hand-over', async () => {
    const first = new MemorySession({
      model: inTurn(calls('a'), says('never here')),
      tools: { echo },
      keepAlive: true,
    });
    first.prompt('go');
    first.handOver = true;
    first.send('shutdown');
    expect(await first.run()).toBe('hand_over');
    const next = new MemorySession(
      { model: inTurn(says('done')), tools: { echo }, keepAlive: true },
      first.carry(),
    );
    expect(await next.run()).toBe('closed');
    expect(next.state.lastResult?.answer).toBe('done');
  });
});

describe('interrupting', () => {
  test('[QUEUE-17ac] [QUEUE-23b] stops the model call, keeps its text out of the view, and goes on with the message', async () => {
    const session: MemorySession = new MemorySession({
      model: (request, signal) => {
        if (request.input.turn > 1) return says('the pool it is');
        const { promise, open } = gate<ReturnType<typeof says>>();
        signal.addEventListener('abort', () => open(says('I was thinking ab', { stopReason: 'aborted' })));
        return promise.then((message) => ({
          type: 'stopped',
          result: { message, digest: 'd', calls: [], costUsd: 0.5 },
        }));
      },
    });
    session.prompt('go');
    const running = session.run();
    await session.until(() => session.requests.length === 1);
    session.steer('now', 'look at the pool', 'interrupt');
    await running;
    expect(session.state.lastResult).toMatchObject({
      runId: 'run-1',
      status: 'completed',
      answer: 'the pool it is',
      costUsd: 0.5,
    });
    expect(session.state.lastResult?.usage.main).toMatchObject({ input: 20, output: 10 });
    expect(session.state.log.records[1]).toMatchObject({ role: 'assistant', stopReason: 'aborted' });
    expect(readAt(session, 1)).toEqual(['go', 'look at the pool']);
  });

  test('[QUEUE-17b] answers every open call, and keeps what was finished', async () => {
    const slow = gate<string>();
    const session: MemorySession = new MemorySession({
      model: inTurn(calls('a', 'b:slow', 'c'), says('done')),
      tools: {
        echo,
        slow: ({ signal }) => {
          signal.addEventListener('abort', () => slow.open('half of it'));
          return slow.promise;
        },
      },
      settings: { loop: { toolExecution: 'sequential' } },
    });
    session.prompt('go');
    const running = session.run();
    await session.until(() => session.ran.length === 2);
    session.steer('now', 'stop that', 'interrupt');
    await running;
    expect(session.ran).toEqual(['a', 'b']);
    const results = session.requests[1]?.messages.slice(2);
    expect(results?.map(textOf)).toEqual([
      'result of a',
      'half of it',
      'tool execution aborted',
      'stop that',
    ]);
  });

  test('[QUEUE-17a] a message that is withdrawn stops nothing more', async () => {
    const held = gate<ReturnType<typeof says>>();
    const session = new MemorySession({
      model: ({ input }) => (input.turn === 1 ? held.promise : input.turn === 2 ? calls('a') : says('ok')),
      tools: { echo },
    });
    session.prompt('go');
    const running = session.run();
    await session.until(() => session.requests.length === 1);
    session.steer('now', 'stop', 'interrupt');
    session.send('cancelQueued', 'now');
    held.open(calls('first'));
    await running;
    expect(session.ran).toEqual(['first', 'a']);
  });

  test('[QUEUE-17ac] goes on with the message, also behind an earlier one, and stops once', async () => {
    const session: MemorySession = new MemorySession({
      model: ({ input }) => {
        if (input.turn === 1) {
          session.steer('s1');
          session.steer('s2', 's2', 'interrupt');
          session.steer('s3');
          return { type: 'stopped' };
        }
        return input.turn === 2 ? calls('a') : says('ok');
      },
      tools: { echo },
    });
    await session.ask('go');
    expect(readAt(session, 1)).toEqual(['go', 's1', 's2']);
    expect(readAt(session, 2)?.at(-1)).toBe('s3');
    expect(session.ran).toEqual(['a']);
  });

  test('[QUEUE-17ac] while the context is assembled: it is assembled again, and the run goes on', async () => {
    const held = gate<never>();
    let assembled = 0;
    const session: MemorySession = new MemorySession({
      model: inTurn(says('ok')),
      bodies: { assembleContext: async () => (++assembled === 1 ? held.promise : session.context) },
    });
    session.prompt('go');
    const running = session.run();
    session.steer('now', 'now', 'interrupt');
    held.refuse(stopped);
    await running;
    expect(session.state.lastResult).toMatchObject({ status: 'completed', answer: 'ok' });
    expect([assembled, readAt(session, 0)]).toEqual([2, ['go', 'now']]);
  });

  test('[QUEUE-17b] also while an approval is pending: the call is answered, and a late approval runs nothing', async () => {
    const session = new MemorySession({
      model: inTurn(calls('a:ask'), says('done')),
      tools: { ask: echo },
      policy: { ask: 'ask' },
    });
    session.prompt('go');
    const running = session.run();
    await session.until(() => session.approvals.length === 1);
    // both in one moment: the stop wins
    session.send('resolveApproval', { id: 'a', approve: true, actor: 'ann' });
    session.steer('now', 'do not', 'interrupt');
    await running;
    expect(session.ran).toEqual([]);
    expect(readAt(session, 1)).toEqual(['go', '', 'a', 'do not']);
    expect(session.state.lastResult?.status).toBe('completed');
  });
});

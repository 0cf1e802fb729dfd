// What a sender is told of a message: who reads it, or that it was not taken, in each state of the run.
import { describe, expect, test } from 'vitest';
import type { AgentOptionValues } from '@holdfast/vocabulary/agent-spec';
import { queryRules } from '../../../src/core/session/queries.ts';
import { takeSignal } from '../../../src/core/session/requests.ts';
import { calls, fails, inTurn, says } from '../../support/memory-model.ts';
import { MemorySession } from '../../support/memory-session.ts';

const receiptOf = (session: MemorySession, id: string) => queryRules.getReceipt(session.session, id);
const readIn = (session: MemorySession, id: string) => receiptOf(session, id)?.readIn;

/** Sends a steering message and a follow-up in the n-th request, and gives who reads each. */
async function sentIn(request: number, settings: AgentOptionValues, keepAlive = false) {
  const told: unknown[] = [];
  const session: MemorySession = new MemorySession({
    model: () => {
      if (session.requests.length === request) {
        session.steer('s');
        session.followUp('f');
        told.push(readIn(session, 's'), readIn(session, 'f'));
      }
      return session.requests.length === 1 ? calls('a') : says('done');
    },
    tools: { echo: () => 'ok' },
    settings,
    keepAlive,
  });
  await session.ask('go');
  const fates = ['s', 'f'].map((id) => session.inbox.receipt(id)?.state);
  return { told, fates };
}

describe('a message that waits', () => {
  test.each<[string, number, AgentOptionValues, unknown[], unknown[]]>([
    ['a turn is left', 1, { loop: { maxTurns: 9 } }, ['run', 'run'], ['delivered', 'delivered']],
    [
      'the last request is to come',
      1,
      { loop: { maxTurns: 1 } },
      ['run', 'run_if_answered'],
      ['delivered', 'queued'],
    ],
    [
      'the last request is on its way',
      2,
      { loop: { maxTurns: 1 } },
      ['no_run', 'no_run'],
      ['queued', 'queued'],
    ],
    [
      'the limit ends it after this reply',
      1,
      { loop: { maxTurns: 1, onLimit: 'error' } },
      ['no_run', 'run_if_answered'],
      ['queued', 'queued'],
    ],
    [
      'the budget ends it after this reply',
      1,
      { budget: { turns: 1 } },
      ['no_run', 'no_run'],
      ['queued', 'queued'],
    ],
  ])('[QUEUE-22b] %s', async (_, request, settings, told, fates) => {
    expect(await sentIn(request, settings)).toEqual({ told, fates });
  });

  test.each<[AgentOptionValues, string, string]>([
    [{ loop: { maxTurns: 1 } }, 'no_run', 'queued'],
    [{ loop: { maxTurns: 1, onLimit: 'error' } }, 'no_run', 'queued'],
    [{ loop: { maxTurns: 2 } }, 'run', 'delivered'],
  ])('[QUEUE-22b] a follow-up in a call of the last turn (%j): %s', async (settings, told, fate) => {
    const heard: unknown[] = [];
    const session: MemorySession = new MemorySession({
      model: () => (session.requests.length === 1 ? calls('a') : says('done')),
      tools: {
        echo: () => {
          session.followUp('f');
          heard.push(readIn(session, 'f'));
          return 'ok';
        },
      },
      settings,
    });
    await session.ask('go');
    expect([...heard, session.inbox.receipt('f')?.state]).toEqual([told, fate]);
  });

  test.each<[AgentOptionValues, string]>([
    [{ loop: { maxTurns: 1 } }, 'run_if_answered'],
    [{ loop: { maxTurns: 1, onLimit: 'error' } }, 'run_if_answered'],
    [{ loop: { maxTurns: 2 } }, 'run'],
  ])(
    '[QUEUE-22b] a follow-up while the answer of the last turn is on its way (%j): %s',
    async (settings, told) => {
      const heard: unknown[] = [];
      const session: MemorySession = new MemorySession({
        model: () => {
          if (session.requests.length > 1) return says('done');
          session.followUp('f');
          heard.push(readIn(session, 'f'));
          return says('so far');
        },
        settings,
      });
      await session.ask('go');
      expect([...heard, session.inbox.receipt('f')?.state]).toEqual([told, 'delivered']);
    },
  );

  test('[QUEUE-22f] a message says what the run waits for before it reads it, unless it stops the wait', async () => {
    const session: MemorySession = new MemorySession({
      model: inTurn(calls('a'), says('done'), says('done')),
      tools: { echo: () => 'ok' },
      policy: { echo: 'ask' },
    });
    session.prompt('go');
    const running = session.run();
    await session.until(() => session.approvals.length > 0);
    session.steer('s');
    session.followUp('f');
    expect(receiptOf(session, 's')).toMatchObject({ readIn: 'run', after: 'approval' });
    expect(receiptOf(session, 'f')).toMatchObject({ readIn: 'run', after: 'approval' });
    session.steer('now', 'stop', 'interrupt');
    expect(receiptOf(session, 's')).not.toHaveProperty('after');
    await running;
  });

  test('[QUEUE-22a] an id that is that of other words, or of the other queue, is taken: while they wait, and when they were read', async () => {
    const told: unknown[] = [];
    const ask = (session: MemorySession) => {
      for (const [queue, text] of [
        ['steering', 'look here'],
        ['steering', 'do not restart it'],
        ['followUp', 'look here'],
      ] as const) {
        const { state, reason } = queryRules.getReceipt(session.session, 's', { id: 's', queue, text }) ?? {};
        told.push(reason ?? state);
      }
    };
    const session: MemorySession = new MemorySession({
      model: () => {
        if (session.requests.length === 1) session.steer('s', 'look here');
        ask(session);
        return says('done');
      },
    });
    await session.ask('go');
    expect(told).toEqual(['queued', 'IdTaken', 'IdTaken', 'delivered', 'IdTaken', 'IdTaken']);
  });

  test('[QUEUE-22b] in a session that stays the next run reads it', async () => {
    const { told } = await sentIn(2, { loop: { maxTurns: 1 } }, true);
    expect(told).toEqual(['next_run', 'next_run']);
  });

  test('[QUEUE-22b] while a run is stopped, while it ends, and while idle', async () => {
    const told: unknown[] = [];
    const say = (id: string) => {
      session.steer(id);
      told.push(readIn(session, id));
    };
    const session: MemorySession = new MemorySession({
      model: () => {
        session.send('abort');
        say('stopped');
        return { type: 'stopped' };
      },
      hooks: [{ name: 'last', runEnd: () => undefined }],
      beforeHook: () => say('ending'),
      keepAlive: true,
      settings: { queues: { idleMessages: 'hold' } },
    });
    await session.ask('go');
    say('idle');
    expect(told).toEqual(['next_run', 'next_run', 'next_run']);
    const done: MemorySession = new MemorySession({
      model: inTurn(says('done')),
      hooks: [{ name: 'last', runEnd: () => undefined }],
      beforeHook: () => {
        done.steer('ending');
        told.push(readIn(done, 'ending'));
      },
    });
    await done.ask('go');
    expect(told.at(-1)).toBe('no_run');
    const starting = new MemorySession({ model: inTurn(), keepAlive: true });
    starting.steer('first');
    expect(readIn(starting, 'first')).toBe('run');
  });

  test('[QUEUE-22b] an interrupting message that stops the last request is in the one that takes its place', async () => {
    const told: unknown[] = [];
    const session: MemorySession = new MemorySession({
      model: () => {
        if (session.requests.length === 1) return calls('a');
        if (session.requests.length > 2) return says('done');
        session.steer('s', 'no names', 'interrupt');
        told.push(readIn(session, 's'));
        return { type: 'stopped' };
      },
      tools: { echo: () => 'ok' },
      settings: { loop: { maxTurns: 1 } },
    });
    await session.ask('go');
    expect([...told, session.inbox.receipt('s')?.state]).toEqual(['run', 'delivered']);
  });

  test('[QUEUE-22b] after task_complete no further request comes', async () => {
    const told: unknown[] = [];
    const session: MemorySession = new MemorySession({
      model: inTurn(calls('a'), says('one request too many')),
      tools: {
        echo: () => {
          session.session.record({
            type: 'task_completed',
            completion: { status: 'completed', summary: 'done' },
          });
          session.steer('s');
          told.push(readIn(session, 's'));
          return 'ok';
        },
      },
    });
    await session.ask('go');
    expect([...told, session.inbox.receipt('s')?.state]).toEqual(['no_run', 'queued']);
  });

  test('[QUEUE-22b] while an operator is waited for the call is not on its way', async () => {
    const session = new MemorySession({
      model: inTurn(fails('Model.Auth', 'wait_for_operator'), says('done')),
      settings: { loop: { maxTurns: 1, onLimit: 'error' } },
    });
    session.prompt('go');
    const running = session.run();
    await session.until(() => session.session.waitingFor === 'operator');
    session.steer('s');
    expect(readIn(session, 's')).toBe('run');
    session.send('abort');
    await running;
    expect(readIn(session, 's')).toBe('no_run');
  });
});

describe('a message that was not taken', () => {
  const large = 'Z'.repeat(200_000);

  test.each(['steer', 'followUp'] as const)(
    '[QUEUE-22a] %s: a full queue refuses it by name; it can be sent again under its id, which no later refusal changes',
    (name) => {
      const session = new MemorySession({ model: inTurn(), keepAlive: true });
      for (const id of ['a', 'b', 'c']) takeSignal(session.session, name, [{ id, message: large }]);
      expect(receiptOf(session, 'b')).toMatchObject({ state: 'queued' });
      expect(receiptOf(session, 'c')).toEqual({
        id: 'c',
        queue: name === 'steer' ? 'steering' : 'followUp',
        state: 'refused',
        reason: 'QueueFull',
      });
      takeSignal(session.session, name, [{ id: 'b', message: large }]);
      expect(receiptOf(session, 'b')).toMatchObject({ state: 'queued' });
      session.send('clearQueues');
      takeSignal(session.session, name, [{ id: 'c', message: large }]);
      expect(receiptOf(session, 'c')).toMatchObject({ state: 'queued' });
    },
  );

  test('[QUEUE-22a] one for a subagent that does not run, and one that is malformed, which has no receipt', () => {
    const session = new MemorySession({ model: inTurn(), keepAlive: true });
    takeSignal(session.session, 'steer', [{ id: 'a', message: 'look', to: 'nobody' }]);
    expect(receiptOf(session, 'a')).toMatchObject({ state: 'refused', reason: 'NoSuchSubagent' });
    takeSignal(session.session, 'steer', [{ id: 'b', message: '' }]);
    expect(receiptOf(session, 'b')).toBeNull();
  });
});

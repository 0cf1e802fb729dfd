// A person stops a condense: nothing is wrong with it, and what they had to say comes first.
import { describe, expect, test } from 'vitest';
import { textOf } from '@holdfast/vocabulary/messages';
import { answer, look, looker, refused, task } from '../../support/condense-sessions.ts';
import { gate } from '../../support/memory-model.ts';
import { MemorySession, type MemoryModel, type MemoryOptions } from '../../support/memory-session.ts';

/** Full at turn 5; the first condense is under way when it resolves. */
async function condensing(model: MemoryModel, change: Partial<MemoryOptions> = {}) {
  const summary = gate<string>();
  const begun = gate<void>();
  let condenses = 0;
  const session = new MemorySession({
    model,
    tools: { look: () => 'ok' },
    condense: (_, signal) => {
      if (++condenses > 1) return 'Pool is 2.';
      begun.open();
      signal.addEventListener('abort', () => summary.refuse(new Error('cancelled')));
      return summary.promise;
    },
    settings: { model: { contextWindow: 1_000 }, loop: { maxTurns: 0 } },
    ...change,
  });
  const asked = session.ask(task);
  await begun.promise;
  return { session, asked, summary };
}

const full = looker(8, (turn) => (turn >= 5 ? 900 : 100));
const newestTexts = (session: MemorySession) =>
  session.requests.map(({ messages }) => messages.map(textOf).at(-1));
const condensedIn = (session: MemorySession) =>
  session.events('condense_start').map(({ turn, reason }) => [turn, reason]);

describe('an interrupting message', () => {
  test('[QUEUE-17c] [COND-21b] is in the next request; the old view stays, and the condense comes with the turn after', async () => {
    const { session, asked } = await condensing(full);
    session.steer('now', 'look at the pool', 'interrupt');
    expect(await asked).toMatchObject({ status: 'completed', condenses: 1 });
    expect(newestTexts(session).slice(4, 6)).toEqual(['ok', 'look at the pool']);
    expect(session.requests[5]?.input.view.epoch).toBe(1);
    // its turn is the one that was left: 6; the message has 7
    expect(session.inbox.receipt('now')).toMatchObject({ state: 'delivered', turn: 7 });
    expect(condensedIn(session)).toEqual([
      [6, 'usage'],
      [8, 'usage'],
    ]);
    expect(session.events('condense_end')).toHaveLength(2);
    expect(session.events('warning')).toEqual([]);
  });

  test('[QUEUE-17a] also where the condense comes to its end all the same', async () => {
    const { session, asked, summary } = await condensing(full);
    summary.open('Pool is 2.');
    session.steer('now', 'look at the pool', 'interrupt');
    expect(await asked).toMatchObject({ status: 'completed', condenses: 1 });
    expect(newestTexts(session)[5]).toBe('look at the pool');
    expect(session.requests[5]?.input.view.epoch).toBe(2);
  });

  test('[QUEUE-17c] [COND-07a] where the window was refused it is taken first, and then the view is condensed', async () => {
    let refusals = 0;
    const { session, asked } = await condensing(({ input }) => {
      if (input.turn < 6) return look(input.turn, 100);
      return refusals++ === 0 ? refused : answer('Done.');
    });
    session.steer('now', 'look at the pool', 'interrupt');
    expect(await asked).toMatchObject({ status: 'completed', condenses: 1, answer: 'Done.' });
    expect(newestTexts(session).slice(5)).toEqual(['ok', 'look at the pool']);
    expect(condensedIn(session)).toEqual([
      [6, 'overflow'],
      [7, 'overflow'],
    ]);
  });

  test('[QUEUE-17a] one that is withdrawn has stopped the condense for nothing: it begins again', async () => {
    const { session, asked } = await condensing(({ input }) => {
      if (input.turn < 6) return look(input.turn, 100);
      return input.view.epoch === 1 ? refused : answer('Done.');
    });
    session.steer('now', 'never mind', 'interrupt');
    session.send('cancelQueued', 'now');
    expect(await asked).toMatchObject({ status: 'completed', condenses: 1, answer: 'Done.' });
  });
});

test('[QUEUE-21a] what comes while a request is refused for its length is in the one that follows, in its turn', async () => {
  let refusals = 0;
  const session: MemorySession = new MemorySession({
    model: ({ input }) => {
      if (input.turn === 5) session.steer('before');
      if (input.turn < 6) return look(input.turn, 100);
      if (refusals++ > 0) return answer('Done.');
      session.steer('meanwhile');
      return refused;
    },
    tools: { look: () => 'ok' },
    condense: () => 'Pool is 2.',
    settings: { model: { contextWindow: 1_000 }, loop: { maxTurns: 0 } },
  });
  expect(await session.ask(task)).toMatchObject({ status: 'completed', condenses: 1, turns: 6 });
  expect(session.requests[6]?.messages.map(textOf).slice(-2)).toEqual(['before', 'meanwhile']);
});

test('[COND-21b] [COND-06c] an abort stops it: the old view stays, it has its end, and nothing is warned of', async () => {
  const { session, asked } = await condensing(full);
  session.send('abort');
  expect(await asked).toMatchObject({ status: 'aborted', condenses: 0 });
  expect(session.state.view).toMatchObject({ epoch: 1, fromSeq: 1 });
  expect(session.events('condense_end')).toHaveLength(1);
  expect(session.events('warning')).toEqual([]);
  expect(session.requests).toHaveLength(5);
});

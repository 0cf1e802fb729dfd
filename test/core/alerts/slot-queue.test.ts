// The rules of a receiver: slots and the budget of a day, with a clock of the test.
import { expect, test } from 'vitest';
import {
  type ReceiverFact,
  type SlotRequest,
  type Told,
  emptyReceiver,
  nextReceiverStep,
  reduceReceiver,
} from '../../../src/core/alerts/slot-queue.ts';
import type { ReceiverLimits } from '@holdfast/vocabulary/alert';

const midnight = Date.UTC(2026, 10, 28);
const hour = 3_600_000;

/** A receiver with what the workflow would do: an answer that is due is sent. */
function open(limits: Partial<ReceiverLimits> = {}) {
  let state = emptyReceiver(midnight);
  const record = (fact: ReceiverFact, now = midnight): void => {
    state = reduceReceiver(state, fact, now);
  };
  const next = (now: number) => nextReceiverStep(state, 'prod', now);
  const answers = (now = midnight): Told[] => {
    const step = next(now);
    if (step.type === 'wait') return [];
    record({ type: 'groups_told', told: step.told }, now);
    return step.told;
  };
  return {
    state: () => state,
    record,
    answers,
    wakeAt(now: number) {
      const step = next(now);
      return step.type === 'wait' ? step.until : now;
    },
    free: (group: string, costUsd = 0, now = midnight) =>
      record({ type: 'slot_freed', release: { group, costUsd } }, now),
    ask(group: string, changes: Partial<SlotRequest> = {}) {
      const own = { limits: { slots: 2, reserve: 0, ...limits }, leaseMs: hour };
      record({ type: 'slot_asked', request: { group, critical: false, ...own, ...changes } });
    },
    granted: (now = midnight) =>
      answers(now)
        .filter(({ answer }) => answer.type === 'granted')
        .map(({ group }) => group),
  };
}

test('[FATE-07a] no more sessions than slots; a slot that is given back goes to the next in order', () => {
  const it = open();
  ['a', 'b', 'c', 'd'].forEach((group) => it.ask(group));
  expect(it.granted()).toEqual(['a', 'b']);
  expect(it.granted()).toEqual([]);
  it.free('a');
  expect(it.granted()).toEqual(['c']);
});

test('[FATE-07b] critical groups go first', () => {
  const it = open({ slots: 1 });
  ['a', 'b'].forEach((group) => it.ask(group));
  it.ask('urgent', { critical: true });
  expect(it.granted()).toEqual(['urgent']);
  const from = open({ slots: 1 });
  // a program that does not know the field
  ['a', 'b'].forEach((group) => from.ask(group, { critical: Object({}).critical }));
  from.ask('urgent', { critical: true });
  expect(from.granted()).toEqual(['urgent']);
});

test('[FATE-07c] a group that must wait is told once, and again when it asks again', () => {
  const it = open({ slots: 1 });
  ['a', 'b'].forEach((group) => it.ask(group));
  const wait = {
    group: 'b',
    answer: { type: 'wait', because: 'slot: 1 of 1 session of receiver prod at work' },
  };
  expect(it.answers(midnight)).toEqual([{ group: 'a', answer: { type: 'granted' } }, wait]);
  expect(it.answers(midnight)).toEqual([]);
  it.ask('b');
  expect(it.answers(midnight)).toEqual([wait]);
});

test('[FATE-07d] a slot that nobody gives back is free after its lease', () => {
  const it = open({ slots: 1 });
  ['a', 'b'].forEach((group) => it.ask(group));
  expect(it.granted()).toEqual(['a']);
  expect(it.wakeAt(midnight)).toBe(midnight + hour);
  expect(it.granted(midnight + hour)).toEqual(['b']);
});

test('[FATE-08a] sessions of a day are spread over its hours: a noisy night leaves the morning its own', () => {
  const it = open({ slots: 100, sessionsPerDay: 24 });
  for (let at = 0; at < 30; at++) it.ask(`g${at}`);
  expect(it.granted()).toHaveLength(1);
  expect(it.granted(midnight + 3 * hour)).toHaveLength(3);
  expect(it.granted(midnight + 23 * hour)).toHaveLength(20);
  expect(it.granted(midnight + 24 * hour)).toHaveLength(1);
});

test('[FATE-08b] only critical alerts use the reserve', () => {
  const it = open({ slots: 100, sessionsPerDay: 10, reserve: 0.2 });
  const late = midnight + 23 * hour;
  for (let at = 0; at < 10; at++) it.ask(`g${at}`);
  expect(it.granted(late)).toHaveLength(8);
  for (let at = 0; at < 10; at++) it.ask(`c${at}`, { critical: true });
  expect(it.granted(late)).toEqual(['c0', 'c1']);
});

test('[FATE-08c] money: what a session may cost counts until its real cost is known', () => {
  const it = open({ slots: 100, costUsdPerDay: 24 });
  it.ask('a', { costUsd: 1 });
  it.ask('b', { costUsd: 1 });
  expect(it.granted()).toEqual(['a']);
  it.free('a', 0.2);
  expect(it.granted()).toEqual(['b']);
  it.record({ type: 'slot_freed', release: { group: '', costUsd: 5, keeps: true } });
  expect(it.state().day.costUsd).toBeCloseTo(6.2);
});

test('[FATE-08c] a session that outlives its lease counts with its real cost alone', () => {
  const it = open({ slots: 1, costUsdPerDay: 240 });
  it.ask('long', { costUsd: 5 });
  it.granted();
  const later = midnight + 2 * hour;
  it.ask('next', { costUsd: 1 });
  expect(it.granted(later)).toEqual(['next']);
  expect(it.state().day.costUsd).toBe(6);
  it.free('long', 4, later);
  expect(it.state().day.costUsd).toBe(5);
  it.free('next', 2, later);
  expect(it.state().day.costUsd).toBe(6);
});

test('[FATE-08d] a wait for the budget says what was used, and until when', () => {
  const it = open({ slots: 100, sessionsPerDay: 24 });
  ['a', 'b'].forEach((group) => it.ask(group));
  expect(it.answers(midnight + 1)[1]).toEqual({
    group: 'b',
    answer: {
      type: 'wait',
      because: 'budget: 1 of 24 sessions of the day used until 01:00:00 UTC',
      until: midnight + hour,
    },
  });
  expect(it.wakeAt(midnight + 1)).toBe(midnight + hour);
});

test('[FATE-04a] a group that needs its place no more leaves the queue', () => {
  const it = open({ slots: 1 });
  ['a', 'b', 'c'].forEach((group) => it.ask(group));
  it.granted();
  it.free('b');
  it.free('a');
  expect(it.granted()).toEqual(['c']);
});

test('[FATE-12] the newest hundred refused messages are kept, and all are counted', () => {
  const it = open();
  for (let at = 0; at < 120; at++)
    it.record({ type: 'alerts_refused', reason: `broken ${at}` }, midnight + at);
  expect(it.state()).toMatchObject({ refusedTotal: 120 });
  expect(it.state().refused.map(({ reason }) => reason)).toEqual(
    Array.from({ length: 100 }, (_, at) => `broken ${at + 20}`),
  );
});

test('[FATE-07a] a group that has a slot and asks again is told so, and gets no second one', () => {
  const it = open();
  it.ask('a');
  expect(it.granted()).toEqual(['a']);
  it.ask('a');
  expect(it.granted()).toEqual(['a']);
  expect(it.state().held).toHaveLength(1);
  // once for each time that it asks
  expect(it.granted()).toEqual([]);
});

test('[FATE-07c] of very many groups a hundred are told at once', () => {
  const it = open();
  for (let at = 0; at < 250; at++) it.ask(`g${at}`);
  const rounds = Array.from({ length: 4 }, () => it.answers(midnight).length);
  expect(rounds).toEqual([100, 100, 50, 0]);
});

test("[FATE-08c] a session over midnight takes nothing of the next day's reservations", () => {
  const it = open({ slots: 100, costUsdPerDay: 240 });
  it.ask('late', { costUsd: 5, leaseMs: 24 * hour });
  it.granted(midnight + 23 * hour);
  it.ask('early', { costUsd: 7 });
  it.granted(midnight + 24 * hour);
  it.free('late', 4, midnight + 24 * hour);
  expect(it.state().day.costUsd).toBe(11);
});

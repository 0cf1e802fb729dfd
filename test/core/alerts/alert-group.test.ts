// The rules of one group of alerts, step by step, with a clock of the test.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type GroupFact,
  type GroupState,
  type GroupStep,
  type SlotAnswer,
  emptyGroup,
  runningSession,
} from '../../../src/core/alerts/alert-group.ts';
import { nextGroupStep, oldAlerts, readWish } from '../../../src/core/alerts/group-step.ts';
import { reduceGroup } from '../../../src/core/alerts/reduce-group.ts';
import type { Alert, AlertRoute } from '@holdfast/vocabulary/alert';
import { aRoute, anAlert, limits } from '../../support/alerts.ts';

const start = Date.UTC(2026, 10, 28, 3, 0);
const minute = 60_000;
const route = aRoute({ debounceMs: 30_000, cooldownMs: 30 * minute });

/** A group with what its workflow would do: a cooldown that is over is ended at once. */
function groupAt(now: number) {
  let state = emptyGroup(now);
  const record = (fact: GroupFact, at: number): void => {
    state = reduceGroup(frozen(state), fact, at);
  };
  return {
    state: () => state,
    record,
    next(at: number): GroupStep {
      const step = nextGroupStep(frozen(state), at);
      if (step.type !== 'end_cooldown') return step;
      record({ type: 'cooldown_ended' }, at);
      return nextGroupStep(state, at);
    },
    /** The reason of a refusal. */
    want(ids: string[] | undefined, by: string): string | undefined {
      const wish = readWish(state, { ids, by });
      if (!wish.ok) return wish.reason;
      record(wish.value.fact, state.lastAt);
      return undefined;
    },
  };
}

/** A reducer, and the choice of a step, must not write to the state that they are given. */
function frozen(state: GroupState): GroupState {
  for (const each of [...state.alerts, ...state.sessions, state.alerts, state.sessions, state.wanted, state])
    Object.freeze(each);
  return state;
}

const idsOf = (records: readonly { id: string }[]): string[] => records.map(({ id }) => id);

/** A group with its clock; `begin` does what the workflow would do for the steps that are due. */
function open(changes: Partial<AlertRoute> = {}) {
  const group = groupAt(start);
  const used = { ...route, ...changes };
  let now = start;
  const told = (session: string, records: readonly { id: string }[]): void =>
    group.record({ type: 'session_told', session, ids: idsOf(records) }, start);
  const started = (session: string, records: readonly { id: string }[], by?: string): void =>
    group.record({ type: 'session_started', session, ids: idsOf(records), by }, now);
  return {
    group,
    told,
    started,
    alerts: () => group.state().alerts,
    after: (ms: number) => (now += ms),
    take: (alerts: Alert[], at = now) =>
      group.record({ type: 'alerts_came', message: { alerts, route, limits } }, at),
    send: (alert: Partial<Alert> = {}, by: Partial<AlertRoute> = {}) =>
      group.record(
        { type: 'alerts_came', message: { alerts: [anAlert(alert)], route: { ...used, ...by }, limits } },
        now,
      ),
    next: (): GroupStep => group.next(now),
    askSlot: (at = start) => group.record({ type: 'slot_asked' }, at),
    grant: (at = now) => group.record({ type: 'slot_answered', answer: { type: 'granted' } }, at),
    begin(session: string) {
      now += used.debounceMs;
      if (group.next(now).type === 'ask_slot') {
        group.record({ type: 'slot_asked' }, now);
        group.record({ type: 'slot_answered', answer: { type: 'granted' } }, now);
      }
      const step = group.next(now);
      if (step.type !== 'start') throw new Error(`expected a start, not ${step.type}`);
      started(session, step.records, step.by);
      return step.records;
    },
    end(session: string, outcome = 'completed/confirmed') {
      const end = { outcome, costUsd: 0, answer: 'the disk is full' };
      group.record({ type: 'session_ended', session, end }, now);
    },
    fates: () => group.state().alerts.map(({ fate }) => fate.kind),
    words: () => group.state().alerts.map(({ fate }) => fate.because),
  };
}

test('[FATE-01] alerts that come within the debounce are one task', () => {
  const it = open();
  it.send({ fingerprint: 'a' });
  it.after(10_000);
  it.send({ fingerprint: 'b' });
  expect(it.next()).toEqual({ type: 'wait', until: start + 30_000 });
  expect(it.words()).toEqual(Array(2).fill('gathers the alerts of this group until 03:00:30 UTC'));
  it.after(20_000);
  expect(it.next()).toEqual({ type: 'ask_slot' });
  expect(it.begin('s1').map(({ fingerprint }) => fingerprint)).toEqual(['a', 'b']);
  expect(it.fates()).toEqual(['investigating', 'investigating']);
  expect(it.alerts()[0]?.fate).toMatchObject({ session: 's1', because: 'receiver prod' });
});

test('[FATE-02a] further alerts reach the running session as one message for each debounce', () => {
  const it = open();
  it.send({ fingerprint: 'a' });
  it.begin('s1');
  it.send({ fingerprint: 'b' });
  it.after(29_999);
  it.send({ fingerprint: 'c' });
  expect(it.next().type).toBe('wait');
  it.after(1);
  const step = it.next();
  expect(step).toMatchObject({
    type: 'steer',
    session: 's1',
    records: [{ fingerprint: 'b' }, { fingerprint: 'c' }],
  });
  if (step.type === 'steer') it.told('s1', step.records);
  expect(it.fates()).toEqual(['investigating', 'joined', 'joined']);
});

test('[FATE-02b] a running session is told what has resolved', () => {
  const it = open();
  it.send({ fingerprint: 'a' });
  it.begin('s1');
  it.send({ fingerprint: 'a', status: 'resolved' });
  it.after(30_000);
  const step = it.next();
  expect(step).toMatchObject({
    type: 'steer',
    records: [{ fingerprint: 'a', fate: { kind: 'resolved', session: 's1' } }],
  });
  if (step.type === 'steer') it.told('s1', step.records);
  expect(it.next().type).toBe('wait');
});

test.each<[string, (it: ReturnType<typeof open>) => void]>([
  ['waits', () => undefined],
  ['is investigated', (it) => void it.begin('s1')],
  [
    'is over, and its session runs',
    (it) => {
      it.begin('s1');
      it.send({ status: 'resolved' });
      it.told('s1', it.alerts());
    },
  ],
  [
    'is over, as is its session',
    (it) => {
      it.begin('s1');
      it.send({ status: 'resolved' });
      it.end('s1');
    },
  ],
])('[FATE-03] the same firing again changes only count and time: when it %s', (_, go) => {
  const it = open();
  it.send();
  go(it);
  const [before] = structuredClone(it.alerts());
  const step = it.next();
  for (const further of [1, 2]) {
    const lastAt = it.after(1_000);
    it.send({ severity: 'critical', name: 'Other', labels: { pod: 'b' } }, { rule: 'route "other"' });
    expect(it.alerts()).toEqual([{ ...before, times: (before?.times ?? 0) + further, lastAt }]);
  }
  expect(it.next()).toMatchObject({ type: step.type });
});

test('[FATE-03] the end again after the end changes only count and time', () => {
  const it = open();
  it.send();
  it.send({ status: 'resolved' });
  const [before] = structuredClone(it.alerts());
  const lastAt = it.after(1_000);
  it.send({ status: 'resolved' });
  expect(it.alerts()).toEqual([{ ...before, times: 3, lastAt }]);
});

test('[FATE-03] a firing that is sent again after its end counts, with its time, and opens nothing', () => {
  const it = open();
  it.send();
  it.send({ status: 'resolved' });
  const [before] = structuredClone(it.alerts());
  const lastAt = it.after(1_000);
  it.send();
  expect(it.alerts()).toEqual([{ ...before, times: 3, lastAt }]);
});

test('[FATE-03] an end, or a message, without a start time is that of the open alert', () => {
  const it = open();
  const { startsAt: _, ...same } = anAlert();
  it.send();
  const take = (alert: Alert): void => it.take([alert], it.after(1));
  take(same);
  expect(it.alerts()).toMatchObject([{ times: 2, startsAt: start }]);
  take({ ...same, status: 'resolved' });
  expect(it.alerts()).toMatchObject([{ times: 3, endedAt: start + 2 }]);
});

test('[FATE-03] without a start time, the same alert is another one only after its end', () => {
  const it = open();
  const same = anAlert();
  delete same.startsAt;
  it.take([same, same], start);
  const record = { ...same, startsAt: start - minute };
  it.take([record], start);
  expect(it.alerts()).toMatchObject([{ times: 3 }]);
  it.take([{ ...same, status: 'resolved' }, same], start + 1);
  expect(it.alerts()).toHaveLength(2);
});

test('[FATE-03] a new start of an alert whose end was never said is another firing', () => {
  const it = open();
  it.send();
  it.send({ startsAt: start + minute });
  expect(it.alerts()).toMatchObject([
    { times: 1, endedAt: start },
    { times: 1, fate: { kind: 'waiting' } },
  ]);
  expect(it.alerts()[1]?.endedAt).toBeUndefined();
});

test('[FATE-04a] what resolves before a session begins starts none, and gives back what it asked for', () => {
  const it = open();
  it.send();
  it.after(30_000);
  it.askSlot();
  it.send({ status: 'resolved' });
  expect(it.fates()).toEqual(['resolved']);
  expect(it.words()[0]).toContain('it was over while it was waiting');
  expect(it.next()).toEqual({ type: 'release_slot' });
});

test('[FATE-04b] an end without a beginning starts nothing', () => {
  const it = open();
  it.send({ status: 'resolved' });
  expect(it.fates()).toEqual(['resolved']);
  expect(it.next().type).toBe('wait');
});

test('[FATE-05] a suppressed alert starts nothing; its reason stays when the configuration changes', () => {
  const it = open();
  it.send({}, { rule: 'route "night"', suppress: 'known, ticket 7' });
  it.send({}, { rule: 'route "night"', suppress: 'another reason' });
  it.send();
  expect(it.alerts()).toMatchObject([
    { times: 3, fate: { kind: 'suppressed', because: 'route "night": known, ticket 7' } },
  ]);
  expect(it.next().type).toBe('wait');
});

test('[FATE-06a] within the cooldown a new firing is suppressed, with the session and its outcome', () => {
  const it = open();
  it.send();
  it.begin('s1');
  it.end('s1');
  it.send({ startsAt: start + minute });
  expect(it.alerts()[1]?.fate).toEqual({
    kind: 'suppressed',
    at: start + 30_000,
    because:
      'cooldown of 30 min after session s1 (completed/confirmed); looked at again at 03:30:30 UTC if it still fires',
    until: start + 30_000 + 30 * minute,
  });
});

test('[FATE-06b] after the cooldown what still fires is investigated, and what has ended is not', () => {
  const it = open();
  it.send();
  it.begin('s1');
  it.end('s1');
  it.send({ fingerprint: 'still', startsAt: start + minute });
  it.send({ fingerprint: 'over', startsAt: start + minute });
  it.send({ fingerprint: 'over', startsAt: start + minute, status: 'resolved' });
  const step = it.next();
  expect(step).toEqual({ type: 'wait', until: start + 30_000 + 30 * minute });
  it.after(30 * minute);
  expect(it.next().type).toBe('wait');
  expect(it.begin('s2').map(({ fingerprint }) => fingerprint)).toEqual(['still']);
});

test.each([
  ['[FATE-06c] an ending without a finding', 'completed/inconclusive'],
  ['[REPORT-26d] "no fault found"', 'completed/no_fault'],
])('after %s a new firing is looked at again at once', (_title, outcome) => {
  const it = open();
  it.send();
  it.begin('s1');
  it.end('s1', outcome);
  expect(it.group.state().cooldownUntil).toBeUndefined();
  it.send({ startsAt: start + minute });
  expect(it.fates()).toEqual(['investigating', 'waiting']);
});

test('[FATE-06] alerts that came too late for a session are not lost with it', () => {
  const it = open();
  it.send();
  it.begin('s1');
  it.send({ fingerprint: 'late' });
  it.end('s1');
  expect(it.alerts()[1]?.fate).toMatchObject({ kind: 'suppressed', until: expect.any(Number) });
  it.after(30 * minute);
  it.next();
  expect(it.begin('s2').map(({ fingerprint }) => fingerprint)).toEqual(['late']);
});

test('[FATE-07c] a wait for a slot or the budget is the fate, with its reason and its end', () => {
  const it = open();
  it.send();
  it.after(30_000);
  it.askSlot(start + 30_000);
  const answer = { type: 'wait' as const, because: 'budget: 4 of 24 sessions', until: start + 60 * minute };
  it.group.record({ type: 'slot_answered', answer }, start + 30_000);
  expect(it.alerts()[0]).toMatchObject({
    fate: { kind: 'waiting', because: 'budget: 4 of 24 sessions', until: start + 60 * minute },
    before: [{ kind: 'waiting' }],
  });
});

test('[FATE-07] a slot that nobody answers for is asked for again', () => {
  const it = open();
  it.send();
  it.after(30_000);
  it.askSlot(start + 30_000);
  expect(it.next()).toEqual({ type: 'wait', until: start + 30_000 + 10 * minute });
  it.after(10 * minute);
  expect(it.next()).toEqual({ type: 'ask_slot' });
});

test('[FATE-09a] a person has joined and suppressed alerts investigated at once, without slot and cooldown', () => {
  const it = open();
  it.send({ fingerprint: 'a' });
  it.begin('s1');
  it.send({ fingerprint: 'b' });
  it.after(30_000);
  const joined = it.next();
  if (joined.type === 'steer') it.told('s1', joined.records);
  expect(it.group.want(['b'], 'alice')).toBeUndefined();
  expect(it.next()).toMatchObject({ type: 'start', by: 'alice', records: [{ fingerprint: 'b' }] });
  it.begin('s2');
  expect(it.alerts()[1]?.fate).toMatchObject({
    kind: 'investigating',
    because: 'alice asked for it',
    session: 's2',
  });
  expect(it.group.state().sessions).toMatchObject([{ id: 's1' }, { id: 's2', by: 'alice' }]);
});

test('[FATE-09b] a wish that means no alert is refused with those that there are', () => {
  const it = open();
  it.send({ fingerprint: 'a' });
  it.begin('s1');
  expect(it.group.want(undefined, 'alice')).toBe('Every alert of this group is being investigated already.');
  it.send({ fingerprint: 'b' });
  expect(it.group.want(['c'], 'alice')).toBe(`No alert of this group is meant: expected one of b@${start}.`);
});

test('[FATE-10] a group is kept for thirty days after its last message', () => {
  const it = open();
  it.send({ status: 'resolved' });
  it.after(30 * 24 * 60 * minute - 1);
  expect(it.next().type).toBe('wait');
  it.after(1);
  expect(it.next()).toEqual({ type: 'close' });
});

test('[FATE-10a] only settled alerts leave the workflow, the oldest first', () => {
  const it = open();
  for (const fingerprint of ['a', 'b', 'c', 'd']) it.send({ fingerprint });
  for (const fingerprint of ['a', 'b', 'd']) it.send({ fingerprint, status: 'resolved' });
  const old = oldAlerts(it.group.state(), start, 2);
  expect(old.map(({ fingerprint }) => fingerprint)).toEqual(['a', 'b']);
  it.group.record({ type: 'alerts_left', ids: idsOf(old), page: 'p' }, start);
  expect(it.group.state().archived).toEqual({ alerts: 2, pages: ['p'] });
  expect(it.alerts().map(({ fingerprint }) => fingerprint)).toEqual(['c', 'd']);
});

test('[FATE-10a] a group with many settled alerts begins a new execution, and works on while no store takes them', () => {
  const it = open();
  it.take(Array.from({ length: 701 }, (_, at) => anAlert({ fingerprint: `f${at}`, status: 'resolved' })));
  expect(it.next()).toEqual({ type: 'hand_over' });
  const lost = oldAlerts(it.group.state(), start).slice(0, -500);
  it.group.record({ type: 'alerts_left', ids: idsOf(lost) }, start);
  expect(it.alerts()).toHaveLength(600);
  it.send({ fingerprint: 'new' });
  expect(it.begin('s1').map(({ fingerprint }) => fingerprint)).toEqual(['new']);
});

test('[FATE-10] whatever comes in whatever order: each message counts once, and each alert has a fate with its reason', () => {
  const message = fc.record({
    fingerprint: fc.constantFrom('a', 'b', 'c'),
    status: fc.constantFrom('firing' as const, 'resolved' as const),
    startsAt: fc.constantFrom(start, start + minute, start + 2 * minute),
  });
  const action = fc.oneof(
    message.map((alert) => ({ alert })),
    fc.constantFrom('wait', 'slot', 'full', 'end', 'inconclusive', 'wish').map((what) => ({ what })),
  );
  fc.assert(
    fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
      const group = groupAt(start);
      let [now, sessions, messages] = [start, 0, 0];
      const answer = (given: SlotAnswer): void => group.record({ type: 'slot_answered', answer: given }, now);
      const end = (outcome: string): void => {
        const session = runningSession(group.state())?.id;
        if (session === undefined) return;
        group.record({ type: 'session_ended', session, end: { outcome, costUsd: 0 } }, now);
      };
      for (const each of actions) {
        if ('alert' in each) {
          messages += 1;
          const alerts = [anAlert(each.alert)];
          group.record({ type: 'alerts_came', message: { alerts, route, limits } }, now);
        } else if (each.what === 'slot') answer({ type: 'granted' });
        else if (each.what === 'full') answer({ type: 'wait', because: 'slot' });
        else if (each.what === 'wish') group.want(undefined, 'alice');
        else if (each.what !== 'wait') end(`completed/${each.what}`);
        const step = group.next(now);
        if (step.type === 'wait') now = Math.min(step.until, now + 20 * minute);
        else if (step.type === 'ask_slot') group.record({ type: 'slot_asked' }, now);
        else if (step.type === 'release_slot') group.record({ type: 'slot_released' }, now);
        else if (step.type === 'start') {
          const started = { session: `s${++sessions}`, ids: idsOf(step.records), by: step.by };
          group.record({ type: 'session_started', ...started }, now);
        } else if (step.type === 'steer')
          group.record({ type: 'session_told', session: step.session, ids: idsOf(step.records) }, now);
      }
      const { alerts } = group.state();
      expect(alerts.reduce((sum, { times }) => sum + times, 0)).toBe(messages);
      for (const { fate } of alerts) expect(fate.because).not.toBe('');
    }),
  );
});

test('[FATE-10c] a group with more open alerts than it can hold keeps the further ones in one record, with a fate', () => {
  const it = open();
  for (let at = 0; at < 700; at++) it.send({ fingerprint: `f${at}` });
  const { alerts } = it.group.state();
  expect(alerts).toHaveLength(501);
  expect(alerts.at(-1)).toMatchObject({
    name: 'further alerts of the group',
    times: 200,
    fate: { kind: 'waiting' },
  });
  expect(it.begin('s1')).toHaveLength(501);
  expect(Buffer.byteLength(JSON.stringify(it.group.state()))).toBeLessThan(1_000_000);
});

test('[FATE-05] the end of an alert and a suppressed one do not change how the group is investigated', () => {
  const it = open();
  it.send({}, { rule: 'route "database"' });
  it.send({ fingerprint: 'b' }, { rule: 'route "night"', suppress: 'known' });
  it.send({ fingerprint: 'c', status: 'resolved' }, { rule: 'no route matches' });
  it.begin('s1');
  expect(it.alerts()[0]?.fate.because).toBe('route "database"');
});

test('[FATE-03] the late end of an older firing does not end the new one', () => {
  const it = open();
  it.send({ startsAt: start });
  it.send({ startsAt: start, status: 'resolved' });
  it.send({ startsAt: start + minute });
  it.send({ startsAt: start, status: 'resolved' });
  expect(it.alerts()).toMatchObject([
    { times: 3, fate: { kind: 'resolved' } },
    { fate: { kind: 'waiting' } },
  ]);
});

test('[FATE-01] each alert has the rule of its own route, and a critical one decides how its group is investigated', () => {
  const it = open();
  it.send({ fingerprint: 'a' }, { rule: 'route "critical"', critical: true, input: { agent: 'expert' } });
  it.send({ fingerprint: 'b' }, { rule: 'route "mild"' });
  expect(it.group.state().route?.input).toEqual({ agent: 'expert' });
  it.begin('s1');
  expect(it.words()).toEqual(['route "critical"', 'route "mild"']);
});

test('[FATE-02b] an alert that ends while its session is being started is told to it', () => {
  const it = open({ debounceMs: 0 });
  it.send();
  it.askSlot();
  it.grant(start);
  const step = it.next();
  it.send({ status: 'resolved' });
  if (step.type === 'start') it.started('s1', step.records);
  expect(it.alerts()[0]?.fate).toMatchObject({ kind: 'resolved', session: 's1' });
  expect(it.next()).toMatchObject({ type: 'steer', records: [{ fingerprint: 'f1' }] });
});

test('[FATE-09a] a wish gives back the slot that was asked for, is not doubled, and keeps its alerts in the state', () => {
  const it = open({ debounceMs: 0 });
  it.send();
  it.askSlot();
  expect(it.group.want(undefined, 'alice')).toBeUndefined();
  expect(it.group.want(undefined, 'alice')).toBe('Every alert of this group is being investigated already.');
  it.send({ status: 'resolved' });
  expect(oldAlerts(it.group.state(), start, 0)).toEqual([]);
  const step = it.next();
  expect(step).toMatchObject({ type: 'start', by: 'alice', records: [{ fingerprint: 'f1' }] });
  if (step.type === 'start') it.started('s1', step.records, 'alice');
  expect(it.next()).toEqual({ type: 'release_slot' });
});

test('[FATE-06e] what a failed session had is looked at again after the cooldown, if it still fires', () => {
  const it = open();
  it.send({ fingerprint: 'still' });
  it.send({ fingerprint: 'over' });
  it.begin('s1');
  it.send({ fingerprint: 'over', status: 'resolved' });
  it.end('s1', 'failed');
  expect(it.fates()).toEqual(['suppressed', 'resolved']);
  it.after(30 * minute);
  it.next();
  expect(it.begin('s2').map(({ fingerprint }) => fingerprint)).toEqual(['still']);
});

test('[FATE-10c] long texts of an alert are shortened for the task', () => {
  const it = open();
  const annotations = Object.fromEntries(
    Array.from({ length: 64 }, (_, at) => [`a${at}`, 'x'.repeat(4_096)]),
  );
  for (let at = 0; at < 20; at++) it.send({ fingerprint: `f${at}`, annotations });
  expect(Buffer.byteLength(JSON.stringify(it.group.state()))).toBeLessThan(300_000);
  expect(it.alerts()[0]?.alert?.annotations['a0']).toMatch(/^x+…$/);
});

test('[FATE-14a] a firing that comes again more than a minute after its end is another one, and begins when it arrives', () => {
  const it = open();
  it.send();
  it.send({ status: 'resolved' });
  for (const times of [2, 3]) {
    it.after(2 * minute);
    it.send();
    expect(it.alerts()).toHaveLength(times);
    const again = it.alerts().at(-1);
    expect(again).toMatchObject({
      times: 1,
      fate: { kind: 'waiting' },
      firstAt: start + (times - 1) * 2 * minute,
    });
    expect(again).not.toHaveProperty('startsAt');
    it.send({ status: 'resolved' });
  }
  expect(new Set(it.alerts().map(({ id }) => id)).size).toBe(3);
  expect(it.fates()).toEqual(['resolved', 'resolved', 'resolved']);
});

test('[FATE-14b] its repeats count for it alone, and so does its end', () => {
  const it = open();
  it.send();
  it.begin('s1');
  it.send({ status: 'resolved' });
  it.end('s1');
  it.after(40 * minute);
  it.send();
  it.send();
  expect(it.alerts()).toMatchObject([{ times: 2 }, { times: 2, fate: { kind: 'waiting' } }]);
  expect(it.begin('s2')).toHaveLength(1);
  it.send({ status: 'resolved' });
  expect(it.alerts()[1]).toMatchObject({ times: 3, fate: { kind: 'resolved', session: 's2' } });
});

test('[FATE-14c] a start that is older than a later one is late at any time', () => {
  const it = open();
  it.send();
  it.send({ startsAt: start + minute });
  it.send({ startsAt: start + minute, status: 'resolved' });
  it.after(10 * minute);
  it.send();
  expect(it.alerts()).toHaveLength(2);
});

test('[FATE-15] an end with a later start than the firing ends it: the start is then that of the message', () => {
  const it = open();
  it.send();
  it.send({ startsAt: start + minute, status: 'resolved' });
  expect(it.alerts()).toMatchObject([{ times: 2, fate: { kind: 'resolved' } }]);
  expect(it.next().type).toBe('wait');
});

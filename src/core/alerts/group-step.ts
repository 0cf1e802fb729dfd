// The next step of a group of alerts, the alerts of a person's wish, and those that can leave the state. Pure: reads the state
// and changes nothing.
import { type Parsed, refuse } from '@holdfast/base/json';
import {
  type GroupFact,
  type GroupState,
  type GroupStep,
  isNews,
  isWaiting,
  mostAlerts,
  recordsOf,
  runningSession,
} from './alert-group.ts';
import { parseWish } from './alert-names.ts';
import { isCooling } from './alert-record.ts';
import type { AlertRecord } from '@holdfast/vocabulary/alert-fate';

/** An open group is kept this long after its last message. */
const keptMs = 30 * 24 * 3_600_000;
/** A slot that nobody answers for is asked for again. */
const askAgainMs = 10 * 60_000;
/** Repeats of an alert come more often. */
const silentMs = 7 * 24 * 3_600_000;

/** Settled alerts that stay in the state. */
const keptAlerts = 100;
/** Older ones that begin a new execution, which stores them. */
const mostOld = 600;

export function nextGroupStep(state: GroupState, now: number): GroupStep {
  const { wanted, slot, cooldownUntil, alerts, gatherUntil = now } = state;
  if (oldAlerts(state, now).length > mostOld) return { type: 'hand_over' };
  const [wish] = wanted;
  if (wish) return { type: 'start', records: recordsOf(state, wish.ids), by: wish.by };
  const running = runningSession(state);
  if (!running && cooldownUntil !== undefined && now >= cooldownUntil) return { type: 'end_cooldown' };
  // a session that a person asked for has made it needless
  if (slot && (running || !alerts.some(isWaiting))) return { type: 'release_slot' };
  const records = alerts.filter(running ? isNews : isWaiting);
  if (records.length === 0) return restOf(state, now);
  if (now < gatherUntil) return { type: 'wait', until: gatherUntil };
  if (running) return { type: 'steer', session: running.id, records };
  if (slot?.granted) return { type: 'start', records };
  const askAt = slot ? slot.askedAt + askAgainMs : now;
  return now >= askAt ? { type: 'ask_slot' } : { type: 'wait', until: askAt };
}

function restOf(state: GroupState, now: number): GroupStep {
  const { cooldownUntil, lastAt, alerts } = state;
  const running = runningSession(state);
  if (!running && cooldownUntil !== undefined && alerts.some(isCooling))
    return { type: 'wait', until: cooldownUntil };
  const closesAt = lastAt + keptMs;
  if (now >= closesAt && !running) return { type: 'close' };
  return { type: 'wait', until: Math.max(closesAt, now + keptMs / 30) };
}

/** A person's wish as a fact, and the number of its alerts as the answer. It names them by fingerprint or id. Refused if no alert qualifies. */
export function readWish(
  { wanted, alerts }: GroupState,
  given: unknown,
): Parsed<{ fact: GroupFact; answer: { alerts: number } }> {
  const wish = parseWish(given);
  if (!wish.ok) return wish;
  const { ids, by } = wish.value;
  const asked = wanted.flatMap((each) => each.ids);
  const without = alerts.filter(({ id, fate }) => fate.kind !== 'investigating' && !asked.includes(id));
  const chosen = without.filter(({ id, fate }) =>
    ids === undefined
      ? fate.kind !== 'resolved'
      : ids.some((given) => id === given || id.startsWith(`${given}@`)),
  );
  if (chosen.length > 0) {
    const fact = { type: 'session_wanted' as const, ids: chosen.map(({ id }) => id), by };
    return { ok: true, value: { fact, answer: { alerts: chosen.length } } };
  }
  const newest = without.map(({ id }) => id).slice(-5);
  const reason =
    newest.length === 0
      ? 'Every alert of this group is being investigated already.'
      : `No alert of this group is meant: expected one of ${newest.join(', ')}.`;
  return refuse('Alerts.Nothing', reason);
}

/**
 * The oldest alerts over `keep`, which can be stored as a page: those that are over, or that nothing was heard of for a week,
 * and beyond the most that an execution can hold all that do not wait.
 */
export function oldAlerts({ alerts, wanted }: GroupState, now: number, keep = keptAlerts): AlertRecord[] {
  const asked = wanted.flatMap(({ ids }) => ids);
  return alerts.slice(0, Math.max(0, alerts.length - keep)).filter((record, at) => {
    if (isWaiting(record) || asked.includes(record.id)) return false;
    const isSilent = now - record.lastAt > silentMs;
    return record.endedAt !== undefined || isSilent || at < alerts.length - mostAlerts;
  });
}

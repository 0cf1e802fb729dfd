// A receiver as plain data: which of its groups may start a session, by slots and by the day's budget. Pure: time is an
// argument; the workflow alertReceiver sends the answers.
import { counted, toCost, describeTime } from '@holdfast/base/words';
import type { ReceiverLimits } from '@holdfast/vocabulary/alert';
import type { SlotAnswer } from './alert-group.ts';

/** Payload of the signal `askSlot`, from a group. */
export type SlotRequest = {
  /** Workflow id of the group, which gets the answer as its signal `slot`. */
  group: string;
  critical: boolean;
  limits: ReceiverLimits;
  /** The most that its session may cost, if its budget says so. */
  costUsd?: number;
  /** Time after which its slot is free, even if nobody gives it back. */
  leaseMs: number;
};

/** Payload of the signal `freeSlot`: the session has ended, or is not needed any more. */
export type SlotRelease = {
  group: string;
  costUsd: number;
  /** Only the cost counts: the session had no slot. */
  keeps?: boolean;
};

/** Start input of the workflow `alertReceiver`. */
export type AlertReceiverInput = {
  receiver: string;
  /** Events after which a new execution begins. Default 3,000. */
  maxEvents?: number;
  /** Set by continue-as-new only. */
  carried?: ReceiverState;
};

export type ReceiverState = {
  limits?: ReceiverLimits;
  /** The groups at work, with the end of the lease and what the session may cost, which counts on the day of its beginning. */
  held: { group: string; until: number; costUsd: number; day: number }[];
  /** Those of today whose lease has ended: others may have the slot, and what their sessions may cost still counts. */
  overdue?: ReceiverState['held'];
  /** In the order of their requests. */
  queue: (Omit<SlotRequest, 'limits'> & { told?: string })[];
  /** Number of the UTC day, and what began on it. */
  day: { number: number; sessions: number; costUsd: number };
  /** The newest hundred of the messages that could not be read. */
  refused: { at: number; reason: string }[];
  refusedTotal: number;
};

export type Told = { group: string; answer: SlotAnswer };

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const keptRefusals = 100;
/** The server takes at most 2,000 signals of a workflow that are under way. */
const toldAtOnce = 100;

export type ReceiverFact =
  | { type: 'slot_asked'; request: SlotRequest }
  | { type: 'slot_freed'; release: SlotRelease }
  | { type: 'alerts_refused'; reason: string }
  /** These answers are sent. */
  | { type: 'groups_told'; told: Told[] };

export type ReceiverWork = { type: 'tell'; told: Told[] };
export type ReceiverStep = { type: 'wait'; until?: number } | ReceiverWork;

export function emptyReceiver(now: number): ReceiverState {
  return { held: [], queue: [], day: dayAt(now), refused: [], refusedTotal: 0 };
}

/** A UTC day of which nothing is used. */
function dayAt(now: number): ReceiverState['day'] {
  return { number: Math.floor(now / dayMs), sessions: 0, costUsd: 0 };
}

/** The beginning of the next hour or day. */
function nextOf(unitMs: number, now: number): number {
  return (Math.floor(now / unitMs) + 1) * unitMs;
}

/** Applies one fact at workflow time `now` (ms). The state passed in is not changed. */
export function reduceReceiver(before: ReceiverState, fact: ReceiverFact, now: number): ReceiverState {
  const state = stateAt(before, now);
  switch (fact.type) {
    case 'slot_asked':
      return ask(state, fact.request);
    case 'slot_freed':
      return free(state, fact.release);
    case 'alerts_refused': {
      const refused = [...state.refused, { at: now, reason: fact.reason }].slice(-keptRefusals);
      return { ...state, refused, refusedTotal: state.refusedTotal + 1 };
    }
    case 'groups_told':
      return fact.told.reduce((current, told) => tell(current, told, now), state);
  }
}

/** The answers that are due now; else the time at which one may change by itself: a new hour of the budget, or the end of a lease. */
export function nextReceiverStep(before: ReceiverState, name: string, now: number): ReceiverStep {
  const state = stateAt(before, now);
  const told = answersOf(state, name, now);
  if (told.length > 0) return { type: 'tell', told };
  const { queue, held } = state;
  if (queue.length === 0) return { type: 'wait' };
  return { type: 'wait', until: Math.min(nextOf(hourMs, now), ...held.map(({ until }) => until)) };
}

/** The state after a new day has begun, and leases have ended. */
function stateAt(state: ReceiverState, now: number): ReceiverState {
  const today = dayAt(now);
  const day = today.number === state.day.number ? state.day : today;
  const { overdue = [] } = state;
  const late = [...overdue, ...state.held.filter(({ until }) => until <= now)];
  return {
    ...state,
    day,
    held: state.held.filter(({ until }) => until > now),
    overdue: late.filter((each) => each.day === day.number),
  };
}

/** A group that asks again keeps its place, and is told again. */
function ask(state: ReceiverState, { limits, ...request }: SlotRequest): ReceiverState {
  const at = state.queue.findIndex(({ group }) => group === request.group);
  const queue = at < 0 ? [...state.queue, request] : state.queue.with(at, request);
  return { ...state, limits, queue };
}

/** Gives back the slot or the place in the queue; the cost counts in the day's budget. */
function free(state: ReceiverState, { group, costUsd, keeps }: SlotRelease): ReceiverState {
  const { day } = state;
  if (keeps) return { ...state, day: { ...day, costUsd: day.costUsd + costUsd } };
  const { overdue = [] } = state;
  const own = [...state.held, ...overdue].find((each) => each.group === group);
  // what was reserved yesterday is no part of today's sum
  const reserved = own?.day === day.number ? own.costUsd : 0;
  return {
    ...state,
    held: state.held.filter((each) => each !== own),
    overdue: overdue.filter((each) => each !== own),
    queue: state.queue.filter((each) => each.group !== group),
    day: { ...day, costUsd: Math.max(0, day.costUsd - reserved) + costUsd },
  };
}

function answersOf(state: ReceiverState, name: string, now: number): Told[] {
  // critical ones first, each kind in the order of its requests; another program may leave the field out
  const order = state.queue.toSorted((one, other) => Number(!one.critical) - Number(!other.critical));
  const told: Told[] = [];
  let after = state;
  for (const request of order) {
    if (told.length >= toldAtOnce) break;
    const answer = answerTo(after, request, name, now);
    if (answer.type === 'wait' && answer.because === request.told) continue;
    told.push({ group: request.group, answer });
    after = tell(after, { group: request.group, answer }, now);
  }
  return told;
}

/** A group that has a slot is told so again, and gets no second one. */
function tell(state: ReceiverState, { group, answer }: Told, now: number): ReceiverState {
  if (answer.type === 'wait') {
    const noted = state.queue.map((each) =>
      each.group === group ? { ...each, told: answer.because } : each,
    );
    return { ...state, queue: noted };
  }
  const request = state.queue.find((each) => each.group === group);
  const queue = state.queue.filter((each) => each !== request);
  if (!request || holds(state, group)) return { ...state, queue };
  const { leaseMs, costUsd = 0 } = request;
  const day = { ...state.day, sessions: state.day.sessions + 1, costUsd: state.day.costUsd + costUsd };
  const slot = { group, until: now + leaseMs, costUsd, day: day.number };
  return { ...state, queue, day, held: [...state.held, slot] };
}

function holds({ held }: ReceiverState, group: string): boolean {
  return held.some((each) => each.group === group);
}

function answerTo(
  state: ReceiverState,
  { group, critical }: Pick<SlotRequest, 'group' | 'critical'>,
  name: string,
  now: number,
): SlotAnswer {
  const { limits, held, day } = state;
  if (!limits || holds(state, group)) return { type: 'granted' };
  const { slots, sessionsPerDay, costUsdPerDay, reserve } = limits;
  if (held.length >= slots) {
    const because = `slot: ${held.length} of ${counted(slots, 'session')} of receiver ${name} at work`;
    return { type: 'wait', because };
  }
  const sessions = shareOf(sessionsPerDay, reserve, critical, now);
  if (sessions !== undefined && day.sessions >= Math.ceil(sessions)) {
    const words = `${day.sessions} of ${counted(sessionsPerDay ?? 0, 'session')} of the day`;
    return noBudget(words, critical, now);
  }
  const cost = shareOf(costUsdPerDay, reserve, critical, now);
  if (cost !== undefined && day.costUsd >= cost) {
    const words = `${toCost(day.costUsd)} of ${toCost(costUsdPerDay ?? 0)} of the day`;
    return noBudget(words, critical, now);
  }
  return { type: 'granted' };
}

function noBudget(words: string, critical: boolean, now: number): SlotAnswer {
  // the reserve is for the whole day
  const until = nextOf(critical ? dayMs : hourMs, now);
  return { type: 'wait', because: `budget: ${words} used until ${describeTime(until, 'clock')}`, until };
}

/**
 * The part that may be used by now: the budget without its reserve grows evenly over the hours of the UTC day, so that a noisy
 * night leaves something for the morning; critical alerts may use all of it at once.
 */
function shareOf(
  perDay: number | undefined,
  reserve: number,
  critical: boolean,
  now: number,
): number | undefined {
  if (perDay === undefined) return undefined;
  if (critical) return perDay;
  const hour = Math.floor((now % dayMs) / hourMs) + 1;
  return (perDay * (1 - reserve) * hour) / 24;
}

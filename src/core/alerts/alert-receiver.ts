// The rules of one receiver: which of its groups may start a session, by slots and by the day's budget. Pure: the clock
// is an argument; the workflow alertReceiver sends the answers.
import { counted, toCost, describeClock } from '../../../packages/base/src/words.ts';
import type { ReceiverLimits } from './alert.ts';
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

/** Payload of the signal `refuse`, from a gateway. */
export type RefusedAlerts = { reason: string };

export type ReceiverState = {
  limits?: ReceiverLimits;
  /** The groups at work, with the end of the lease and what the session may cost. */
  held: { group: string; until: number; costUsd: number; day: number }[];
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

export class AlertReceiver {
  readonly state: ReceiverState;
  readonly #name: string;

  constructor(name: string, now: number, carried?: ReceiverState) {
    this.#name = name;
    this.state = carried ?? {
      held: [],
      queue: [],
      day: { number: Math.floor(now / dayMs), sessions: 0, costUsd: 0 },
      refused: [],
      refusedTotal: 0,
    };
  }

  /** A group that asks again keeps its place, and is told again. */
  ask({ limits, ...request }: SlotRequest): void {
    const { state } = this;
    state.limits = limits;
    const before = state.queue.find(({ group }) => group === request.group);
    if (!before) state.queue.push(request);
    else {
      Object.assign(before, request);
      delete before.told;
    }
  }

  /** Gives back the slot or the place in the queue; the cost counts in the day's budget. */
  free({ group, costUsd, keeps }: SlotRelease): void {
    const { state } = this;
    if (keeps) {
      state.day.costUsd += costUsd;
      return;
    }
    const held = state.held.find((each) => each.group === group);
    state.held = state.held.filter((each) => each !== held);
    state.queue = state.queue.filter((each) => each.group !== group);
    // what was reserved yesterday is no part of today's sum
    const reserved = held?.day === state.day.number ? held.costUsd : 0;
    state.day.costUsd = Math.max(0, state.day.costUsd - reserved) + costUsd;
  }

  refuse({ reason }: RefusedAlerts, now: number): void {
    this.state.refusedTotal += 1;
    this.state.refused = [...this.state.refused, { at: now, reason }].slice(-keptRefusals);
  }

  /** The answers that are due now; what waits for a time is answered when `wakeAt` has come. */
  answers(now: number): Told[] {
    const { state } = this;
    const today = Math.floor(now / dayMs);
    if (today !== state.day.number) state.day = { number: today, sessions: 0, costUsd: 0 };
    state.held = state.held.filter(({ until }) => until > now);
    const told: Told[] = [];
    // critical ones first, each kind in the order of its requests; another program may leave the field out
    const order = state.queue.toSorted((one, other) => Number(!one.critical) - Number(!other.critical));
    for (const request of order) {
      if (told.length >= toldAtOnce) break;
      const holds = state.held.some(({ group }) => group === request.group);
      const answer: SlotAnswer = holds ? { type: 'granted' } : this.#answer(request, now);
      if (holds) state.queue = state.queue.filter((each) => each !== request);
      else if (answer.type === 'granted') this.#grant(request, now);
      else if (answer.because === request.told) continue;
      else request.told = answer.because;
      told.push({ group: request.group, answer });
    }
    return told;
  }

  /** When an answer may change by itself: a new hour of the budget, or a slot that nobody gave back. */
  wakeAt(now: number): number | undefined {
    const { queue, held } = this.state;
    if (queue.length === 0) return undefined;
    return Math.min((Math.floor(now / hourMs) + 1) * hourMs, ...held.map(({ until }) => until));
  }

  #grant({ group, leaseMs, costUsd = 0 }: Omit<SlotRequest, 'limits'>, now: number): void {
    const { state } = this;
    state.queue = state.queue.filter((each) => each.group !== group);
    state.held.push({ group, until: now + leaseMs, costUsd, day: state.day.number });
    state.day.sessions += 1;
    state.day.costUsd += costUsd;
  }

  #answer({ critical }: Pick<SlotRequest, 'critical'>, now: number): SlotAnswer {
    const { limits, held, day } = this.state;
    if (!limits) return { type: 'granted' };
    const { slots, sessionsPerDay, costUsdPerDay, reserve } = limits;
    if (held.length >= slots) {
      const because = `slot: ${held.length} of ${counted(slots, 'session')} of receiver ${this.#name} at work`;
      return { type: 'wait', because };
    }
    const sessions = shareOf(sessionsPerDay, reserve, critical, now);
    if (sessions !== undefined && day.sessions >= Math.ceil(sessions)) {
      const words = `${day.sessions} of ${counted(sessionsPerDay ?? 0, 'session')} of the day`;
      return this.#noBudget(words, critical, now);
    }
    const cost = shareOf(costUsdPerDay, reserve, critical, now);
    if (cost !== undefined && day.costUsd >= cost)
      return this.#noBudget(
        `${toCost(day.costUsd)} of ${toCost(costUsdPerDay ?? 0)} of the day`,
        critical,
        now,
      );
    return { type: 'granted' };
  }

  #noBudget(words: string, critical: boolean, now: number): SlotAnswer {
    // the reserve is for the whole day
    const until = critical ? (Math.floor(now / dayMs) + 1) * dayMs : (Math.floor(now / hourMs) + 1) * hourMs;
    return { type: 'wait', because: `budget: ${words} used until ${describeClock(until)}`, until };
  }
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

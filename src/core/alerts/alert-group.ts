// The rules of one group of alerts: what becomes of each, and what the workflow does next. Pure: the clock is an
// argument; the workflow alertGroup does what `next` says and tells what came of it.
import { omit } from '../../../packages/base/src/omit.ts';
import { toTimeLeft, describeClock } from '../../../packages/base/src/words.ts';
import { noFault } from '../../../packages/vocabulary/src/run-result.ts';
import { cutText } from '../../../packages/base/src/cut-text.ts';
import { defined } from '../../../packages/base/src/defined.ts';
import type { Alert, AlertRoute, AlertsSignal, ReceiverLimits } from './alert.ts';
import type { AlertRecord, Fate, GroupSession } from './fate.ts';
import { decide, idOf, isCooling, shortened, toRecord } from './alert-record.ts';

export type GroupState = {
  /** In the order of their arrival. */
  alerts: AlertRecord[];
  archived: { alerts: number; pages: string[] };
  /** Newest last; the newest twenty. */
  sessions: GroupSession[];
  /** Those of the newest message. */
  route?: AlertRoute;
  limits?: ReceiverLimits;
  /** End of the debounce for what has not been told to a session. */
  gatherUntil?: number;
  /** When a slot was asked for; `granted`: it may start. */
  slot?: { askedAt: number; granted?: true };
  cooldownUntil?: number;
  /** The newest session with a result, as a reference for the next one. */
  last?: { session: string; endedAt: number; outcome: string; answer: string };
  /** People's wishes that have not begun. */
  wanted: { ids: string[]; by: string }[];
  lastAt: number;
};

export type SlotAnswer = { type: 'granted' } | { type: 'wait'; because: string; until?: number };

/** The end of a session; without `answer` it left no result. */
export type SessionEnd = { outcome: string; costUsd: number; answer?: string };

export type GroupStep =
  /** Nothing to do until something arrives, or until this time. */
  | { type: 'wait'; until: number }
  | { type: 'ask_slot' }
  | { type: 'release_slot' }
  | { type: 'start'; records: AlertRecord[]; by?: string }
  | { type: 'steer'; session: string; records: AlertRecord[] }
  | { type: 'close' };

/** An open group is kept this long after its last message. */
const keptMs = 30 * 24 * 3_600_000;
/** A slot that nobody answers for is asked for again. */
const askAgainMs = 10 * 60_000;
/** Repeats of an alert come more often. */
const silentMs = 7 * 24 * 3_600_000;
/** About a KiB each: an input may have 2 MiB. Further open alerts of a group share one record. */
const mostAlerts = 500;
/** The slower of two copies of a sender repeats a firing for this long after its end. */
const lateMs = 60_000;
const keptSessions = 20;
/** Alerts whose whole text is kept for the task; of further ones the labels. */
const keptWhole = 20;
const keptAnswer = 4_000;

export class AlertGroup {
  readonly state: GroupState;

  constructor(now: number, carried?: GroupState) {
    this.state = carried ?? {
      alerts: [],
      archived: { alerts: 0, pages: [] },
      sessions: [],
      wanted: [],
      lastAt: now,
    };
  }

  /** The newest session that runs. */
  get running(): GroupSession | undefined {
    return this.state.sessions.findLast(({ endedAt }) => endedAt === undefined);
  }

  /** True if the state should be handed over before it takes much more. */
  get isLarge(): boolean {
    return this.state.alerts.length > 2 * mostAlerts;
  }

  /** Takes a message of the gateway. A message that came before changes only times and counts. */
  accept({ alerts, route, limits }: AlertsSignal, now: number): void {
    const { state } = this;
    state.lastAt = now;
    state.limits = limits;
    // the end of an alert, and one that is suppressed, may have a route that says nothing about the session
    const decides = route.suppress === undefined && alerts.some(({ status }) => status === 'firing');
    const waits = state.alerts.some(({ fate }) => fate.kind === 'waiting');
    // what waits for a session with a critical alert is not made milder by a later one
    const isMilder = waits && state.route?.critical === true && !route.critical;
    if ((decides && !isMilder) || !state.route) state.route = route;
    for (const alert of alerts) {
      if (alert.status === 'resolved') this.#resolve(alert, now);
      else this.#fire(alert, route, now);
    }
  }

  /** A person wants a session for these alerts now, or for all that none has; the problem in words if there are none. */
  want(ids: readonly string[] | undefined, by: string): string | undefined {
    const asked = this.state.wanted.flatMap((wish) => wish.ids);
    const without = this.state.alerts.filter(
      ({ id, fate }) => fate.kind !== 'investigating' && !asked.includes(id),
    );
    const chosen = without.filter(({ id, fate }) =>
      ids === undefined
        ? fate.kind !== 'resolved'
        : ids.some((given) => id === given || id.startsWith(`${given}@`)),
    );
    if (chosen.length === 0) {
      const there = without.map(({ id }) => id).slice(-5);
      return there.length === 0
        ? 'Every alert of this group is being investigated already.'
        : `No alert of this group is meant: expected one of ${there.join(', ')}.`;
    }
    this.state.wanted.push({ ids: chosen.map(({ id }) => id), by });
    return undefined;
  }

  next(now: number): GroupStep {
    const { state } = this;
    state.wanted = state.wanted.filter(({ ids }) => this.#byIds(ids).length > 0);
    const [wanted] = state.wanted;
    if (wanted) return { type: 'start', records: this.#byIds(wanted.ids), by: wanted.by };
    const running = this.running;
    const news = state.alerts.filter(({ fate, untold }) => fate.kind === 'waiting' || untold === true);
    if (running) {
      // a session that a person asked for has made it needless
      if (state.slot) return { type: 'release_slot' };
      if (news.length === 0) return this.#rest(now);
      if (now < this.#gathered(now)) return { type: 'wait', until: this.#gathered(now) };
      return { type: 'steer', session: running.id, records: news };
    }
    this.#lookAgain(now);
    const due = state.alerts.filter(({ fate }) => fate.kind === 'waiting');
    if (due.length === 0) return state.slot ? { type: 'release_slot' } : this.#rest(now);
    if (now < this.#gathered(now)) return { type: 'wait', until: this.#gathered(now) };
    if (state.slot?.granted) return { type: 'start', records: due };
    const askAt = state.slot ? state.slot.askedAt + askAgainMs : now;
    return now >= askAt ? { type: 'ask_slot' } : { type: 'wait', until: askAt };
  }

  slotAsked(now: number): void {
    this.state.slot = { askedAt: now };
  }

  slotReleased(): void {
    delete this.state.slot;
  }

  /** An answer after the slot was given back changes nothing. */
  slotAnswered(answer: SlotAnswer, now: number): void {
    const { slot, alerts } = this.state;
    if (!slot) return;
    if (answer.type === 'granted') {
      slot.granted = true;
      return;
    }
    const { because, until } = answer;
    for (const record of alerts)
      if (record.fate.kind === 'waiting')
        decide(record, { kind: 'waiting', at: now, because, ...(until === undefined ? {} : { until }) });
  }

  /** `session` has begun with these records as its task. */
  started(session: string, records: readonly AlertRecord[], now: number, by?: string): void {
    const { state } = this;
    const begun = defined({ id: session, startedAt: now, by });
    state.sessions = [...state.sessions, begun].slice(-keptSessions);
    if (by === undefined) delete state.slot;
    else state.wanted.shift();
    const because = by === undefined ? (state.route?.rule ?? '') : `${by} asked for it`;
    for (const record of records) {
      const isOver = by === undefined && record.fate.kind === 'resolved';
      const rule = by === undefined ? (record.rule ?? because) : because;
      this.#told(record, { kind: 'investigating', at: now, because: rule, session });
      // it ended while the session was being started
      if (isOver) this.#overIn(record, session, now);
    }
    delete state.gatherUntil;
  }

  /** The running session has been told of these records; of an end, too. */
  steered(session: string, records: readonly AlertRecord[], now: number): void {
    for (const record of records) {
      const { fate } = record;
      if (fate.kind !== 'waiting') delete record.untold;
      else
        this.#told(record, {
          kind: 'joined',
          at: now,
          because: `session ${session} was at work on its group`,
          session,
        });
    }
    delete this.state.gatherUntil;
  }

  ended(session: string, { outcome, answer }: SessionEnd, now: number): void {
    const { state } = this;
    const ended = state.sessions.find(({ id }) => id === session);
    if (!ended || ended.endedAt !== undefined) return;
    Object.assign(ended, { endedAt: now, outcome });
    if (answer !== undefined)
      state.last = { session, endedAt: now, outcome, answer: cutText(answer, keptAnswer, '') };
    for (const record of state.alerts) delete record.untold;
    // nothing was found out, or nothing was wrong then: whoever fires again is looked at again
    if (outcome === 'completed/inconclusive' || outcome === `completed/${noFault}`)
      delete state.cooldownUntil;
    else state.cooldownUntil = now + (state.route?.cooldownMs ?? 0);
    // of a session that failed nothing was found out: what still fires is looked at again after the cooldown
    const isLost = outcome === 'failed' || outcome === 'gone';
    for (const record of state.alerts) {
      const { fate, endedAt } = record;
      const again = isLost && fate.session === session && endedAt === undefined;
      if (fate.kind === 'waiting' || again) this.#waitOrCool(record, now);
    }
  }

  /**
   * Takes out the oldest alerts over `keep`, to be stored as a page: those that are over, or of which nothing was heard for
   * a week, and beyond the most that an execution can hold all that do not wait.
   */
  takeOld(keep: number, now: number): AlertRecord[] {
    const { alerts } = this.state;
    const asked = this.state.wanted.flatMap(({ ids }) => ids);
    const isOld = ({ id, fate, endedAt, lastAt }: AlertRecord, at: number): boolean => {
      if (at >= alerts.length - keep || fate.kind === 'waiting' || asked.includes(id)) return false;
      return endedAt !== undefined || now - lastAt > silentMs || at < alerts.length - mostAlerts;
    };
    const old = alerts.filter(isOld);
    this.state.alerts = alerts.filter((record) => !old.includes(record));
    return old;
  }

  #fire(alert: Alert, route: AlertRoute, now: number): void {
    const over = alert.startsAt === undefined ? undefined : this.#byIds([idOf(alert, now)])[0];
    const known = this.#openOf(alert) ?? (over && this.#late(over, now));
    if (known) return sentAgain(known, now);
    // its end was never said
    const open = this.#open(alert.fingerprint);
    if (open) open.endedAt = now;
    const fired = over ? omit(alert, 'startsAt') : alert;
    const record = this.#isFull ? this.#shared(fired, now) : this.#add(fired, now);
    record.rule = route.rule;
    if (record.times > 1) return;
    if (route.suppress !== undefined) {
      record.fate = { kind: 'suppressed', at: now, because: `${route.rule}: ${route.suppress}` };
      return;
    }
    this.#waitOrCool(record, now);
    const whole = this.state.alerts.filter((each) => each.alert !== undefined).length;
    if (whole < keptWhole) record.alert = shortened(alert);
  }

  #resolve(alert: Alert, now: number): void {
    const open = this.#open(alert.fingerprint);
    // the end of an earlier firing comes late; a later start is that of the message, or of a firing that nobody has sent
    if (!open || (alert.startsAt ?? Infinity) < (open.startsAt ?? 0)) {
      const known = this.#byIds([idOf(alert, now)])[0] ?? this.#newest(alert);
      if (known) return sentAgain(known, now);
      const record = this.#add(alert, now);
      record.endedAt = now;
      record.fate = { kind: 'resolved', at: now, because: 'nothing of it was firing here' };
      return;
    }
    sentAgain(open, now);
    open.endedAt = alert.endsAt ?? now;
    const { kind, session } = open.fate;
    const running = this.running;
    if (session !== undefined && running?.id === session) {
      this.#gathered(now);
      this.#overIn(open, session, now);
      return;
    }
    const because =
      session === undefined
        ? `it was over while it was ${kind}: ${open.fate.because}`
        : `session ${session} had it`;
    decide(open, { kind: 'resolved', at: now, because, ...(session === undefined ? {} : { session }) });
    delete open.alert;
  }

  /** The session that has the alert is to be told of its end. */
  #overIn(record: AlertRecord, session: string, now: number): void {
    record.untold = true;
    decide(record, { kind: 'resolved', at: now, because: `session ${session} is told`, session });
  }

  /** The fate of an alert that no session has yet. */
  #waitOrCool(record: AlertRecord, now: number): void {
    const { cooldownUntil, last, route } = this.state;
    if (!this.running && cooldownUntil !== undefined && now < cooldownUntil) {
      const after = last ? ` after session ${last.session} (${last.outcome})` : '';
      const length = toTimeLeft(route?.cooldownMs ?? 0);
      const because = `cooldown of ${length}${after}; looked at again at ${describeClock(cooldownUntil)} if it still fires`;
      decide(record, { kind: 'suppressed', at: now, because, until: cooldownUntil });
      return;
    }
    const until = this.#gathered(now);
    decide(record, {
      kind: 'waiting',
      at: now,
      because: `gathers the alerts of this group until ${describeClock(until)}`,
      until,
    });
  }

  /** After the cooldown: those that it has suppressed, and that still fire, wait for a session. */
  #lookAgain(now: number): void {
    const { state } = this;
    if (state.cooldownUntil === undefined || now < state.cooldownUntil) return;
    delete state.cooldownUntil;
    for (const record of state.alerts) if (isCooling(record)) this.#waitOrCool(record, now);
  }

  /** End of the debounce; begins it if nothing was gathered. */
  #gathered(now: number): number {
    this.state.gatherUntil ??= now + (this.state.route?.debounceMs ?? 0);
    return this.state.gatherUntil;
  }

  #rest(now: number): GroupStep {
    const { cooldownUntil, lastAt, alerts } = this.state;
    const cooling = !this.running && cooldownUntil !== undefined && alerts.some(isCooling);
    if (cooling) return { type: 'wait', until: cooldownUntil };
    const closesAt = lastAt + keptMs;
    return now >= closesAt && !this.running
      ? { type: 'close' }
      : { type: 'wait', until: Math.max(closesAt, now + keptMs / 30) };
  }

  #told(record: AlertRecord, fate: Fate): void {
    decide(record, fate);
    delete record.alert;
    delete record.rule;
  }

  get #isFull(): boolean {
    return this.state.alerts.filter(({ endedAt }) => endedAt === undefined).length >= mostAlerts;
  }

  /** The record of all alerts that a full group has no room for; they have its fate. */
  #shared(alert: Alert, now: number): AlertRecord {
    const more = {
      ...omit(alert, 'startsAt'),
      fingerprint: 'more',
      labels: {},
      name: 'further alerts of the group',
    };
    const open = this.#open(more.fingerprint);
    if (!open) return this.#add(more, now);
    sentAgain(open, now);
    return open;
  }

  #add(alert: Alert, now: number): AlertRecord {
    const record = toRecord(alert, now);
    this.state.alerts.push(record);
    return record;
  }

  #open(fingerprint: string): AlertRecord | undefined {
    return this.state.alerts.findLast(
      (record) => record.fingerprint === fingerprint && record.endedAt === undefined,
    );
  }

  /** The open record of the same alert, unless that began at another time. */
  #openOf({ fingerprint, startsAt }: Alert): AlertRecord | undefined {
    const open = this.#open(fingerprint);
    const isOther = startsAt !== undefined && open?.startsAt !== undefined && startsAt !== open.startsAt;
    return isOther ? undefined : open;
  }

  /** The record of a message that comes late; undefined where a firing that is over begins again with its old start. */
  #late(over: AlertRecord, now: number): AlertRecord | undefined {
    const newest = this.#newest(over);
    const isOlder = newest !== undefined && newest.startsAt !== undefined && newest !== over;
    return isOlder || now - (newest ?? over).fate.at < lateMs ? over : undefined;
  }

  #newest({ fingerprint }: Pick<Alert, 'fingerprint'>): AlertRecord | undefined {
    return this.state.alerts.findLast((record) => record.fingerprint === fingerprint);
  }

  #byIds(ids: readonly string[]): AlertRecord[] {
    return this.state.alerts.filter(({ id }) => ids.includes(id));
  }
}

function sentAgain(record: AlertRecord, now: number): void {
  record.times += 1;
  record.lastAt = now;
}

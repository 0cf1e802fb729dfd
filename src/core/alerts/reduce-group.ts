// The only place that makes a new state of a group of alerts: one fact in, the next state out. Pure: time is an argument.
import { cutText } from '@holdfast/base/cut-text';
import { defined } from '@holdfast/base/defined';
import { noFault } from '@holdfast/vocabulary/run-result';
import { type GroupFact, type GroupState, isNews, isWaiting, recordsOf } from './alert-group.ts';
import { decide, isCooling } from './alert-record.ts';
import type { AlertRecord, Fate } from '@holdfast/vocabulary/alert-fate';
import { gather, overIn, takeEnd, takeFiring, waitOrCool } from './take-alert.ts';

const keptSessions = 20;
const keptAnswer = 4_000;

/** Applies one fact at workflow time `now` (ms). The state passed in is not changed. */
export function reduceGroup(state: GroupState, fact: GroupFact, now: number): GroupState {
  const draft = copyOf(state);
  apply(draft, fact.type, fact, now);
  return draft;
}

/** As deep as reducers write: a fate and a slot are replaced. */
function copyOf(state: GroupState): GroupState {
  const { alerts, sessions } = state;
  return {
    ...state,
    alerts: alerts.map((record) => ({ ...record })),
    sessions: sessions.map((session) => ({ ...session })),
  };
}

type FactOf<Type extends GroupFact['type']> = Extract<GroupFact, { type: Type }>;
type Reducers = {
  [Type in GroupFact['type']]: (draft: GroupState, fact: FactOf<Type>, now: number) => void;
};

function apply<Type extends GroupFact['type']>(
  draft: GroupState,
  type: Type,
  fact: Parameters<Reducers[Type]>[1],
  now: number,
): void {
  reducers[type](draft, fact, now);
}

const reducers: Reducers = {
  /** A message that came before changes only times and counts. */
  alerts_came(draft, { message: { alerts, route, limits } }, now) {
    Object.assign(draft, { lastAt: now, limits });
    // the end of an alert, and one that is suppressed, may have a route that says nothing about the session
    const decides = route.suppress === undefined && alerts.some(({ status }) => status === 'firing');
    const waits = draft.alerts.some(isWaiting);
    // what waits for a session with a critical alert is not made milder by a later one
    const isMilder = waits && draft.route?.critical === true && !route.critical;
    if ((decides && !isMilder) || !draft.route) draft.route = route;
    for (const alert of alerts) {
      if (alert.status === 'resolved') takeEnd(draft, alert, now);
      else takeFiring(draft, alert, route, now);
    }
  },
  session_wanted(draft, { ids, by }) {
    draft.wanted = [...draft.wanted, { ids, by }];
  },
  slot_asked(draft, _, now) {
    draft.slot = { askedAt: now };
  },
  /** An answer after the slot was given back changes nothing. */
  slot_answered(draft, { answer }, now) {
    if (!draft.slot) return;
    if (answer.type === 'granted') {
      draft.slot = { ...draft.slot, granted: true };
      return;
    }
    const { because, until } = answer;
    for (const record of draft.alerts)
      if (isWaiting(record)) decide(record, { kind: 'waiting', at: now, because, ...defined({ until }) });
  },
  slot_released(draft) {
    delete draft.slot;
  },
  session_started(draft, { session, ids, by }, now) {
    draft.sessions = [...draft.sessions, defined({ id: session, startedAt: now, by })].slice(-keptSessions);
    if (by === undefined) delete draft.slot;
    else draft.wanted = draft.wanted.slice(1);
    const because = by === undefined ? (draft.route?.rule ?? '') : `${by} asked for it`;
    for (const record of recordsOf(draft, ids)) {
      const isOver = by === undefined && record.fate.kind === 'resolved';
      const rule = by === undefined ? (record.rule ?? because) : because;
      hand(record, { kind: 'investigating', at: now, because: rule, session });
      // it ended while the session was being started
      if (isOver) overIn(record, session, now);
    }
    gatherAnew(draft, now);
  },
  session_told(draft, { session, ids }, now) {
    const because = `session ${session} was at work on its group`;
    for (const record of recordsOf(draft, ids)) {
      if (isWaiting(record)) hand(record, { kind: 'joined', at: now, because, session });
      else delete record.untold;
    }
    gatherAnew(draft, now);
  },
  session_missed(draft, _, now) {
    draft.gatherUntil = now + tellAgainMs;
  },
  session_ended(draft, { session, end: { outcome, answer } }, now) {
    const ended = draft.sessions.find(({ id }) => id === session);
    if (!ended || ended.endedAt !== undefined) return;
    Object.assign(ended, { endedAt: now, outcome });
    if (answer !== undefined)
      draft.last = { session, endedAt: now, outcome, answer: cutText(answer, keptAnswer, '') };
    // nothing was found out, or nothing was wrong then: whoever fires again is looked at again
    if (outcome === 'completed/inconclusive' || outcome === `completed/${noFault}`)
      delete draft.cooldownUntil;
    else draft.cooldownUntil = now + (draft.route?.cooldownMs ?? 0);
    // of a session that failed nothing was found out: what still fires is looked at again after the cooldown
    const isLost = outcome === 'failed' || outcome === 'gone';
    for (const record of draft.alerts) {
      delete record.untold;
      const { fate, endedAt } = record;
      const again = isLost && fate.session === session && endedAt === undefined;
      if (isWaiting(record) || again) waitOrCool(draft, record, now);
    }
  },
  /** Alerts that it has suppressed, and that still fire, wait for a session. */
  cooldown_ended(draft, _, now) {
    delete draft.cooldownUntil;
    for (const record of draft.alerts) if (isCooling(record)) waitOrCool(draft, record, now);
  },
  alerts_left(draft, { ids, page }) {
    draft.alerts = draft.alerts.filter(({ id }) => !ids.includes(id));
    const { alerts, pages } = draft.archived;
    if (page !== undefined) draft.archived = { alerts: alerts + ids.length, pages: [...pages, page] };
  },
};

const tellAgainMs = 10_000;

/** A session has the alert. */
function hand(record: AlertRecord, fate: Fate): void {
  decide(record, fate);
  delete record.alert;
  delete record.rule;
}

/** The debounce begins again for what came while the session was started or told. */
function gatherAnew(draft: GroupState, now: number): void {
  delete draft.gatherUntil;
  if (draft.alerts.some(isNews)) gather(draft, now);
}

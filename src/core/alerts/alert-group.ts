// A group of alerts as plain data: its state, the facts that change it (reduce-group.ts), and the steps that follow from it
// (group-step.ts). Pure.
import type { SessionEnd } from '@holdfast/vocabulary/activity-contracts';
import type { AlertRoute, AlertsSignal, ReceiverLimits } from '@holdfast/vocabulary/alert';
import type { AlertRecord, GroupSession } from '@holdfast/vocabulary/alert-fate';

export type GroupState = {
  /** In the order of their arrival. */
  alerts: AlertRecord[];
  archived: { alerts: number; pages: string[] };
  /** Newest last; the newest twenty. */
  sessions: GroupSession[];
  /** Those of the newest message. */
  route?: AlertRoute;
  limits?: ReceiverLimits;
  /** End of the debounce; set while some news has not been told to a session. */
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

/** Start input of the workflow `alertGroup`. */
export type AlertGroupInput = {
  receiver: string;
  /** For people: the values that the alerts of this group share, such as `HighErrorRate payments-1`. */
  title: string;
  /** Search attributes that the namespace has: another one would make the server refuse the task forever. */
  searchAttributes: string[];
  /** Events after which a new execution begins. Default 3,000. */
  maxEvents?: number;
  /** Set by continue-as-new only. */
  carried?: GroupState;
};

export type SlotAnswer = { type: 'granted' } | { type: 'wait'; because: string; until?: number };

/** Every event that changes the state of a group. `ids` are those of alerts. */
export type GroupFact =
  | { type: 'alerts_came'; message: AlertsSignal }
  /** A person wants a session for these alerts. */
  | { type: 'session_wanted'; ids: string[]; by: string }
  | { type: 'slot_asked' }
  | { type: 'slot_answered'; answer: SlotAnswer }
  | { type: 'slot_released' }
  /** These alerts are its task. `by`: the person who wanted it. */
  | { type: 'session_started'; session: string; ids: string[]; by?: string | undefined }
  /** The running session knows of these alerts, or of their ends. */
  | { type: 'session_told'; session: string; ids: string[] }
  /** A message did not reach the running session: its end is on the way here. */
  | { type: 'session_missed' }
  | { type: 'session_ended'; session: string; end: SessionEnd }
  | { type: 'cooldown_ended' }
  /** These alerts have left the state, for the page of the store if there is one. */
  | { type: 'alerts_left'; ids: string[]; page?: string };

export type GroupStep =
  /** Nothing to do until something arrives, or until this time. */
  | { type: 'wait'; until: number }
  /** The state is too large to take much more. */
  | { type: 'hand_over' }
  | { type: 'close' }
  | GroupWork;

export type GroupWork =
  | { type: 'ask_slot' }
  | { type: 'release_slot' }
  | { type: 'end_cooldown' }
  | { type: 'start'; records: AlertRecord[]; by?: string }
  | { type: 'steer'; session: string; records: AlertRecord[] };

/** About a KiB each: an input may have 2 MiB. Further open alerts of a group share one record. */
export const mostAlerts = 500;

export function emptyGroup(now: number): GroupState {
  return { alerts: [], archived: { alerts: 0, pages: [] }, sessions: [], wanted: [], lastAt: now };
}

/** The newest session that runs. */
export function runningSession({ sessions }: GroupState): GroupSession | undefined {
  return sessions.findLast(({ endedAt }) => endedAt === undefined);
}

export function isWaiting({ fate }: AlertRecord): boolean {
  return fate.kind === 'waiting';
}

/** True for an alert that waits for a session, or whose end the running one must be told. */
export function isNews(record: AlertRecord): boolean {
  return isWaiting(record) || record.untold === true;
}

export function recordsOf({ alerts }: GroupState, ids: readonly string[]): AlertRecord[] {
  return alerts.filter(({ id }) => ids.includes(id));
}

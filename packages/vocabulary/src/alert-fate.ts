// The fate of an alert: decided once, with the reason as it was then. Plain JSON, read by queries, commands and HTTP.
import type { Alert, AlertSeverity } from './alert.ts';

/**
 * `waiting` for the end of the debounce, a slot or the budget; `investigating` by the session that began for it;
 * `joined` a session that was running; `suppressed` by a rule or a cooldown; `resolved` at its sender; `refused` before
 * it was read.
 */
export type FateKind = 'waiting' | 'investigating' | 'joined' | 'suppressed' | 'resolved' | 'refused';

export const fateKinds: readonly FateKind[] = [
  'waiting',
  'investigating',
  'joined',
  'suppressed',
  'resolved',
  'refused',
];

export type Fate = {
  kind: FateKind;
  /** When it was decided, in ms since the epoch. */
  at: number;
  /** The reason in words, with the rule as it was then. */
  because: string;
  /** The session that has the alert. */
  session?: string;
  /** When a wait, or a suppression by the cooldown, ends; in ms since the epoch. */
  until?: number;
};

/** One firing of an alert, or a resolve without one. */
export type AlertRecord = {
  /** `<fingerprint>@<start>`: the same alert that fires again later is another record. */
  id: string;
  fingerprint: string;
  name: string;
  severity: AlertSeverity;
  /** Labels in one line, for people. */
  what: string;
  /** As its sender says, in ms since the epoch. */
  startsAt?: number;
  /** Arrival of the first and the last message about it, in ms since the epoch. */
  firstAt: number;
  lastAt: number;
  /** Number of messages about it. */
  times: number;
  /** Set once it is resolved, or has fired anew. */
  endedAt?: number;
  fate: Fate;
  /** Earlier fates, oldest first; the newest three. */
  before?: Fate[];
  /** The rule of its route, until it is told to a session. */
  rule?: string;
  /** The whole alert, until it is told to a session. */
  alert?: Alert;
  /** Its end is not told to the session yet. */
  untold?: true;
};

/** A record for readers: without the sender's whole text, and what only the group needs. */
export type ShownAlert = Omit<AlertRecord, 'alert' | 'rule' | 'untold'>;

export function toShown({ alert: _, rule: _rule, untold: _untold, ...shown }: AlertRecord): ShownAlert {
  return shown;
}

/** A session of a group. */
export type GroupSession = {
  id: string;
  startedAt: number;
  /** Name of the person who asked for it; absent: it began by itself. */
  by?: string;
  endedAt?: number;
  /** Such as `completed/confirmed`; `gone` if it ended without a result. */
  outcome?: string;
};

/** Answer of the query `fates` of a group. */
export type GroupFates = {
  receiver: string;
  title: string;
  /** Those that the workflow holds, oldest first. */
  alerts: ShownAlert[];
  /** Number of older ones, in pages in the artifact store. */
  archived: { alerts: number; pages: string[] };
  sessions: GroupSession[];
  /** No new session begins before; in ms since the epoch. */
  cooldownUntil?: number;
};

// The vocabulary of alerts: one alert as every sender's payload is read, what the configuration has decided about it, and
// the limits of its receiver. Plain JSON; shared by the gateway, the workflows of alerts, and callers.
import type { AlertLink } from './session-alert.ts';
import type { SessionInput } from './session-input.ts';

export type AlertSeverity = 'critical' | 'error' | 'warning' | 'info' | 'unknown';
export const alertSeverities: readonly AlertSeverity[] = ['critical', 'error', 'warning', 'info', 'unknown'];

/** One alert, whatever its sender. Texts are those of the sender: untrusted. */
export type Alert = {
  /** Names the alert within its receiver: what the sender gives, else a digest of its sorted labels. */
  fingerprint: string;
  name: string;
  status: 'firing' | 'resolved';
  severity: AlertSeverity;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  /** In ms since the epoch. Absent: the sender gives none, so that a repeat is told by the fingerprint alone. */
  startsAt?: number;
  endsAt?: number;
  /** To the alert, its runbook, its panel at the sender. */
  links: AlertLink[];
};

/** Fields of the start input that a receiver or a route may set. */
export type AlertStart = Pick<
  SessionInput,
  | 'agent'
  | 'model'
  | 'profile'
  | 'mode'
  | 'budget'
  | 'loop'
  | 'tools'
  | 'skills'
  | 'toolGroups'
  | 'hosts'
  | 'deliver'
  | 'labels'
>;

/** The configuration's word on an alert, decided by the gateway and kept as it was then. */
export type AlertRoute = {
  /** For people: the rule that decided, such as `route "database" of receiver prod`. */
  rule: string;
  /** Why nothing is started. Absent: it is investigated. */
  suppress?: string;
  /** Fields of the start of its session. */
  input: AlertStart;
  /** Extra words for the task, by the people who wrote the configuration. */
  task?: string;
  /** Alerts that come within this time after the first are one task. */
  debounceMs: number;
  /** No new session of the group begins within this time after the last one. */
  cooldownMs: number;
  /** May use the reserve of the day's budget, and goes first in the queue for a slot. */
  critical: boolean;
};

/** Limits of a receiver, over all its groups. */
export type ReceiverLimits = {
  /** Sessions that run at the same time. */
  slots: number;
  /** Sessions of one UTC day, spread over its hours. */
  sessionsPerDay?: number;
  /** USD of one UTC day, spread over its hours. */
  costUsdPerDay?: number;
  /** The part of the day's budget that only critical alerts may use, from 0 to 1. */
  reserve: number;
};

/** Payload of the signal `alerts` of the workflow `alertGroup`. */
export type AlertsSignal = { alerts: Alert[]; route: AlertRoute; limits: ReceiverLimits };

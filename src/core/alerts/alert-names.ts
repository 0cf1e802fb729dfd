// Names of the workflows of alerts, their ids and messages, and guards for messages that any program may send. Pure.
import {
  type Parsed,
  isAmount,
  isCount,
  isList,
  isRecord,
  isText,
  listOf,
} from '../../../packages/base/src/json.ts';
import { objectOf, oneOf, optional, refuse } from '../../../packages/base/src/json.ts';
import type { Alert, AlertGroupInput, AlertRoute, AlertsSignal, ReceiverLimits } from './alert.ts';

export const alertGroupType = 'alertGroup';
export const alertReceiverType = 'alertReceiver';

/** Signals, updates and queries by their names on the wire. */
export const alertMessages = {
  /** To a group: AlertsSignal. */
  alerts: 'alerts',
  /** To a group: SlotAnswer of its receiver. */
  slot: 'slot',
  /** Update of a group: {ids?, by}. */
  investigate: 'investigate',
  /** Query of a group: GroupFates. */
  fates: 'fates',
  /** To a receiver: SlotRequest, SlotRelease, RefusedAlerts. */
  askSlot: 'askSlot',
  freeSlot: 'freeSlot',
  refuse: 'refuse',
  /** Query of a receiver: ReceiverState. */
  receiver: 'receiver',
} as const;

/** `key` has letters, digits and `.`, `_`, `:`, `-` only. */
export function alertGroupId(receiver: string, key: string): string {
  return `${alertGroupType}:${receiver}:${key}`;
}

export function alertReceiverId(receiver: string): string {
  return `${alertReceiverType}:${receiver}`;
}

/** Name of a page of old fates in the artifact store, under the id of the group, which later groups have again. */
export function fatesPage(number: number, execution: string): string {
  return `fates-${String(number).padStart(5, '0')}-${execution}.json`;
}

const isGroupInput = objectOf<AlertGroupInput>({
  receiver: isText,
  title: isText,
  searchAttributes: listOf(isText),
  maxEvents: optional(isCount),
  carried: optional(isRecord),
});

export function readGroupInput(input: unknown): Parsed<AlertGroupInput> {
  if (isGroupInput(input)) return { ok: true, value: input };
  const reason =
    'The start input of an alert group is not valid: expected {receiver, title, searchAttributes}.';
  return refuse('Input.Invalid', reason);
}

const isAlert = objectOf<Alert>({
  fingerprint: isText,
  name: isText,
  status: oneOf('firing', 'resolved'),
  labels: isRecord,
  annotations: isRecord,
  links: isList,
});

/** Alerts with their route: a signal has no sender to complain to. */
export const isAlertsSignal = objectOf<AlertsSignal>({
  alerts: listOf(isAlert),
  route: objectOf<AlertRoute>({ rule: isText, input: isRecord, debounceMs: isAmount, cooldownMs: isAmount }),
  limits: objectOf<ReceiverLimits>({ slots: isAmount, reserve: isAmount }),
});

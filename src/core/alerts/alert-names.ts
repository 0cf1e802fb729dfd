// Names of the workflows of alerts, their ids and messages, and guards for messages that any program may send. Pure.
import { type Parsed, isAmount, isCount, isList, isRecord, isText, listOf } from '../base/json.ts';
import type { AlertGroupInput, AlertsSignal } from './alert.ts';

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

export function readGroupInput(input: unknown): Parsed<AlertGroupInput> {
  const isGood =
    isRecord(input) &&
    isText(input['receiver']) &&
    isText(input['title']) &&
    listOf(isText)(input['searchAttributes']) &&
    (input['maxEvents'] === undefined || isCount(input['maxEvents'])) &&
    (input['carried'] === undefined || isRecord(input['carried']));
  if (isGood) return { ok: true, value: input as AlertGroupInput };
  const reason =
    'The start input of an alert group is not valid: expected {receiver, title, searchAttributes}.';
  return { ok: false, code: 'Input.Invalid', reason };
}

/** Undefined for anything but alerts with their route: a signal has no sender to complain to. */
export function readAlertsSignal(value: unknown): AlertsSignal | undefined {
  if (!isRecord(value)) return undefined;
  const { alerts, route, limits } = value;
  const isGood =
    isList(alerts) &&
    alerts.every(isAlert) &&
    isRecord(route) &&
    isText(route['rule']) &&
    isRecord(route['input']) &&
    isAmount(route['debounceMs']) &&
    isAmount(route['cooldownMs']) &&
    isRecord(limits) &&
    isAmount(limits['slots']) &&
    isAmount(limits['reserve']);
  return isGood ? (value as AlertsSignal) : undefined;
}

function isAlert(value: unknown): boolean {
  return (
    isRecord(value) &&
    isText(value['fingerprint']) &&
    isText(value['name']) &&
    (value['status'] === 'firing' || value['status'] === 'resolved') &&
    isRecord(value['labels']) &&
    isRecord(value['annotations']) &&
    isList(value['links'])
  );
}

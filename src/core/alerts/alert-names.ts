// Names of the messages to the workflows of alerts, and guards for what any program may send. Pure.
import {
  inputReader,
  isAmount,
  isCount,
  isList,
  isRecord,
  isText,
  listOf,
  fieldsOf,
} from '@holdfast/base/json';
import { defined } from '@holdfast/base/defined';
import { objectOf, oneOf, optional } from '@holdfast/base/json';
import type { Alert, AlertRoute, AlertsSignal, ReceiverLimits } from '@holdfast/vocabulary/alert';
import type { AlertGroupInput, GroupState, SlotAnswer } from './alert-group.ts';
import type { AlertReceiverInput, ReceiverState, SlotRelease, SlotRequest } from './slot-queue.ts';

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
  /** To a receiver: SlotRequest, SlotRelease, {reason}. */
  askSlot: 'askSlot',
  freeSlot: 'freeSlot',
  refuse: 'refuse',
  /** Query of a receiver: ReceiverState. */
  receiver: 'receiver',
} as const;

export const readGroupInput = inputReader(
  objectOf<AlertGroupInput>({
    receiver: isText,
    title: isText,
    searchAttributes: listOf(isText),
    maxEvents: optional(isCount),
    carried: optional(objectOf<GroupState>({ alerts: isList, sessions: isList, wanted: isList })),
  }),
  'The start input of an alert group is not valid: expected {receiver, title, searchAttributes}.',
);

export const readReceiverInput = inputReader(
  objectOf<AlertReceiverInput>({
    receiver: isText,
    maxEvents: optional(isCount),
    carried: optional(
      objectOf<ReceiverState>({ held: isList, overdue: optional(isList), queue: isList, day: isRecord }),
    ),
  }),
  'The start input of an alert receiver is not valid: expected {receiver}.',
);

const isAlert = objectOf<Alert>({
  fingerprint: isText,
  name: isText,
  status: oneOf('firing', 'resolved'),
  labels: isRecord,
  annotations: isRecord,
  links: isList,
});

/** Alerts with their route. */
export const isAlertsSignal = objectOf<AlertsSignal>({
  alerts: listOf(isAlert),
  route: objectOf<AlertRoute>({ rule: isText, input: isRecord, debounceMs: isAmount, cooldownMs: isAmount }),
  limits: objectOf<ReceiverLimits>({ slots: isAmount, reserve: isAmount }),
});

export const isSlotRequest = objectOf<SlotRequest>({
  group: isText,
  leaseMs: isAmount,
  limits: objectOf({ slots: isAmount }),
});

/** Only the group must be there: another program may leave the rest out. */
export function readSlotRelease(given: unknown): SlotRelease | undefined {
  if (!isRecord(given) || !isText(given['group'])) return undefined;
  const { group, costUsd, keeps } = given;
  return { group, costUsd: isAmount(costUsd) ? costUsd : 0, keeps: keeps === true };
}

export function readSlotAnswer(given: unknown): SlotAnswer | undefined {
  const { type, because, until } = fieldsOf(given);
  if (type === 'granted') return { type };
  if (type !== 'wait' || !isText(because)) return undefined;
  return { type, because, ...defined({ until: typeof until === 'number' ? until : undefined }) };
}

/** Reads the wish of a person for a session: about these alerts, or about every one that none investigates. */
export const parseWish = inputReader(
  objectOf<{ ids?: string[]; by: string }>({
    ids: optional(listOf(isText)),
    by: (by) => isText(by) && by !== '',
  }),
  'expected {ids?: [id of an alert, ...], by: name of a person}',
);

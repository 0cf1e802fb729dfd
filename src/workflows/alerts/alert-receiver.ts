// The workflow of one receiver: gives its groups slots, within the day's budget, and keeps what could not be read. Its
// rules are in core/alerts/alert-receiver.ts.
import { condition, continueAsNew, log, setCurrentDetails, setHandler } from '@temporalio/workflow';
import { isAmount, isRecord, isText, objectOf } from '../../../packages/base/src/json.ts';
import { AlertReceiver, type ReceiverState, type SlotRequest } from '../../core/alerts/alert-receiver.ts';
import { alertMessages } from '../../core/alerts/alert-names.ts';
import { counted, toCost } from '../../../packages/base/src/words.ts';
import { askSlotSignal, freeSlotSignal, receiverQuery, refuseSignal } from './alerts-api.ts';
import { isLong } from '../hand-over.ts';
import { refusal } from '../activity-failure.ts';
import { sendSignal } from '../send-signal.ts';

export type AlertReceiverInput = {
  receiver: string;
  carried?: ReceiverState;
  /** Events after which a new execution begins. */
  maxEvents?: number;
};

export async function alertReceiver(input: AlertReceiverInput): Promise<void> {
  if (!isRecord(input) || !isText(input.receiver))
    throw refusal('Input.Invalid', 'The start input of an alert receiver is not valid: expected {receiver}.');
  const receiver = new AlertReceiver(input.receiver, Date.now(), input.carried);
  let isNew = true;
  setHandler(receiverQuery, () => receiver.state);
  setHandler(askSlotSignal, (given) => {
    isNew = true;
    if (isSlotRequest(given)) receiver.ask(given);
    else log.warn('a request for a slot is not valid');
  });
  setHandler(freeSlotSignal, (given) => {
    isNew = true;
    if (isRecord(given) && isText(given['group']))
      receiver.free({
        group: given['group'],
        costUsd: isAmount(given['costUsd']) ? given['costUsd'] : 0,
        keeps: given['keeps'] === true,
      });
  });
  setHandler(refuseSignal, (given) => {
    isNew = true;
    if (isRecord(given) && isText(given['reason'])) receiver.refuse({ reason: given['reason'] }, Date.now());
  });
  for (;;) {
    isNew = false;
    await answer(receiver);
    showDetails(receiver);
    // without a worker its history may have filled up: the server then takes no signal that would wake it
    if (isLong(input)) await beginAnew(input, receiver);
    const wakeAt = receiver.wakeAt(Date.now());
    if (wakeAt === undefined) await condition(() => isNew);
    else await condition(() => isNew, Math.max(1, wakeAt - Date.now()));
    if (isLong(input)) await beginAnew(input, receiver);
  }
}

function beginAnew(input: AlertReceiverInput, { state }: AlertReceiver): Promise<never> {
  return continueAsNew<typeof alertReceiver>({ ...input, carried: state });
}

/** A group that is gone gives its slot to the next one. */
async function answer(receiver: AlertReceiver): Promise<void> {
  for (;;) {
    const told = receiver.answers(Date.now());
    if (told.length === 0) return;
    const arrived = await Promise.all(
      told.map((each) => sendSignal(each.group, alertMessages.slot, each.answer)),
    );
    told.forEach(({ group }, at) => {
      if (!arrived[at]) receiver.free({ group, costUsd: 0 });
    });
  }
}

const isSlotRequest = objectOf<SlotRequest>({
  group: isText,
  leaseMs: isAmount,
  limits: objectOf({ slots: isAmount }),
});

function showDetails({ state: { held, queue, day, limits, refused, refusedTotal } }: AlertReceiver): void {
  const lines = [
    `- ${held.length} of ${counted(limits?.slots ?? 0, 'slot')} in use, ${counted(queue.length, 'group')} waiting`,
    `- today ${counted(day.sessions, 'session')}, ${toCost(day.costUsd)}`,
    `- ${counted(refusedTotal, 'message')} refused`,
    ...refused.slice(-5).map(({ at, reason }) => `  - ${new Date(at).toISOString()} ${reason}`),
  ];
  setCurrentDetails(lines.join('\n'));
}

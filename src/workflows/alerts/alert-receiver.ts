// The workflow of one receiver: gives its groups slots, within the day's budget, and keeps what could not be read. Its
// rules are in core/alerts/slot-queue.ts.
import { setCurrentDetails } from '@temporalio/workflow';
import { isRecord, isText } from '@holdfast/base/json';
import { counted, toCost } from '@holdfast/base/words';
import {
  type AlertReceiverInput,
  type ReceiverFact,
  type ReceiverState,
  type ReceiverWork,
  type Told,
  emptyReceiver,
  nextReceiverStep,
  reduceReceiver,
} from '../../core/alerts/slot-queue.ts';
import {
  alertMessages,
  isSlotRequest,
  readReceiverInput,
  readSlotRelease,
} from '../../core/alerts/alert-names.ts';
import { accepted } from '../activity-failure.ts';
import { Actor, type Recorder } from '../actor.ts';
import { sendSignal } from '../send-signal.ts';

export async function alertReceiver(given: AlertReceiverInput): Promise<void> {
  const input = accepted(readReceiverInput(given));
  const actor = new Actor<ReceiverState, ReceiverFact, ReceiverWork, void>(input, emptyReceiver(Date.now()), {
    reduce: reduceReceiver,
    next: (state, now) => nextReceiverStep(state, input.receiver, now),
    perform: ({ told }, actor) => tell(told, actor),
    signals: {
      [alertMessages.askSlot]: (message) =>
        isSlotRequest(message) ? { type: 'slot_asked', request: message } : undefined,
      [alertMessages.freeSlot](message) {
        const release = readSlotRelease(message);
        return release && { type: 'slot_freed', release };
      },
      [alertMessages.refuse](message) {
        if (!isRecord(message) || !isText(message['reason'])) return undefined;
        return { type: 'alerts_refused', reason: message['reason'] };
      },
    },
    queries: { [alertMessages.receiver]: (state) => state },
    show: showDetails,
    resultOf: () => undefined,
  });
  return actor.run();
}

/** A group that is gone gives its slot to the next one. */
async function tell(told: Told[], actor: Recorder<ReceiverState, ReceiverFact>): Promise<void> {
  actor.record({ type: 'groups_told', told });
  const arrived = await Promise.all(
    told.map(({ group, answer }) => sendSignal(group, alertMessages.slot, answer)),
  );
  const gone = told.filter((_, at) => !arrived[at]);
  for (const { group } of gone) actor.record({ type: 'slot_freed', release: { group, costUsd: 0 } });
}

function showDetails({ held, queue, day, limits, refused, refusedTotal }: ReceiverState): void {
  const lines = [
    `- ${held.length} of ${counted(limits?.slots ?? 0, 'slot')} in use, ${counted(queue.length, 'group')} waiting`,
    `- today ${counted(day.sessions, 'session')}, ${toCost(day.costUsd)}`,
    `- ${counted(refusedTotal, 'message')} refused`,
    ...refused.slice(-5).map(({ at, reason }) => `  - ${new Date(at).toISOString()} ${reason}`),
  ];
  setCurrentDetails(lines.join('\n'));
}

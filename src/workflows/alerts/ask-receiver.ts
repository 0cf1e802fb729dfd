// The talk of a group with its receiver, which the first request starts. Runs in the workflow.
import { defined } from '@holdfast/base/defined';
import { ChildWorkflowCancellationType, workflowInfo } from '@temporalio/workflow';
import type { GroupState } from '../../core/alerts/alert-group.ts';
import { alertMessages } from '../../core/alerts/alert-names.ts';
import type { AlertReceiverInput, SlotRelease, SlotRequest } from '../../core/alerts/slot-queue.ts';
import { alertReceiverId, alertReceiverType } from '@holdfast/vocabulary/workflow-ids';
import { sendSignal } from '../send-signal.ts';
import { startBeside } from '../start-beside.ts';

/** The lease of a slot whose session has no deadline. */
const longestMs = 24 * 3_600_000;
const marginMs = 10 * 60_000;

export async function askForSlot(receiver: string, { route, limits }: GroupState): Promise<void> {
  if (!route || !limits) return;
  const { budget, loop } = route.input;
  const request: SlotRequest = {
    group: workflowInfo().workflowId,
    critical: route.critical,
    limits,
    leaseMs: loop?.deadlineMs === undefined ? longestMs : loop.deadlineMs + marginMs,
    ...defined({ costUsd: budget?.costUsd }),
  };
  if (await sendSignal(alertReceiverId(receiver), alertMessages.askSlot, request)) return;
  // unless another group was first
  await startBeside<(input: AlertReceiverInput) => Promise<void>>(alertReceiverType, {
    workflowId: alertReceiverId(receiver),
    args: [{ receiver }],
    // it serves other groups, too
    cancellationType: ChildWorkflowCancellationType.ABANDON,
  });
  await sendSignal(alertReceiverId(receiver), alertMessages.askSlot, request);
}

/** A receiver that is gone has no slots to give back. */
export async function freeSlot(receiver: string, given: Omit<SlotRelease, 'group'>): Promise<void> {
  const release: SlotRelease = { group: workflowInfo().workflowId, ...given };
  await sendSignal(alertReceiverId(receiver), alertMessages.freeSlot, release);
}

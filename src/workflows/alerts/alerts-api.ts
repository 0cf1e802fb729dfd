// Signals, updates and queries of the workflows of alerts: shared by both workflows. Runs in the workflow.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { ReceiverState } from '../../core/alerts/alert-receiver.ts';
import { alertMessages } from '../../core/alerts/alert-names.ts';
import type { GroupFates } from '../../core/alerts/fate.ts';

export const alertsSignal = defineSignal<[unknown]>(alertMessages.alerts);
export const slotSignal = defineSignal<[unknown]>(alertMessages.slot);
export const investigateUpdate = defineUpdate<{ alerts: number }, [unknown]>(alertMessages.investigate);
export const fatesQuery = defineQuery<GroupFates>(alertMessages.fates);

export const askSlotSignal = defineSignal<[unknown]>(alertMessages.askSlot);
export const freeSlotSignal = defineSignal<[unknown]>(alertMessages.freeSlot);
export const refuseSignal = defineSignal<[unknown]>(alertMessages.refuse);
export const receiverQuery = defineQuery<ReceiverState>(alertMessages.receiver);

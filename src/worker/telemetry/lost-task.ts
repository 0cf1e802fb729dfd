// The SDK's own error line for a workflow task that it has lost: its session waits for ever, and the worker cannot end.
import { EventEmitter } from 'node:events';
import type { LogEntry } from '@temporalio/worker';

/** Written by SDK 1.24 if two tasks of a session wait for a place in a full cache (docs/decisions/temporal.md). */
const words = 'Extra buffered run should not have produced an activation';
const losses = new EventEmitter<{ lost: [LostTaskError] }>();

const advice =
  'The Temporal SDK has lost a task of a session, which would wait for ever. This worker ends, so that another one takes its sessions over: start it again.';

export class LostTaskError extends Error {}

/** For every line of the SDK. */
export function noteLoss({ message }: LogEntry): void {
  if (message === words) losses.emit('lost', new LostTaskError(advice));
}

/** Calls back at a loss in this process, until the returned function is called. */
export function onLoss(callback: (loss: LostTaskError) => void): () => void {
  losses.on('lost', callback);
  return () => losses.off('lost', callback);
}

// Decides when an execution hands over to the next. Runs in the workflow.
import { type WorkflowInfo, workflowInfo } from '@temporalio/workflow';
import { isHandOverForced } from '../core/session/carried.ts';
import type { Session } from '../core/session/session.ts';

const maxEvents = 3_000;
const maxHistoryBytes = 3 * 1024 * 1024;
const maxSignals = 1_000;

/** Signals received in this execution. */
export type SignalCount = { received: number };

type History = Pick<WorkflowInfo, 'historyLength' | 'historySize' | 'continueAsNewSuggested'>;

/** For a session, which continues as new only at a turn boundary (CKPT-06). */
export function isHistoryLong(
  { input, turns }: Pick<Session, 'input' | 'turns'>,
  { received }: SignalCount,
  { historyLength, historySize, continueAsNewSuggested }: History = workflowInfo(),
): boolean {
  return (
    continueAsNewSuggested ||
    historyLength >= maxEvents ||
    historySize >= maxHistoryBytes ||
    received >= maxSignals ||
    isHandOverForced(input, turns)
  );
}

/** For the other workflows; a test may set the limit. */
export function isLong({ maxEvents: most = maxEvents }: { maxEvents?: number }): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  return continueAsNewSuggested || historyLength >= most;
}

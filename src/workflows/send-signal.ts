// Sends a signal from one session to another: to its subagents, and to the session that started it. Runs in the
// workflow.
import { succeeds } from '@holdfast/base/succeeds';
import { CancellationScope, getExternalWorkflowHandle } from '@temporalio/workflow';

/** False if no session with this id is running. Works even in a cancelled session. */
export function sendSignal(sessionId: string, signal: string, payload: unknown): Promise<boolean> {
  const sent = payload === undefined ? [] : [payload];
  const handle = getExternalWorkflowHandle(sessionId);
  return succeeds(CancellationScope.nonCancellable(() => handle.signal(signal, ...sent)));
}

// A signal from one session to another: to the subagents of this one, and to the session that started it. Runs in the workflow.
import { CancellationScope, getExternalWorkflowHandle } from '@temporalio/workflow';

/** False where no session of this id runs. A session that is cancelled sends all the same. */
export function sendSignal(sessionId: string, signal: string, payload: unknown): Promise<boolean> {
  const sent = payload === undefined ? [] : [payload];
  return CancellationScope.nonCancellable(() =>
    getExternalWorkflowHandle(sessionId).signal(signal, ...sent),
  ).then(
    () => true,
    () => false,
  );
}

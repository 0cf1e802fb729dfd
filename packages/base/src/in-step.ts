// Callers kept in step with the workflow tasks of a session: a query that comes too early is asked again, and a message
// waits until the task has begun that changes what its sender has just read. Pure.
import { messageOf } from './message-of.ts';

type Pause = (ms: number) => Promise<unknown>;

/** The failure of a query that a session cannot answer before its next workflow task, in any language's client. */
export const outOfStep = 'The session is ahead of its history here and is replayed: ask again.';

const pauseMs = 50;
const longestPauseMs = 800;
/** Without a worker no task begins, and a message waits for one at the server. */
const longestWaitMs = 2_000;

/** Asks until another answer comes: `ask` has a deadline of its own. */
export async function askAgain<T>(ask: () => Promise<T>, pause: Pause): Promise<T> {
  for (let ms = pauseMs; ; ms = Math.min(2 * ms, longestPauseMs)) {
    try {
      return await ask();
    } catch (error) {
      if (!messageOf(error).includes(outOfStep)) throw error;
    }
    await pause(ms);
  }
}

/** PENDING_WORKFLOW_TASK_STATE_SCHEDULED on the wire. */
const scheduledState = 1;
type Described = { pendingWorkflowTask?: { state?: unknown } | null };

/** Returns when no task of the session waits for a worker, or after 2 s, or a fifth of `deadlineMs`. */
export async function awaitStep(
  describe: () => Promise<Described>,
  pause: Pause,
  deadlineMs: number,
): Promise<void> {
  const longestMs = Math.min(longestWaitMs, deadlineMs / 5);
  for (let waited = 0; waited < longestMs; waited += pauseMs) {
    const { pendingWorkflowTask } = await describe();
    if (pendingWorkflowTask?.state !== scheduledState) return;
    await pause(pauseMs);
  }
}

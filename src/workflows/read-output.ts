// What a run's result says of its messages, where a hand-over has left the older ones behind. Runs in the workflow.
import { scheduleActivity } from '@temporalio/workflow';
import type { ReadOutputInput } from '../core/model/activity-contracts.ts';
import { isHeld, runStretch } from '../core/state/run-outcome.ts';
import type { RunOutput } from '../core/model/run-result.ts';
import { failureOf } from './activity-failure.ts';
import { readOutputOptions } from './activity-options.ts';
import type { Session } from './session.ts';

/** Best effort: without an answer the result tells of the newest messages, and says that it does. */
export async function readOutput(session: Session): Promise<RunOutput | undefined> {
  const { state, store } = session;
  const { run } = state;
  if (!run || isHeld(state, run)) return undefined;
  const status = run.end?.status ?? 'completed';
  const input: ReadOutputInput = { sessionId: session.id, ...runStretch(state, run), status };
  try {
    return await scheduleActivity<RunOutput>('readOutput', [input], readOutputOptions);
  } catch (error) {
    store.announce({ type: 'warning', code: 'Run.OutputCut', message: failureOf(error).message });
    return undefined;
  }
}

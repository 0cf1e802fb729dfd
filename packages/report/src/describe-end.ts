// Describes the end of a run in one sentence for people. Pure.
import { counted } from '@holdfast/base/words';
import type { RunEnd } from '@holdfast/vocabulary/agent-state';
import type { RunCause, RunStatus } from '@holdfast/vocabulary/run-result';

type Ended = Pick<RunEnd, 'status' | 'cause' | 'answerCut'>;

const sentences: Record<RunStatus, string> = {
  completed: 'The run completed',
  max_iterations: 'The run ended at its limit of turns',
  loop_detected: 'The run was ended because it repeated itself',
  context_exhausted: 'The run ended because the context window of its model was full',
  budget_exceeded: 'The run ended because its budget was used up',
  timed_out: 'The run ended because its time was over',
  aborted: 'The run was stopped before it was done',
  failed: 'The run failed',
};

/** Causes of completed runs other than an answer. */
const completions: Partial<Record<RunCause, string>> = {
  no_report: 'The run completed without a report of the agent',
  empty_response: 'The run completed with its report, and the model said nothing after it',
};

export const answerCutSentence = 'The answer was cut by the output limit (model.maxResponseTokens).';

/** Adds the reason, if one is known. */
export function describeEnd(end: Ended & Pick<RunEnd, 'error'>): string {
  const reason = end.error?.message.trim().replace(/\.$/, '') ?? '';
  return `${endSentence(end)}${reason && ` ${reason}.`}`;
}

/** The way on with messages that no run has read. `stays`: the session takes another run. */
export function describeUnread(sessionId: string, count: number, stays: boolean): string {
  const head = `No run has read ${counted(count, 'message')} of people`;
  return stays
    ? `${head}: "holdfast continue ${sessionId}" gives them to the agent.`
    : `${head}: "holdfast fork ${sessionId} --prompt <words>" goes on in a new session.`;
}

export function endSentence({ status, cause, answerCut }: Ended): string {
  const completion = status === 'completed' && cause ? completions[cause] : undefined;
  return `${completion ?? sentences[status]}.${answerCut ? ` ${answerCutSentence}` : ''}`;
}

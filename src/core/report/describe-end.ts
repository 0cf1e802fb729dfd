// How a run ended, in a sentence for people. Pure.
import type { RunEnd } from '../model/agent-state.ts';
import type { RunStatus } from '../model/run-result.ts';

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

/** With the reason behind it, where one is known. */
export function describeEnd({ status, error }: Pick<RunEnd, 'status' | 'error'>): string {
  const reason = error?.message.trim().replace(/\.$/, '') ?? '';
  return `${endSentence(status)}${reason && ` ${reason}.`}`;
}

export function endSentence(status: RunStatus): string {
  return `${sentences[status]}.`;
}

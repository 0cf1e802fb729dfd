// The place where a session can continue without a new task: its view, or a message in a queue. Pure.
import type { AgentState } from '@holdfast/vocabulary/agent-state';
import type { QueueName } from '@holdfast/vocabulary/events';
import { type LogRecord, type UserMessage, userMessage } from '@holdfast/vocabulary/messages';
import { isSent } from '@holdfast/view/view-entries';

export type Continuation =
  /** `view`: the model owes an answer to the view plus `messages`. */
  { type: 'view'; messages: UserMessage[] } | { type: 'queue'; queue: QueueName };

/**
 * Reads the view, not the log: a failed or aborted reply is not in the view, so that continuing tries again (LOOP-22).
 * After an answer steering comes first, then follow-ups (LOOP-21), then the rest of unfinished work; undefined if there
 * is nothing to continue.
 */
export function continuationOf(
  state: AgentState,
  waiting: Record<QueueName, number>,
  text?: UserMessage,
): Continuation | undefined {
  const last = lastOfView(state);
  if (last === undefined) return undefined;
  if (text) return { type: 'view', messages: [text] };
  if (last !== 'assistant') return { type: 'view', messages: [] };
  if (waiting.steering > 0) return { type: 'queue', queue: 'steering' };
  if (waiting.followUp > 0) return { type: 'queue', queue: 'followUp' };
  // an answer after a limit does not complete the work (LOOP-08)
  const unfinished = state.lastResult !== undefined && state.lastResult.status !== 'completed';
  return unfinished ? { type: 'view', messages: [goOn] } : undefined;
}

const goOn = userMessage(
  'Your work was cut short before it was done. Continue with the task from where you are.',
  'injected',
);

/** Role of the last message that the model would get; the newest reply is never archived. */
function lastOfView({ log, view }: AgentState): LogRecord['role'] | undefined {
  const last = log.records.findLast((record) => record.seq >= view.fromSeq && isSent(record));
  return last?.role ?? (view.summary === undefined ? undefined : 'user');
}

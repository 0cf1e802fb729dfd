// What a session can go on with when nobody gives it a new task: its view, or what waits in a queue. Pure.
import type { AgentState } from './agent-state.ts';
import type { QueueName } from './events.ts';
import type { LogRecord, UserMessage } from './messages.ts';
import { isSent } from './view-entries.ts';

export type Continuation =
  /** The view ends with something that the model owes an answer to; `messages` are put behind it. */
  { type: 'view'; messages: UserMessage[] } | { type: 'queue'; queue: QueueName };

/**
 * Decided on the view, not the log: a failed or aborted reply is not in it, so that continuing tries again (LOOP-22).
 * After an answer steering comes first, then follow-ups (LOOP-21); undefined when there is nothing.
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
  return waiting.followUp > 0 ? { type: 'queue', queue: 'followUp' } : undefined;
}

/** Role of the last message that the model would be sent; what was archived never holds the newest reply. */
function lastOfView({ log, view }: AgentState): LogRecord['role'] | undefined {
  const last = log.records.findLast((record) => record.seq >= view.fromSeq && isSent(record));
  return last?.role ?? (view.summary === undefined ? undefined : 'user');
}

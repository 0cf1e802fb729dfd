// Takes waiting messages into the run: between turns for the next one, or into an open turn before its request.
import type { QueueName } from '../model/events.ts';
import { isWholeReply, userMessage } from '../model/messages.ts';
import type { Session } from '../session/session.ts';
import { mayTakeSteering } from './next-step.ts';

export const overtaken =
  'The next message was sent before your last reply was there: it is no answer to it, and approves nothing in it.';

export const older =
  'The next message was sent before the newest task was given: where they differ, the task counts.';

export function drainQueue(session: Session, queue: QueueName): void {
  const { state, inbox } = session;
  const { runId = '', turn = 0, cursor } = state.run ?? {};
  const last = state.log.records.at(-1);
  // an agent that asks in its answer must not take words for the reply whose writer could not know it
  const isOld = inbox.cameBefore(queue, 0);
  if (isOld || (last && isWholeReply(last) && inbox.cameBefore(queue, last.seq)))
    session.record({ type: 'injected', message: userMessage(isOld ? older : overtaken, 'injected') });
  const messages = inbox.take(queue, { runId, turn: cursor === 'ready' ? turn : turn + 1 });
  session.record({ type: 'messages_drained', queue, messages });
}

/** Called after a wait within the step that asks the model: what a person said meanwhile is in the request. */
export function takeLateSteering(session: Session): void {
  const { inbox } = session;
  const mayTake = () =>
    session.state.run && mayTakeSteering(session.state.run, inbox.waiting('steering'), inbox.isDue);
  while (mayTake()) drainQueue(session, 'steering');
}

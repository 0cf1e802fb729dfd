// Takes waiting messages into the run: between turns for the next one, or into an open turn before its request.
import type { QueueName } from '@holdfast/vocabulary/events';
import type { Session } from '../session/session.ts';
import { mayTakeSteering } from './next-step.ts';

export function drainQueue(session: Session, queue: QueueName): void {
  const { state, inbox, answered } = session;
  const { runId = '', turn = 0, cursor } = state.run ?? {};
  const messages = inbox.take(queue, { runId, turn: cursor === 'ready' ? turn : turn + 1 }, answered);
  session.record({ type: 'messages_drained', queue, messages });
}

/** Called after a wait within the step that asks the model: what a person said meanwhile is in the request. */
export function takeLateSteering(session: Session): void {
  const { inbox } = session;
  const mayTake = () =>
    session.state.run && mayTakeSteering(session.state.run, inbox.waiting('steering'), inbox.isDue);
  while (mayTake()) drainQueue(session, 'steering');
}

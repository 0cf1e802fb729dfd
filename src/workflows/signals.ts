// The signals of a session: a table of names. A signal that is refused is a warning event; a handler never throws,
// because a throw would block the workflow.
import { setDefaultSignalHandler, setHandler } from '@temporalio/workflow';
import { takeSignal } from '../core/session/requests.ts';
import type { Session } from '../core/session/session.ts';
import type { SignalCount } from './hand-over.ts';
import { signals } from './workflow-api.ts';

const descriptions: Record<keyof typeof signals, string> = {
  steer: 'A message for the running agent, or for a subagent of it: {id, message, mode?, to?}.',
  followUp: 'A message for when the agent is done: {id, message}.',
  abort: 'Ends the current run.',
  resume: 'Repeats the model call that waits for an operator.',
  clearQueues: 'Drops queued steering and follow-ups.',
  clearSteering: 'Drops queued steering.',
  clearFollowUp: 'Drops queued follow-ups.',
  setQueueMode: 'How a queue is taken: {queue, mode}.',
  resolveApproval:
    'Answers a pending approval: {id, approve, actor, reason?, argsDigest?, remember?}; the update of this name returns the outcome.',
  forgetAllowance: 'Takes a remembered approval back: {id, actor}.',
  answerQuestion: 'Answers a question of the agent: {id, text, actor?}.',
  reset: 'Begins the view anew, once idle.',
  shutdown: 'No new prompt; the current run finishes; the session completes.',
  childUpdate: 'A subagent tells what waits for people in it.',
  setModel: 'Takes effect with the next run.',
  setSystemPrompt: 'Takes effect with the next run.',
  setThinkingLevel: 'Takes effect with the next run.',
  setTools: 'Takes effect with the next run.',
  setToolExecution: 'Takes effect with the next run.',
};

export function registerSignals(session: Session): SignalCount {
  const count = { received: 0 };
  const take = (name: SignalName, sent: unknown[]): void => {
    count.received += 1;
    takeSignal(session, name, sent);
  };
  takeWaiting((name, sent) => {
    if (isSignal(name)) take(name, sent);
  });
  for (const name of signalNames) {
    const handle = (...sent: unknown[]): void => take(name, sent);
    setHandler(signals[name], handle, { description: descriptions[name] });
  }
  return count;
}

/**
 * Signals that came before the first workflow task wait in the SDK, which hands them out by handler, as each is set: a clear would
 * drop a message that was sent after it. One handler for all names gets them in the order in which they came.
 */
function takeWaiting(take: (name: string, sent: unknown[]) => void): void {
  const handle = (name: string, ...sent: unknown[]): void => take(name, sent);
  for (let isOpen = true; isOpen;) {
    try {
      setDefaultSignalHandler(handle);
      isOpen = false;
    } catch {
      // a name that the SDK reserves for itself; it has left the list, and the next try takes the rest
    }
  }
  setDefaultSignalHandler(undefined);
}

type SignalName = keyof typeof signals;

function isSignal(name: string): name is SignalName {
  return Object.hasOwn(signals, name);
}

const signalNames = Object.keys(signals).filter(isSignal);

// The signals of a session: a table of names. Runs in the workflow. A refused signal is a warning event; a handler
// never throws, because a throw would block the workflow.
import { setDefaultSignalHandler, setHandler } from '@temporalio/workflow';
import { approvesUnseen, unseenApproval } from '../core/session/answers.ts';
import { ignoredSignal, takeSignal } from '../core/session/requests.ts';
import { cutText } from '../core/base/cut-text.ts';
import type { Session } from '../core/session/session.ts';
import type { SignalCount } from './hand-over.ts';
import { signals } from './workflow-api.ts';

type SignalName = keyof typeof signals;

/**
 * Signals that a person sends from the Temporal UI, which lists the names with a handler of their own. The others are
 * for programs, and one handler takes them. People answer by an update, which says what came of it.
 */
const forPeople = {
  steer: 'A message for the running agent, or for a subagent of it: {id, message, mode?, to?}.',
  followUp: 'A message for when the agent is done: {id, message}.',
  forgetAllowance: 'Takes a remembered approval back: {id, actor}.',
  abort: 'Ends the current run.',
  resume: 'Repeats the model call that waits for an operator.',
  clearQueues: 'Drops queued steering and follow-ups.',
  reset: 'Begins the view anew, once idle.',
  shutdown: 'No new prompt; the current run finishes; the session completes.',
} satisfies { [Name in SignalName]?: string };

export function registerSignals(session: Session): SignalCount {
  const count = { received: 0 };
  const take = (name: string, ...sent: unknown[]): void => {
    count.received += 1;
    if (name === 'resolveApproval' && approvesUnseen(sent[0]))
      session.announce(ignoredSignal(name, unseenApproval));
    else if (isSignal(name)) takeSignal(session, name, sent);
    else session.announce(unknownSignal(name));
  };
  takeOthers(take);
  for (const [name, description] of Object.entries(forPeople)) {
    setHandler(signals[name as keyof typeof forPeople], (...sent: unknown[]) => take(name, ...sent), {
      description,
    });
  }
  return count;
}

/**
 * Must run before any other handler is set. The SDK holds signals from before the first workflow task and delivers them
 * handler by handler, as each is set, so that a clear could drop a message that was sent after it. One handler for all
 * names gets them in the order of their arrival.
 */
function takeOthers(take: (name: string, ...sent: unknown[]) => void): void {
  for (;;) {
    try {
      return setDefaultSignalHandler(take);
    } catch {
      // a name that the SDK reserves for itself; it has left the list, and the next try takes the rest
    }
  }
}

function isSignal(name: string): name is SignalName {
  return Object.hasOwn(signals, name);
}

function unknownSignal(name: string) {
  const message = `A signal "${cutText(name, 100, '')}" was ignored: expected one of ${Object.keys(signals).join(', ')}.`;
  return { type: 'warning', code: 'Message.UnknownSignal', message } as const;
}

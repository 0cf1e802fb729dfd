// The signals, updates and queries of a session: one table of names for each. Runs in the workflow. A refused signal is a warning
// event; its handler never throws, because a throw would block the workflow. The validator of an update is synchronous and without
// effect, so that a refused update leaves nothing in history (LOOP-19).
import type { UpdateDefinition } from '@temporalio/common';
import {
  defineQuery,
  proxySinks,
  setDefaultSignalHandler,
  setHandler,
  type Sinks,
} from '@temporalio/workflow';
import { cutText } from '../../../packages/base/src/cut-text.ts';
import { internalQueries, noteReaderName } from '../../../packages/vocabulary/src/outer-names.ts';
import { approvesUnseen, unseenApproval } from '../../core/session/answers.ts';
import { queries } from '../../core/session/queries.ts';
import type { Request } from '../../core/session/child-requests.ts';
import { carryOut, ignoredSignal, readRequest, takeSignal } from '../../core/session/requests.ts';
import type { Session } from '../../core/session/session.ts';
import { accepted } from '../activity-failure.ts';
import type { SignalCount } from '../hand-over.ts';
import { signals, updates } from './workflow-api.ts';

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

const aboutUpdates: Record<keyof typeof updates, string> = {
  prompt: 'Starts a run when idle; answers with its id at once.',
  continue: 'Continues without a new task when idle: {continueText?}; answers with the run id at once.',
  answer: 'Answers what waits for a person: {question, answer, by}, as Current Details show it.',
  resolveApproval:
    'Answers a pending approval: {id, approve, actor, argsDigest, reason?, remember?}; a denial needs no argsDigest.',
  forgetAllowance: 'Takes a remembered approval back: {id, actor}.',
  answerQuestion: 'Answers a question of the agent: {id, text, actor?}.',
  extendBudget: 'Adds to the budget of the work in hand: {turns?, wallMs?, tokens?, costUsd?, toolCalls?}.',
  condense:
    'Folds the older part of the view into a summary when idle; the event condense_end has the outcome.',
  takeBackFinding: 'Takes a pinned finding of the agent back: {id, actor}.',
  cancelQueued: 'Removes a queued message by its id.',
};

export function registerUpdates(session: Session): void {
  for (const name of updateNames) {
    const read = (sent: readonly unknown[]): Request => readRequest(session, name, sent);
    const handle = (...sent: unknown[]): unknown => accepted(carryOut(session, read(sent)));
    const update: UpdateDefinition<unknown, unknown[]> = updates[name];
    setHandler(update, handle, {
      validator: (...sent: unknown[]) => {
        // not by the handler: what was accepted once is carried out
        if (name === 'resolveApproval' && approvesUnseen(sent[0], sent[1])) accepted(unseenApproval);
        accepted(read(sent));
      },
      description: aboutUpdates[name],
    });
  }
}

const updateNames = Object.keys(updates).filter((name): name is keyof typeof updates => name in updates);

const aboutQueries: Record<keyof typeof queries, string> = {
  snapshot: 'State, wait, cost, queues, usage and pending approvals.',
  pendingApprovals: 'Calls that wait for a person, with their whole arguments.',
  pendingQuestions: 'Questions of the agent that wait for an answer.',
  getEvents: 'Events after a number: afterSeq, limit?.',
  getMessages: 'Messages of the log after a number: afterSeq, limit?.',
  getResult: 'Result of the last run, or of the one named: runId?.',
  plan: 'The plan of the agent, step by step; null where it has none.',
  getReceipt: 'State of a steering message or follow-up: id.',
  queued: 'The steering messages and follow-ups that wait, with the beginning of their words.',
  hasQueuedMessages: 'Whether a steering message or follow-up waits.',
  checkpoint: 'The whole session as one document to continue from.',
  [internalQueries.getCheckpointPage]: 'Internal: a page of the checkpoint: offset.',
  [internalQueries.getFrozenContext]: 'Internal: the frozen context of a run: digest.',
  [internalQueries.getInheritedStart]: 'Internal: the start of a session that this one lets begin later.',
  [internalQueries.getView]: 'Internal: a page of the view: epoch, fromSeq.',
};

/** The worker has the other side: worker/worker-options.ts. */
const { readers } = proxySinks<Sinks & { readers: { note(): void } }>();

export function registerQueries(session: Session): void {
  for (const [name, answer] of Object.entries<(session: Session, ...args: never[]) => unknown>(queries)) {
    const description = aboutQueries[name as keyof typeof queries];
    setHandler(defineQuery(name), (...args: never[]) => answer(session, ...args), { description });
  }
  const description = 'Internal: a watcher reads the heartbeats.';
  setHandler(defineQuery(noteReaderName), () => readers.note(), { description });
}

// The handlers of a session, by the table of its operations. Runs in the workflow. A refused signal is a warning event; its
// handler never throws, because a throw would block the workflow. The validator of an update is synchronous and without
// effect, so that a refused update leaves nothing in history (LOOP-19).
import type { UpdateDefinition } from '@temporalio/common';
import {
  defineQuery,
  proxySinks,
  setDefaultSignalHandler,
  setHandler,
  type Sinks,
} from '@temporalio/workflow';
import { cutText } from '@holdfast/base/cut-text';
import { internalQueries, noteReaderName } from '@holdfast/vocabulary/outer-names';
import {
  describeOperation,
  operations,
  queryNames,
  signalNames,
  updateNames,
} from '@holdfast/vocabulary/session-operations';
import { approvesUnseen, unseenApproval } from '../../core/session/answers.ts';
import { queryRules } from '../../core/session/queries.ts';
import type { Request } from '../../core/session/child-requests.ts';
import { carryOut, ignoredSignal, requests, takeSignal } from '../../core/session/requests.ts';
import type { Session } from '../../core/session/session.ts';
import { accepted } from '../activity-failure.ts';
import type { SignalCount } from '../hand-over.ts';
import { signals, updates } from './workflow-api.ts';

export function registerSignals(session: Session): SignalCount {
  const count = { received: 0 };
  const take = (name: string, ...sent: unknown[]): void => {
    count.received += 1;
    if (name === 'resolveApproval' && approvesUnseen(sent[0], sent[1]))
      session.announce(ignoredSignal(name, unseenApproval));
    else if (isSignal(name)) takeSignal(session, name, sent);
    else session.announce(unknownSignal(name));
  };
  takeOthers(take);
  for (const name of signalNames.filter((each) => operations[each].forPeople)) {
    const description = describeOperation(name);
    setHandler(signals[name], (...sent: unknown[]) => take(name, ...sent), { description });
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

function isSignal(name: string): name is keyof typeof signals {
  return Object.hasOwn(signals, name);
}

function unknownSignal(name: string) {
  const message = `A signal "${cutText(name, 100, '')}" was ignored: expected one of ${signalNames.join(', ')}.`;
  return { type: 'warning', code: 'Message.UnknownSignal', message } as const;
}

export function registerUpdates(session: Session): void {
  for (const name of updateNames) {
    const read = (sent: readonly unknown[]): Request => requests[name](session, ...sent);
    const handle = (...sent: unknown[]): unknown => accepted(carryOut(session, read(sent)));
    const update: UpdateDefinition<unknown, unknown[]> = updates[name];
    setHandler(update, handle, {
      validator: (...sent: unknown[]) => {
        // not by the handler: what was accepted once is carried out
        if (name === 'resolveApproval' && approvesUnseen(sent[0], sent[1])) accepted(unseenApproval);
        accepted(read(sent));
      },
      description: describeOperation(name),
    });
  }
}

/** Queries of workers and clients among themselves. */
const aboutInternal: Record<(typeof internalQueries)[keyof typeof internalQueries], string> = {
  [internalQueries.getCheckpointPage]: 'Internal: a page of the checkpoint: offset.',
  [internalQueries.getFrozenContext]: 'Internal: the frozen context of a run: digest.',
  [internalQueries.getInheritedStart]: 'Internal: the start of a session that this one lets begin later.',
  [internalQueries.getView]: 'Internal: a page of the view: epoch, fromSeq.',
};

/** The worker has the other side: worker/worker-options.ts. */
const { readers } = proxySinks<Sinks & { readers: { note(): void } }>();

export function registerQueries(session: Session): void {
  const answer = (name: keyof typeof queryRules, description: string): void => {
    const read: (session: Session, ...args: never[]) => unknown = queryRules[name];
    setHandler(defineQuery(name), (...args: never[]) => read(session, ...args), { description });
  };
  for (const name of queryNames) answer(name, describeOperation(name));
  for (const name of Object.values(internalQueries)) answer(name, aboutInternal[name]);
  const description = 'Internal: a watcher reads the heartbeats.';
  setHandler(defineQuery(noteReaderName), () => readers.note(), { description });
}

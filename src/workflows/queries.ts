// The queries of a session: a table of names. Runs in the workflow.
import { defineQuery, proxySinks, setHandler, type Sinks } from '@temporalio/workflow';
import { queries } from '../core/session/queries.ts';
import type { Session } from '../core/session/session.ts';
import { internalQueries, noteReaderName } from '../core/model/outer-names.ts';

const descriptions: Record<keyof typeof queries, string> = {
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

/** The worker has the other side: worker/reader-sinks.ts. */
const { readers } = proxySinks<Sinks & { readers: { note(): void } }>();

export function registerQueries(session: Session): void {
  for (const [name, answer] of Object.entries<(session: Session, ...args: never[]) => unknown>(queries)) {
    const description = descriptions[name as keyof typeof queries];
    setHandler(defineQuery(name), (...args: never[]) => answer(session, ...args), { description });
  }
  const description = 'Internal: a watcher reads the heartbeats.';
  setHandler(defineQuery(noteReaderName), () => readers.note(), { description });
}

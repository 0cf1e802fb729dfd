// Every query that a session answers, by its wire name. Pure: reads the state and changes nothing.
import { defined } from '../base/defined.ts';
import { mergeOptions } from '../model/merge-options.ts';
import { checkpointOf, toQueryAnswer, pageOfCheckpoint } from '../checkpoint/checkpoint.ts';
import type { ViewPage } from '../model/activity-contracts.ts';
import type { EventPage } from '../model/events.ts';
import type { FrozenContext } from '../model/frozen-context.ts';
import type { Plan } from '../model/plan.ts';
import type { RunResult } from '../model/run-result.ts';
import type { Checkpoint } from '../model/session-input.ts';
import type { PendingApproval, PendingQuestion, QueuedText, Receipt, Snapshot } from '../model/snapshot.ts';
import { pageOf, viewPageOf } from '../view/log.ts';
import { queueNames } from './inbox.ts';
import { inheritedStart } from './inherited-start.ts';
import type { Session } from './session.ts';
import { receiptOf } from './receipt-of.ts';
import { snapshotOf } from './snapshot-of.ts';
import { internalQueries } from '../model/outer-names.ts';
import type { CheckpointPage } from '../checkpoint/checkpoint.ts';
import type { SessionQueries } from '../model/session-api.ts';

type Answer<Args extends unknown[], Value> = (session: Session, ...args: Args) => Value;
type Answers = {
  [Name in keyof SessionQueries]: Answer<SessionQueries[Name]['args'], SessionQueries[Name]['answer']>;
};
type InternalName = (typeof internalQueries)[keyof typeof internalQueries];

export const queries = {
  snapshot: (session: Session): Snapshot => snapshotOf(session),
  pendingApprovals: ({ approvals, childWaits }: Session): PendingApproval[] => [
    ...approvals.unmasked,
    ...childWaits.approvals,
  ],
  pendingQuestions: ({ allQuestions }: Session): PendingQuestion[] => allQuestions,
  getEvents: ({ events }: Session, afterSeq: number, limit?: number): EventPage =>
    events.page(afterSeq, limit),
  getMessages: ({ state }: Session, afterSeq: number, limit?: number): ViewPage =>
    pageOf(state, afterSeq + 1, limit),
  /** The result of the last run; null for any other run id. */
  getResult({ state: { lastResult } }: Session, runId?: string): RunResult | null {
    return lastResult && (runId === undefined || lastResult.runId === runId) ? lastResult : null;
  },
  plan: ({ state }: Session): Plan | null => state.plan ?? null,
  getReceipt: (session: Session, id: string): Receipt | null => receiptOf(session, id),
  queued: ({ inbox }: Session): QueuedText[] => inbox.texts(),
  hasQueuedMessages: ({ inbox }: Session): boolean => queueNames.some((queue) => inbox.waiting(queue) > 0),
  checkpoint: (session: Session): Checkpoint =>
    toQueryAnswer(currentCheckpoint(session), session.state.log.records),
  [internalQueries.getCheckpointPage](session: Session, offset: number): CheckpointPage {
    const checkpoint = currentCheckpoint(session);
    return pageOfCheckpoint(checkpoint, `${checkpoint.created_at}/${session.events.lastSeq}`, offset);
  },
  [internalQueries.getFrozenContext]: (
    { state: { context } }: Session,
    digest: string,
  ): FrozenContext | null => (context?.digest === digest ? context : null),
  [internalQueries.getView]: ({ state }: Session, epoch: number, fromSeq: number): ViewPage =>
    viewPageOf(state, epoch, fromSeq),
  [internalQueries.getInheritedStart]: inheritedStart,
} satisfies Answers & Record<InternalName, Answer<never[], unknown>>;

function currentCheckpoint(session: Session): Checkpoint {
  const { taskId, approvals, questions, inbox } = session;
  const awaiting = [...approvals.pending, ...questions.pending].map(({ id }) => id);
  const { steering: steeringMode, followUp: followUpMode } = inbox.chosen;
  // a session that begins from it starts with the modes that people set
  const input = mergeOptions(session.input, { queues: defined({ steeringMode, followUpMode }) });
  return checkpointOf(session.state, { taskId, input, now: session.now(), awaiting });
}

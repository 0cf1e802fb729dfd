// Internal queries of an activity to the workflow that scheduled it, or to that of another session; they write nothing to
// history.
import { setTimeout as sleep } from 'node:timers/promises';
import { askAgain } from '@holdfast/base/in-step';
import { messageOf } from '@holdfast/base/message-of';
import { Context } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { InOrder } from '@holdfast/base/in-order';
import type { ViewPage } from '@holdfast/vocabulary/activity-contracts';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import { type CheckpointPage, joinPages } from '../../core/checkpoint/checkpoint.ts';
import type { Checkpoint, SessionInput } from '@holdfast/vocabulary/session-input';
import { internalQueries } from '@holdfast/vocabulary/outer-names';
import type { Snapshot } from '@holdfast/vocabulary/snapshot';

/** Queries the activity's own workflow run. Rejects without an answer in time. */
export type QueryOwnWorkflow = (name: string, args: unknown[]) => Promise<unknown>;

export type OwnWorkflow = {
  getView(epoch: number, fromSeq: number): Promise<ViewPage>;
  getMessages(afterSeq: number): Promise<ViewPage>;
  getFrozenContext(digest: string): Promise<FrozenContext | null>;
  /** The whole session, except the records of its messages. */
  getCheckpoint(): Promise<Checkpoint>;
  /** The start of a session that this one lets begin later, without its prompt. */
  getInheritedStart(): Promise<SessionInput>;
  /** Ids of the messages that no run has taken. */
  getUndelivered(): Promise<string[]>;
  /** True while the call or the question of this id waits for a person. */
  waitsFor(id: string): Promise<boolean>;
};

/** The failure type for a workflow that gave no answer: infrastructure, retried without using up the model's retries. */
const unreachableType = 'Workflow.Unreachable';

const deadlineMs = 5_000;

/** Another session, in its newest execution, which may have ended. */
export function workflowOf(sessionId: string): OwnWorkflow {
  return createOwnWorkflow((name, args) => queryThroughWorker(name, args, { workflowId: sessionId }));
}

export function createOwnWorkflow(query: QueryOwnWorkflow = queryThroughWorker): OwnWorkflow {
  async function ask<Answer>(name: string, args: unknown[]): Promise<Answer> {
    try {
      // both ends are built from the same contracts
      return (await query(name, args)) as Answer;
    } catch (error) {
      throw unreachable(name, error);
    }
  }
  return {
    getView: (epoch, fromSeq) => ask(internalQueries.getView, [epoch, fromSeq]),
    getMessages: (afterSeq) => ask('getMessages', [afterSeq]),
    getFrozenContext: (digest) => ask(internalQueries.getFrozenContext, [digest]),
    getCheckpoint: () =>
      joinPages((offset) => ask<CheckpointPage>(internalQueries.getCheckpointPage, [offset])),
    getInheritedStart: () => ask(internalQueries.getInheritedStart, []),
    getUndelivered: async () => {
      const { queues } = await ask<Snapshot>('snapshot', []);
      return [...queues.steering, ...queues.followUp];
    },
    waitsFor: async (id) => {
      const { approvals, questions } = await ask<Snapshot>('snapshot', []);
      return [...approvals, ...questions].some((pending) => pending.id === id);
    },
  };
}

/** By run id. Two at once can make the SDK (1.24) lose the task of a session that is not cached. */
const queries = new InOrder();

// the run id pins the query: after a reset or a continue-as-new, the old run's state answers its own activities
async function queryThroughWorker(
  name: string,
  args: unknown[],
  asked: { workflowId: string; runId?: string } | undefined = Context.current().info.workflowExecution,
): Promise<unknown> {
  const { client } = Context.current();
  const { workflowId, runId } = asked ?? { workflowId: '', runId: '' };
  const handle = client.workflow.getHandle(workflowId, runId);
  return queries.run(runId ?? workflowId, () =>
    client.withDeadline(Date.now() + deadlineMs, () => askAgain(() => handle.query(name, ...args), sleep)),
  );
}

function unreachable(name: string, error: unknown): ApplicationFailure {
  const reason = messageOf(error);
  return ApplicationFailure.create({
    type: unreachableType,
    message: `The session's workflow did not answer the query ${name}: ${reason}. Expected a worker that polls its task queue; it is tried again.`,
    category: ApplicationFailureCategory.BENIGN,
  });
}

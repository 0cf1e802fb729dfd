// The sessions of a group of alerts: child workflows that outlive it, and whose ends it hears of. Runs in the workflow.
import {
  ChildWorkflowCancellationType,
  ChildWorkflowFailure,
  isCancellation,
  type ChildWorkflowHandle,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { AlertGroupInput, GroupFact, GroupState } from '../../core/alerts/alert-group.ts';
import { alertOf, alertTask, windowOf } from '../../core/alerts/alert-task.ts';
import { readSessionEnd, endOfFailure } from '../../core/alerts/session-end.ts';
import { defined } from '@holdfast/base/defined';
import type { AlertRecord } from '@holdfast/vocabulary/alert-fate';
import type { SessionResult } from '@holdfast/vocabulary/run-result';
import type { SessionEnd } from '@holdfast/vocabulary/activity-contracts';
import { alertLabels } from '@holdfast/vocabulary/session-alert';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { toSessionId } from '@holdfast/vocabulary/workflow-ids';
import { schedule } from '../activity-options.ts';
import type { Recorder } from '../actor.ts';
import { freeSlot } from './ask-receiver.ts';
import { startBeside } from '../start-beside.ts';
import { agentSessionType } from '../session/workflow-api.ts';

export type GroupActor = Recorder<GroupState, GroupFact>;

type Start = (input: SessionInput) => Promise<SessionResult>;

/** A child's end reaches only the execution that started it. */
export function hearCarried(actor: GroupActor, { receiver }: AlertGroupInput): void {
  for (const { id, endedAt, by } of actor.state.sessions)
    if (endedAt === undefined)
      void hear(actor, receiver, { id, by }, schedule('awaitSessionEnd', { session: id }));
}

export async function startSession(
  actor: GroupActor,
  group: AlertGroupInput,
  { records, by }: { records: readonly AlertRecord[]; by?: string },
): Promise<void> {
  const child = await startChild(group, actor.state, records);
  // the id is in use: the next one is another
  if (!child) return sleep(1_000);
  const id = child.workflowId;
  actor.record({ type: 'session_started', session: id, ids: records.map((record) => record.id), by });
  void hear(actor, group.receiver, { id, by }, endOfChild(child.result()));
}

async function hear(
  actor: GroupActor,
  receiver: string,
  { id, by }: { id: string; by: string | undefined },
  result: Promise<SessionEnd>,
): Promise<void> {
  const end = await result.catch(() => undefined);
  // the group was cancelled
  if (!end) return;
  actor.record({ type: 'session_ended', session: id, end });
  // one that a person asked for has no slot, and costs all the same
  const keeps = by === undefined ? undefined : true;
  await actor.finish(freeSlot(receiver, { costUsd: end.costUsd, ...defined({ keeps }) }));
}

function startChild(
  { receiver, title }: AlertGroupInput,
  state: GroupState,
  records: readonly AlertRecord[],
): Promise<ChildWorkflowHandle<Start> | undefined> {
  const { route } = state;
  const group = workflowInfo().workflowId;
  const labels = { ...route?.input.labels, [alertLabels.receiver]: receiver, [alertLabels.group]: group };
  const task = { prompt: alertTask({ receiver, title }, records, state), name: title };
  const input: SessionInput = {
    // first: the Temporal UI shows a start in this order
    ...task,
    ...route?.input,
    ...task,
    window: windowOf(records),
    alert: alertOf(title, records),
    labels,
    throwOnFailure: true,
  };
  return startBeside<Start>(agentSessionType, {
    workflowId: toSessionId(`${receiver} ${title}`, (below) => Math.floor(Math.random() * below)),
    args: [input],
    staticSummary: title,
    // for lists: the words of the task are the same for all alerts
    memo: { labels, task: title },
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    cancellationType: ChildWorkflowCancellationType.ABANDON,
  });
}

async function endOfChild(result: Promise<SessionResult>): Promise<SessionEnd> {
  try {
    return readSessionEnd(await result);
  } catch (error) {
    // the group was cancelled: its session goes on
    if (isCancellation(error)) throw error;
    return endOfFailure(error instanceof ChildWorkflowFailure ? error.cause : error);
  }
}

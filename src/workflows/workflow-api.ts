// Names and types of every signal, update and query of a session: shared by the workflow and its clients.
// Wire names drop the suffix (steerSignal is "steer"), so that any language can send them.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { ViewPage } from '../core/model/activity-contracts.ts';
import type { FrozenContext } from '../core/model/frozen-context.ts';
import type { Budget, DrainMode } from '../core/model/agent-spec.ts';
import type { CheckpointPage } from '../core/checkpoint/checkpoint.ts';
import type { Checkpoint, PromptInput } from '../core/model/session-input.ts';
import { internalQueries } from '../core/model/outer-names.ts';
import type { EventPage, QueueName } from '../core/model/events.ts';
import type { ThinkingLevel } from '../core/model/model-call.ts';
import type { ExecutionMode } from '../core/model/tool-spec.ts';
import type {
  ApprovalAnswer,
  FollowUpMessage,
  NamedAnswer,
  PendingApproval,
  Receipt,
  Snapshot,
  SteerMessage,
} from '../core/model/snapshot.ts';
import type { RunResult } from '../core/model/run-result.ts';

/** The workflow type under which any caller starts a session. */
export const agentSessionType = 'agentSession';

export const steerSignal = defineSignal<[SteerMessage]>('steer');
export const followUpSignal = defineSignal<[FollowUpMessage]>('followUp');
/** Ends the current run only. */
export const abortSignal = defineSignal('abort');
/** Repeats the model call after an operator mended a refused key or a quota. */
export const resumeSignal = defineSignal('resume');
export const clearQueuesSignal = defineSignal('clearQueues');
export const clearSteeringSignal = defineSignal('clearSteering');
export const clearFollowUpSignal = defineSignal('clearFollowUp');
/** From the next drain point on: how many messages of a queue are taken at once. */
export const setQueueModeSignal = defineSignal<[{ queue: QueueName; mode: DrainMode }]>('setQueueMode');
/** When idle, or as soon as it is: the view begins anew and the queues are emptied; settings stay. */
export const resetSignal = defineSignal('reset');
/** Effective with the next run. */
export const settingSignals = {
  setModel: defineSignal<[string]>('setModel'),
  setSystemPrompt: defineSignal<[string]>('setSystemPrompt'),
  setThinkingLevel: defineSignal<[ThinkingLevel]>('setThinkingLevel'),
  setTools: defineSignal<[string[]]>('setTools'),
  setToolExecution: defineSignal<[ExecutionMode]>('setToolExecution'),
};
/** No new prompt; the current run finishes; the session completes. */
export const shutdownSignal = defineSignal('shutdown');

/** Accepted when idle: answers with the run's id and does not wait for the run. */
export const promptUpdate = defineUpdate<{ runId: string }, [PromptInput]>('prompt');
/** Accepted when idle and there is something to go on with: the view, or what waits in a queue. */
export const continueUpdate = defineUpdate<{ runId: string }, [{ continueText?: string }]>('continue');
/** Adds to the budget of the work in hand; what it ended goes on with `continue`. Answers with the new budget. */
export const extendBudgetUpdate = defineUpdate<{ budget: Budget }, [Budget]>('extendBudget');
/** The id and the answer, or both as one payload, which is all that the Temporal UI sends. */
export const resolveApprovalUpdate = defineUpdate<
  { approved: boolean },
  [id: string, answer: ApprovalAnswer] | [answer: NamedAnswer]
>('resolveApproval');
/** The same for senders that need no answer: one that cannot be taken is a warning event. */
export const resolveApprovalSignal = defineSignal<[NamedAnswer]>('resolveApproval');
/** Accepted when idle; what came of it is in the event condense_end. */
export const condenseUpdate = defineUpdate<{ accepted: true }, []>('condense');
export const cancelQueuedUpdate = defineUpdate<{ removed: boolean }, [string]>('cancelQueued');

export const snapshotQuery = defineQuery<Snapshot>('snapshot');
/** Events after a sequence number, oldest first; at most `limit` (default 250). */
export const getEventsQuery = defineQuery<EventPage, [number, number?]>('getEvents');
/** Log records after a sequence number, oldest first; a page is at most 1 MiB. */
export const getMessagesQuery = defineQuery<ViewPage, [number, number?]>('getMessages');
export const getResultQuery = defineQuery<RunResult | null, [string?]>('getResult');
export const getReceiptQuery = defineQuery<Receipt | null, [string]>('getReceipt');
export const hasQueuedMessagesQuery = defineQuery<boolean>('hasQueuedMessages');
export const checkpointQuery = defineQuery<Checkpoint>('checkpoint');
export const pendingApprovalsQuery = defineQuery<PendingApproval[]>('pendingApprovals');

/** Internal: the checkpoint however large it is, without the messages' records, as pages of its JSON text. */
export const getCheckpointPageQuery = defineQuery<CheckpointPage, [number]>(
  internalQueries.getCheckpointPage,
);
/** Internal: the view for a worker that lacks it. */
export const getViewQuery = defineQuery<ViewPage, [number, number]>(internalQueries.getView);
/** Internal: the frozen context by digest. */
export const getFrozenContextQuery = defineQuery<FrozenContext | null, [string]>(
  internalQueries.getFrozenContext,
);

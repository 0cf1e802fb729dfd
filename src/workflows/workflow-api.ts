// Names and types of every signal, update and query of a session: shared by the workflow and its clients.
// Wire names drop the suffix (steerSignal is "steer"), so that any language can send them.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { FrozenContext, ViewPage } from '../core/activity-contracts.ts';
import type { EventPage } from '../core/events.ts';
import type { PromptInput } from '../core/session-input.ts';
import type {
  ApprovalAnswer,
  Checkpoint,
  FollowUpMessage,
  PendingApproval,
  Receipt,
  Snapshot,
  SteerMessage,
} from '../core/snapshot.ts';
import type { RunResult } from '../core/run-result.ts';

/** The workflow type under which any caller starts a session. */
export const agentSessionType = 'agentSession';

export const steerSignal = defineSignal<[SteerMessage]>('steer');
export const followUpSignal = defineSignal<[FollowUpMessage]>('followUp');
/** Ends the current run only. */
export const abortSignal = defineSignal('abort');
/** Repeats the model call after an operator mended a refused key or a quota. */
export const resumeSignal = defineSignal('resume');
export const clearQueuesSignal = defineSignal('clearQueues');
/** No new prompt; the current run finishes; the session completes. */
export const shutdownSignal = defineSignal('shutdown');

/** Accepted when idle: answers with the run's id and does not wait for the run. */
export const promptUpdate = defineUpdate<{ runId: string }, [PromptInput]>('prompt');
export const resolveApprovalUpdate = defineUpdate<{ approved: boolean }, [string, ApprovalAnswer]>(
  'resolveApproval',
);
export const cancelQueuedUpdate = defineUpdate<{ removed: boolean }, [string]>('cancelQueued');

export const snapshotQuery = defineQuery<Snapshot>('snapshot');
/** Events after a sequence number, oldest first; at most `limit` (default 250). */
export const getEventsQuery = defineQuery<EventPage, [number, number?]>('getEvents');
/** Log records after a sequence number, oldest first; a page is at most 1 MiB. */
export const getMessagesQuery = defineQuery<ViewPage, [number, number?]>('getMessages');
export const getResultQuery = defineQuery<RunResult | null, [string?]>('getResult');
export const getReceiptQuery = defineQuery<Receipt | null, [string]>('getReceipt');
export const checkpointQuery = defineQuery<Checkpoint>('checkpoint');
export const pendingApprovalsQuery = defineQuery<PendingApproval[]>('pendingApprovals');

/** Internal: the view for a worker that lacks it. */
export const getViewQuery = defineQuery<ViewPage, [number, number]>('getView');
/** Internal: the frozen context by digest. */
export const getFrozenContextQuery = defineQuery<FrozenContext | null, [string]>('getFrozenContext');

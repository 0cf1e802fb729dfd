// Names and types of every signal, update and query of a session: shared by the workflow and its clients.
// Wire names drop the suffix (steerSignal is "steer"), so that any language can send them.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { ChildUpdate } from '../core/model/child-update.ts';
import type { ViewPage } from '../core/model/activity-contracts.ts';
import type { FrozenContext } from '../core/model/frozen-context.ts';
import type { Budget, DrainMode } from '../core/model/agent-spec.ts';
import type { CheckpointPage } from '../core/checkpoint/checkpoint.ts';
import type { PromptInput } from '../core/model/session-input.ts';
import { internalQueries } from '../core/model/outer-names.ts';
import type { EventPage, QueueName } from '../core/model/events.ts';
import type { Plan } from '../core/model/plan.ts';
import type { ThinkingLevel } from '../core/model/model-call.ts';
import type { ExecutionMode } from '../core/model/tool-spec.ts';
import type {
  AllowanceRef,
  ApprovalAnswer,
  FollowUpMessage,
  NamedAnswer,
  NamedQuestionAnswer,
  PendingApproval,
  PendingQuestion,
  Receipt,
  Snapshot,
  SteerMessage,
} from '../core/model/snapshot.ts';
import type { RunResult } from '../core/model/run-result.ts';

/** The workflow type under which any caller starts a session. */
export const agentSessionType = 'agentSession';

/** By wire name; the rules of each are in core/session/requests.ts. */
export const signals = {
  steer: defineSignal<[SteerMessage]>('steer'),
  followUp: defineSignal<[FollowUpMessage]>('followUp'),
  /** Ends the current run only. */
  abort: defineSignal('abort'),
  /** Repeats the model call after an operator fixed a refused key or a quota. */
  resume: defineSignal('resume'),
  clearQueues: defineSignal('clearQueues'),
  clearSteering: defineSignal('clearSteering'),
  clearFollowUp: defineSignal('clearFollowUp'),
  /** From the next drain point on: how many messages of a queue are taken at once. */
  setQueueMode: defineSignal<[{ queue: QueueName; mode: DrainMode }]>('setQueueMode'),
  /** For senders that need no answer: one that cannot be taken is a warning event. */
  resolveApproval: defineSignal<[NamedAnswer]>('resolveApproval'),
  forgetAllowance: defineSignal<[AllowanceRef]>('forgetAllowance'),
  answerQuestion: defineSignal<[NamedQuestionAnswer]>('answerQuestion'),
  /** When idle, or as soon as it is: the view begins anew and the queues are emptied; settings stay. */
  reset: defineSignal('reset'),
  /** No new prompt; the current run finishes; the session completes. */
  shutdown: defineSignal('shutdown'),
  /** From a subagent to the session that started it. */
  childUpdate: defineSignal<[ChildUpdate]>('childUpdate'),
  // effective with the next run
  setModel: defineSignal<[string]>('setModel'),
  setSystemPrompt: defineSignal<[string]>('setSystemPrompt'),
  setThinkingLevel: defineSignal<[ThinkingLevel]>('setThinkingLevel'),
  setTools: defineSignal<[string[]]>('setTools'),
  setToolExecution: defineSignal<[ExecutionMode]>('setToolExecution'),
};

export const updates = {
  /** Accepted when idle: answers with the run's id and does not wait for the run. */
  prompt: defineUpdate<{ runId: string }, [PromptInput]>('prompt'),
  /** Accepted when idle and there is something to continue: the view, or a message in a queue. */
  continue: defineUpdate<{ runId: string }, [{ continueText?: string }]>('continue'),
  /** Adds to the budget of the work in hand; `continue` continues a run that it ended. Answers with the new budget. */
  extendBudget: defineUpdate<{ budget: Budget }, [Budget]>('extendBudget'),
  /** The id and the answer, or both as one payload, which is all that the Temporal UI sends. */
  resolveApproval: defineUpdate<
    { approved: boolean; allowance?: string },
    [id: string, answer: ApprovalAnswer] | [answer: NamedAnswer]
  >('resolveApproval'),
  /** Takes a remembered approval back; answers with its id. */
  forgetAllowance: defineUpdate<{ forgotten: string }, [AllowanceRef]>('forgetAllowance'),
  /** The parts apart, or as one payload. The text becomes the result of the call of ask_human. */
  answerQuestion: defineUpdate<
    { answered: string },
    [id: string, text: string, actor?: string] | [answer: NamedQuestionAnswer]
  >('answerQuestion'),
  /** Accepted when idle; the event condense_end has the outcome. */
  condense: defineUpdate<{ accepted: true }, []>('condense'),
  cancelQueued: defineUpdate<{ removed: boolean }, [string]>('cancelQueued'),
};

export const snapshotQuery = defineQuery<Snapshot>('snapshot');
/** Events after a sequence number, oldest first; at most `limit` (default 250). */
export const getEventsQuery = defineQuery<EventPage, [number, number?]>('getEvents');
/** Log records after a sequence number, oldest first; a page is at most 1 MiB. */
export const getMessagesQuery = defineQuery<ViewPage, [number, number?]>('getMessages');
export const getResultQuery = defineQuery<RunResult | null, [string?]>('getResult');
export const planQuery = defineQuery<Plan | null>('plan');
export const getReceiptQuery = defineQuery<Receipt | null, [string]>('getReceipt');
export const pendingApprovalsQuery = defineQuery<PendingApproval[]>('pendingApprovals');
export const pendingQuestionsQuery = defineQuery<PendingQuestion[]>('pendingQuestions');

/** Internal: the checkpoint however large it is, without the messages' records, as pages of its JSON text. */
export const getCheckpointPageQuery = defineQuery<CheckpointPage, [number]>(
  internalQueries.getCheckpointPage,
);
/** Internal: the frozen context by digest. */
export const getFrozenContextQuery = defineQuery<FrozenContext | null, [string]>(
  internalQueries.getFrozenContext,
);

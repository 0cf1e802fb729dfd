// Lifecycle events: durable, numbered, derived from state changes. Large data appears as seq or callId; texts are at
// most 2 KiB, those of results 256 bytes. message_update and tool_execution_update are live only:
// packages/vocabulary/src/session-events.ts.
import type { Json } from '@holdfast/base/json';
import type { Failure, RunErrorCode } from '@holdfast/base/failures';
import type { CallOutcome, CallTimes, Usage } from './messages.ts';
import type { PlanStep } from './plan.ts';
import type { PolicyDecision, PolicyTier } from './tool-spec.ts';
import type { Completion, SeqRange, RunCause, RunStatus, Thoughts } from './run-result.ts';

export type SessionState = 'idle' | 'thinking' | 'executing' | 'condensing' | 'aborting' | 'error';
export type QueueName = 'steering' | 'followUp';
/** The cause of a change of the system text or the tool list. */
export type PrefixReason = 'load_tools' | 'refresh' | 'prepareNextTurn';
/** A remembered approval covers the same call, or every call of a tool. */
export type AllowanceScope = 'call' | 'tool';
export type WaitingFor = 'approval' | 'operator' | 'worker' | 'question' | 'prompt';

/** The fields that name a child session in events: in events of its parent, and in its own at the top session. */
export type ChildTags = {
  /** Id of the delegate call in the parent. */
  callId: string;
  /** Name of the agent in the configuration. */
  agent: string;
  /** Instance name, e.g. `log-analyst-pool-1`. */
  name: string;
  /** Id of the child's session. */
  childId: string;
  /** Shown before its lines when several sessions are shown together. */
  prefix: string;
  /** Instance name of the session that delegates; empty at the top. */
  parent: string;
  /** 1 for a child of the top session. */
  depth: number;
  /** The task, at most 200 characters. */
  task: string;
};

/** The fields that name the call of an event. */
export type EventOfCall = {
  /** Id of the call. */
  callId: string;
  /** Name of the called tool. */
  tool: string;
};

/** Author of a message. */
export type MessageRole = 'user' | 'assistant' | 'tool_result' | 'custom';

export type AgentEventBody =
  | {
      /** The session has begun. */
      type: 'session_start';
    }
  | {
      /** A run has begun. */
      type: 'agent_start';
    }
  | {
      /** A run has ended. */
      type: 'agent_end';
      /** The way the run ended. */
      status: RunStatus;
      /** The cause of the end, if the status alone does not tell it. */
      cause?: RunCause;
      /** The output limit has cut the answer. */
      answerCut?: true;
      /** The range of messages that the run added to the log. */
      newMessages: SeqRange;
      /** Tokens of all purposes together. */
      usage: Usage;
      /** Cost of the run in USD. */
      costUsd: number;
      /** The main model has no known price: ignore `costUsd`. */
      costUnknown?: true;
      /** The newest 2 KiB of the run's thoughts. */
      thoughts: Thoughts;
      /** The failure that ended the run. */
      error?: Failure;
      /** The part of the run that failed. */
      errorCode?: RunErrorCode;
    }
  | {
      /** A turn has begun: one request to the model and the calls of its reply. */
      type: 'turn_start';
    }
  | {
      /** A turn has ended. */
      type: 'turn_end';
      /** Place of its reply in the log; absent without a reply. */
      messageSeq?: number;
      /** Places of the results of its calls, in the model's order. */
      toolResultSeqs: number[];
    }
  | {
      /** A message enters the log; a reply begins to stream. */
      type: 'message_start';
      /** Author of the message. */
      role: MessageRole;
      /** Its place in the log; for a reply, the place once it is whole. */
      messageSeq: number;
    }
  | {
      /** A message is whole. */
      type: 'message_end';
      /** Author of the message. */
      role: MessageRole;
      /** Its place in the log. */
      messageSeq: number;
      /** Its text, at most 2 KiB; empty for a result. */
      text: string;
    }
  | ({
      /** A tool call begins. */
      type: 'tool_execution_start';
      /** The arguments as the model wrote them; at most 2 KiB. */
      rawArgs: string;
      /** The arguments that run, if preparation has changed them. */
      args?: Json;
      /** One line for people, e.g. `grep pool shop.log`. */
      summary?: string;
    } & EventOfCall)
  | ({
      /** A tool call has its result. */
      type: 'tool_execution_end';
      /** True if the model reads the result as a failure. */
      isError: boolean;
      /** Beginning of the result, at most 256 bytes. */
      text: string;
      /** Size of the whole result, if it has more than one line. */
      size?: {
        /** Number of its lines. */
        lines: number;
        /** Number of bytes in UTF-8. */
        bytes: number;
      };
      /** Data for people and programs, never sent to the model. */
      details?: Json;
      /** Outcome of a call that may change something, or that was refused. */
      outcome?: CallOutcome;
      /** The reason for an outcome other than `done`, on one line; for a command, its exit code and last line. */
      why?: string;
      /** Start and duration of the call, and its wait before. */
      ran?: CallTimes;
    } & EventOfCall)
  | {
      /** The state of the session has changed. */
      type: 'state_changed';
      /** State before the change. */
      from: SessionState;
      /** State after the change. */
      to: SessionState;
    }
  | {
      /** Messages were put into a queue, or have left it. */
      type: 'queue_update';
      /** Name of the queue. */
      queue: QueueName;
      /** The change of the messages. */
      action: 'enqueued' | 'delivered' | 'cancelled' | 'cleared';
      /** Ids of the messages. */
      ids: string[];
    }
  | ({
      /** A call waits for a person. */
      type: 'approval_requested';
      /** One line for people. */
      summary: string;
      /** The arguments in the form of PendingApproval, at most 2 KiB. */
      args: string;
      /** `args` was cut: the query pendingApprovals has it whole. */
      argsCut?: true;
      /** Sent back with an answer, it binds the answer to these arguments. */
      argsDigest?: string;
      /** The reason for asking. */
      reason?: string;
      /** As in PendingApproval; at most 2 KiB. */
      preview?: string;
      /** Workflow time (ms) at which the wait ends, at the latest with the run. */
      deadline: number;
    } & EventOfCall)
  | ({
      /** A tier of the policy beside its static rules has judged a call. */
      type: 'policy_decision';
      /** Verdict of the tier. */
      decision: PolicyDecision;
      /** Tier that made the verdict. */
      tier: PolicyTier;
      /** Reason for the verdict. */
      reason?: string;
    } & EventOfCall)
  | {
      /** A call that waited has its answer. */
      type: 'approval_resolved';
      /** Id of the call. */
      callId: string;
      /** True if the call runs. */
      approved: boolean;
      /** Name of the person who answered, `timer`, or a stop. */
      actor: string;
      /** The reason given with the answer. */
      reason?: string;
      /** Id of the allowance that answered by itself or, with `remember`, of the one that this answer creates. */
      allowance?: string;
      /** Scope in which the approval is remembered. */
      remember?: AllowanceScope;
    }
  | {
      /** A remembered approval was taken back. */
      type: 'allowance_forgotten';
      /** Id of the allowance. */
      allowance: string;
      /** The tool that it covered. */
      tool: string;
      /** The person who took it back. */
      actor: string;
    }
  | {
      /** The agent asks a person (tool ask_human). */
      type: 'question_asked';
      /** Id of the call. */
      callId: string;
      /** The question, at most 2 KiB. */
      question: string;
      /** Suggested answers; any other text is accepted, too. */
      options?: string[];
      /** Workflow time (ms) at which the agent is told that there is no answer. */
      deadline: number;
    }
  | {
      /** A question is closed. */
      type: 'question_answered';
      /** Id of the call. */
      callId: string;
      /** The person who answered; without a text, the timer or a stop. */
      actor: string;
      /** The answer, at most 2 KiB. Absent without an answer. */
      text?: string;
    }
  | {
      /** An approval or a question has waited for the agent's approvals.escalateAfterMs. */
      type: 'wait_escalated';
      /** Id of the call. */
      callId: string;
      /** Kind of the wait. */
      waitsFor: 'approval' | 'question';
      /** One line for people. */
      summary: string;
      /** Start of the wait: workflow time in ms. */
      requestedAt: number;
      /** End of the wait without an answer: workflow time in ms. */
      deadline: number;
    }
  | ({
      /** A child session begins its run. */
      type: 'subagent_start';
    } & ChildTags)
  | ({
      /** A child session has ended, or could not run. */
      type: 'subagent_end';
      /** The way its run ended. */
      status: RunStatus;
      /** The child's own verdict on its task; its run has completed even if this says `failed`. */
      completion?: Completion['status'];
      /** The result of its task is an error. */
      isError: boolean;
      /** Cost of the child in USD. */
      costUsd: number;
      /** The model has no known price: ignore `costUsd`. */
      costUnknown?: true;
    } & ChildTags)
  | {
      /** The older part of the view is being folded into a summary. */
      type: 'condense_start';
      /** Reason for the condense. */
      reason: string;
    }
  | {
      /** The context window is nearly full, and no condense is left. */
      type: 'context_warning';
      /** Warning in words for people. */
      message: string;
    }
  | {
      /** Facts were added to the notes before a condense. */
      type: 'memory_flush';
      /** Number of the facts. */
      facts: number;
    }
  | {
      /** A condense has ended. */
      type: 'condense_end';
      /** Estimated tokens of the view before it. */
      tokensBefore: number;
      /** Estimated tokens of the view after it. */
      tokensAfter: number;
      /** Number of messages kept unchanged. */
      kept: number;
    }
  | {
      /** System text or tool list differ from those of the request before. */
      type: 'prefix_changed';
      /** Digest of the prefix before. */
      from: string;
      /** Digest of the prefix now. */
      to: string;
      /** Cause of the change. */
      reason: PrefixReason;
    }
  | {
      /** The plan was set, or one of its steps was marked. */
      type: 'plan_update';
      /** Number of steps that are done. */
      done: number;
      /** Number of all steps. */
      total: number;
      /** The step that was marked. */
      step?: Pick<PlanStep, 'id' | 'text' | 'status' | 'note'>;
      /** The plan in words, at most 2 KiB. */
      text: string;
    }
  | {
      /** A hypothesis was written, or has got a prediction or a test. */
      type: 'hypotheses_update';
      /** Number of hypotheses so far. */
      hypotheses: number;
      /** Number of all predictions. */
      predictions: number;
      /** Number of predictions that a call is said to have answered. */
      tested: number;
      /** The hypotheses in words, at most 2 KiB. */
      text: string;
    }
  | {
      /** A checkpoint was stored. */
      type: 'checkpoint_saved';
      /** Its name in the artifact store. */
      artifactId: string;
    }
  | {
      /** Something is wrong; the run continues. */
      type: 'warning';
      /** Code for the kind of warning. */
      code: string;
      /** Warning in words for people. */
      message: string;
    };

/** A numbered lifecycle event of a session. */
export type AgentEvent = {
  /** Counts from 1, through continue-as-new. */
  seq: number;
  /** Workflow time in ms since the epoch. */
  at: number;
  /** Id of the run of the event. */
  runId?: string;
  /** Turn of the event, from 1. */
  turn?: number;
} & AgentEventBody;

/** Answer of query getEvents. */
export type EventPage = {
  /** Events of the page, oldest first. */
  events: AgentEvent[];
  /** Sequence number of the oldest event still kept. */
  firstSeq: number;
  /** Sequence number of the newest event. */
  lastSeq: number;
  /** Some of the requested events are gone, because they are before `firstSeq`: resync from the snapshot. */
  truncated: boolean;
};

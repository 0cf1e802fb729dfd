// Lifecycle events: durable, numbered, derived from state changes. Large things appear as seq or callId;
// text is at most 2 KiB. message_update and tool_execution_update are live only: core/model/session-events.ts.
import type { Json } from '../base/json.ts';
import type { Failure, RunErrorCode } from '../base/failures.ts';
import type { Usage } from './messages.ts';
import type { PlanStep } from './plan.ts';
import type { PolicyDecision, PolicyTier } from './tool-spec.ts';
import type { Completion, MessageRange, RunCause, RunStatus, Thoughts } from './run-result.ts';

export type SessionState = 'idle' | 'thinking' | 'executing' | 'condensing' | 'aborting' | 'error';
export type QueueName = 'steering' | 'followUp';
/** What changed the system text or the tool list. */
export type PrefixReason = 'load_tools' | 'refresh' | 'prepareNextTurn';
/** A remembered approval is for the same call, or for every call of a tool. */
export type AllowanceScope = 'call' | 'tool';
export type WaitingFor = 'approval' | 'operator' | 'worker' | 'question' | 'prompt';

/** What names a child session in events: those that its parent raises, and its own at the top session. */
export type ChildTags = {
  /** Of the delegate call in the parent. */
  callId: string;
  /** The name in the configuration. */
  agent: string;
  /** The instance name, e.g. `log-analyst-pool-1`. */
  name: string;
  /** Id of the child's session. */
  childId: string;
  prefix: string;
  /** Instance name of the session that delegates; empty at the top. */
  parent: string;
  /** 1 for a child of the top session. */
  depth: number;
  /** At most 200 characters. */
  task: string;
};

export type AgentEventBody =
  | { type: 'session_start' }
  | { type: 'agent_start' }
  | {
      type: 'agent_end';
      status: RunStatus;
      cause?: RunCause;
      newMessages: MessageRange;
      usage: Usage;
      costUsd: number;
      /** The newest 2 KiB of them. */
      thoughts: Thoughts;
      error?: Failure;
      errorCode?: RunErrorCode;
    }
  | { type: 'turn_start' }
  | { type: 'turn_end'; messageSeq?: number; toolResultSeqs: number[] }
  /** `messageSeq` of a reply: its place in the log once it is whole. */
  | { type: 'message_start'; role: 'user' | 'assistant' | 'tool_result' | 'custom'; messageSeq: number }
  | {
      type: 'message_end';
      role: 'user' | 'assistant' | 'tool_result' | 'custom';
      messageSeq: number;
      text: string;
    }
  | {
      type: 'tool_execution_start';
      callId: string;
      tool: string;
      rawArgs: string;
      args?: Json;
      summary?: string;
    }
  | {
      type: 'tool_execution_end';
      callId: string;
      tool: string;
      isError: boolean;
      text: string;
      details?: Json;
    }
  | { type: 'state_changed'; from: SessionState; to: SessionState }
  | {
      type: 'queue_update';
      queue: QueueName;
      action: 'enqueued' | 'delivered' | 'cancelled' | 'cleared';
      ids: string[];
    }
  | {
      type: 'approval_requested';
      callId: string;
      tool: string;
      summary: string;
      /** What would run, as PendingApproval shows it; at most 2 KiB. */
      args: string;
      /** There is more of `args`: the query pendingApprovals has it whole. */
      argsCut?: true;
      argsDigest?: string;
      reason?: string;
      /** As in PendingApproval; at most 2 KiB. */
      preview?: string;
      deadline: number;
    }
  /** Of a tier beside the static rules. */
  | {
      type: 'policy_decision';
      callId: string;
      tool: string;
      decision: PolicyDecision;
      tier: PolicyTier;
      reason?: string;
    }
  /** `allowance`: one that answered the call by itself or, with `remember`, one that this answer gives. */
  | {
      type: 'approval_resolved';
      callId: string;
      approved: boolean;
      actor: string;
      reason?: string;
      allowance?: string;
      remember?: AllowanceScope;
    }
  | { type: 'allowance_forgotten'; allowance: string; tool: string; actor: string }
  /** `question` has at most 2 KiB. */
  | { type: 'question_asked'; callId: string; question: string; options?: string[]; deadline: number }
  /** `text` has at most 2 KiB. Without one nobody answered: `actor` is the timer or a stop. */
  | { type: 'question_answered'; callId: string; actor: string; text?: string }
  /** An approval or a question has waited for the agent's escalateAfterMs. */
  | {
      type: 'wait_escalated';
      callId: string;
      waitsFor: 'approval' | 'question';
      summary: string;
      requestedAt: number;
      deadline: number;
    }
  /** A child session begins its run. */
  | ({ type: 'subagent_start' } & ChildTags)
  /** It has ended, or could not run. `isError`: its task has an error in place of a result. */
  | ({
      type: 'subagent_end';
      status: RunStatus;
      /** What it said of its task; a run that says `failed` has completed. */
      completion?: Completion['status'];
      isError: boolean;
      costUsd: number;
    } & ChildTags)
  | { type: 'condense_start'; reason: string }
  | { type: 'context_warning'; message: string }
  /** Before a condense so many facts were added to the notes. */
  | { type: 'memory_flush'; facts: number }
  | { type: 'condense_end'; tokensBefore: number; tokensAfter: number; kept: number }
  /** System text or tool list differ from those of the request before; `from` and `to` are their digests. */
  | { type: 'prefix_changed'; from: string; to: string; reason: PrefixReason }
  /** The plan was set, or one of its steps marked; `text`: the plan in words, at most 2 KiB. */
  | {
      type: 'plan_update';
      done: number;
      total: number;
      step?: Pick<PlanStep, 'id' | 'text' | 'status' | 'note'>;
      text: string;
    }
  | { type: 'checkpoint_saved'; artifactId: string }
  | { type: 'warning'; code: string; message: string };

/** `seq` counts from 1, over continue-as-new too; `at` is workflow time in ms since the epoch. */
export type AgentEvent = { seq: number; at: number; runId?: string; turn?: number } & AgentEventBody;

/** Answer of query getEvents. Truncated: events before `firstSeq` are gone; resync from the snapshot. */
export type EventPage = { events: AgentEvent[]; firstSeq: number; lastSeq: number; truncated: boolean };

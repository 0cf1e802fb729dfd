// Lifecycle events: durable, numbered, derived from state changes. Large things appear as seq or callId;
// text is at most 2 KiB. message_update and tool_execution_update are live only: core/model/session-events.ts.
import type { Json } from '../base/json.ts';
import type { Failure, RunErrorCode } from '../base/failures.ts';
import type { CallOutcome, CallTimes, Usage } from './messages.ts';
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
  /** Before its lines where several sessions are shown together. */
  prefix: string;
  /** Instance name of the session that delegates; empty at the top. */
  parent: string;
  /** 1 for a child of the top session. */
  depth: number;
  /** At most 200 characters. */
  task: string;
};

/** What an event of a call names. */
export type EventOfCall = {
  /** Id of the call. */
  callId: string;
  /** Name of its tool. */
  tool: string;
};

/** Whose message it is. */
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
      /** How it ended. */
      status: RunStatus;
      /** What ended it, where the status alone does not say so. */
      cause?: RunCause;
      /** What it added to the log. */
      newMessages: MessageRange;
      /** Tokens of all purposes together. */
      usage: Usage;
      /** What it cost, in USD. */
      costUsd: number;
      /** No price of the main model is known: `costUsd` says nothing. */
      costUnknown?: true;
      /** The newest 2 KiB of them. */
      thoughts: Thoughts;
      /** Why it failed. */
      error?: Failure;
      /** The part of it that failed. */
      errorCode?: RunErrorCode;
    }
  | {
      /** A turn has begun: one request to the model and the calls of its reply. */
      type: 'turn_start';
    }
  | {
      /** A turn has ended. */
      type: 'turn_end';
      /** Place of its reply in the log; absent where there was none. */
      messageSeq?: number;
      /** Places of the results of its calls, in the model's order. */
      toolResultSeqs: number[];
    }
  | {
      /** A message enters the log; a reply begins to stream. */
      type: 'message_start';
      /** Whose message it is. */
      role: MessageRole;
      /** Its place in the log; of a reply once it is whole. */
      messageSeq: number;
    }
  | {
      /** A message is whole. */
      type: 'message_end';
      /** Whose message it is. */
      role: MessageRole;
      /** Its place in the log. */
      messageSeq: number;
      /** At most 2 KiB of its text. */
      text: string;
    }
  | ({
      /** A call begins. */
      type: 'tool_execution_start';
      /** The arguments as the model wrote them; at most 2 KiB. */
      rawArgs: string;
      /** The arguments that run, where preparation has changed them. */
      args?: Json;
      /** One line for people, e.g. `grep pool shop.log`. */
      summary?: string;
    } & EventOfCall)
  | ({
      /** A call has its result. */
      type: 'tool_execution_end';
      /** Whether the model reads it as a failure. */
      isError: boolean;
      /** At most 2 KiB of the result. */
      text: string;
      /** Of the whole result, where it has more than one line. */
      size?: {
        /** Its lines. */
        lines: number;
        /** Its bytes in UTF-8. */
        bytes: number;
      };
      /** For people and programs, never sent to the model. */
      details?: Json;
      /** Of a call that may change something, or that was refused. */
      outcome?: CallOutcome;
      /** Of an outcome that is not `done`: one line, of a command its exit code and the last line that it printed. */
      why?: string;
      /** When it ran, and how long it had waited before. */
      ran?: CallTimes;
    } & EventOfCall)
  | {
      /** The session does something else. */
      type: 'state_changed';
      /** What it did. */
      from: SessionState;
      /** What it does now. */
      to: SessionState;
    }
  | {
      /** Messages were put into a queue, or have left it. */
      type: 'queue_update';
      /** Which queue. */
      queue: QueueName;
      /** What became of them. */
      action: 'enqueued' | 'delivered' | 'cancelled' | 'cleared';
      /** Ids of the messages. */
      ids: string[];
    }
  | ({
      /** A call waits for a person. */
      type: 'approval_requested';
      /** One line for people. */
      summary: string;
      /** What would run, as PendingApproval shows it; at most 2 KiB. */
      args: string;
      /** There is more of `args`: the query pendingApprovals has it whole. */
      argsCut?: true;
      /** Given back with an answer, it binds the answer to these arguments. */
      argsDigest?: string;
      /** Why it is asked about. */
      reason?: string;
      /** As in PendingApproval; at most 2 KiB. */
      preview?: string;
      /** Workflow time (ms) at which silence denies it. */
      deadline: number;
    } & EventOfCall)
  | ({
      /** A tier of the policy beside its static rules has judged a call. */
      type: 'policy_decision';
      /** Its verdict. */
      decision: PolicyDecision;
      /** Who judged. */
      tier: PolicyTier;
      /** Why. */
      reason?: string;
    } & EventOfCall)
  | {
      /** A call that waited has its answer. */
      type: 'approval_resolved';
      /** Id of the call. */
      callId: string;
      /** Whether it runs. */
      approved: boolean;
      /** Who answered: a person, `timer`, or a stop. */
      actor: string;
      /** Why, in the words of the answer. */
      reason?: string;
      /** One that answered the call by itself or, with `remember`, one that this answer gives. */
      allowance?: string;
      /** What the approval is remembered for. */
      remember?: AllowanceScope;
    }
  | {
      /** A remembered approval was taken back. */
      type: 'allowance_forgotten';
      /** Its id. */
      allowance: string;
      /** The tool that it was for. */
      tool: string;
      /** Who took it back. */
      actor: string;
    }
  | {
      /** The agent asks a person (tool ask_human). */
      type: 'question_asked';
      /** Id of the call. */
      callId: string;
      /** At most 2 KiB. */
      question: string;
      /** Answers to choose from; another one is as good. */
      options?: string[];
      /** Workflow time (ms) at which the agent reads that nobody answered. */
      deadline: number;
    }
  | {
      /** A question is closed. */
      type: 'question_answered';
      /** Id of the call. */
      callId: string;
      /** Who answered; without a text the timer or a stop. */
      actor: string;
      /** At most 2 KiB. Absent: nobody answered. */
      text?: string;
    }
  | {
      /** An approval or a question has waited for the agent's escalateAfterMs. */
      type: 'wait_escalated';
      /** Id of the call. */
      callId: string;
      /** What it waits for. */
      waitsFor: 'approval' | 'question';
      /** One line for people. */
      summary: string;
      /** Since when it waits: workflow time in ms. */
      requestedAt: number;
      /** When the wait ends by itself: workflow time in ms. */
      deadline: number;
    }
  | ({
      /** A child session begins its run. */
      type: 'subagent_start';
    } & ChildTags)
  | ({
      /** A child session has ended, or could not run. */
      type: 'subagent_end';
      /** How its run ended. */
      status: RunStatus;
      /** What it said of its task; a run that says `failed` has completed. */
      completion?: Completion['status'];
      /** Its task has an error in place of a result. */
      isError: boolean;
      /** What it cost, in USD. */
      costUsd: number;
      /** No price of its model is known: `costUsd` says nothing. */
      costUnknown?: true;
    } & ChildTags)
  | {
      /** The older part of the view is being folded into a summary. */
      type: 'condense_start';
      /** Why. */
      reason: string;
    }
  | {
      /** The context window is nearly full, and no condense is left. */
      type: 'context_warning';
      /** For people. */
      message: string;
    }
  | {
      /** Before a condense facts were added to the notes. */
      type: 'memory_flush';
      /** How many. */
      facts: number;
    }
  | {
      /** A condense has ended. */
      type: 'condense_end';
      /** Estimated tokens of the view before it. */
      tokensBefore: number;
      /** Estimated tokens of the view after it. */
      tokensAfter: number;
      /** Messages that stayed as they were. */
      kept: number;
    }
  | {
      /** System text or tool list differ from those of the request before. */
      type: 'prefix_changed';
      /** Digest of the prefix before. */
      from: string;
      /** Digest of the prefix now. */
      to: string;
      /** What changed it. */
      reason: PrefixReason;
    }
  | {
      /** The plan was set, or one of its steps marked. */
      type: 'plan_update';
      /** Steps that are done. */
      done: number;
      /** Steps altogether. */
      total: number;
      /** The step that was marked. */
      step?: Pick<PlanStep, 'id' | 'text' | 'status' | 'note'>;
      /** The plan in words, at most 2 KiB. */
      text: string;
    }
  | {
      /** A checkpoint was stored. */
      type: 'checkpoint_saved';
      /** Its name in the artifact store. */
      artifactId: string;
    }
  | {
      /** Something is not as it was meant to be; the run continues. */
      type: 'warning';
      /** Names the kind of it. */
      code: string;
      /** For people. */
      message: string;
    };

/** A lifecycle event. */
export type AgentEvent = {
  /** Counts from 1, over continue-as-new too. */
  seq: number;
  /** Workflow time in ms since the epoch. */
  at: number;
  /** The run that it belongs to. */
  runId?: string;
  /** The turn that it belongs to, from 1. */
  turn?: number;
} & AgentEventBody;

/** Answer of query getEvents. */
export type EventPage = {
  /** Oldest first. */
  events: AgentEvent[];
  /** Sequence number of the oldest event that the session still has. */
  firstSeq: number;
  /** Sequence number of the newest event. */
  lastSeq: number;
  /** Events before `firstSeq` are gone, and some of them were asked for: resync from the snapshot. */
  truncated: boolean;
};

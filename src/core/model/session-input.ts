// The start input of an agent session, as any language sends it. Its zod schema is in
// core/session/session-input.schema.ts, because the workflow bundle must not build schemas.
import type { AgentSpec, Budget } from './agent-spec.ts';
import type { AgentMode, NarrowingRule } from './tool-spec.ts';
import type { Message, LogRecord } from './messages.ts';
import type { RunResult } from './run-result.ts';
import type { Segment } from './frozen-context.ts';
import type { AgentState } from './agent-state.ts';

/** A prompt as a caller may write it: text, one message, or several. */
export type PromptInput = string | Message | Message[];

/** Inline, from the store of the worker, or (for large ones) as an artifact of the new session itself. */
export type CheckpointInput = 'saved' | Checkpoint | StoredCheckpoint;

/** One that is an artifact of the new session. */
export type StoredCheckpoint = {
  /** Its name in the artifact store. */
  artifactId: string;
  /** Hex digits over its bytes. */
  sha256: string;
};

/** Of a session that another one has started with `delegate`. */
export type ParentLink = {
  /** Id of the session that delegates. */
  sessionId: string;
  /** The instance name of this one, e.g. `log-analyst-pool-1`. */
  name: string;
  /** 1 for a child of a session without a parent. */
  depth: number;
  /** Instance name of the session that delegates; empty at the top. */
  parent: string;
  /** The call, for events. */
  callId: string;
  /** What the parent may do and has left: the child gets no more, whatever its own configuration says. */
  within: {
    /** How much it may do without asking. */
    mode: AgentMode;
    /** What is left to spend. */
    budget: Budget;
    /** What is left of the deadline, in ms. */
    deadlineMs?: number;
    /** What the start of the top has taken away. */
    policy?: NarrowingRule[];
  };
  /** Of a child that takes over what a former one has begun: names the work, as `taskId` does. */
  taskId?: string;
};

/** A workflow that gets a signal with what waits for people in a session (ChildUpdate). */
export type NotifyTarget = {
  /** In the namespace of the session. */
  workflowId: string;
  /** Name of the signal; its payload is that of childUpdate. */
  signal: string;
};

export type SessionInput = Partial<Omit<AgentSpec, 'description' | 'policy'>> & {
  /** Set by `delegate` only. */
  parent?: ParentLink;
  /** Name of a registered agent spec; default `investigator`. */
  agent?: string;
  /** Required unless keepAlive. */
  prompt?: PromptInput;
  /** Seeds the log before the prompt; raises no events. */
  messages?: Message[];
  /** Replaces the whole assembled system prompt. */
  systemPrompt?: string;
  /** Beside the rules of the workers' configuration, for every run; subagents have them too. */
  policy?: NarrowingRule[];
  /** No run continues after this moment, in ms since the epoch; `deadlineMs` is counted from the start of a run. */
  deadlineAt?: number;
  /** Gets a signal whenever something else waits for people. */
  notify?: NotifyTarget;
  /** Stay after a run, and wait for prompts. */
  keepAlive?: boolean;
  /** Closes an idle keepAlive session. Absent: it waits without limit. */
  idleTimeoutMs?: number;
  /**
   * Fails the workflow (type RunFailed, with the result in its details) when the run failed. Default: true for sessions that the
   * client starts, false for all others.
   */
  throwOnFailure?: boolean;
  /** Names the work over sessions: its checkpoint is stored as `<taskId>.json`. Default: the session's id. */
  taskId?: string;
  /** Continue from it. `saved`: from what is stored for taskId, and afresh where nothing is. */
  checkpoint?: CheckpointInput;
  /** Also from a checkpoint whose run failed. */
  resumeFailed?: boolean;
  /** A name for people, in lists and in the Temporal UI. */
  name?: string;
  /** For the caller; kept in the snapshot. */
  labels?: Record<string, string>;
  /** Tests force a hand-over after so many turns; absent: the limits of the workflow. */
  continueAsNewAfterTurns?: number;
  /** Set by continue-as-new only: the state of the session so far. */
  carried?: object;
};

/** Of the document; the state in it has a version of its own. */
export const checkpointVersion = 1;

export type CheckpointStatus = 'in_progress' | 'completed' | 'failed';

export type Checkpoint = {
  version: typeof checkpointVersion;
  /** `<session>/<last seq>` */
  id: string;
  created_at: string;
  /** The model call that is due: i while the call of iteration i is due or failed, i + 1 after it finished. */
  iteration: number;
  messages: CheckpointMessages;
  task_id: string;
  status: CheckpointStatus;
  /**
   * The state itself. Absent in an answer of the query checkpoint that would be over 1 MiB; an export always has it.
   * @internal
   */
  session?: CheckpointSession;
  /** Of the last run that ended, where none is in progress. */
  result?: RunResult;
};

export type CheckpointMessages = {
  /** Stored stretches, in the store of the session that wrote this. */
  segments: Segment[];
  /** What the records, or getMessages, hold beyond the segments. */
  fromSeq: number;
  /** The last place. */
  toSeq: number;
  /** Inline below 64 KiB; in an export always, and from 1 on. */
  records?: LogRecord[];
};

export type CheckpointSession = {
  /** Without log records and without the last result: they are beside it. */
  state: AgentState;
  /** What the agent of the session was started with; what is about the session itself is left out. */
  input: SessionInput;
};

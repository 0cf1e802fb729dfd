// The start input of an agent session, as any language sends it. Its zod schema is in
// core/session/session-input.schema.ts, because the workflow bundle must not build schemas.
import type { AgentSpec, Budget } from './agent-spec.ts';
import type { Deliver } from './deliver.ts';
import type { SessionAlert } from './session-alert.ts';
import type { TimeWindow } from './time-window.ts';
import type { AgentMode, NarrowingRule } from './tool-spec.ts';
import type { Message, LogRecord } from './messages.ts';
import type { RunResult } from './run-result.ts';
import type { Segment } from './frozen-context.ts';
import type { AgentState } from './agent-state.ts';

/** A prompt as a caller may write it: text, one message, or several. */
export type PromptInput = string | Message | Message[];

/** An inline checkpoint, `saved` for one in the worker's store, or an artifact of the new session (for large ones). */
export type CheckpointInput = 'saved' | Checkpoint | StoredCheckpoint;

/** A checkpoint that is an artifact of the new session. */
export type StoredCheckpoint = {
  /** Its name in the artifact store. */
  artifactId: string;
  /** SHA-256 of its bytes as hex digits. */
  sha256: string;
};

/** The link from a child session to the session that started it with `delegate`. */
export type ParentLink = {
  /** Id of the session that delegates. */
  sessionId: string;
  /** Instance name of this session, e.g. `log-analyst-pool-1`. */
  name: string;
  /** 1 for a child of a session without a parent. */
  depth: number;
  /** Instance name of the session that delegates; empty at the top. */
  parent: string;
  /** Id of the delegate call, for events. */
  callId: string;
  /** Limits from the parent: the child gets no more, whatever its own configuration says. */
  within: {
    /** The mode of the parent. */
    mode: AgentMode;
    /** The child's share of the parent's budget. */
    budget: Budget;
    /** Time until the parent's deadline, in ms. */
    deadlineMs?: number;
    /** Rules added by the start input of the top session. */
    policy?: NarrowingRule[];
    /** Names of the agents that have delegated, from the top: their rules bind the child. */
    agents?: string[];
    /** Those of them whose mode in the configuration holds for the child. */
    modeOf?: string[];
  };
  /** Names the work of a child that takes over an earlier child's work, like `taskId`. */
  taskId?: string;
};

/** A workflow that gets a signal when a session's approvals, questions or operator waits change (ChildUpdate). */
export type NotifyTarget = {
  /** Id of a workflow in the namespace of the session. */
  workflowId: string;
  /** Name of the signal; its payload is that of childUpdate. */
  signal: string;
};

export type SessionInput = Partial<Omit<AgentSpec, 'description' | 'policy'>> & {
  /** Set by `delegate` only. */
  parent?: ParentLink;
  /** Name of a registered agent spec; default `investigator`. */
  agent?: string;
  /** Required unless keepAlive is true. */
  prompt?: PromptInput;
  /** Seeds the log before the prompt; raises no events. */
  messages?: Message[];
  /** Replaces the whole assembled system prompt. */
  systemPrompt?: string;
  /** Rules in addition to those of the workers' configuration, for every run and for subagents. */
  policy?: NarrowingRule[];
  /** Latest end of any run, in ms since the epoch; `loop.deadlineMs` is counted from the start of a run. */
  deadlineAt?: number;
  /** Gets a signal whenever the session's waits for people change. */
  notify?: NotifyTarget;
  /** Destinations of the workers' configuration that get its questions and its report (docs/delivery.md). */
  deliver?: Deliver[];
  /**
   * A completed run counts as failed if its agent has handed in no report: its cause is then `no_report`, and
   * throwOnFailure fails the workflow. In a session with keepAlive its last run counts.
   */
  needsReport?: boolean;
  /** The time that the task is about: reads of logs, metrics and changes begin there unless the model says otherwise. */
  window?: TimeWindow;
  /** The alert that the task is about, for the messages of `deliver`. */
  alert?: SessionAlert;
  /** Keeps the session after a run, to wait for prompts. */
  keepAlive?: boolean;
  /** Closes an idle keepAlive session. Absent: it waits without limit. */
  idleTimeoutMs?: number;
  /**
   * Fails the workflow (type RunFailed, with the result in its details) if the run failed, also for want of a report
   * (needsReport). Default: true for sessions
   * that the client starts, false for all others.
   */
  throwOnFailure?: boolean;
  /** Names the work across sessions: its checkpoint is stored as `<taskId>.json`. Default: the session's id. */
  taskId?: string;
  /** Continues from this checkpoint. `saved`: from the one stored for taskId; without one the session starts afresh. */
  checkpoint?: CheckpointInput;
  /** Continues even from a checkpoint whose run failed. */
  resumeFailed?: boolean;
  /** A name for people, in lists and in the Temporal UI. */
  name?: string;
  /** Labels of the caller; kept in the snapshot. */
  labels?: Record<string, string>;
  /** Forces a hand-over after this many turns, for tests; absent: the limits of the workflow. */
  continueAsNewAfterTurns?: number;
  /** Set by continue-as-new only: the state of the session so far. */
  carried?: object;
};

/** The agent of a start that names none. */
export const defaultAgent = 'investigator';

/** Version of the document; the state in it has its own version. */
export const checkpointVersion = 1;

export type CheckpointStatus = 'in_progress' | 'completed' | 'failed';

export type Checkpoint = {
  version: typeof checkpointVersion;
  /** Such as `<session>/<last seq>`. */
  id: string;
  created_at: string;
  /** The next model call: i while the call of iteration i is due or failed, i + 1 after it finished. */
  iteration: number;
  messages: CheckpointMessages;
  task_id: string;
  status: CheckpointStatus;
  /**
   * The state itself. Absent in an answer of the query checkpoint that would be over 1 MiB; an export always has it.
   * @internal
   */
  session?: CheckpointSession;
  /** Result of the last run, if none is in progress. */
  result?: RunResult;
};

export type CheckpointMessages = {
  /** Stored stretches, in the store of the session that wrote the checkpoint. */
  segments: Segment[];
  /** First place after the segments; the records, or getMessages, have the messages from here on. */
  fromSeq: number;
  /** Place of the last message. */
  toSeq: number;
  /** The messages, inline if below 64 KiB; an export always has all of them from 1 on. */
  records?: LogRecord[];
};

export type CheckpointSession = {
  /** Without log records and the last result, which the checkpoint has elsewhere. */
  state: AgentState;
  /** The start input's fields about the agent, without those about the session itself. */
  input: SessionInput;
};

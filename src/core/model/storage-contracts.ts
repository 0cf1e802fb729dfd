// Inputs and outputs of the activities that keep a session outside its history (activities/storage).
import type { AgentState, RunEnd } from './agent-state.ts';
import type { ReportRef, RunStatus } from './run-result.ts';
import type { CheckpointInput, ParentLink, SessionInput } from './session-input.ts';

export type ArchiveSegmentInput = { sessionId: string; fromSeq: number; toSeq: number };

/**
 * Read at the end of a run that was handed over: its log, and the part of it that the result has. `ending` is the answer where
 * the last reply says nothing.
 */
export type ReadOutputInput = {
  sessionId: string;
  fromSeq: number;
  toSeq: number;
  status: RunStatus;
  ending?: string;
};

/** What outlives the history is written at the end of every run; the activity reads it from its own workflow. */
export type SaveResultInput = { sessionId: string; runId: string; toSeq: number };
/** Names of the result and of the checkpoint. */
export type SavedResult = { artifactId: string; checkpoint: string };

/** Writes the checkpoint; the activity reads it from its own workflow. */
export type SaveCheckpointInput = { sessionId: string };
/** Name of what was stored under the task's id. */
export type SavedCheckpoint = { artifactId: string };

/** `report` names what the tool report has stored; without it one is made. `fromSeq` to `toSeq` is the run. */
export type CompleteReportInput = {
  sessionId: string;
  runId: string;
  fromSeq: number;
  toSeq: number;
  end: RunEnd;
  endedAt: number;
  report?: ReportRef;
};

export type LoadCheckpointInput = {
  sessionId: string;
  taskId: string;
  checkpoint: CheckpointInput;
  hasPrompt: boolean;
  keepAlive: boolean;
  resumeFailed: boolean;
  /** What the new session's own start input says of the agent. */
  input: SessionInput;
  /** Of the session that has started the new one: its limits hold for a run that continues, too. */
  parent?: ParentLink;
};
/** No state: nothing is stored for the task. */
export type LoadedCheckpoint = {
  state?: AgentState;
  /** Its run has ended before its work was done: another run continues it. */
  continues?: true;
  /** Of the session that wrote it, with the new session's own over it. */
  input?: SessionInput;
  /** E.g. outputs that could not be copied. */
  warnings?: string[];
};

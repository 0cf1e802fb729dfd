// Inputs and outputs of the activities that keep a session outside its history (activities/storage), and of those of the
// memory (activities/notes). Types only.
import type { Segment } from './frozen-context.ts';
import type { AgentState, RunEnd } from './agent-state.ts';
import type { ReportRef, RunStatus } from './run-result.ts';
import type { CheckpointInput, ParentLink, SessionInput } from './session-input.ts';

/**
 * `execution` is absent once the session is the first of its id. `storedAs` is a marked name, which the store may not have
 * noted yet.
 */
export type StoredPlace = { sessionId: string; execution?: string; storedAs?: string };

/** `before`: the earlier segments, if they and the new one are merged into one list. */
export type ArchiveSegmentInput = StoredPlace & { fromSeq: number; toSeq: number; before?: Segment[] };

/**
 * Reads the log at the end of a run that was handed over, and returns the part for the result. `ending` is the answer
 * if the last reply has no text.
 */
export type ReadOutputInput = {
  sessionId: string;
  fromSeq: number;
  toSeq: number;
  status: RunStatus;
  ending?: string;
};

/** Saved at the end of every run, to outlive the history; the activity reads the result from its own workflow. */
export type SaveResultInput = StoredPlace & { runId: string; toSeq: number };
/** Artifact names of the result and of the checkpoint. */
export type SavedResult = { artifactId: string; checkpoint: string };

/** The activity reads the checkpoint from its own workflow. */
export type SaveCheckpointInput = { sessionId: string };
/** Artifact name of the checkpoint of the task's id. */
export type SavedCheckpoint = { artifactId: string };

/**
 * `report` is the one that the tool report stored; without it the activity writes one. `fromSeq` to `toSeq` is the run.
 */
export type CompleteReportInput = {
  sessionId: string;
  runId: string;
  fromSeq: number;
  toSeq: number;
  end: RunEnd;
  endedAt: number;
  report?: ReportRef;
  /** Name of the alert that the session is about. */
  alert?: string;
};

export type LoadCheckpointInput = StoredPlace & {
  taskId: string;
  checkpoint: CheckpointInput;
  hasPrompt: boolean;
  keepAlive: boolean;
  resumeFailed: boolean;
  /** The part of the new session's own start input about the agent. */
  input: SessionInput;
  /** The session that started the new one; its limits apply to a continued run, too. */
  parent?: ParentLink;
};
/** Absent: nothing is stored for the task. */
export type LoadedCheckpoint = {
  state?: AgentState;
  /** Its last run ended before its work was done: another run continues it. */
  continues?: true;
  /** The input of the session that wrote the checkpoint, with the new session's own fields over it. */
  input?: SessionInput;
  /** Problems such as outputs that could not be copied. */
  warnings?: string[];
};

/** Sent once for a run; `text` is its prompt. */
export type SearchMemoryInput = { sessionId: string; runId: string; contextDigest: string; text: string };
/** In the form for the model, without the marks around them. */
export type SearchMemoryResult = { chunks: string[] };

/** The run and the last folded message name the condense: a repeated one writes nothing. */
export type FlushMemoryInput = {
  sessionId: string;
  runId: string;
  toSeq: number;
  /** Workflow time in ms. */
  at: number;
  facts: string[];
};

export type SaveIncidentInput = {
  sessionId: string;
  runId: string;
  /** Artifact name of the report. */
  artifactId: string;
  /** The task of the run, cut. */
  task: string;
  /** Workflow time in ms. */
  at: number;
};

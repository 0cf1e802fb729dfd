// Inputs and outputs of the activities of the memory (activities/notes). Types only.

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

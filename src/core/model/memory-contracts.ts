// Inputs and outputs of the activities of the memory (activities/memory).

/** Once for a run, with the words that it was asked. */
export type SearchMemoryInput = { sessionId: string; runId: string; contextDigest: string; text: string };
/** As they are shown to the model, without the marks around them. */
export type SearchMemoryResult = { chunks: string[] };

/** The run and the last message that is folded name the condense: a repeated one writes nothing. */
export type FlushMemoryInput = {
  sessionId: string;
  runId: string;
  toSeq: number;
  /** Workflow time. */
  at: number;
  facts: string[];
};

export type SaveIncidentInput = {
  sessionId: string;
  runId: string;
  /** Of the report. */
  artifactId: string;
  /** What the run was asked, cut. */
  task: string;
  /** Workflow time. */
  at: number;
};

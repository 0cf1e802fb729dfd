// Notes of children that failed: what is written, and what is looked for before the next delegation.

export type WriteReflectionInput = {
  /** `reflectionDir` of the agent. */
  folder: string;
  /** Of the session that delegated. */
  sessionId: string;
  /** Instance name of the child. */
  name: string;
  task: string;
  /** What it said of itself, or why it ended. */
  failure: string;
};

export type FindReflectionsInput = { folder: string; task: string };

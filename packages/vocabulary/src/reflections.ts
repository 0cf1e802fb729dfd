// Notes about children that failed: the input of writing one, and of the search before the next delegation. Types only.

export type WriteReflectionInput = {
  /** The agent's option `delegation.reflectionDir`. */
  folder: string;
  /** Id of the session that delegated. */
  sessionId: string;
  /** Instance name of the child. */
  name: string;
  task: string;
  /** The failure that the child reported, or the reason for its end. */
  failure: string;
};

export type FindReflectionsInput = { folder: string; task: string };

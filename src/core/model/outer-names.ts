// Names that others look for: of artifacts in the store, of search attributes in the Temporal UI, of internal queries.

/** The newest result of the session. */
export const resultArtifact = 'result.json';
/** The whole log of a session whose run has ended, for when its history is gone. */
export const logArtifact = 'log.json';
/** The session as it was last saved; its messages are in the log beside it. */
export const checkpointArtifact = 'checkpoint.json';

/** Names of tool outputs begin so; the id of the call follows where every store takes it. */
export const toolOutputPrefix = 'tool-';

/** Key of the checkpoints of all tasks in the store, and the name of one of them. */
export const checkpointsKey = 'checkpoints';
export function taskArtifact(taskId: string): string {
  return `${taskId}.json`;
}

/** What a task id may be: the name of its checkpoint in every store. */
export const taskIdPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,149}$/;

export const searchAttributeTypes = {
  AgentStatus: 'Keyword',
  AgentName: 'Keyword',
  Model: 'Keyword',
  WaitingFor: 'Keyword',
  Turns: 'Int',
  CostUsd: 'Double',
  /** How the last run ended: core/model/outcome.ts. Absent before the end of the first one. */
  Outcome: 'Keyword',
} as const;

export type SearchAttributeName = keyof typeof searchAttributeTypes;

/** Of the memo: what waits for people, as `WaitingNote`. */
export const waitingMemo = 'waiting';

/** Type of the failure with which a workflow ends whose run has failed; the result is in its details. */
export const runFailed = 'RunFailed';

export const internalQueries = {
  getCheckpointPage: 'x-internal-getCheckpointPage',
  getView: 'x-internal-getView',
  getFrozenContext: 'x-internal-getFrozenContext',
} as const;

/** Global variable of the sandbox that a worker with an encrypting codec sets in front of the bundle. */
export const encodesFailures = 'holdfastEncodesFailures';

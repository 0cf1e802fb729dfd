// Names that other programs look for: artifacts in the store, search attributes in the Temporal UI, internal queries.
import { keysOf } from '@holdfast/base/keys';

/** The newest result of the session. */
export const resultArtifact = 'result.json';
/** The whole log of a session whose run has ended, for readers after its history is gone. */
export const logArtifact = 'log.json';
/** The last saved checkpoint of the session; its messages are in the log beside it. */
export const checkpointArtifact = 'checkpoint.json';

/** Prefix of the names of tool outputs; the id of the call follows if every store takes it. */
export const toolOutputPrefix = 'tool-';

/** Key of the checkpoints of all tasks in the store. */
export const checkpointsKey = 'checkpoints';
export function taskArtifact(taskId: string): string {
  return `${taskId}.json`;
}

/** A task id must also be a valid artifact name in every store. */
export const taskIdPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,149}$/;

/** The most useful first: a server has room for few of a type, which all programs of a namespace share. */
export const searchAttributeTypes = {
  WaitingFor: 'Keyword',
  /** The end of the last run: `<status>` or `<status>/<grade>`. Absent before the first run has ended. */
  Outcome: 'Keyword',
  AgentStatus: 'Keyword',
  AgentName: 'Keyword',
  Model: 'Keyword',
  Turns: 'Int',
  CostUsd: 'Double',
} as const;

export type SearchAttributeName = keyof typeof searchAttributeTypes;

/** Search attributes of groups of alerts: the receiver, and each kind of fate that an alert of the group has. */
export const alertAttributeTypes = { AlertReceiver: 'Keyword', AlertFates: 'KeywordList' } as const;

/** All that a worker registers. */
export const allAttributeTypes = { ...searchAttributeTypes, ...alertAttributeTypes };

/** Temporal's IndexedValueType on the wire. */
export const attributeWireTypes = { Keyword: 2, Int: 3, Double: 4, KeywordList: 7 } as const;

export type AttributeName = keyof typeof allAttributeTypes;
export const attributeNames = keysOf(allAttributeTypes);

/** Names of ours in the custom attributes of a namespace. One of another type is another program's, and a value for it would be refused for ever. */
export function attributesIn(found: Readonly<Record<string, unknown>>): AttributeName[] {
  return attributeNames.filter((name) => found[name] === attributeWireTypes[allAttributeTypes[name]]);
}

/** Label of a session that was started with a key over HTTP: tells a repeat of the request from another one. */
export const requestDigestLabel = 'requestDigest';

/** Key of the memo with a session's waits for people, as `WaitingNote`. */
export const waitingMemo = 'waiting';

/** Type of the failure of a workflow whose run has failed; the result is in its details. */
export const runFailed = 'RunFailed';

/** The tool with which an agent asks for a schedule. */
export const createScheduleName = 'create_schedule';

export const internalQueries = {
  getCheckpointPage: 'x-internal-getCheckpointPage',
  getView: 'x-internal-getView',
  getFrozenContext: 'x-internal-getFrozenContext',
  getInheritedStart: 'x-internal-getInheritedStart',
} as const;

/** Begins the id of a message with news of alerts, which are no words of a person. */
export const alertNewsPrefix = 'alerts-';

/** Query of a watcher that reads the heartbeats: the session's worker hears of it, and its history does not. */
export const noteReaderName = 'x-internal-noteReader';

/** Global variable of the sandbox, which a worker with an encrypting codec sets before the bundle. */
export const encodesFailures = 'holdfastEncodesFailures';

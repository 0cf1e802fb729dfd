// The calls in the log of a session and of its subagents, which a report may quote. Runs in Node; reads the store.
import { type JsonObject, isRecord, isTooDeep, parseJson, fieldsOf } from '@holdfast/base/json';
import { type LogRecord, type RecordOf, type ToolCallPart, toolCallsOf } from '@holdfast/vocabulary/messages';
import type { ChildRef } from '@holdfast/vocabulary/snapshot';
import type { ArtifactReader } from './artifact-names.ts';
import { readStoredLog } from './stored-session.ts';

export type LoggedCall = {
  /** The call id as a report writes it: for a subagent's call, after the names of the sessions on the way. */
  id: string;
  call: ToolCallPart;
  /** Place and time (ms) of the reply that made the call. */
  seq: number;
  at: number;
  result?: RecordOf<'tool_result'>;
  /** The subagent that made the call, by id and instance names; absent: the session itself. */
  by?: ChildRef;
};

/** Keyed by id. A subagent's call also has its own short id, unless another call has that. */
export type LoggedCalls = ReadonlyMap<string, LoggedCall>;

export type ChildLog = ChildRef & { log: LogRecord[] };

export function readLoggedCalls(log: LogRecord[], children: readonly ChildLog[] = []): LoggedCalls {
  const own = byId(callsOf(log));
  const theirs = children.flatMap((child) => byId(childCallsOf(child)));
  const calls = new Map([...own, ...theirs].map((logged) => [logged.id, logged]));
  const byShortId = Map.groupBy(theirs, ({ call }) => call.callId);
  for (const [shortId, [logged, ...more]] of byShortId)
    if (logged && more.length === 0 && !calls.has(shortId)) calls.set(shortId, logged);
  return calls;
}

/** The last call of each id, because the stored output is its own. */
function byId(calls: readonly LoggedCall[]): LoggedCall[] {
  return [...new Map(calls.map((logged) => [logged.id, logged])).values()];
}

/** Every call in the order of the log; a model may use one id twice. */
export function callsOf(log: readonly LogRecord[]): LoggedCall[] {
  const calls: LoggedCall[] = [];
  const open = new Map<string, LoggedCall>();
  for (const record of log) {
    const { seq, at } = record;
    if (record.role === 'assistant')
      for (const call of toolCallsOf(record)) {
        const logged = { id: call.callId, call, seq, at };
        open.set(call.callId, logged);
        calls.push(logged);
      }
    const logged = record.role === 'tool_result' ? open.get(record.callId) : undefined;
    if (record.role === 'tool_result' && logged !== undefined) logged.result = record;
  }
  return calls;
}

export function childCallsOf({ log, ...by }: ChildLog): LoggedCall[] {
  return callsOf(log).map((logged) => ({ ...logged, id: `${by.name}/${logged.id}`, by }));
}

/** A session that delegates hundreds of times reports on the newest subagents. */
const maxChildren = 100;

/**
 * The logs of the subagents in a log, and of their subagents; `keep` may shorten their records. Leaves out a log that is not stored (a session off the
 * record, a store that was down).
 */
export async function readChildLogs(
  log: readonly LogRecord[],
  { artifacts, sessionId }: { artifacts: ArtifactReader; sessionId: string },
  keep = (record: LogRecord): LogRecord => record,
): Promise<ChildLog[]> {
  const read: ChildLog[] = [];
  const wanted = childrenIn(log);
  for (let child = wanted.shift(); child && read.length < maxChildren; child = wanted.shift()) {
    // a log that names itself would be read forever
    const isKnown =
      child.sessionId === sessionId || read.some((other) => other.sessionId === child?.sessionId);
    const childLog = isKnown ? undefined : (await readStoredLog(artifacts, child.sessionId))?.map(keep);
    if (childLog === undefined) continue;
    const { name } = child;
    read.push({ ...child, log: childLog });
    wanted.push(...childrenIn(childLog).map((inner) => ({ ...inner, name: `${name}/${inner.name}` })));
  }
  return read;
}

/** Ordered with the newest children first. */
export function childrenIn(log: readonly LogRecord[]): ChildRef[] {
  return log
    .flatMap((record) =>
      record.role === 'tool_result' && record.toolName === 'delegate' ? delegated(record) : [],
    )
    .toReversed();
}

/** The loop writes the details of a result, never a model. */
function delegated({ details }: RecordOf<'tool_result'>): ChildRef[] {
  const children = isRecord(details) && Array.isArray(details.children) ? details.children : [];
  return children.flatMap((child) => {
    const { name, id } = fieldsOf(child);
    return typeof name === 'string' && typeof id === 'string' ? [{ name, sessionId: id }] : [];
  });
}

/** End of a call by its own time: the record is as late as the slowest call of its turn. */
export function endOfCall({ at, ran }: RecordOf<'tool_result'>): number {
  return ran ? ran.from + ran.ms : at;
}

/** The arguments as the model wrote them; empty if they are no object, or nested too deeply. */
export function toArguments(call: ToolCallPart): JsonObject {
  const args = parseJson(call.arguments);
  return isRecord(args) && !isTooDeep(args) ? args : {};
}

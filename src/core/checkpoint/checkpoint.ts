// A checkpoint: a whole session as one JSON document, from which a session can continue anywhere. The same document is
// a query's answer, a stored artifact, a file, and a part of a start input. Pure.
import { omit } from '@holdfast/base/omit';
import { defined } from '@holdfast/base/defined';
import { type AgentState, type RunState, storedIdOf } from '@holdfast/vocabulary/agent-state';
import { type LogRecord, isWholeReply } from '@holdfast/vocabulary/messages';
import type { SessionInput, Checkpoint, CheckpointStatus } from '@holdfast/vocabulary/session-input';
import { inlineMessagesBytes, jsonBytes, maxPageBytes } from '@holdfast/base/sizes';
import { checkpointVersion } from '@holdfast/vocabulary/session-input';

/** Facts that only the host of the loop knows. */
export type CheckpointFacts = {
  taskId: string;
  input: SessionInput;
  now: number;
  /** Ids of calls that wait for a person: announced, but not begun. */
  awaiting: string[];
};

/** The document without the records of the messages. */
export function checkpointOf(state: AgentState, facts: CheckpointFacts): Checkpoint {
  const { log, run, lastResult } = state;
  return defined({
    version: checkpointVersion,
    id: `${storedIdOf(state)}/${log.nextSeq - 1}`,
    created_at: new Date(facts.now).toISOString(),
    iteration: iterationOf(state),
    messages: { segments: log.segments, fromSeq: log.records[0]?.seq ?? log.nextSeq, toSeq: log.nextSeq - 1 },
    task_id: facts.taskId,
    status: statusOf(state),
    session: { state: bareState(state, facts.awaiting), input: agentInput(facts.input) },
    result: lastResult && !run ? lastResult : undefined,
  });
}

/** The answer of the query: records inline below 64 KiB, and no state if the document would be too large. */
export function toQueryAnswer(checkpoint: Checkpoint, records: LogRecord[]): Checkpoint {
  const small = jsonBytes(records) < inlineMessagesBytes;
  const whole = small ? withRecords(checkpoint, records) : checkpoint;
  if (jsonBytes(whole) <= maxPageBytes - inlineMessagesBytes) return whole;
  return omit(whole, 'session', 'result');
}

/** Adds the records; a document with all records from 1 on is complete and names no segment. */
export function withRecords(checkpoint: Checkpoint, records: LogRecord[]): Checkpoint {
  const { messages, ...rest } = checkpoint;
  const whole = records.length === messages.toSeq;
  return { ...rest, messages: { ...messages, ...(whole ? { segments: [], fromSeq: 1 } : {}), records } };
}

/** A run that a limit or a person ended is unfinished work, which can be continued. */
function statusOf({ run, lastResult }: AgentState): CheckpointStatus {
  if (run || !lastResult) return 'in_progress';
  if (lastResult.status === 'completed') return 'completed';
  return lastResult.status === 'failed' ? 'failed' : 'in_progress';
}

function iterationOf({ run, lastResult, log }: AgentState): number {
  const { runId, turn } = run ?? { runId: lastResult?.runId, turn: lastResult?.turns ?? 0 };
  const finished = log.records.some(
    (record) => isWholeReply(record) && record.runId === runId && record.turn === turn,
  );
  return Math.max(1, finished ? turn + 1 : turn);
}

function bareState(state: AgentState, awaiting: string[]): AgentState {
  const log = { ...state.log, records: [], segments: [] };
  const run = state.run && notBegun(state.run, awaiting);
  return { ...omit(state, 'lastResult'), log, ...defined({ run }) };
}

/** A call that waits for a person's decision has not begun, although it was announced. */
function notBegun(run: RunState, awaiting: string[]): RunState {
  const batch = run.batch.map((entry) =>
    awaiting.includes(entry.call.callId) ? { ...entry, started: false } : entry,
  );
  return { ...run, batch };
}

/** The part of a start input about the agent; it applies to every session that continues the work. */
export function agentInput(input: SessionInput): SessionInput {
  return Object.fromEntries(Object.entries(input).filter(([field]) => !sessionFields.has(field)));
}

/** Fields about one session, and fields that only its start reads. */
const sessionFields: ReadonlySet<string> = new Set<keyof SessionInput>([
  ...(['prompt', 'messages', 'carried', 'checkpoint', 'resumeFailed'] as const),
  ...(['keepAlive', 'idleTimeoutMs', 'throwOnFailure', 'continueAsNewAfterTurns'] as const),
  ...([
    'taskId',
    'name',
    'labels',
    'parent',
    'notify',
    'deadlineAt',
    'deliver',
    'needsReport',
    'alert',
  ] as const),
]);

/** UTF-16 units. A page of this size stays below 1 MiB whatever its characters. */
const pageCharacters = 160 * 1024;
const maxAttempts = 10;

/** `revision` differs after any change of the session: pages of two revisions do not fit together. */
export type CheckpointPage = { text: string; totalCharacters: number; revision: string };

export function pageOfCheckpoint(checkpoint: Checkpoint, revision: string, offset: number): CheckpointPage {
  const text = JSON.stringify(checkpoint);
  const from = Math.max(0, Math.floor(offset) || 0);
  return { text: text.slice(from, from + pageCharacters), totalCharacters: text.length, revision };
}

/** Reads all pages into one document; starts over if the session changed in between. */
export async function joinPages(getPage: (offset: number) => Promise<CheckpointPage>): Promise<Checkpoint> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const first = await getPage(0);
    let { text } = first;
    let same = true;
    while (same && text.length < first.totalCharacters) {
      const page = await getPage(text.length);
      same = page.revision === first.revision && page.text !== '';
      text += page.text;
    }
    // both ends are built from the same definition
    if (same) return JSON.parse(text);
  }
  throw new Error(
    'The session moved on while its checkpoint was read. Expected a moment of rest; try again.',
  );
}

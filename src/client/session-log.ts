// The log of a session page by page, stored stretches from the artifact store and the rest by query; its stored result and
// its thoughts.
import type { ViewPage } from '../core/model/activity-contracts.ts';
import type { LogRecord } from '../core/model/messages.ts';
import type { SessionResult, Thought, Thoughts } from '../core/model/run-result.ts';
import { readSessionResult } from '../core/model/run-result.schema.ts';
import { thoughtsOf } from '../core/state/thoughts.ts';
import { resultArtifact, logArtifact } from '../core/model/outer-names.ts';

/** The reading side of an artifact store; the worker's stores fit. */
export type ArtifactReader = {
  get(sessionId: string, artifactId: string): Promise<Uint8Array | undefined>;
};

/** The writing side of an artifact store: for images, and checkpoints that are too large to be sent. */
export type ArtifactWriter = {
  put(sessionId: string, artifactId: string, bytes: Uint8Array | string): Promise<unknown>;
};

/** A stored text; undefined where the store lacks it. */
export async function readText(
  store: ArtifactReader | undefined,
  sessionId: string,
  artifactId: string,
): Promise<string | undefined> {
  const bytes = await store?.get(sessionId, artifactId);
  return bytes && Buffer.from(bytes).toString('utf8');
}

/** Undefined where the store has no result of this session. */
export async function readStoredResult(
  store: ArtifactReader | undefined,
  sessionId: string,
): Promise<SessionResult | undefined> {
  const text = await readText(store, sessionId, resultArtifact);
  return text === undefined ? undefined : readSessionResult(JSON.parse(text));
}

/** The log at the end of the last run; undefined where the store has none. */
export async function readStoredLog(
  store: ArtifactReader | undefined,
  sessionId: string,
): Promise<LogRecord[] | undefined> {
  return readRecords(store, sessionId, logArtifact);
}

/** The worker wrote these bytes; only their outline is checked. */
async function readRecords(
  store: ArtifactReader | undefined,
  sessionId: string,
  artifactId: string,
): Promise<LogRecord[] | undefined> {
  const text = await readText(store, sessionId, artifactId);
  if (text === undefined) return undefined;
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value)) throw new Error('A stored segment of the log is not a list.');
  return value as LogRecord[];
}

/** A stretch of the log that is stored where this client cannot read it. */
export type MissingRecords = { type: 'missing'; fromSeq: number; toSeq: number };

export async function* streamMessages(
  sessionId: string,
  afterSeq: number,
  getPage: (afterSeq: number) => Promise<ViewPage>,
  artifacts: ArtifactReader | undefined,
): AsyncGenerator<LogRecord | MissingRecords, void, undefined> {
  let lastSeq = afterSeq;
  for (;;) {
    const page = await getPage(lastSeq);
    for (const segment of page.segments) {
      if (segment.toSeq <= lastSeq) continue;
      const records = await readRecords(artifacts, sessionId, segment.artifactId);
      if (records === undefined) {
        yield { type: 'missing', fromSeq: Math.max(segment.fromSeq, lastSeq + 1), toSeq: segment.toSeq };
      }
      for (const record of records ?? []) if (record.seq > lastSeq) yield record;
      lastSeq = segment.toSeq;
    }
    for (const record of page.records) {
      if (record.seq <= lastSeq) continue;
      yield record;
      lastSeq = record.seq;
    }
    if (page.nextSeq === undefined) return;
    lastSeq = Math.max(lastSeq, page.nextSeq - 1);
  }
}

export type LogRange = { fromSeq: number; toSeq: number };

/** Reads one message and its results at a time: a log may be long. Truncated where a stretch could not be read. */
export async function readThoughts(
  messages: AsyncIterable<LogRecord | MissingRecords>,
  { fromSeq, toSeq }: LogRange,
): Promise<Thoughts> {
  const items: Thought[] = [];
  let truncated = false;
  const group: LogRecord[] = [];
  for await (const record of messages) {
    if ('type' in record) truncated = true;
    else if (record.seq > toSeq) break;
    else if (record.seq >= fromSeq) {
      if (record.role === 'assistant') items.push(...thoughtsOf(group.splice(0)));
      group.push(record);
    }
  }
  items.push(...thoughtsOf(group));
  return { items, truncated, fromSeq, toSeq };
}

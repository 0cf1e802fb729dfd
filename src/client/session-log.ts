// The log of a session page by page, from the artifact store and from queries; and its thoughts. Runs in the caller's
// process.
import type { ViewPage } from '@holdfast/vocabulary/activity-contracts';
import type { Segment } from '@holdfast/vocabulary/frozen-context';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import type { Thought, Thoughts } from '@holdfast/vocabulary/run-result';
import { thoughtsOf } from '../core/state/thoughts.ts';
import type { ArtifactReader } from '@holdfast/stored/artifact-names';
import { leafSegments } from '@holdfast/stored/leaf-segments';
import { readRecords } from '@holdfast/stored/stored-session';

/** A stored stretch of the log that this client cannot read. */
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
    const readList = (list: Segment) => readRecords<Segment>(artifacts, sessionId, list.artifactId);
    for await (const segment of leafSegments(page.segments, lastSeq + 1, readList)) {
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

/**
 * Reads one message and its results at a time, because a log may be long. `truncated` if a stretch could not be read.
 */
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

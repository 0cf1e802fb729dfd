// The log of a session, oldest first, page by page: stored segments from the artifact store, the rest by query.
import type { ViewPage } from '../core/model/activity-contracts.ts';
import type { LogRecord } from '../core/model/messages.ts';
import { type ArtifactReader, readSegment } from './stored-artifacts.ts';

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
      const records = await readSegment(artifacts, sessionId, segment);
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

// The thoughts of a run read from its log, where its result holds only the newest of them.
import type { LogRecord } from '../core/model/messages.ts';
import type { Thought, Thoughts } from '../core/model/run-result.ts';
import { thoughtsOf } from '../core/state/thoughts.ts';
import type { MissingRecords } from './session-messages.ts';

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

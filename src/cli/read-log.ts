// The whole log of a session, for what looks at it after its end.
import type { HoldfastClient } from '../client.ts';
import type { LogRecord } from '../core/model/messages.ts';
import { UserError } from './user-error.ts';

/** Throws a UserError where the log is not whole. */
export async function readLog(client: HoldfastClient, sessionId: string): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for await (const record of client.messages(sessionId)) {
    if ('type' in record) {
      throw new UserError(
        `Messages ${record.fromSeq} to ${record.toSeq} of ${sessionId} are not at hand, so what it said is not known here. ` +
          'Ask where its artifact store is.',
      );
    }
    records.push(record);
  }
  return records;
}

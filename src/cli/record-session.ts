// Writes what a session was as a script that plays it again (--record). Runs after the session.
import { writeFile } from 'node:fs/promises';
import type { HoldfastClient } from '../client.ts';
import type { LogRecord } from '../core/messages.ts';
import { recordScript, toScriptFile } from '../testing.ts';
import { UserError, messageOf } from './user-error.ts';

export type Recording = { file: string; replies: number };

/** Throws a UserError where the log is not whole, or the file cannot be written. */
export async function recordSession(
  client: HoldfastClient,
  sessionId: string,
  file: string,
  secrets: readonly string[],
): Promise<Recording> {
  const records: LogRecord[] = [];
  for await (const record of client.messages(sessionId)) {
    if ('type' in record) {
      throw new UserError(
        `Messages ${record.fromSeq} to ${record.toSeq} of ${sessionId} are not at hand, so it cannot be recorded. ` +
          'Record it where its artifact store is.',
      );
    }
    records.push(record);
  }
  const script = recordScript(records, sessionId, secrets);
  try {
    await writeFile(file, toScriptFile(script), { mode: 0o600 });
  } catch (error) {
    throw new UserError(
      `The recording cannot be written to ${file} (${messageOf(error)}). Name another file.`,
    );
  }
  return { file, replies: script.steps.length };
}

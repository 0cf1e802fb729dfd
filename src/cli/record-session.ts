// Writes what a session was as a script that plays it again (--record). Runs after the session.
import { existsSync } from 'node:fs';
import { open, rm, writeFile } from 'node:fs/promises';
import type { HoldfastClient } from '../client.ts';
import { recordScript, toScriptFile } from '../scripted/record-script.ts';
import { readLog } from './read-log.ts';
import { UserError, messageOf } from './user-error.ts';

export type Recording = { file: string; replies: number };

/** `hasEnded`: its run is over. Nothing is written where nothing was said. Throws a UserError where the log is not whole, or the file cannot be written. */
export async function recordSession(
  client: HoldfastClient,
  sessionId: string,
  { file, secrets, hasEnded }: { file: string; secrets: readonly string[]; hasEnded: boolean },
): Promise<Recording> {
  const records = await readLog(client, sessionId);
  const runId = records.at(-1)?.runId;
  const end = hasEnded && runId !== undefined ? await client.result(sessionId, { runId }) : undefined;
  const script = recordScript(records, sessionId, secrets, end);
  if (script.steps.length === 0) return { file, replies: 0 };
  try {
    await writeFile(file, toScriptFile(script), { mode: 0o600 });
  } catch (error) {
    throw unwritable(file, error);
  }
  return { file, replies: script.steps.length };
}

/** Before the run, which may cost hours and money. Changes nothing. */
export async function checkRecordingFile(file: string): Promise<void> {
  const isNew = !existsSync(file);
  try {
    await (await open(file, 'a', 0o600)).close();
    if (isNew) await rm(file);
  } catch (error) {
    throw unwritable(file, error);
  }
}

function unwritable(file: string, error: unknown): UserError {
  return new UserError(
    `The recording cannot be written to ${file} (${messageOf(error)}). Name another file.`,
  );
}

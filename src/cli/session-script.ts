// Model scripts of finished sessions: a log as a script that plays it again (--record), and the steps of a script that a
// session never reached. A recording that is played as a test fails by them.
import { existsSync } from 'node:fs';
import { open, rm, writeFile } from 'node:fs/promises';
import type { SessionHandle } from '../client.ts';
import { type LogRecord, isWholeReply } from '@holdfast/vocabulary/messages';
import { loadModelScript } from '@holdfast/scripted-model/load-model-script';
import { ScriptMismatch } from '@holdfast/scripted-model/model-script';
import { recordScript, toScriptFile } from '@holdfast/scripted-model/record-script';
import { unusedSteps, leftOverText } from '@holdfast/scripted-model/script-player';
import { UserError, unwritable } from '../common/user-error.ts';

/** `hasEnded`: its run is over. Resolves with the number of replies; writes nothing without any. Throws a UserError for a partial log or a failed write. */
export async function recordSession(
  session: SessionHandle,
  { file, secrets, hasEnded }: { file: string; secrets: readonly string[]; hasEnded: boolean },
): Promise<number> {
  const records = await readLog(session);
  const runId = records.at(-1)?.runId;
  const end = hasEnded && runId !== undefined ? await session.result({ runId }) : undefined;
  const script = recordScript(records, session.sessionId, secrets, end);
  if (script.steps.length === 0) return 0;
  try {
    await writeFile(file, toScriptFile(script), { mode: 0o600 });
  } catch (error) {
    throw unwritable('recording', file, error);
  }
  return script.steps.length;
}

/** Checked before the run, which may cost hours and money. Changes nothing. */
export async function checkRecordingFile(file: string): Promise<void> {
  const isNew = !existsSync(file);
  try {
    await (await open(file, 'a', 0o600)).close();
    if (isNew) await rm(file);
  } catch (error) {
    throw unwritable('recording', file, error);
  }
}

/** The remaining steps for an ended session, also in words. Empty for a script that did not fit, which the run reports. */
export async function findLeftSteps(
  session: SessionHandle,
  file: string,
): Promise<{ left: string[]; text: string }> {
  const script = await loadModelScript(file);
  // the log stored at its end, because no worker may be left to answer
  const records = (await session.storedMessages()) ?? (await readLog(session));
  try {
    const left = unusedSteps(
      script,
      records.filter((record) => record.role !== 'assistant' || isWholeReply(record)),
    );
    return { left, text: leftOverText(script, left) };
  } catch (error) {
    if (error instanceof ScriptMismatch) return { left: [], text: '' };
    throw error;
  }
}

async function readLog(session: SessionHandle): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for await (const record of session.messages()) {
    if ('type' in record) {
      throw new UserError(
        `Messages ${record.fromSeq} to ${record.toSeq} of ${session.sessionId} cannot be read here: expected the artifact ` +
          'store of its worker.',
      );
    }
    records.push(record);
  }
  return records;
}

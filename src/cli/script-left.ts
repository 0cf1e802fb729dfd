// A script that was a session's model: which of its steps the session never came to. A recording that is played again
// as a test fails by it.
import type { HoldfastClient } from '../client.ts';
import { loadModelScript } from '../testing.ts';
import { isWholeReply } from '../core/model/messages.ts';
import { ScriptMismatch } from '../scripted/model-script.ts';
import { unusedSteps } from '../scripted/script-player.ts';
import { leftOverText } from '../scripted/script-player.ts';
import { readLog } from './read-log.ts';

/** Of a session that has ended: the steps, and what to tell of them. Nothing of a script that did not fit: the run says that itself. */
export async function findLeftSteps(
  client: HoldfastClient,
  sessionId: string,
  file: string,
): Promise<{ left: string[]; text: string }> {
  const script = await loadModelScript(file);
  // as it was stored at its end: no worker need be left to answer
  const records = (await client.storedMessages(sessionId)) ?? (await readLog(client, sessionId));
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

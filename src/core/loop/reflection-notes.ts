// Notes about children that failed: found again before the next child starts, left when one has failed. They are help: what
// goes wrong with them is a warning.
import { messageOf } from '../base/message-of.ts';
import type { TaskResult } from '../model/children.ts';
import type { Session } from '../session/session.ts';
import type { Effects } from './effects.ts';

type Context = {
  session: Pick<Session, 'id' | 'settings' | 'announce'>;
  effects: Pick<Effects, 'writeReflection' | 'findReflections'>;
};

/** Notes that share words with the task, newest first; '' without any. */
export async function findNotes({ session, effects }: Context, task: string): Promise<string> {
  const { reflectionDir: folder = '' } = session.settings;
  if (folder === '') return '';
  try {
    return (await effects.findReflections({ folder, task })).join('\n\n');
  } catch (error) {
    warn(session, `Notes of earlier failures were not read: ${messageOf(error)}`);
    return '';
  }
}

/** Of a child that has said that it failed, came to its limit, or ended with an error. */
export async function leaveNote(
  { session, effects }: Context,
  child: { name: string; task: string },
  result: TaskResult,
): Promise<void> {
  const { reflectionDir: folder = '', offTheRecord } = session.settings;
  const failure = failureOf(result);
  if (folder === '' || offTheRecord || failure === undefined) return;
  try {
    await effects.writeReflection({ folder, sessionId: session.id, ...child, failure });
  } catch (error) {
    warn(session, `The note about ${child.name} was not written: ${messageOf(error)}`);
  }
}

function failureOf({ error, completion }: TaskResult): string | undefined {
  if (error !== undefined) return error;
  if (completion?.status !== 'failed') return undefined;
  const { summary, caveats = '' } = completion;
  return [summary, caveats].filter((text) => text.trim() !== '').join('\n\n') || 'failed without a reason';
}

function warn(session: Context['session'], message: string): void {
  session.announce({ type: 'warning', code: 'Reflection.Failed', message });
}

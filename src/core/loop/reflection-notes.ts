// Notes about failed children: read before the next child starts, written after a failure. They are optional help, so
// any error here is only a warning.
import { keyOf } from '../state/key-of.ts';
import { messageOf } from '../base/message-of.ts';
import type { TaskResult } from '../model/children.ts';
import type { Session } from '../session/session.ts';
import { type Effects, valueOf } from './effects.ts';

type Context = { session: Pick<Session, 'state' | 'settings' | 'announce'>; effects: Pick<Effects, 'call'> };

/** Notes that share words with the task, newest first; '' if there are none. */
export async function findNotes({ session, effects }: Context, task: string): Promise<string> {
  const { reflectionDir: folder = '' } = session.settings.delegation;
  if (folder === '') return '';
  try {
    return valueOf(await effects.call('findReflections', { folder, task })).join('\n\n');
  } catch (error) {
    warn(session, `Notes of earlier failures were not read: ${messageOf(error)}`);
    return '';
  }
}

/** Writes a note if the child reported failure, reached a limit, or ended with an error. */
export async function leaveNote(
  { session, effects }: Context,
  child: { name: string; task: string },
  result: TaskResult,
): Promise<void> {
  const { delegation, offTheRecord } = session.settings;
  const { reflectionDir: folder = '' } = delegation;
  const failure = failureOf(result);
  if (folder === '' || offTheRecord || failure === undefined) return;
  try {
    const note = { folder, sessionId: keyOf(session.state), ...child, failure };
    valueOf(await effects.call('writeReflection', note));
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

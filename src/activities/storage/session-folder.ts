// The folder of a session, in a file system and in a bucket: a name that both take, different for different session ids.
import { sha256Hex } from '../context/digest.ts';

/** Lies in a folder that is not named by its session id, and holds that id. No artifact has such a name. */
export const sessionNoteName = '.session';

// A session id is any workflow id. Only plain lower-case ones keep their name, because some file systems do
// not tell cases apart; the others get a digest after `~`, which no plain name contains.
export function sessionFolder(sessionId: string): string {
  if (isPlain(sessionId)) return sessionId;
  const readable = sessionId
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .slice(0, 60);
  return `${readable}~${sha256Hex(sessionId).slice(0, 24)}`;
}

/** Whether the folder is named by its session id, and needs no note. */
export function isPlain(folder: string): boolean {
  return /^[a-z0-9][a-z0-9_-]{0,99}$/.test(folder);
}

/** The session id of a folder. Undefined where the note does not belong there. */
export function sessionOfFolder(folder: string, note: string | undefined): string | undefined {
  if (isPlain(folder)) return folder;
  return note !== undefined && sessionFolder(note) === folder ? note : undefined;
}

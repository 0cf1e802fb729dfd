// The folder name of a session, in a file system and in a bucket: valid in both, and different for different session ids.
import { sha256Hex } from '@holdfast/stored/sha256';

/** A file with the session id, in each folder whose name differs from its id. No artifact has such a name. */
export const sessionNoteName = '.session';

// A session id is any workflow id. Only plain lower-case ids keep their name, because some file systems ignore case; the
// others get a digest after `~`, which no plain name contains.
export function sessionFolder(sessionId: string): string {
  if (isPlain(sessionId)) return sessionId;
  const readable = sessionId
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .slice(0, 60);
  return `${readable}~${sha256Hex(sessionId).slice(0, 24)}`;
}

/** True if the folder is named by its session id, and needs no note. */
export function isPlain(folder: string): boolean {
  return /^[a-z0-9][a-z0-9_-]{0,99}$/.test(folder);
}

/** The session id of a folder. Undefined if the note belongs to another folder. */
export function sessionOfFolder(folder: string, note: string | undefined): string | undefined {
  if (isPlain(folder)) return folder;
  return note !== undefined && sessionFolder(note) === folder ? note : undefined;
}

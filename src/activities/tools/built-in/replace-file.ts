// Puts a new content in a file's place, whole or not at all: written beside it, stored, then renamed. Runs in
// Node.
import { createHash } from 'node:crypto';
import { constants, link, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FileRefusal } from './file-access.ts';
import { keepAttributes } from './keep-attributes.ts';
import { readTextFile, type TextFile } from './text-file.ts';
import type { FileTarget } from './writable-files.ts';

/** Names the files of one attempt: a later one of the same call removes what a killed one has left. */
export type Attempt = { idempotencyKey: string; attempt: number };

/**
 * `current` is the content that the new one was made from. Throws a FileRefusal, with the file unchanged, where it has
 * another one by now or cannot be replaced.
 */
export async function replaceFile(
  target: FileTarget,
  current: TextFile,
  bytes: Uint8Array,
  attempt: Attempt,
): Promise<void> {
  const temporary = besideOf(target, attempt);
  try {
    await writeBeside(temporary, target, current, bytes);
    if (current.id === 'absent') {
      // unlike a rename it fails where a file has come meanwhile
      await link(temporary, target.at);
    } else {
      if ((await readTextFile(target)).id !== current.id) throw conflict(target);
      await rename(temporary, target.at);
    }
  } catch (error) {
    throw error instanceof FileRefusal ? error : toWriteRefusal(error, target);
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
  // not every file system can, and the change is made
  await target.folder.handle.sync().catch(() => undefined);
}

/** The file has another content than the one that a change was made for. */
export function conflict({ shown }: Pick<FileTarget, 'shown'>): FileRefusal {
  return new FileRefusal(
    `Conflict: ${shown} has changed since this call was prepared. Nothing was written. Read it, and call again.`,
  );
}

/** Before the file is read: a kill may have left a new file with two names. */
export async function removeLeftOvers(target: FileTarget, attempt: Attempt): Promise<void> {
  for (let number = 1; number <= attempt.attempt; number++) {
    await rm(besideOf(target, { ...attempt, attempt: number }), { force: true }).catch(() => undefined);
  }
}

/** No name that a program reads as one of its own, such as *.conf. */
function besideOf({ at, name }: FileTarget, { idempotencyKey, attempt }: Attempt): string {
  const call = createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 12);
  return join(dirname(at), `.${name.slice(0, 100)}.holdfast-${call}-${attempt}`);
}

async function writeBeside(
  temporary: string,
  { at }: FileTarget,
  current: TextFile,
  bytes: Uint8Array,
): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const handle = await open(temporary, flags, current.id === 'absent' ? 0o666 : 0o600);
  try {
    if (current.text !== undefined) await keepAttributes({ at, stats: current.stats, temporary, handle });
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    // a file system over the network may say only here that it is full
    await handle.close();
  }
}

function toWriteRefusal(error: unknown, target: FileTarget): FileRefusal {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (code === 'EEXIST') return conflict(target);
  const known: Record<string, string> = {
    ENOSPC: 'the disk is full',
    EDQUOT: 'the quota of the disk is used up',
    EFBIG: 'the file would be larger than the worker may make one',
    EROFS: 'the file system is read-only',
    EACCES: "the worker's user may not write in that folder",
    EPERM: "the worker's user may not write in that folder",
    ENOENT: 'the folder is gone',
    ENAMETOOLONG: 'the name is too long',
  };
  return new FileRefusal(`Not written: ${known[code] ?? code}. ${target.shown} is as it was.`);
}

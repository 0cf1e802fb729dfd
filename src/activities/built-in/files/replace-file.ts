// Replaces a file's content atomically: written beside it, flushed, then renamed. Runs in Node.
import { sha256Hex } from '@holdfast/stored/sha256';
import { execFile } from 'node:child_process';
import type { Stats } from 'node:fs';
import { type FileHandle, constants, link, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { FileRefusal } from './file-access.ts';
import { readTextFile, type TextFile } from './text-file.ts';
import type { FileTarget } from './file-roots.ts';

/** Names the files of one attempt: a later one of the same call removes those that a killed one left. */
export type Attempt = { idempotencyKey: string; attempt: number };

/** `current` is the content before the change. Throws a FileRefusal, with the file unchanged, if it differs by now. */
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
      // unlike a rename it fails if a file has appeared meanwhile
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
  // not every file system can flush, and the change is made
  await target.folder.handle.sync().catch(() => undefined);
}

/** The file's content is not the one for which a change was made. */
export function conflict({ shown }: Pick<FileTarget, 'shown'>): FileRefusal {
  return new FileRefusal(
    `Conflict: ${shown} has changed since this call was prepared. Nothing was written. Read it, and call again.`,
  );
}

/** Call it before the file is read: a kill may have left a new file with two names. */
export async function removeLeftOvers(target: FileTarget, attempt: Attempt): Promise<void> {
  for (let number = 1; number <= attempt.attempt; number++) {
    await rm(besideOf(target, { ...attempt, attempt: number }), { force: true }).catch(() => undefined);
  }
}

/** A name that no program reads by a pattern such as *.conf. */
function besideOf({ at }: FileTarget, { idempotencyKey, attempt }: Attempt): string {
  const call = sha256Hex(idempotencyKey).slice(0, 12);
  return join(dirname(at), `.${basename(at).slice(0, 100)}.holdfast-${call}-${attempt}`);
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
    // a network file system may report only here that it is full
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

/** A file, and the opened one beside it that replaces it. */
type Replacement = { at: string; stats: Stats; temporary: string; handle: FileHandle };

/** Keeps owner, group, mode, access list and extended attributes. Throws a FileRefusal if one would be lost. */
async function keepAttributes({ at, stats, temporary, handle }: Replacement): Promise<void> {
  const { uid, gid, mode } = stats;
  const own = await handle.stat();
  if (own.uid !== uid || own.gid !== gid) {
    await handle.chown(uid, gid).catch(() => {
      throw new FileRefusal(
        `Refused: the file belongs to user ${uid} and group ${gid}, and the worker's user cannot keep that.`,
      );
    });
  }
  if (process.platform === 'linux') await copyExtended(at, temporary);
  // after the owner, whose change clears some bits
  await handle.chmod(mode & 0o7777);
}

/** Node has no call for extended attributes. A system without GNU's cp loses them. */
async function copyExtended(from: string, to: string): Promise<void> {
  const paths = [from, to].map((path) => path.replace('/proc/self/', `/proc/${process.pid}/`));
  const problem = await new Promise<string | undefined>((resolve) => {
    execFile(
      '/bin/cp',
      ['--attributes-only', '--preserve=mode,xattr', '--', ...paths],
      { env: { LC_ALL: 'C' }, timeout: 10_000 },
      (error, _, stderr) => resolve(error === null || error.code === 'ENOENT' ? undefined : stderr),
    );
  });
  if (problem === undefined || /(?:unrecognized|invalid) option/.test(problem)) return;
  throw new FileRefusal(
    "Refused: the worker's user cannot keep the access list or the extended attributes of the file.",
  );
}

// Copies owner, group, mode, access list and extended attributes to a file that replaces another. Runs in Node.
import { execFile } from 'node:child_process';
import type { FileHandle } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { FileRefusal } from './file-access.ts';

/** A file, and the opened one beside it that replaces it. */
export type Replacement = { at: string; stats: Stats; temporary: string; handle: FileHandle };

/** Throws a FileRefusal if an attribute would be lost. */
export async function keepAttributes({ at, stats, temporary, handle }: Replacement): Promise<void> {
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

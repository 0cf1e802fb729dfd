// One file of a new project, and how it gets on disk: a file that is there is kept, unless it is to be extended.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf } from '../../core/base/message-of.ts';
import { UserError } from '../user-error.ts';

export type PlannedFile = {
  /** Relative to the folder. */
  path: string;
  /** Absent: kept as it is. */
  text?: string;
  /** What is in it, or what was added to it. */
  note: string;
  /** It is there already, and `text` is all of it with some lines more. */
  extends?: boolean;
};

export type Done = 'written' | 'kept' | 'extended';

/** Throws a UserError where it cannot be written. */
export async function writePlanned(
  folder: string,
  { path, text, extends: more }: PlannedFile,
): Promise<Done> {
  if (text === undefined) return 'kept';
  const target = join(folder, path);
  try {
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text, { flag: more ? 'w' : 'wx' });
    return more ? 'extended' : 'written';
  } catch (error) {
    // of a folder in the way it is the same code, and that is no file to keep
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (isTaken && existsSync(target)) return 'kept';
    throw new UserError(
      `Cannot write ${target}: ${messageOf(error)}. Expected a folder that can be written.`,
      undefined,
      { cause: error },
    );
  }
}

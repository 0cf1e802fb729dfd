// One file of a new project, and its writing: an existing file is kept, unless it is extended.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode } from '@holdfast/base/has-code';
import { messageOf } from '@holdfast/base/message-of';
import { UserError } from '../../common/user-error.ts';

export type PlannedFile = {
  /** Relative to the folder. */
  path: string;
  /** Absent: kept unchanged. */
  text?: string;
  /** Its content, or the added part, in words. */
  note: string;
  /** True if it exists, and `text` is its content with some more lines. */
  extends?: boolean;
};

export type Done = 'written' | 'kept' | 'extended';

/** Throws a UserError if it cannot be written. */
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
    // a folder in the way has the same code, and is no file to keep
    if (hasCode(error, 'EEXIST') && existsSync(target)) return 'kept';
    throw new UserError(
      `Cannot write ${target}: ${messageOf(error)}. Expected a folder that can be written.`,
      undefined,
      { cause: error },
    );
  }
}

// What no command may change although its folder is writable: the files that say what an agent is. Bound read-only, so it
// does not matter by which name, pattern or program a command reaches them. Runs in Node.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isNeverChanged } from '../../core/tools/protected-paths.ts';

/**
 * Those that lie directly in one of the folders, which are real paths; a folder counts with everything in it, and may be one of
 * these itself. Links are left out: a bind of what they lead to would show what is hidden.
 */
export async function findProtectedPaths(folders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(folders.map(protectedIn));
  return [...new Set(found.flat())];
}

async function protectedIn(folder: string): Promise<string[]> {
  if (isNeverChanged(folder)) return [folder];
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.flatMap((entry) =>
    isNeverChanged(entry.name) && !entry.isSymbolicLink() ? [join(folder, entry.name)] : [],
  );
}

// Files that no command may change although their folder is writable, because they define an agent. Bound read-only, so
// the name, pattern or program by which a command reaches them does not matter. Runs in Node.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isNeverChanged } from '../../core/tools/protected-paths.ts';

/**
 * Protected files directly in one of the folders, which are real paths. A protected folder counts with its whole content,
 * and may be one of `folders` itself. Links are left out: binding their target would show what is hidden.
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

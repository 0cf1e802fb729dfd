// Writes generated files that have changed, and removes those that are no longer generated.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns the paths of the files that differed. With `isCheck` nothing is written. `folders` hold generated files only. */
export function writeDifferences(
  root: string,
  files: ReadonlyMap<string, string>,
  { isCheck, folders }: { isCheck: boolean; folders: readonly string[] },
): string[] {
  const differing = [...files].filter(([path, text]) => readText(join(root, path)) !== text);
  const extra = folders.flatMap((folder) => filesIn(root, folder)).filter((path) => !files.has(path));
  if (!isCheck) {
    for (const [path, text] of differing) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    for (const path of extra) rmSync(join(root, path));
  }
  return [...differing.map(([path]) => path), ...extra];
}

function readText(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function filesIn(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

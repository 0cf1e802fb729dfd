// The files that a pattern of `memory.files` means. Runs in Node.
import { glob } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** More files are a pattern that was not meant so. */
const mostFiles = 10_000;

/** Incidents, and facts that are in a database, are sources without a file. */
export function isNote(name: string): boolean {
  return /\.(md|markdown|txt)$/i.test(name);
}

export function isPattern(name: string): boolean {
  return /[*?[{]/.test(name);
}

/**
 * The names among `files`, and the Markdown and text files that its patterns mean, relative to `dir`; hidden
 * folders and node_modules are passed over.
 */
export async function filesOf(dir: string, files: readonly string[]): Promise<string[]> {
  const patterns = files.filter(isPattern);
  const names = files.filter((name) => !isPattern(name));
  if (patterns.length === 0) return names;
  const found = new Set<string>();
  const exclude = ({ name }: { name: string }) => name.startsWith('.') || name === 'node_modules';
  for await (const entry of glob(patterns, { cwd: dir, withFileTypes: true, exclude })) {
    if (!entry.isFile() || !isNote(entry.name)) continue;
    found.add(relative(dir, join(entry.parentPath, entry.name)));
    if (found.size > mostFiles)
      throw new Error(
        `memory.files ${patterns.join(', ')} means more than ${mostFiles} files: narrow the pattern.`,
      );
  }
  return [...names, ...found];
}

// The files that a pattern of `memory.files` means. Runs in Node.
import { glob } from 'node:fs/promises';
import { join, matchesGlob, relative } from 'node:path';
import { isKindOf } from './to-markdown.ts';

/** More files are a pattern that was not meant so. */
const mostFiles = 10_000;

/** True if one of the patterns matches the name and means files of its kind. */
export function isMeant(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => matchesGlob(name, pattern) && isKindOf(pattern, name));
}

export function isPattern(name: string): boolean {
  return /[*?[{]/.test(name);
}

/**
 * The names among `files`, and the files of known kinds that its patterns mean, relative to `dir`; hidden
 * folders and node_modules are passed over.
 */
export async function filesOf(dir: string, files: readonly string[]): Promise<string[]> {
  const patterns = files.filter(isPattern);
  const names = files.filter((name) => !isPattern(name));
  if (patterns.length === 0) return names;
  const found = new Set<string>();
  const exclude = ({ name }: { name: string }) => name.startsWith('.') || name === 'node_modules';
  for await (const entry of glob(patterns, { cwd: dir, withFileTypes: true, exclude })) {
    const name = relative(dir, join(entry.parentPath, entry.name));
    if (!entry.isFile() || !isMeant(patterns, name)) continue;
    found.add(name);
    if (found.size > mostFiles)
      throw new Error(
        `memory.files ${patterns.join(', ')} means more than ${mostFiles} files: narrow the pattern.`,
      );
  }
  return [...names, ...found];
}

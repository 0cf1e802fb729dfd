// The regular files below a folder, in the order of their paths, without following a link. Runs in Node.
import { byName } from '@holdfast/base/by-name';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Never holds the texts of a team. */
const skipped = (name: string): boolean => name.startsWith('.') || name === 'node_modules';

/** Relative paths with `/`, at most `limit`. Skips hidden ones. */
export async function filesUnder(folder: string, limit: number): Promise<string[]> {
  const files: string[] = [];
  const waiting = [''];
  for (let at = waiting.shift(); at !== undefined && files.length < limit; at = waiting.shift()) {
    const entries = await readdir(join(folder, at), { withFileTypes: true });
    for (const entry of entries.filter(({ name }) => !skipped(name)).sort(byName)) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile()) files.push(path);
    }
  }
  return files.slice(0, limit);
}

/** For people: relative to the base, unless it is the base or outside of it. */
export function shownPath(path: string, base: string): string {
  const inside = relative(base, path);
  return inside === '' || inside.startsWith('..') ? path : inside;
}

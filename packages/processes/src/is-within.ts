// Compares folders by their names alone. Runs in Node, pure.
import { resolve, sep } from 'node:path';

/** True if `path` is the folder or below it. Real paths only. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The inner folder of each pair of which one contains the other; all of `folders` without a second list. */
export function overlap(folders: readonly string[], others: readonly string[] | undefined): string[] {
  const all = folders.map((folder) => resolve(folder));
  if (others === undefined) return all;
  const inner = all.flatMap((folder) =>
    others
      .map((other) => resolve(other))
      .flatMap((other) => (isWithin(folder, other) ? [folder] : isWithin(other, folder) ? [other] : [])),
  );
  return [...new Set(inner)];
}

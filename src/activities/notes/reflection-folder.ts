// The folder with notes of failed agents on this machine, one Markdown file a note. The session names the folder, so it
// is checked: a start input must not make a worker read or write anywhere. Runs in Node.
import { isAbsolute, resolve, sep } from 'node:path';

/** `root`: Holdfast's own folder, absolute. `named`: folders that agents of the configuration name. */
export type ReflectionPlaces = { root: string; named: readonly string[] };

/** Throws for any other folder. */
export function openReflectionFolder(folder: string, { root, named }: ReflectionPlaces): string {
  if (named.includes(folder)) return resolve(root, folder);
  const path = resolve(root, folder);
  if (!isAbsolute(folder) && path.startsWith(root + sep)) return path;
  throw new Error(
    `The folder ${folder} of notes is refused: expected one that an agent of the configuration names (delegation.reflectionDir), or a path inside ${root}.`,
  );
}

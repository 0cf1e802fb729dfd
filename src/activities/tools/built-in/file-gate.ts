// Which paths are open to the file tools: by real path, under an allowed folder and in no closed one. Runs in Node.
import { relative, resolve, sep } from 'node:path';

/** An allowed place: real paths of itself and of the root that it is under, and the path to show the model. */
export type AllowedPath = { real: string; root: string; shown: string };

/** What is open, by real paths; `closedIn` names the closed folders under a place, relative to it. */
export type Gate = {
  roots: string[];
  isOpen(path: string, root: string): boolean;
  closedIn(place: AllowedPath): string[];
};

export function createGate(roots: string[], closed: string[], own: string[]): Gate {
  // A root that is itself inside a closed folder was meant to be open: the demo's incident lies in Holdfast's folder.
  const isMeant = (root: string, folder: string): boolean =>
    own.some((each) => each !== folder && isWithin(each, folder) && isWithin(root, each));
  const closedFor = (root: string): string[] =>
    closed.filter((folder) => folder === root || !isMeant(root, folder));
  return {
    roots,
    isOpen: (path, root) => isWithin(path, root) && !closedFor(root).some((folder) => isWithin(path, folder)),
    closedIn: ({ real, root }) =>
      closedFor(root)
        .filter((folder) => isWithin(folder, real))
        .map((folder) => relative(real, folder).replaceAll(sep, '/')),
  };
}

/** Of two folders one of which lies in the other, the inner one; without a second list all of the first. */
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

function isWithin(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

// The paths that are open to the file tools, by real path, and the opening of such a place. It is checked again once it
// is open, because a folder on the way may have become a link. Runs in Node.
import { constants } from 'node:fs';
import { open, readlink, type FileHandle } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { isWithin } from '@holdfast/processes/is-within';

/** A refusal or a missing file, in words for the model. Names nothing outside the roots. */
export class FileRefusal extends Error {
  override readonly name = 'FileRefusal';
}

/** Throws a file system error in words for the model; an unknown error shows its code only. */
export function throwRefusal(error: unknown): never {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  const known: Record<string, string> = {
    ENOENT: 'There is no such file or folder.',
    ENOTDIR: 'A part of the path is a file, not a folder.',
    EACCES: "The worker's user may not read that.",
    EPERM: "The worker's user may not read that.",
    ELOOP: 'Refused: the path ends in a symbolic link that could not be resolved.',
    ENAMETOOLONG: 'The path is too long.',
    ERR_INVALID_ARG_VALUE: 'The path holds a NUL character.',
  };
  throw new FileRefusal(known[code] ?? `It could not be read (${code}).`);
}

/** An allowed place: real paths of itself and of its root, and the path for the model. */
export type AllowedPath = { real: string; root: string; shown: string };

/** The open places, by real paths; `closedIn` names the closed folders below a place, relative to it. */
export type FileGate = {
  roots: string[];
  isOpen(path: string, root: string): boolean;
  closedIn(place: AllowedPath): string[];
};

/** The first root in which all of the paths are open. */
export function rootOf(gate: FileGate, ...paths: string[]): string | undefined {
  return gate.roots.find((root) => paths.every((path) => gate.isOpen(path, root)));
}

export function createGate(roots: string[], closed: string[], own: string[]): FileGate {
  // a root inside a closed folder is open on purpose: the demo's incident is in Holdfast's folder
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

type Opened = AllowedPath & { handle: FileHandle; sizeBytes: number; changed: Date };
export type OpenedFile = Opened & { isFolder: false };
export type OpenedFolder = Opened & {
  isFolder: true;
  /** On Linux the opened folder itself, even if its name now leads elsewhere; on other systems its path. */
  at: string;
  /** Closed folders below it, relative to it, with `/`. */
  closed: string[];
  /** Opens a file below it while `use` runs. `name` is relative, with `/`. */
  openFile<T>(name: string, use: Use<OpenedFile, T>): Promise<T>;
};
export type OpenedPlace = OpenedFile | OpenedFolder;
export type Use<Place, T> = (opened: Place) => Promise<T>;

/** Follows no link at the end, and does not wait for the writer of a pipe. */
export const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens a regular file or a folder while `use` runs. Throws a FileRefusal for anything else. */
export async function openPlace<T>(place: AllowedPath, gate: FileGate, use: Use<OpenedPlace, T>): Promise<T> {
  const { real, root, shown } = place;
  const handle = await open(real, openFlags).catch(throwRefusal);
  try {
    const stats = await handle.stat();
    if (!stats.isFile() && !stats.isDirectory()) throw new FileRefusal('That is not a regular file.');
    const path = await openedPath(handle, real);
    if (!gate.isOpen(path, root)) throw new FileRefusal('Refused: the path changed on the way.');
    const opened = { ...place, handle, sizeBytes: stats.size, changed: stats.mtime };
    if (stats.isFile()) return await use({ ...opened, isFolder: false });
    return await use({
      ...opened,
      isFolder: true,
      at: pathOf(handle, real),
      closed: gate.closedIn({ ...place, real: path }),
      openFile: (name, useFile) =>
        openFile({ real: join(real, name), root, shown: join(shown, name) }, gate, useFile),
    });
  } finally {
    await handle.close();
  }
}

export async function openFile<T>(place: AllowedPath, gate: FileGate, use: Use<OpenedFile, T>): Promise<T> {
  return openPlace(place, gate, async (opened) => {
    if (opened.isFolder) throw new FileRefusal('That is a folder: list it with ls.');
    return use(opened);
  });
}

// Linux knows the path of an open file, and can start from it
async function openedPath(handle: FileHandle, path: string): Promise<string> {
  return process.platform === 'linux' ? readlink(pathOf(handle, path)) : path;
}

function pathOf(handle: FileHandle, path: string): string {
  return process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : path;
}

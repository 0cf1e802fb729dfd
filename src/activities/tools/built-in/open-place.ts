// Opens an allowed file or folder, and looks again at what really was opened: a folder on the way may have become a
// link since its path was resolved. Runs in Node.
import { constants } from 'node:fs';
import { lstat, open, readlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { FileRefusal, toRefusal } from './file-refusal.ts';
import type { AllowedPath, Gate } from './file-gate.ts';

type Opened = AllowedPath & { handle: FileHandle; sizeBytes: number; changed: Date };
export type OpenedFile = Opened & { isFolder: false };
export type OpenedFolder = Opened & {
  isFolder: true;
  /** The opened folder itself on Linux, whatever its name leads to by now; elsewhere its path. */
  at: string;
  /** Folders under it that stay closed, relative to it, with `/`. */
  closed: string[];
};
export type OpenedPlace = OpenedFile | OpenedFolder;

// Not following a link at the end, and not waiting for the writer of a pipe.
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens a regular file or a folder. Throws a FileRefusal for anything else. */
export async function openPlace(place: AllowedPath, gate: Gate): Promise<OpenedPlace> {
  const handle = await open(place.real, openFlags).catch((error: unknown) => {
    throw toRefusal(error);
  });
  try {
    const stats = await handle.stat();
    if (!stats.isFile() && !stats.isDirectory()) throw new FileRefusal('That is not a regular file.');
    const path = await openedPath(handle, place.real);
    if (!gate.isOpen(path, place.root)) throw new FileRefusal('Refused: the path changed on the way.');
    const opened = { ...place, handle, sizeBytes: stats.size, changed: stats.mtime };
    if (stats.isFile()) return { ...opened, isFolder: false };
    return {
      ...opened,
      isFolder: true,
      at: pathOf(handle, place.real),
      closed: gate.closedIn({ ...place, real: path }),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The caller closes it. Undefined where the place is no folder: then nothing is open. */
export async function openFolder(place: AllowedPath, gate: Gate): Promise<OpenedFolder | undefined> {
  const stats = await lstat(place.real).catch((error: unknown) => {
    throw toRefusal(error);
  });
  // Listed by what it is: a pipe, or a file that may not be read, cannot be opened.
  if (!stats.isDirectory()) return undefined;
  const opened = await openPlace(place, gate);
  if (opened.isFolder) return opened;
  await opened.handle.close();
  return undefined;
}

// Linux tells what really was opened, and can go on from there.
async function openedPath(handle: FileHandle, path: string): Promise<string> {
  return process.platform === 'linux' ? readlink(pathOf(handle, path)) : path;
}

function pathOf(handle: FileHandle, path: string): string {
  return process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : path;
}

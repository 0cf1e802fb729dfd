// Which files a tool may touch: those whose real path lies under an allowed folder. Runs in Node. The kernel
// resolves links before the check, and what was opened is checked again. Messages name no path: what the model
// wrote must not come back as a tool's output, where it could be quoted as evidence.
import { constants } from 'node:fs';
import { open, readlink, realpath } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';

/** An allowed place: real paths of itself and of the root that it is under, and the path to show the model. */
export type AllowedPath = { real: string; root: string; shown: string };
export type OpenedFile = { handle: FileHandle; sizeBytes: number; changed: Date; shown: string };

/** A refusal or a missing file, in words for the model. Never says what is outside the roots. */
export class FileRefusal extends Error {
  override readonly name = 'FileRefusal';
}

export type FileRoots = {
  /** The roots that exist. */
  all(): Promise<AllowedPath[]>;
  /** The place that a path names; relative ones are looked for in every root, in order. Throws a FileRefusal. */
  resolve(path: string): Promise<AllowedPath>;
  /** Opens a regular file for reading; the caller closes it. Throws a FileRefusal for anything else. */
  open(path: string): Promise<OpenedFile>;
  /** What stands before a path relative to a root, for the model: nothing where there is only one root. */
  prefix(root: string): string;
};

/** Roots may be made after the start; relative ones count from the working directory. */
export function createFileRoots(folders: readonly string[]): FileRoots {
  const given = folders.map((folder) => resolve(folder));
  const prefix = (root: string): string => (given.length === 1 ? '' : root.endsWith(sep) ? root : root + sep);
  const allowed = (real: string, root: string): AllowedPath => ({
    real,
    root,
    shown: prefix(root) + relative(root, real) || '.',
  });
  const all = async (): Promise<AllowedPath[]> => {
    const found = await Promise.all(given.map((root) => realpath(root).catch(() => undefined)));
    return found.flatMap((root) => (root === undefined ? [] : [allowed(root, root)]));
  };
  const resolvePath = async (path: string): Promise<AllowedPath> => {
    const roots = (await all()).map(({ root }) => root);
    const candidates = (isAbsolute(path) ? [path] : roots.map((root) => join(root, path)))
      .map((candidate) => resolve(candidate))
      // Looked at by name first: whether a file outside exists must not be told either.
      .filter((candidate) => [...given, ...roots].some((root) => isWithin(candidate, root)));
    if (candidates.length === 0) throw outside();
    const real = await firstReal(candidates);
    const root = roots.find((candidate) => isWithin(real, candidate));
    if (root === undefined) throw outside();
    return allowed(real, root);
  };
  return { all, prefix, resolve: resolvePath, open: async (path) => openFile(await resolvePath(path)) };
}

async function firstReal(candidates: string[]): Promise<string> {
  let failure: unknown;
  for (const candidate of candidates) {
    try {
      return await realpath(candidate);
    } catch (error) {
      failure ??= error;
    }
  }
  throw toRefusal(failure);
}

// Not following a link at the end, and not waiting for the writer of a pipe.
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

async function openFile(at: AllowedPath): Promise<OpenedFile> {
  const handle = await open(at.real, openFlags).catch((error: unknown) => {
    throw toRefusal(error);
  });
  try {
    const stats = await handle.stat();
    if (stats.isDirectory()) throw new FileRefusal('That is a folder: list it with ls.');
    if (!stats.isFile()) throw new FileRefusal('That is not a regular file.');
    if (!isWithin(await openedPath(handle, at.real), at.root)) throw outside();
    return { handle, sizeBytes: stats.size, changed: stats.mtime, shown: at.shown };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

// A folder on the way may have become a link since it was resolved; Linux tells what really was opened.
async function openedPath(handle: FileHandle, path: string): Promise<string> {
  if (process.platform !== 'linux') return path;
  return readlink(`/proc/self/fd/${handle.fd}`);
}

function isWithin(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function outside(): FileRefusal {
  return new FileRefusal(
    'Refused: the path is outside the allowed folders. List them with ls without a path.',
  );
}

/** A file system error in words for the model; undefined errors and unknown codes keep their code only. */
export function toRefusal(error: unknown): FileRefusal {
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
  return new FileRefusal(known[code] ?? `It could not be read (${code}).`);
}

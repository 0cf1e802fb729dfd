// The files that a tool may touch: those whose real path is under an allowed folder, and in no closed one (Holdfast's own
// folder keeps the model's words, which are no evidence). Runs in Node. Messages name no path outside either.
import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import {
  FileRefusal,
  toRefusal,
  openFolder,
  openPlace,
  type OpenedFile,
  type OpenedFolder,
  type OpenedPlace,
  type AllowedPath,
  overlap,
  type Gate,
  createGate,
} from './file-access.ts';

/** Folders that file tools may read, and those that stay closed inside them. */
export type FileAccess = {
  roots: readonly string[];
  closed?: readonly string[];
  /** Only what lies in these folders as well: the roots of another configuration. */
  within?: readonly string[];
};

export type FileRoots = {
  /** The roots that exist. */
  all(): Promise<AllowedPath[]>;
  /** The place that a path names; relative ones are looked for in every root, in order. Throws a FileRefusal. */
  resolve(path: string): Promise<AllowedPath>;
  /** Opens a regular file for reading; the caller closes it. Throws a FileRefusal for anything else. */
  open(path: string): Promise<OpenedFile>;
  /** Opens a folder; the caller closes it. Undefined where the place is none. Throws a FileRefusal. */
  openFolder(place: AllowedPath): Promise<OpenedFolder | undefined>;
  /** The places of a search, open while `use` runs: the path, or every root. Throws a FileRefusal. */
  search<T>(path: string | undefined, use: (places: SearchPlaces) => Promise<T>): Promise<T>;
  /** For the model, before a path relative to a root: empty where there is only one root. */
  prefix(root: string): string;
};

/** `missing`: how many of the roots are not there. */
export type SearchPlaces = { places: OpenedPlace[]; missing: number };

/** Roots may be made after the start; relative ones count from the working directory. */
export function createFileRoots({ roots: folders, closed = [], within }: FileAccess): FileRoots {
  const given = overlap(folders, within);
  const prefix = (root: string): string => (given.length === 1 ? '' : root.endsWith(sep) ? root : root + sep);
  const allowed = (real: string, root: string): AllowedPath => ({
    real,
    root,
    shown: prefix(root) + relative(root, real) || '.',
  });
  // once a call: every folder is looked up on the disk for it
  const findGate = async (): Promise<Gate> => {
    // by real paths again: a link in a folder of one list may lead out of the other
    const own = await existing(folders);
    const roots = overlap(own, within && (await existing(within)));
    return createGate(roots, await existing(closed), own);
  };
  const openRoots = (gate: Gate): AllowedPath[] =>
    gate.roots.filter((root) => gate.isOpen(root, root)).map((root) => allowed(root, root));
  const resolveIn = async (gate: Gate, path: string): Promise<AllowedPath> => {
    const candidates = (isAbsolute(path) ? [path] : gate.roots.map((root) => join(root, path)))
      .map((candidate) => resolve(candidate))
      // Looked at by name first: whether a file outside exists must not be told either.
      .filter((candidate) => [...given, ...gate.roots].some((root) => gate.isOpen(candidate, root)));
    if (candidates.length === 0) throw outside();
    const real = await firstReal(candidates);
    const root = gate.roots.find((each) => gate.isOpen(real, each));
    if (root === undefined) throw outside();
    return allowed(real, root);
  };
  return {
    all: async () => openRoots(await findGate()),
    prefix,
    resolve: async (path) => resolveIn(await findGate(), path),
    async open(path) {
      const gate = await findGate();
      const opened = await openPlace(await resolveIn(gate, path), gate);
      if (!opened.isFolder) return opened;
      await opened.handle.close();
      throw new FileRefusal('That is a folder: list it with ls.');
    },
    openFolder: async (place) => openFolder(place, await findGate()),
    search: async (path, use) => {
      const gate = await findGate();
      const wanted = path === undefined ? openRoots(gate) : [await resolveIn(gate, path)];
      if (wanted.length === 0) throw new FileRefusal('None of the allowed folders exists.');
      const places: OpenedPlace[] = [];
      try {
        for (const place of wanted) places.push(await openPlace(place, gate));
        return await use({ places, missing: path === undefined ? given.length - wanted.length : 0 });
      } finally {
        await Promise.all(places.map(({ handle }) => handle.close()));
      }
    },
  };
}

async function existing(folders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)));
  return found.filter((folder) => folder !== undefined);
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

function outside(): FileRefusal {
  return new FileRefusal(
    'Refused: the path is outside the allowed folders. List them with ls without a path.',
  );
}

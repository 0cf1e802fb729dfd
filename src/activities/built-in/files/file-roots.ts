// The files that a tool may touch: those whose real path is under an allowed folder and in no closed one (Holdfast's own
// folder holds the model's words, which are no evidence). Runs in Node. Messages name no path outside.
import { present } from '@holdfast/base/present';
import { succeeds } from '@holdfast/base/succeeds';
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import {
  FileRefusal,
  throwRefusal,
  openFile,
  openPlace,
  type OpenedFile,
  type OpenedFolder,
  type OpenedPlace,
  type AllowedPath,
  type FileGate,
  type Use,
  createGate,
  rootOf,
} from './file-access.ts';
import { overlap } from '@holdfast/processes/is-within';
import type { CallFacts } from '@holdfast/vocabulary/tool-spec';

/** Folders that file tools may read, and closed folders inside them. */
export type FileAccess = {
  roots: readonly string[];
  closed?: readonly string[];
  /** The roots of another configuration: only their intersection with `roots` is open. */
  within?: readonly string[];
  /** Folders in them whose files may be changed; `within` as above. */
  writable?: { folders: readonly string[]; within?: readonly string[] };
};

/** One file of an opened folder; it may be missing. */
export type FileTarget = {
  /** Absolute and real. */
  path: string;
  /** The path in the form for the model. */
  shown: string;
  /** Leads to the file through its opened folder, so a folder that becomes a link leads nowhere else. */
  at: string;
  folder: OpenedFolder;
};

/** Roots may be created after the start; relative ones count from the working directory. Methods throw a FileRefusal. */
export class FileRoots {
  readonly #access: FileAccess;
  readonly #given: string[];

  constructor(access: FileAccess) {
    this.#access = access;
    this.#given = overlap(access.roots, access.within);
  }

  /** The roots that exist. */
  async all(): Promise<AllowedPath[]> {
    return this.#openRoots(await this.#findGate());
  }

  /** The place of a path; a relative path is searched in every root, in order. */
  async resolve(path: string): Promise<AllowedPath> {
    return this.#resolveIn(await this.#findGate(), path);
  }

  /** Opens a regular file for reading while `use` runs. */
  async open<T>(path: string, use: Use<OpenedFile, T>): Promise<T> {
    const gate = await this.#findGate();
    return openFile(await this.#resolveIn(gate, path), gate, use);
  }

  /** Opens a folder while `use` runs. Undefined if the place is no folder. */
  async openFolder<T>(place: AllowedPath, use: Use<OpenedFolder, T>): Promise<T | undefined> {
    // a pipe, or an unreadable file, can be listed but not opened
    if (!(await lstat(place.real).catch(throwRefusal)).isDirectory()) return undefined;
    return openPlace(place, await this.#findGate(), async (opened) =>
      opened.isFolder ? use(opened) : undefined,
    );
  }

  /** Opens the folder of a file that may be changed, and may be missing, while `use` runs. */
  async openTarget<T>(path: string, use: Use<FileTarget, T>): Promise<T> {
    const { real, shown } = await this.#locate(path);
    const gate = await this.#findWritable();
    const root = rootOf(gate, real, dirname(real));
    if (root === undefined) throw readOnly(gate);
    return openPlace({ real: dirname(real), root, shown }, gate, async (folder) => {
      if (!folder.isFolder) throw new FileRefusal('A part of the path is a file, not a folder.');
      return use({ path: real, shown, at: join(folder.at, basename(real)), folder });
    });
  }

  /** True if a file that was opened for reading may also be changed. */
  async isWritable({ real }: OpenedFile): Promise<boolean> {
    return rootOf(await this.#findWritable(), real) !== undefined;
  }

  /** The paths that a call reads, by name and by real path, for the policy. Without a path: every root. */
  async factsOf(path: string | undefined): Promise<CallFacts> {
    const gate = await this.#findGate();
    const named = path === undefined ? gate.roots : this.#candidates(gate, path);
    // a call that the tool will refuse has no real path
    const found = path === undefined ? undefined : await this.#resolveIn(gate, path).catch(() => undefined);
    const paths = [...new Set(present([...named, found?.real]))];
    return { actions: [{ effect: 'read', paths }] };
  }

  /** Opens the places of a search one after the other: the path, or every root. Returns the number of roots that do not exist. */
  async search(path: string | undefined, use: Use<OpenedPlace, void>): Promise<number> {
    const gate = await this.#findGate();
    const wanted = path === undefined ? this.#openRoots(gate) : [await this.#resolveIn(gate, path)];
    if (wanted.length === 0) throw new FileRefusal('None of the allowed folders exists.');
    for (const place of wanted) await openPlace(place, gate, use);
    return path === undefined ? this.#given.length - wanted.length : 0;
  }

  #findGate(): Promise<FileGate> {
    return findGate(this.#access);
  }

  #findWritable(): Promise<FileGate> {
    const { closed = [], writable: { folders, ...within } = { folders: [] } } = this.#access;
    return findGate({ roots: folders, closed, ...within });
  }

  #openRoots(gate: FileGate): AllowedPath[] {
    return gate.roots.filter((root) => gate.isOpen(root, root)).map((root) => this.#allowed(root, root));
  }

  async #resolveIn(gate: FileGate, path: string): Promise<AllowedPath> {
    return this.#placeOf(gate, await firstReal(this.#openCandidates(gate, path)));
  }

  /** The place of a file that may be missing. Of several roots the first that has it, or else its folder. */
  async #locate(path: string): Promise<AllowedPath> {
    const gate = await this.#findGate();
    const inFolders = await Promise.all(this.#openCandidates(gate, path).map(inRealFolder));
    const files = inFolders.filter((file) => file !== undefined);
    const exists = await Promise.all(files.map((file) => succeeds(lstat(file))));
    const real = files[exists.indexOf(true)] ?? files[0];
    if (real === undefined)
      throw new FileRefusal('There is no such folder: a file is made in one that exists.');
    return this.#placeOf(gate, real, dirname(real));
  }

  /** By name first: an answer must not show whether a file outside exists either. */
  #openCandidates(gate: FileGate, path: string): string[] {
    const candidates = this.#candidates(gate, path).filter((candidate) =>
      [...this.#given, ...gate.roots].some((root) => gate.isOpen(candidate, root)),
    );
    if (candidates.length === 0) throw outside();
    return candidates;
  }

  #candidates(gate: FileGate, path: string): string[] {
    const named = isAbsolute(path) ? [path] : gate.roots.map((root) => join(root, path));
    return named.map((candidate) => resolve(candidate));
  }

  /** Throws unless all of the paths are open in one root. */
  #placeOf(gate: FileGate, real: string, ...more: string[]): AllowedPath {
    const root = rootOf(gate, real, ...more);
    if (root === undefined) throw outside();
    return this.#allowed(real, root);
  }

  /** With a single root, paths are shown relative to it. */
  #allowed(real: string, root: string): AllowedPath {
    const prefix = this.#given.length === 1 ? '' : root.endsWith(sep) ? root : root + sep;
    return { real, root, shown: prefix + relative(root, real) || '.' };
  }
}

/** Undefined if the folder of the file does not exist. */
async function inRealFolder(file: string): Promise<string | undefined> {
  const folder = await realpath(dirname(file)).catch(() => undefined);
  return folder && join(folder, basename(file));
}

/** Once a call, because every folder is looked up on the disk. */
async function findGate({ roots, within, closed = [] }: Omit<FileAccess, 'writable'>): Promise<FileGate> {
  // by real paths again: a link in a folder of one list may lead out of the other
  const own = await existing(roots);
  return createGate(overlap(own, within && (await existing(within))), await existing(closed), own);
}

/** Real paths of the existing ones. */
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
  return throwRefusal(failure);
}

function outside(): FileRefusal {
  return new FileRefusal(
    'Refused: the path is outside the allowed folders. List them with ls without a path.',
  );
}

function readOnly({ roots }: FileGate): FileRefusal {
  const folders = roots.length > 0 ? `in ${roots.join(', ')}` : 'nowhere on this worker';
  return new FileRefusal(`Refused: that place is for reading only. Files may be changed ${folders}.`);
}

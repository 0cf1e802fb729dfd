// The files that a tool may touch: those whose real path is under an allowed folder and in no closed one (Holdfast's own
// folder holds the model's words, which are no evidence). Runs in Node. Messages name no path outside.
import { succeeds } from '../../../../core/base/succeeds.ts';
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import {
  FileRefusal,
  toRefusal,
  throwRefusal,
  openPlace,
  type OpenedFile,
  type OpenedFolder,
  type OpenedPlace,
  type AllowedPath,
  type Gate,
  createGate,
} from './file-access.ts';
import { overlap } from '../../../base/is-within.ts';
import type { CallFacts } from '../../../../core/model/tool-spec.ts';

/** Folders that file tools may read, and closed folders inside them. */
export type FileAccess = {
  roots: readonly string[];
  closed?: readonly string[];
  /** The roots of another configuration: only their intersection with `roots` is open. */
  within?: readonly string[];
  /** Folders in them whose files may be changed; `within` as above. */
  writable?: { folders: readonly string[]; within?: readonly string[] };
};

/** `folder` is a real path, `shown` the file's path for the model. */
export type FilePlace = { folder: string; name: string; shown: string };

/** `missing` counts the roots that do not exist. */
export type SearchPlaces = { places: OpenedPlace[]; missing: number };

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

  /** The folder of the path's file, which may be missing. Of several roots the first that has the folder. */
  async locate(path: string): Promise<FilePlace> {
    const gate = await this.#findGate();
    const places = await Promise.all(this.#openCandidates(gate, path).map(toPlace));
    const there = places.filter((place) => place !== undefined);
    const place = there.find(({ exists }) => exists) ?? there[0];
    if (place === undefined)
      throw new FileRefusal('There is no such folder: a file is made in one that exists.');
    const real = join(place.folder, place.name);
    const root = gate.roots.find((each) => gate.isOpen(real, each) && gate.isOpen(place.folder, each));
    if (root === undefined) throw outside();
    return { ...place, shown: this.#allowed(real, root).shown };
  }

  /** Opens a regular file for reading; the caller closes it. */
  async open(path: string): Promise<OpenedFile> {
    const gate = await this.#findGate();
    return openFile(await this.#resolveIn(gate, path), gate, 'That is a folder: list it with ls.');
  }

  /** Opens a file below an open folder; the caller closes it. `name` is relative, with `/`. */
  async openIn(folder: OpenedFolder, name: string): Promise<OpenedFile> {
    const place = { real: join(folder.real, name), root: folder.root, shown: join(folder.shown, name) };
    return openFile(place, await this.#findGate(), 'That is a folder now.');
  }

  /** Opens a folder; the caller closes it. Undefined if the place is no folder. */
  async openFolder(place: AllowedPath): Promise<OpenedFolder | undefined> {
    // a pipe, or an unreadable file, can be listed but not opened
    if (!(await lstat(place.real).catch(throwRefusal)).isDirectory()) return undefined;
    const opened = await openPlace(place, await this.#findGate());
    if (opened.isFolder) return opened;
    await opened.handle.close();
    return undefined;
  }

  /** The paths that a call reads, by name and by real path, for the policy. Without a path: every root. */
  async factsOf(path: string | undefined): Promise<CallFacts> {
    const gate = await this.#findGate();
    const named = path === undefined ? gate.roots : this.#candidates(gate, path);
    // a call that the tool will refuse has no real path
    const found = path === undefined ? undefined : await this.#resolveIn(gate, path).catch(() => undefined);
    const paths = [...new Set([...named, ...(found ? [found.real] : [])])];
    return { actions: [{ effect: 'read', paths }] };
  }

  /** The places of a search, open while `use` runs: the path, or every root. */
  async search<T>(path: string | undefined, use: (places: SearchPlaces) => Promise<T>): Promise<T> {
    const gate = await this.#findGate();
    const wanted = path === undefined ? this.#openRoots(gate) : [await this.#resolveIn(gate, path)];
    if (wanted.length === 0) throw new FileRefusal('None of the allowed folders exists.');
    const places: OpenedPlace[] = [];
    try {
      for (const place of wanted) places.push(await openPlace(place, gate));
      return await use({ places, missing: path === undefined ? this.#given.length - wanted.length : 0 });
    } finally {
      await Promise.all(places.map(({ handle }) => handle.close()));
    }
  }

  #findGate(): Promise<Gate> {
    return findGate(this.#access);
  }

  #openRoots(gate: Gate): AllowedPath[] {
    return gate.roots.filter((root) => gate.isOpen(root, root)).map((root) => this.#allowed(root, root));
  }

  async #resolveIn(gate: Gate, path: string): Promise<AllowedPath> {
    const real = await firstReal(this.#openCandidates(gate, path));
    const root = gate.roots.find((each) => gate.isOpen(real, each));
    if (root === undefined) throw outside();
    return this.#allowed(real, root);
  }

  /** By name first: an answer must not show whether a file outside exists either. */
  #openCandidates(gate: Gate, path: string): string[] {
    const candidates = this.#candidates(gate, path).filter((candidate) =>
      [...this.#given, ...gate.roots].some((root) => gate.isOpen(candidate, root)),
    );
    if (candidates.length === 0) throw outside();
    return candidates;
  }

  #candidates(gate: Gate, path: string): string[] {
    const named = isAbsolute(path) ? [path] : gate.roots.map((root) => join(root, path));
    return named.map((candidate) => resolve(candidate));
  }

  /** With a single root, paths are shown relative to it. */
  #allowed(real: string, root: string): AllowedPath {
    const prefix = this.#given.length === 1 ? '' : root.endsWith(sep) ? root : root + sep;
    return { real, root, shown: prefix + relative(root, real) || '.' };
  }
}

async function openFile(place: AllowedPath, gate: Gate, ifFolder: string): Promise<OpenedFile> {
  const opened = await openPlace(place, gate);
  if (!opened.isFolder) return opened;
  await opened.handle.close();
  throw new FileRefusal(ifFolder);
}

async function toPlace(path: string): Promise<(FilePlace & { exists: boolean }) | undefined> {
  const folder = await realpath(dirname(path)).catch(() => undefined);
  if (folder === undefined) return undefined;
  const name = basename(path);
  return { folder, name, shown: path, exists: await succeeds(lstat(join(folder, name))) };
}

/** Once a call, because every folder is looked up on the disk. */
export async function findGate({ roots, within, closed = [] }: Omit<FileAccess, 'writable'>): Promise<Gate> {
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
  throw toRefusal(failure);
}

function outside(): FileRefusal {
  return new FileRefusal(
    'Refused: the path is outside the allowed folders. List them with ls without a path.',
  );
}

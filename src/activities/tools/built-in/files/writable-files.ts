// The files that a tool may change: those of the readable folders that are in a writable one too, both by real paths.
// Runs in Node. A file is reached through its opened folder, so a folder that becomes a link leads nowhere else.
import { join } from 'node:path';
import { FileRefusal, type Gate, openPlace, type OpenedFolder } from './file-access.ts';
import { type FileAccess, FileRoots, findGate } from './file-roots.ts';

/** One file of an opened folder; it may be missing. */
export type FileTarget = {
  /** Absolute and real. */
  path: string;
  /** The path in the form for the model. */
  shown: string;
  /** Leads to the file through its opened folder. */
  at: string;
  name: string;
  folder: OpenedFolder;
};

export class WritableFiles {
  readonly #access: FileAccess;
  readonly #roots: FileRoots;

  constructor(access: FileAccess) {
    this.#access = access;
    this.#roots = new FileRoots(access);
  }

  /** Opens the folder of the file while `use` runs. Throws a FileRefusal if the file may not be changed. */
  async use<T>(path: string, use: (target: FileTarget) => Promise<T>): Promise<T> {
    const { folder: real, name, shown } = await this.#roots.locate(path);
    const gate = await this.#findGate();
    const file = join(real, name);
    const root = gate.roots.find((each) => gate.isOpen(file, each) && gate.isOpen(real, each));
    if (root === undefined) throw this.#readOnly(gate);
    const folder = await openPlace({ real, root, shown }, gate);
    try {
      if (!folder.isFolder) throw new FileRefusal('A part of the path is a file, not a folder.');
      return await use({ path: file, shown, at: join(folder.at, name), name, folder });
    } finally {
      await folder.handle.close();
    }
  }

  /** True if a file that was opened for reading may also be changed. */
  async isOpen(real: string): Promise<boolean> {
    const gate = await this.#findGate();
    return gate.roots.some((root) => gate.isOpen(real, root));
  }

  #findGate(): Promise<Gate> {
    const { closed = [], writable: { folders, ...within } = { folders: [] } } = this.#access;
    return findGate({ roots: folders, closed, ...within });
  }

  #readOnly({ roots }: Gate): FileRefusal {
    const folders = roots.length > 0 ? `in ${roots.join(', ')}` : 'nowhere on this worker';
    return new FileRefusal(`Refused: that place is for reading only. Files may be changed ${folders}.`);
  }
}

// Notes that agents write for each other: texts by name, in the session's artifacts, a folder, or PostgreSQL. Runs in
// Node.
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ifMissing } from '@holdfast/base/has-code';
import type { ArtifactStore } from './artifact-store.ts';
import { once, openPool } from './postgres-pool.ts';
import type { PostgresSettings } from './postgres-settings.ts';
import { writeWhole } from './write-whole.ts';

/** A name is letters, digits, ".", "_" and "-". */
export type NoteStore = {
  /** Names, in any order. */
  list(): Promise<string[]>;
  /** Undefined if there is no such note. */
  read(name: string): Promise<string | undefined>;
  /** Replaces a note of this name. */
  write(name: string, text: string): Promise<void>;
};

/** The notes of a session and its subagents, by the id of the session at the top; the artifacts are those of the worker. */
export type OpenNotes = (top: string, artifacts: Pick<ArtifactStore, 'get' | 'put' | 'list'>) => NoteStore;

const prefix = 'note-';

/** Removed with the session. */
export const sessionNotes: OpenNotes = (top, artifacts) => {
  return {
    async list() {
      if (!artifacts.list)
        throw new Error(
          'The artifact store cannot list: name a folder or a database in "notes" of the config.',
        );
      const all = await Array.fromAsync(artifacts.list(top), ({ name }) => name);
      return all.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
    },
    async read(name) {
      const bytes = await artifacts.get(top, prefix + name);
      return bytes && Buffer.from(bytes).toString('utf8');
    },
    write: (name, text) => artifacts.put(top, prefix + name, text),
  };
};

const extension = '.md';

/** One Markdown file a note; a link in the folder is no note. */
export function folderNotes(folder: string): NoteStore {
  const pathOf = (name: string): string => join(folder, name + extension);
  return {
    async list() {
      const entries = await readdir(folder, { withFileTypes: true }).catch(ifMissing([]));
      const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(extension));
      return files
        .map(({ name }) => name.slice(0, -extension.length))
        .filter((name) => !name.startsWith('.'));
    },
    async read(name) {
      const found = await lstat(pathOf(name)).catch(ifMissing(undefined));
      return found?.isFile() ? readFile(pathOf(name), 'utf8') : undefined;
    },
    write: (name, text) => writeWhole(folder, name + extension, text),
  };
}

const schema = 'create table if not exists holdfast_notes (name text primary key, text text not null)';

/** Connects at its first use, and creates its table. */
export function postgresNotes(
  settings: () => Promise<PostgresSettings>,
): NoteStore & { close(): Promise<void> } {
  const opened = once(async () => openPool(await settings(), schema));
  const rowsOf = async (sql: string, ...values: unknown[]) =>
    (await (await opened()).query(sql, values)).rows;
  return {
    async list() {
      return (await rowsOf('select name from holdfast_notes')).map(({ name }) => String(name));
    },
    async read(name) {
      const [row] = await rowsOf('select text from holdfast_notes where name = $1', name);
      return row && String(row['text']);
    },
    async write(name, text) {
      const sql =
        'insert into holdfast_notes values ($1, $2) on conflict (name) do update set text = excluded.text';
      await rowsOf(sql, name, text);
    },
    async close() {
      await (await opened.value)?.end();
    },
  };
}

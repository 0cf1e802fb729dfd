// Memory in one SQLite file beside the notes, for one host, also with several workers. The driver is Node's own and
// synchronous; a search takes milliseconds. Runs in Node.
import { appendFileSync, closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { addedText, newOf } from './captured-block.ts';
import { indexedWords } from './search-words.ts';
import {
  type CapturedBlock,
  type ChunkVector,
  type FoundChunk,
  type MemoryChunk,
  type MemoryStore,
  newestOfSections,
  notesFile,
  toChunk,
} from './memory-store.ts';
import { KeptVectors, toVectorBytes, toVectors } from './vectors.ts';

/** Another worker of the host may be writing. */
const busyMs = 5_000;

const schema = `
  create table if not exists sources (name text primary key, digest text not null);
  create table if not exists embedder (name text not null);
  create table if not exists forgotten (id text primary key);
  create table if not exists chunks (
    number integer primary key, id text not null unique, source text not null, title text not null, text text not null,
    section integer not null, position integer not null, at integer not null, vector blob
  );
  create index if not exists chunks_by_source on chunks (source);
  create virtual table if not exists word_index using fts5 (words, tokenize = 'porter unicode61');
`;
const isInScope = "(source not like 'file:%' or source in (select value from json_each(?)))";
const fields = 'chunks.id, source, title, text, section, position, at';

/**
 * `path` of the database, which is created if missing (default: in this process alone); `notes` is the file to which facts
 * are appended.
 */
export class SqliteStore implements MemoryStore {
  files: readonly string[] = [];
  readonly #notes: string;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #vectors = new KeptVectors();

  constructor({ path, notes }: { path?: string; notes?: string } = {}) {
    if (path !== undefined) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      // findings about other people's systems are not for everybody on the host
      closeSync(openSync(path, 'a', 0o600));
    }
    // only here: early versions of Node 24 print a warning when the module is loaded
    const sqlite = process.getBuiltinModule('node:sqlite');
    this.#notes = notes ?? '';
    this.#database = new sqlite.DatabaseSync(path ?? ':memory:', { timeout: busyMs });
    this.#database.exec(`pragma journal_mode = wal; ${schema}`);
  }

  async digestOf(source: string): Promise<string | undefined> {
    const [row] = this.#all('select digest from sources where name = ?', source);
    return row && String(row['digest']);
  }

  async sources(): Promise<string[]> {
    return this.#all('select name from sources').map(({ name }) => String(name));
  }

  async index(source: string, digest: string, chunks: readonly MemoryChunk[]): Promise<void> {
    this.#alone(() => {
      const forgotten = new Set(this.#all('select id from forgotten').map(({ id }) => id));
      const kept = chunks.filter(({ id }) => !forgotten.has(id));
      const ids = new Set(kept.map(({ id }) => id));
      for (const { id } of this.#all('select id from chunks where source = ?', source))
        if (!ids.has(String(id))) this.#remove(String(id));
      for (const chunk of kept) this.#put(chunk);
      this.#run(
        'insert into sources values (?, ?) on conflict (name) do update set digest = excluded.digest',
        source,
        digest,
      );
    });
  }

  async find(words: readonly string[], limit: number): Promise<FoundChunk[]> {
    if (words.length === 0) return [];
    const found = this.#all(
      `select ${fields}, -bm25(word_index) as score from word_index join chunks on number = word_index.rowid
       where word_index match ? and ${isInScope} order by score desc, chunks.id limit ?`,
      words.map((word) => `"${word}"`).join(' OR '),
      JSON.stringify(this.files),
      limit,
    );
    return found.map((row) => ({ ...toChunk(row), score: Number(row['score']) }));
  }

  async latest(limit: number): Promise<MemoryChunk[]> {
    const rows = this.#all(
      `select ${fields} from chunks where source like ? and ${isInScope} and section > 0
       order by section desc, position desc`,
      `%${notesFile}`,
      JSON.stringify(this.files),
    );
    return newestOfSections(rows.map(toChunk), limit);
  }

  async get(ids: readonly string[]): Promise<MemoryChunk[]> {
    return ids.flatMap((id) => this.#all(`select ${fields} from chunks where id = ?`, id).map(toChunk));
  }

  async vectors(): Promise<ChunkVector[]> {
    const known = `select id from chunks where vector is not null and ${isInScope}`;
    const rows = this.#all(known, JSON.stringify(this.files));
    const sql = 'select id, vector from chunks where id in (select value from json_each(?))';
    return this.#vectors.of(
      rows.map(({ id }) => String(id)),
      async (ids) => toVectors(this.#all(sql, JSON.stringify(ids))),
    );
  }

  async useEmbedder(name: string): Promise<void> {
    this.#alone(() => {
      if (this.#isInUse(name)) return;
      this.#vectors.clear();
      this.#run('update chunks set vector = null');
      this.#run('delete from embedder');
      this.#run('insert into embedder values (?)', name);
    });
  }

  async withoutVector(limit: number): Promise<MemoryChunk[]> {
    const sql = `select ${fields} from chunks where vector is null and ${isInScope} limit ?`;
    return this.#all(sql, JSON.stringify(this.files), limit).map(toChunk);
  }

  async setVectors(embedder: string, vectors: readonly ChunkVector[]): Promise<boolean> {
    return this.#alone(() => {
      if (!this.#isInUse(embedder)) return false;
      for (const { id, vector } of vectors)
        this.#run('update chunks set vector = ? where id = ?', toVectorBytes(vector), id);
      return true;
    });
  }

  async forget(id: string): Promise<boolean> {
    return this.#alone(() => {
      const was = this.#remove(id);
      if (was) this.#run('insert or ignore into forgotten values (?)', id);
      return was;
    });
  }

  /** The lock of the database also guards the file. */
  async appendOnce(block: CapturedBlock): Promise<number> {
    return this.#alone(() => {
      const text = existsSync(this.#notes) ? readFileSync(this.#notes, 'utf8') : '';
      const added = newOf(block, text);
      if (added.facts.length > 0) appendFileSync(this.#notes, addedText(text, added));
      return added.facts.length;
    });
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  #prepared(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #all(sql: string, ...values: SQLInputValue[]) {
    return this.#prepared(sql).all(...values);
  }

  #run(sql: string, ...values: SQLInputValue[]) {
    return this.#prepared(sql).run(...values);
  }

  #isInUse(embedder: string): boolean {
    return this.#all('select 1 from embedder where name = ?', embedder).length > 0;
  }

  #remove(id: string): boolean {
    this.#run('delete from word_index where rowid = (select number from chunks where id = ?)', id);
    return this.#run('delete from chunks where id = ?', id).changes > 0;
  }

  #put({ id, source, title, text, section, position, at }: MemoryChunk): void {
    const isNew = this.#all('select 1 from chunks where id = ?', id).length === 0;
    const { lastInsertRowid: number } = this.#run(
      `insert into chunks (id, source, title, text, section, position, at) values (?, ?, ?, ?, ?, ?, ?)
       on conflict (id) do update set section = excluded.section, position = excluded.position`,
      id,
      source,
      title,
      text,
      section,
      position,
      at,
    );
    const words = indexedWords(`${title} ${text}`);
    if (isNew) this.#run('insert into word_index (rowid, words) values (?, ?)', number, words);
  }

  /** Excludes all other processes that have the file open. */
  #alone<T>(work: () => T): T {
    this.#database.exec('begin immediate');
    try {
      const result = work();
      this.#database.exec('commit');
      return result;
    } catch (error) {
      this.#database.exec('rollback');
      throw error;
    }
  }
}

// Memory in one file of SQLite, beside the notes themselves: for one host, also with several workers. The driver is Node's own
// and synchronous; a search takes milliseconds. Runs in Node.
import { hasCode } from '../../core/base/has-code.ts';
import { appendFileSync, closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { addedText, blockMark } from './captured-block.ts';
import { indexedWords } from './search-words.ts';
import {
  type FoundChunk,
  type MemoryChunk,
  type MemoryStore,
  newestOfSections,
  notesFile,
} from './memory-store.ts';
import { toBytes, toVector } from './vectors.ts';

/** Another worker of the host may be writing. */
const busyMs = 5_000;

const schema = `
  create table if not exists sources (name text primary key, digest text not null);
  create table if not exists forgotten (id text primary key);
  create table if not exists chunks (
    number integer primary key, id text not null unique, source text not null, title text not null, text text not null,
    section integer not null, position integer not null, at integer not null, vector blob
  );
  create index if not exists chunks_by_source on chunks (source);
  create virtual table if not exists word_index using fts5 (words, tokenize = 'porter unicode61');
`;
const fields = 'chunks.id, source, title, text, section, position, at';

type Row = Record<string, SQLOutputValue>;

/** `path` of the database, which is made where there is none; `notes` is the file that facts are appended to. */
export function createSqliteStore({ path, notes }: { path: string; notes: string }): MemoryStore {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // what was found out about the systems of others is not for everybody on the host
  closeSync(openSync(path, 'a', 0o600));
  // only here: early versions of Node 24 print a warning when it is loaded
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const database = new DatabaseSync(path, { timeout: busyMs });
  database.exec(`pragma journal_mode = wal; ${schema}`);
  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const all = (sql: string, ...values: SQLInputValue[]): Row[] => prepared(sql).all(...values);
  const run = (sql: string, ...values: SQLInputValue[]) => prepared(sql).run(...values);
  const remove = (id: string): boolean => {
    run('delete from word_index where rowid = (select number from chunks where id = ?)', id);
    return run('delete from chunks where id = ?', id).changes > 0;
  };
  const put = ({ id, source, title, text, section, position, at }: MemoryChunk): void => {
    const place =
      'on conflict (id) do update set section = excluded.section, position = excluded.position, at = excluded.at';
    const isNew = all('select 1 from chunks where id = ?', id).length === 0;
    const { lastInsertRowid: number } = run(
      `insert into chunks (id, source, title, text, section, position, at) values (?, ?, ?, ?, ?, ?, ?) ${place}`,
      ...[id, source, title, text, section, position, at],
    );
    if (isNew)
      run('insert into word_index (rowid, words) values (?, ?)', number, indexedWords(`${title} ${text}`));
  };
  /** Alone among all processes that have the file open. */
  const alone = <T>(work: () => T): T => {
    database.exec('begin immediate');
    try {
      const result = work();
      database.exec('commit');
      return result;
    } catch (error) {
      database.exec('rollback');
      throw error;
    }
  };
  return {
    digestOf: async (source) =>
      textOr(all('select digest from sources where name = ?', source)[0]?.['digest']),
    index: async (source, digest, chunks) =>
      alone(() => {
        const forgotten = new Set(all('select id from forgotten').map(({ id }) => id));
        const kept = chunks.filter(({ id }) => !forgotten.has(id));
        const ids = new Set(kept.map(({ id }) => id));
        for (const { id } of all('select id from chunks where source = ?', source))
          if (!ids.has(String(id))) remove(String(id));
        kept.forEach(put);
        run(
          'insert into sources values (?, ?) on conflict (name) do update set digest = excluded.digest',
          source,
          digest,
        );
      }),
    find: async (words, limit) => {
      if (words.length === 0) return [];
      const query = words.map((word) => `"${word}"`).join(' OR ');
      const found = all(
        `select ${fields}, -bm25(word_index) as score from word_index join chunks on number = word_index.rowid
         where word_index match ? order by score desc, chunks.id limit ?`,
        ...[query, limit],
      );
      return found.map((row): FoundChunk => ({ ...toChunk(row), score: Number(row['score']) }));
    },
    latest: async (limit) => {
      const order = 'at desc, section desc, position desc';
      const rows = all(
        `select ${fields} from chunks where source = ? and section > 0 order by ${order}`,
        notesFile,
      );
      return newestOfSections(rows.map(toChunk), limit);
    },
    get: async (ids) =>
      ids.flatMap((id) => all(`select ${fields} from chunks where id = ?`, id).map(toChunk)),
    vectors: async () =>
      all('select id, vector from chunks where vector is not null').flatMap(({ id, vector }) =>
        vector instanceof Uint8Array ? [{ id: String(id), vector: toVector(vector) }] : [],
      ),
    withoutVector: async (limit) =>
      all(`select ${fields} from chunks where vector is null limit ?`, limit).map(toChunk),
    setVectors: async (vectors) =>
      alone(() => {
        for (const { id, vector } of vectors)
          run('update chunks set vector = ? where id = ?', toBytes(vector), id);
      }),
    forget: async (id) =>
      alone(() => {
        const was = remove(id);
        if (was) run('insert or ignore into forgotten values (?)', id);
        return was;
      }),
    // the lock of the database is that of the file too
    appendOnce: async (block) =>
      alone(() => {
        const text = readNotes(notes);
        if (text.includes(blockMark(block.key))) return false;
        appendFileSync(notes, addedText(text, block));
        return true;
      }),
    close: async () => database.close(),
  };
}

function toChunk({ id, source, title, text, section, position, at }: Row): MemoryChunk {
  return {
    ...{ id: String(id), source: String(source), title: String(title), text: String(text) },
    ...{ section: Number(section), position: Number(position), at: Number(at) },
  };
}

function textOr(value: SQLOutputValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function readNotes(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return '';
    throw error;
  }
}

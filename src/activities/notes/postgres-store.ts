// Memory in PostgreSQL, for workers on many hosts: its own full-text search, no extension. Captured facts go into the
// database and not into a file, because other hosts do not see the file of one. Runs in Node.
import type { Pool, Queryable } from 'pg';
import { blockText, newOf } from './captured-block.ts';
import { chunkText } from './chunk-text.ts';
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
import { inTransaction, once, openPool } from '../storage/postgres-pool.ts';
import type { PostgresSettings } from '../storage/postgres-settings.ts';
import { indexedWords } from './search-words.ts';
import { KeptVectors, toVectorBytes, toVectors } from './vectors.ts';

const schema = `
  create table if not exists holdfast_memory_sources (name text primary key, digest text not null);
  create table if not exists holdfast_memory_embedder (name text not null);
  create table if not exists holdfast_memory_forgotten (id text primary key);
  create table if not exists holdfast_memory_chunks (
    id text primary key, source text not null, title text not null, text text not null, section int not null,
    position int not null, at bigint not null, words tsvector not null, vector bytea
  );
  create index if not exists holdfast_memory_by_source on holdfast_memory_chunks (source);
  create index if not exists holdfast_memory_by_word on holdfast_memory_chunks using gin (words);
`;
const chunks = 'holdfast_memory_chunks';
const isNotes = "(starts_with(source, $2 || '#') or source like '%' || $2)";
const isInScope = "(source not like 'file:%' or source = any($1))";
const fields = 'id, source, title, text, section, position, at';
type Row = Record<string, unknown>;

/** Connects at its first use, and creates its tables. */
export class PostgresStore implements MemoryStore {
  files: readonly string[] = [];
  readonly #opened: ReturnType<typeof once<Pool>>;
  readonly #vectors = new KeptVectors();

  constructor(settings: () => Promise<PostgresSettings>) {
    this.#opened = once(async () => openPool(await settings(), schema));
  }

  async digestOf(source: string): Promise<string | undefined> {
    const [row] = await this.#rows('select digest from holdfast_memory_sources where name = $1', source);
    return row && String(row['digest']);
  }

  async sources(): Promise<string[]> {
    const rows = await this.#rows('select name from holdfast_memory_sources');
    return rows.map(({ name }) => String(name));
  }

  index(source: string, digest: string, given: readonly MemoryChunk[]): Promise<void> {
    return this.#alone((client) => replace(client, source, digest, given));
  }

  async find(words: readonly string[], limit: number): Promise<FoundChunk[]> {
    const found = await this.#rows(
      `select ${fields}, ts_rank(words, query, 1) as score from ${chunks}, to_tsquery('english', $2) query
       where words @@ query and ${isInScope} order by score desc, id limit $3`,
      this.files,
      words.join(' | '),
      limit,
    );
    return found.map((row): FoundChunk => ({ ...toChunk(row), score: Number(row['score']) }));
  }

  async latest(limit: number): Promise<MemoryChunk[]> {
    const found = await this.#rows(
      `select ${fields} from ${chunks} where ${isNotes} and ${isInScope} and section > 0
       order by at desc, section desc, position desc`,
      this.files,
      notesFile,
    );
    return newestOfSections(found.map(toChunk), limit);
  }

  async get(ids: readonly string[]): Promise<MemoryChunk[]> {
    const rows = await this.#rows(`select ${fields} from ${chunks} where id = any($1)`, ids);
    const found = rows.map(toChunk);
    return ids.flatMap((id) => found.filter((chunk) => chunk.id === id));
  }

  async vectors(): Promise<ChunkVector[]> {
    const known = `select id from ${chunks} where vector is not null and ${isInScope}`;
    const rows = await this.#rows(known, this.files);
    const sql = `select id, vector from ${chunks} where id = any($1)`;
    return this.#vectors.of(
      rows.map(({ id }) => String(id)),
      async (ids) => toVectors(await this.#rows(sql, ids)),
    );
  }

  useEmbedder(name: string): Promise<void> {
    return this.#alone(async (client) => {
      if (await isNamed(client, 'embedder', name)) return;
      this.#vectors.clear();
      await client.query(`update ${chunks} set vector = null`);
      await client.query('delete from holdfast_memory_embedder');
      await client.query('insert into holdfast_memory_embedder values ($1)', [name]);
    });
  }

  async withoutVector(limit: number): Promise<MemoryChunk[]> {
    const sql = `select ${fields} from ${chunks} where vector is null and ${isInScope} limit $2`;
    const rows = await this.#rows(sql, this.files, limit);
    return rows.map(toChunk);
  }

  setVectors(embedder: string, vectors: readonly ChunkVector[]): Promise<boolean> {
    return this.#alone(async (client) => {
      if (!(await isNamed(client, 'embedder', embedder))) return false;
      for (const { id, vector } of vectors) {
        const bytes = Buffer.from(toVectorBytes(vector));
        await client.query(`update ${chunks} set vector = $1 where id = $2`, [bytes, id]);
      }
      return true;
    });
  }

  forget(id: string): Promise<boolean> {
    return this.#alone(async (client) => {
      const { rowCount } = await client.query(`delete from ${chunks} where id = $1`, [id]);
      if (!rowCount) return false;
      await client.query('insert into holdfast_memory_forgotten values ($1) on conflict do nothing', [id]);
      return true;
    });
  }

  appendOnce(block: CapturedBlock): Promise<number> {
    return this.#alone(async (client) => {
      // a source of its own, so that no host replaces another's facts
      const source = `${notesFile}#${block.key}`;
      if (await isNamed(client, 'sources', source)) return 0;
      const notes = `select text from ${chunks} where ${isNotes} and ${isInScope}`;
      const { rows } = await client.query(notes, [this.files, notesFile]);
      const added = newOf(block, rows.map(({ text }) => String(text)).join('\n'));
      if (added.facts.length > 0)
        await replace(client, source, block.key, chunkText(source, blockText(added), block.at));
      return added.facts.length;
    });
  }

  async close(): Promise<void> {
    await (await this.#opened.value)?.end();
  }

  async #rows(sql: string, ...values: unknown[]): Promise<Row[]> {
    const pool = await this.#opened();
    return (await pool.query(sql, values)).rows;
  }

  /** In a transaction that excludes all other hosts. */
  async #alone<T>(work: (client: Queryable) => Promise<T>): Promise<T> {
    return inTransaction(await this.#opened(), work);
  }
}

async function isNamed(client: Queryable, table: 'sources' | 'embedder', name: string): Promise<boolean> {
  const { rows } = await client.query(`select 1 from holdfast_memory_${table} where name = $1`, [name]);
  return rows.length > 0;
}

async function replace(
  client: Queryable,
  source: string,
  digest: string,
  given: readonly MemoryChunk[],
): Promise<void> {
  const ids = given.map(({ id }) => id);
  await client.query(`delete from ${chunks} where source = $1 and not (id = any($2))`, [source, ids]);
  for (const { id, title, text, section, position, at } of given) {
    await client.query(
      `insert into ${chunks} (${fields}, words)
       select $1, $2, $3, $4, $5, $6, $7, to_tsvector('english', $8)
       where not exists (select 1 from holdfast_memory_forgotten where id = $1)
       on conflict (id) do update set section = excluded.section, position = excluded.position`,
      [id, source, title, text, section, position, at, indexedWords(`${title} ${text}`)],
    );
  }
  await client.query(
    'insert into holdfast_memory_sources values ($1, $2) on conflict (name) do update set digest = excluded.digest',
    [source, digest],
  );
}

// Connections to a PostgreSQL database of memory or notes. Runs in Node; the package pg is loaded only here, because only
// its users install it.
import type { Pool, Queryable } from 'pg';
import { loadPeer } from '../base/load-peer.ts';
import type { PostgresSettings } from './postgres-settings.ts';

const connections = 4;
const connectMs = 5_000;
const queryMs = 20_000;
/** An arbitrary number, on which the writers of one database wait for each other. */
const lock = 'select pg_advisory_xact_lock(4711028)';

/** In a transaction that excludes all other hosts. */
export async function inTransaction<T>(pool: Pool, work: (client: Queryable) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failure: unknown;
  try {
    await client.query('begin');
    await client.query(lock);
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    // a connection whose transaction failed is closed, and so rolled back
    client.release(failure);
  }
}

/** Connects, and runs the statements that create its tables. */
export async function openPool({ url, password }: PostgresSettings, schema: string): Promise<Pool> {
  const { default: pg } = await loadPeer('pg', 'PostgreSQL', () => import('pg'));
  const pool = new pg.Pool({
    connectionString: password === undefined ? url : withPassword(url, password),
    max: connections,
    connectionTimeoutMillis: connectMs,
    query_timeout: queryMs,
    application_name: 'holdfast',
  });
  // for a broken idle connection: the next query opens another
  pool.on('error', () => undefined);
  try {
    await inTransaction(pool, (client) => client.query(schema));
  } catch (error) {
    await pool.end();
    throw error;
  }
  return pool;
}

/** The driver reads the password only from the address, if there is one. */
function withPassword(url: string, password: string): string {
  const address = URL.parse(url);
  // it may hold a secret, so the text itself is not shown
  if (!address) throw new Error('postgres.url is no address: expected postgres://user@host:5432/database.');
  address.password = encodeURIComponent(password);
  return address.href;
}

/** Called once; a failure is retried at the next call. */
export function once<T>(make: () => Promise<T>): (() => Promise<T>) & { value?: Promise<T> } {
  const made: (() => Promise<T>) & { value?: Promise<T> } = () => {
    made.value ??= make().catch((error: unknown) => {
      delete made.value;
      throw error;
    });
    return made.value;
  };
  return made;
}

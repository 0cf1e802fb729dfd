// An artifact store in one SQLite file: an id, put and get.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ArtifactStore } from '../../src/config/define-config.ts';

/** Workers of one machine share the file, and with it the id. */
export function createSqliteStore(path: string): ArtifactStore {
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 5000;
    CREATE TABLE IF NOT EXISTS artifacts (session TEXT, name TEXT, bytes BLOB, PRIMARY KEY (session, name))`);
  const insert = database.prepare('INSERT OR REPLACE INTO artifacts VALUES (?, ?, ?)');
  const select = database.prepare('SELECT bytes FROM artifacts WHERE session = ? AND name = ?');
  return {
    id: `sqlite:${path}`,
    async put(sessionId, name, bytes) {
      insert.run(sessionId, name, typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
    },
    async get(sessionId, name) {
      const bytes = select.get(sessionId, name)?.['bytes'];
      return bytes instanceof Uint8Array ? bytes : undefined;
    },
  };
}

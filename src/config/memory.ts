// The memory of a config: its files, its index, and its opening. Runs where a process starts.
import { dirname, join } from 'node:path';
import { createMemory, type Memory } from '../activities/notes/memory.ts';
import type { MemoryStore } from '../activities/notes/memory-store.ts';
import { notesFile } from '../activities/notes/memory-store.ts';
import { PostgresStore, type PostgresSettings } from '../activities/notes/postgres-store.ts';
import { SqliteStore } from '../activities/notes/sqlite-store.ts';
import type { Config } from './config.ts';
import type { MemoryConfig } from './define-config.ts';
import { openSecrets, silent } from './secrets.ts';

const usualFiles = [notesFile, 'AGENTS.md', 'HEARTBEAT.md'];

type Place = Pick<Config, 'memory' | 'dir' | 'configFile'>;

/** Opened by the first search only. `resolve` replaces the secrets in the address of a database. */
export function openMemory(config: Place, resolve: (text: string) => Promise<string>): Memory | undefined {
  const { memory } = config;
  if (memory === undefined) return undefined;
  const store = () => openStore(config, memory, resolve);
  return createMemory({ store, dir: memoryFolder(config), files: memoryFiles(config), embed: memory.embed });
}

/** For a command; undefined if memory is off. */
export function openMemoryOf(config: Config): Memory | undefined {
  return openMemory(config, openSecrets(config, silent).resolve);
}

/** Names of files in its folder. */
export function memoryFiles({ memory }: Pick<Config, 'memory'>): readonly string[] {
  return memory?.files ?? usualFiles;
}

/** Absolute. */
export function memoryFolder({ memory, configFile, dir }: Place): string {
  return memory?.dir ?? dirname(configFile ?? dir);
}

function openStore(
  config: Place,
  { store }: MemoryConfig,
  resolve: (text: string) => Promise<string>,
): MemoryStore {
  if (!isPostgres(store)) {
    const notes = join(memoryFolder(config), notesFile);
    return new SqliteStore({ path: indexFile(config.dir), notes });
  }
  const { url, password } = store.postgres;
  return new PostgresStore(async () => ({
    url: await resolve(url),
    ...(password === undefined ? {} : { password: await resolve(password) }),
  }));
}

function isPostgres(store: MemoryConfig['store']): store is { postgres: PostgresSettings } {
  return typeof store === 'object';
}

function indexFile(dir: string): string {
  return join(dir, 'memory.db');
}

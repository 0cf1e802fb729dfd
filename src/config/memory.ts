// The memory of a config: its files, its index, and its opening; and the notes of agents, opened. Runs where a process starts.
import { dirname, join, relative } from 'node:path';
import { createMemory, type Memory, type MemorySettings } from '../activities/notes/memory.ts';
import { type MemoryStore, notesFile } from '../activities/notes/memory-store.ts';
import type { PostgresSettings } from '../activities/storage/postgres-settings.ts';
import { PostgresStore } from '../activities/notes/postgres-store.ts';
import { SqliteStore } from '../activities/notes/sqlite-store.ts';
import { createRedactor } from '@holdfast/redaction/redaction';
import { createEmbedder } from '../activities/notes/embedder.ts';
import type { Embed } from '../activities/notes/ranking.ts';
import { builtInProviders } from '@holdfast/providers/vendors';
import { defined } from '@holdfast/base/defined';
import { parseModelName } from '@holdfast/vocabulary/model-name';
import { createApiKeys, openSecrets } from './secrets.ts';
import type { Config } from './config.ts';
import { ConfigError } from './config-file.ts';
import type { ProviderSettings } from './resolve-providers.ts';
import type { MemoryConfig } from './schema/memory.schema.ts';
import {
  folderNotes,
  postgresNotes,
  sessionNotes,
  type OpenNotes,
} from '../activities/storage/note-store.ts';

const usualFiles = [notesFile, 'AGENTS.md', 'HEARTBEAT.md'];

type MemorySource = Pick<Config, 'memory' | 'dir' | 'configFile'>;
type Keys = Pick<Config, 'providers' | 'getApiKey'>;

type Opening = {
  /** Replaces the secrets in the address of a database. */
  resolve(text: string): Promise<string>;
  /** Masks what a provider's embedder gets. */
  redact(text: string): string;
};

/** Opened by the first search only. Throws a ConfigError for an embedder that is none. */
export function openMemory(config: MemorySource & Keys, { resolve, redact }: Opening): Memory | undefined {
  const { memory } = config;
  if (memory === undefined) return undefined;
  const store = () => openStore(config, memory, resolve);
  const dir = memoryFolder(config);
  return createMemory({
    store,
    dir,
    // a project that is moved keeps its index; the database of many hosts needs the whole path
    folder: isPostgres(memory.store) ? dir : relative(config.dir, dir),
    files: memoryFiles(config),
    isShared: isPostgres(memory.store),
    ...embedding(memory, config, redact),
  });
}

/** For a command that holds these secrets; undefined if memory is off. */
export function openMemoryOf(config: Config, held: readonly string[]): Memory | undefined {
  const redactor = createRedactor(held);
  const { resolve } = openSecrets(config, { learn: redactor.learn, redact: redactor.text });
  return openMemory(config, { resolve, redact: redactor.text });
}

function embedding(
  { embed }: MemoryConfig,
  config: Keys,
  redact: Opening['redact'],
): Pick<MemorySettings, 'embed' | 'embedder'> {
  if (typeof embed !== 'string') return defined({ embed });
  const ask = embedderOf(embed, config);
  return { embed: (texts) => ask(texts.map(redact)), embedder: embed };
}

/** Throws for a provider that has no embeddings. */
function embedderOf(name: string, config: Keys): Embed {
  const { provider = '', id: model = '' } = parseModelName(name) ?? {};
  const settings = config.providers[provider];
  if (!settings || !hasEmbeddings(provider, settings)) {
    const known = Object.entries(config.providers).filter((entry) => hasEmbeddings(...entry));
    throw new ConfigError(
      `memory.embed is "${name}": expected a provider with a key and OpenAI's endpoint for embeddings (here: ${known.map(([other]) => other).join(', ') || 'none'}).`,
    );
  }
  const resolveApiKey = createApiKeys(config);
  const readKey = async () => (await resolveApiKey(provider)) ?? settings.apiKey;
  return createEmbedder({ name, model, readKey, ...defined({ baseUrl: settings.baseUrl }) });
}

/** Anthropic has none. A provider of one's own code has no server that is known, and OpenAI's must not get its key. */
function hasEmbeddings(name: string, { speaks, baseUrl }: ProviderSettings): boolean {
  const vendor = builtInProviders.get(name)?.vendor.name;
  const hasServer = baseUrl !== undefined || vendor === 'openai';
  return hasServer && speaks !== 'messages' && vendor !== 'anthropic';
}

/** Names and patterns of files in its folder. */
export function memoryFiles({ memory }: Pick<Config, 'memory'>): readonly string[] {
  return memory?.files ?? usualFiles;
}

/** Absolute. */
export function memoryFolder({ memory, configFile, dir }: MemorySource): string {
  return memory?.dir ?? dirname(configFile ?? dir);
}

function openStore(
  config: MemorySource,
  { store }: MemoryConfig,
  resolve: (text: string) => Promise<string>,
): MemoryStore {
  if (!isPostgres(store)) {
    const notes = join(memoryFolder(config), notesFile);
    return new SqliteStore({ path: join(config.dir, 'memory.db'), notes });
  }
  return new PostgresStore(() => resolvedPostgres(store.postgres, resolve));
}

/** With the secrets that its settings name. */
async function resolvedPostgres(
  { url, password }: PostgresSettings,
  resolve: (text: string) => Promise<string>,
): Promise<PostgresSettings> {
  return { url: await resolve(url), ...defined({ password: password && (await resolve(password)) }) };
}

function isPostgres(store: MemoryConfig['store']): store is { postgres: PostgresSettings } {
  return typeof store === 'object';
}

/** `open` is absent if the config has no notes. */
export type OpenedNotes = { open?: OpenNotes; close(): Promise<void> };

export function openNotes(
  { notes }: Pick<Config, 'notes'>,
  resolve: (text: string) => Promise<string>,
): OpenedNotes {
  const close = () => Promise.resolve();
  if (notes === undefined) return { close };
  const { folder, postgres } = notes;
  if (folder !== undefined) return { open: () => folderNotes(folder), close };
  if (postgres === undefined) return { open: sessionNotes, close };
  const store = postgresNotes(() => resolvedPostgres(postgres, resolve));
  return { open: () => store, close: store.close };
}

// The notes of a config, opened. Runs where a process starts.
import { folderNotes, postgresNotes, sessionNotes } from '../activities/storage/note-store.ts';
import type { OpenNotes } from '../activities/storage/note-store.ts';
import type { Config } from './config.ts';
import { resolvedPostgres } from './memory.ts';

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

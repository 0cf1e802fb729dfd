// Opens the artifact store that the config names: for the worker, which may make it, and for people, who only read.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type FileArtifactStore, createFileArtifactStore } from './activities/file-artifact-store.ts';
import type { ArtifactReader } from './client.ts';
import type { Config } from './config.ts';

/** The worker's store; made where there is none. */
export function openArtifactStore(config: Config): Promise<FileArtifactStore> {
  return createFileArtifactStore(config.artifactsDir);
}

/** The same store for reading; undefined where no worker has made one yet. */
export async function openArtifactReader(config: Config): Promise<ArtifactReader | undefined> {
  if (!existsSync(join(config.artifactsDir, 'store.json'))) return undefined;
  return createFileArtifactStore(config.artifactsDir);
}

// Opens the artifact store that the config names: for the worker, which may make it, and for people, who only read.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type FileArtifactStore, createFileArtifactStore } from './activities/file-artifact-store.ts';
import type { ArtifactReader, ArtifactWriter } from './client.ts';
import type { Config } from './config.ts';

/** The worker's store; made where there is none. */
export function openArtifactStore(config: Config): Promise<FileArtifactStore> {
  return createFileArtifactStore(config.artifactsDir);
}

/** The same store for reading: looked for at each read, because a worker that starts later may make it. */
export function openArtifactReader(config: Config): ArtifactReader {
  const open = async (): Promise<FileArtifactStore | undefined> =>
    existsSync(join(config.artifactsDir, 'store.json'))
      ? createFileArtifactStore(config.artifactsDir)
      : undefined;
  return {
    get: async (sessionId, artifactId) => (await open())?.get(sessionId, artifactId),
    list: async (sessionId) => (await open())?.list(sessionId) ?? [],
  };
}

/** For a command that also leaves something there for a worker: then the store is made where there is none. */
export function openArtifactAccess(config: Config): ArtifactReader & ArtifactWriter {
  return {
    ...openArtifactReader(config),
    put: async (sessionId, artifactId, bytes) =>
      (await openArtifactStore(config)).put(sessionId, artifactId, bytes),
  };
}

// Opens the artifact store that the config names: for the worker, which may make it, and for people, who only read.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type FileArtifactStore,
  createFileArtifactStore,
} from '../activities/storage/file-artifact-store.ts';
import type { ArtifactReader, ArtifactWriter } from '../client.ts';
import { ConfigError } from './config-file.ts';
import type { Config } from './config.ts';
import { makeFolder } from './make-folder.ts';

/** The worker's store; made where there is none. Throws a ConfigError where it cannot be used. */
export async function openArtifactStore({ artifactsDir }: Config): Promise<FileArtifactStore> {
  try {
    await makeFolder(artifactsDir, 0o700);
    return await createFileArtifactStore(artifactsDir);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(
      `Cannot use ${artifactsDir} for results (${reason}): expected a folder that can be written. ` +
        'Set artifactsDir in the config file to one, or HOLDFAST_DIR.',
      { cause: error },
    );
  }
}

/** The same store for reading: looked for at each read, because a worker that starts later may make it. */
export function openArtifactReader(config: Config): ArtifactReader {
  const open = async (): Promise<FileArtifactStore | undefined> =>
    existsSync(join(config.artifactsDir, 'store.json')) ? openArtifactStore(config) : undefined;
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

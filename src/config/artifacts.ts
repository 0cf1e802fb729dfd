// Opens the artifact store of a config: its own, or the file store. For the worker, which may make the folder, and for
// people, who only read.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ArtifactStore } from '../activities/storage/artifact-store.ts';
import { createFileArtifactStore } from '../activities/storage/file-artifact-store.ts';
import type { ArtifactReader, ArtifactWriter } from '../client.ts';
import { ConfigError } from './config-file.ts';
import type { Config } from './config.ts';
import { makeFolder } from './make-folder.ts';

type Place = Pick<Config, 'artifacts' | 'artifactsDir'>;

/** The worker's store; a folder is made where there is none. Throws a ConfigError where it cannot be used. */
export async function openArtifactStore({ artifacts, artifactsDir }: Place): Promise<ArtifactStore> {
  if (artifacts) return toPromises(artifacts);
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

/** A store of the user may be plain JavaScript: a throw, or a value that is no promise, counts like a promise. */
function toPromises(store: ArtifactStore): ArtifactStore {
  return {
    id: store.id,
    put: async (...args) => store.put(...args),
    get: async (...args) => store.get(...args),
  };
}

/** For reading. A folder is looked for at each read, because a worker that starts later may make it. */
export function openArtifactReader(place: Place): ArtifactReader {
  const isThere = (): boolean =>
    place.artifacts !== undefined || existsSync(join(place.artifactsDir, 'store.json'));
  return {
    get: async (...args) => (isThere() ? (await openArtifactStore(place)).get(...args) : undefined),
  };
}

/** For a command that also leaves something there for a worker: then a folder is made where there is none. */
export function openArtifactAccess(place: Place): ArtifactReader & ArtifactWriter {
  return {
    ...openArtifactReader(place),
    put: async (...args) => (await openArtifactStore(place)).put(...args),
  };
}

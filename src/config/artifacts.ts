// Opens the artifact store of a config: its own, a bucket, or the file store. For the worker, which may create the
// folder, and for people, who only read.
import { resolveNames } from '@holdfast/stored/session-names';
import { messageOf } from '@holdfast/base/message-of';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ArtifactStore } from '../activities/storage/artifact-store.ts';
import { createFileArtifactStore } from '../activities/storage/file-artifact-store.ts';
import { createS3ArtifactStore } from '../activities/storage/s3-artifact-store.ts';
import { type S3Settings, describeS3 } from '../activities/storage/s3-bucket.ts';
import type { ArtifactReader, ArtifactWriter } from '@holdfast/stored/artifact-names';
import { ConfigError } from './config-file.ts';
import type { Config } from './config.ts';
import { assertWritable, makeFolder } from './make-folder.ts';

/** `artifacts` if it is set, else the folder. */
export type ArtifactPlace = { artifactsDir: string; artifacts?: Config['artifacts'] };

export function describeArtifacts({ artifacts, artifactsDir }: ArtifactPlace): string {
  if (artifacts === undefined) return artifactsDir;
  return 's3' in artifacts ? describeS3(artifacts.s3) : `the store "${artifacts.id}"`;
}

/** The worker's store; creates a missing folder. Throws a ConfigError if the store cannot be used, e.g. a read-only folder. */
export async function openArtifactStore(place: ArtifactPlace): Promise<ArtifactStore> {
  return openStore(place, assertWritable);
}

async function openStore(
  { artifacts, artifactsDir }: ArtifactPlace,
  check: (dir: string) => Promise<void> = () => Promise.resolve(),
): Promise<ArtifactStore> {
  if (artifacts) return 's3' in artifacts ? openS3(artifacts.s3) : toPromises(artifacts);
  try {
    await makeFolder(artifactsDir, 0o700);
    await check(artifactsDir);
    return await createFileArtifactStore(artifactsDir);
  } catch (error) {
    const reason = messageOf(error);
    throw new ConfigError(
      `Cannot use ${artifactsDir} for results (${reason}): expected a folder that can be written. ` +
        'Set artifactsDir in the config file to one, or HOLDFAST_DIR.',
      { cause: error },
    );
  }
}

/** One connection pool for all commands of a process. */
const opened = new WeakMap<S3Settings, Promise<ArtifactStore>>();

async function openS3(settings: S3Settings): Promise<ArtifactStore> {
  const opening = opened.get(settings) ?? createS3ArtifactStore(settings);
  opened.set(settings, opening);
  try {
    return await opening;
  } catch (error) {
    opened.delete(settings);
    const reason = messageOf(error);
    throw new ConfigError(
      `Cannot use artifacts.s3 of the config for results: ${reason} ` +
        'Expected a bucket that exists, credentials for it, and its region.',
      { cause: error },
    );
  }
}

/** A user's store may be plain JavaScript: a throw, or a value that is no promise, is treated like a promise. */
function toPromises(store: ArtifactStore): ArtifactStore {
  const { list, remove } = store;
  return {
    id: store.id,
    put: async (...args) => store.put(...args),
    get: async (...args) => store.get(...args),
    ...(list && { list: (...args) => list.apply(store, args) }),
    ...(remove && { remove: async (...args) => remove.apply(store, args) }),
  };
}

/** Undefined if nothing was ever kept. Creates no folder. */
export async function findArtifactStore(place: ArtifactPlace): Promise<ArtifactStore | undefined> {
  const isThere = place.artifacts !== undefined || existsSync(join(place.artifactsDir, 'store.json'));
  return isThere ? openStore(place) : undefined;
}

/** For reading. The folder is checked at each read, because a worker that starts later may create it. */
export function openArtifactReader(place: ArtifactPlace): ArtifactReader {
  return resolveNames({ get: async (...args) => (await findArtifactStore(place))?.get(...args) });
}

/** For a command that also stores something for a worker; creates a missing folder then. */
export function openArtifactAccess(place: ArtifactPlace): ArtifactReader & ArtifactWriter {
  return Object.assign(openArtifactReader(place), {
    put: async (...args: Parameters<ArtifactWriter['put']>) => (await openStore(place)).put(...args),
  });
}

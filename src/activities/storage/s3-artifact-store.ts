// The artifact store in a bucket of Amazon S3 or of a server with its protocol. Same layout as the file store: a marker
// that identifies the store, one folder per session, one object per artifact. Runs in Node.
import { randomBytes } from 'node:crypto';
import {
  type ArtifactStore,
  type StoredArtifact,
  readStoreId,
  refusedName,
  toMarker,
} from './artifact-store.ts';
import { isArtifactName } from '@holdfast/stored/artifact-names';
import { type Bucket, type S3Settings, describeS3, openBucket, toFolder } from './s3-bucket.ts';
import { isPlain, sessionFolder, sessionNoteName, sessionOfFolder } from './session-folder.ts';

/** Opens the store, and creates its marker (`store.json`) if missing. Rejects if the bucket cannot be used. */
export async function createS3ArtifactStore(settings: S3Settings): Promise<ArtifactStore> {
  const bucket = await openBucket(settings);
  const root = toFolder(settings.prefix);
  const id = await readOrCreateMarker(bucket, `${root}store.json`, describeS3(settings));
  const folderOf = (sessionId: string): string => `${root}sessions/${sessionFolder(sessionId)}/`;
  return {
    id,
    async put(sessionId, name, bytes) {
      if (!isArtifactName(name)) throw refusedName(name);
      const folder = folderOf(sessionId);
      // each time: a removal by another process may have deleted it
      if (!isPlain(sessionFolder(sessionId))) await bucket.put(folder + sessionNoteName, sessionId);
      await bucket.put(folder + name, bytes);
    },
    get: async (sessionId, name) =>
      isArtifactName(name) ? bucket.get(folderOf(sessionId) + name) : undefined,
    list: (sessionId) => listObjects(bucket, `${root}sessions/`, sessionId),
    async remove(sessionId, name) {
      if (name !== undefined && !isArtifactName(name)) throw refusedName(name);
      const folder = folderOf(sessionId);
      if (name !== undefined) return bucket.remove([folder + name]);
      const keys = await Array.fromAsync(bucket.list(folder), ({ key }) => key);
      // the note last: until then the rest is listed, and can be removed
      await bucket.remove(keys.filter((key) => key !== folder + sessionNoteName));
      await bucket.remove([folder + sessionNoteName]);
    },
  };
}

async function* listObjects(
  bucket: Bucket,
  sessions: string,
  only: string | undefined,
): AsyncGenerator<StoredArtifact> {
  const prefix = only === undefined ? sessions : `${sessions}${sessionFolder(only)}/`;
  let known: { folder: string; sessionId: string | undefined } | undefined;
  for await (const { key, sizeBytes, storedAt } of bucket.list(prefix)) {
    const [folder = '', name = '', ...deeper] = key.slice(sessions.length).split('/');
    if (!isArtifactName(name) || deeper.length > 0) continue;
    if (known?.folder !== folder)
      known = { folder, sessionId: only ?? (await sessionIn(bucket, sessions, folder)) };
    const { sessionId } = known;
    if (sessionId !== undefined) yield { sessionId, name, sizeBytes, storedAt };
  }
}

async function sessionIn(bucket: Bucket, sessions: string, folder: string): Promise<string | undefined> {
  const note = isPlain(folder) ? undefined : await bucket.get(`${sessions}${folder}/${sessionNoteName}`);
  return sessionOfFolder(folder, note && new TextDecoder().decode(note));
}

/** If two workers start at once, one writes the marker, and both read it. */
async function readOrCreateMarker(bucket: Bucket, key: string, place: string): Promise<string> {
  const read = async (): Promise<string | undefined> => {
    const bytes = await bucket.get(key);
    return bytes && readStoreId(new TextDecoder().decode(bytes), `${key} in ${place}`);
  };
  const found = await read();
  if (found !== undefined) return found;
  await bucket.putNew(key, toMarker(randomBytes(6).toString('hex')));
  const made = await read();
  if (made !== undefined) return made;
  throw new Error(
    `${key} in ${place} was written and is not there: expected a store that keeps what is put.`,
  );
}

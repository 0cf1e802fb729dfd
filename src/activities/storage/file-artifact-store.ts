// The artifact store on a file system: one folder per session, one file per artifact, and a marker that identifies the
// store, so that a worker without the shared folder is noticed. Runs in Node.
import { hasCode, ifMissing } from '@holdfast/base/has-code';
import { randomBytes } from 'node:crypto';
import { link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isArtifactName, toolOutputPrefix } from '@holdfast/stored/artifact-names';
import {
  type ArtifactStore,
  type StoredArtifact,
  readStoreId,
  refusedName,
  toMarker,
} from './artifact-store.ts';
import { isPlain, sessionFolder, sessionNoteName, sessionOfFolder } from './session-folder.ts';
import { writeWhole } from './write-whole.ts';

/** Opens the store in `folder`; creates folder and marker (`store.json`) if missing. */
export async function createFileArtifactStore(folder: string): Promise<ArtifactStore> {
  const root = resolve(folder);
  const id = (await readMarker(root)) ?? (await createMarker(root));
  const pathOf = (sessionId: string): string => join(root, 'sessions', sessionFolder(sessionId));
  return {
    id,
    async put(sessionId, name, bytes) {
      if (!isArtifactName(name)) throw refusedName(name);
      await writeWhole(pathOf(sessionId), name, bytes, {
        // there is one output per call, a flush costs more than many a call, and history has the part that the model read
        flush: !name.startsWith(toolOutputPrefix),
        async makeFolder(path) {
          await assertMarker(root, id);
          await makeSessionFolder(root, path, sessionId);
        },
      });
    },
    get: async (sessionId, name) =>
      isArtifactName(name) ? readFile(join(pathOf(sessionId), name)).catch(ifMissing(undefined)) : undefined,
    list: (sessionId) => listFiles(join(root, 'sessions'), sessionId),
    async remove(sessionId, name) {
      if (name !== undefined && !isArtifactName(name)) throw refusedName(name);
      const path = name === undefined ? pathOf(sessionId) : join(pathOf(sessionId), name);
      await rm(path, { recursive: true, force: true });
    },
  };
}

// built whole and then renamed: a folder that exists has its note
async function makeSessionFolder(root: string, path: string, sessionId: string): Promise<void> {
  const sessions = join(root, 'sessions');
  await mkdir(sessions, { recursive: true, mode: 0o700 });
  if (isPlain(sessionFolder(sessionId))) return void (await mkdir(path, { recursive: true, mode: 0o700 }));
  const temporary = join(sessions, `.${randomBytes(6).toString('hex')}`);
  await mkdir(temporary, { mode: 0o700 });
  await writeFile(join(temporary, sessionNoteName), sessionId, { mode: 0o600 });
  await rename(temporary, path).catch(async (error: unknown) => {
    await rm(temporary, { recursive: true, force: true });
    // another call was first
    if (!hasCode(error, 'ENOTEMPTY') && !hasCode(error, 'EEXIST')) throw error;
  });
}

async function* listFiles(sessions: string, only: string | undefined): AsyncGenerator<StoredArtifact> {
  const folders = only === undefined ? await namesIn(sessions) : [sessionFolder(only)];
  for (const folder of folders) {
    const note = await readOptional(join(sessions, folder, sessionNoteName));
    const sessionId = only ?? sessionOfFolder(folder, note);
    if (sessionId === undefined) continue;
    for (const name of (await namesIn(join(sessions, folder))).filter(isArtifactName)) {
      const found = await stat(join(sessions, folder, name)).catch(ifGone(undefined));
      if (found) yield { sessionId, name, sizeBytes: found.size, storedAt: found.mtime };
    }
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(ifGone([]));
}

async function readOptional(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(ifGone(undefined));
}

/** For files that a removal took away between two reads. */
const ifGone = <T>(value: T) => ifMissing(value, 'ENOTDIR');

// checked whenever a folder is made: a share that went away leaves an empty mount point
async function assertMarker(root: string, expectedId: string): Promise<void> {
  const found = await readMarker(root);
  if (found === expectedId) return;
  throw new Error(
    `The artifact store in ${root} is ${found === undefined ? 'not there' : `"${found}"`}: expected "${expectedId}". ` +
      'Mount the folder that the other workers of this session use.',
  );
}

// a link, not a rename: of two workers that start at once exactly one makes the marker, and both read it whole
async function createMarker(root: string): Promise<string> {
  const path = join(root, 'store.json');
  await mkdir(root, { recursive: true, mode: 0o700 });
  const storeId = randomBytes(6).toString('hex');
  const temporary = `${path}.${storeId}`;
  try {
    await writeFile(temporary, toMarker(storeId), { mode: 0o600 });
    await link(temporary, path);
    return storeId;
  } catch (error) {
    const found = await readMarker(root);
    if (found !== undefined) return found;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function readMarker(root: string): Promise<string | undefined> {
  const path = join(root, 'store.json');
  const text = await readOptional(path);
  return text === undefined ? undefined : readStoreId(text, path);
}

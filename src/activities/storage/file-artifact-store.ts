// The artifact store on a file system: one folder per session, one file per artifact, and a marker that names
// the store, so that a worker without the shared folder is noticed. Runs in Node.
import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { sha256Hex } from '../context/digest.ts';
import { type ArtifactStore, isArtifactName, toolOutputPrefix } from './artifact-store.ts';

/** Opens the store in `folder`; makes folder and marker (`store.json`) where there are none. */
export async function createFileArtifactStore(folder: string): Promise<ArtifactStore> {
  const root = resolve(folder);
  const id = (await readMarker(root)) ?? (await createMarker(root));
  const pathOf = (sessionId: string): string => join(root, 'sessions', folderName(sessionId));
  return {
    id,
    async put(sessionId, name, bytes) {
      if (!isArtifactName(name)) {
        throw new Error(
          `Artifact name of ${name.length} characters refused: expected letters, digits, ".", "_" and "-", at most 200.`,
        );
      }
      await writeAtomically(pathOf(sessionId), name, bytes, async (path) => {
        await assertMarker(root, id);
        await mkdir(path, { recursive: true, mode: 0o700 });
      });
    },
    get: (sessionId, name) => getFile(pathOf(sessionId), name),
  };
}

// A killed process loses nothing either way. Against a power cut everything is flushed but tool outputs: there is
// one per call, a flush costs more than many a call, and history has what the model read of it.
async function writeAtomically(
  folder: string,
  name: string,
  data: Uint8Array | string,
  makeFolder: (path: string) => Promise<void>,
): Promise<void> {
  const temporary = join(folder, `.${name.slice(0, 100)}.${randomBytes(6).toString('hex')}`);
  const flush = !name.startsWith(toolOutputPrefix);
  try {
    await writeNew(temporary, data, flush).catch(async (error: unknown) => {
      if (!hasCode(error, 'ENOENT')) throw error;
      await makeFolder(folder);
      await writeNew(temporary, data, flush);
    });
    await rename(temporary, join(folder, name));
    if (flush) await flushFolder(folder);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

function writeNew(path: string, data: Uint8Array | string, flush: boolean): Promise<void> {
  return writeFile(path, data, { mode: 0o600, flag: 'wx', flush });
}

// The new name is in the folder, which is data of its own. Not every system lets a folder be flushed.
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

async function getFile(folder: string, name: string): Promise<Uint8Array | undefined> {
  if (!isArtifactName(name)) return undefined;
  try {
    return await readFile(join(folder, name));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

// A session id is any workflow id. Only plain lower-case ones keep their name, because some file systems do
// not tell cases apart; the others get a digest after `~`, which no plain name contains.
function folderName(sessionId: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,99}$/.test(sessionId)) return sessionId;
  const readable = sessionId
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .slice(0, 60);
  return `${readable}~${sha256Hex(sessionId).slice(0, 24)}`;
}

// Asked again whenever a folder is made: a share that went away leaves an empty mount point behind.
async function assertMarker(root: string, expectedId: string): Promise<void> {
  const found = await readMarker(root);
  if (found === expectedId) return;
  throw new Error(
    `The artifact store in ${root} is ${found === undefined ? 'not there' : `"${found}"`}: expected "${expectedId}". ` +
      'Mount the folder that the other workers of this session use.',
  );
}

// A link, not a rename: of two workers that start at once exactly one makes the marker, and both read it whole.
async function createMarker(root: string): Promise<string> {
  const path = join(root, 'store.json');
  await mkdir(root, { recursive: true, mode: 0o700 });
  const storeId = randomBytes(6).toString('hex');
  const temporary = `${path}.${storeId}`;
  try {
    await writeFile(temporary, `${JSON.stringify({ version: 1, storeId })}\n`, { mode: 0o600 });
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
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  const storeId = /"storeId":\s*"([A-Za-z0-9_-]{1,64})"/.exec(text)?.[1];
  if (storeId === undefined) {
    throw new Error(
      `${path} is not a store marker: expected {"version":1,"storeId":"..."}. Move the file away.`,
    );
  }
  return storeId;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

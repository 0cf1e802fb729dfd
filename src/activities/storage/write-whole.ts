// Writes a file whole: a reader sees the earlier text or the new one. Runs in Node.
import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '@holdfast/base/has-code';

type WriteOptions = {
  /** Flushes against a power cut. Default: false; a killed process loses nothing either way. */
  flush?: boolean;
  /** Makes the missing folder. Default: only its owner may read it. */
  makeFolder?: (folder: string) => Promise<unknown>;
};

/** Makes the folder if there is none. Replaces a link instead of writing through it. */
export async function writeWhole(
  folder: string,
  name: string,
  data: Uint8Array | string,
  { flush = false, makeFolder = makePrivate }: WriteOptions = {},
): Promise<void> {
  const temporary = join(folder, `.${name.slice(0, 100)}.${randomBytes(6).toString('hex')}`);
  const write = (): Promise<void> => writeFile(temporary, data, { mode: 0o600, flag: 'wx', flush });
  try {
    await write().catch(async (error: unknown) => {
      if (!hasCode(error, 'ENOENT')) throw error;
      await makeFolder(folder);
      await write();
    });
    await rename(temporary, join(folder, name));
    if (flush) await flushFolder(folder);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Findings about other people's systems are not for everybody on the host. */
function makePrivate(folder: string): Promise<unknown> {
  return mkdir(folder, { recursive: true, mode: 0o700 });
}

// the new name is data of the folder; not every system can flush a folder
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

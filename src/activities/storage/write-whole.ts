// Writes a file whole: a reader sees the earlier text or the new one. Runs in Node.
import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Makes the folder if there is none. */
export async function writeWhole(folder: string, name: string, text: string): Promise<void> {
  // findings about other people's systems are not for everybody on the host
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = join(folder, `.${name}.${randomUUID()}`);
  try {
    await writeFile(temporary, text, { flag: 'wx', mode: 0o600 });
    // replaces a link too, instead of writing through it
    await rename(temporary, join(folder, name));
  } finally {
    await rm(temporary, { force: true });
  }
}

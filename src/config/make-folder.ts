// Makes folders, for whatever of Holdfast needs one before it starts. Runs in Node.
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/** As mkdir -p. Node's own recursion never ends where a file system answers ENOENT to every mkdir, as /proc does. */
export async function makeFolder(dir: string, mode = 0o777): Promise<void> {
  if (existsSync(dir)) return;
  await makeFolder(dirname(dir), mode);
  await mkdir(dir, { mode }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

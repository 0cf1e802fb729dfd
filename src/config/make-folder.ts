// Makes folders, for whatever of Holdfast needs one before it starts. Runs in Node.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Rejects where no file can be made in `dir`. Tried: rights alone do not tell, least of all for root. Leaves nothing. */
export async function assertWritable(dir: string): Promise<void> {
  // its own name: another start in this process may look at the same moment
  const probe = join(dir, `.write-${randomUUID()}`);
  await writeFile(probe, '');
  await rm(probe);
}

/** As mkdir -p. Node's own recursion never ends where a file system answers ENOENT to every mkdir, as /proc does. */
export async function makeFolder(dir: string, mode = 0o777): Promise<void> {
  if (existsSync(dir)) return;
  await makeFolder(dirname(dir), mode);
  await mkdir(dir, { mode }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

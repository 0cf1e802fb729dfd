// Creates folders that Holdfast needs before it starts. Runs in Node.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Rejects if no file can be created in `dir`. Tries it, because a mode tells too little. Leaves nothing behind. */
export async function assertWritable(dir: string): Promise<void> {
  // a unique name: another start in this process may probe at the same moment
  const probe = join(dir, `.write-${randomUUID()}`);
  await writeFile(probe, '');
  await rm(probe);
}

/** Like mkdir -p. Node's own recursion never ends if a file system answers ENOENT to every mkdir, as /proc does. */
export async function makeFolder(dir: string, mode = 0o777): Promise<void> {
  if (existsSync(dir)) return;
  await makeFolder(dirname(dir), mode);
  await mkdir(dir, { mode }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

// The folders of the demo: one a run, of which the newest three are kept. A folder with a running Temporal server is in
// use and is kept as well.
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseOf } from '../../../src/dev-server/dev-server.ts';
import { prepareFolder } from '../../../src/dev-server/dev-server-note.ts';
import { serversOn } from '../../../src/dev-server/server-processes.ts';
import { messageOf } from '@holdfast/base/message-of';

const kept = 3;
/** Begins with the start time, so that names sort by age; the suffix separates two demos of one second. */
const nameOfOne = /^\d{8}T\d{6}Z-\w{6}$/;

/** A folder for this run alone, because two demos at once must not share a server. Removes those of old runs. */
export async function makeDemoFolder(base: string, say: (line: string) => void): Promise<string> {
  const parent = join(base, 'demo');
  await prepareFolder(parent);
  const folder = await mkdtemp(join(parent, `${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}-`));
  // all of it is made up; for a clone under /tmp, commands of bash see no folder that others may not enter
  await chmod(folder, 0o755);
  // a failed removal must not keep the demo from starting
  await removeOld(parent).catch((error: unknown) =>
    say(`! Old folders of the demo in ${parent} could not be removed: ${messageOf(error)}`),
  );
  return folder;
}

async function removeOld(parent: string): Promise<void> {
  const names = (await readdir(parent)).filter((name) => nameOfOne.test(name)).toSorted();
  for (const name of names.slice(0, -kept)) {
    const folder = join(parent, name);
    const servers = await serversOn(databaseOf(folder));
    if (servers.length === 0) await rm(folder, { recursive: true, force: true });
  }
}

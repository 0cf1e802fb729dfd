// A small real file system runs full: a trace that somebody left switched on fills it, and uploads fail. The file system is
// a tmpfs that only the service sees, in a user namespace, so that no root is needed.
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type IncidentModule, type StartedIncident, type System, until } from '../../system.ts';

export const diskFull: IncidentModule = { start, lacks };

const mount = 'mount -t tmpfs -o size=2m tmpfs "$0"';

function lacks(): string | undefined {
  const { status } = spawnSync('unshare', ['-Urm', 'sh', '-c', mount, '/tmp']);
  return status === 0 ? undefined : 'no tmpfs in a user namespace (unshare -Urm)';
}

async function start(system: System): Promise<StartedIncident> {
  const port = system.port();
  await system.write('spool/README', 'Mount point of the spool of uploads.\n');
  const service = join(import.meta.dirname, 'uploads-process.ts');
  await system.deploy('d-530', 'uploads', 'config: trace=on, to look into slow uploads');
  const spool = join(system.folder, 'spool');
  const inside = `${mount} && exec "$1" "$2" "$0" "$3" "$4"`;
  const log = join(system.folder, 'logs/uploads.log');
  const args = ['-Urm', 'sh', '-c', inside, spool, process.execPath, service, String(port), log];
  system.run('uploads-output', 'unshare', args);
  await until('an upload', async () =>
    (await readFile(log, 'utf8').catch(() => '')).includes('upload stored'),
  );
  await system.deploy('d-531', 'thumbnails', 'release 1.1.0');
  const thumbnails = system.log('thumbnails');
  for (const ms of [910, 1_204]) thumbnails('WARN', `thumbnail slow ms=${ms}`);
  await until('a full disk', async () => (await readFile(log, 'utf8')).split('ENOSPC').length > 10);
  const url = `http://127.0.0.1:${port}`;
  return {
    task: [
      'Uploads fail for everybody. thumbnails was released minutes ago and is slow, maybe it is that. What is it, and what',
      'has to be done? Change nothing.',
      `Folder: ${system.folder} (logs/, deploys.log; the spool itself is not readable for you)`,
      `Uploads: ${url}/metrics and ${url}/debug/files`,
    ].join('\n'),
  };
}

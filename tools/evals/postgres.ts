// A PostgreSQL of Debian's packages on loopback, in the folder of an incident's logs and a data folder beside it. Node.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@holdfast/processes/free-port';
import pg from 'pg';
import { type System, until } from './system.ts';

const run = promisify(execFile);
const packages = '/usr/lib/postgresql';

/** The folder of its programs. */
export function findPostgres(): string | undefined {
  if (!existsSync(packages)) return undefined;
  const folders = readdirSync(packages).map((version) => join(packages, version, 'bin'));
  return folders.find((folder) => existsSync(join(folder, 'initdb')));
}

/** Resolves with its address, once it answers; its log is logs/postgresql.log. */
export async function startPostgres(system: System, settings: string[]): Promise<string> {
  const bin = findPostgres() ?? '';
  const port = await freePort();
  // not in the system's folder, which the agent reads
  const data = await mkdtemp(join(tmpdir(), 'holdfast-postgres-'));
  system.atEnd(() => rm(data, { recursive: true, force: true }));
  const user = await serverUser();
  await chmod(data, 0o700);
  if (user) await chown(data, user.uid, user.gid);
  await run(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '--no-sync', '--auth=trust'], {
    ...user,
    cwd: data,
  });
  const fixed = ['fsync=off', 'listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`];
  const flags = [...fixed, ...settings].flatMap((setting) => ['-c', setting]);
  system.run('postgresql', join(bin, 'postgres'), ['-D', data, ...flags], { ...user, cwd: data });
  const address = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await until('PostgreSQL', async () => {
    const pool = new pg.Pool({ connectionString: address });
    pool.on('error', () => undefined);
    try {
      return (await pool.query('select 1')).rowCount === 1;
    } catch {
      return false;
    } finally {
      await pool.end();
    }
  });
  return address;
}

/** PostgreSQL refuses to run as root. */
async function serverUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const [uid = 0, gid = 0] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)),
  );
  return { uid, gid };
}

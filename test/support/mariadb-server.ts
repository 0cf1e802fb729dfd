// A real MariaDB on loopback for tests, from Debian's package, in a folder of its own. Stopped by process id.
import { execFile, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@holdfast/processes/free-port';
import { missingPrograms, programPath, type RealServer, started } from './real-servers.ts';
import { temporaryFolder } from './tool-calls.ts';
import { until } from './until.ts';

const run = promisify(execFile);

/** For the name of a test that cannot run; undefined where it can. */
export const mariadbMissing = missingPrograms('mariadbd', 'mariadb-install-db', 'mysql');

/** `sql` runs as root, one row a line. */
export type RealMariadb = RealServer & {
  sql(text: string): Promise<string>;
  /** A session of its own that runs the statements and then waits for more; `end` closes it. */
  session(text: string): Promise<{ end(): Promise<void> }>;
};

/** With a user `holdfast` that has the rights that catalog/toolsets/mysql.yaml asks for, and `stranger` that has none. `more`: words of its command. */
export async function startMariadb(password: string, more: string[] = []): Promise<RealMariadb> {
  const [port, folder] = [await freePort(), await temporaryFolder()];
  const data = join(folder, 'data');
  const user = process.getuid?.() === 0 ? ['--user=root'] : [];
  const place = ['--no-defaults', `--datadir=${data}`, ...user];
  await run(programPath('mariadb-install-db') ?? '', [
    ...place,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
  ]);
  const rights = join(folder, 'rights.sql');
  await writeFile(
    rights,
    `create database shop;
     create user holdfast@'%' identified by '${password}';
     grant process, replica monitor on *.* to holdfast@'%';
     grant select on shop.* to holdfast@'%';
     grant select on performance_schema.* to holdfast@'%';
     create user stranger@'%' identified by '${password}';\n`,
  );
  const server = [
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    `--socket=${join(folder, 'socket')}`,
    `--init-file=${rights}`,
    '--performance-schema=on',
    '--innodb-buffer-pool-size=16M',
    '--innodb-flush-log-at-trx-commit=0',
    ...more,
  ];
  const stop = started(
    spawn(programPath('mariadbd') ?? '', [...place, ...server], { stdio: 'ignore', cwd: folder }),
  );
  const root = ['--no-defaults', `--socket=${join(folder, 'socket')}`, '-uroot', '-N', '-B'];
  const sql = async (text: string): Promise<string> =>
    (await run('mysql', [...root, '-e', text])).stdout.trim();
  await until('MariaDB answers', () =>
    sql("select count(*) from mysql.user where user = 'stranger'").then(
      (found) => found === '1',
      () => false,
    ),
  );
  const session = async (text: string): Promise<{ end(): Promise<void> }> => {
    const child = spawn('mysql', [...root, '-n', 'shop'], { stdio: ['pipe', 'ignore', 'ignore'] });
    const end = started(child);
    child.stdin.write(`${text}\n`);
    return { end };
  };
  return { port, folder, stop, sql, session };
}

// Real servers of Debian's packages on loopback, each in a folder of its own with a free port: Redis, PostgreSQL, nginx and
// Prometheus. Stopped by process id when the test ends.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@holdfast/processes/free-port';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type AtEnd, temporaryFolder } from './tool-calls.ts';
import { until } from './until.ts';

const run = promisify(execFile);

/** Debian keeps servers where a user's PATH does not look. */
const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/bin'];

export function programPath(name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** For the title of a test that is skipped: which programs are missing. */
export function missingPrograms(...names: string[]): string | undefined {
  const missing = names.filter((name) => programPath(name) === undefined);
  return missing.length === 0 ? undefined : `${missing.join(', ')} not installed`;
}

export type RealServer = { port: number; folder: string; stop(): Promise<void> };

export function started(child: ChildProcess, atEnd: AtEnd = onTestFinished): () => Promise<void> {
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await exited;
    clearTimeout(timer);
  };
  atEnd(stop);
  return stop;
}

async function listening(port: number): Promise<void> {
  await until(
    `a server listens on ${port}`,
    () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(port, '127.0.0.1');
        socket.once('connect', () => (socket.destroy(), resolve(true)));
        socket.once('error', () => resolve(false));
      }),
  );
}

/** `more`: words of its command, e.g. for TLS. */
export async function startRedis(password: string, at?: number, more: string[] = []): Promise<RealServer> {
  const [port, folder] = [at ?? (await freePort()), await temporaryFolder()];
  const flags = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', folder];
  const child = spawn(programPath('redis-server') ?? '', [...flags, '--requirepass', password, ...more], {
    stdio: 'ignore',
  });
  const stop = started(child);
  await listening(port);
  return { port, folder, stop };
}

const postgresBin = '/usr/lib/postgresql';

export function postgresFolder(): string | undefined {
  if (!existsSync(postgresBin)) return undefined;
  const version = readdirSync(postgresBin).find((name) =>
    existsSync(join(postgresBin, name, 'bin', 'initdb')),
  );
  return version === undefined ? undefined : join(postgresBin, version, 'bin');
}

export type RealPostgres = RealServer & {
  sql(text: string): Promise<string>;
  /** Starts it again as a standby that has no primary. */
  becomeStandby(): Promise<void>;
};

/**
 * With a superuser `postgres` and a role `holdfast` that may only monitor; both with the password. It is stopped at the end of
 * the test, or when `atEnd` says so.
 */
export async function startPostgres(password: string, atEnd: AtEnd = onTestFinished): Promise<RealPostgres> {
  const bin = postgresFolder() ?? '';
  const [port, folder] = [await freePort(), await temporaryFolder(atEnd)];
  const data = join(folder, 'data');
  await mkdir(data);
  await writeFile(join(folder, 'password'), password);
  const user = await serverUser();
  if (user) {
    await chmod(folder, 0o755);
    await chown(data, user.uid, user.gid);
    await chown(join(folder, 'password'), user.uid, user.gid);
  }
  const options = { ...user, cwd: folder };
  const secure = ['--auth=scram-sha-256', `--pwfile=${join(folder, 'password')}`];
  await run(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '--no-sync', ...secure], options);
  const settings = ['fsync=off', 'listen_addresses=127.0.0.1', `unix_socket_directories=`, `port=${port}`];
  const flags = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  const start = () => started(spawn(join(bin, 'postgres'), flags, { ...options, stdio: 'ignore' }), atEnd);
  const stop = start();
  await listening(port);
  const sql = async (text: string): Promise<string> => {
    const place = ['-h', '127.0.0.1', '-p', `${port}`, '-U', 'postgres', '-d', 'postgres'];
    const environment = { PATH: process.env['PATH'] ?? '', PGPASSWORD: password };
    const { stdout } = await run('psql', ['-X', '-At', ...place, '-c', text], { env: environment });
    return stdout.trim();
  };
  const answers = () =>
    until('PostgreSQL answers', () =>
      sql('select 1').then(
        (found) => found === '1',
        () => false,
      ),
    );
  await answers();
  await sql(`create role holdfast login password '${password}' in role pg_monitor`);
  const becomeStandby = async () => {
    await stop();
    await writeFile(join(data, 'standby.signal'), '');
    start();
    await answers();
  };
  return { port, folder, stop, sql, becomeStandby };
}

/** One for all tests of the `describe` that calls it, with a new database for each call of `newUrl`. */
export function sharedPostgres(password: string): { newUrl(): Promise<string> } {
  const stops: Parameters<AtEnd>[0][] = [];
  let postgres: RealPostgres | undefined;
  let databases = 0;
  beforeAll(async () => {
    postgres = await startPostgres(password, (stop) => void stops.push(stop));
  }, 60_000);
  afterAll(async () => {
    for (const stop of stops.toReversed()) await stop();
  });
  return {
    async newUrl() {
      const name = `database_${++databases}`;
      await postgres?.sql(`create database ${name}`);
      return `postgres://postgres@127.0.0.1:${postgres?.port}/${name}`;
    },
  };
}

/** PostgreSQL refuses to run as root. */
async function serverUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)),
  );
  return { uid: uid ?? 0, gid: gid ?? 0 };
}

/** With the page /nginx_status. `config` is its file. */
export async function startNginx(): Promise<RealServer & { config: string }> {
  const [port, folder] = [await freePort(), await temporaryFolder()];
  const config = join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  await writeFile(
    config,
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
    events {}
    http { access_log off; ${temporary.join(' ')}
      server { listen 127.0.0.1:${port}; location /nginx_status { stub_status; } } }`,
  );
  const child = spawn(programPath('nginx') ?? 'nginx', ['-c', config, '-e', join(folder, 'error.log')], {
    stdio: 'ignore',
  });
  const stop = started(child);
  await listening(port);
  return { port, folder, config, stop };
}

/**
 * Which reads `configFile`; default: one that scrapes itself twice a second and a target that is down, with an alert.
 * `samples`, in OpenMetrics, are in its database from the start.
 */
export async function startPrometheus(configFile?: string, samples?: string): Promise<RealServer> {
  const [port, folder] = [await freePort(), await temporaryFolder()];
  await writeFile(
    join(folder, 'rules.yml'),
    `groups: [{ name: test, interval: 500ms, rules: [{ alert: AlwaysOn, expr: 'vector(1)', annotations: { summary: it is on } }] }]`,
  );
  await writeFile(
    join(folder, 'prometheus.yml'),
    `global: { scrape_interval: 500ms }
rule_files: [rules.yml]
scrape_configs:
  - { job_name: self, static_configs: [{ targets: ['127.0.0.1:${port}'] }] }
  - { job_name: dead, static_configs: [{ targets: ['127.0.0.1:1'] }] }
`,
  );
  const flags = [
    `--config.file=${configFile ?? `${folder}/prometheus.yml`}`,
    `--storage.tsdb.path=${folder}/data`,
    '--storage.tsdb.retention.time=100y',
  ];
  if (samples !== undefined) {
    await writeFile(join(folder, 'samples.txt'), samples);
    const words = [
      'tsdb',
      'create-blocks-from',
      'openmetrics',
      join(folder, 'samples.txt'),
      join(folder, 'data'),
    ];
    await run(programPath('promtool') ?? '', words);
  }
  const child = spawn(programPath('prometheus') ?? '', [...flags, `--web.listen-address=127.0.0.1:${port}`], {
    stdio: 'ignore',
    cwd: folder,
  });
  const stop = started(child);
  await listening(port);
  return { port, folder, stop };
}

/** systemd's manager of a user, with these units by name; needs root. It is shown a system that systemd has started. */
export async function startSystemd(
  units: Readonly<Record<string, string>>,
): Promise<{ runtimeFolder: string; systemctl(...words: string[]): Promise<string> }> {
  const runtimeFolder = await temporaryFolder();
  const folder = join(runtimeFolder, 'systemd/user');
  await mkdir(folder, { recursive: true });
  await chmod(runtimeFolder, 0o700);
  for (const [name, text] of Object.entries(units)) await writeFile(join(folder, name), text);
  const environment = { PATH: process.env['PATH'] ?? '', XDG_RUNTIME_DIR: runtimeFolder };
  const start = 'mount -t tmpfs run /run && mkdir -p /run/systemd/system && exec /lib/systemd/systemd --user';
  const child = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', start], {
    env: environment,
    stdio: 'ignore',
  });
  started(child);
  const systemctl = async (...words: string[]): Promise<string> =>
    (await run('systemctl', ['--user', '--no-pager', ...words], { env: environment })).stdout;
  await until('systemd answers', () =>
    systemctl('show', '--property=Version').then(
      () => true,
      () => false,
    ),
  );
  return { runtimeFolder, systemctl };
}

// A real S3 server on loopback (versitygw, over a folder) with made-up credentials, for tests of the S3 artifact store. The
// binary comes from PATH or the cache, else it is built with Go once: about a minute on two cores.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import getPort from 'get-port';
import { cacheFolder, readEnvironment } from '../../src/config/environment.ts';
import type { S3Settings } from '../../src/config/define-config.ts';
import { takesConnections } from '../../src/dev-server/dev-server-process.ts';
import { until } from './until.ts';

const version = '1.8.0';
const module = `github.com/versity/versitygw/cmd/versitygw@v${version}`;
const environment = readEnvironment();
const cache = join(cacheFolder(environment), `versitygw-${version}`);
const cached = join(cache, 'versitygw');

function onPath(program: string): string | undefined {
  const places = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return places.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

function findBinary(): string | undefined {
  return onPath('versitygw') ?? (existsSync(cached) ? cached : undefined);
}

/** For the name of a test that cannot run; undefined where it can. */
export const s3Missing =
  (findBinary() ?? onPath('go')) ? undefined : 'skipped: no versitygw, and no go on PATH to build it with';

export type S3Server = {
  port: number;
  /** Of an empty bucket. */
  settings: S3Settings & { endpoint: string };
  /** For child processes; this process has them too, until `remove`. */
  credentials: { AWS_ACCESS_KEY_ID: string; AWS_SECRET_ACCESS_KEY: string };
  /** Ends the process; what it keeps stays. */
  stop(): Promise<void>;
  /** Again, on the same port and folder. */
  start(): Promise<void>;
  /** Ends it, with its folder. */
  remove(): Promise<void>;
};

const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** Built where there is none. */
export async function getS3Binary(): Promise<string> {
  return findBinary() ?? build();
}

export async function startS3Server(bucket = 'holdfast'): Promise<S3Server> {
  const binary = await getS3Binary();
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-s3-'));
  // a folder is a bucket; its file system needs extended attributes
  await mkdir(join(folder, bucket));
  const port = await getPort();
  const credentials = { AWS_ACCESS_KEY_ID: 'made-up', AWS_SECRET_ACCESS_KEY: 'made-up-too' };
  Object.assign(process.env, credentials);
  let child: ChildProcess | undefined;
  const stop = async (): Promise<void> => {
    if (child === undefined) return;
    const ended = once(child, 'close');
    child.kill('SIGKILL');
    await ended;
    running.delete(child);
    child = undefined;
  };
  const start = async (): Promise<void> => {
    const { AWS_ACCESS_KEY_ID: key, AWS_SECRET_ACCESS_KEY: secret } = credentials;
    const global = ['--port', `127.0.0.1:${port}`, '--access', key, '--secret', secret, '--quiet'];
    child = spawn(binary, [...global, 'posix', folder], { stdio: 'ignore' });
    running.add(child);
    await until('the S3 server to listen', () => takesConnections(port));
  };
  await start();
  return {
    port,
    credentials,
    start,
    stop,
    settings: { bucket, endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1' },
    async remove() {
      await stop();
      for (const name of Object.keys(credentials)) delete process.env[name];
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const buildTimeoutMs = 10 * 60_000;

/** One process builds; the others wait for its file. */
async function build(): Promise<string> {
  const lock = join(cache, 'building');
  await mkdir(cache, { recursive: true });
  const lockedAt = (await stat(lock).catch(() => undefined))?.mtimeMs ?? Date.now();
  // of a process that was killed while it was building
  if (Date.now() - lockedAt > buildTimeoutMs) await rm(lock, { recursive: true, force: true });
  const isFirst = await mkdir(lock).then(
    () => true,
    () => false,
  );
  if (!isFirst)
    return until('another process to build versitygw', () => existsSync(cached) && cached, buildTimeoutMs);
  const folder = await mkdtemp(join(cache, 'go-'));
  try {
    process.stderr.write(`s3: building a server for the tests with "go install ${module}"\n`);
    await promisify(execFile)('go', ['install', '-ldflags=-s -w', module], {
      env: { ...environment, GOBIN: folder },
    });
    await rename(join(folder, 'versitygw'), cached);
    return cached;
  } finally {
    await rm(folder, { recursive: true, force: true });
    await rm(lock, { recursive: true, force: true });
  }
}

// A real S3 server on loopback (versitygw, over a folder) with made-up credentials, for tests of the S3 artifact store. The
// binary comes from PATH or the cache, else it is built with Go once: about a minute on two cores.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@holdfast/processes/free-port';
import type { S3Settings } from '../../src/config/define-config.ts';
import { takesConnections } from '../../src/dev-server/dev-server-process.ts';
import { getGoProgram, goProgramMissing } from './built-once.ts';
import { until } from './until.ts';

const versitygw = {
  name: 'versitygw',
  module: 'github.com/versity/versitygw/cmd/versitygw',
  version: '1.8.0',
};

/** For the name of a test that cannot run; undefined where it can. */
export const s3Missing = goProgramMissing(versitygw);

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
export function getS3Binary(): Promise<string> {
  return getGoProgram(versitygw);
}

export async function startS3Server(bucket = 'holdfast'): Promise<S3Server> {
  const binary = await getS3Binary();
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-s3-'));
  // a folder is a bucket; its file system needs extended attributes
  await mkdir(join(folder, bucket));
  const port = await freePort();
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

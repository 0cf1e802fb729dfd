// vitest globalSetup: one dev server in memory for the whole run; its address reaches the tests by `inject`.
// Isolation is by task queue and workflow id prefix, one per test file. Meanwhile prepare-worker.ts does once what
// each of the first workers would do for itself.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { startDevServer } from '../../src/dev-server/dev-server.ts';
import { getTemporalBinary } from '../../src/dev-server/temporal-binary.ts';
import { cacheFolder, readEnvironment } from '../../src/config/environment.ts';
import { replaySuite } from './suite/replay-suite.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** `host:port` of the suite's Temporal server, namespace `default`. */
    temporalAddress: string;
    /** Address of its HTTP API. */
    temporalHttp: string;
    /** The `temporal` binary, for tests that start a server of their own. */
    temporalBinary: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const environment = readEnvironment();
  const prepared = promisify(execFile)(process.execPath, [join(import.meta.dirname, 'prepare-worker.ts')]);
  const dir = await mkdtemp(join(tmpdir(), 'holdfast-suite-'));
  const say = (line: string): boolean => process.stderr.write(`${line}\n`);
  const binary = await getTemporalBinary({ environment, cacheDir: cacheFolder(environment), say });
  const options = { dir, binary: binary.path, environment, dbFile: null, ui: false, httpPort: true } as const;
  const server = await startDevServer(options);
  await prepared;
  project.provide('temporalAddress', server.address);
  project.provide('temporalHttp', server.httpUrl ?? '');
  project.provide('temporalBinary', binary.path);
  return async () => {
    try {
      await replaySuite(server.address);
    } finally {
      await server.stop();
      await rm(dir, { recursive: true, force: true });
    }
  };
}

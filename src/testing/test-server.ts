// A Temporal server for tests: in memory, on a free loopback port, gone after `stop`. Runs in Node.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevServer } from '../dev-server/dev-server.ts';
import { findTemporalBinary, getTemporalBinary } from '../dev-server/temporal-binary.ts';
import { cacheFolder, readEnvironment } from '../config/environment.ts';

export type TestServer = { address: string; stop(): Promise<void> };

/**
 * One server for a whole suite: a start takes a second. The first start on a machine may download the server, and says
 * so.
 */
export async function startTestServer(): Promise<TestServer> {
  const environment = readEnvironment();
  const options = { environment, cacheDir: cacheFolder(environment) };
  const binary =
    (await findTemporalBinary({ ...options, say: () => undefined })) ??
    (await getTemporalBinary({ ...options, say: (line) => void process.stderr.write(`${line}\n`) }));
  const dir = await mkdtemp(join(tmpdir(), 'holdfast-server-'));
  const server = await startDevServer({ dir, binary: binary.path, environment, dbFile: null, ui: false });
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  };
  return { address: server.address, stop };
}

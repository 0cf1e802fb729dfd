// A real FerretDB on loopback for tests, over SQLite: it speaks MongoDB's protocol. Built with Go once: some minutes.
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@holdfast/processes/free-port';
import { cacheFolder, readEnvironment } from '../../src/config/environment.ts';
import { takesConnections } from '../../src/dev-server/dev-server-process.ts';
import { builtOnce, onPath } from './built-once.ts';
import { type RealServer, started } from './real-servers.ts';
import { temporaryFolder } from './tool-calls.ts';
import { until } from './until.ts';

const run = promisify(execFile);
const target = join(cacheFolder(readEnvironment()), 'ferretdb-1.24.2');

/** For the name of a test that cannot run; undefined where it can. */
export const ferretdbMissing =
  existsSync(target) || onPath('go') ? undefined : 'skipped: no go on PATH to build FerretDB with';

/** Built where there is none. */
export function getFerretdb(): Promise<string> {
  const say = 'building FerretDB for the tests with Go: some minutes on two cores';
  return builtOnce(target, say, async (folder) => {
    await copyFile(join(import.meta.dirname, 'ferretdb/main.go'), join(folder, 'main.go'));
    const go = (...words: string[]) => run('go', words, { cwd: folder });
    await go('mod', 'init', 'holdfast.test/ferretdb');
    await go('get', 'github.com/FerretDB/FerretDB/ferretdb@v1.24.2');
    await go('build', '-ldflags=-s -w', '-o', 'server', '.');
    return join(folder, 'server');
  });
}

/** Empty, without users. */
export async function startFerretdb(): Promise<RealServer & { url: string }> {
  const binary = await getFerretdb();
  const [port, folder] = [await freePort(), await temporaryFolder()];
  await mkdir(join(folder, 'data'));
  const words = [`127.0.0.1:${port}`, join(folder, 'data')];
  const stop = started(spawn(binary, words, { stdio: 'ignore', cwd: folder }));
  await until('FerretDB listens', () => takesConnections(port));
  return { port, folder, stop, url: `mongodb://127.0.0.1:${port}` };
}

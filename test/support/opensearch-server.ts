// A real OpenSearch node on loopback for tests, from jars of Maven. They come from the cache, else Maven copies them once:
// 45 MB, under a minute.
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@holdfast/processes/free-port';
import { cacheFolder, readEnvironment } from '../../src/config/environment.ts';
import { builtOnce, onPath } from './built-once.ts';
import { type RealServer, started } from './real-servers.ts';
import { temporaryFolder } from './tool-calls.ts';
import { until } from './until.ts';

const run = promisify(execFile);
const source = join(import.meta.dirname, 'opensearch');
const target = join(cacheFolder(readEnvironment()), 'opensearch-2.19.6');

const lacking = ['java', ...(existsSync(target) ? [] : ['mvn', 'javac'])].filter((name) => !onPath(name));

/** For the name of a test that cannot run; undefined where it can. */
export const openSearchMissing =
  lacking.length === 0 ? undefined : `skipped: no ${lacking.join(', ')} on PATH`;

/** A folder of jars and the compiled main class. */
export function getOpenSearch(): Promise<string> {
  const say = 'copying the jars of OpenSearch for the tests with Maven: 45 MB, under a minute';
  return builtOnce(target, say, async (folder) => {
    const made = join(folder, 'opensearch');
    // Maven writes beside its project
    await copyFile(join(source, 'pom.xml'), join(folder, 'pom.xml'));
    await run('mvn', ['-q', '-B', 'dependency:copy-dependencies', `-DoutputDirectory=${made}`], {
      cwd: folder,
    });
    await run('javac', ['-cp', `${made}/*`, '-d', made, join(source, 'OpenSearchServer.java')]);
    return made;
  });
}

/** Empty, without users. */
export async function startOpenSearch(): Promise<RealServer & { url: string }> {
  const jars = await getOpenSearch();
  const [port, folder] = [await freePort(), await temporaryFolder()];
  const url = `http://127.0.0.1:${port}`;
  const words = ['-Xmx512m', '-XX:TieredStopAtLevel=1', '-cp', `${jars}:${jars}/*`, 'OpenSearchServer'];
  const stop = started(spawn('java', [...words, folder, `${port}`], { stdio: 'ignore' }));
  const answers = (): Promise<boolean> =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  await until('OpenSearch answers', answers, 120_000);
  return { port, folder, stop, url };
}

// A real VictoriaLogs on loopback for tests, built with Go once: about a minute on two cores.
import { spawn } from 'node:child_process';
import { freePort } from '@holdfast/processes/free-port';
import { takesConnections } from '../../src/dev-server/dev-server-process.ts';
import { getGoProgram, goProgramMissing } from './built-once.ts';
import { type RealServer, started } from './real-servers.ts';
import { temporaryFolder } from './tool-calls.ts';
import { until } from './until.ts';

const victoriaLogs = {
  name: 'victoria-logs',
  module: 'github.com/VictoriaMetrics/VictoriaLogs/app/victoria-logs',
  version: '1.52.1',
};

/** For the name of a test that cannot run; undefined where it can. */
export const victoriaLogsMissing = goProgramMissing(victoriaLogs);

/** Built where there is none. */
export function getVictoriaLogs(): Promise<string> {
  return getGoProgram(victoriaLogs);
}

/** Empty; its one user is `reader`. */
export async function startVictoriaLogs(password: string): Promise<RealServer & { url: string }> {
  const binary = await getVictoriaLogs();
  const [port, folder] = [await freePort(), await temporaryFolder()];
  const places = [`-httpListenAddr=127.0.0.1:${port}`, `-storageDataPath=${folder}/data`];
  // lines of any time
  const kept = ['-retentionPeriod=100y', '-futureRetention=100y'];
  const user = ['-httpAuth.username=reader', `-httpAuth.password=${password}`];
  const stop = started(spawn(binary, [...places, ...kept, ...user], { stdio: 'ignore', cwd: folder }));
  await until('VictoriaLogs listens', () => takesConnections(port));
  return { port, folder, stop, url: `http://127.0.0.1:${port}` };
}

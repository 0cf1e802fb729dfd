// AWS on loopback: moto (https://docs.getmoto.org), which imitates its services, and the real AWS command line. Both come from
// PATH, or from PyPI once into the cache: under a minute.
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@holdfast/processes/free-port';
import { cacheFolder, readEnvironment } from '../../src/config/environment.ts';
import { takesConnections } from '../../src/dev-server/dev-server-process.ts';
import { builtOnce, onPath } from './built-once.ts';
import { started } from './real-servers.ts';
import { until } from './until.ts';

const run = promisify(execFile);
const packages = ['moto[server]==5.2.1', 'awscli==1.45.11'];
const target = join(cacheFolder(readEnvironment()), 'moto-5.2.1');

type Moto = { moto: string; aws: string };

function ofPath(): Moto | undefined {
  const [moto, aws] = [onPath('moto_server'), onPath('aws')];
  return moto !== undefined && aws !== undefined ? { moto, aws } : undefined;
}

/** For the name of a test that cannot run; undefined where it can. */
export const motoMissing =
  (ofPath() ?? (existsSync(target) || onPath('pip3')))
    ? undefined
    : 'skipped: no moto_server and aws, and no pip3 on PATH to bring them';

export async function getMoto(): Promise<Moto> {
  const found = ofPath();
  if (found) return found;
  const folder = await builtOnce(
    target,
    `bringing ${packages.join(' and ')} for the tests with pip3`,
    async (empty) => {
      await run('pip3', ['install', '--quiet', '--target', empty, ...packages]);
      // what pip puts into bin does not find its modules in a folder of its own
      for (const [name, module] of [
        ['moto_server', 'moto.server'],
        ['aws', 'awscli'],
      ] as const) {
        const file = join(empty, 'bin', name);
        await writeFile(
          file,
          `#!/bin/sh\nPYTHONPATH="$(dirname "$(dirname "$0")")" exec python3 -m ${module} "$@"\n`,
        );
        await chmod(file, 0o755);
      }
      return empty;
    },
  );
  return { moto: join(folder, 'bin/moto_server'), aws: join(folder, 'bin/aws') };
}

/** `environment`: what the command line needs to reach it, with made-up credentials. `aws` runs one command. */
export async function startMoto(secret: string) {
  const { moto, aws } = await getMoto();
  const port = await freePort();
  started(spawn(moto, ['-H', '127.0.0.1', '-p', `${port}`], { stdio: 'ignore' }));
  await until('moto listens', () => takesConnections(port), 60_000);
  const environment = {
    PATH: `${dirname(aws)}:${process.env['PATH']}`,
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: 'made-up',
    AWS_SECRET_ACCESS_KEY: secret,
  };
  const call = async (...words: string[]): Promise<string> =>
    (await run(aws, [...words, '--region', 'eu-west-1', '--output', 'json'], { env: environment })).stdout;
  return { environment, aws: call };
}

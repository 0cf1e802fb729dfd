// The usual generator of Python clients (https://github.com/openapi-generators/openapi-python-client) with what its clients need, by pip
// once into the cache: ten seconds.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, readEnvironment } from '../../src/config/environment.ts';
import { builtOnce, onPath } from './built-once.ts';

const run = promisify(execFile);
const packages = ['openapi-python-client==0.29.1', 'python-dateutil==2.9.0.post0'];
const target = join(cacheFolder(readEnvironment()), 'openapi-python-client-0.29.1');

/** For the name of a test that cannot run; undefined where it can. */
export const pythonGeneratorMissing =
  onPath('python3') && (existsSync(target) || onPath('pip3'))
    ? undefined
    : 'skipped: no python3, or no pip3 on PATH to bring openapi-python-client';

/** The folder of its modules, for PYTHONPATH. */
export function getPythonGenerator(): Promise<string> {
  return builtOnce(target, `bringing ${packages.join(' and ')} for the tests with pip3`, async (empty) => {
    await run('pip3', ['install', '--quiet', '--target', empty, ...packages]);
    return empty;
  });
}

/** Makes the package `holdfast_client` in the folder; returns the generator's warnings, and how its programs run. */
export async function generatePythonClient(
  description: string,
  folder: string,
): Promise<{ said: string; environment: NodeJS.ProcessEnv }> {
  const modules = await getPythonGenerator();
  const environment = { ...process.env, PYTHONPATH: `${modules}:${folder}`, PYTHONDONTWRITEBYTECODE: '1' };
  // its formatters would only cost time
  await writeFile(join(folder, 'generator.json'), '{"post_hooks": []}');
  const output = ['--meta', 'none', '--output-path', join(folder, 'holdfast_client')];
  const { stdout, stderr } = await run(
    'python3',
    [
      '-m',
      'openapi_python_client',
      'generate',
      '--path',
      description,
      '--config',
      join(folder, 'generator.json'),
      ...output,
    ],
    { env: environment },
  );
  return { said: `${stdout}${stderr}`, environment };
}

// Config files loaded by a Node process of their own, as the CLI does: the test runner would load them its own way.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export type Loaded = {
  loaded?: { path: string; config: unknown };
  failure?: { name: string; message: string };
};

const loader = `
  import { loadConfigFile } from ${JSON.stringify(new URL('../../src/config/config-file.ts', import.meta.url).href)};
  const results = [];
  for (const name of process.argv.slice(2)) {
    await loadConfigFile(process.argv[1], name || undefined).then(
      (loaded) => results.push({ loaded }),
      ({ name, message }) => results.push({ failure: { name, message } }),
    );
  }
  console.log(JSON.stringify(results));`;

/** One process for all of them: an empty name is no name. */
export async function loadConfigs(folder: string, names: string[]): Promise<Loaded[]> {
  const run = ['--input-type=module', '-e', loader, '--', folder, ...names];
  const { stdout } = await promisify(execFile)(process.execPath, run);
  return JSON.parse(stdout);
}

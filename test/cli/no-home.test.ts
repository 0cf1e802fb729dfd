// A user without a home and without an entry in /etc/passwd, as containers have them: Node's homedir() throws.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/tool-calls.ts';

const noHome = `
  import os from 'node:os';
  import { syncBuiltinESMExports } from 'node:module';
  os.homedir = () => { throw new Error('uv_os_homedir returned ENOENT'); };
  syncBuiltinESMExports();`;
const program = new URL('../../bin/holdfast.js', import.meta.url).pathname;

async function holdfast(cwd: string, ...words: string[]): Promise<string> {
  const args = ['--import', `data:text/javascript,${encodeURIComponent(noHome)}`, program, ...words];
  const run = promisify(execFile)(process.execPath, args, { cwd, env: { PATH: '/nowhere' } });
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  return stdout;
}

test('[CORE-11] without a home every command works, and the server is kept in the folder', async () => {
  const cwd = await temporaryFolder();
  expect(await holdfast(cwd, '--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
  const report = await holdfast(cwd, 'doctor');
  expect(report).toContain(`no temporal on PATH or in ${cwd}/.holdfast/cache\n`);
  expect(report).toMatch(/ok +sandbox|note +sandbox/);
});

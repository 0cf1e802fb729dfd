// Commands that are printed: each can be pasted as it is printed, and reaches the same server with the same config.
import { resolve } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { programOf, rememberPlace, typed, withProgram, withTyped } from '../../src/config/command-line.ts';
import { runCli, runEntry } from '../support/cli.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const root = resolve(import.meta.dirname, '../..');
const clone = '/src/holdfast';
const shim = `${clone}/bin/holdfast.js`;
const script = { npm_command: 'run-script', npm_package_json: `${clone}/package.json` };

describe('[CLI-01a] the beginning of a printed command is that of the one that prints it', () => {
  test.each([
    ['npm run, in a clone', shim, clone, { ...script, INIT_CWD: clone }, 'npm run holdfast --'],
    ['below its folder', shim, clone, { ...script, INIT_CWD: `${clone}/docs` }, 'npm run holdfast --'],
    [
      'npm --prefix, from elsewhere',
      shim,
      clone,
      { ...script, INIT_CWD: '/home/ann' },
      'npm --prefix /src/holdfast run holdfast --',
    ],
    ['the file, in a clone', shim, clone, {}, 'node bin/holdfast.js'],
    ['the file, elsewhere', shim, '/home/ann', {}, 'node /src/holdfast/bin/holdfast.js'],
    ['a folder with a blank', '/my src/bin/holdfast.js', '/', {}, "node 'my src/bin/holdfast.js'"],
    ['the file, by a Node of npx', shim, clone, { npm_command: 'exec' }, 'node bin/holdfast.js'],
    ['in a container', '/app/bin/holdfast.js', '/app', {}, 'node bin/holdfast.js'],
    ['linked to the PATH', '/usr/bin/holdfast', '/home/ann', { PATH: '/bin:/usr/bin' }, 'holdfast'],
    ['linked beside the PATH', '/opt/links/holdfast', '/home/ann', { PATH: '/bin' }, '/opt/links/holdfast'],
    [
      'npx, in a project',
      '/shop/node_modules/.bin/holdfast',
      '/shop',
      { npm_command: 'exec' },
      'npx holdfast',
    ],
    [
      'a script of a project',
      '/shop/node_modules/.bin/holdfast',
      '/shop',
      { npm_command: 'run-script', npm_package_json: '/shop/package.json' },
      'npx holdfast',
    ],
    ['the link of a project', '/shop/node_modules/.bin/holdfast', '/shop/logs', {}, 'npx holdfast'],
    [
      'the link of a project, from elsewhere',
      '/shop/node_modules/.bin/holdfast',
      '/home/ann',
      {},
      '/shop/node_modules/.bin/holdfast',
    ],
    [
      'npx with a package',
      '/root/.npm/_npx/1c52/node_modules/.bin/holdfast',
      '/shop',
      { npm_command: 'exec', npm_config_package: '../holdfast 0.1.0.tgz' },
      "npx --package='../holdfast 0.1.0.tgz' holdfast",
    ],
    ['a program of its own', '/shop/worker.js', '/shop', { npm_command: 'run-script' }, 'holdfast'],
  ])('%s', (_name, file, cwd, environment, expected) => {
    expect(programOf({ node: 'node', file, cwd, environment })).toBe(expected);
  });
});

describe('config and server are in the line', () => {
  afterEach(() => rememberPlace({}));

  test('[CLI-01bc] those that this command was given, in quotes where a shell needs them, and never a secret', () => {
    const environment = {
      TEMPORAL_ADDRESS: 'db:7233',
      TEMPORAL_NAMESPACE: 'night watch',
      TEMPORAL_API_KEY: 'secret',
      HOLDFAST_CONFIG: 'other.ts',
      HOLDFAST_DIR: '',
    };
    rememberPlace(environment, 'my config.ts');
    const before =
      "TEMPORAL_ADDRESS=db:7233 TEMPORAL_NAMESPACE='night watch' holdfast --config 'my config.ts'";
    expect(typed('list')).toBe(`${before} list`);
    expect(withTyped('"holdfast show x" shows it')).toBe(`"${before} show x" shows it`);
    // help is about every server
    expect(withProgram('Usage: holdfast run [options]')).toBe('Usage: holdfast run [options]');
    rememberPlace(environment);
    expect(typed('list')).toContain('HOLDFAST_CONFIG=other.ts holdfast list');
  });

  test('a text keeps everything that is no command', () => {
    const words =
      'Run "holdfast list" or $ holdfast dev; the queue is "holdfast", the file holdfast.config.ts.';
    expect(withTyped(words)).toBe(words); // in this process the command is plain
    expect(typed('list')).toBe('holdfast list');
  });
});

describe('a clone', () => {
  const environment = { TEMPORAL_ADDRESS: '127.0.0.1:1', HOLDFAST_DIR: '/proc/none' };

  test('[CLI-01ab] prints commands as it was started: in messages, in help and in the usage', async () => {
    const setting = { cwd: root, environment: { ...environment, TEMPORAL_ADDRESS: '' } };
    const { stderr } = await runEntry(['list'], setting);
    expect(stderr).toMatch(/"HOLDFAST_DIR=\/proc\/none \S+ bin\/holdfast.js dev" starts one here/);
    const { stdout } = await runEntry(['run', '--help'], setting);
    expect(stdout).toMatch(/^Usage: \S+ bin\/holdfast.js run /);
    expect(stdout).toMatch(/\n {2}\$ \S+ bin\/holdfast.js run "checkout is slow/);
    expect(stdout).toMatch(/\| \S+ bin\/holdfast.js run --json - \|/);
  });

  test('[CLI-01a] prints the path elsewhere, and the plain command where it is linked', async () => {
    const setting = { cwd: await temporaryFolder(), environment: { HOLDFAST_DIR: '/proc/none' } };
    expect((await runEntry(['list'], setting)).stderr).toContain(`${root}/bin/holdfast.js run"`);
    expect((await runCli(['list'], setting)).stderr).toContain('"holdfast run"');
  });
});

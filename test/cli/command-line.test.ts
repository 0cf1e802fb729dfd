// Commands that are printed: each can be typed as it stands.
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { programOf, typed, withTyped } from '../../src/cli/command-line.ts';
import { runCli, runEntry } from '../support/cli.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const root = resolve(import.meta.dirname, '../..');

test.each([
  ['in a clone', '/src/holdfast/bin/holdfast.js', '/src/holdfast', true, true, 'npx holdfast'],
  ['in a clone, without npm', '/src/holdfast/bin/holdfast.js', '/src/holdfast', true, false, 'npx holdfast'],
  [
    'elsewhere, from a clone',
    '/src/holdfast/bin/holdfast.js',
    '/home/ann',
    true,
    false,
    '/opt/node /src/holdfast/bin/holdfast.js',
  ],
  [
    'from a clone in an odd folder',
    '/my src/bin/holdfast.js',
    '/',
    true,
    false,
    "/opt/node '/my src/bin/holdfast.js'",
  ],
  ['linked to the PATH', '/usr/bin/holdfast', '/home/ann', true, false, 'holdfast'],
  ['installed for a project', '/shop/node_modules/.bin/holdfast', '/shop', false, true, 'npx holdfast'],
  ['installed for all', '/usr/bin/holdfast', '/shop', false, false, 'holdfast'],
  ['in a container', '/app/bin/holdfast.js', '/app', false, false, 'holdfast'],
  ['in a program of its own', '/shop/worker.js', '/shop', false, true, 'holdfast'],
])('%s', (_name, file, cwd, fromSource, byNpm, expected) => {
  expect(programOf({ node: '/opt/node', file, cwd, fromSource, byNpm })).toBe(expected);
});

test('a text keeps everything that is no command', () => {
  const words =
    'Run "holdfast list" or $ holdfast dev; the queue is "holdfast", the file holdfast.config.ts.';
  expect(withTyped(words)).toBe(words); // in this process the command is plain
  expect(typed('list')).toBe('holdfast list');
});

describe('a clone', () => {
  const environment = { TEMPORAL_ADDRESS: '127.0.0.1:1', HOLDFAST_DIR: '/proc/none' };

  test('prints commands that npm runs in its folder: in messages, in help and in the usage', async () => {
    const setting = { cwd: root, environment: { ...environment, TEMPORAL_ADDRESS: '' } };
    const { stderr } = await runEntry(['list'], setting);
    expect(stderr).toContain('"npx holdfast run" or "npx holdfast dev" starts one here');
    const { stdout } = await runEntry(['run', '--help'], setting);
    expect(stdout).toMatch(/^Usage: npx holdfast run /);
    expect(stdout).toContain('\n  $ npx holdfast run "checkout is slow');
    expect(stdout).toContain('| npx holdfast run --json - |');
  });

  test('prints the path elsewhere, and the plain command where it is linked', async () => {
    const setting = { cwd: await temporaryFolder(), environment: { HOLDFAST_DIR: '/proc/none' } };
    expect((await runEntry(['list'], setting)).stderr).toContain(
      `"${process.execPath} ${root}/bin/holdfast.js run"`,
    );
    expect((await runCli(['list'], setting)).stderr).toContain('holdfast run" or "');
  });
});

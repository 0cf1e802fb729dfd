// The packages of the repository: the example of each README prints what is under it, and each brings what it imports.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packages } from '../../oxlint.config.ts';
import { projectRoot } from '../support/project-root.ts';

const root = join(projectRoot, 'packages');
const names = readdirSync(root);

test.each(names)('the example in the README of %s prints what is under it', (name) => {
  const readme = readFileSync(join(root, name, 'README.md'), 'utf8');
  const [, example, printed] = /```ts\n([^]*?)```\n+```text\n([^]*?)```/.exec(readme) ?? [];
  // the demo is a command: its examples are tested as such
  if (name === 'demo') return expect(example).toBeUndefined();
  const words = ['--input-type=module-typescript', '-e', example ?? ''];
  const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: join(root, name), encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: printed, stderr: '' });
});

type Manifest = { dependencies?: Record<string, string>; peerDependencies?: Record<string, string> };

function manifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

test.each(names)('holdfast, which ships %s, has its dependencies in the same versions', (name) => {
  const { dependencies = {}, peerDependencies = {} } = manifest(join(root, name));
  const own = manifest(projectRoot);
  const libraries = Object.entries(dependencies).filter(([library]) => !library.startsWith('@holdfast/'));
  expect(own.dependencies).toMatchObject(Object.fromEntries(libraries));
  expect(own.peerDependencies).toMatchObject(peerDependencies);
});

test.each(Object.keys(packages))('%s depends on packages under it alone', (name) => {
  const under = Object.keys(packages).slice(0, Object.keys(packages).indexOf(name));
  const { dependencies = {} } = manifest(join(root, name));
  const own = Object.keys(dependencies).filter((each) => each.startsWith('@holdfast/'));
  expect(own.filter((each) => !under.includes(each.slice('@holdfast/'.length)))).toEqual([]);
});

test.each(names)('the README of %s names files that exist', (name) => {
  const folder = join(root, name);
  const files = new Set(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((path) => [
      path,
      path.replace(/^src\//, ''),
    ]),
  );
  const named = [
    ...readFileSync(join(folder, 'README.md'), 'utf8').matchAll(/`([\w/-]+\.(?:ts|yaml|txt))`/g),
  ].map(([, path = '']) => path);
  const missing = named.filter(
    (path) => ![...files].some((file) => file === path || file.endsWith(`/${path}`)),
  );
  expect(missing.filter((path) => !/^(?:src\/cli|tools)\//.test(path))).toEqual([]);
});

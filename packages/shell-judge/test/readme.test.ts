// The example of the README prints what the README says, and the package brings what it imports.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

test('the example of the README prints what is under it', () => {
  const readme = readFileSync(`${root}/README.md`, 'utf8');
  const [, example = '', printed] = /```ts\n([^]*?)```\n+```text\n([^]*?)```/.exec(readme) ?? [];
  const words = ['--input-type=module-typescript', '-e', example];
  const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: printed, stderr: '' });
});

test('holdfast, which ships it, has its dependencies in the same versions', () => {
  const read = (path: string): { dependencies: Record<string, string> } =>
    JSON.parse(readFileSync(`${root}/${path}`, 'utf8'));
  expect(read('../../package.json').dependencies).toMatchObject(read('package.json').dependencies);
});

// What the built-in reading tools say of a call before it runs, so that rules over paths and hosts match it.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createBuiltInTools } from '../../../src/activities/assembly/built-in-tools.ts';
import { temporaryFolder, toolBench } from '../../support/tool-calls.ts';

async function folder() {
  const root = await temporaryFolder();
  await mkdir(join(root, 'secret'));
  await writeFile(join(root, 'secret', 'key.log'), 'hello\n');
  await symlink(join(root, 'secret'), join(root, 'open'));
  const tools = createBuiltInTools({ roots: [root], httpAllow: ['127.0.0.1:1'] });
  const policy = [
    { tool: '*', path: '*/secret*', decision: 'deny' as const, reason: 'no secrets' },
    { tool: '*', host: '127.0.0.*', decision: 'deny' as const, reason: 'not that host' },
  ];
  const answer = async (name: string, args: Record<string, string>) => {
    const tool = tools.find(({ spec }) => spec.name === name);
    if (!tool) throw new Error(`there is no ${name}`);
    return (await toolBench(tool, { policy })).text(args);
  };
  return { root, answer };
}

test.each([
  ['read', 'secret/key.log'],
  ['read', 'open/key.log'],
  ['ls', 'secret'],
  ['ls', 'open'],
  ['find', 'open'],
  ['grep', './open/../open'],
])('a rule over paths matches %s of %s by its name and by its real path', async (name, path) => {
  const { root, answer } = await folder();
  const args = name === 'find' || name === 'grep' ? { pattern: 'hello' } : {};
  expect(await answer(name, { ...args, path })).toBe('Denied by policy: no secrets');
  expect(await answer(name, { ...args, path: join(root, path) })).toBe('Denied by policy: no secrets');
  expect(await answer('ls', { path: root })).toContain('secret/');
});

test('a rule over hosts matches http_get', async () => {
  const { answer } = await folder();
  expect(await answer('http_get', { url: 'http://127.0.0.1:1/' })).toBe('Denied by policy: not that host');
});

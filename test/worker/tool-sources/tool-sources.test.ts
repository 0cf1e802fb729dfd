// One name, several tools: which of them a worker has.
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '@holdfast/base/json';
import type { Access } from '@holdfast/vocabulary/frozen-context';
import { builtInSource, checkWritable } from '../../../src/worker/tool-sources/built-in-source.ts';
import { mergeTools } from '../../../src/worker/tool-sources/collect-sources.ts';
import { toolsetSource } from '../../../src/worker/tool-sources/toolset-source.ts';
import { resolvedAt } from '../../support/composed-worker.ts';
import { fakeTool, temporaryFolder, toolBench } from '../../support/tool-calls.ts';

const tool = (name: string) => fakeTool(() => ({ text: '' }), { name });

test('[TOOL-02a] a name registered again in one toolset replaces the tool of that name', () => {
  const [first, other, second] = [tool('look'), tool('find'), tool('look')];
  const { tools, shadowed } = mergeTools([[first, other, second]]);
  expect([...tools]).toEqual([
    ['look', second],
    ['find', other],
  ]);
  expect(tools.get('look')).toBe(second);
  expect(shadowed).toEqual([]);
});

test('[TOOL-02bc] over several toolsets the first definition of a name wins, and a toolset given twice counts once', () => {
  const [mine, theirs] = [tool('look'), tool('look')];
  const toolset = [mine];
  const { tools, shadowed } = mergeTools([toolset, [theirs, tool('find')], toolset]);
  expect([...tools.keys()]).toEqual(['look', 'find']);
  expect(tools.get('look')).toBe(mine);
  // the third is the first again, so only the second one's tool is left out
  expect(shadowed).toEqual(['look']);
});

const withFiles = (roots: string[], writable: string[]) =>
  resolvedAt('/project', { files: { roots, writable } });

test('[TOOL-16b] write and edit are there only where the config opens folders for them', async () => {
  const names = async (writable: string[]): Promise<string[]> => {
    const { tools } = await builtInSource(withFiles(['/srv'], writable));
    return tools.map(({ spec }) => spec.name);
  };
  expect(await names([])).not.toContain('write');
  expect(await names(['/srv/conf'])).toEqual(expect.arrayContaining(['write', 'edit']));
});

test('the file tools see no file that a secret or a key of the configuration lies in', async () => {
  const folder = await temporaryFolder();
  for (const name of ['token', 'codec', 'held', 'app.log'])
    await writeFile(join(folder, name), `value of ${name}\n`);
  await symlink('token', join(folder, 'link'));
  const config = resolvedAt(
    folder,
    {
      files: { roots: ['.'] },
      secrets: { grafana: { file: 'token' } },
      encryption: { activeKey: 'k1', keys: { k1: { file: 'codec' } } },
    },
    { OPENAI_API_KEY_FILE: 'held' },
  );
  const { tools } = await builtInSource(config);
  const text = async (name: string, args: JsonObject) => {
    const tool = tools.find(({ spec }) => spec.name === name);
    if (!tool) throw new Error(`there is no ${name}`);
    return (await toolBench(tool)).text(args);
  };
  expect(await text('read', { path: 'app.log' })).toContain('value of app.log');
  for (const path of ['token', 'link', 'codec', 'held']) {
    expect(await text('read', { path }), path).toContain('Refused');
  }
  expect(await text('grep', { pattern: 'value' })).toBe('app.log:1:value of app.log');
});

test('[WORKER-03b] a read of a toolset that reaches a host of this worker alone is a change in a run that began without it', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'own.yaml'), reaching);
  const config = resolvedAt(folder, {
    http: { allow: ['a.test', 'b.test:9090'] },
    toolsets: { [join(folder, 'own.yaml')]: {} },
  });
  const source = await toolsetSource(config, (text) => Promise.resolve(text));
  const inspected = async (name: string, args: JsonObject, within?: Pick<Access, 'roots' | 'hosts'>) => {
    const tools = within ? source.toolsWithin(within) : source.tools;
    return (await tools.find(({ spec }) => spec.name === name)?.inspect?.(args))?.actions;
  };
  const within = { roots: [], hosts: ['a.test:443'] };
  const read = (host: string) => [expect.objectContaining({ effect: 'read', hosts: [host] })];
  expect(await inspected('reach', { host: 'b.test' })).toEqual(read('b.test'));
  expect(await inspected('reach', { host: 'a.test' }, within)).toEqual(read('a.test'));
  expect(await inspected('reach', { host: 'b.test' }, within)).toMatchObject([
    {
      effect: 'idempotent',
      hosts: ['b.test'],
      reason: "It reaches b.test, which this run's http.allow does not name.",
    },
  ]);
  // of a host of its own settings, which http.allow need not name
  expect(await inspected('own', {}, within)).toEqual(read('own.test'));
});

test('a toolset with a program that is missing keeps its other tools, and says which are absent', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'own.yaml');
  await writeFile(file, reaching.replace('[echo,', '[no-such-program,'));
  const config = resolvedAt(folder, { toolsets: { [file]: {} } });
  const source = await toolsetSource(config, (text) => Promise.resolve(text));
  expect(source.tools.map(({ spec }) => spec.name)).toEqual(['own']);
  expect(source.lacks('reach')).toBe('not now');
  expect(source.lacks('own')).toBeUndefined();
  expect(source.warnings).toEqual([
    'Toolset own: reach is absent, because the program no-such-program is not installed.',
  ]);
  expect(source.units).toMatchObject([
    { status: 'ready', tools: [{ name: 'own' }], settingsDigest: expect.any(String) },
    { status: 'failed', tools: [{ name: 'reach' }] },
  ]);
});

const reaching = `
name: own
description: Reaches hosts.
settings:
  url: { description: Of a server., default: 'http://own.test' }
tools:
  - name: reach
    description: Reaches a host.
    effect: read
    parameters:
      host: { type: string, pattern: '[a-z.]+' }
    reaches: '{{host}}'
    command: [echo, '{{host}}']
  - name: own
    description: Reaches its own host.
    effect: read
    http: { url: '{{settings.url}}/status' }
`;

test.each(['/etc', '/srv-other', '/', 'conf'])(
  'a writable folder %s outside of the readable ones is refused at the start',
  (folder) => {
    const config = withFiles(['/srv'], ['/srv/conf', folder]);
    expect(() => checkWritable(config)).toThrow(
      /^files\.writable has \/\S*: expected a folder in one of files\.roots, because a file is read before/,
    );
  },
);

test('[TOOL-02b] the tools of delegation come with subagents: an own tool of such a name is not used, and that is said', () => {
  const { tools, shadowed } = mergeTools([[tool('delegate'), tool('task_complete'), tool('find')]]);
  expect([...tools.keys()]).toEqual(['find']);
  expect(shadowed).toEqual(['delegate', 'task_complete']);
});

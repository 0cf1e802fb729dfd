// One name, several tools: which of them a worker has.
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RegisteredTool } from '../../src/activities/tools/define-tool.ts';
import { resolveConfig } from '../../src/config/config.ts';
import type { JsonObject } from '../../src/core/base/json.ts';
import type { Access } from '../../src/core/model/frozen-context.ts';
import { checkWritable, collectTools, collectToolsets } from '../../src/worker/collect-tools.ts';
import { fakeTool, temporaryFolder, toolBench } from '../support/tool-calls.ts';

const tool = (name: string) => fakeTool(() => ({ text: '' }), { name });

test('[TOOL-02] a name registered again in one toolset replaces the tool of that name', () => {
  const [first, other, second] = [tool('look'), tool('find'), tool('look')];
  const { tools, shadowed } = collectToolsets([[first, other, second]]);
  expect([...tools]).toEqual([
    ['look', second],
    ['find', other],
  ]);
  expect(tools.get('look')).toBe(second);
  expect(shadowed).toEqual([]);
});

test('[TOOL-02] over several toolsets the first definition of a name wins, and a toolset given twice counts once', () => {
  const [mine, theirs] = [tool('look'), tool('look')];
  const toolset = [mine];
  const { tools, shadowed } = collectToolsets([toolset, [theirs, tool('find')], toolset]);
  expect([...tools.keys()]).toEqual(['look', 'find']);
  expect(tools.get('look')).toBe(mine);
  // the third is the first again, so only the second one's tool is left out
  expect(shadowed).toEqual(['look']);
});

const withFiles = (roots: string[], writable: string[]) =>
  resolveConfig({
    ...{ cwd: '/', environment: {} },
    file: { path: '/project/holdfast.config.ts', config: { files: { roots, writable } } },
  });

test('[TOOL-16] write and edit are there only where the config opens folders for them', () => {
  const names = (writable: string[]): string[] => [
    ...collectTools(withFiles(['/srv'], writable), [], undefined).tools.keys(),
  ];
  expect(names([])).not.toContain('write');
  expect(names(['/srv/conf'])).toEqual(expect.arrayContaining(['write', 'edit']));
});

test('the file tools see no file that a secret or a key of the configuration lies in', async () => {
  const folder = await temporaryFolder();
  for (const name of ['token', 'codec', 'held', 'app.log'])
    await writeFile(join(folder, name), `value of ${name}\n`);
  await symlink('token', join(folder, 'link'));
  const config = resolveConfig({
    ...{ cwd: folder, environment: { OPENAI_API_KEY_FILE: 'held' } },
    file: {
      path: join(folder, 'holdfast.config.ts'),
      config: {
        files: { roots: ['.'] },
        secrets: { grafana: { file: 'token' } },
        encryption: { activeKey: 'k1', keys: { k1: { file: 'codec' } } },
      },
    },
  });
  const { tools } = collectTools(config, [], undefined);
  const text = async (name: string, args: JsonObject) => {
    const tool = tools.get(name);
    if (!tool) throw new Error(`there is no ${name}`);
    return (await toolBench(tool)).text(args);
  };
  expect(await text('read', { path: 'app.log' })).toContain('value of app.log');
  for (const path of ['token', 'link', 'codec', 'held']) {
    expect(await text('read', { path }), path).toContain('Refused');
  }
  expect(await text('grep', { pattern: 'value' })).toBe('app.log:1:value of app.log');
});

test('[WORKER-03] a read of a toolset that reaches a host of this worker alone is a change in a run that began without it', async () => {
  const config = resolveConfig({
    ...{ cwd: '/', environment: {} },
    file: { path: '/holdfast.config.ts', config: { http: { allow: ['a.test', 'b.test:9090'] } } },
  });
  const reach: RegisteredTool = {
    ...tool('reach'),
    inspect: async (args) => ({
      actions: [{ effect: 'read', hosts: Object.values(args as Record<string, string>) }],
    }),
  };
  const inspected = async (host: string, within?: Pick<Access, 'roots' | 'hosts'>) =>
    (await collectTools(config, [reach], undefined, within).tools.get('reach')?.inspect?.({ host }))?.actions;
  const within = { roots: [], hosts: ['a.test:443'] };
  expect(await inspected('b.test')).toEqual([{ effect: 'read', hosts: ['b.test'] }]);
  expect(await inspected('a.test', within)).toEqual([{ effect: 'read', hosts: ['a.test'] }]);
  expect(await inspected('b.test', within)).toEqual([
    {
      ...{ effect: 'idempotent', hosts: ['b.test'] },
      reason: "It reaches b.test, which this run's http.allow does not name.",
    },
  ]);
  // of a host of its own settings, which http.allow need not name
  expect(await inspected('own.test', within)).toEqual([{ effect: 'read', hosts: ['own.test'] }]);
});

test.each(['/etc', '/srv-other', '/', 'conf'])(
  'a writable folder %s outside of the readable ones is refused at the start',
  (folder) => {
    const config = withFiles(['/srv'], ['/srv/conf', folder]);
    expect(() => checkWritable(config)).toThrow(
      /^files\.writable has \/\S*: expected a folder in one of files\.roots, because a file is read before/,
    );
  },
);

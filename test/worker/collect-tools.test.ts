// One name, several tools: which of them a worker has.
import { expect, test } from 'vitest';
import { resolveConfig } from '../../src/config/config.ts';
import { checkWritable, collectTools, collectToolsets } from '../../src/worker/collect-tools.ts';
import { fakeTool } from '../support/tool-calls.ts';

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

test.each(['/etc', '/srv-other', '/', 'conf'])(
  'a writable folder %s outside of the readable ones is refused at the start',
  (folder) => {
    const config = withFiles(['/srv'], ['/srv/conf', folder]);
    expect(() => checkWritable(config)).toThrow(
      /^files\.writable has \/\S*: expected a folder in one of files\.roots, because a file is read before/,
    );
  },
);

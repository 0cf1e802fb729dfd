// The field `memory` of a config file.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseConfig } from '../../src/config/config-file.ts';
import { resolveConfig } from '../../src/config/config.ts';
import { memoryFiles, memoryFolder, openMemoryOf } from '../../src/config/memory.ts';
import { literalSecrets } from '../../src/worker/literal-secrets.ts';

const resolved = (memory: object) =>
  resolveConfig({
    cwd: '/srv',
    environment: {},
    file: { path: '/project/holdfast.config.ts', config: parseConfig({ memory }, 'The config') },
  });

test.each<[memory: object, words: string]>([
  [{ store: 'mysql' }, 'memory.store'],
  [{ store: { postgres: { url: 'mysql://db' } } }, 'expected postgres://user@host:5432/database'],
  [{ store: { postgres: { url: 'secret://db', password: 'hunter2' } } }, 'secret://name'],
  [{ files: ['../MEMORY.md'] }, 'expected a file of memory.dir, or a pattern such as runbooks/**'],
  [{ files: ['/etc/*'] }, 'expected a file of memory.dir'],
  [{ files: ['runbooks/../../**'] }, 'without ".."'],
  [{ files: ['handover.pdf'] }, 'expected text of a kind that memory reads: .md, .markdown, .txt, .rst'],
  [{ files: ['runbooks/*.docx'] }, 'expected text of a kind'],
  [{ embed: 'nomic' }, 'memory.embed: expected "<provider>:<model id>"'],
  [{ topK: 5 }, 'topK'],
])('[MEM-08b] [MEM-16c] %j is refused', (memory, words) => {
  expect(() => parseConfig({ memory }, 'The config')).toThrow(words);
});

test('a secret that the config does not have is a mistake of the config', () => {
  const memory = { store: { postgres: { url: 'secret://memory-url' } } };
  expect(() => parseConfig({ memory }, 'The config')).toThrow('memory-url');
});

test('files are beside the config file, or in the folder that it names from there', () => {
  expect(memoryFolder(resolved({}))).toBe('/project');
  expect(memoryFolder(resolved({ dir: 'notes' }))).toBe(join('/project', 'notes'));
  expect(memoryFiles(resolved({}))).toEqual(['MEMORY.md', 'AGENTS.md', 'HEARTBEAT.md']);
  expect(memoryFiles(resolved({ files: ['USER.md'] }))).toEqual(['USER.md']);
});

test('without the field there is no memory; with it nothing is opened before it is used', async () => {
  expect(openMemoryOf(resolveConfig({ cwd: '/srv', environment: {} }), [])).toBeUndefined();
  await openMemoryOf(resolved({}), [])?.close();
});

test('a password in the address of the database is a secret of the worker', () => {
  const config = resolved({ store: { postgres: { url: 'postgres://holdfast:planted-password@db/memory' } } });
  expect(literalSecrets(config).map(([, value]) => value)).toContain('planted-password');
});

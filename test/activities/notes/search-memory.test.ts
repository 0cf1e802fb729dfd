import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createDeltaBus } from '../../../src/activities/base/delta-bus.ts';
import { SqliteStore } from '../../../src/activities/notes/sqlite-store.ts';
import { createFileArtifactStore } from '../../../src/activities/storage/file-artifact-store.ts';
import { composeActivities } from '../../../src/worker/compose-activities.ts';
import { ownRules } from '../../../src/worker/policy-rules.ts';
import { collectParts } from '../../../src/worker/parts.ts';
import { type Config, resolveConfig } from '../../../src/config/config.ts';
import type { HoldfastConfig } from '../../../src/config/define-config.ts';
import { decidePolicy } from '../../../src/core/tools/policy.ts';
import { temporaryFolder, toolBench } from '../../support/tool-calls.ts';

async function configOf(
  config: HoldfastConfig,
  environment: Record<string, string> = {},
): Promise<Config & { folder: string }> {
  const folder = await temporaryFolder();
  const file = { path: join(folder, 'holdfast.config.ts'), config };
  return { ...resolveConfig({ cwd: folder, environment, file }), folder };
}

async function toolsOf(config: Config) {
  const parts = await collectParts(config);
  onTestFinished(() => parts.close());
  return parts;
}

test('[MEM-01ac] a worker indexes its files when it starts; one that cannot says so, and starts', async () => {
  const config = await configOf({ memory: {} }, { OPENAI_API_KEY: 'k' });
  await writeFile(join(config.folder, 'MEMORY.md'), '## Databases\nThe pool has 40 connections.\n');
  await writeFile(join(config.folder, 'AGENTS.md'), 'Three hosts.\n');
  const start = async () => {
    const artifacts = await createFileArtifactStore(config.artifactsDir);
    const { warnings, close } = await composeActivities({
      config,
      artifacts,
      deltaBus: createDeltaBus(),
      searchAttributes: [],
      identity: 'test',
    });
    onTestFinished(() => close());
    return warnings;
  };
  expect(await start()).toEqual([]);
  const store = new SqliteStore({
    path: join(config.dir, 'memory.db'),
    notes: join(config.folder, 'MEMORY.md'),
  });
  onTestFinished(() => store.close());
  store.files = ['file:../AGENTS.md', 'file:../MEMORY.md'];
  expect((await store.find(['pool', 'hosts'], 5)).map(({ source }) => source).sort()).toEqual([
    'file:../AGENTS.md',
    'file:../MEMORY.md',
  ]);
  await mkdir(join(config.folder, 'HEARTBEAT.md'));
  expect(await start()).toEqual([
    expect.stringMatching(/^The memory cannot be read now, so that runs begin without it: .*HEARTBEAT\.md/),
  ]);
});

test('[MEM-06] search_memory is offered where memory is configured, as a read, and nowhere else', async () => {
  const without = await toolsOf(await configOf({}));
  expect(without.tools.has('search_memory')).toBe(false);
  const { tools, agents } = await toolsOf(await configOf({ memory: {} }));
  expect(tools.get('search_memory')?.spec.effect).toBe('read');
  expect(agents.get('investigator')?.tools).toContain('search_memory');
});

test('[MEM-06] it gives notes inside marks with their ids, or says that there are none', async () => {
  const config = await configOf({ memory: { dir: 'notes', files: ['MEMORY.md'] } });
  const { tools } = await toolsOf(config);
  const tool = tools.get('search_memory');
  if (!tool) throw new Error('search_memory is missing');
  const bench = await toolBench(tool);
  expect(await bench.text({ query: 'pool' })).toBe('Nothing in memory has to do with this.');
  await mkdir(join(config.folder, 'notes'));
  const note = '## Databases\nThe pool of checkout has 40 connections.\n';
  await writeFile(join(config.folder, 'notes', 'MEMORY.md'), note);
  const text = await bench.text({ query: 'checkout pool', limit: 3 });
  // what an agent has written down is no evidence for a quote
  expect((await bench.run({ query: 'checkout pool' })).message).not.toHaveProperty('artifactId');
  expect(text).toMatch(/^\[MEMORY\]\n[\s\S]*\[\/MEMORY\]$/);
  expect(text).toMatch(
    /From MEMORY\.md, Databases, \([0-9a-f]{12}\), a person's own note, as of [0-9-]{10}:\nThe pool of checkout has 40 connections\./,
  );
});

test('[MEM-04c] no tool of an agent changes MEMORY.md: facts get there only through the activity', async () => {
  const config = await configOf({ memory: {}, files: { roots: ['.'], writable: ['.'] } });
  const judge = async (path: string) =>
    decidePolicy(
      {
        tool: 'write',
        effect: 'idempotent',
        actions: [{ effect: 'idempotent', paths: [join(config.folder, path)] }],
      },
      await ownRules(config),
      { agent: 'investigator', mode: 'act' },
    ).decision;
  expect(await judge('MEMORY.md')).toBe('deny');
  expect(await judge('USER.md')).toBe('ask');
});

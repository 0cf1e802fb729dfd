// holdfast memory: what agents remember, without a server.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callCli, type CliSetting } from '../support/cli.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

async function folder(config: object): Promise<CliSetting> {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'holdfast.config.json'), JSON.stringify(config));
  const notes = '## Databases\nThe pool of checkout-db-1 has 40 connections.\n\n## Caches\nRedis evicts.\n';
  await writeFile(join(cwd, 'MEMORY.md'), notes);
  return { cwd, environment: { TEMPORAL_ADDRESS: '127.0.0.1:1' } };
}

test('what search finds is shown whole by its id, and is gone once it was forgotten', async () => {
  const setting = await folder({ memory: {} });
  const found = await callCli(['memory', 'search', 'checkout', 'pool', '--json'], setting);
  expect(found.code).toBe(0);
  const [chunk] = found.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(chunk).toMatchObject({
    type: 'memory',
    source: 'MEMORY.md',
    title: 'Databases',
    id: expect.any(String),
  });
  const shown = await callCli(['memory', 'show', chunk.id], setting);
  expect(shown.stdout).toBe('MEMORY.md, Databases\n\nThe pool of checkout-db-1 has 40 connections.\n');
  const forgotten = await callCli(['memory', 'forget', chunk.id], setting);
  expect(forgotten).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Forgotten: MEMORY.md, Databases'),
  });
  expect(forgotten.stdout).toMatch(
    /The words themselves stay in .*MEMORY\.md: take them out, or they are found again when their section changes\./,
  );
  const again = await callCli(['memory', 'search', 'checkout', 'pool'], setting);
  expect(again).toMatchObject({ code: 0, stdout: 'Nothing in memory has these words.\n' });
  const unknown = await callCli(['memory', 'show', chunk.id], setting);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain(`There is no memory "${chunk.id}": expected an id that`);
});

test('without memory in the config, and with a database that cannot be reached, the command says what to do', async () => {
  const none = await callCli(['memory', 'search', 'pool'], await folder({}));
  expect(none.code).toBe(2);
  expect(none.stderr).toContain('This config has no memory: expected "memory" in it');
  const store = { postgres: { url: 'postgres://holdfast@127.0.0.1:1/memory' } };
  const down = await callCli(['memory', 'search', 'pool'], await folder({ memory: { store } }));
  expect(down.code).toBe(10);
  expect(down.stderr).toContain('The memory cannot be used: connect ECONNREFUSED 127.0.0.1:1');
});

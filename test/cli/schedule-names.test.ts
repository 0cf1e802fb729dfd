// holdfast schedule create: what would fail at its slot, hours later, is refused before a server is asked.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callCli } from '../support/cli.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const agents = { night: { instructions: 'x', tools: [] } };
const destinations = { team: { file: { folder: 'out' } } };

test.each<[string, string[], RegExp]>([
  ['an unknown agent', ['--agent', 'nihgt'], /There is no agent "nihgt": expected one of .*night/],
  ['an unknown destination', ['--deliver', 'taem'], /There is no destination "taem": expected one of team\./],
])('[SCHED-01d] %s of this config is refused, without a server', async (_, words, expected) => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'holdfast.config.json'), JSON.stringify({ agents, destinations }));
  const setting = { cwd, environment: { TEMPORAL_ADDRESS: '127.0.0.1:1' } };
  const { code, stderr } = await callCli(
    ['schedule', 'create', 'n', '--every', '6h', ...words, 'look'],
    setting,
  );
  expect(stderr).toMatch(expected);
  expect(code).toBe(2);
});

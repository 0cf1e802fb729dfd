// Examples that need a worker: what is shared by sessions, or outlasts them. Each as its README runs it.
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { playUntilTestEnds } from '../support/running-worker.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const folderOf = (example: string): string => resolve(import.meta.dirname, '../../examples', example);

test('[SUB-13b] task-board: a task of the board is claimed and completed, one that it does not have fails at once', async () => {
  const folder = folderOf('task-board');
  const address = inject('temporalAddress');
  const environment = { HOLDFAST_DIR: await temporaryFolder(), TEMPORAL_ADDRESS: address };
  const config = await loadConfig({ cwd: folder, environment });
  const client = await playUntilTestEnds(config, join(folder, 'script.yaml'));
  const board = client.board(`incident-${process.pid}`);
  await board.add({ id: 'deploys', text: 'Which deploys were there?' });
  const session = await client.start({
    agent: 'lead',
    prompt: 'Work on the board.',
    delegation: { taskBoard: board.name },
  });
  expect((await session.result()).answer).toBe(
    'One deploy, checkout v41: DB_POOL_SIZE 20 -> 2. And of the other: The board has no task.',
  );
  expect(await board.list()).toMatchObject([
    { id: 'deploys', status: 'completed', assignee: `${session.sessionId}/analyst-deploys-1` },
  ]);
  await board.close();
});

test('[TOOL-30] own-artifact-store: outputs, report, archived log and result are in the store of the config, and the client reads them there', async () => {
  const folder = folderOf('own-artifact-store');
  const dir = await temporaryFolder();
  const address = inject('temporalAddress');
  const config = await loadInFolder(folder, dir, address);
  const client = await playUntilTestEnds(config, join(folder, 'script.yaml'));
  const session = await client.start({ prompt: 'Show it.', continueAsNewAfterTurns: 1 });
  const result = await session.result();
  expect(result).toMatchObject({ status: 'completed', report: { quotes: 1, verifiedQuotes: 1 } });
  const report = await session.report(result);
  for (const part of ['The store keeps outputs and reports.', '## Impact', '## No fault found'])
    expect(report).toContain(part);
  expect(await session.storedResult()).toMatchObject({ lastWords: 'The report is in the store.' });
  const log = [];
  for await (const record of session.messages()) log.push(record);
  expect(log).toHaveLength(6);
  expect(await readdir(dir)).not.toContain('artifacts');
});

/** The example says where its store is by the variable that says where everything is. */
async function loadInFolder(cwd: string, dir: string, address: string) {
  const environment = readEnvironment();
  const before = environment['HOLDFAST_DIR'];
  process.env['HOLDFAST_DIR'] = dir;
  onTestFinished(() => {
    if (before === undefined) delete process.env['HOLDFAST_DIR'];
    else process.env['HOLDFAST_DIR'] = before;
  });
  return loadConfig({ cwd, environment: { HOLDFAST_DIR: dir, TEMPORAL_ADDRESS: address } });
}

// The examples of what a team shares: a task board, notes about failures, a critic. Each as its README runs it.
import { join, resolve } from 'node:path';
import { expect, inject, test } from 'vitest';
import { createClient } from '../../src/client.ts';
import { loadConfig } from '../../src/config/config.ts';
import { textOf } from '../../src/core/model/messages.ts';
import { loadModelScript } from '../../src/scripted/load-model-script.ts';
import { testAgent } from '../../src/testing.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { createHoldfastWorker } from '../../src/worker.ts';
import { runUntilTestEnds } from '../support/running-worker.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const folderOf = (example: string): string => resolve(import.meta.dirname, '../../examples', example);

test('[REFLECT-03a] [REFLECT-04a] reflection: a note of the first analyst reaches the second one, and a critic has the report made better', async () => {
  const folder = folderOf('reflection');
  const { result, report, requests } = await testAgent({
    config: join(folder, 'holdfast.config.yaml'),
    script: await loadModelScript(join(folder, 'script.yaml')),
    input: { agent: 'lead' },
    prompt: 'Why is checkout slow?',
  });
  expect(result.answer).toBe(
    'The critic said: What changed before 14:02:31 was not looked at. The cause is checkout v41: DB_POOL_SIZE 20 -> 2. ' +
      'The analyst had read the note of the first one.',
  );
  expect(report).toContain('2 of 2 quotes found');
  const read = requests.filter(({ messages }) =>
    messages.some((message) => /<prior_reflections>[^]*rotated away/.test(textOf(message))),
  );
  expect(read.map(({ metadata }) => metadata.agent)).toEqual(['analyst', 'analyst']);
});

test('[SUB-13b] task-board: a task of the board is claimed and completed, one that it does not have fails at once', async () => {
  const folder = folderOf('task-board');
  const address = inject('temporalAddress');
  const environment = { HOLDFAST_DIR: await temporaryFolder(), TEMPORAL_ADDRESS: address };
  const config = await loadConfig({ cwd: folder, environment });
  const play = new ScriptedModel(await loadModelScript(join(folder, 'script.yaml')));
  const worker = await createHoldfastWorker({ config, play, shutdownGraceMs: 1_000 });
  const connection = await runUntilTestEnds(worker, address);
  const { taskQueue } = config;
  const client = createClient({ connection, namespace: 'default', taskQueue });
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

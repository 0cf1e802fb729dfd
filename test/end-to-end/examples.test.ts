// The examples of doors for users, each with the config file and the script that its README runs.
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/client.ts';
import { openArtifactReader } from '../../src/config/artifacts.ts';
import { loadConfig } from '../../src/config/config.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { textOf } from '../../src/core/model/messages.ts';
import { testAgent } from '../../src/testing.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { createHoldfastWorker } from '../../src/worker.ts';
import { runUntilTestEnds } from '../support/running-worker.ts';
import { temporaryFolder } from '../support/tool-calls.ts';
import { loadModelScript } from '../../src/scripted/load-model-script.ts';

const folderOf = (example: string): string => resolve(import.meta.dirname, '../../examples', example);

/** The texts of the log of a run as the example's README starts it. */
async function play(example: string, agent = 'investigator', prompt = 'Do it.'): Promise<string[]> {
  const folder = folderOf(example);
  const { result, messages } = await testAgent({
    config: join(folder, 'holdfast.config.ts'),
    script: await loadModelScript(join(folder, 'script.yaml')),
    input: { agent },
    prompt,
    server: inject('temporalAddress'),
  });
  expect(result.status).toBe('completed');
  return messages.map(textOf);
}

test('own-tool: the investigator calls a tool that one call of defineTool made', async () => {
  expect(await play('own-tool')).toContainEqual(expect.stringMatching(/^\/: \d+ % of \d+ GB used$/));
});

test('skills: the runbook of the alert, then a skill and a file of it; the answer has what they say', async () => {
  const texts = await play('skills');
  expect(texts).toContain('pg_wal is the first to look at; 2 GB are usual there.');
  expect(texts).toContainEqual(expect.stringMatching(/^# Skill disk-full\n\n# A full disk\n/));
});

test.each([
  ['operator', 'Change freeze until 2999-01-01: nothing is restarted.'],
  ['operator-after-freeze', 'checkout restarted'],
])('own-hook: the restart of %s is answered with "%s"', async (agent, text) => {
  expect(await play('own-hook', agent)).toContain(text);
});

test('[HOOK-18ac] middleware: a known alert is answered without a model, and an answer without a cause is sent back', async () => {
  expect(await play('middleware', 'on-call')).toEqual([
    'Do it.',
    'Checkout is slow.',
    'Say the cause.',
    'Checkout is slow because its pool is full.',
  ]);
  // the script's model was not asked
  await expect(play('middleware', 'on-call', 'DiskFull on db-1')).rejects.toThrow('steps left over: first');
});

test('[PLAN-04bc] planning: a plan is made first, carried out step by step, and verified before the answer', async () => {
  const folder = folderOf('planning');
  const { result, messages } = await testAgent({
    config: join(folder, 'holdfast.config.ts'),
    script: await loadModelScript(join(folder, 'script.yaml')),
    input: { agent: 'methodical' },
    prompt: 'Why is checkout slow?',
  });
  expect(result).toMatchObject({ status: 'completed', planComplete: true, turns: 6 });
  expect(result.answer).toBe('checkout is slow because its pool has 2 connections, and all are in use.');
  expect(messages.map(textOf)).toContainEqual(
    expect.stringMatching(/still open:\n- 2 \[ \] Look at it again/),
  );
});

test('subagents: two analysts look at once, and the lead answers with what they found', async () => {
  const folder = folderOf('subagents');
  const { result, messages } = await testAgent({
    config: join(folder, 'holdfast.config.yaml'),
    script: await loadModelScript(join(folder, 'script.yaml')),
    input: { agent: 'lead' },
    prompt: 'Why is checkout slow?',
  });
  expect(result.answer).toBe(
    'Checkout is slow since 14:02:31. The cause is checkout v41: DB_POOL_SIZE 20 -> 2.',
  );
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool_result', 'assistant']);
});

test('[REPORT-12a] condensing: after three condenses that forget everything, every quote of the report is found', async () => {
  const folder = folderOf('condensing');
  const { result } = await testAgent({
    config: join(folder, 'holdfast.config.ts'),
    script: await loadModelScript(join(folder, 'script.yaml')),
    input: { agent: 'patient' },
    prompt: 'Why is checkout slow?',
  });
  expect(result).toMatchObject({ status: 'completed', condenses: 3 });
  expect(result.report).toMatchObject({ quotes: 2, verifiedQuotes: 2 });
});

test('own-artifact-store: outputs, report, archived log and result are in the store of the config, and the client reads them there', async () => {
  const folder = folderOf('own-artifact-store');
  const dir = await temporaryFolder();
  const address = inject('temporalAddress');
  const config = await loadInFolder(folder, dir, address);
  const play = new ScriptedModel(await loadModelScript(join(folder, 'script.yaml')));
  const worker = await createHoldfastWorker({ config, play, shutdownGraceMs: 1_000 });
  const connection = await runUntilTestEnds(worker, address);
  const { taskQueue } = config;
  const artifacts = openArtifactReader(config);
  const client = createClient({ connection, namespace: 'default', taskQueue, artifacts });
  const session = await client.start({ prompt: 'Show it.', continueAsNewAfterTurns: 1 });
  const result = await session.result();
  expect(result).toMatchObject({ status: 'completed', report: { quotes: 1, verifiedQuotes: 1 } });
  const report = await session.report(result);
  for (const part of ['The store keeps outputs and reports.', '## Impact', '## No fault found'])
    expect(report).toContain(part);
  expect(await session.storedResult()).toMatchObject({ answer: 'The report is in the store.' });
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

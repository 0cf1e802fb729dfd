// The examples of doors for users, each with the config file and the script that its README runs, in memory.
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { textOf } from '@holdfast/vocabulary/messages';
import { testAgent } from '../../src/testing.ts';
import { loadModelScript } from '@holdfast/scripted-model/load-model-script';

const folderOf = (example: string): string => resolve(import.meta.dirname, '../../examples', example);

/** A run as the example's README starts it. */
async function run(example: string, agent: string, prompt: string, file = 'holdfast.config.ts') {
  const script = await loadModelScript(join(folderOf(example), 'script.yaml'));
  return testAgent({ config: join(folderOf(example), file), script, input: { agent }, prompt });
}

/** The texts of its log. */
async function play(example: string, agent = 'investigator', prompt = 'Do it.'): Promise<string[]> {
  const { result, messages } = await run(example, agent, prompt);
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
  const { result, messages } = await run('planning', 'methodical', 'Why is checkout slow?');
  expect(result).toMatchObject({ status: 'completed', planComplete: true, turns: 6 });
  expect(result.answer).toBe('checkout is slow because its pool has 2 connections, and all are in use.');
  expect(messages.map(textOf)).toContainEqual(
    expect.stringMatching(/still open:\n- 2 \[ \] Look at it again/),
  );
});

test('subagents: two analysts look at once, and the lead answers with what they found', async () => {
  const { result, messages } = await run(
    'subagents',
    'lead',
    'Why is checkout slow?',
    'holdfast.config.yaml',
  );
  expect(result.answer).toBe(
    'Checkout is slow since 14:02:31. The cause is checkout v41: DB_POOL_SIZE 20 -> 2.',
  );
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool_result', 'assistant']);
});

test('[REPORT-12a] condensing: after three condenses that forget everything, every quote of the report is found', async () => {
  const { result } = await run('condensing', 'patient', 'Why is checkout slow?');
  expect(result).toMatchObject({ status: 'completed', condenses: 3 });
  expect(result.report).toMatchObject({ quotes: 2, verifiedQuotes: 2 });
});

test('[REFLECT-03a] [REFLECT-04a] reflection: a note of the first analyst reaches the second one, and a critic has the report made better', async () => {
  const { result, report, requests } = await run(
    'reflection',
    'lead',
    'Why is checkout slow?',
    'holdfast.config.yaml',
  );
  expect(result.lastWords).toBe(
    'The critic said: What changed before 14:02:31 was not looked at. The cause is checkout v41: DB_POOL_SIZE 20 -> 2. ' +
      'The analyst had read the note of the first one.',
  );
  expect(report).toContain('2 of 2 quotes found');
  const read = requests.filter(({ messages }) =>
    messages.some((message) => /<prior_reflections>[^]*rotated away/.test(textOf(message))),
  );
  expect(read.map(({ metadata }) => metadata.agent)).toEqual(['analyst', 'analyst']);
});

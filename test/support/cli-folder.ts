// A folder as a user of the CLI has one: a log, a config, a script for the scripted model, and the suite's server.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject } from 'vitest';
import type { ModelScript } from '@holdfast/scripted-model/model-script';
import type { PolicyRule } from '@holdfast/vocabulary/tool-spec';
import { type StepInput, callTool, say, scriptOf } from '../../src/testing.ts';
import { beginCall, type CliSetting } from './cli.ts';

export type CliFolder = CliSetting & { environment: Record<string, string>; remove(): Promise<void> };

/** Looks into the log, and keeps the line that it finds there. */
export const lookStep: StepInput = {
  id: 'look',
  text: 'I look into the log.',
  calls: [
    {
      tool: 'grep',
      args: { pattern: 'timeout' },
      capture: { line: { regex: '(pool timeout after \\d+ ms)' } },
    },
  ],
};

const lookAndAnswer = scriptOf([lookStep, say('The log says: {{line}}.', { id: 'answer' })], {
  name: 'look-and-answer',
});

/** After these steps it asks before it reads the log, and says what it was told meanwhile. */
export const askAndTell = (...before: StepInput[]): ModelScript =>
  scriptOf([
    ...before,
    callTool(
      'read',
      { path: 'shop.log' },
      {
        id: 'ask',
        text: 'I should read it all.',
        next: [{ when: { steered: '.' }, goto: 'told' }, { goto: 'untold' }],
      },
    ),
    say('Nobody told me anything.', { id: 'untold', next: 'end' }),
    say('I was told: {{words}}', {
      id: 'told',
      captureSteered: { words: { regex: '.+', group: 0 } },
      next: 'end',
    }),
  ]);

/** The default agent with its limits, and without the tool report. */
export const wordy = {
  investigator: {
    instructions: 'Look.',
    tools: ['*', '!report'],
    loop: { maxTurns: 100 },
    budget: { wallMs: 3_600_000, costUsd: 3, tokens: 3_000_000 },
  },
};

/** A task queue of its own, so that tests do not take each other's work. */
export async function makeCliFolder(
  name: string,
  script: ModelScript = lookAndAnswer,
  policy: PolicyRule[] = [],
): Promise<CliFolder> {
  const cwd = await mkdtemp(join(tmpdir(), `holdfast-cli-${name}-`));
  await mkdir(join(cwd, 'logs'));
  await writeFile(join(cwd, 'logs', 'shop.log'), '14:03 ok\n14:04 pool timeout after 512 ms\n');
  await writeFile(join(cwd, 'script.json'), JSON.stringify(script));
  // its scripts answer in words: an agent with the tool report would be asked for one
  const config = { script: 'script.json', files: { roots: ['logs'] }, policy, agents: wordy };
  await writeFile(join(cwd, 'holdfast.config.json'), JSON.stringify(config));
  const environment = {
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    HOLDFAST_TASK_QUEUE: `cli-${name}-${process.pid}`,
  };
  return { cwd, environment, remove: () => rm(cwd, { recursive: true, force: true }) };
}

/** What it gives is the config of the folder from now on. */
export async function changeConfig(
  { cwd }: Pick<CliFolder, 'cwd'>,
  change: (config: object) => object,
): Promise<void> {
  const file = join(cwd, 'holdfast.config.json');
  await writeFile(file, JSON.stringify(change(JSON.parse(await readFile(file, 'utf8')))));
}

/** Asks for approval before it reads the log, and answers then. */
const askAndAnswer = scriptOf([
  callTool('read', { path: 'shop.log' }, { id: 'ask', text: 'I should read it.' }),
  say('That is all.', { id: 'answer' }),
]);

/** A folder whose sessions wait for a person. */
export function makeAskingFolder(name: string): Promise<CliFolder> {
  return makeCliFolder(name, askAndAnswer, [{ tool: 'read', decision: 'ask' }]);
}

/** A session that waits for its approval, and was left with Ctrl-C; what the command said then. */
export async function leaveSession(folder: CliFolder, sessionId: string, ...more: string[]): Promise<string> {
  const run = beginCall(['run', '--session', sessionId, ...more, 'look'], folder);
  await run.until(new RegExp(`holdfast .*approve ${sessionId}`));
  run.interrupt();
  const { code, stderr } = await run.ended;
  expect(code).toBe(130);
  return stderr;
}

/** A folder whose worker runs until it is removed. */
export async function makeServedFolder(...args: Parameters<typeof makeCliFolder>): Promise<CliFolder> {
  const folder = await makeCliFolder(...args);
  const worker = beginCall(['worker', '--grace', '1'], folder);
  await worker.until(/worker on .*\nmodel {2}scripted:incident/);
  const remove = async () => {
    worker.interrupt();
    await worker.ended;
    await folder.remove();
  };
  return { ...folder, remove };
}

// A mistake in the config file stops the commands that run sessions, and no other: a person can still look, answer
// and end what runs.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ModelScript } from '@holdfast/scripted-model/model-script';
import { type CliResult, type RunningCall, beginCall, callCli, runCli } from '../support/cli.ts';
import { type CliFolder, makeCliFolder, wordy } from '../support/cli-folder.ts';
import { until } from '../support/until.ts';

const asks: ModelScript = {
  name: 'asks',
  steps: [
    { id: 'ask', text: 'I should read it.', calls: [{ tool: 'read', args: { path: 'shop.log' } }] },
    { id: 'again', text: 'Once more.', calls: [{ tool: 'read', args: { path: 'shop.log' } }] },
    { id: 'answer', text: 'That is all.' },
  ],
};

/** Each with what is said of it. */
const mistakes = {
  // first: a process keeps the file that it has loaded
  'has an unknown field': ["export default { tolos: [], artifactsDir: 'kept' };\n", /tolos/],
  'does not parse': ['export default {\n  tools: [,]],\n};\n', /holdfast\.config\.ts:2 does not parse/],
  'imports what is not there': [
    "import { x } from './gone.ts';\nexport default { x };\n",
    /holdfast\.config\.ts.* failed when it was loaded: Cannot find module/,
  ],
} as const;

let folder: CliFolder;
let run: RunningCall;
beforeAll(async () => {
  folder = await makeCliFolder('broken', asks, [{ tool: 'read', decision: 'ask' }]);
  run = beginCall(['run', '--session', 'waits', '--keep-alive', 'look'], folder);
  await run.until(/holdfast approve waits/);
  await rename(join(folder.cwd, 'holdfast.config.json'), join(folder.cwd, 'good.json'));
});
afterAll(() => folder.remove());

describe('a config that has an unknown field', () => {
  const [source, said] = mistakes['has an unknown field'];
  beforeAll(() => writeFile(join(folder.cwd, 'holdfast.config.ts'), source));

  test.each([['run', 'look'], ['doctor'], ['worker'], ['watch', 'waits', '--worker']])(
    '[CLI-16a] %s needs it, and stops',
    async (...args) => {
      const { code, stdout, stderr } = await callCli(args, folder);
      expect(`${stdout}${stderr}`).toMatch(said);
      expect(code).toBe(2);
    },
  );

  test.each([['list'], ['show', 'waits']])('[CLI-16b] %s warns in one line, and works', async (...args) => {
    expectWarning(await callCli(args, folder), said);
  });

  test('[CLI-16b] watch follows', async () => {
    const watch = beginCall(['watch', 'waits'], folder);
    await watch.until(/approval needed: read shop\.log/);
    watch.interrupt();
    const { stderr } = await watch.ended;
    expect(stderr).toMatch(said);
    expect(stderr).toMatch(/Left session waits running/);
  });
});

// Node's own words, which only a process of its own has; the test's process has a loader of its own, and loads a file once
test.each(['does not parse', 'imports what is not there'] as const)(
  '[CLI-16ab] a config that %s stops run, and list warns and works',
  async (name) => {
    const [source, said] = mistakes[name];
    await writeFile(join(folder.cwd, 'holdfast.config.ts'), source);
    const [run, list] = await Promise.all([['run', 'look'], ['list']].map((args) => runCli(args, folder)));
    expect(run).toMatchObject({ code: 2, stderr: expect.stringMatching(said) });
    if (list) expectWarning(list, said);
  },
);

function expectWarning({ code, stdout, stderr }: CliResult, said: RegExp): void {
  expect(stderr).toMatch(said);
  expect(stderr).toMatch(/^warning: .* results are read from .*\n(?:! No worker is running [^]*)?$/);
  expect(stdout).toContain('waits');
  expect(code).toBe(0);
}

test('[CLI-16c] messages and answers do not read it', async () => {
  await writeFile(join(folder.cwd, 'holdfast.config.ts'), mistakes['does not parse'][0]);
  const send = async (...words: string[]) =>
    expect(await callCli(words, folder), words.join(' ')).toMatchObject({ code: 0, stderr: '' });
  await send('steer', 'waits', 'look at the pool');
  await send('follow-up', 'waits', 'and then?');
  await send('approve', 'waits');
  await run.until(/approved by/);
  await run.until(/approval needed[^]*approval needed/);
  await send('deny', 'waits');
  await run.ended;
  const worker = beginCall(['worker', '--config', 'good.json'], folder);
  await worker.until(/worker on/);
  // that its worker runs is not known at once
  expect((await callCli(['prompt', 'waits', 'again'], folder)).code).toBe(0);
  const shown = ['show', 'waits', '--config', 'good.json'];
  await until('its run has ended', async () => /^state +idle/m.test((await callCli(shown, folder)).stdout));
  // refused by the session, not for the config
  for (const command of ['resume', 'abort']) {
    const refused = {
      code: 7,
      stderr: expect.stringMatching(/^holdfast: Session waits .*nothing to resume|no run to abort/),
    };
    expect(await callCli([command, 'waits'], folder)).toMatchObject(refused);
  }
  worker.interrupt();
  await worker.ended;
});

test('[CLI-16d] the fields that are right count: results are found where the config says', async () => {
  await mkdir(join(folder.cwd, 'kept'), { recursive: true });
  const good = { script: 'script.json', files: { roots: ['logs'] }, artifactsDir: 'kept', agents: wordy };
  await writeFile(join(folder.cwd, 'kept.json'), JSON.stringify(good));
  await callCli(['run', '--session', 'kept', '--yes', '--config', 'kept.json', 'look'], folder);
  await writeFile(join(folder.cwd, 'kept.json'), JSON.stringify({ ...good, tolos: [] }));
  const { code, stdout, stderr } = await callCli(['result', 'kept', '--config', 'kept.json'], folder);
  expect(stderr).toMatch(/^warning: .*tolos.* results are read from .*\/kept\.\n/);
  expect(stdout).toContain('That is all.');
  expect(code).toBe(0);
  const list = await callCli(['list', '--limit', '500', '--config', 'kept.json'], folder);
  expect(list.stdout).toMatch(/^kept {2}.* · completed/m);
});

test('[CLI-16e] a file that the command line names and that is not there is a slip of the command line', async () => {
  const { code, stderr } = await callCli(['list', '--config', 'gone.ts'], folder);
  expect(stderr).toMatch(/gone\.ts: expected one because it was named/);
  expect(code).toBe(2);
});

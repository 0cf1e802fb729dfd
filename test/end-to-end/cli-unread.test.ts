// What is said near the end of a run, from another terminal: who reads it, that it was not read, and the way on.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { ModelScript } from '@holdfast/scripted-model/model-script';
import { beginCall, callCli, type CliLine } from '../support/cli.ts';
import {
  changeConfig,
  type CliFolder,
  makeCliFolder,
  makeServedFolder,
  wordy,
} from '../support/cli-folder.ts';

/** Asks for a look, and answers. */
const looks: ModelScript = {
  name: 'looks',
  steps: [
    { id: 'look', text: 'I look.', calls: [{ tool: 'grep', args: { pattern: 'ok' } }] },
    { id: 'answer', text: 'So far nothing.', next: 'look' },
  ],
};

let folder: CliFolder;
beforeAll(async () => {
  folder = await makeServedFolder('unread', looks, [{ tool: 'grep', decision: 'ask' }]);
  const atLimit = { loop: { maxTurns: 1, onLimit: 'error' } };
  await writeFile(join(folder.cwd, 'at-limit.json'), JSON.stringify(atLimit));
});
afterAll(() => folder.remove());

const holdfast = (...args: string[]) => callCli(args, folder);

/** A session whose one reply waits for a person. */
async function start(session: string, ...options: string[]): Promise<void> {
  await holdfast('run', '--session', session, '--detach', ...options, 'look');
  const waits = ({ lines }: { lines: CliLine[] }) =>
    lines.some((line) => (line['session'] as CliLine | undefined)?.['waitingFor'] === 'approval');
  while (!waits(await holdfast('show', session, '--json')));
}

test('[QUEUE-20b] [QUEUE-22e] at a limit steer, watch, show and result say that nobody reads it, with its words and the command that goes on', async () => {
  await start('unread-one-shot', '--input', 'at-limit.json');
  const sent = await holdfast('steer', 'unread-one-shot', '--id', 'm1', 'Do not mention customer names.');
  expect(sent.code).toBe(0);
  expect(sent.stdout).toMatch(
    /^Sent \(id m1\)\. The run in progress does not read it any more\. [^]*holdfast fork unread-one-shot --prompt <words>/,
  );
  await holdfast('approve', 'unread-one-shot');
  for (const command of ['watch', 'result', 'show']) {
    const { code, stdout } = await holdfast(command, 'unread-one-shot');
    expect(stdout).toMatch(
      /! No run has read 1 message of people: "[^"]*holdfast fork unread-one-shot --prompt <words>" goes on in a new session\.\n {2}steering {3}m1 {2}Do not mention customer names\.\n/,
    );
    expect(code).toBe(command === 'show' ? 0 : 12);
  }
  const { lines } = await holdfast('result', 'unread-one-shot', '--json');
  expect(lines).toContainEqual(
    expect.objectContaining({
      type: 'unread',
      messages: [{ id: 'm1', queue: 'steering', text: 'Do not mention customer names.' }],
    }),
  );
});

test('[QUEUE-20b] in a session that stays the way on is continue, after which nothing is unread', async () => {
  await start('unread-stays', '--keep-alive', '--input', 'at-limit.json');
  const sent = await holdfast('steer', 'unread-stays', '--json', '--id', 'm1', 'no names');
  expect(sent.lines).toMatchObject([{ id: 'm1', receipt: { state: 'queued', readIn: 'next_run' } }]);
  await holdfast('approve', 'unread-stays');
  let shown = '';
  while (!shown.includes('No run has read')) shown = (await holdfast('show', 'unread-stays')).stdout;
  expect(shown).toMatch(
    /No run has read 1 message of people: "[^"]*holdfast continue unread-stays" gives them/,
  );
  const watch = beginCall(['watch', 'unread-stays'], folder);
  await watch.until(/^max_iterations/m);
  watch.interrupt();
  expect((await watch.ended).stdout).toMatch(
    /! No run has read 1 message of people: "[^"]*holdfast continue unread-stays" gives them to the agent\.\n {2}steering {3}m1 {2}no names\n/,
  );
  await holdfast('continue', 'unread-stays');
  while ((await holdfast('queue', 'list', 'unread-stays')).stdout !== 'No message waits.\n');
  expect((await holdfast('show', 'unread-stays')).stdout).not.toContain('No run has read');
  await holdfast('end', 'unread-stays');
  await holdfast('abort', 'unread-stays');
});

test('[QUEUE-20a] [QUEUE-22f] the one request that a limit leaves has the message, after the approval, and steer says so', async () => {
  await start('unread-last', '--max-turns', '1');
  const { stdout } = await holdfast('steer', 'unread-last', '--id', 'm1', 'Do not mention customer names.');
  expect(stdout).toMatch(
    /^Sent \(id m1\)\. The agent reads it before its next turn\. It waits for approval first: "[^"]*show unread-last" says how that ends\.\n$/,
  );
  await holdfast('approve', 'unread-last');
  const ended = await holdfast('watch', 'unread-last');
  expect([ended.code, ended.stdout]).toEqual([12, expect.not.stringContaining('No run has read')]);
  expect((await holdfast('show', 'unread-last', '--messages')).stdout).toMatch(
    /customer names\.[^]*So far nothing\./,
  );
});

test('[QUEUE-22ae] a full queue: steer and follow-up end with code 7 and say that nothing was taken', async () => {
  await start('unread-full');
  const large = 'Z'.repeat(250_000);
  for (const command of ['steer', 'follow-up'])
    expect((await callCli([command, 'unread-full', '-'], folder, large)).code).toBe(0);
  for (const command of ['steer', 'follow-up']) {
    const { code, stdout, stderr } = await callCli([command, 'unread-full', '-'], folder, large);
    expect(stderr).toMatch(
      /has not taken message \S+ \(QueueFull\): at most 1000 messages, of 512 KiB in all, can wait; send it again later\./,
    );
    expect([code, stdout]).toEqual([7, '']);
  }
  await holdfast('abort', 'unread-full');
});

test('[QUEUE-20b] what a subagent has not read before it ended is told by watch, result and show', async () => {
  const team: ModelScript = {
    name: 'team',
    steps: [
      {
        id: 'ask',
        calls: [{ tool: 'delegate', args: { tasks: [{ agent: 'helper', task: 'look', context: '' }] } }],
      },
      { id: 'answer', text: 'Done.' },
    ],
    parts: { helper: looks },
  };
  const own = await makeCliFolder('unread-team', team, [{ tool: 'grep', decision: 'ask' }]);
  const { investigator } = wordy;
  await changeConfig(own, (config) => ({
    ...config,
    agents: { investigator: { ...investigator, delegation: { agents: ['helper'] } }, helper: investigator },
  }));
  const worker = beginCall(['worker', '--grace', '1'], own);
  onTestFinished(async () => {
    worker.interrupt();
    await worker.ended;
    await own.remove();
  });
  const call = (...args: string[]) => callCli(args, own);
  await call('run', '--session', 'unread-team', '--detach', 'look');
  while (
    !(await call('show', 'unread-team', '--tree')).stdout.includes('waiting for approval (helper-look-1)')
  );
  await call('steer', 'unread-team', '--to', 'helper-look-1', '--id', 'm1', 'only the last hour');
  await call('steer', 'unread-team', '--interrupt', 'enough');
  for (const command of ['watch', 'result', 'show'])
    expect((await call(command, 'unread-team')).stdout).toMatch(
      /! No run has read 1 message of people: [^]*\n {2}message {4}m1 /,
    );
});

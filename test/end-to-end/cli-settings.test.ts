// What a person changes in a session that stays, from another terminal: settings, queued messages, the view; and what its
// model has thought.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelScript } from '@holdfast/scripted-model/model-script';
import { callCli, type CliLine } from '../support/cli.ts';
import { type CliFolder, makeServedFolder } from '../support/cli-folder.ts';

/** Thinks, looks, and answers; asks for the look, so that messages wait meanwhile. */
const thinks: ModelScript = {
  name: 'thinks',
  steps: [
    {
      id: 'look',
      thinking: 'The pool may be empty.\nI look.',
      text: 'I look.',
      calls: [{ tool: 'grep', args: { pattern: 'ok' } }],
    },
    { id: 'answer', text: 'So far nothing.', next: 'look' },
  ],
};

const session = 'set-up';
let folder: CliFolder;
beforeAll(async () => {
  folder = await makeServedFolder('settings', thinks, [{ tool: 'grep', decision: 'ask' }]);
});
afterAll(() => folder.remove());

const holdfast = (...args: string[]) => callCli(args, folder);
const snapshot = async (): Promise<CliLine> => {
  const { lines } = await holdfast('show', session, '--json');
  const shown = lines.find(({ type }) => type === 'session')?.['session'] as CliLine | undefined;
  return { ...shown, ...(shown?.['snapshot'] as CliLine | undefined) };
};
async function until(isThere: (snapshot: CliLine) => boolean): Promise<void> {
  while (!isThere(await snapshot()));
}

test('[QUEUE-08ac] [QUEUE-19ab] messages that wait are listed with their words, and taken back one by one or all', async () => {
  await holdfast('run', '--session', session, '--keep-alive', '--detach', 'look');
  await until(({ waitingFor }) => waitingFor === 'approval');
  await holdfast('steer', session, '--id', 'm1', 'look at the pool first');
  await holdfast('follow-up', session, '--id', 'm2', 'then at the cache');
  await holdfast('follow-up', session, '--id', 'm3', 'and at the disk');
  expect((await holdfast('queue', 'list', session)).stdout).toBe(
    '  steering   m1  look at the pool first\n  follow-up  m2  then at the cache\n  follow-up  m3  and at the disk\n',
  );
  expect((await holdfast('queue', 'cancel', session, 'm2')).stdout).toBe('Taken back: m2.\n');
  const again = await holdfast('queue', 'cancel', session, 'm2');
  expect(again).toMatchObject({ code: 7, stderr: expect.stringContaining('it is cancelled') });
  const { lines } = await holdfast('queue', 'clear', session, 'follow-up', '--json');
  expect(lines).toEqual([{ type: 'cleared', id: 'm3', queue: 'followUp' }]);
  expect((await holdfast('queue', 'clear', session)).stdout).toMatch(/^Taken back:\n {2}steering {3}m1 /);
  expect((await holdfast('queue', 'list', session)).stdout).toBe('No message waits.\n');
  expect(await holdfast('queue', 'clear', session)).toMatchObject({ code: 7 });
});

test('[STATE-07a] [CLI-07ab] settings are changed from the next run on, and a wrong value is refused before it is sent', async () => {
  const wrong = await holdfast('set', session, 'mode', 'bold');
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('observe|ask|act') });
  const unknown = await holdfast('set', session, 'mood', 'good');
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('queue-mode') });
  for (const [name, ...values] of [
    ['model', 'scripted:incident'],
    ['thinking', 'low'],
    ['tool-execution', 'sequential'],
    ['mode', 'observe'],
    ['tools', 'grep'],
    ['system-prompt', 'Be', 'brief.'],
    ['queue-mode', 'steering', 'all'],
  ]) {
    const { code, stdout } = await holdfast('set', session, name ?? '', ...values);
    expect(stdout).toMatch(new RegExp(`^Set ${name} to `));
    expect(code).toBe(0);
  }
  // the run that works keeps what it began with
  // a lower mode holds at once, and the others from the next run on
  expect(await snapshot()).toMatchObject({ mode: 'observe', queueModes: { steering: 'all' } });
  await holdfast('approve', session);
  await until(({ state }) => state === 'idle');
  const { stdout } = await holdfast('prompt', session, '--wait', '--yes', 'once more');
  expect(stdout).toContain('So far nothing.');
  expect(await snapshot()).toMatchObject({ mode: 'observe' });
});

test('[CLI-18e] thoughts prints what the model has thought, of all runs or of one', async () => {
  const all = await holdfast('thoughts', session);
  expect(all.stdout.match(/^ {2}│ The pool may be empty\.\n {2}│ I look\.$/gm)).toHaveLength(2);
  const { lines } = await holdfast('thoughts', session, '--run', 'run-2', '--json');
  expect(lines).toMatchObject([{ type: 'thought', runId: 'run-2', turn: 1 }]);
  expect((await holdfast('thoughts', session, '--run', 'run-9')).stdout).toMatch(/^No thoughts/);
});

test('[STATE-08ab] reset lets the session begin anew, and keeps its settings', async () => {
  const { stdout } = await holdfast('reset', session);
  expect(stdout).toMatch(/^set-up begins anew now: no messages[^]* and remembered approvals stay/);
  const after = await snapshot();
  expect(after).toMatchObject({ mode: 'observe', state: 'idle' });
  await holdfast('end', session);
});

test('[CLI-08ab] run takes pictures, a level of thinking, a planner and a schema of the answer', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  await writeFile(join(folder.cwd, 'graph.png'), png);
  await writeFile(join(folder.cwd, 'answer.schema.json'), '{"type":"object"}');
  const wrong = await holdfast('run', '--image', 'graph.bmp', 'look');
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('.webp') });
  const gone = await holdfast('run', '--image', 'gone.png', 'look');
  expect(gone).toMatchObject({ code: 2, stderr: expect.stringContaining('Cannot read the image gone.png') });
  const image = ['--image', 'graph.png'];
  await holdfast('run', '--session', 'picture', '--detach', '--keep-alive', ...image, 'look');
  await holdfast('steer', 'picture', ...image, 'and at this one');
  await holdfast('follow-up', 'picture', ...image, 'then at this one');
  const stored = /"type":"image","artifactId":"image-\w{32}","mediaType":"image\/png"/g;
  const pictures = async (count: number): Promise<void> => {
    const shown = async () => JSON.stringify((await holdfast('logs', 'picture', '--json')).lines);
    while ((await shown()).match(stored)?.length !== count) await holdfast('approve', 'picture');
  };
  await pictures(3);
  await holdfast('abort', 'picture');
  while ((await holdfast('prompt', 'picture', ...image, 'at the last one')).code !== 0);
  await pictures(4);
  await holdfast('abort', 'picture');
  await holdfast('end', 'picture');
  const options = ['--thinking', 'high', '--planning', 'plan_and_solve', '--schema', 'answer.schema.json'];
  await holdfast('run', '--session', 'planned', '--detach', ...options, 'look');
  await holdfast('checkpoint', 'export', 'planned', '--output', 'planned.json');
  const planned = await readFile(join(folder.cwd, 'planned.json'), 'utf8');
  expect(planned).toMatch(/"thinkingLevel": ?"high"/);
  expect(planned).toMatch(/"strategy": ?"plan_and_solve"/);
  expect(planned).toMatch(/"outputSchema": ?\{\s*"type": ?"object"/);
  await holdfast('abort', 'planned');
});

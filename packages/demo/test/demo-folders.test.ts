// Which folders of earlier demos a new one leaves: real folders, and a real process in the place of a server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeDemoFolder } from '../src/demo-folders.ts';
import { writeNote } from '../../../src/dev-server/dev-server-note.ts';
import { temporaryFolder } from '../../../test/support/tool-calls.ts';

const oldNames = ['a', 'b', 'c', 'd', 'e'].map((letter, day) => `2026010${day + 1}T120000Z-aaaaa${letter}`);

/** The folder of the demos, with those of five earlier runs and something that is none. */
async function earlierRuns(): Promise<{ base: string; parent: string }> {
  const base = await temporaryFolder();
  const parent = join(base, 'demo');
  for (const name of [...oldNames, 'notes']) {
    await mkdir(join(parent, name, 'incident'), { recursive: true });
    await writeFile(join(parent, name, 'incident', 'output.log'), 'old');
  }
  return { base, parent };
}

/** A process that looks like the server of a folder. */
async function startServerOf(folder: string): Promise<void> {
  const dbFile = join(folder, 'temporal.db');
  const words = ['start-dev', '--db-filename', dbFile];
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', ...words]);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
}

test('the last three folders stay: the new one and two before it; nothing else is touched', async () => {
  const { base, parent } = await earlierRuns();
  const said: string[] = [];
  const folder = await makeDemoFolder(base, (line) => said.push(line));
  expect(await readdir(parent)).toEqual([...oldNames.slice(-2), basename(folder), 'notes']);
  expect(said).toEqual([]);
});

test('the agent’s commands, which may run as another user, come to the system in it also below /tmp', async () => {
  const { base } = await earlierRuns();
  const folder = await makeDemoFolder(base, () => undefined);
  expect((await stat(folder)).mode & 0o001).toBe(0o001);
});

test('[FAULT-101] a folder whose server runs is in use and stays, however old, also without a note', async () => {
  const { base, parent } = await earlierRuns();
  const [oldest = '', second = ''] = oldNames;
  await startServerOf(join(parent, oldest));
  const gone = { id: 'y', address: '127.0.0.1:1', pid: process.pid, startedAt: '', dbFile: '/nowhere.db' };
  await writeNote(join(parent, second), gone);
  const folder = await makeDemoFolder(base, () => undefined);
  const left = await readdir(parent);
  expect(left).toEqual([oldest, ...oldNames.slice(-2), basename(folder), 'notes']);
});

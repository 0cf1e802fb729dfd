// Which workers of a folder are dead, with real processes: only what the kernel proves counts, and each is told once.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { WorkerFacts } from '../../src/worker/worker-notes.ts';
import { announceWorker } from '../../src/worker/worker-presence.ts';
import { temporaryFolder } from '../support/tool-calls.ts';
import { until } from '../support/until.ts';

const childFile = resolve(import.meta.dirname, '../support/presence-child.ts');

function noteOf(id: string, changes: Partial<WorkerFacts> = {}): WorkerFacts {
  const place = { address: '127.0.0.1:7233', namespace: 'default', taskQueue: 'holdfast' };
  return { id, identity: `1@host:${id}`, machine: 'boot-1', ...place, ...changes };
}

async function startChild(folder: string, note: WorkerFacts): Promise<ChildProcess> {
  const child = spawn(process.execPath, [childFile, folder, JSON.stringify(note)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  if (child.stdout) await once(child.stdout, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** A worker of this process, and the ids of those that it was told of. */
async function start(folder: string, note: WorkerFacts) {
  const lost: string[] = [];
  const presence = await announceWorker({ folder, note, onLost: ({ id }) => lost.push(id) });
  onTestFinished(() => presence.close());
  return { lost, close: presence.close };
}

test('[FAULT-1] a worker that starts finds the one that was killed before it, and nothing is left of it', async () => {
  const folder = join(await temporaryFolder(), 'workers');
  await kill(await startChild(folder, noteOf('aaaaaaaa')));
  expect(await readdir(folder)).toEqual(['aaaaaaaa.json', 'aaaaaaaa.sock']);
  const next = await start(folder, noteOf('bbbbbbbb'));
  expect(next.lost).toEqual(['aaaaaaaa']);
  expect(await readdir(folder)).toEqual(['bbbbbbbb.json', 'bbbbbbbb.sock']);
  await next.close();
  expect(await readdir(folder)).toEqual([]);
});

test('[FAULT-1] workers that are there see another one die, whoever came first, and one of them takes it over', async () => {
  const folder = join(await temporaryFolder(), 'workers');
  const before = await start(folder, noteOf('aaaaaaaa'));
  const child = await startChild(folder, noteOf('cccccccc'));
  const after = await start(folder, noteOf('bbbbbbbb'));
  expect([...before.lost, ...after.lost]).toEqual([]);
  await kill(child);
  await until('one of them is told', () => before.lost.length + after.lost.length > 0);
  // whoever comes now finds nothing to take over
  const last = await start(folder, noteOf('dddddddd'));
  expect([...before.lost, ...after.lost, ...last.lost]).toEqual(['cccccccc']);
});

test('a worker that ends by itself is not taken over', async () => {
  const folder = join(await temporaryFolder(), 'workers');
  const watcher = await start(folder, noteOf('aaaaaaaa'));
  const graceful = await start(folder, noteOf('bbbbbbbb'));
  const killed = await startChild(folder, noteOf('cccccccc'));
  await graceful.close();
  await kill(killed);
  await until('the killed one is told', () => watcher.lost.includes('cccccccc'));
  expect(watcher.lost).toEqual(['cccccccc']);
});

test('a worker of another queue, server or machine is left alone, and so is one without a socket', async () => {
  const folder = join(await temporaryFolder(), 'workers');
  const others = [
    noteOf('a0000000', { taskQueue: 'other' }),
    noteOf('a0000001', { namespace: 'other' }),
    noteOf('a0000002', { address: '127.0.0.1:7234' }),
    noteOf('a0000003', { machine: 'boot-2', identity: '1@other:a0000003' }),
    noteOf('a0000004'),
  ];
  for (const note of others) await kill(await startChild(folder, note));
  await rm(join(folder, 'a0000004.sock'));
  await writeFile(join(folder, 'a0000005.json'), '{"id": "a000');
  await writeFile(join(folder, 'notes.txt'), 'not ours');
  expect((await start(folder, noteOf('bbbbbbbb'))).lost).toEqual([]);
});

test('notes of earlier boots of this machine are removed, and those of other machines stay', async () => {
  const folder = join(await temporaryFolder(), 'workers');
  await kill(await startChild(folder, noteOf('a0000000', { machine: 'boot-0' })));
  await kill(
    await startChild(folder, noteOf('a0000001', { machine: 'boot-9', identity: '1@other:a0000001' })),
  );
  expect((await start(folder, noteOf('bbbbbbbb'))).lost).toEqual([]);
  expect(await readdir(folder)).toEqual(['a0000001.json', 'a0000001.sock', 'bbbbbbbb.json', 'bbbbbbbb.sock']);
});

test('a folder whose sockets would have too long a path is refused', async () => {
  const folder = join(await temporaryFolder(), 'x'.repeat(100));
  await expect(start(folder, noteOf('aaaaaaaa'))).rejects.toThrow(/too long for a socket/);
});

test('a copy of the folder proves no death: its socket refuses, and is not the file that the worker made', async () => {
  const folder = await temporaryFolder();
  const child = await startChild(folder, noteOf('aaaaaaaa'));
  const copy = await temporaryFolder();
  await cp(folder, copy, { recursive: true, filter: (path) => !path.endsWith('.sock') });
  // what copies special files makes a socket that nobody listens on
  const listener = createServer().listen(join(copy, 'x'));
  await once(listener, 'listening');
  await rename(join(copy, 'x'), join(copy, 'aaaaaaaa.sock'));
  await new Promise((resolve) => listener.close(resolve));
  const lost: string[] = [];
  const presence = await announceWorker({
    folder: copy,
    note: noteOf('bbbbbbbb'),
    onLost: ({ id }) => lost.push(id),
  });
  await presence.close();
  expect(lost).toEqual([]);
  await kill(child);
});

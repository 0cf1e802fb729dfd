// Looking after this folder's own server: what is noticed, what is left alone. Folders and ports are real; no server
// is started here (test/end-to-end/cli-embedded.test.ts kills a real one).
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type Server, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listeningPort } from '@holdfast/base/listening-port';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { choosePort } from '../../src/dev-server/dev-server-process.ts';
import { writeNote } from '../../src/dev-server/dev-server-note.ts';
import { guardServer } from '../../src/cli/server-guard.ts';
import type { ServerCommand } from '../../src/cli/server-access.ts';

let dir: string;
let server: Server;
let address: string;
let said: string[];
let stop: AbortController;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'holdfast-guard-'));
  // no port that the system gives away: another test must not get it while the server is down
  server = createServer().listen(await choosePort(undefined, undefined), '127.0.0.1');
  await once(server, 'listening');
  address = `127.0.0.1:${listeningPort(server)}`;
  said = [];
  stop = new AbortController();
});
afterEach(async () => {
  stop.abort();
  server.close();
  await rm(dir, { recursive: true, force: true });
});

/** Only what the guard asks of it. */
function frame(own: boolean): ServerCommand {
  return {
    access: own ? { devServer: { id: 'first', address } } : {},
    config: { dir, cacheDir: dir, environment: { PATH: '/nowhere' } },
    output: { say: (line: string) => void said.push(line) },
  } as unknown as ServerCommand;
}

async function note(id: string): Promise<void> {
  await writeNote(dir, { id, address, pid: process.pid, startedAt: '' });
}

test('a server that the user named is never touched', async () => {
  server.close();
  await guardServer(frame(false), stop.signal);
  expect(said).toEqual([]);
});

test('a server that another command has started again is told', async () => {
  await note('first');
  const guarded = guardServer(frame(true), stop.signal);
  await note('second');
  await expect
    .poll(() => said)
    .toEqual([`temporal: another command has started the server ${address} again.`]);
  stop.abort();
  await guarded;
});

test('one that came back at another address ends the following, with the command that goes on', async () => {
  await note('first');
  const guarded = guardServer(frame(true), stop.signal);
  await writeNote(dir, { id: 'second', address: '127.0.0.1:2', pid: process.pid, startedAt: '' });
  await expect(guarded).rejects.toThrow(
    /started again at 127\.0\.0\.1:2: [^]*holdfast watch <session> --worker/,
  );
});

test('[FAULT-15] one that cannot be started again is told with the reason, and waited for', async () => {
  await note('first');
  const guarded = guardServer(frame(true), stop.signal);
  server.close();
  await expect.poll(() => said).toHaveLength(2);
  expect(said[0]).toContain(`the server ${address} has ended; starting it again on its file.`);
  expect(said[1]).toMatch(
    /^temporal: No Temporal server, and none to be had[^]*Waiting: "holdfast dev" starts it again\.$/,
  );
  stop.abort();
  await guarded;
});

test('[FAULT-15] one that ends four times within a minute is left alone, and its log is named', async () => {
  await note('first');
  const guarded = guardServer(frame(true), stop.signal);
  const starts = () => said.filter((line) => line.includes('starting it again on its file')).length;
  for (const death of [1, 2, 3, 4]) {
    server.close();
    const heard = () => starts() + said.filter((line) => line.includes('4 times')).length;
    await expect.poll(heard).toBe(death);
    server = createServer().listen(Number(address.split(':')[1]), '127.0.0.1');
    // it is found up again before its next death
    await once(server, 'connection');
  }
  expect(starts()).toBe(3);
  expect(said.at(-1)).toContain(`the server has ended 4 times within a minute; its log is in ${dir}.`);
  stop.abort();
  await guarded;
});

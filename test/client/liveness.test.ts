// Whether a worker is there for a session: the list of pollers of a queue, and a session that answers or does not.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { ClientError } from '../../src/client/client-error.ts';
import { type ListedWorker, findLiveness, hasEnded } from '../../src/client/liveness.ts';

/** A worker that polled just now. */
function worker(identity: string): ListedWorker {
  return { identity, polledAt: Date.now() };
}

async function pidOfEnded(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid ?? 0;
}

type Asked = { listed: ListedWorker[]; answer?: unknown; stopped?: string };

async function find({ listed, answer, stopped }: Asked): Promise<{ worker: string; asked: number }> {
  let asked = 0;
  const found = await findLiveness({
    taskQueue: 'q',
    stopped,
    listWorkers: async () => listed,
    ask: async () => {
      asked += 1;
      if (answer instanceof Error) throw answer;
    },
  });
  return { worker: found.worker, asked };
}

const silence = new ClientError('WorkerBusy', 'nobody answered');
const elsewhere = 'f00@another-host:1';

test('where no worker is listed, or only one that was stopped, none is running, and the session is not asked', async () => {
  expect(await find({ listed: [] })).toEqual({ worker: 'none', asked: 0 });
  expect(await find({ listed: [worker('7@here')], stopped: '7@here' })).toEqual({ worker: 'none', asked: 0 });
});

test('a session that answers has a worker, also beside a stopped one, and a refusal is an answer', async () => {
  const listed = [worker('7@here'), worker(elsewhere)];
  expect(await find({ listed, stopped: '7@here' })).toEqual({ worker: 'answers', asked: 1 });
  const answer = new ClientError('Refused', 'no such query');
  expect((await find({ listed, answer })).worker).toBe('answers');
});

test('a worker of this host whose process has ended is none, one of another host may live', async () => {
  const dead = worker(`${await pidOfEnded()}@${hostname()}:abc`);
  expect((await find({ listed: [dead], answer: silence })).worker).toBe('none');
  expect((await find({ listed: [dead, worker(elsewhere)], answer: silence })).worker).toBe('silent');
  const own = worker(`${process.pid}@${hostname()}:abc`);
  expect((await find({ listed: [own], answer: silence })).worker).toBe('silent');
});

test('a worker that has not polled for longer than a poll lasts has ended', () => {
  expect(hasEnded({ identity: elsewhere, polledAt: 1_000 }, 61_000)).toBe(false);
  expect(hasEnded({ identity: elsewhere, polledAt: 1_000 }, 90_000)).toBe(true);
});

test('a server that is away is told as such', async () => {
  const away = new ClientError('ServerUnreachable', 'away');
  await expect(find({ listed: [worker(elsewhere)], answer: away })).rejects.toThrow('away');
});

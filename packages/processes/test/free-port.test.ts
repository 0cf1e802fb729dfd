import { createServer } from 'node:net';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { freePort, isFree } from '../src/free-port.ts';

test('ports that are asked for at once are different, free, and below those of connections', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()));
  expect(new Set(ports).size).toBe(50);
  expect(ports.filter((port) => port < 20_000 || port >= 32_768)).toEqual([]);
  expect(await Promise.all(ports.map(isFree))).not.toContain(false);
});

test('a port on which a server listens is not free', async () => {
  const server = createServer();
  onTestFinished(() => void server.close());
  const port = await freePort();
  await once(server.listen(port, '127.0.0.1'), 'listening');
  expect(await isFree(port)).toBe(false);
});

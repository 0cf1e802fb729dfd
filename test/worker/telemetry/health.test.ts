// The health endpoints over real HTTP: what each answers in each state of a worker.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { listeningPort } from '@holdfast/base/listening-port';
import { expect, onTestFinished, test } from 'vitest';
import { ConfigError } from '../../../src/config/config-file.ts';
import { type HealthSubject, type WorkerState, serveHealth } from '../../../src/worker/telemetry/health.ts';

async function healthOf(
  subject: Partial<HealthSubject>,
): Promise<(path: string) => Promise<[number, string]>> {
  const server = await serveHealth('127.0.0.1:0', {
    identity: 'w',
    state: () => 'polling',
    askServer: () => Promise.resolve(),
    ...subject,
  });
  onTestFinished(() => server.close());
  return async (path) => {
    const response = await fetch(`http://${server.address}${path}`);
    return [response.status, await response.text()];
  };
}

test.each<[WorkerState, number, number]>([
  ['starting', 200, 503],
  ['polling', 200, 200],
  ['draining', 200, 503],
  ['ended', 503, 503],
])('a worker that is %s: /healthz %i, /readyz %i', async (state, live, ready) => {
  const ask = await healthOf({ state: () => state });
  expect([(await ask('/healthz'))[0], (await ask('/readyz'))[0]]).toEqual([live, ready]);
});

test('a worker that does not reach its server is alive and not ready, and says why', async () => {
  const askServer = () => Promise.reject(new Error('connection refused'));
  const ask = await healthOf({ askServer });
  expect((await ask('/healthz'))[0]).toBe(200);
  const [status, body] = await ask('/readyz');
  expect(status).toBe(503);
  expect(JSON.parse(body)).toEqual({
    status: 'not ready',
    identity: 'w',
    reason: 'the Temporal server does not answer: connection refused',
  });
});

test('many probes at once ask the server once', async () => {
  let asked = 0;
  const ask = await healthOf({ askServer: async () => void (asked += 1) });
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask('/readyz?verbose')));
  expect(new Set(answers.map(([status]) => status))).toEqual(new Set([200]));
  expect(asked).toBe(1);
});

test('an address that is taken is a mistake of the config, with the address', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const port = listeningPort(other);
  const subject: HealthSubject = {
    identity: 'w',
    state: () => 'polling',
    askServer: () => Promise.resolve(),
  };
  const refused = serveHealth(`127.0.0.1:${port}`, subject);
  await expect(refused).rejects.toThrow(ConfigError);
  await expect(refused).rejects.toThrow(
    `telemetry.health is 127.0.0.1:${port}, and nothing can listen there`,
  );
});

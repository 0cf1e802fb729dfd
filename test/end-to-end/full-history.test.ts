// A workflow whose history takes no more signals, on a server whose limit is small.
import { spawn } from 'node:child_process';
import { Connection } from '@temporalio/client';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/client.ts';
import { choosePort, endProcess, takesConnections } from '../../src/dev-server/dev-server-process.ts';
import { startTestGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';

test('[ALERT-12b] messages that the server refuses because of a limit are told as such, and a body that cannot be read is refused all the same', async () => {
  const port = await choosePort(undefined, undefined);
  const limit = 'history.maximumSignalsPerExecution=5';
  const server = spawn(
    inject('temporalBinary'),
    ['server', 'start-dev', '--headless', '--port', String(port), '--dynamic-config-value', limit],
    { stdio: 'ignore' },
  );
  onTestFinished(() => endProcess(server));
  await until('the server is there', () => takesConnections(port));
  const connection = await Connection.connect({ address: `127.0.0.1:${port}` });
  onTestFinished(() => connection.close());
  const client = createClient({ connection, namespace: 'default', taskQueue: 'nobody' });
  await until('it serves', () =>
    client.assertServing().then(
      () => true,
      () => false,
    ),
  );
  const session = await client.start({ prompt: 'Look.' });
  for (let at = 0; at < 5; at += 1) {
    await session.steer('more');
    await client.alerts.refuse('prod', 'no JSON');
  }
  const refused = { code: 'LimitReached', message: expect.stringMatching(/until a worker has read/) };
  await expect(session.steer('more')).rejects.toMatchObject(refused);
  await expect(client.alerts.refuse('prod', 'no JSON')).rejects.toMatchObject(refused);
  const { ask } = await startTestGateway({ client, receivers: { prod: { format: 'alertmanager' } } });
  const broken = await ask('/alerts/prod', { method: 'POST', body: 'no JSON' });
  expect(broken).toMatchObject({ status: 422, body: { code: expect.stringMatching(/^Alerts\./) } });
  const steered = await ask(`/v1/sessions/${session.sessionId}/steer`, { json: { message: 'more' } });
  expect([steered.status, steered.body['code'], steered.headers.get('retry-after')]).toEqual([
    503,
    'LimitReached',
    '5',
  ]);
});

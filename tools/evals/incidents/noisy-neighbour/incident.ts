// A broker takes 24 connections. A batch job of another team, a process of its own, takes 22 and more when it can; the
// notifications of the shop are dropped at its door. A release of the shop's side is a decoy.
import { createServer, type Socket } from 'node:net';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createMetrics } from '../../../../packages/demo/src/checkout/services/metrics.ts';
import { respond } from '../../../../packages/demo/src/checkout/services/service.ts';
import { type IncidentModule, type StartedIncident, type System, until } from '../../system.ts';

export const noisyNeighbour: IncidentModule = { start };

const limit = 24;

async function start(system: System): Promise<StartedIncident> {
  const brokerLog = system.log('broker');
  const tenants = new Map<Socket, string>();
  let dropped = 0;
  const broker = createServer((socket) => {
    socket.on('data', (line) => {
      tenants.set(socket, /tenant=(\S+)/.exec(line.toString())?.[1] ?? 'unknown');
      socket.write('ok\n');
    });
    socket.on('close', () => tenants.delete(socket));
  });
  broker.maxConnections = limit;
  broker.on('drop', () => {
    dropped += 1;
    if (dropped <= 200) brokerLog('WARN', `connection dropped, limit reached connections=${limit}/${limit}`);
  });
  const port = await system.listen(broker);
  const log = system.log('notifications');
  const metrics = createMetrics();
  const count = metrics.counter('notifications_total', 'Notifications by outcome.');
  let [good, failed] = [0, 0];
  const notify = (): void => {
    let isDone = false;
    const socket = connect(port, '127.0.0.1', () => socket.write('tenant=notifications\n'));
    const end = (outcome: string, reason?: string): void => {
      if (isDone) return;
      isDone = true;
      count(`{outcome="${outcome}"}`);
      if (reason === undefined) good += 1;
      else if ((failed += 1) <= 200) log('ERROR', `notification lost reason="${reason}"`);
      socket.destroy();
    };
    socket.on('data', () => end('ok'));
    socket.on('error', (error) => end('failed', error.message));
    socket.on('close', () => end('failed', 'the broker closed the connection'));
  };
  const url = await system.serve(
    {
      'GET /metrics': (_, response) => respond(response, 200, metrics.render()),
      'GET /broker': (_, response) => {
        const names = [...tenants.values()];
        const lines = [...new Set(names)].map(
          (name) => `tenant=${name} connections=${names.filter((one) => one === name).length}\n`,
        );
        respond(
          response,
          200,
          `limit=${limit} open=${names.length} dropped_total=${dropped}\n${lines.join('')}`,
        );
      },
    },
    log,
  );
  system.every(30, notify);
  await until('notifications', () => good > 10);
  await system.deploy('d-910', 'notifications', 'release 1.9.0: new templates');
  log('INFO', 'started release=1.9.0');
  const job = join(import.meta.dirname, 'analytics-process.ts');
  system.run('analytics', process.execPath, [job, String(port)]);
  await until('dropped notifications', () => failed > 20);
  return {
    task: [
      'Most notifications of the shop are lost since a few minutes, the broker closes their connections. We released new',
      'templates just before and are about to roll back. Would that help? Change nothing.',
      `Folder: ${system.folder} (logs/, deploys.log)`,
      `Notifications: ${url}/metrics Broker: ${url}/broker`,
    ].join('\n'),
  };
}

// `/healthz` and `/readyz` of a worker, for an orchestrator and a load balancer. Reports the worker's state, and nothing
// about its sessions.
import { defined } from '@holdfast/base/defined';
import { once } from 'node:events';
import { type Server, type ServerResponse, createServer } from 'node:http';
import { listeningPort } from '@holdfast/base/listening-port';
import { messageOf } from '@holdfast/base/message-of';
import { ConfigError } from '../../config/config-file.ts';
import { createServerProbe } from '../../config/temporal-connection.ts';

export type WorkerState = 'starting' | 'polling' | 'draining' | 'ended';
export type HealthSubject = {
  identity: string;
  state(): WorkerState;
  /** Resolves when the Temporal server answers; rejects when it does not. */
  askServer(): Promise<unknown>;
};
export type HealthServer = { address: string; close(): Promise<void> };

/** `address` is `host:port`. Throws a ConfigError if it cannot listen there. */
export async function serveHealth(address: string, subject: HealthSubject): Promise<HealthServer> {
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(address) ?? [];
  const whyNotReady = createReadiness(subject);
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    const { identity } = subject;
    if (path === '/healthz') {
      const state = subject.state();
      return respondJson(response, state === 'ended' ? 503 : 200, { status: state, identity });
    }
    if (path !== '/readyz') return respondJson(response, 404, { error: 'expected /healthz or /readyz' });
    void whyNotReady().then((reason) =>
      respondJson(response, reason === undefined ? 200 : 503, {
        status: reason === undefined ? 'ready' : 'not ready',
        identity,
        ...defined({ reason }),
      }),
    );
  });
  await listen(server, { host: host.replaceAll(/^\[|\]$/g, ''), port: Number(port), address });
  return {
    address: `${host}:${listeningPort(server)}`,
    async close() {
      server.closeAllConnections();
      if (server.listening) await once(server.close(), 'close');
    },
  };
}

/** The function returns undefined when the worker is ready, else the reason. */
function createReadiness({ state, askServer }: HealthSubject): () => Promise<string | undefined> {
  const whyNotServed = createServerProbe(askServer);
  return async () => {
    const now = state();
    return now === 'polling' ? whyNotServed() : `the worker is ${now}`;
  };
}

async function listen(
  server: Server,
  { host, port, address }: Record<'host' | 'address', string> & { port: number },
): Promise<void> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    throw new ConfigError(
      `telemetry.health is ${address}, and nothing can listen there: ${messageOf(error)}. Choose another port, or end the process that has it.`,
    );
  }
  // must not keep an idle worker's process alive
  server.unref();
}

function respondJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
}

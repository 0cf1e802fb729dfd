// The gateway: an HTTP server over the client, which keeps nothing. Any number of them serve one namespace; each may end at
// any time. Runs in Node.
import { randomUUID } from 'node:crypto';
import { problemType, toProblem } from './problem.ts';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type RequestListener, type Server, STATUS_CODES, createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { type ServerType, getRequestListener } from '@hono/node-server';
import type { HoldfastClient } from '../client.ts';
import { ConfigError } from '../config/config-file.ts';
import type { Config } from '../config/config.ts';
import { gatewayUrl, listenAddress } from '../config/gateway-address.ts';
import type { GatewayConfig } from '../config/schema/gateway.schema.ts';
import { listeningPort } from '@holdfast/base/listening-port';
import { messageOf } from '@holdfast/base/message-of';
import type { AccessLine } from './access-log.ts';
import { type RequestLimits, createApp } from './app.ts';
import { type Caller, readCallers } from './callers.ts';
import { EventStreams } from './event-streams.ts';
import { Metrics } from './metrics.ts';
import { createReadiness } from './probes.ts';

export type GatewayOptions = {
  config: Config;
  client: HoldfastClient;
  /** Takes the place of that of the config. */
  port?: number | undefined;
  /** Time between two comments in an event stream. Default 15,000 ms: proxies often wait for 30 or 60 s. */
  keepAliveMs?: number;
  log(line: AccessLine): void;
};

export type Gateway = {
  /** Empty: everybody on this machine may do everything. */
  callers: readonly Caller[];
  /** Begins to listen; returns the address, e.g. `http://127.0.0.1:7080`. Throws a ConfigError if it cannot. */
  start(): Promise<string>;
  /**
   * Takes no new requests, closes event streams, and waits for the answers of running requests, at most `graceMs`.
   * `/readyz` says so until then.
   */
  stop(graceMs: number): Promise<void>;
};

const defaultLimits: RequestLimits = { bodyBytes: 1024 ** 2, timeoutMs: 30_000, requestsPerMinute: 6_000 };

/** A dev server on SQLite, and a small one, work on no more at a time: what comes above only makes calls time out. */
const serverCallsAtOnce = 32;

/** Throws a ConfigError for a token or a TLS file that cannot be read. */
export async function createGateway({
  config,
  client,
  port,
  keepAliveMs = 15_000,
  log,
}: GatewayOptions): Promise<Gateway> {
  const { gateway = {} } = config;
  const limits = { ...defaultLimits, ...gateway.limits };
  const callers = await readCallers(config);
  client.limitServerCalls(serverCallsAtOnce);
  const metrics = new Metrics();
  const streams = new EventStreams(metrics);
  const work = new Work();
  const isEnding = (): boolean => streams.ending.aborted;
  const app = createApp({
    client,
    config,
    streams,
    keepAliveMs,
    callers,
    limits,
    metrics,
    behindProxy: gateway.behindProxy === true,
    whyNotReady: createReadiness(client, isEnding),
    isEnding,
    log,
    onRunning: (change) => work.change(change),
  });
  const tls = await readTls(gateway);
  const listener = getRequestListener(app.fetch, {
    // other code of this process keeps its own
    overrideGlobalObjects: false,
    // the app answers its own errors
    errorHandler: answerNoAddress,
  });
  // a missing Host is answered by the app's side, with the reason
  const settings = { requestTimeout: limits.timeoutMs, requireHostHeader: false };
  const answer: RequestListener = (request, response) => void listener(request, response);
  const server = tls
    ? createTlsServer({ ...tls, ...settings, allowHalfOpen: true }, answer)
    : createServer(settings, answer);
  // a client that has sent its request may close its side, and reads the answer
  Object.assign(server, { httpAllowHalfOpen: true });
  answerBrokenRequests(server);
  const sockets = socketsOf(server);
  return {
    callers: callers.all,
    start: async () => {
      const address = listenAddress(gateway);
      return gatewayUrl(gateway, await listen(server, address.host, port ?? address.port));
    },
    stop: async (graceMs) => {
      streams.end();
      await work.idle(graceMs);
      await close(server, sockets);
    },
  };
}

/** The reasons why no gateway of this config would start. */
export async function problemsOfGateway(config: Config): Promise<string[]> {
  const parts = [readCallers(config), readTls(config.gateway ?? {})];
  const read = await Promise.allSettled<unknown>(parts);
  return read.flatMap((part) => (part.status === 'rejected' ? [messageOf(part.reason)] : []));
}

/** The requests that have no whole answer yet. */
class Work {
  #running = 0;
  #idle: (() => void) | undefined;

  change(by: 1 | -1): void {
    this.#running += by;
    if (this.#running === 0) this.#idle?.();
  }

  /** Resolves when none is left, or after `graceMs`. */
  async idle(graceMs: number): Promise<void> {
    if (this.#running === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idle = resolve;
    const timer = setTimeout(resolve, graceMs);
    await promise;
    clearTimeout(timer);
  }
}

/** The files of `tls`, if there is one. Throws a ConfigError that names an unreadable one. */
async function readTls({ tls }: GatewayConfig): Promise<{ cert: Buffer; key: Buffer } | undefined> {
  if (tls === undefined) return undefined;
  const read = (field: 'cert' | 'key'): Promise<Buffer> =>
    readFile(tls[field]).catch((error: unknown) => {
      throw new ConfigError(
        `gateway.tls.${field} is ${tls[field]}, which cannot be read (${messageOf(error)}): expected a PEM file.`,
      );
    });
  const files = { cert: await read('cert'), key: await read('key') };
  try {
    createSecureContext(files);
  } catch (error) {
    throw new ConfigError(
      `gateway.tls cannot be used (${messageOf(error)}): expected a certificate and its key, both in PEM.`,
    );
  }
  return files;
}

async function listen(server: ServerType, host: string, port: number): Promise<number> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    throw new ConfigError(
      `The gateway cannot listen on ${host}:${port} (${messageOf(error)}): expected a free port. Name another with --port, or gateway.port.`,
    );
  }
  return listeningPort(server);
}

/** Those that are open: HTTP forgets one whose client has closed its side. */
function socketsOf(server: ServerType): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

async function close(server: ServerType, sockets: ReadonlySet<Socket>): Promise<void> {
  if (!server.listening) return;
  const closed = once(server.close(), 'close');
  for (const socket of sockets) socket.destroy();
  await closed;
}

/** Answers to what Node refuses before a request reaches the app: broken lines and headers, a Host that is none. */
const words: Partial<Record<number, string>> = {
  400: 'The request cannot be read: expected HTTP/1.1 with one Host that names this gateway, and a path.',
  408: 'The request did not arrive in time: send it again, whole.',
  417: 'The header Expect is not understood: expected 100-continue, or none.',
  431: 'The headers are too large: expected at most 16 KiB.',
};

const statuses: Partial<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

function problemOf(status: number): { body: string; headers: Record<string, string> } {
  const requestId = randomUUID();
  const title = STATUS_CODES[status] ?? '';
  const detail = words[status] ?? title;
  const body = JSON.stringify(toProblem({ status, code: title.replaceAll(' ', ''), detail, requestId }));
  const headers = {
    ...problemType,
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
    connection: 'close',
  };
  return { body, headers };
}

/** For a request whose Host or path makes no address. */
function answerNoAddress(): Response {
  const { body, headers } = problemOf(400);
  return new Response(body, { status: 400, headers });
}

function answerBrokenRequests(server: Server): void {
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || code === 'ECONNRESET') return void socket.destroy();
    const status = statuses[code] ?? 400;
    const { body, headers } = problemOf(status);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'));
  });
  server.on('checkExpectation', (_, response) => {
    const { body, headers } = problemOf(417);
    response.writeHead(417, headers).end(body);
  });
}

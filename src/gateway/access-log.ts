// The access log and the metrics of requests: one JSON line for each, written when its answer has left. Runs in Node.
import { randomUUID } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import { defined } from '@holdfast/base/defined';
import type { Metrics } from './metrics.ts';
import type { GatewayEnv } from './operation.ts';

/** A line never has a header, a token, a query or a body. */
export type AccessLine = {
  /** Time of the answer by ISO 8601. */
  time: string;
  requestId: string;
  method: string;
  /** Pattern of the route, e.g. `/v1/sessions/{id}`. */
  route: string;
  /** 499: the client left before the answer. */
  status: number;
  ms: number;
  /** Bytes that were sent, headers included. */
  bytes: number;
  /** Name of the token. */
  caller?: string;
  /** Id of the session that the request has read or changed. */
  session?: string;
  /** Code of the refusal or failure. */
  code?: string;
  /** Place of a fault of the gateway in its code. */
  fault?: string;
};

export type Observer = {
  metrics: Metrics;
  log(line: AccessLine): void;
  /** Called with 1 when a request begins, with -1 when its answer has left. */
  onRunning(change: 1 | -1): void;
};

const clientLeft = 499;

/** The first of the middleware: the others only refuse. */
export function observeRequests(observer: Observer): MiddlewareHandler<GatewayEnv> {
  return async (c, next) => {
    const requestId = randomUUID();
    const startedAt = performance.now();
    const { outgoing } = c.env;
    const sentBefore = outgoing.socket?.bytesWritten ?? 0;
    const { socket } = outgoing;
    c.set('requestId', requestId);
    c.header('x-request-id', requestId);
    observer.onRunning(1);
    outgoing.once('close', () => {
      observer.onRunning(-1);
      const bytes = (socket?.bytesWritten ?? 0) - sentBefore;
      note(observer, c, { ms: performance.now() - startedAt, bytes });
    });
    await next();
  };
}

function note(
  { metrics, log }: Observer,
  c: Context<GatewayEnv>,
  { ms, bytes }: { ms: number; bytes: number },
): void {
  const { caller, session, requestId, refusal, taken } = c.var;
  const { method } = c.req;
  const { outgoing } = c.env;
  const status = outgoing.headersSent ? outgoing.statusCode : clientLeft;
  const route = routeOf(c);
  metrics.count('holdfast_gateway_requests_total', { method, route, status, caller: caller?.name ?? '' });
  if (refusal) metrics.count('holdfast_gateway_refused_total', { code: refusal.code });
  if (taken) metrics.count('holdfast_gateway_alerts_total', { receiver: taken.receiver }, taken.alerts);
  if (!route.endsWith('/events')) metrics.observeSeconds({ method, route }, ms / 1_000);
  log({
    time: new Date().toISOString(),
    requestId,
    method,
    route,
    status,
    ms: Math.round(ms),
    bytes,
    ...defined({ caller: caller?.name, session: status < 400 ? session : undefined, ...refusal }),
  });
}

/** In the notation of OpenAPI; of a request for nothing that there is, `unmatched`. */
function routeOf(c: Context<GatewayEnv>): string {
  const found = matchedRoutes(c).findLast(({ path }) => !path.endsWith('*'));
  return found?.path.replaceAll(/:(\w+)/g, '{$1}') ?? 'unmatched';
}

// The way of a request through the gateway: log and metrics, guards, its caller, limits, and then its route. Runs in Node.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { timeout } from 'hono/timeout';
import { ownVersion, packageFolder } from '../config/own-version.ts';
import { defined } from '@holdfast/base/defined';
import { ifMissing } from '@holdfast/base/has-code';
import { loopbackNames } from '@holdfast/base/loopback';
import { type Observer, observeRequests } from './access-log.ts';
import { type Caller, type Callers, unauthenticated } from './callers.ts';
import type { GatewayApp, GatewayEnv, GatewayParts } from './operation.ts';
import { type Readiness, registerMetricsRoute, registerProbeRoutes } from './probes.ts';
import { Refusal, answerProblem } from './problem.ts';
import { RateLimit } from './rate-limit.ts';
import { emptyApp, registerRoutes } from './routes.ts';

export type RequestLimits = { bodyBytes: number; timeoutMs: number; requestsPerMinute: number };

export type AppOptions = GatewayParts &
  Observer & {
    callers: Callers;
    limits: RequestLimits;
    /** A proxy in front names the address of the sender, and the host that it asked. */
    behindProxy: boolean;
    whyNotReady: Readiness;
    isEnding(): boolean;
  };

export function createApp(options: AppOptions): GatewayApp {
  const { limits, metrics, whyNotReady } = options;
  const app = emptyApp();
  app.onError((error, c) => {
    const { code, answer } = answerProblem(error, c, c.var.requestId);
    c.set('refusal', defined({ code, fault: code === 'Internal' ? describeFrames(error) : undefined }));
    return answer;
  });
  app.notFound((c) => {
    const { caller } = c.var;
    if (caller === undefined) throw unauthenticated('The request has no token.');
    throw noRoute(app, c);
  });
  app.use(observeRequests(options), withSafeHeaders);
  // before the guards: who asks has no token
  registerFrontPage(app);
  const identifyCaller = identifier(options);
  registerProbeRoutes(app, whyNotReady, (c) => mayReadReason(c, options, identifyCaller));
  app.use(
    refuseTrace(app),
    refuseAtEnd(options),
    refusePages(options),
    identify(identifyCaller),
    timeout(limits.timeoutMs, () => timedOut(limits)),
    withPlainRequest,
    bodyLimit({ maxSize: limits.bodyBytes, onError: () => Promise.reject(tooLarge(limits)) }),
  );
  registerMetricsRoute(app, metrics);
  registerRoutes(app, options);
  return app;
}

/** The root, and the pages of the documentation that it leads to: public, the same for everybody, without a script. */
function registerFrontPage(app: GatewayApp): void {
  const page = readFileSync(join(packageFolder(), 'catalog/templates/gateway.html'), 'utf8');
  const [, style = ''] = /<style>(.*)<\/style>/s.exec(page) ?? [];
  const digest = createHash('sha256').update(style).digest('base64');
  const headers = {
    'content-security-policy': `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
  app.get('/', (c) => c.html(page.replace('{{version}}', ownVersion()), 200, headers));
  app.get('/docs/:page{[a-z-]+\\.md}', async (c, next) => {
    const file = join(packageFolder(), 'docs', c.req.param('page'));
    const text = await readFile(file).catch(ifMissing(undefined));
    if (text === undefined) return next();
    return c.body(text, 200, { ...headers, 'content-type': 'text/plain; charset=utf-8' });
  });
}

/** It would echo what proxies add, and no Request of the runtime has this method. */
function refuseTrace(app: GatewayApp): MiddlewareHandler<GatewayEnv> {
  return async (c, next) => {
    if (c.req.method === 'TRACE') throw noRoute(app, c);
    await next();
  };
}

function refuseAtEnd({ isEnding }: AppOptions): MiddlewareHandler<GatewayEnv> {
  return async (_, next) => {
    if (!isEnding()) return next();
    const detail =
      'This gateway is ending. Send the request again: another gateway takes it, or this one after its restart.';
    throw new Refusal(503, 'Ending', detail, { 'retry-after': '1', connection: 'close' });
  };
}

function refusePages(options: AppOptions): MiddlewareHandler<GatewayEnv> {
  return async (c, next) => {
    assertNotForeign(c, options);
    await next();
  };
}

/**
 * Keeps web pages of other sites away, which can reach a port of this machine from a visitor's browser. A page of another
 * origin may have a browser send Basic credentials that somebody typed there. It loads a script, a picture or a frame
 * without an Origin, but with its `site`; a link that a person follows opens a document. Without tokens also refuses a host
 * name that is not loopback, which another site's name may resolve to.
 */
function assertNotForeign({ req }: Context<GatewayEnv>, { callers, behindProxy }: AppOptions): void {
  const headers = ['host', 'origin', 'sec-fetch-site', 'sec-fetch-dest'];
  const [host = '', origin, site, dest] = headers.map((name) => req.header(name));
  if (callers.all.length === 0 && !loopbackNames.includes(URL.parse(`http://${host}`)?.hostname ?? '')) {
    const detail = `The request names the host "${host}": expected ${loopbackNames.join(', ')}, because this gateway has no tokens and serves this machine only.`;
    throw new Refusal(403, 'HostRefused', detail);
  }
  const forwardedHost = behindProxy ? req.header('x-forwarded-host') : undefined;
  const { host: page = '' } = URL.parse(origin ?? '') ?? {};
  const isOwn = origin === undefined || (page !== '' && (page === host || page === forwardedHost));
  const isLoaded = (site === 'cross-site' || site === 'same-site') && dest !== 'document';
  if (isOwn && !isLoaded) return;
  const detail = `A web page of ${origin ?? 'another site'} sent the request: expected a program, which sends no Origin, or a page of this gateway.`;
  throw new Refusal(403, 'OriginRefused', detail);
}

type Identify = (c: Context<GatewayEnv>) => Caller | undefined;

/** Also counts the request: those with a wrong token by their address, so that nobody can try many. */
function identifier({ callers, limits, behindProxy }: AppOptions): Identify {
  const rate = new RateLimit(limits.requestsPerMinute);
  return (c) => {
    const address = `address ${addressOf(c, behindProxy)}`;
    let caller: Caller | undefined;
    try {
      caller = callers.identify(c.req.header('authorization'));
    } catch (error) {
      rate.take(address);
      throw error;
    }
    rate.take(caller === undefined ? address : `token ${caller.name}`);
    return caller;
  };
}

function identify(identifyCaller: Identify): MiddlewareHandler<GatewayEnv> {
  return async (c, next) => {
    c.set('caller', identifyCaller(c));
    await next();
  };
}

/** The reason may name addresses and namespaces; a probe without a token needs the status only. */
function mayReadReason(c: Context<GatewayEnv>, options: AppOptions, identifyCaller: Identify): boolean {
  if (options.callers.all.length > 0 && c.req.header('authorization') === undefined) return false;
  try {
    assertNotForeign(c, options);
    return identifyCaller(c)?.may.includes('read') ?? false;
  } catch {
    return false;
  }
}

/** The last address is the one that the proxy itself has seen. */
function addressOf(c: Context<GatewayEnv>, behindProxy: boolean): string {
  const forwarded = behindProxy ? c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined;
  return forwarded ?? c.env.incoming.socket.remoteAddress ?? '';
}

/** bodyLimit makes a Request of one in pieces, which the runtime allows for its own kind only. */
const withPlainRequest: MiddlewareHandler<GatewayEnv> = async ({ req }, next) => {
  const { url, method, headers, signal } = req.raw;
  if (headers.has('transfer-encoding'))
    req.raw = new Request(url, { method, headers, body: req.raw.body, signal, duplex: 'half' });
  // the server gives one of another kind a body all the same
  else if (!headers.has('content-length')) req.raw = new Request(url, { method, headers, signal });
  await next();
};

const withSafeHeaders: MiddlewareHandler<GatewayEnv> = async (c, next) => {
  c.header('x-content-type-options', 'nosniff');
  c.header('cross-origin-resource-policy', 'same-origin');
  c.header('cache-control', 'no-store');
  await next();
};

function noRoute({ router }: GatewayApp, { req: { method, path } }: Context<GatewayEnv>): Refusal {
  const taken = ['GET', 'POST'].filter((one) =>
    router.match(one, path)[0].some(([[, route]]) => route.method === one),
  );
  const methods = taken.join(', ').replace('GET', 'GET, HEAD');
  // a route that takes the method has found nothing
  const allow = methods.includes(method) ? '' : methods;
  const others = allow || 'one of GET /v1/openapi.json, which describes all';
  const detail = `There is no ${method} at this path: expected ${others}.`;
  return allow === ''
    ? new Refusal(404, 'NotFound', detail)
    : new Refusal(405, 'MethodNotAllowed', detail, { allow });
}

function tooLarge({ bodyBytes }: RequestLimits): Refusal {
  const detail = `The body is too large: expected at most ${bodyBytes} bytes (gateway.limits.bodyBytes). Nothing was done.`;
  return new Refusal(413, 'TooLarge', detail);
}

function timedOut({ timeoutMs }: RequestLimits): Refusal {
  const detail =
    `No answer within ${timeoutMs} ms (gateway.limits.timeoutMs). It may still be carried out: ` +
    'look at the session, or send it again with the same Idempotency-Key.';
  return new Refusal(504, 'TimedOut', detail);
}

/** Frames of the stack without its first line, whose words may be those of the request. */
function describeFrames({ name, stack = '' }: Error): string {
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
  return [name, ...frames.slice(0, 5).map((frame) => frame.trim())].join(' ');
}

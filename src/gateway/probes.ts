// Routes for the machinery around the gateway: liveness, readiness, metrics, and the description of its API. Runs in Node.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from 'hono';
import { defined } from '@holdfast/base/defined';
import type { HoldfastClient } from '../client.ts';
import { packageFolder } from '../config/own-version.ts';
import { createServerProbe } from '../config/temporal-connection.ts';
import type { Metrics } from './metrics.ts';
import { type GatewayApp, type GatewayEnv, requires } from './operation.ts';

/** Undefined when the gateway is ready, else the reason. */
export type Readiness = () => Promise<string | undefined>;

export function createReadiness(
  client: Pick<HoldfastClient, 'assertServing'>,
  isEnding: () => boolean,
): Readiness {
  // a missing worker is no reason: sessions wait for one
  const whyNotServed = createServerProbe(() => client.assertServing());
  return async () => (isEnding() ? 'the gateway is ending' : whyNotServed());
}

/** Answered without a token; the reason only to callers that may read. */
export function registerProbeRoutes(
  app: GatewayApp,
  whyNotReady: Readiness,
  mayRead: (c: Context<GatewayEnv>) => boolean,
): void {
  app.get('/healthz', (c) => c.json({ status: 'alive' }));
  app.get('/readyz', async (c) => {
    const reason = await whyNotReady();
    if (reason === undefined) return c.json({ status: 'ready' });
    return c.json(defined({ status: 'not ready', reason: mayRead(c) ? reason : undefined }), 503);
  });
}

export function registerMetricsRoute(app: GatewayApp, metrics: Metrics): void {
  app.get('/metrics', requires('read'), (c) =>
    c.body(metrics.toText(), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }),
  );
  app.get('/v1/openapi.json', requires('read'), (c) =>
    // a file of the package, made from the routes and the types (`npm run reference`)
    c.body(readFileSync(join(packageFolder(), 'catalog/schemas/openapi.json'), 'utf8'), 200, {
      'content-type': 'application/json',
    }),
  );
}

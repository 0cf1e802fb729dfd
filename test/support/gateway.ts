// A gateway of this process on a free port of loopback, and a caller of it. Stopped when the test ends.
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Connection } from '@temporalio/client';
import { onTestFinished } from 'vitest';
import { type HoldfastClient, createClient } from '../../src/client.ts';
import { parseConfig } from '../../src/config/config-file.ts';
import { type Config, resolveConfig } from '../../src/config/config.ts';
import type { HoldfastConfig } from '../../src/config/define-config.ts';
import { defined } from '@holdfast/base/defined';
import type { AccessLine } from '../../src/gateway/access-log.ts';
import { type Gateway, createGateway } from '../../src/gateway/gateway.ts';
import type { ReceiverConfig } from '@holdfast/alert-intake/receivers.schema';
import type { GatewayConfig } from '../../src/config/schema/gateway.schema.ts';
import { until } from './until.ts';

/** Tokens of `withTokens`, by the name of their caller. */
export const tokens = {
  reader: 'reader-token-0123456789',
  starter: 'starter-token-0123456789',
  mara: 'mara-token-0123456789',
  alertmanager: 'alertmanager-token-0123456789',
};
export const withTokens: GatewayConfig = {
  tokens: {
    reader: { secret: 'secret://reader', may: ['read'] },
    starter: { secret: 'secret://starter', may: ['read', 'start'] },
    mara: { secret: 'secret://mara', may: ['read', 'answer'] },
    alertmanager: { secret: 'secret://alertmanager', may: ['alerts'] },
  },
};

export function bearer(name: keyof typeof tokens): Record<string, string> {
  return { authorization: `Bearer ${tokens[name]}` };
}

type OtherFields = {
  /** Its path. Default: a file that is not there. */
  configFile?: string;
  receivers?: Record<string, ReceiverConfig>;
  agents?: HoldfastConfig['agents'];
  destinations?: HoldfastConfig['destinations'];
};

/** The config of a gateway whose tokens are in the environment. */
export function configWith(
  gateway: GatewayConfig,
  environment: Record<string, string> = tokens,
  { configFile: path = '/srv/shop/holdfast.config.json', ...others }: OtherFields = {},
): Config {
  const secrets = Object.fromEntries(Object.keys(environment).map((name) => [name, { env: name }]));
  const own = { gateway: { port: 0, ...gateway }, secrets, ...others };
  const config = parseConfig(own, 'test');
  const file = { path, config };
  return resolveConfig({ cwd: '/srv/shop', environment, file });
}

/** A client of a server that is not there. */
export function deadClient(): HoldfastClient {
  const connection = Connection.lazy({ address: '127.0.0.1:9' });
  const client = createClient({ connection, namespace: 'default', taskQueue: 'none', answerTimeoutMs: 500 });
  onTestFinished(async () => {
    await client.settled();
    await connection.close();
  });
  return client;
}

export type Answer = { status: number; headers: Headers; text: string; body: Record<string, unknown> };
export type Request = RequestInit & { json?: unknown };
export type TestGateway = {
  url: string;
  gateway: Gateway;
  /** The access log. */
  lines: AccessLine[];
  ask(path: string, request?: Request): Promise<Answer>;
  /** The line of the request with this answer. */
  lineOf(answer: Answer): Promise<AccessLine>;
};

export type TestGatewayOptions = OtherFields & {
  gateway?: GatewayConfig;
  client?: HoldfastClient;
  keepAliveMs?: number;
};

export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const { gateway: fields = {}, client = deadClient(), keepAliveMs, ...others } = options;
  const lines: AccessLine[] = [];
  const log = (line: AccessLine): void => void lines.push(line);
  const gateway = await createGateway({
    config: configWith(fields, tokens, others),
    client,
    log,
    ...defined({ keepAliveMs }),
  });
  const url = await gateway.start();
  onTestFinished(async () => {
    await gateway.stop(0);
    // a stream that was left may have a call in flight
    await client.settled();
  });
  return {
    url,
    gateway,
    lines,
    ask: (path, init) => ask(`${url}${path}`, init),
    lineOf: ({ headers }) =>
      until('the line of the request', () =>
        lines.find(({ requestId }) => requestId === headers.get('x-request-id')),
      ),
  };
}

/** A body as `json` is sent as JSON by POST. */
export async function ask(url: string, { json, ...init }: Request = {}): Promise<Answer> {
  const posted = json !== undefined && {
    method: 'POST',
    body: JSON.stringify(json),
    headers: { 'content-type': 'application/json', ...Object.fromEntries(new Headers(init.headers)) },
  };
  const answer = await fetch(url, { ...init, ...posted });
  const text = await answer.text();
  const isJson = /json/.test(answer.headers.get('content-type') ?? '');
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}

/** For headers that fetch does not let through, such as host. */
export async function askRaw(
  url: string,
  headers: Record<string, string>,
  { method = 'GET', body = '' } = {},
): Promise<{ status: number; text: string }> {
  const sent = request(url, { method, headers });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const piece of answer.setEncoding('utf8')) text += piece;
  return { status: answer.statusCode ?? 0, text };
}

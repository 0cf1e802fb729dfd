// Shared by all operations of the API: the right that one needs, its answers and refusals in the description, and the
// schemas that are made from types. Runs in Node.
import type { HttpBindings } from '@hono/node-server';
import { type OpenAPIHono, z } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import type { HoldfastClient } from '../client.ts';
import type { Config } from '../config/config.ts';
import type { GatewayRight } from '../config/schema/gateway.schema.ts';
import { type OperationName, operations } from '@holdfast/vocabulary/session-operations';
import { type Caller, assertRight } from './callers.ts';
import type { EventStreams } from './event-streams.ts';
import { problemSchema } from './problem.ts';

export type GatewayEnv = {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    /** Undefined for a request without a token, which only some routes take. */
    caller: Caller | undefined;
    /** Id of the session that the request acts on, for the log. */
    session: string | undefined;
    /** Set for a request that was refused or failed. */
    refusal: { code: string; fault?: string } | undefined;
    /** Set where Temporal has taken alerts, for the metrics. */
    taken: { receiver: string; alerts: number } | undefined;
  };
};
export type GatewayApp = OpenAPIHono<GatewayEnv>;

/** Parts of the gateway that its operations use. */
export type GatewayParts = {
  client: HoldfastClient;
  /** Its receivers and their secrets. */
  config: Config;
  streams: EventStreams;
  /** Time between two comments in an event stream: proxies end a connection on which nothing comes. */
  keepAliveMs: number;
};

/** Lets in only callers with this right. */
export function requires(right: GatewayRight): MiddlewareHandler<GatewayEnv> {
  return async (c, next) => {
    assertRight(c.var.caller, right);
    c.set('session', c.req.param('id'));
    await next();
  };
}

/** The parts of a route for callers with this right. */
export function needs(right: GatewayRight, tag: 'sessions' | 'questions' | 'alerts') {
  return {
    middleware: requires(right),
    tags: [tag],
    security: [{ bearer: [] }, { basic: [] }],
    description: `Needs the right \`${right}\`.`,
  };
}

/** The place of a route, and its name in clients. */
export function at<const Method extends string, const Path extends string>(
  method: Method,
  path: Path,
  operationId: string,
) {
  return { method, path, operationId };
}

/** The parts of a route for an operation of a session: right and words are those of its row. */
export function offers<const Path extends string>(name: OperationName, path: Path, operationId: string) {
  const { right, words } = operations[name];
  if (right === undefined)
    throw new Error(`Operation ${name} has no right: expected one, because a route offers it`);
  const needed = needs(right, right === 'answer' ? 'questions' : 'sessions');
  return { ...needed, ...at('post', `/v1/sessions/{id}/${path}`, operationId), summary: words };
}

/** The caller of an operation that needs a right. */
export function callerOf(caller: Caller | undefined, right: GatewayRight): string {
  return assertRight(caller, right).name;
}

/** A schema of the components that tools/reference makes from the type of this name. */
export function schemaOf<Value>(name: string) {
  // what may be null is described as a union at each place
  return z
    .custom<Value>((value) => (value ?? undefined) !== undefined, 'is required')
    .openapi(name, { type: 'object' });
}

export function json<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { description, content: { 'application/json': { schema } } };
}

/** Clients that generators make have a class of this name. */
export function body<Schema extends z.ZodType>(name: string, schema: Schema) {
  return { required: true as const, content: { 'application/json': { schema: schema.openapi(name) } } };
}

/** The answer of an operation that was refused or failed. */
export const refusals = {
  default: {
    description: 'Refused or failed, with the reason.',
    content: { 'application/problem+json': { schema: problemSchema } },
  },
};

export const sessionPath = z.object({
  id: z
    .string()
    .min(1)
    .max(1_000)
    .describe('Id of the session; a slash in the id of a subagent is written %2F.'),
});

export const keyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'expected 1 to 200 visible ASCII characters')
    .optional()
    .describe('Made by the caller for one request: a repeat with the same key has no further effect.'),
});

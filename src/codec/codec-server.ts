// The HTTP server of the codec, in the protocol of Temporal's UI and CLI: POST /decode with {payloads}, and /encode if
// enabled. Runs in Node, in a process of its own.
import { createHash, timingSafeEqual } from 'node:crypto';
import { type Server, createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';
import { HTTPException } from 'hono/http-exception';
import { loopbackNames } from '@holdfast/base/loopback';
import { messageOf } from '@holdfast/base/message-of';

export type CodecServerOptions = {
  /** The codec for the namespace of a request, or for the default one. */
  codecOf(namespace: string | undefined): PayloadCodec;
  /** Web pages that may send requests, such as `http://localhost:8233`. Programs send no origin. */
  origins: readonly string[];
  /** Absent: every request is answered, which is for loopback only. */
  token?: string | undefined;
  /** Enables /encode. Default false: a caller who can encrypt could write into sessions. */
  encode?: boolean;
  /** Limit for a request body. Default 16 MiB: more than a page of a history, encrypted and in base64. */
  maxBytes?: number;
};

const { Payload, Payloads } = proto.temporal.api.common.v1;

export function createCodecServer(options: CodecServerOptions): Server {
  const { origins, token, codecOf, encode = false, maxBytes = 16 * 1024 * 1024 } = options;
  const app = new Hono();
  app.onError((error, c) => {
    const status = error instanceof HTTPException ? error.status : 400;
    return c.json({ message: messageOf(error) }, status, { 'cache-control': 'no-store' });
  });
  app.use(async (c, next) => {
    assertOpen(c.req.header('host'), c.req.header('origin'), options);
    await next();
  });
  const allowHeaders = ['Authorization', 'Content-Type', 'X-Namespace'];
  app.use(cors({ origin: [...origins], credentials: true, allowMethods: ['POST', 'OPTIONS'], allowHeaders }));
  const tooLarge = (): never => refuse(413, `The request is over ${maxBytes} bytes.`);
  app.post('*', bodyLimit({ maxSize: maxBytes, onError: tooLarge }), async (c) => {
    const { req } = c;
    if (!isAllowed(req.header('authorization'), token))
      refuse(401, 'Expected the header Authorization: Bearer, with the token of this server.');
    const isDecode = req.path.endsWith('/decode');
    if (!isDecode && !req.path.endsWith('/encode')) refuse(404, 'Expected /decode.');
    if (!isDecode && !encode) refuse(403, 'Encoding is off: start the server with --encode.');
    if (!/^application\/json\b/.test(req.header('content-type') ?? ''))
      refuse(415, 'Expected the content type application/json.');
    const codec = codecOf(req.header('x-namespace') || undefined);
    const given = toPayloads(await req.json());
    const payloads = await (isDecode ? codec.decode(given) : codec.encode(given));
    const shown = payloads.map((each) => Payload.toObject(Payload.fromObject(each), { bytes: String }));
    return c.json({ payloads: shown }, 200, { 'cache-control': 'no-store' });
  });
  app.all('*', () => refuse(405, 'Expected POST.'));
  const listen = getRequestListener(app.fetch);
  // a slow client must not hold resources for long
  return createServer({ requestTimeout: 30_000 }, (request, response) => void listen(request, response));
}

function refuse(status: 401 | 403 | 404 | 405 | 413 | 415, message: string): never {
  throw new HTTPException(status, { message });
}

/** A page of another site must neither read an answer nor use the token in its visitor's browser. */
function assertOpen(
  host = '',
  origin: string | undefined,
  { token, origins }: Pick<CodecServerOptions, 'token' | 'origins'>,
): void {
  // another site's host name may resolve to this machine; without a token, the name is the only check
  if (token === undefined && !loopbackNames.includes(host.replace(/:\d+$/, '')))
    refuse(403, `The host "${host}" is not expected here: expected ${loopbackNames.join(' or ')}.`);
  if (origin !== undefined && !origins.includes(origin))
    refuse(403, `The origin ${origin} is not allowed: start the server with --origin ${origin}.`);
}

/** Compares in constant time, to reveal nothing of the token. */
function isAllowed(given: string | undefined, token: string | undefined): boolean {
  if (token === undefined) return true;
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given ?? ''), digest(`Bearer ${token}`));
}

/** The JSON form of protobuf: bytes are base64. */
function toPayloads(body: unknown) {
  const isOne =
    typeof body === 'object' && body !== null && 'payloads' in body && Array.isArray(body.payloads);
  if (!isOne) throw new Error('Expected JSON: {"payloads": [{"metadata": {...}, "data": "..."}]}.');
  return Payloads.fromObject(body).payloads;
}

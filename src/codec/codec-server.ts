// The HTTP server of the codec, in the protocol of Temporal's UI and CLI: POST /decode with {payloads}, and /encode if
// enabled. Runs in Node, in a process of its own.
import { isRecord } from '../core/base/json.ts';
import { loopbackNames } from '../core/base/loopback.ts';
import { messageOf } from '../core/base/message-of.ts';
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Payload, PayloadCodec } from '@temporalio/common';

export type CodecServerOptions = {
  /** The codec for the namespace of a request, or for the default one. */
  codecOf(namespace: string | undefined): PayloadCodec;
  /** Web pages that may send requests, such as `http://localhost:8233`. Programs send no origin. */
  origins: readonly string[];
  /** Absent: every request is answered, which is for loopback only. */
  token?: string | undefined;
  /** Enables /encode. Default false: a caller who can encrypt could write into sessions. */
  encode?: boolean;
  /** Limit for a request body. Default 16 MiB. */
  maxBytes?: number;
};

/** More than a page of a history, encrypted and in base64. */
const maxBytes = 16 * 1024 * 1024;

class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function createCodecServer(options: CodecServerOptions): Server {
  const server = createServer((request, response) => void answer(request, response, options));
  // a slow client must not hold resources for long
  server.requestTimeout = 30_000;
  return server;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: CodecServerOptions,
): Promise<void> {
  try {
    allowOrigin(request, response, options);
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    send(response, 200, await convert(request, options));
  } catch (error) {
    const status = error instanceof Refusal ? error.status : 400;
    send(response, status, { message: messageOf(error) });
    // the rest of a body that is too large is not awaited
    if (!request.complete) response.once('finish', () => request.destroy());
  }
}

/** A page of another site must neither read an answer nor use the token in its visitor's browser. */
function allowOrigin(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { origins, token }: CodecServerOptions,
): void {
  const { origin, host = '' } = headers;
  response.setHeader('vary', 'Origin');
  // another site's host name may resolve to this machine; without a token, the name is the only check
  if (token === undefined && !loopbackNames.includes(host.replace(/:\d+$/, '')))
    throw new Refusal(
      403,
      `The host "${host}" is not expected here: expected ${loopbackNames.join(' or ')}.`,
    );
  if (origin === undefined) return;
  if (!origins.includes(origin))
    throw new Refusal(403, `The origin ${origin} is not allowed: start the server with --origin ${origin}.`);
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-allow-credentials', 'true');
  response.setHeader('access-control-allow-methods', 'POST, OPTIONS');
  response.setHeader('access-control-allow-headers', 'Authorization, Content-Type, X-Namespace');
}

async function convert(request: IncomingMessage, options: CodecServerOptions): Promise<object> {
  const { method, headers, url = '' } = request;
  if (method !== 'POST') throw new Refusal(405, 'Expected POST.');
  if (!isAllowed(headers.authorization, options.token))
    throw new Refusal(401, 'Expected the header Authorization: Bearer, with the token of this server.');
  const path = url.split('?')[0] ?? '';
  const isDecode = path.endsWith('/decode');
  if (!isDecode && !path.endsWith('/encode')) throw new Refusal(404, 'Expected /decode.');
  if (!isDecode && options.encode !== true)
    throw new Refusal(403, 'Encoding is off: start the server with --encode.');
  if (!/^application\/json\b/.test(headers['content-type'] ?? ''))
    throw new Refusal(415, 'Expected the content type application/json.');
  const named = headers['x-namespace'];
  const codec = options.codecOf(typeof named === 'string' && named !== '' ? named : undefined);
  const payloads = parsePayloads(await readBody(request, options.maxBytes ?? maxBytes));
  const converted = await (isDecode ? codec.decode(payloads) : codec.encode(payloads));
  return { payloads: converted.map(toJson) };
}

/** Compares in constant time, to reveal nothing of the token. */
function isAllowed(given: string | undefined, token: string | undefined): boolean {
  if (token === undefined) return true;
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given ?? ''), digest(`Bearer ${token}`));
}

async function readBody(request: IncomingMessage, limit: number): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request) {
    const bytes = Buffer.from(piece);
    size += bytes.length;
    if (size > limit) throw new Refusal(413, `The request is over ${limit} bytes.`);
    pieces.push(bytes);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** The JSON form of protobuf: bytes are base64. */
function parsePayloads(text: string): Payload[] {
  const body: unknown = JSON.parse(text);
  const payloads = isRecord(body) && Array.isArray(body['payloads']) ? body['payloads'] : undefined;
  if (!payloads) throw new Refusal(400, 'Expected JSON: {"payloads": [{"metadata": {...}, "data": "..."}]}.');
  return payloads.map((payload: unknown): Payload => {
    const { metadata = {}, data = '' } = isRecord(payload) ? payload : {};
    const fields = Object.entries(isRecord(metadata) ? metadata : {});
    return {
      metadata: Object.fromEntries(fields.map(([name, value]) => [name, toBytes(value)])),
      data: toBytes(data),
    };
  });
}

function toJson({ metadata, data }: Payload): object {
  const fields = Object.entries(metadata ?? {}).map(([name, value]) => [name, toBase64(value)]);
  return { metadata: Object.fromEntries(fields), data: toBase64(data) };
}

function toBytes(value: unknown): Uint8Array {
  return Buffer.from(typeof value === 'string' ? value : '', 'base64');
}

function toBase64(bytes: Uint8Array | null | undefined): string {
  return Buffer.from(bytes ?? []).toString('base64');
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

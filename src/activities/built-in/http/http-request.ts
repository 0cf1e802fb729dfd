// One HTTP request, without following redirects: the address is filtered after DNS, the body is decompressed and cut.
// Runs in Node. No cookies, no kept connections; credentials only from the caller.
import { defined } from '@holdfast/base/defined';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Readable, Transform } from 'node:stream';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';

export type HttpReply = {
  status: number;
  statusText: string;
  contentType: string;
  location?: string;
  /** The header Retry-After as it came, or that of a limit that is used up. */
  retryAfter?: string;
  body: Buffer;
  /** The reason for a cut body: too long, too slow, or broken off. */
  cut?: 'size' | 'time' | 'broken';
};

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH';

/** Texts in PEM; `ca` stands in place of the system's authorities. */
export type TlsOptions = { ca?: string; cert?: string; key?: string; servername?: string };

export type HttpRequestOptions = {
  /** Default GET. */
  method?: HttpMethod;
  /** Override the usual headers. */
  headers?: Readonly<Record<string, string>>;
  /** The body as JSON text. */
  body?: string;
  /** Private or reserved addresses that this host may have. */
  addresses: readonly string[];
  maxBytes: number;
  signal: AbortSignal;
  /** Aborted when the time is up; the body so far is kept. */
  deadline: AbortSignal;
  tls?: TlsOptions;
  /** Default: the system's resolver. */
  lookup?: LookupFunction;
};

/** For a server that the operator named: every address of it is allowed, and a proxy of the environment is used. */
export const everyAddress: readonly string[] = [];

/** Rejects without a reply: refused, filtered, unreachable, too slow. */
export async function httpRequest(url: URL, options: HttpRequestOptions): Promise<HttpReply> {
  const response = await send(url, options);
  try {
    const head = {
      status: response.statusCode ?? 0,
      statusText: response.statusMessage ?? '',
      contentType: response.headers['content-type'] ?? '',
      ...defined({ location: response.headers.location, retryAfter: retryAfterOf(response.headers) }),
    };
    if (isRedirect(head)) return { ...head, body: Buffer.alloc(0) };
    return { ...head, ...(await readBody(response, options)) };
  } finally {
    response.destroy();
  }
}

/** https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api and the IETF's draft-ietf-httpapi-ratelimit-headers */
function retryAfterOf(headers: http.IncomingHttpHeaders): string | undefined {
  const named = (name: string): string | undefined =>
    [headers[`x-ratelimit-${name}`] ?? headers[`ratelimit-${name}`]].flat()[0];
  return headers['retry-after'] ?? (Number(named('remaining') ?? 0) === 0 ? named('reset') : undefined);
}

/** True for a redirect with an address. */
export function isRedirect(reply: { status: number; location?: string }): boolean {
  return [301, 302, 303, 307, 308].includes(reply.status) && reply.location !== undefined;
}

function send(url: URL, options: HttpRequestOptions): Promise<http.IncomingMessage> {
  const secure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const request = (secure ? https : http).request(url, {
      method: options.method ?? 'GET',
      agent: agentFor(secure, options.addresses),
      headers: {
        'user-agent': 'holdfast',
        connection: 'close',
        accept: '*/*',
        'accept-encoding': 'gzip, deflate, br',
        ...defined({ 'content-type': options.body === undefined ? undefined : 'application/json' }),
        ...options.headers,
      },
      signal: AbortSignal.any([options.signal, options.deadline]),
      maxHeaderSize: 32 * 1024,
      ...defined({ lookup: options.lookup }),
      ...options.tls,
    });
    request.once('response', (response) => {
      // the body's errors go to its reader, and this request is over
      request.on('error', () => undefined);
      resolve(response);
    });
    request.once('error', reject);
    request.end(options.body);
  });
}

function agentFor(secure: boolean, addresses: readonly string[]): http.Agent {
  // the process's own agent has the proxy, and kept connections, which a server may have closed; the other kind sees no
  // address behind a proxy
  if (addresses === everyAddress) {
    const { Agent, globalAgent } = secure ? https : http;
    const { options }: object & { options?: http.AgentOptions } = globalAgent;
    return new Agent({ keepAlive: false, ...defined({ proxyEnv: options?.proxyEnv }) });
  }
  const filter = { keepAlive: false, allowIPAddressList: [...addresses] };
  return secure ? new RequestFilteringHttpsAgent(filter) : new RequestFilteringHttpAgent(filter);
}

type Body = Pick<HttpReply, 'body' | 'cut'>;

async function readBody(response: http.IncomingMessage, options: HttpRequestOptions): Promise<Body> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of decoded(response)) {
      const bytes = Buffer.from(chunk);
      chunks.push(bytes.subarray(0, options.maxBytes - size));
      size += bytes.length;
      // counted after decompression, chunk by chunk: a small body that unpacks to gigabytes ends here
      if (size > options.maxBytes) return { body: Buffer.concat(chunks), cut: 'size' };
    }
    return { body: Buffer.concat(chunks) };
  } catch {
    options.signal.throwIfAborted();
    return { body: Buffer.concat(chunks), cut: options.deadline.aborted ? 'time' : 'broken' };
  }
}

const decoders = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

function decoded(response: http.IncomingMessage): Readable {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return response;
  const decoder = decoders.get(encoding)?.();
  if (decoder === undefined) throw new Error('The body has an encoding that was not asked for.');
  response.once('error', (error) => decoder.destroy(error));
  return response.pipe(decoder);
}

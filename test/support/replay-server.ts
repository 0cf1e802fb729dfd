// A model provider on loopback that answers from a list: recorded streams, and every way a stream can break. It
// checks what it is sent as the provider would, and a test fails when it was asked too often or too seldom.
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { listeningPort } from '@holdfast/base/listening-port';
import { expect, onTestFinished } from 'vitest';
import { refusalOf } from './wire-checks.ts';

export type Answer = {
  status?: number;
  headers?: Record<string, string>;
  /** Each is one chunk on the wire, and arrives as one. Absent: the connection ends before any header. */
  chunks?: (string | Uint8Array)[];
  /** After the last chunk: a proper end, a reset connection, or silence until the client goes. */
  ending?: 'end' | 'reset' | 'silence';
  /** During silence this is written again and again. */
  ping?: string;
  /** Answer anything, also what the provider would refuse. */
  unchecked?: boolean;
};

export type CapturedRequest = {
  path: string;
  headers: IncomingHttpHeaders;
  /** The body's text, byte for byte. */
  text: string;
  body: Record<string, unknown>;
  /** What the provider's rules say against it; it was then answered with 400. */
  refusal: string | undefined;
  /** Resolves when the connection's answer is over, also when the client went away. */
  closed: Promise<void>;
};

export type ReplayServer = {
  /** Without a path; each SDK adds its own. */
  url: string;
  requests: CapturedRequest[];
  /** Queues answers, one a request. */
  answer(...answers: Answer[]): void;
  /** The next request that arrives, or the one that has. */
  nextRequest(index?: number): Promise<CapturedRequest>;
};

/** Stopped at the end of the test, which fails if an answer is left over or a request had none. */
export async function startReplayServer(): Promise<ReplayServer> {
  const queue: Answer[] = [];
  const requests: CapturedRequest[] = [];
  const unexpected: string[] = [];
  const arrivals: (() => void)[] = [];
  const server = createServer((request, response) => {
    // a program of another test that looks at the open ports of this machine, as `holdfast init` does
    if (request.method !== 'POST') return void response.writeHead(404).end();
    void (async () => {
      const captured = await capture(request, response).catch((error: unknown) => {
        if (request.complete) throw error;
      });
      // the client left before its request was whole
      if (captured === undefined) return;
      const answer =
        captured.refusal === undefined || queue[0]?.unchecked ? queue.shift() : refused(captured);
      requests.push(captured);
      for (const arrived of arrivals.splice(0)) arrived();
      if (answer === undefined) unexpected.push(captured.path);
      await write(response, answer ?? { status: 500, chunks: ['no answer is left in the replay server'] });
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(unexpected, 'requests without an answer').toEqual([]);
    expect(queue.length, 'answers that nobody asked for').toBe(0);
  });
  return {
    url: `http://127.0.0.1:${listeningPort(server)}`,
    requests,
    answer: (...answers) => void queue.push(...answers),
    nextRequest: async (index = requests.length) => {
      for (;;) {
        const request = requests[index];
        if (request !== undefined) return request;
        await new Promise<void>((resolve) => arrivals.push(resolve));
      }
    },
  };
}

async function capture(request: IncomingMessage, response: ServerResponse): Promise<CapturedRequest> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString('utf8');
  const body = JSON.parse(text) as Record<string, unknown>;
  const path = new URL(request.url ?? '/', 'http://localhost').pathname;
  return {
    path,
    headers: request.headers,
    text,
    body,
    refusal: refusalOf(path, body, request.headers),
    closed: new Promise((resolve) => response.once('close', () => resolve())),
  };
}

function refused({ path, refusal }: CapturedRequest): Answer {
  const error = { type: 'invalid_request_error', message: refusal ?? '' };
  const body = path.endsWith('/messages')
    ? { type: 'error', error, request_id: 'req_refused' }
    : { error: { ...error, param: null, code: null } };
  return { status: 400, headers: { 'content-type': 'application/json' }, chunks: [JSON.stringify(body)] };
}

async function write(response: ServerResponse, answer: Answer): Promise<void> {
  response.on('error', () => undefined); // the client may go at any moment
  if (answer.chunks === undefined) {
    if (answer.ending === 'silence') return;
    response.socket?.resetAndDestroy();
    return;
  }
  response.writeHead(answer.status ?? 200, { 'content-type': 'text/event-stream', ...answer.headers });
  for (const chunk of answer.chunks) {
    response.write(chunk);
    await nextTurnOfTheLoop();
  }
  if (answer.ending === 'reset') return resetAfterFlush(response);
  if (answer.ending === 'silence') return pingUntilClosed(response, answer.ping);
  response.end();
}

/** Chunks written in one go would be merged on their way; the client's side of the loop must run in between. */
async function nextTurnOfTheLoop(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}

/** A reset overtakes bytes that are not sent yet; an empty write's callback says that they are with the kernel. */
function resetAfterFlush(response: ServerResponse): void {
  const { socket } = response;
  socket?.write('', () => setImmediate(() => socket.resetAndDestroy()));
}

function pingUntilClosed(response: ServerResponse, ping: string | undefined): void {
  if (ping === undefined) return;
  const timer = setInterval(() => response.write(ping), 10);
  response.once('close', () => clearInterval(timer));
}

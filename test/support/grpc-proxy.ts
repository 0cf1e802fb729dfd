// A gRPC proxy on loopback in front of a Temporal server: it passes calls through, and answers, loses or holds those that a
// test names. Clients and workers connect to it as to a server.
import { once } from 'node:events';
import http2 from 'node:http2';
import type { Http2Session, IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { gunzipSync } from 'node:zlib';
import { listeningPort } from '@holdfast/base/listening-port';
import { onTestFinished } from 'vitest';

export const grpcStatus = {
  invalidArgument: 3,
  notFound: 5,
  resourceExhausted: 8,
  unavailable: 14,
  unauthenticated: 16,
};

/**
 * `refuse`: not passed on. `lose`: the server answers, and its reply is replaced. `hold`: no reply at all, and not passed
 * on; `onLeft` is called when the caller waits no more. `swallow`: the server answers, and nobody hears it.
 */
export type Treatment =
  | { type: 'pass' }
  | { type: 'refuse' | 'lose'; status: number; message: string }
  | { type: 'hold'; onLeft?: () => void }
  | { type: 'swallow' };

export const pass: Treatment = { type: 'pass' };

export type GrpcProxy = {
  address: string;
  /** Calls by name in their order, however they were treated. */
  calls: string[];
  /** The `grpc-status` of what the server answered to calls of a name, lost replies included. */
  answers(method: string): number[];
  /** Ends every connection and refuses new ones, until `heal`. */
  cut(): void;
  heal(): void;
};

/** `treat` gets the name of a call, such as `RespondActivityTaskCompleted`, and its message. Closed when the test ends. */
export async function startGrpcProxy(
  target: string,
  treat: (method: string, body: Buffer) => Treatment = () => pass,
): Promise<GrpcProxy> {
  const server = http2.createServer();
  const sessions = new Set<Http2Session>();
  const calls: string[] = [];
  const answered: [method: string, status: number][] = [];
  let isCut = false;
  const upstream = http2.connect(`http://${target}`);
  upstream.on('error', () => undefined);
  server.on('session', (session) => {
    if (isCut) return session.destroy();
    sessions.add(session);
    session.on('error', () => undefined);
    session.on('close', () => sessions.delete(session));
  });
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on('error', () => undefined);
    const method = String(headers[':path']).split('/').at(-1) ?? '';
    void bytesOf(stream).then((body) => {
      calls.push(method);
      const treatment = treat(method, messageIn(body));
      if (treatment.type === 'hold' && treatment.onLeft) stream.on('close', treatment.onLeft);
      if (treatment.type === 'hold' || stream.destroyed) return;
      if (treatment.type === 'refuse') return refuse(stream, treatment);
      const answer = (status: number): number => answered.push([method, status]);
      forward(upstream, { stream, headers, body, treatment, answer });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = listeningPort(server);
  const cut = (): void => {
    isCut = true;
    for (const session of sessions) session.destroy();
  };
  onTestFinished(() => {
    cut();
    upstream.destroy();
    server.close();
  });
  return {
    address: `127.0.0.1:${port}`,
    calls,
    answers: (method) => answered.filter(([name]) => name === method).map(([, status]) => status),
    cut,
    heal: () => {
      isCut = false;
    },
  };
}

/** The message of a unary call: one byte for gzip, four for the length. */
function messageIn(body: Buffer): Buffer {
  return body[0] === 1 ? gunzipSync(body.subarray(5)) : body.subarray(5);
}

async function bytesOf(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  } catch {
    // the caller has left
  }
  return Buffer.concat(chunks);
}

function refuse(stream: ServerHttp2Stream, { status, message }: { status: number; message: string }): void {
  if (stream.destroyed) return;
  const trailers = { 'grpc-status': `${status}`, 'grpc-message': message };
  stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...trailers }, { endStream: true });
}

type Call = {
  stream: ServerHttp2Stream;
  headers: IncomingHttpHeaders;
  body: Buffer;
  treatment: Treatment;
  answer: (status: number) => void;
};

function forward(
  upstream: http2.ClientHttp2Session,
  { stream, headers, body, treatment, answer }: Call,
): void {
  const request = upstream.request(headers);
  // a poll that its caller has left takes no task
  stream.on('close', () => request.close(http2.constants.NGHTTP2_CANCEL));
  request.on('error', () => stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR));
  let replied: IncomingHttpHeaders = {};
  let trailers: IncomingHttpHeaders = {};
  request.on('response', (response) => (replied = response));
  request.on('trailers', (last) => (trailers = last));
  void bytesOf(request).then((reply) => {
    const status = trailers['grpc-status'] ?? replied['grpc-status'];
    if (status === undefined) return;
    answer(Number(status));
    if (stream.destroyed || treatment.type === 'swallow') return;
    if (treatment.type === 'lose') return refuse(stream, treatment);
    if (replied['grpc-status'] !== undefined) return stream.respond(replied, { endStream: true });
    stream.respond(replied, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    stream.end(reply);
  });
  request.end(body);
}

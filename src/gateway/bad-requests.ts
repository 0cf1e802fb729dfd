// Answers to what Node refuses before a request reaches the app: broken lines and headers, a Host that is none. Runs in Node.
import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { problemType, toProblem } from './problem.ts';

const words: Partial<Record<number, string>> = {
  400: 'The request cannot be read: expected HTTP/1.1 with one Host that names this gateway, and a path.',
  408: 'The request did not arrive in time: send it again, whole.',
  417: 'The header Expect is not understood: expected 100-continue, or none.',
  431: 'The headers are too large: expected at most 16 KiB.',
};

const statuses: Partial<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

function problemOf(status: number): { body: string; headers: Record<string, string> } {
  const requestId = randomUUID();
  const title = STATUS_CODES[status] ?? '';
  const detail = words[status] ?? title;
  const body = JSON.stringify(toProblem({ status, code: title.replaceAll(' ', ''), detail, requestId }));
  const headers = {
    ...problemType,
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
    connection: 'close',
  };
  return { body, headers };
}

/** For a request whose Host or path makes no address. */
export function answerNoAddress(): Response {
  const { body, headers } = problemOf(400);
  return new Response(body, { status: 400, headers });
}

export function answerBrokenRequests(server: Server): void {
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || code === 'ECONNRESET') return void socket.destroy();
    const status = statuses[code] ?? 400;
    const { body, headers } = problemOf(status);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'));
  });
  server.on('checkExpectation', (_, response) => {
    const { body, headers } = problemOf(417);
    response.writeHead(417, headers).end(body);
  });
}

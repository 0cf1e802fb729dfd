// Refusals of the gateway, and every other error, as problem documents (RFC 9457). Runs in Node.
import { STATUS_CODES } from 'node:http';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { z } from '@hono/zod-openapi';
import { ClientError, type ClientErrorCode } from '../client.ts';
import { defined } from '@holdfast/base/defined';

export const problemSchema = z
  .object({
    type: z.string().describe('`urn:holdfast:` and the code.'),
    title: z.string().describe('The words of the status.'),
    status: z.int().describe('Status of the answer.'),
    code: z.string().describe('For programs, e.g. `UnknownSession`.'),
    reason: z.string().optional().describe("The session's own reason, where the code is `Refused`."),
    detail: z.string().describe('For people: expected and found, and the way on.'),
    requestId: z.string().describe('Names this request in the log of the gateway.'),
  })
  .openapi('Problem');

type Words = { status: ContentfulStatusCode; code: string; detail: string; headers?: Record<string, string> };

/** A request that the gateway itself does not take. */
export class Refusal extends HTTPException {
  readonly code: string;
  readonly headers: Record<string, string>;

  constructor(
    status: ContentfulStatusCode,
    code: string,
    detail: string,
    headers: Record<string, string> = {},
  ) {
    super(status, { message: detail });
    this.code = code;
    this.headers = headers;
  }
}

const statuses: Record<ClientErrorCode, ContentfulStatusCode> = {
  UnknownSession: 404,
  NoResult: 404,
  SessionClosed: 409,
  SessionExists: 409,
  Refused: 409,
  NoCheckpoint: 409,
  InvalidInput: 422,
  TooLarge: 413,
  NoWorker: 503,
  WorkerBusy: 503,
  Stuck: 503,
  TooBusy: 503,
  LimitReached: 503,
  ServerUnreachable: 503,
  CannotDecrypt: 500,
};

/** For callers that have no command line. */
const ownWords: Partial<Record<ClientErrorCode, string>> = {
  UnknownSession: 'There is no session with this id. GET /v1/sessions lists those that there are.',
  SessionClosed:
    'The session has ended and takes no messages. GET /v1/sessions/{id}/result has its result; ' +
    'POST /v1/sessions/{id}/fork continues from it in a new session.',
};

/** Codes of hono's own refusals, by status. */
const hono: Partial<Record<number, Pick<Words, 'code' | 'detail'>>> = {
  400: { code: 'InvalidJson', detail: 'The body is no JSON: expected one JSON document in UTF-8.' },
  415: {
    code: 'UnsupportedMediaType',
    detail: 'The body has another type: expected the header "content-type: application/json".',
  },
};

/** Seconds after which a worker or a server may be back. */
const retryAfter = { 'retry-after': '5' };

/** The answer to a request that failed. `code` is that of its metrics. */
export function answerProblem(
  error: Error,
  c: Context,
  requestId: string,
): { code: string; answer: Response } {
  const { status, code, detail, headers = {} } = wordsOf(error, requestId);
  const reason = error instanceof ClientError ? error.reason : undefined;
  const problem = toProblem({ status, code, detail, requestId, ...defined({ reason }) });
  return { code, answer: c.json(problem, status, { ...problemType, ...headers }) };
}

export const problemType = { 'content-type': 'application/problem+json' };

type Problem = z.input<typeof problemSchema>;

export function toProblem({ status, code, ...words }: Omit<Problem, 'type' | 'title'>): Problem {
  return { type: `urn:holdfast:${code}`, title: STATUS_CODES[status] ?? code, status, code, ...words };
}

function wordsOf(error: Error, requestId: string): Words {
  if (error instanceof Refusal) {
    const { status, code, message: detail, headers } = error;
    return { status, code, detail, headers };
  }
  if (error instanceof ClientError) {
    const { code } = error;
    const status = statuses[code];
    const own = ownWords[code];
    const detail = own && error.ended ? `${own} ${error.ended}` : (own ?? error.message);
    return defined({ status, code, detail, headers: status === 503 ? retryAfter : undefined });
  }
  const known = error instanceof HTTPException ? hono[error.status] : undefined;
  if (error instanceof HTTPException && known) return { status: error.status, ...known };
  const detail = `The gateway failed: its log has the reason under the request id ${requestId}.`;
  return { status: 500, code: 'Internal', detail };
}

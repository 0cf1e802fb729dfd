// The errors of the client: ClientError for trouble with a session or a server, matched by `code`, and RunError for a
// failed run. Messages say what happened, what was expected, what to do.
import { defined } from '@holdfast/base/defined';
import type { RunResult } from '@holdfast/vocabulary/run-result';

export type ClientErrorCode =
  /** No session with this id on this server and namespace. */
  | 'UnknownSession'
  /** The session has ended: it takes no messages. */
  | 'SessionClosed'
  /** A session with this id exists already. */
  | 'SessionExists'
  /** A query or update was not answered, and no worker polls the task queue. */
  | 'NoWorker'
  /** A worker polls, but did not answer in time. */
  | 'WorkerBusy'
  /** Its workflow task fails again and again: no worker can go on with the session. */
  | 'Stuck'
  /** The session is encrypted, and this client lacks its key. */
  | 'CannotDecrypt'
  /** This client has too many calls in flight; nothing was sent. */
  | 'TooBusy'
  /** The server takes no more messages for the workflow, until a worker has read those that it has. */
  | 'LimitReached'
  /** The server does not answer. */
  | 'ServerUnreachable'
  /** The session's own validator refused; `reason` is its type, e.g. `RunInProgress`. */
  | 'Refused'
  | 'InvalidInput'
  | 'TooLarge'
  /** The session ended without a result: cancelled, terminated or failed as a workflow. */
  | 'NoResult'
  /** There is no checkpoint to continue from, or only a part of it. */
  | 'NoCheckpoint';

/** The session gives no answer now, for want of a worker that can. */
export const unansweredCodes: ReadonlySet<ClientErrorCode> = new Set(['NoWorker', 'WorkerBusy', 'Stuck']);

export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly code: ClientErrorCode;
  /** The refusal's type, where code is `Refused`. */
  readonly reason: string | undefined;
  /** The error of the last run, where an answer came too late and code is `SessionClosed`. */
  readonly ended: string | undefined;

  constructor(
    code: ClientErrorCode,
    message: string,
    options: ErrorOptions & { reason?: string; ended?: string | undefined } = {},
  ) {
    super(message, options);
    this.code = code;
    this.reason = options.reason;
    this.ended = options.ended;
  }
}

/** For `catch`: undefined in place of a session that the server does not know. Other errors are thrown. */
export function undefinedIfUnknown(error: unknown): undefined {
  if (error instanceof ClientError && error.code === 'UnknownSession') return undefined;
  // by its name, because the command line reads this file before it needs the SDK
  if (error instanceof Error && error.name === 'WorkflowNotFoundError') return undefined;
  throw error;
}

/** A run that failed or was aborted; `result` has the reason, and the findings so far. */
export class RunError extends Error {
  override readonly name = 'RunError';
  readonly result: RunResult;

  constructor(sessionId: string, result: RunResult) {
    const { status, cause, error, runId } = result;
    const why = error ? `: ${error.code}: ${error.message}` : cause ? ` (${cause}).` : '.';
    super(`Run ${runId} of session ${sessionId} ${status === 'failed' ? 'failed' : 'was aborted'}${why}`);
    this.result = result;
  }
}

/** The error about a workflow that is no session: a refusal in its own words, and `gone` in place of words about a session. */
export function inWordsOf(error: unknown, gone: string): unknown {
  if (!(error instanceof ClientError)) return error;
  const { code, reason, cause } = error;
  const options = defined({ cause, reason });
  if (code === 'Refused') return new ClientError(code, refusalWords(error), options);
  const isGone =
    code === 'UnknownSession' ||
    code === 'SessionClosed' ||
    (cause instanceof Error && cause.name === 'WorkflowNotFoundError');
  return isGone ? new ClientError('UnknownSession', gone, options) : error;
}

/** A refusal in the words of the workflow itself, without those about sessions. */
function refusalWords({ cause, message }: ClientError): string {
  return cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : message;
}

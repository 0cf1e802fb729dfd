// The one error class of the client: callers match `code`. Messages say what happened, what was expected, what to do.

export type ClientErrorCode =
  /** No session of this id on this server and namespace. */
  | 'UnknownSession'
  /** The session has ended: it takes no messages. */
  | 'SessionClosed'
  /** A session of this id exists already. */
  | 'SessionExists'
  /** A query or update was not answered, and no worker polls the task queue. */
  | 'NoWorker'
  /** A worker polls, but did not answer in time. */
  | 'WorkerBusy'
  /** The server does not answer. */
  | 'ServerUnreachable'
  /** The session's own validator refused; `reason` is its type, e.g. `RunInProgress`. */
  | 'Refused'
  | 'InvalidInput'
  | 'TooLarge'
  /** The session ended without a result: cancelled, terminated or failed as a workflow. */
  | 'NoResult'
  /** There is nothing that a session could go on from, or not all of it. */
  | 'NoCheckpoint';

export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly code: ClientErrorCode;
  /** The refusal's type, where code is `Refused`. */
  readonly reason: string | undefined;

  constructor(code: ClientErrorCode, message: string, options: ErrorOptions & { reason?: string } = {}) {
    super(message, options);
    this.code = code;
    this.reason = options.reason;
  }
}

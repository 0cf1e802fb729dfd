// Errors that a person made or can fix, shown as one message without a stack, and the exit codes of everything that
// happens (docs/exit-codes.md). Pure.
import { ClientError, type ClientErrorCode } from '../client.ts';
import { ConfigError } from '../config/config-file.ts';
import { NoServerError } from '../config/temporal-connection.ts';
import { noReport } from '../core/model/run-result.ts';
import type { RunResult } from '../core/model/run-result.ts';

/** Exit codes of every command. `completed` also means that every quote of the report was found, and every claim has one. */
export const exitCodes = {
  completed: 0,
  bug: 1,
  usage: 2,
  noServer: 3,
  unknownSession: 4,
  sessionClosed: 5,
  noWorker: 6,
  refused: 7,
  asks: 8,
  failed: 10,
  aborted: 11,
  limit: 12,
  unverified: 13,
  noReport: 14,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Message: what happened, what was expected, what to do. */
export class UserError extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.usage, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UserError';
    this.exitCode = exitCode;
  }
}

/** The code of a finished run. A report with a claim that is not verified, or a quote that was not found, is no success. */
export function exitCodeOf(result: RunResult): ExitCode {
  if (result.status === 'failed') return exitCodes.failed;
  if (result.status === 'aborted') return exitCodes.aborted;
  if (result.status !== 'completed') return exitCodes.limit;
  if (result.cause === noReport) return exitCodes.noReport;
  const { report } = result;
  const verified =
    !report || (report.verifiedClaims === report.claims && report.verifiedQuotes === report.quotes);
  return verified ? exitCodes.completed : exitCodes.unverified;
}

const clientCodes: Record<ClientErrorCode, ExitCode> = {
  UnknownSession: exitCodes.unknownSession,
  SessionClosed: exitCodes.sessionClosed,
  SessionExists: exitCodes.usage,
  NoWorker: exitCodes.noWorker,
  WorkerBusy: exitCodes.noWorker,
  CannotDecrypt: exitCodes.usage,
  ServerUnreachable: exitCodes.noServer,
  Refused: exitCodes.refused,
  InvalidInput: exitCodes.usage,
  TooLarge: exitCodes.usage,
  NoResult: exitCodes.failed,
  NoCheckpoint: exitCodes.unknownSession,
};

/** The code of a mistake that a person can fix; undefined for anything else, which is a bug and shows its stack. */
export function exitCodeOfError(error: unknown): ExitCode | undefined {
  if (error instanceof UserError) return error.exitCode;
  if (error instanceof ConfigError) return exitCodes.usage;
  if (error instanceof NoServerError) return exitCodes.noServer;
  if (error instanceof ClientError) return clientCodes[error.code];
  return undefined;
}

// From what happened to the exit code of the process. Pure.
import { ClientError, type ClientErrorCode } from '../client.ts';
import { ConfigError } from '../config/config-file.ts';
import type { RunResult } from '../core/model/run-result.ts';
import { NoServerError } from '../config/temporal-connection.ts';
import { type ExitCode, UserError, exitCodes } from './user-error.ts';

/** The code of a finished run. A report with a claim whose quotes were not all found is no success. */
export function exitCodeOf(result: RunResult): ExitCode {
  if (result.status === 'failed') return exitCodes.failed;
  if (result.status === 'aborted') return exitCodes.aborted;
  if (result.status !== 'completed') return exitCodes.limit;
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
  ServerUnreachable: exitCodes.noServer,
  Refused: exitCodes.refused,
  InvalidInput: exitCodes.usage,
  TooLarge: exitCodes.usage,
  NoResult: exitCodes.failed,
  NoCheckpoint: exitCodes.unknownSession,
};

/** The code of a mistake that a person can mend; undefined for anything else, which is a bug and shows its stack. */
export function exitCodeOfError(error: unknown): ExitCode | undefined {
  if (error instanceof UserError) return error.exitCode;
  if (error instanceof ConfigError) return exitCodes.usage;
  if (error instanceof NoServerError) return exitCodes.noServer;
  if (error instanceof ClientError) return clientCodes[error.code];
  return undefined;
}

// The exit code of an error. Separate from the codes, because it needs the classes of the client, which a start does not
// load.
import { ClientError, type ClientErrorCode } from '../client.ts';
import { ConfigError } from '../config/config-file.ts';
import { NoServerError } from '../config/temporal-connection.ts';
import { ForcedEndError } from '../worker/telemetry/forced-end.ts';
import { LostTaskError } from '../worker/telemetry/lost-task.ts';
import { DamagedError } from '@holdfast/stored/parse-stored';
import { type ExitCode, exitCodes } from '../common/exit-codes.ts';
import { UserError } from '../common/user-error.ts';

const clientCodes: Record<ClientErrorCode, ExitCode> = {
  UnknownSession: exitCodes.unknownSession,
  SessionClosed: exitCodes.sessionClosed,
  SessionExists: exitCodes.usage,
  NoWorker: exitCodes.noWorker,
  WorkerBusy: exitCodes.noWorker,
  Stuck: exitCodes.noWorker,
  CannotDecrypt: exitCodes.usage,
  TooBusy: exitCodes.noServer,
  LimitReached: exitCodes.noWorker,
  ServerUnreachable: exitCodes.noServer,
  Refused: exitCodes.refused,
  InvalidInput: exitCodes.usage,
  TooLarge: exitCodes.usage,
  NoResult: exitCodes.failed,
  NoCheckpoint: exitCodes.unknownSession,
};

/** The code of a mistake that a person can fix; undefined for a bug, which shows its stack. */
export function exitCodeOfError(error: unknown): ExitCode | undefined {
  if (error instanceof UserError) return error.exitCode;
  if (error instanceof ConfigError) return exitCodes.usage;
  if (error instanceof DamagedError) return exitCodes.failed;
  if (error instanceof NoServerError) return exitCodes.noServer;
  if (error instanceof LostTaskError || error instanceof ForcedEndError) return exitCodes.noWorker;
  if (error instanceof ClientError) return clientCodes[error.code];
  return undefined;
}

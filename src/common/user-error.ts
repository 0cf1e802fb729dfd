// Errors that a person made or can fix, shown as one message without a stack. Pure.
import { messageOf } from '@holdfast/base/message-of';
import { type ExitCode, exitCodes } from './exit-codes.ts';

/** Message: the problem, the expectation, the remedy. */
export class UserError extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.usage, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UserError';
    this.exitCode = exitCode;
  }
}

export function unwritable(what: string, path: string, cause: unknown): UserError {
  const message = `The ${what} cannot be written to ${path} (${messageOf(cause)}). Name another file.`;
  return new UserError(message, undefined, { cause });
}

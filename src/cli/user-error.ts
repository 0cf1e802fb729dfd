// An error that a person made or can mend: shown as one message without a stack, with its exit code.
// Runs in the CLI only; the exit codes are written down in docs/exit-codes.md.

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
  failed: 10,
  aborted: 11,
  limit: 12,
  unverified: 13,
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

/** The message of anything thrown, without its stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

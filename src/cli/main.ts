// Entry of the command line: runs one command and turns whatever it throws into a message and an exit code.
import { CommanderError } from 'commander';
import { readEnvironment } from '../config/config.ts';
import type { Cli } from './cli.ts';
import { withTyped } from './command-line.ts';
import { exitCodeOfError } from './exit-code.ts';
import { createProgram } from './program.ts';
import { endWithReader } from './reader-gone.ts';
import { type ExitCode, exitCodes, messageOf } from './user-error.ts';

/** Runs the command in `process.argv` and sets the exit code of the process. */
export async function main(): Promise<void> {
  const cli: Cli = {
    cwd: process.cwd(),
    environment: readEnvironment(),
    ...{ stdin: process.stdin, stdout: process.stdout, stderr: process.stderr },
    exitCode: exitCodes.completed,
  };
  endWithReader(cli);
  try {
    const program = await createProgram(cli);
    await program.parseAsync();
    process.exitCode ??= cli.exitCode;
  } catch (error) {
    process.exitCode = report(cli, error);
  }
}

/** Mistakes of people get their message; anything else is a bug, and shows where. */
function report(cli: Cli, error: unknown): ExitCode {
  if (error instanceof CommanderError) return reportUsage(cli, error);
  const code = exitCodeOfError(error) ?? exitCodes.bug;
  const message = withTyped(messageOf(error));
  emitError(cli, code, message);
  const stack = error instanceof Error && code === exitCodes.bug ? `\n${error.stack}` : '';
  cli.stderr.write(
    `holdfast: ${stack === '' ? message : `unexpected error, please report it: ${message}${stack}`}\n`,
  );
  return code;
}

/** Commander has written the message already, or the help. */
function reportUsage(cli: Cli, { exitCode, code, message }: CommanderError): ExitCode {
  if (exitCode === 0) return exitCodes.completed;
  const helped = code === 'commander.help';
  emitError(cli, exitCodes.usage, helped ? 'No command is named.' : message.replace(/^error: /, ''));
  return exitCodes.usage;
}

function emitError(cli: Cli, exitCode: ExitCode, message: string): void {
  if (!process.argv.includes('--json')) return;
  cli.stdout.write(`${JSON.stringify({ type: 'error', exitCode, message })}\n`);
}

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
  const code = await runCommand(cli, process.argv.slice(2));
  process.exitCode ??= code;
}

/** Runs one command, and answers its exit code. A command that fails has said why. */
export async function runCommand(cli: Cli, args: readonly string[]): Promise<ExitCode> {
  try {
    const program = await createProgram(cli, args);
    await program.parseAsync(args, { from: 'user' });
    return cli.exitCode;
  } catch (error) {
    return report(cli, error, args.includes('--json'));
  }
}

/** Mistakes of people get their message; anything else is a bug, and shows where. */
function report(cli: Cli, error: unknown, json: boolean): ExitCode {
  if (error instanceof CommanderError) return reportUsage(cli, error, json);
  const code = exitCodeOfError(error) ?? exitCodes.bug;
  const message = withTyped(messageOf(error));
  if (json) emitError(cli, code, message);
  const stack = error instanceof Error && code === exitCodes.bug ? `\n${error.stack}` : '';
  cli.stderr.write(
    `holdfast: ${stack === '' ? message : `unexpected error, please report it: ${message}${stack}`}\n`,
  );
  return code;
}

/** Commander has written the message already, or the help. */
function reportUsage(cli: Cli, { exitCode, code, message }: CommanderError, json: boolean): ExitCode {
  if (exitCode === 0) return exitCodes.completed;
  const helped = code === 'commander.help';
  if (json)
    emitError(cli, exitCodes.usage, helped ? 'No command is named.' : message.replace(/^error: /, ''));
  return exitCodes.usage;
}

function emitError(cli: Cli, exitCode: ExitCode, message: string): void {
  cli.stdout.write(`${JSON.stringify({ type: 'error', exitCode, message })}\n`);
}

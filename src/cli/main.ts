// Entry of the command line: runs one command and turns whatever it throws into a message and an exit code.
import { messageOf } from '../core/base/message-of.ts';
import { CommanderError } from 'commander';
import { readEnvironment } from '../config/environment.ts';
import type { Cli } from './cli.ts';
import { withTyped } from './command-line.ts';
import { type ExitCode, exitCodeOfError, exitCodes } from './user-error.ts';
import { createProgram } from './program.ts';
import { stopWithGroup } from './suspend.ts';

/** Runs the command in `process.argv` and sets the exit code of the process. */
export async function main(): Promise<void> {
  const cli: Cli = {
    cwd: process.cwd(),
    environment: readEnvironment(),
    ...{ stdin: process.stdin, stdout: process.stdout, stderr: process.stderr },
    exitCode: exitCodes.completed,
  };
  endWithReader(cli);
  if (cli.stdin.isTTY) stopWithGroup();
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

/** EPIPE of a pipe; of a socket, which other programs use for one, also ECONNRESET. */
const goneCodes = ['EPIPE', 'ECONNRESET'];

/** A reader that goes away (| head) ends the reading, never the work: a session that is followed is left as on Ctrl-C. */
function endWithReader(cli: Cli): void {
  let gone = false;
  cli.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (!isGone(error)) throw error;
    if (gone) return;
    gone = true;
    // nobody in the way of Ctrl-C: a command that only had something to print
    if (!process.emit('SIGINT')) process.exit(cli.exitCode);
  });
  cli.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (!isGone(error)) throw error;
  });
}

function isGone({ code = '' }: NodeJS.ErrnoException): boolean {
  return goneCodes.includes(code);
}

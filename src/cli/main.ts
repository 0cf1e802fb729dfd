// Entry of the command line: runs one command and turns any error into a message and an exit code.
import { messageOf } from '@holdfast/base/message-of';
import { CommanderError } from 'commander';
import { readEnvironment } from '../config/environment.ts';
import { useProxies } from '../config/proxy.ts';
import type { Cli } from './cli.ts';
import { withTyped } from '../config/command-line.ts';
import { type ExitCode, exitCodes } from '../common/exit-codes.ts';
import { createProgram } from './program.ts';
import { stopWithGroup } from './suspend.ts';

/** Runs the command in `process.argv` and sets the exit code of the process. */
export async function main(): Promise<void> {
  const cli: Cli = {
    cwd: process.cwd(),
    environment: readEnvironment(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    signals: process,
    exitCode: exitCodes.completed,
  };
  endWithReader(cli);
  if (cli.stdin.isTTY) stopWithGroup();
  const code = await runCommand(cli, process.argv.slice(2));
  process.exitCode ??= code;
}

/** Runs one command, and returns its exit code. A failed command has printed the reason. */
export async function runCommand(cli: Cli, args: readonly string[]): Promise<ExitCode> {
  try {
    await useProxies(cli.environment);
    const program = await createProgram(cli, args);
    await program.parseAsync(args, { from: 'user' });
    return cli.exitCode;
  } catch (error) {
    return await report(cli, error, args.includes('--json'));
  }
}

/** A person's mistake prints its message; any other error is a bug, and prints its stack. */
async function report(cli: Cli, error: unknown, json: boolean): Promise<ExitCode> {
  if (error instanceof CommanderError) return reportUsage(cli, error, json);
  const { exitCodeOfError } = await import('./error-code.ts');
  const code = exitCodeOfError(error) ?? exitCodes.bug;
  const message = withTyped(messageOf(error));
  if (json) emitError(cli, code, message);
  const stack = error instanceof Error && code === exitCodes.bug ? `\n${error.stack}` : '';
  cli.stderr.write(
    `holdfast: ${stack === '' ? message : `unexpected error, please report it: ${message}${stack}`}\n`,
  );
  return code;
}

/** Commander has printed the message already, or the help. */
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

/** EPIPE of a pipe; a socket, which other programs use as one, also gives ECONNRESET. */
const goneCodes = ['EPIPE', 'ECONNRESET'];

/** A reader that leaves (| head) ends the output, never the work: a followed session is left as on Ctrl-C. */
function endWithReader(cli: Cli): void {
  let gone = false;
  cli.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (!isGone(error)) throw error;
    if (gone) return;
    gone = true;
    // without a handler of Ctrl-C, the command only had something to print
    if (!process.emit('SIGINT')) process.exit(cli.exitCode);
  });
  cli.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (!isGone(error)) throw error;
  });
}

function isGone({ code = '' }: NodeJS.ErrnoException): boolean {
  return goneCodes.includes(code);
}

// The whole command line: every command, and the options that all of them take.
import { accessSync, constants, openSync, statSync, writeFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { keysOf } from '@holdfast/base/keys';
import { unwritable } from '../common/user-error.ts';
import { dirname, resolve } from 'node:path';
import { type Command, Help } from 'commander';
import { name } from './arguments.ts';
import type { Cli, GlobalOptions } from './cli.ts';
import { CliCommand } from './cli-command.ts';
import { commandGroups, loaders } from './command-table.ts';
import { formatHelp, groupHeading } from './commands/help.ts';
import { ownVersion } from '../config/own-version.ts';
import { refuseWords, rememberPlace, withProgram } from '../config/command-line.ts';

/** Includes the commands in `args`; without `args` all of them. */
export async function createProgram(cli: Cli, args?: readonly string[]): Promise<CliCommand> {
  const program = new CliCommand('holdfast', cli)
    .description('Investigates incidents. Every run is a Temporal workflow and survives crashes.')
    .version(ownVersion())
    .option('--json', 'print JSON, one object per line')
    .option('--config <file>', 'config file; default holdfast.config.{ts,js,yaml,json} in this folder')
    .option('--no-color', 'plain text (also NO_COLOR)')
    .option('--plain', 'line by line, with nothing that is drawn again: for screen readers and logs')
    .option('--output <file>', 'write what is printed to a file', name)
    .examples(['run "checkout is slow, find out why"', 'help run'])
    .showSuggestionAfterError()
    .configureHelp({ subcommandTerm, formatHelp })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void cli.stdout.write(withProgram(text)),
      writeErr: (text) => void cli.stderr.write(withProgram(text)),
    });
  program.hook('preAction', (_program, command) => {
    const { output, config } = command.optsWithGlobals<GlobalOptions>();
    rememberPlace(cli.environment, config);
    if (command.commands.length > 0) refuseWords(command);
    if (output !== undefined) cli.stdout = outputFile(resolve(cli.cwd, output));
  });
  await addCommands(program, args?.[0] === 'complete' ? undefined : args);
  if (args?.[0] === 'complete') await (await import('./commands/completion.ts')).addComplete(program, cli);
  return program;
}

/** The help of all commands shows only the name, that of a group the arguments too. */
function subcommandTerm(command: Command): string {
  return command.parent?.parent ? new Help().subcommandTerm(command) : command.name();
}

/** Commands that are not in `args` are only lines of the help. */
async function addCommands(program: CliCommand, args: readonly string[] | undefined): Promise<void> {
  const names = keysOf(loaders);
  const typed = args === undefined ? names : names.filter((command) => args.includes(command));
  const registers = await Promise.all(typed.map((command) => loaders[command]()));
  for (const register of new Set(registers)) register(program);
  // of those that do something themselves: commander would only count the words
  for (const group of program.commands) if (group.commands.length > 0) group.allowExcessArguments();
  const known = new Map(program.commands.map((command) => [command.name(), command]));
  for (const [group, of] of Object.entries(commandGroups)) {
    const heading = groupHeading(group, of);
    for (const [command, description] of Object.entries(of.commands))
      (known.get(command) ?? program.command(command)).description(description).helpGroup(heading);
  }
}

/**
 * For --output. The first write opens the file, so that a command that fails before keeps an older file. Throws a UserError
 * if the file cannot be written.
 */
function outputFile(path: string): Cli['stdout'] {
  checkPlace(path);
  let file: number | undefined;
  const stream = new Writable({
    write(chunk, _encoding, done) {
      try {
        file ??= openSync(path, 'w');
        // a descriptor, so that each write is appended
        writeFileSync(file, chunk);
      } catch (error) {
        throw unwritable('output', path, error);
      }
      done();
    },
  });
  // no terminal; commands use no more of it than of any stream
  return stream as unknown as Cli['stdout'];
}

/** Checked before the work, which may take hours. */
function checkPlace(path: string): void {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory()) throw new Error('it is a folder');
    accessSync(found === undefined ? dirname(path) : path, constants.W_OK);
  } catch (error) {
    throw unwritable('output', path, error);
  }
}

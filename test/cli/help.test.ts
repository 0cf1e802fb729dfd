// The help of every command: each shows how it is typed.
import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import type { Cli } from '../../src/cli/cli.ts';
import { createProgram } from '../../src/cli/program.ts';

function commandsOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(commandsOf)];
}

/** What `--help` prints. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (piece) => void (text += piece) }).outputHelp();
  return text;
}

/** The words that name it, such as `checkpoint export`. */
function nameOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${nameOf(parent)} ${command.name()}` : command.name();
}

test('the help of every command has an example of that command, and describes all its options', async () => {
  const cli = { stdout: new PassThrough(), stderr: new PassThrough() } as unknown as Cli;
  const [program, ...commands] = commandsOf(await createProgram(cli));
  expect(commands.length).toBeGreaterThan(25);
  const lacking = commands.filter((command) => {
    const [, examples = ''] = helpOf(command).split('\nExamples:\n');
    const ownLine = new RegExp(`^ {2}\\$ .*holdfast ${nameOf(command)}( |$)`, 'm');
    return !ownLine.test(examples) || command.options.some(({ description }) => description === '');
  });
  expect(lacking.map(nameOf)).toEqual([]);
  expect(program && helpOf(program)).toContain('\nExamples:\n  $ ');
});

test('the help lists every command under a heading', async () => {
  const cli = { stdout: new PassThrough(), stderr: new PassThrough() } as unknown as Cli;
  const program = await createProgram(cli, []);
  expect(program.commands.filter((command) => command.helpGroup() === '').map(nameOf)).toEqual([]);
  expect(helpOf(program)).not.toContain('\nCommands:\n');
});

test('[FAULT-99] the help of dev says what a power cut may cost', async () => {
  const cli = { stdout: new PassThrough(), stderr: new PassThrough() } as unknown as Cli;
  const dev = commandsOf(await createProgram(cli)).find((command) => nameOf(command) === 'dev');
  expect(dev && helpOf(dev)).toMatch(
    /survives the kill of every process\. After a power cut .* may be missing\./,
  );
});

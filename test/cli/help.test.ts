// The help of every command: each shows how it is typed.
import { tmpdir } from 'node:os';
import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import type { Cli } from '../../src/cli/cli.ts';
import { commandGroups, firstCommands } from '../../src/cli/command-table.ts';
import { createProgram } from '../../src/cli/program.ts';
import { callCli } from '../support/cli.ts';

function silentCli(): Cli {
  return { stdout: new PassThrough(), stderr: new PassThrough() } as unknown as Cli;
}

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
  const [program, ...commands] = commandsOf(await createProgram(silentCli()));
  expect(commands.length).toBeGreaterThan(25);
  const lacking = commands.filter((command) => {
    const [, examples = ''] = helpOf(command).split('\nExamples:\n');
    const ownLine = new RegExp(`^ {2}\\$ .*holdfast ${nameOf(command)}( |$)`, 'm');
    return !ownLine.test(examples) || command.options.some(({ description }) => description === '');
  });
  expect(lacking.map(nameOf)).toEqual([]);
  expect(program && helpOf(program)).toContain('\nExamples:\n  $ ');
});

test('[CLI-31a] the help fits a screen, describes twelve commands and names every other one with its group', async () => {
  const program = await createProgram(silentCli(), []);
  const help = helpOf(program);
  const lines = help.trimEnd().split('\n');
  expect(lines.length).toBeGreaterThanOrEqual(24);
  expect(lines.length).toBeLessThanOrEqual(40);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  const described = [...help.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, word = '']) => word);
  expect(described).toEqual([...firstCommands, ...Object.keys(commandGroups)]);
  expect(firstCommands).toHaveLength(12);
  const [, groups = ''] = help.split('\nMore commands by group');
  const named = new Set(groups.match(/[a-z][a-z-]+/g));
  const lacking = program.commands
    .map(nameOf)
    .filter((name) => !described.includes(name) && !named.has(name));
  expect(lacking).toEqual([]);
});

test('[CLI-31b] every command is in one group', async () => {
  const program = await createProgram(silentCli());
  const grouped = Object.values(commandGroups).flatMap(({ commands }) => Object.keys(commands));
  expect(program.commands.map(nameOf).toSorted()).toEqual(grouped.toSorted());
  expect(new Set(grouped).size).toBe(grouped.length);
  expect(Object.keys(commandGroups).filter((group) => grouped.includes(group))).toEqual([]);
});

test('[CLI-31c] help describes the commands of a group, all of them, or one command', async () => {
  const help = async (...names: string[]) => (await callCli(['help', ...names], { cwd: tmpdir() })).stdout;
  const [group, all, command, none] = await Promise.all([
    help('decide'),
    help('all'),
    help('alerts', 'test'),
    help(),
  ]);
  for (const [name, description] of Object.entries(commandGroups.decide.commands)) {
    expect(group).toMatch(new RegExp(`^ {2}${name} +${description}$`, 'm'));
  }
  for (const { commands } of Object.values(commandGroups)) {
    for (const name of Object.keys(commands)) expect(all).toMatch(new RegExp(`^ {2}${name} +\\S`, 'm'));
  }
  expect(all).toMatch(/--output <file> [^]*\nExit codes: 0 completed/);
  expect(command).toMatch(/^Usage: holdfast alerts test [^]*\nExamples:\n/);
  expect(none).toBe((await callCli(['--help'], { cwd: tmpdir() })).stdout);
});

test.each([
  [['aprove'], 'approve'],
  [['tlak'], 'talk'],
  [['alerts', 'tset'], 'test'],
])('[CLI-31d] help of %j is refused with the name that was meant', async (names, meant) => {
  const { code, stderr } = await callCli(['help', ...names], { cwd: tmpdir() });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `error: unknown command '${names.at(-1)}'\n(Did you mean ${meant}?)\n`,
  });
});

test('[FAULT-99] the help of dev says what a power cut may cost', async () => {
  const dev = commandsOf(await createProgram(silentCli())).find((command) => nameOf(command) === 'dev');
  expect(dev && helpOf(dev)).toMatch(
    /survives the kill of every process\. After a power cut .* may be missing\./,
  );
});

// docs/reference/cli.md: every command with its arguments, options and examples, from the commands themselves.
import { capital } from '@holdfast/base/words';
import type { Argument, Command, Option } from 'commander';
import { commandGroups } from '../../src/cli/command-table.ts';
import { code, linked, pageHead } from './markdown.ts';

const words = `Every command, by the groups of \`holdfast help\`; \`holdfast help run\` prints the same about one. \`<session>\` is the id of a
session, or its beginning. Words in \`[]\` may be left out, \`...\` takes several. [Exit codes](../exit-codes.md) are the same for all.`;

/** Options that so many commands have are described once. */
const sharedFrom = 3;

export function makeCliPage(program: Command): string {
  const shared = sharedOptions(program.commands.flatMap(leavesOf));
  const known = new Map(program.commands.map((command) => [command.name(), command]));
  const groups = Object.entries(commandGroups).flatMap(([name, { about, commands }]) => [
    `## ${name}\n`,
    `${sentence(about)}\n`,
    ...Object.keys(commands)
      .flatMap((command) => known.get(command) ?? [])
      .flatMap(leavesOf)
      .map((command) => describe(command, shared)),
  ]);
  return [
    pageHead('Command line reference', words),
    '## Options of every command\n',
    ...program.options.map(optionLine),
    '\n## Options of several commands\n',
    ...[...shared.values()].map(optionLine),
    '',
    ...groups,
  ].join('\n');
}

/** Commands that do something themselves; hidden ones are left out. */
function leavesOf(command: Command): Command[] {
  if (isHidden(command)) return [];
  const subcommands = command.commands.flatMap(leavesOf);
  // a parent with examples runs by itself, too
  return subcommands.length === 0 || afterHelp(command).examples.length > 0
    ? [command, ...subcommands]
    : subcommands;
}

function isHidden(command: Command): boolean {
  const parent = command.parent;
  return parent !== null && !parent.createHelp().visibleCommands(parent).includes(command);
}

/** By their lines: the same flags may mean something else in another command. */
function sharedOptions(commands: readonly Command[]): Map<string, Option> {
  const byLine = Map.groupBy(commands.flatMap(optionsOf), optionLine);
  return new Map(
    [...byLine].flatMap(([line, [option, ...others]]) =>
      option && others.length + 1 >= sharedFrom ? [[line, option]] : [],
    ),
  );
}

function optionsOf(command: Command): Option[] {
  return command.options.filter(({ hidden }) => !hidden);
}

/** An item of a list, with arguments, options and examples as items below it. */
function describe(command: Command, shared: ReadonlyMap<string, Option>): string {
  const { notes, examples } = afterHelp(command);
  // a list of words with their meanings stays in columns
  const isList = /^ {2}\S/m.test(notes);
  const options = optionsOf(command);
  const also = options.filter((option) => shared.has(optionLine(option))).map(({ long }) => code(long ?? ''));
  const [first = '', ...paragraphs] = isList ? [] : notes.split('\n\n').map(inOneLine);
  const about = [
    sentence(command.description()),
    first,
    ...(also.length > 0 ? [`Also ${also.join(', ')}.`] : []),
  ];
  const below = [
    ...paragraphs.flatMap((paragraph) => ['', paragraph]),
    ...command.registeredArguments
      .filter(({ description }) => description !== 'session id')
      .map(argumentLine),
    ...options.map(optionLine).filter((line) => !shared.has(line)),
    ...(examples.length > 0 ? [`- Examples: ${examples.map(code).join(', ')}`] : []),
    ...(isList ? ['', '```text', ...notes.split('\n'), '```'] : []),
  ];
  return [
    `- **${code(usageOf(command))}** ${about.filter((text) => text !== '').join(' ')}`,
    ...below.map((line) => (line === '' ? '' : `  ${line}`)),
    '',
  ].join('\n');
}

function argumentLine(argument: Argument): string {
  return `- ${code(argument.name())}: ${argument.description}${choices(argument.argChoices)}`;
}

/** A default that is no number depends on the machine, or is in the words. */
function optionLine({ flags, description, argChoices, defaultValue }: Option): string {
  const preset = typeof defaultValue === 'number' ? `; default ${defaultValue}` : '';
  return `- ${code(flags)}: ${linked(description)}${preset}${choices(argChoices)}`;
}

function choices(words: readonly string[] | undefined): string {
  return words === undefined ? '' : ` (${words.map(code).join(', ')})`;
}

/** The words after the program's name, without its options. */
function usageOf(command: Command): string {
  const argumentWords = command.usage().replaceAll(/\[(options|command)\] ?/g, '');
  return `${nameOf(command)} ${argumentWords}`.trimEnd();
}

function nameOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${nameOf(parent)} ${command.name()}` : command.name();
}

function inOneLine(text: string): string {
  return linked(text.replaceAll(/\s+/g, ' '));
}

function sentence(text: string): string {
  const begun = capital(text);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/** The help after the options: notes, and examples as they are typed. */
function afterHelp(command: Command): { notes: string; examples: string[] } {
  let help = '';
  command.configureOutput({ writeOut: (piece) => void (help += piece) }).outputHelp();
  const after = help.slice(help.indexOf(command.helpInformation()) + command.helpInformation().length);
  const [notes = '', examples = ''] = `\n${after}`.split('\nExamples:\n');
  const lines = examples.split('\n').map((line) => line.trim().replace('$ ', ''));
  return { notes: notes.trim(), examples: lines.filter((line) => line !== '') };
}

// docs/reference/cli.md: every command with its arguments, options and examples, from the commands themselves.
import type { Command, Option } from 'commander';
import { code, pageHead, table } from './markdown.ts';

const words = `Every command, as \`holdfast COMMAND --help\` prints it. [Exit codes](../exit-codes.md) are the same for all.`;

export function makeCliPage(program: Command): string {
  const commands = program.commands
    .flatMap(leavesOf)
    .toSorted((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
  return [
    pageHead('Command line reference', words),
    '## Options of every command\n',
    optionTable(program.options),
    ...commands.map(describe),
    '',
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

function nameOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${nameOf(parent)} ${command.name()}` : command.name();
}

function describe(command: Command): string {
  const { notes, examples } = afterHelp(command);
  const options = command.options.filter(({ hidden }) => !hidden);
  const argumentRows = command.registeredArguments.map((argument) => [
    code(argument.name()),
    choices(argument.argChoices),
    argument.description,
  ]);
  return [
    `\n## holdfast ${nameOf(command)}\n`,
    `\`\`\`text\nUsage: holdfast ${nameOf(command)} ${command.usage()}\n\`\`\`\n`,
    `${sentence(command.description())}\n`,
    ...(argumentRows.length > 0 ? [`${table(['argument', 'one of', 'meaning'], argumentRows)}\n`] : []),
    ...(options.length > 0 ? [`${optionTable(options)}\n`] : []),
    ...(notes === '' ? [] : [`\`\`\`text\n${notes}\n\`\`\`\n`]),
    ...(examples === '' ? [] : [`\`\`\`console\n${examples}\n\`\`\``]),
  ].join('\n');
}

function optionTable(options: readonly Option[]): string {
  return table(
    ['option', 'one of', 'meaning'],
    options.map((option) => [code(option.flags), choices(option.argChoices), option.description]),
  );
}

function choices(words: readonly string[] | undefined): string {
  return (words ?? []).map(code).join(', ');
}

function sentence(words: string): string {
  const text = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** The help after the options: notes, and examples as they are typed. */
function afterHelp(command: Command): { notes: string; examples: string } {
  let help = '';
  command.configureOutput({ writeOut: (piece) => void (help += piece) }).outputHelp();
  const after = help.slice(help.indexOf(command.helpInformation()) + command.helpInformation().length);
  const [notes = '', examples = ''] = `\n${after}`.split('\nExamples:\n');
  const lines = examples.split('\n').map((line) => line.trim());
  return { notes: notes.trim(), examples: lines.filter((line) => line !== '').join('\n') };
}

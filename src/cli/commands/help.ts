// holdfast help, and what `holdfast --help` prints: the commands that most people need, and the groups of all others.
import { defined } from '@holdfast/base/defined';
import { type Command, Help } from 'commander';
import { refuseWord } from '../../config/command-line.ts';
import type { CliCommand } from '../cli-command.ts';
import { type CommandGroup, commandGroups, firstCommands } from '../command-table.ts';

const groups = new Map<string, CommandGroup>(Object.entries(commandGroups));

const globalOptions = `
Every command takes --json, --config, --output, --plain and --no-color.
"holdfast help all" describes these, all commands and the exit codes.`;

const exitCodes = `
Exit codes: 0 completed, 2 usage, 3 no server, 4 unknown session, 5 session
ended, 6 no worker, 7 refused, 8 a person is asked, 10 failed, 11 aborted, 12 a
limit, 13 a quote not found, 14 no report, 130 Ctrl-C.
`;

export function registerHelp(program: CliCommand): void {
  program
    .command('help')
    .argument('[names...]', 'a command, such as alerts test; a group, such as talk; or all')
    .examples(['help run', 'help alerts test', 'help talk', 'help all'])
    .action((names: string[]) => {
      const { writeOut } = program.configureOutput();
      const [name = ''] = names;
      const group = groups.get(name);
      if (name === 'all') writeOut?.(formatAll(program));
      else if (group) writeOut?.(formatGroup(program, name, group));
      else findCommand(program, names).outputHelp();
    });
}

/** The overview for the program, and commander's own help for a command. */
export function formatHelp(command: Command, helper: Help): string {
  return command.parent ? Help.prototype.formatHelp.call(helper, command, helper) : overview(command, helper);
}

function overview(program: Command, helper: Help): string {
  const lines = new Map([...groups.values()].flatMap(({ commands }) => Object.entries(commands)));
  const first = firstCommands.map((name): Item => [name, lines.get(name) ?? '']);
  const isFirst = new Set<string>(firstCommands);
  const others = [...groups].map(([name, { about, commands }]): Item => {
    const rest = Object.keys(commands).filter((command) => !isFirst.has(command));
    return [name, `${about}: ${rest.join(', ')}`];
  });
  const items = formatItems([...first, ...others], helper);
  return [
    `Usage: ${helper.commandUsage(program)}\n`,
    `${program.description()}\n`,
    'Commands:',
    ...items.slice(0, first.length),
    '\nMore commands by group; "holdfast help <group>" describes those of one:',
    ...items.slice(first.length),
    globalOptions,
    '',
  ].join('\n');
}

function formatAll(program: Command): string {
  const helper = helperOf(program);
  return Help.prototype.formatHelp.call(helper, program, helper) + exitCodes;
}

function formatGroup(program: Command, name: string, group: CommandGroup): string {
  return [
    groupHeading(name, group),
    ...formatItems(Object.entries(group.commands), helperOf(program)),
    '\n"holdfast help <command>" has arguments, options and examples.\n',
  ].join('\n');
}

/** The heading of a group in the help of all commands. */
export function groupHeading(name: string, { about }: CommandGroup): string {
  return `${name}: ${about}`;
}

/** A name and the words beside it. */
type Item = readonly [string, string];

function formatItems(items: readonly Item[], helper: Help): string[] {
  const width = Math.max(...items.map(([name]) => name.length));
  return items.map(([name, words]) => helper.formatItem(name, width, words, helper));
}

/** As wide as the terminal. */
function helperOf(program: Command): Help {
  const helper = program.createHelp();
  helper.prepareContext(defined({ helpWidth: program.configureOutput().getOutHelpWidth?.() }));
  return helper;
}

/** The command that is named by these words; another name is refused with the one that was meant. */
function findCommand(program: Command, names: readonly string[]): Command {
  return names.reduce<Command>((above, name) => {
    const found = above.commands.find((each) => each.name() === name);
    return found ?? refuseWord(above, name, above === program ? helpTopics(above) : namesBelow(above));
  }, program);
}

/** The words that `holdfast help` takes first. */
export function helpTopics(program: Command): string[] {
  return [...namesBelow(program), ...groups.keys(), 'all'];
}

function namesBelow(command: Command): string[] {
  return command.commands.map((each) => each.name());
}

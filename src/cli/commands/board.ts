// holdfast board: the task boards that teams of agents share.
import type { BoardTask, TaskBoard } from '../../client.ts';
import { boardName, name as aName, readWords } from '../arguments.ts';
import type { CliCommand } from '../cli-command.ts';
import { toLine } from '../render/plain-text.ts';
import { type ServerCommand, withServer } from '../server-access.ts';
import { exitCodes } from '../../common/exit-codes.ts';
import { UserError } from '../../common/user-error.ts';

export function registerBoard(program: CliCommand): void {
  const board = program
    .command('board')
    .examples(['board add incident-42 "look at the logs of checkout"', 'board list incident-42']);
  registerAdd(board);
  for (const { name, about, takesTask, examples, work } of boardCommands) {
    const command = board
      .command(name)
      .description(about)
      .argument('<board>', 'name of the board', boardName)
      .examples(examples);
    if (takesTask) command.argument('<task>', 'id of the task', aName);
    const onBoard = (frame: ServerCommand, on: string) =>
      work(frame.access.client.board(on), frame, on, command.args[1] ?? '');
    command.onServer(onBoard, { config: 'keys' });
  }
}

type AddOptions = { id?: string; notes?: string };

function registerAdd(board: CliCommand): void {
  board
    .command('add')
    .description('add a task; the first one opens the board')
    .argument('<board>', 'name of the board', boardName)
    .argument('<words...>', 'the task; "-" reads standard input')
    .option('--id <id>', 'id of the task; adding the same again changes nothing', aName)
    .option('--notes <words>', 'notes on the task', aName)
    .examples(['board add incident-42 "look at the logs of checkout" --id logs'])
    .action(async (on: string, words: string[], options: AddOptions, command: CliCommand) => {
      const text = await readWords(command.cli, words, 'The task');
      const add = async ({ access, output }: ServerCommand) => {
        const task = await access.client.board(on).add({ text, ...options });
        output.emit({ board: on, ...task });
        output.print(`Added ${task.id} to ${on}.`);
      };
      await withServer(command, add, { config: 'keys' });
    });
}

type BoardCommand = {
  name: string;
  about: string;
  takesTask?: true;
  examples: string[];
  work(tasks: TaskBoard, frame: ServerCommand, on: string, id: string): Promise<void>;
};

const boardCommands: readonly BoardCommand[] = [
  {
    name: 'list',
    about: 'list the tasks of a board',
    examples: ['board list incident-42', 'board list incident-42 --json'],
    async work(tasks, { output }, on) {
      const listed = await tasks.list();
      for (const task of listed) {
        output.emit({ board: on, ...task });
        output.print(toRow(task));
      }
      if (listed.length === 0) output.print(`Board ${on} is empty.`);
    },
  },
  {
    name: 'show',
    about: 'show one task of a board, with its notes',
    takesTask: true,
    examples: ['board show incident-42 logs'],
    async work(tasks, { output }, on, id) {
      const listed = await tasks.list();
      const task = listed.find((each) => each.id === id);
      if (!task) {
        const ids = listed.map((each) => each.id).join(', ');
        const known = listed.length === 0 ? 'it is empty' : `expected one of ${ids}`;
        throw new UserError(`Board ${on} has no task "${id}": ${known}.`, exitCodes.refused);
      }
      output.emit({ board: on, ...task });
      output.print(toRow(task));
      if (task.notes !== undefined) output.print(`  ${toLine(task.notes)}`);
    },
  },
  {
    name: 'release',
    about: 'make a task open again, whoever has it',
    takesTask: true,
    examples: ['board release incident-42 logs'],
    async work(tasks, { output }, on, id) {
      const task = await tasks.release(id);
      output.emit({ board: on, ...task });
      output.print(`Task ${id} is open.`);
    },
  },
  {
    name: 'close',
    about: 'end a board: it takes nothing more',
    examples: ['board close incident-42'],
    async work(tasks, { output }, on) {
      await tasks.close();
      output.emit({ board: on, closed: true });
      output.print(`Board ${on} is closed.`);
    },
  },
];

function toRow({ id, status, assignee, text }: BoardTask): string {
  const who = assignee === undefined ? '' : ` (${toLine(assignee)})`;
  return `${id.padEnd(12)} ${status.padEnd(9)} ${toLine(text)}${who}`;
}

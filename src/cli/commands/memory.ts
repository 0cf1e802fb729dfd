// holdfast memory search, show and forget: the memory of this config's agents. Needs no server.
import type { Command } from 'commander';
import { memoryFolder, openMemoryOf } from '../../config/memory.ts';
import { secretsOf } from '../../worker/own-secrets.ts';
import type { Config } from '../../config/config.ts';
import { messageOf } from '../../core/base/message-of.ts';
import { counted } from '../../core/base/words.ts';
import { count, someWords } from '../arguments.ts';
import { type Cli, type Output, openCommand } from '../cli.ts';
import { addExamples, typed } from '../command-line.ts';
import { toLine, toPlain } from '../render/plain-text.ts';
import { exitCodes } from '../exit-codes.ts';
import { UserError } from '../user-error.ts';

export function registerMemory(program: Command, cli: Cli): void {
  const memory = program.command('memory');
  addExamples(memory, ['memory search "checkout timeout"', 'memory show 3fa9c1d2e4b5']);
  registerSearch(memory, cli);
  registerShow(memory, cli);
  registerForget(memory, cli);
}

function registerSearch(memory: Command, cli: Cli): void {
  const command = memory
    .command('search')
    .description('find notes and past incidents, best first')
    .argument('<query...>', 'words to look for')
    .option('--limit <count>', 'how many', count, 10)
    .action((words: string[], { limit }: { limit: number }, used: Command) =>
      withMemory(cli, used, async ({ memory, output }) => {
        const found = await memory.search(someWords(words.join(' ')), limit);
        for (const chunk of found) {
          output.emit({ type: 'memory', ...chunk });
          output.print(`${chunk.id}  ${placeOf(chunk)}\n              ${toLine(chunk.text, 160)}`);
        }
        if (found.length === 0) output.print('Nothing in memory has these words.');
      }),
    );
  addExamples(command, ['memory search checkout-db-1', 'memory search "pool exhausted" --limit 3 --json']);
}

function registerShow(memory: Command, cli: Cli): void {
  const command = memory
    .command('show')
    .description('show one piece of memory whole')
    .argument('<id>', 'as search shows it', someWords)
    .action((id: string, _options: unknown, used: Command) =>
      withMemory(cli, used, async ({ memory, output }) => {
        const chunk = await memory.show(id);
        if (!chunk) throw unknown(id);
        output.emit({ type: 'memory', ...chunk });
        output.print(`${placeOf(chunk)}\n\n${toPlain(chunk.text)}`);
      }),
    );
  addExamples(command, ['memory show 3fa9c1d2e4b5']);
}

function registerForget(memory: Command, cli: Cli): void {
  const command = memory
    .command('forget')
    .description('make agents forget pieces of memory for good')
    .argument('<ids...>', 'as search shows them')
    .action((ids: string[], _options: unknown, used: Command) =>
      withMemory(cli, used, async ({ memory, output, config }) => {
        for (const id of ids) {
          const chunk = await memory.show(id);
          if (!chunk || !(await memory.forget(id))) throw unknown(id);
          output.emit({ type: 'forgotten', id, source: chunk.source });
          // incidents, and facts in a database, have no file
          const kept = /^incident:|#/.test(chunk.source)
            ? ''
            : ` The words themselves stay in ${memoryFolder(config)}/${chunk.source}: take them out, or they are found again when their section changes.`;
          output.print(`Forgotten: ${placeOf(chunk)} (${counted(chunk.text.length, 'character')}).${kept}`);
        }
      }),
    );
  addExamples(command, ['memory forget 3fa9c1d2e4b5']);
}

type Memory = NonNullable<ReturnType<typeof openMemoryOf>>;
type Opened = { memory: Memory; output: Output; config: Config };

async function withMemory(
  cli: Cli,
  command: Command,
  work: (opened: Opened) => Promise<void>,
): Promise<void> {
  const { output, config } = await openCommand(cli, command, 'whole');
  let memory: Memory | undefined;
  try {
    memory = openMemoryOf(config, await heldSecrets(config));
    if (!memory)
      throw new UserError(
        'This config has no memory: expected "memory" in it, at least { } (docs/memory.md).',
      );
    await work({ memory, output, config });
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`The memory cannot be used: ${messageOf(error)}`, exitCodes.failed, { cause: error });
  } finally {
    await memory?.close();
  }
}

/** To be masked in what a provider's embedder gets; without one nothing leaves this host. */
async function heldSecrets(config: Config): Promise<string[]> {
  if (typeof config.memory?.embed !== 'string') return [];
  return (await secretsOf(config)).map(([, value]) => value);
}

function placeOf({ source, title }: { source: string; title: string }): string {
  return toLine(title === '' ? source : `${source}, ${title}`, 200);
}

function unknown(id: string): UserError {
  return new UserError(
    `There is no memory "${toLine(id)}": expected an id that "${typed('memory search')}" shows.`,
  );
}

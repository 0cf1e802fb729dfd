// holdfast memory search, show and forget: the memory of this config's agents. Needs no server.
import { memoryFolder, openMemoryOf } from '../../config/memory.ts';
import { secretsOf } from '../../worker/own-secrets.ts';
import type { Config } from '../../config/config.ts';
import { messageOf } from '@holdfast/base/message-of';
import { counted } from '@holdfast/base/words';
import { count, someWords } from '../arguments.ts';
import type { OpenedCommand } from '../cli.ts';
import type { CliCommand } from '../cli-command.ts';
import { typed } from '../../config/command-line.ts';
import { toLine, toPlain } from '../render/plain-text.ts';
import { exitCodes } from '../../common/exit-codes.ts';
import { UserError } from '../../common/user-error.ts';

export function registerMemory(program: CliCommand): void {
  const memory = program
    .command('memory')
    .examples(['memory search "checkout timeout"', 'memory show 3fa9c1d2e4b5']);
  memory
    .command('search')
    .description('find notes and past incidents, best first')
    .argument('<query...>', 'words to look for')
    .option('--limit <count>', 'how many', count, 10)
    .examples(['memory search checkout-db-1', 'memory search "pool exhausted" --limit 3 --json'])
    .onConfig('whole', withMemory(search));
  memory
    .command('show')
    .description('show one piece of memory whole')
    .argument('<id>', 'as search shows it', someWords)
    .examples(['memory show 3fa9c1d2e4b5'])
    .onConfig('whole', withMemory(show));
  memory
    .command('forget')
    .description('make agents forget pieces of memory for good')
    .argument('<ids...>', 'as search shows them')
    .examples(['memory forget 3fa9c1d2e4b5'])
    .onConfig('whole', withMemory(forget));
}

type Memory = NonNullable<ReturnType<typeof openMemoryOf>>;
type Opened = OpenedCommand & { memory: Memory };

async function search(
  { memory, output }: Opened,
  words: string[],
  { limit }: { limit: number },
): Promise<void> {
  const found = await memory.search(someWords(words.join(' ')), limit);
  for (const chunk of found) {
    output.emit({ type: 'memory', ...chunk });
    output.print(`${chunk.id}  ${describeNote(chunk)}\n              ${toLine(chunk.text, 160)}`);
  }
  if (found.length === 0) output.print('Nothing in memory has these words.');
}

async function show({ memory, output }: Opened, id: string): Promise<void> {
  const chunk = await memory.show(id);
  if (!chunk) throw unknown(id);
  output.emit({ type: 'memory', ...chunk });
  output.print(`${describeNote(chunk)}\n\n${toPlain(chunk.text)}`);
}

async function forget({ memory, output, config }: Opened, ids: string[]): Promise<void> {
  for (const id of ids) {
    const chunk = await memory.show(id);
    if (!chunk || !(await memory.forget(id))) throw unknown(id);
    output.emit({ type: 'forgotten', id, source: chunk.source });
    // incidents, and facts in a database, have no file
    const kept = /^incident:|#/.test(chunk.source)
      ? ''
      : ` The words themselves stay in ${memoryFolder(config)}/${chunk.source}: take them out, or they are found again when their section changes.`;
    output.print(`Forgotten: ${describeNote(chunk)} (${counted(chunk.text.length, 'character')}).${kept}`);
  }
}

function withMemory<Given extends unknown[]>(work: (opened: Opened, ...given: Given) => Promise<void>) {
  return async (opened: OpenedCommand, ...given: Given): Promise<void> => {
    const { config } = opened;
    let memory: Memory | undefined;
    try {
      memory = openMemoryOf(config, await heldSecrets(config));
      if (!memory)
        throw new UserError(
          'This config has no memory: expected "memory" in it, at least { } (docs/memory.md).',
        );
      await work({ ...opened, memory }, ...given);
    } catch (error) {
      if (error instanceof UserError) throw error;
      throw new UserError(`The memory cannot be used: ${messageOf(error)}`, exitCodes.failed, {
        cause: error,
      });
    } finally {
      await memory?.close();
    }
  };
}

/** To be masked in what a provider's embedder gets; without one nothing leaves this host. */
async function heldSecrets(config: Config): Promise<string[]> {
  if (typeof config.memory?.embed !== 'string') return [];
  return (await secretsOf(config)).map(([, value]) => value);
}

function describeNote({ source, title }: { source: string; title: string }): string {
  return toLine(title === '' ? source : `${source}, ${title}`, 200);
}

function unknown(id: string): UserError {
  return new UserError(
    `There is no memory "${toLine(id)}": expected an id that "${typed('memory search')}" shows.`,
  );
}

// The commands in a block of a shell, or in a span of code: parsed as bash parses them, and each `holdfast ...` handed to the
// real command line, whose commands do nothing here.
import { tmpdir } from 'node:os';
import { PassThrough } from 'node:stream';
import { CommanderError, type Command } from 'commander';
import { forEachChild, parse, type Command as ShellCommand, type SyntaxNode } from 'unbash';
import type { Cli } from '../../src/cli/cli.ts';
import { createProgram } from '../../src/cli/program.ts';
import type { Block } from './pages.ts';

/** Words of a simple command, `holdfast` first where it is ours. Assignments before it and `npx` are left out. */
export type Words = string[];

/** A command of a `console` block, with the lines that it prints there. */
export type Shown = { command: string; output: string };

/** A `console` block is `$ command` and output by turns; a `sh` block is nothing but commands. */
export function shownIn({ language, text }: Pick<Block, 'language' | 'text'>): Shown[] {
  if (language === 'sh') return [{ command: text, output: '' }];
  const shown: Shown[] = [];
  for (const line of text.split('\n')) {
    const last = shown.at(-1);
    if (line.startsWith('$ ')) shown.push({ command: line.slice(2), output: '' });
    else if (last?.command.endsWith('\\') === true && last.output === '') last.command += `\n${line}`;
    else if (last) last.output += `${line}\n`;
    else if (line !== '')
      throw new Error(`"${line}" is the output of no command: expected a line with "$ " first.`);
  }
  return shown;
}

/** `<session>` is how pages write a word that readers replace; bash would read a redirection. */
function withoutPlaceholders(text: string): string {
  return text.replaceAll(/<([a-z][\w :-]*)>/g, (_, name: string) =>
    name.replaceAll(/\W/g, '_').toUpperCase(),
  );
}

/** Every simple command, those in `$(...)` too. Throws where bash would not read it. */
export function commandsIn(text: string, place: string): Words[] {
  const script = parse(withoutPlaceholders(text));
  const [fault] = script.errors ?? [];
  if (fault) throw new Error(`${place}: bash cannot read "${text.trim()}": ${fault.message}.`);
  const commands: Words[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Command') commands.push(wordsOf(node));
    forEachChild(node, visit);
  };
  visit(script);
  return commands.filter((words) => words.length > 0);
}

function wordsOf({ name, args }: ShellCommand): Words {
  const words = [name, ...args].flatMap((word) =>
    word === undefined ? [] : [word.type === 'Word' ? word.value : word.text],
  );
  const own = words[0] === 'npx' ? words.slice(1) : words;
  return own[0] === 'node' && own[1]?.endsWith('bin/holdfast.js') ? ['holdfast', ...own.slice(2)] : own;
}

/** What the command line says against these words, which come after `holdfast`; undefined where it takes them. */
export async function faultOf(words: Words): Promise<string | undefined> {
  const cli = {
    cwd: tmpdir(),
    environment: {},
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
  } as unknown as Cli;
  const program = await createProgram(cli, words);
  disarm(program);
  try {
    await program.parseAsync(words, { from: 'user' });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? undefined : `${error.code}: ${error.message}`;
    throw error;
  }
}

/** Groups without an action keep having none: without a command they print their help and fail. */
function disarm(command: Command): void {
  if (Reflect.get(command, '_actionHandler') !== null) command.action(() => undefined);
  for (const child of command.commands) disarm(child);
}

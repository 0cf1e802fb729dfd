// The command lines that Holdfast prints, such as `npx holdfast watch x`: each can be typed as it is printed. Every
// printed command goes through here.
import { dirname, join, sep } from 'node:path';
import type { Command } from 'commander';
import { readEnvironment } from '../config/environment.ts';
import { shellWord } from '../core/base/shell-word.ts';

export type Started = {
  /** This Node: another one on the PATH may be too old. */
  node: string;
  /** The file that Node was started with. */
  file: string;
  cwd: string;
  /** Whether sources run, as in a clone of the repository. */
  fromSource: boolean;
  /** Whether npm or npx has started it: then the command need not be on the PATH. */
  byNpm: boolean;
};

/** The words before the name of a command. */
export function programOf({ node, file, cwd, fromSource, byNpm }: Started): string {
  const isShim = file.endsWith(join('bin', 'holdfast.js'));
  // a clone is not on the PATH, and npx finds it from its own folders only
  if (isShim && fromSource) {
    const root = dirname(dirname(file));
    const isInside = cwd === root || cwd.startsWith(root + sep);
    return isInside ? 'npx holdfast' : `${shellWord(node)} ${shellWord(file)}`;
  }
  const isCommand = isShim || /[\\/]holdfast$/.test(file);
  return isCommand && byNpm ? 'npx holdfast' : 'holdfast';
}

const program = programOf({
  node: process.execPath,
  file: process.argv[1] ?? '',
  cwd: process.cwd(),
  fromSource: import.meta.url.endsWith('.ts'),
  byNpm: readEnvironment().npm_command !== undefined,
});

/** A command as it can be typed here: `typed('watch x')`. */
export function typed(command: string): string {
  return `${program} ${command}`;
}

/** The same for a text that names commands: help, and messages of code that does not know how it was started. */
export function withTyped(text: string): string {
  // quoted, as an example after a prompt or a pipe, or behind its environment
  return text.replaceAll(/(?<=["$|`] ?|[A-Z_]+=\S+ |Usage: )holdfast (?=[a-z[])/g, `${program} `);
}

/** Ends the help of a command with notes and with examples: what follows the program's name, or a whole line with it. */
export function addExamples(command: Command, examples: string[], notes = ''): Command {
  const lines = examples.map((line) => `  $ ${line.includes('holdfast ') ? line : `holdfast ${line}`}`);
  return command.addHelpText('after', `${notes && `\n${notes}\n`}\nExamples:\n${lines.join('\n')}`);
}

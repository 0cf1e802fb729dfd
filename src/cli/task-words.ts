// The task of a new run, from the words of the command line: unchanged, or as the inputs of a template.
import type { Command } from 'commander';
import { configFileOf } from '../config/config-file.ts';
import { readTemplate } from '../config/prompt-templates.ts';
import { name, readWords } from './arguments.ts';
import type { GlobalOptions } from './cli.ts';
import type { CliCommand } from './cli-command.ts';

export function addTemplateOption(command: Command): Command {
  return command.option(
    '--template <name>',
    'a template of the folder prompts/ beside the config; the words are its inputs',
    name,
  );
}

/** With a template a single `-` makes standard input the only input. */
export async function readTask(
  command: CliCommand,
  words: string[],
  template: string | undefined,
): Promise<string> {
  const { cli } = command;
  if (template === undefined) return readWords(cli, words, 'The task');
  const inputs = words.length === 1 && words[0] === '-' ? [await readWords(cli, words, 'The input')] : words;
  const { config } = command.optsWithGlobals<GlobalOptions>();
  const given = config ?? (cli.environment.HOLDFAST_CONFIG || undefined);
  return readTemplate({ configFile: configFileOf(cli.cwd, given), cwd: cli.cwd }, template, inputs);
}

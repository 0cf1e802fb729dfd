// A misspelt command or option: the one that was meant is named, for every command that there is.
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import type { Cli } from '../../src/cli/cli.ts';
import { createProgram } from '../../src/cli/program.ts';
import { callCli } from '../support/cli.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

function allOf(command: Command, path: string[] = []): { path: string[]; command: Command }[] {
  return [{ path, command }, ...command.commands.flatMap((each) => allOf(each, [...path, each.name()]))];
}

/** With two letters swapped. */
function misspelt(word: string): string {
  const at = Math.floor(word.length / 2);
  return word.slice(0, at - 1) + word.charAt(at) + word.charAt(at - 1) + word.slice(at + 1);
}

test('[CLI-17d] a misspelt command or option is answered with the one that was meant', async () => {
  const cwd = await temporaryFolder();
  const all = allOf(await createProgram({ environment: {} } as Cli));
  const faults: string[] = [];
  let tried = 0;
  const expectHint = async (args: string[], meant: string): Promise<void> => {
    tried += 1;
    const { code, stderr } = await callCli(args, { cwd });
    if (code !== 2 || !stderr.includes(meant)) faults.push(`${args.join(' ')}: ${code} ${stderr}`);
  };
  for (const { path, command } of all) {
    // "alerts" takes the name of a receiver
    const named = command.registeredArguments.length > 0 ? [] : command.commands;
    for (const below of named.map((each) => each.name()))
      if (misspelt(below) !== below && below.length > 3) await expectHint([...path, misspelt(below)], below);
    const [option] = command.options.flatMap(({ long }) => (long && long.length > 6 ? [long] : []));
    if (option !== undefined && !option.endsWith(misspelt(option.slice(2))))
      await expectHint([...path, `--${misspelt(option.slice(2))}`, 'x'], option);
  }
  expect(faults).toEqual([]);
  expect(tried).toBeGreaterThan(100);
});

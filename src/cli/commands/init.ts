// holdfast init: the files of a new project, with the things found on this machine already opened to the agent.
// Overwrites nothing.
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { isClone, packageFolder } from '../../config/own-version.ts';
import { present } from '@holdfast/base/present';
import { shellWord } from '@holdfast/base/shell-word';
import { type GlobalOptions, type Output, createOutput } from '../cli.ts';
import type { CliCommand } from '../cli-command.ts';
import { typedInProject } from '../../config/command-line.ts';
import { askChoices } from '../init/ask-choices.ts';
import { type Findings, lookAround, neededNode } from '../init/look-around.ts';
import { type Done, type PlannedFile, writePlanned } from '../init/planned-file.ts';
import { type StarterPlan, planStarter } from '../init/starter-files.ts';

const notes = `It looks for folders of logs, servers that answer here (docs/sources.md; PROMETHEUS_URL and others name one
elsewhere), the context of kubectl, and the key of a model, and asks about each whether the agent may use it. With --yes or without a
terminal it takes all of them. Existing files are kept; package.json and .gitignore get the missing lines. No key is written
anywhere.`;

export function registerInit(program: CliCommand): void {
  program
    .command('init')
    .argument('[folder]', 'the folder of the project, made where it is missing; default: this one', '.')
    .option('--yes', 'ask nothing, take what is found')
    .examples(['init', 'init investigations', 'init --yes'], notes)
    .action(async (name: string, { yes }: { yes?: boolean }, command: CliCommand) => {
      const { cli } = command;
      const output = createOutput(cli, command.optsWithGlobals<GlobalOptions>());
      const folder = resolve(cli.cwd, name);
      const findings = await lookAround(folder, cli.environment);
      const asks = output.terminal && cli.stdin.isTTY && !yes;
      const choices = async () => (asks ? askChoices(cli, folder, findings) : findings);
      const plan = await planStarter(folder, choices);
      for (const file of plan.files) show(output, file, await writePlanned(folder, file));
      showNext(output, cli.cwd, { folder: relative(cli.cwd, folder), plan, findings });
    });
}

function show({ colors, emit, print }: Output, { path, text, ...file }: PlannedFile, done: Done): void {
  // the config and its test are made for the file of the starter
  const isOther = done === 'kept' && text !== undefined;
  const note = isOther ? 'already here: see that it fits the new config and test' : file.note;
  emit({ type: 'file', path, done, note });
  const word = { written: colors.green, extended: colors.yellow, kept: colors.dim }[done](done.padEnd(8));
  print(`${word}  ${path.padEnd(24)} ${colors.dim(note)}`);
}

type Next = { folder: string; plan: StarterPlan; findings: Findings };

function showNext(output: Output, cwd: string, { folder, plan, findings }: Next): void {
  const { emit, print } = output;
  const { model, oldNode } = findings;
  const isInstalled = ['holdfast', 'zod'].every((name) =>
    existsSync(join(cwd, folder, 'node_modules', name)),
  );
  const run = typedInProject('run --agent on-call "How full is the disk?"');
  const test = plan.package.runsTests ? 'npm test' : 'node --test';
  const clone = shellWord(packageFolder());
  const commands = present([
    isClone() && !isInstalled && `npm pack ${clone} --pack-destination ${clone}`,
    folder !== '' && `cd ${shellWord(folder)}`,
    // npm and npx prefer a Node in the project
    oldNode === undefined ? !isInstalled && 'npm install' : `npm install node@${neededNode}`,
    test,
    run,
    isInstalled && typedInProject('doctor'),
  ]);
  commands.forEach((command) => emit({ type: 'next', command }));
  print(`\nNext:\n${commands.map((command) => `  ${command}`).join('\n')}`);
  if (oldNode !== undefined)
    print(
      `\nThe project needs Node ${neededNode} or newer; yours is ${oldNode}. node@${neededNode} brings one for its folder.`,
    );
  if (plan.config === undefined) return;
  print(
    model === undefined
      ? '\nNo model key is set: until ANTHROPIC_API_KEY or OPENAI_API_KEY is,\nscript.yaml plays the model.'
      : `\nThe model is ${model.model}, because ${model.modelReason}.`,
  );
}

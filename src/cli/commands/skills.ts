// holdfast skills: the skills and runbooks of a worker of this config, and those that were left out, with the reason.
// Starts no worker.
import type { CliCommand } from '../cli-command.ts';
import { counted } from '@holdfast/base/words';
import { toLine } from '../render/plain-text.ts';

export function registerSkills(program: CliCommand): void {
  program
    .command('skills')
    .examples(['skills'])
    .onConfig('whole', async ({ output, config }) => {
      const { lookAtSkills } = await import('../../worker/skills-of-config.ts');
      const { skills, runbooks, warnings } = await lookAtSkills(config);
      const { bold, dim, yellow } = output.colors;
      const width = Math.max(0, ...skills.map(({ name }) => name.length));
      for (const { name, description, source, triggers } of skills) {
        output.emit({ type: 'skill', name, description: description ?? null, source, triggers });
        const what = description === undefined ? dim('in every prompt') : toLine(description, 80);
        output.print(`${bold(name.padEnd(width))}  ${what}  ${dim(source)}`);
      }
      if (config.skillFolders.length === 0) output.print('The config names no folder of skills (skills).');
      if (runbooks) output.print(dim(`${counted(runbooks.length, 'runbook')}, for the tool find_runbook`));
      for (const { name, source } of runbooks ?? []) {
        output.emit({ type: 'runbook', name, source });
        output.print(`${bold(toLine(name))}  ${dim(source)}`);
      }
      for (const message of warnings) {
        output.emit({ type: 'warning', message });
        output.say(yellow(`warning: ${message}`));
      }
    });
}

// holdfast config check: checks that the config file is valid, and that the tools, agents and rules in it exist. Starts
// nothing; doctor also checks the machine.
import { problemsOfSecrets } from '../../config/secrets.ts';
import type { CliCommand } from '../cli-command.ts';
import { withTyped } from '../../config/command-line.ts';
import { type ExitCode, exitCodes } from '../../common/exit-codes.ts';
import { UserError } from '../../common/user-error.ts';

export function registerConfig(program: CliCommand): void {
  program
    .command('config')
    .examples(['config check'])
    .command('check')
    .description(
      'check the config file and the agents beside it: keys, and the tools and agents that they name',
    )
    .examples(['config check', 'config check --config ops.config.ts'])
    .onConfig('whole', async ({ cli, output, config: loaded }): Promise<ExitCode | void> => {
      const { configFile, agentFiles = {} } = loaded;
      if (configFile === undefined)
        throw new UserError(
          `No holdfast.config file in ${cli.cwd}: expected one to check. "holdfast init" writes one.`,
        );
      const { collectParts } = await import('../../worker/parts.ts');
      const { problems, warnings, checkNames } = await collectParts(loaded);
      const { problemsOfGateway } = await import('../../gateway/gateway.ts');
      const { problemsOfReceivers } = await import('../../gateway/check-receivers.ts');
      const { receivers = {}, destinations } = loaded;
      // secrets and certificates may be on another machine only
      const notes = [...warnings, ...(await problemsOfSecrets(loaded)), ...(await problemsOfGateway(loaded))];
      // the key of a model is no part of the file
      const ofParts = problems.filter(({ about }) => about !== 'model').map(({ message }) => message);
      const faults = [...ofParts, ...problemsOfReceivers(receivers, { checkNames, destinations })];
      for (const message of faults) {
        output.emit({ type: 'fault', message });
        output.print(`${output.colors.red('fault')}  ${withTyped(message)}`);
      }
      for (const message of notes) {
        output.emit({ type: 'note', message });
        output.print(`${output.colors.yellow('note')}   ${withTyped(message)}`);
      }
      output.emit({ type: 'checked', configFile, agentFiles, faults: faults.length });
      if (faults.length > 0) return exitCodes.usage;
      output.print(`${[configFile, ...Object.values(agentFiles)].join('\n')}\nNo mistake was found.`);
    });
}

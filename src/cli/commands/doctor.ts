// holdfast doctor: whether run would work, what is found, what is missing, what to do. Starts and changes nothing.
import type { Command } from 'commander';
import { type Cli, createOutput, type GlobalOptions } from '../cli.ts';
import { runChecks } from '../doctor/doctor-checks.ts';
import { exitCodes } from '../user-error.ts';

export function registerDoctor(program: Command, cli: Cli): void {
  program
    .command('doctor')
    .description('say whether run would work, and check what it needs; suggest fixes')
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const output = createOutput(cli, options);
      const marks = {
        good: output.colors.green('ok     '),
        note: output.colors.yellow('note   '),
        bad: output.colors.red('failed '),
      };
      for (const check of await runChecks(cli, options.config)) {
        output.emit(check);
        output.print(
          `${marks[check.state]} ${check.name.padEnd(10)} ${check.finding}${check.advice ? `\n${' '.repeat(19)}${check.advice}` : ''}`,
        );
        if (check.state === 'bad') cli.exitCode = exitCodes.usage;
      }
    });
}

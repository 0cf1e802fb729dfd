// holdfast demo: a real incident, investigated by the agent, on a server and a worker of its own.
import type { Command } from 'commander';
import { wholeNumber } from '../../src/cli/arguments.ts';
import { type Cli, type GlobalOptions, createOutput } from '../../src/cli/cli.ts';
import { runDemo } from './run-demo.ts';

type Options = { yes?: boolean; healthy?: boolean; seed: number; crash?: boolean; wait: boolean };

const help = `
It starts a Temporal server and a worker of its own, and two small services under load, of which one gets a bad
deploy; the agent finds out and asks before it changes anything. Without a model key a script plays the model: it
takes what it says out of what the tools really answer. Everything that the demo starts it also ends; the files of
the last three demos stay under .holdfast/demo.

At its end the demo compares the report with its own record of the system. A report that contradicts the record is
named, and the exit code is 13.

Without a terminal the approval is denied after some seconds; --yes approves it. --crash kills the worker three
times, once inside the tool that is to be approved: without a terminal it approves by itself.

Examples:
  $ holdfast demo
  $ holdfast demo --yes --seed 7
  $ holdfast demo --healthy
  $ holdfast demo --crash --yes --no-wait`;

export function registerDemo(program: Command, cli: Cli): void {
  program
    .command('demo')
    .description('watch the agent investigate a real incident, in about a minute')
    .option('--yes', 'approve the change that the agent asks for')
    .option('--healthy', 'no bad deploy: there is nothing to be found')
    .option('--seed <number>', 'time and size of the fault', wholeNumber, 1)
    .option('--crash', 'kill the worker in a model call, in a tool, and in the tool that must not run twice')
    .option('--no-wait', 'do not wait for Enter at the end')
    .addHelpText('after', help)
    .action(async (options: Options, command: Command) => {
      const output = createOutput(cli, command.optsWithGlobals<GlobalOptions>());
      cli.exitCode = await runDemo({ cli, output, ...options });
    });
}

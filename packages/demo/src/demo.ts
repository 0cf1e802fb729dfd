// holdfast demo: a real incident, investigated by the agent, on a server and a worker of its own.
import { wholeNumber } from '../../../src/cli/arguments.ts';
import { type GlobalOptions, createOutput } from '../../../src/cli/cli.ts';
import type { CliCommand } from '../../../src/cli/cli-command.ts';
import { runDemo } from './run-demo.ts';

type Options = {
  yes?: boolean;
  healthy?: boolean;
  team?: boolean;
  seed: number;
  crash?: boolean;
  alert?: boolean;
  wait: boolean;
};

const notes = `The demo starts a Temporal server, a worker, and two small services under load, one of which gets a bad deploy. The agent
finds the cause and asks before it changes anything. Without a model key a script plays the model, with words taken from
the real answers of the tools. The demo ends everything that it has started; the files of the last three demos stay under
.holdfast/demo.

At the end the demo compares the report with its own record of the system. It names every contradiction, and then the
exit code is 13.

Without a terminal the approval is denied after some seconds; --yes approves it. --crash kills the worker three times,
once inside the tool that needs the approval; without a terminal it approves by itself.

With --alert nobody starts the agent: an alert does, by the gateway, and the report is delivered as a file. Where Prometheus
or Alertmanager is not installed, a sender of the demo takes their place. The approval is denied after some seconds, or
given with --yes.`;

export function registerDemo(program: CliCommand): void {
  const ways = ['', ' --yes --seed 7', ' --healthy', ' --team', ' --alert', ' --crash --yes --no-wait'];
  program
    .command('demo')
    .option('--yes', 'approve the change that the agent asks for')
    .option('--healthy', 'no bad deploy: there is nothing to find')
    .option('--team', 'the investigator delegates to three analysts at once, and a critic checks its report')
    .option('--alert', 'Prometheus and Alertmanager notice the fault, and their alert starts the agent')
    .option('--seed <number>', 'time and size of the fault', wholeNumber, 1)
    .option('--crash', 'kill the worker in a model call, in a tool, and in the tool that must not run twice')
    .option('--no-wait', 'do not wait for Enter at the end')
    .examples(
      ways.map((flags) => `demo${flags}`),
      notes,
    )
    .action(async (options: Options, command: CliCommand) => {
      const { cli } = command;
      const output = createOutput(cli, command.optsWithGlobals<GlobalOptions>());
      cli.exitCode = await runDemo({ cli, output, ...options });
    });
}

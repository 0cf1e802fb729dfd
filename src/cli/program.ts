// The command line as a whole: every command, and the options that all of them take.
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { Command } from 'commander';
import type { Cli } from './cli.ts';
import { withTyped } from './command-line.ts';
import { registerAbort } from './commands/abort.ts';
import { registerApprovals } from './commands/approvals.ts';
import { registerCheckpoint } from './commands/checkpoint.ts';
import { registerCondense } from './commands/condense.ts';
import { registerContinue } from './commands/continue.ts';
import { registerDev } from './commands/dev.ts';
import { registerDoctor } from './commands/doctor.ts';
import { registerEnd } from './commands/end.ts';
import { registerExtendBudget } from './commands/extend-budget.ts';
import { registerFollowUp } from './commands/follow-up.ts';
import { registerFork } from './commands/fork.ts';
import { registerList } from './commands/list.ts';
import { registerPrompt } from './commands/prompt.ts';
import { registerResult } from './commands/result.ts';
import { registerResume } from './commands/resume.ts';
import { registerRun } from './commands/run.ts';
import { registerSchema } from './commands/schema.ts';
import { registerScriptedModel } from './commands/scripted-model.ts';
import { registerShow } from './commands/show.ts';
import { registerSteer } from './commands/steer.ts';
import { registerWatch } from './commands/watch.ts';
import { registerWorker } from './commands/worker.ts';

const help = `
Examples:
  $ holdfast demo                                  a real incident, from fault to report; needs no key
  $ holdfast run "checkout is slow, find out why"  start an investigation and follow it
  $ holdfast watch <session>                       follow it from another terminal
  $ holdfast steer <session> look at the pool      say something to it while it works
  $ holdfast doctor                                whether run would work, and what is missing

Every command takes --json (one object per line). Exit codes: 0 completed, 2 usage, 3 no server, 4 unknown session,
5 session ended, 6 no worker, 7 refused, 10 failed, 11 aborted, 12 a limit, 13 a quote not found, 130 Ctrl-C.`;

const register = [
  registerRun,
  registerWatch,
  registerList,
  registerShow,
  registerResult,
  registerSteer,
  registerFollowUp,
  registerPrompt,
  registerApprovals,
  registerAbort,
  registerEnd,
  registerResume,
  registerContinue,
  registerExtendBudget,
  registerCondense,
  registerFork,
  registerCheckpoint,
  registerWorker,
  registerDev,
  registerSchema,
  registerScriptedModel,
  registerDoctor,
];

export async function createProgram(cli: Cli, args: readonly string[] = process.argv): Promise<Command> {
  const program = new Command('holdfast')
    .description(
      'Investigates incidents for hours or days and cannot be lost: every run is a Temporal workflow.',
    )
    .version(readVersion())
    .option('--json', 'print JSON, one object per line')
    .option('--config <file>', 'config file; default holdfast.config.{ts,js,yaml,json} in this folder')
    .option('--no-color', 'plain text (also NO_COLOR)')
    .addHelpText('after', help)
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void cli.stdout.write(withTyped(text)),
      writeErr: (text) => void cli.stderr.write(withTyped(text)),
    });
  register.forEach((add) => add(program, cli));
  await addDemo(program, cli, args);
  return program;
}

/** The demo brings an incident with it: loaded only when it is asked for, so that the other commands start faster. */
async function addDemo(program: Command, cli: Cli, args: readonly string[]): Promise<void> {
  if (args.includes('demo')) (await import('../../examples/demo/demo.ts')).registerDemo(program, cli);
  else program.command('demo').description('watch the agent investigate a real incident, in about a minute');
}

function readVersion(): string {
  const file = findPackageJSON(import.meta.url);
  const text = file === undefined ? '{}' : readFileSync(file, 'utf8');
  const { version }: { version?: unknown } = JSON.parse(text);
  return typeof version === 'string' ? version : 'unknown';
}

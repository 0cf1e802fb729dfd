// The command line as a whole: every command, and the options that all of them take.
import { resolve } from 'node:path';
import { Command } from 'commander';
import { name } from './arguments.ts';
import type { Cli, GlobalOptions } from './cli.ts';
import { registerCompletion } from './commands/completion.ts';
import { registerConfig } from './commands/config.ts';
import { outputFile } from './output-file.ts';
import { ownVersion } from '../config/own-version.ts';
import { rememberPlace, withProgram } from './command-line.ts';
import { registerAgents } from './commands/agents.ts';
import { registerArtifacts } from './commands/artifacts.ts';
import { registerBoard } from './commands/board.ts';
import { registerCodecServer } from './commands/codec-server.ts';
import { registerAnswer, registerApprovalList, registerApprovals } from './commands/answer.ts';
import { registerMessages } from './commands/send.ts';
import { registerCheckpoint, registerFork } from './commands/from-state.ts';
import { registerControls, registerExtendBudget } from './commands/control.ts';
import { registerDev, registerWorker } from './commands/serve.ts';
import { registerList, registerResult, registerShow } from './commands/look.ts';
import { registerSchema } from './commands/schema.ts';
import { registerScriptedModel } from './commands/scripted-model.ts';
import { registerOutput, registerReport } from './commands/evidence.ts';
import { registerLogs } from './commands/logs.ts';
import { registerOpen } from './commands/open.ts';
import { registerRemove } from './commands/remove.ts';
import { registerInit } from './commands/init.ts';
import { registerHosts } from './commands/hosts.ts';
import { registerMemory } from './commands/memory.ts';
import { registerMcp } from './commands/mcp.ts';
import { registerSkills } from './commands/skills.ts';
import { registerTools } from './commands/tools.ts';
import { registerPrompts } from './commands/prompt.ts';
import { registerRun, registerWatch } from './commands/follow.ts';
import { registerPolicy } from './commands/policy.ts';
import { registerDoctor } from './doctor/doctor.ts';

const help = `
Examples:
  $ holdfast demo                                  investigate a real incident; needs no key
  $ holdfast init                                  set up a project of your own in this folder
  $ holdfast run "checkout is slow, find out why"  start an investigation and follow it
  $ holdfast watch <session>                       follow it from another terminal
  $ holdfast steer <session> look at the pool      say something to it while it works
  $ holdfast doctor                                check the installation and suggest fixes

Every command takes --json (one object per line). Exit codes: 0 completed, 2 usage, 3 no server, 4 unknown session,
5 session ended, 6 no worker, 7 refused, 8 a person is asked, 10 failed, 11 aborted, 12 a limit, 13 a quote not found,
14 no report, 130 Ctrl-C.`;

/** Headings of the help, in the order in which a person meets what is below them. */
const groups = {
  'Investigate:': [
    ...[registerRun, registerWatch, registerList, registerShow, registerResult],
    ...[registerReport, registerOutput, registerLogs, registerOpen, registerRemove],
  ],
  'Talk to a session:': [registerMessages, registerPrompts, registerControls, registerExtendBudget],
  'Approve and answer:': [registerApprovalList, registerApprovals, registerAnswer, registerPolicy],
  'Set up and check:': [
    ...[registerInit, registerConfig, registerDoctor, registerTools, registerAgents, registerSkills],
    ...[registerDev, registerCompletion],
  ],
  'Run it for a team:': [registerWorker, registerHosts, registerBoard, registerMemory, registerCodecServer],
  'Keep and fork:': [registerFork, registerCheckpoint, registerArtifacts],
  'Build on it:': [registerMcp, registerSchema, registerScriptedModel],
};

export async function createProgram(cli: Cli, args: readonly string[] = process.argv): Promise<Command> {
  const program = new Command('holdfast')
    .description(
      'Investigates incidents for hours or days; every run is a Temporal workflow and survives crashes.',
    )
    .version(ownVersion())
    .option('--json', 'print JSON, one object per line')
    .option('--config <file>', 'config file; default holdfast.config.{ts,js,yaml,json} in this folder')
    .option('--no-color', 'plain text (also NO_COLOR)')
    .option('--plain', 'line by line, with nothing that is drawn again: for screen readers and logs')
    .option('--output <file>', 'write what is printed to a file', name)
    .addHelpText('after', help)
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void cli.stdout.write(withProgram(text)),
      writeErr: (text) => void cli.stderr.write(withProgram(text)),
    });
  program.hook('preAction', (_program, command) => {
    const { output, config } = command.optsWithGlobals<GlobalOptions>();
    rememberPlace(cli.environment, config);
    if (output !== undefined) cli.stdout = outputFile(resolve(cli.cwd, output));
  });
  for (const [heading, registered] of Object.entries(groups)) {
    program.commandsGroup(heading);
    registered.forEach((add) => add(program, cli));
  }
  program.commandsGroup('Set up and check:').helpCommand('help [command]', 'print the help of a command');
  await addDemo(program, cli, args);
  if (args[0] === 'complete') await (await import('./commands/completion.ts')).addComplete(program, cli);
  return program;
}

/** The demo brings an incident with it: loaded only when it is asked for, so that the other commands start faster. */
async function addDemo(program: Command, cli: Cli, args: readonly string[]): Promise<void> {
  if (args.includes('demo')) (await import('../../examples/demo/demo.ts')).registerDemo(program, cli);
  else program.command('demo').description('watch the agent investigate a real incident, in about a minute');
}

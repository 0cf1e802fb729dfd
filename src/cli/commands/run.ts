// holdfast run: start a session and follow it here, with a worker in this process. Ctrl-C leaves it running.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../../config/config.ts';
import { counted } from '../../core/base/words.ts';
import type { SessionInput } from '../../core/model/session-input.ts';
import { amount, label, name, newSessionId, readJsonFile, readWords, wholeNumber } from '../arguments.ts';
import { type ApprovalOptions, addApprovalOptions } from '../approvals/approval-options.ts';
import { checkStart } from '../check-start.ts';
import type { Cli } from '../cli.ts';
import { typed } from '../command-line.ts';
import { checkRecordingFile, recordSession } from '../record-session.ts';
import { startAndFollow } from '../start-session.ts';
import { findLeftSteps } from '../script-left.ts';
import { type ExitCode, UserError, exitCodes, messageOf } from '../user-error.ts';
import { secretsOf } from '../../worker/api-keys.ts';
import { type ServerCommand, withServer } from '../with-server.ts';
import { defaultAgent } from '../../core/agent/start.ts';

type Options = ApprovalOptions & {
  agent?: string;
  model?: string;
  session?: string;
  input?: string;
  maxTurns?: number;
  maxCost?: number;
  label?: Record<string, string>;
  keepAlive?: boolean;
  detach?: boolean;
  record?: string;
};

const examples = `
Examples:
  $ holdfast run "checkout is slow since 14:00, find out why"
  $ holdfast run --model anthropic:claude-sonnet-5-5 --max-cost 2 "why did pod web-3 restart?"
  $ echo "$ALERT" | holdfast run --json - | jq .
Ctrl-C stops following and ends the worker of this command; the session goes on where another worker runs, or with
"holdfast watch <session> --worker".`;

export function registerRun(program: Command, cli: Cli): void {
  const command = program
    .command('run')
    .description('start an investigation and follow it; starts server and worker where there are none')
    .argument('[task...]', 'what to look into; "-" reads standard input')
    .option('--agent <name>', 'agent spec; default investigator', name)
    .option('--model <provider:id>', 'model for this session', name)
    .option('--session <id>', 'id of the session; default made from the task', newSessionId)
    .option(
      '--input <file>',
      'whole start input as JSON ("holdfast schema input"); options win over it',
      name,
    )
    .option('--max-turns <count>', 'model responses of the run; 0 is unlimited', wholeNumber)
    .option('--max-cost <usd>', 'budget in USD', amount)
    .option('--label <key=value>', 'kept in the snapshot; may be repeated', label)
    .option('--keep-alive', 'keep the session for further prompts')
    .option('--detach', 'start it and return; a worker must run elsewhere')
    .option(
      '--record <file>',
      'write the run as a script that plays it again, with the results of its tools',
      name,
    );
  addApprovalOptions(command)
    .addHelpText('after', examples)
    .action(async (words: string[], options: Options, command: Command) => {
      const input = await readInput(cli, words, options);
      if (options.record !== undefined) await checkRecordingFile(resolve(options.record));
      await withServer(cli, command, (frame) => run(frame, input, options), {
        ...{ create: true, config: 'whole' },
        check: (config) => checkStart(config, input, options),
      });
    });
}

function isScripted(config: Config, input: SessionInput): boolean {
  const model = input.model ?? config.agents[input.agent ?? defaultAgent]?.model ?? config.model;
  return model.startsWith('scripted:');
}

async function readInput(cli: Cli, words: string[], options: Options): Promise<SessionInput> {
  const base = options.input === undefined ? {} : asInput(await readJsonFile(options.input), options.input);
  const task =
    words.length > 0 || base.prompt === undefined ? await readTask(cli, words, options) : undefined;
  return {
    ...base,
    ...(task === undefined ? {} : { prompt: task }),
    ...(options.agent === undefined ? {} : { agent: options.agent }),
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(options.maxTurns === undefined ? {} : { maxTurns: options.maxTurns }),
    ...(options.maxCost === undefined ? {} : { budget: { ...base.budget, costUsd: options.maxCost } }),
    ...(options.label === undefined ? {} : { labels: { ...base.labels, ...options.label } }),
    ...(options.keepAlive ? { keepAlive: true } : {}),
  };
}

async function readTask(cli: Cli, words: string[], options: Options): Promise<string | undefined> {
  if (words.length === 0 && options.keepAlive) return undefined;
  return readWords(cli, words, 'The task');
}

/** Checked as a whole by the client before it is sent; here it only has to be an object. */
function asInput(value: unknown, file: string): SessionInput {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UserError(
      `${file} holds no JSON object: expected a start input, as "${typed('schema input')}" describes it.`,
    );
  }
  return value;
}

async function run(frame: ServerCommand, input: SessionInput, options: Options): Promise<ExitCode | void> {
  const { config, output } = frame;
  const { detach, record: file } = options;
  if (!detach) output.say(`model: ${input.model ?? `${config.model} (${config.modelReason})`}`);
  const atEnd = async (sessionId: string, exitCode: ExitCode): Promise<ExitCode> => {
    if (file !== undefined) await tryRecord(frame, sessionId, file, exitCode);
    const isOver = exitCode !== exitCodes.interrupted && input.keepAlive !== true;
    return isOver && isScripted(config, input) ? checkLeft(frame, sessionId, exitCode) : exitCode;
  };
  return startAndFollow(frame, { ...options, atEnd }, () => Promise.resolve(input));
}

/** The run was what it was, recorded or not. */
async function tryRecord(
  frame: ServerCommand,
  sessionId: string,
  file: string,
  exitCode: ExitCode,
): Promise<void> {
  try {
    await record(frame, sessionId, file, exitCode);
  } catch (error) {
    frame.output.say(`! The run was not recorded: ${messageOf(error)}`);
  }
}

async function record(
  { access, output, config }: ServerCommand,
  sessionId: string,
  file: string,
  exitCode: ExitCode,
): Promise<void> {
  const { replies } = await recordSession(access.client, sessionId, {
    ...{ file: resolve(file), secrets: await secretsOf(config) },
    hasEnded: exitCode !== exitCodes.interrupted,
  });
  output.emit({ type: 'recording', file, replies });
  if (replies === 0) {
    output.say(`Nothing to record: the model gave no reply to play again, so ${file} was not written.`);
    return;
  }
  output.say(
    `Recorded ${counted(replies, 'reply', 'replies')} in ${file}. HOLDFAST_SCRIPT=${file} plays them, without a key.`,
  );
}

/** A run that ended well before its script did is no success. */
async function checkLeft(
  { access, output, config }: ServerCommand,
  sessionId: string,
  exitCode: ExitCode,
): Promise<ExitCode> {
  if (config.script === undefined) return exitCode;
  const { left, text } = await findLeftSteps(access.client, sessionId, config.script);
  if (left.length === 0) return exitCode;
  output.say(text);
  return exitCode === exitCodes.completed ? exitCodes.failed : exitCode;
}

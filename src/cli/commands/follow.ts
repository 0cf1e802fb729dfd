// holdfast run and watch: a session that is started and followed here, with a worker in this process, and one that any
// process started. Ctrl-C leaves it running.
import { mergeOptions, modelOptions } from '@holdfast/vocabulary/merge-options';
import { defined } from '@holdfast/base/defined';
import { messageOf } from '@holdfast/base/message-of';
import { resolve } from 'node:path';
import { Option } from 'commander';
import {
  type ApprovalOptions,
  addApprovalOptions,
  approvalModeOf,
  noInputOption,
} from '../approvals/approval-options.ts';
import {
  amount,
  boardName,
  label,
  name,
  newSessionId,
  readJsonObject,
  readStartInput,
  severalNames,
  wholeNumber,
} from '../arguments.ts';
import { type ImageOption, addImageOption, readImages } from '../image-option.ts';
import { type ModeOptions, addModeOptions, modesOf } from '../mode-options.ts';
import { addTemplateOption, readTask } from '../task-words.ts';
import { withSession } from '../find-session.ts';
import type { CliCommand } from '../cli-command.ts';
import { checkStart, checkWorker, saySession, startAndFollow } from '../start-and-follow.ts';
import { type InProcessWorker, startWorker, followSession } from '../live/follow-session.ts';
import { type ServerCommand, withServer } from '../server-access.ts';
import { checkRecordingFile, findLeftSteps, recordSession } from '../session-script.ts';
import { type ExitCode, exitCodes } from '../../common/exit-codes.ts';
import type { ImageFile, SessionHandle, SessionListing } from '../../client.ts';
import type { Config } from '../../config/config.ts';
import { type AgentSettings, agentOptions } from '@holdfast/vocabulary/agent-spec';
import { type ThinkingLevel, thinkingLevels } from '@holdfast/vocabulary/model-call';
import { type SessionInput, defaultAgent } from '@holdfast/vocabulary/session-input';
import { secretsOf } from '../../worker/own-secrets.ts';
import { counted } from '@holdfast/base/words';

type RunOptions = ApprovalOptions &
  ImageOption &
  ModeOptions & {
    agent?: string;
    model?: string;
    thinking?: ThinkingLevel;
    planning?: AgentSettings['plan']['strategy'];
    schema?: string;
    session?: string;
    input?: string;
    maxTurns?: number;
    maxCost?: number;
    taskBoard?: string;
    label?: Record<string, string>;
    deliver?: string[];
    keepAlive?: boolean;
    times?: boolean;
    detach?: boolean;
    record?: string;
    template?: string;
  };

const runNotes = `Ctrl-C stops following and ends the worker of this command; the session continues wherever another worker runs, or with
"holdfast watch <session> --worker".`;

export function registerRun(program: CliCommand): void {
  program
    .command('run')
    .argument('[task...]', 'the task; "-" reads standard input')
    .option('--agent <name>', 'agent spec; default investigator', name)
    .option('--model <provider:id>', 'model for this session', name)
    .addOption(new Option('--thinking <level>', 'how much the model thinks').choices(thinkingLevels))
    .addOption(
      new Option('--planning <strategy>', 'planner before the first turn (docs/planning.md)').choices(
        agentOptions.plan.fields.strategy.of,
      ),
    )
    .option('--schema <file>', 'JSON Schema, an object, that the answer has to follow', name)
    .option('--session <id>', 'id of the session; default made from the task', newSessionId)
    .option('--input <file>', 'start input as JSON (see "holdfast schema input"); options override it', name)
    .option('--max-turns <count>', 'limit of model responses in the run; 0 is unlimited', wholeNumber)
    .option('--max-cost <usd>', "budget in USD; the agent's other limits (time, tokens) stay", amount)
    .option('--task-board <name>', 'task board whose tasks may be delegated', boardName)
    .option('--label <key=value>', 'label of the session; may be repeated', label)
    .option(
      '--deliver <name>',
      'destination of its questions and its report (docs/delivery.md); may be repeated',
      severalNames,
    )
    .option('--keep-alive', 'keep the session for further prompts')
    .option('--times', 'show how long each call took')
    .option('--detach', 'start the session and return; a worker must run elsewhere')
    .option('--record <file>', 'write a script that plays the run again, with the results of its tools', name)
    .with(addApprovalOptions, addModeOptions, addTemplateOption, addImageOption)
    .examples(
      [
        'run "checkout is slow since 14:00, find out why"',
        'run --model anthropic:claude-sonnet-5-5 --max-cost 2 "why did pod web-3 restart?"',
        'run --template slow checkout 14:00',
        'run --mode observe "is the disk of db-1 filling up?"',
        'echo "$ALERT" | holdfast run --json - | jq .',
      ],
      runNotes,
    )
    .action(async (words: string[], options: RunOptions, command: CliCommand) => {
      const { cli } = command;
      const input = await readInput(command, words, options);
      const images = await readImages(cli, options);
      if (options.record !== undefined) await checkRecordingFile(resolve(cli.cwd, options.record));
      await withServer(command, (frame) => run(frame, input, { ...options, images }), {
        create: true,
        config: 'whole',
        check: (config) => checkStart(config, input, options),
      });
    });
}

function isScripted(config: Config, input: SessionInput): boolean {
  return (namedModel(config, input) ?? config.model).startsWith('scripted:');
}

/** The model of the start or of its agent, where one of them names any. */
function namedModel({ agents }: Config, input: SessionInput): string | undefined {
  return modelOptions(mergeOptions(agents[input.agent ?? defaultAgent] ?? {}, input)).name;
}

async function readInput(command: CliCommand, words: string[], options: RunOptions): Promise<SessionInput> {
  const { cli } = command;
  const base: SessionInput = options.input === undefined ? {} : await readStartInput(cli, options.input);
  const { agent, model: name, thinking, planning, schema, template } = options;
  const { maxTurns, maxCost, taskBoard, label: labels, keepAlive } = options;
  const hasTask = words.length > 0 || template !== undefined;
  // a session that stays may begin without a task
  const needsTask = base.prompt === undefined && !keepAlive;
  const task = hasTask || needsTask ? await readTask(command, words, template) : undefined;
  const deliver = options.deliver?.map((to) => ({ to }));
  const flags = defined({
    model: thinking === undefined ? name : { ...defined({ name }), thinkingLevel: thinking },
    plan: planning && { strategy: planning },
    outputSchema: schema === undefined ? undefined : await readJsonObject(cli, schema, 'a JSON Schema'),
    loop: maxTurns === undefined ? undefined : { maxTurns },
    delegation: taskBoard === undefined ? undefined : { taskBoard },
    budget: maxCost === undefined ? undefined : { costUsd: maxCost },
  });
  return {
    ...mergeOptions(base, { ...flags, ...modesOf(options) }),
    ...defined({ prompt: task, agent, keepAlive, deliver, labels: labels && { ...base.labels, ...labels } }),
  };
}

async function run(
  frame: ServerCommand,
  input: SessionInput,
  options: RunOptions & { images: ImageFile[] },
): Promise<ExitCode | void> {
  const { config, output } = frame;
  const { detach, record: file } = options;
  const player =
    config.script === undefined || !isScripted(config, input) ? '' : `, played by ${config.script}`;
  const model = namedModel(config, input);
  if (!detach) output.say(`model: ${model ?? `${config.model} (${config.modelReason})`}${player}`);
  else if (model !== undefined && !isScripted(config, input)) {
    const { problemOfProvider } = await import('../../worker/providers.ts');
    const problem = problemOfProvider(config, model);
    if (problem !== undefined) output.say(`${problem} The worker of the session needs it, not this command.`);
  }
  const atEnd = async (session: SessionHandle, exitCode: ExitCode): Promise<ExitCode> => {
    if (file !== undefined) await record(frame, session, file, exitCode);
    const isOver = exitCode !== exitCodes.interrupted && input.keepAlive !== true;
    return isOver && isScripted(config, input) ? checkLeft(frame, session, exitCode) : exitCode;
  };
  return startAndFollow(frame, { ...options, atEnd }, () => Promise.resolve(input));
}

/** A failed recording changes nothing about the run. */
async function record(
  { cli, output, config }: ServerCommand,
  session: SessionHandle,
  file: string,
  exitCode: ExitCode,
): Promise<void> {
  try {
    const held = await secretsOf(config);
    const replies = await recordSession(session, {
      file: resolve(cli.cwd, file),
      secrets: held.map(([, value]) => value),
      hasEnded: exitCode !== exitCodes.interrupted,
    });
    output.emit({ type: 'recording', file, replies });
    output.say(
      replies === 0
        ? `Nothing to record: the model gave no reply to play again, so ${file} was not written.`
        : `Recorded ${counted(replies, 'reply', 'replies')} in ${file}. HOLDFAST_SCRIPT=${file} plays them, without a key.`,
    );
  } catch (error) {
    output.say(`! The run was not recorded: ${messageOf(error)}`);
  }
}

/** A run that ended before its script did is no success. */
async function checkLeft(
  { output, config }: ServerCommand,
  session: SessionHandle,
  exitCode: ExitCode,
): Promise<ExitCode> {
  if (config.script === undefined) return exitCode;
  const { left, text } = await findLeftSteps(session, config.script);
  if (left.length === 0) return exitCode;
  output.say(text);
  return exitCode === exitCodes.completed ? exitCodes.failed : exitCode;
}

type WatchOptions = { after: number; worker?: boolean; times?: boolean; noInput?: boolean };

const watchNotes = `Approvals are asked for here, as in "holdfast run". Without --worker nothing is run here.
Without a worker, watch reports it and waits for one. Ctrl-C stops watching; the session continues wherever another worker runs.`;

export function registerWatch(program: CliCommand): void {
  program
    .sessionCommand('watch')
    .option('--after <seq>', 'only events after this number', wholeNumber, 0)
    .option('--times', 'show how long each call took')
    .option('--worker', 'run the session here, with a worker of this folder and its config')
    .addOption(noInputOption)
    .examples(['watch checkout-is-slow-k3v9x', 'watch checkout-is-slow-k3v9x --worker'], watchNotes)
    .action(async (word: string, options: WatchOptions, command: CliCommand) => {
      await withSession(command, word, (frame, session) => watch(frame, session, options), {
        config: options.worker ? 'whole' : 'results',
        check: (config) =>
          options.worker ? checkWorker(config, undefined, { forSession: true }) : undefined,
      });
    });
}

async function watch(frame: ServerCommand, session: SessionHandle, options: WatchOptions): Promise<ExitCode> {
  // first: an unknown session starts no worker
  const listing = await session.describe();
  saySession(frame, session.sessionId);
  const worker = options.worker ? await startHere(frame, listing) : undefined;
  const { after: afterSeq, times } = options;
  return followSession({ frame, session, worker, afterSeq, times, approvals: approvalModeOf(options) });
}

/** For the queue of the session, even if new sessions of this folder use another one. */
async function startHere(
  given: ServerCommand,
  { taskQueue, model }: SessionListing,
): Promise<InProcessWorker> {
  const frame = await withModelOf(given, model);
  const { cli, config, output } = frame;
  const source = config.configFile ?? `the defaults (no config file in ${cli.cwd})`;
  output.say(`worker: here, with ${source}, model ${config.model} (${config.modelReason})`);
  return startWorker(frame, { ...config, taskQueue });
}

/** The folder may have no usable model, while the session has the one of its start. */
async function withModelOf(frame: ServerCommand, model = frame.config.model): Promise<ServerCommand> {
  if (!frame.parts?.problems.some(({ ofDefaultModel }) => ofDefaultModel)) return frame;
  const config = { ...frame.config, model, modelReason: 'of the session' };
  return { ...frame, config, parts: await checkWorker(config) };
}

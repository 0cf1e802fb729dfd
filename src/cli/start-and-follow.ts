// Starts a session for a command: checked before a server is started for it, then followed here with a worker of this
// process, or left to a worker elsewhere.
import { mergeOptions } from '@holdfast/vocabulary/merge-options';
import { type ApprovalOptions, approvalModeOf } from './approvals/approval-options.ts';
import { typed } from '../config/command-line.ts';
import {
  type FollowOptions,
  type InProcessWorker,
  followSession,
  startWorker,
} from './live/follow-session.ts';
import type { ServerCommand } from './server-access.ts';
import { type ExitCode, exitCodes } from '../common/exit-codes.ts';
import type { ImageFile, SessionHandle } from '../client.ts';
import { describeUnknown } from '../core/agent/start.ts';
import { defined } from '@holdfast/base/defined';
import { checkSessionStart } from '../client/start-session.ts';
import { openArtifactStore } from '../config/artifacts.ts';
import type { Config } from '../config/config.ts';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { prepareFolder } from '../dev-server/dev-server-note.ts';
import type { Parts } from '../worker/parts.ts';
import { UserError } from '../common/user-error.ts';

export type StartChoices = ApprovalOptions & {
  session?: string | undefined;
  /** Pictures, after the words of the prompt. */
  images?: readonly ImageFile[];
  detach?: boolean | undefined;
  times?: boolean | undefined;
  atEnd?: FollowOptions['atEnd'];
};

/** Throws for a start that the client would refuse, or, without `detach`, a worker of this config. */
export async function checkStart(
  config: Config,
  input: SessionInput,
  { session, detach = false }: StartChoices,
): Promise<Parts | undefined> {
  checkSessionStart(input, session === undefined ? {} : { sessionId: session });
  const { destinations } = config;
  // a message would fail hours later; a folder without destinations knows none of the workers'
  if (detach && Object.keys(destinations).length > 0) {
    const { checkDeliver } = await import('../worker/check-input.ts');
    checkDeliver(input, Object.keys(destinations));
  }
  const { agent } = input;
  if (detach && agent !== undefined && config.configFile !== undefined) {
    const { agentNames } = await import('../config/config-file.ts');
    const known = await agentNames(config);
    if (!known.has(agent)) throw new UserError(describeUnknown('agent', agent, known));
  }
  // a worker elsewhere may have other tools and keys than this process
  return detach ? undefined : checkWorker(config, mergeOptions(inheritedBy(input), input));
}

/** The parts of a worker of this config. Throws the errors of its start, and those of the input if given. */
export async function checkWorker(
  config: Config,
  input?: SessionInput,
  options: { forSession?: boolean } = {},
): Promise<Parts> {
  if (config.temporal.address === undefined) await prepareFolder(config.dir);
  const { checkParts } = await import('../worker/parts.ts');
  const parts = await checkParts(config, input, options);
  await openArtifactStore(config);
  return parts;
}

/** The start input that a session inherits from the checkpoint that it continues. */
function inheritedBy({ checkpoint }: SessionInput): SessionInput {
  return typeof checkpoint === 'object' && 'session' in checkpoint ? (checkpoint.session?.input ?? {}) : {};
}

/** Starts the session of `toInput`, and without `detach` follows it with a worker of this process. */
export async function startAndFollow(
  frame: ServerCommand,
  choices: StartChoices,
  toInput: () => Promise<SessionInput>,
): Promise<ExitCode | void> {
  if (choices.detach) return startHere(frame, await toInput(), choices).then(() => undefined);
  const worker = await startWorker(frame);
  try {
    const input = await toInput();
    // a session is left running if this process ends before it has seen the session's end
    frame.cli.exitCode = exitCodes.interrupted;
    const session = await startHere(frame, input, choices, worker);
    const exitCode = await followSession({
      frame,
      session,
      worker,
      oneRun: input.keepAlive === true,
      approvals: approvalModeOf(choices),
      times: choices.times,
      atEnd: choices.atEnd,
    });
    const isOver = exitCode !== exitCodes.interrupted && input.keepAlive !== true;
    if (isOver && input.deliver) await awaitDelivery(frame, session);
    return exitCode;
  } finally {
    await worker.stop();
  }
}

/** More than a receiver needs that is up. */
const deliveryWaitMs = 10_000;

/** The worker of this command also sends the end of the run. */
async function awaitDelivery({ output }: ServerCommand, session: SessionHandle): Promise<void> {
  const { runId } = await session.result();
  if (await session.delivered(runId, deliveryWaitMs)) return;
  output.say(
    `The end has not arrived everywhere: "${typed('deliver --undelivered')}" says where and why. It is tried again while a worker runs.`,
  );
}

type Reached = Pick<ServerCommand, 'access' | 'output'>;

/** The first line of a followed session. */
export function saySession(
  { access, output }: Reached,
  sessionId: string,
  facts: { workflowRunId?: string } = {},
): void {
  const uiUrl = access.uiAddressOf(sessionId);
  output.emit({ type: 'session', sessionId, ...facts, uiUrl });
  output.print(`session ${output.colors.bold(sessionId)}${uiUrl ? `\nUI      ${uiUrl}` : ''}`);
}

async function startHere(
  { access, output }: ServerCommand,
  input: SessionInput,
  { session: sessionId, images }: StartChoices,
  here?: InProcessWorker,
): Promise<SessionHandle> {
  here?.worker.checkInput(mergeOptions(inheritedBy(input), input));
  const options = defined({ sessionId, images });
  const session = await access.client.start(here?.worker.complete(input) ?? input, options);
  saySession({ access, output }, session.sessionId, { workflowRunId: session.workflowRunId });
  if (!here) await sayNoWorker({ access, output });
  return session;
}

/** Says so if a started session would wait for a worker. */
export async function sayNoWorker({ access, output }: Reached): Promise<void> {
  if (!(await access.client.hasWorker()))
    output.say(`No worker polls yet: start one with "${typed('worker')}".`);
}

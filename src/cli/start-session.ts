// Starts a session for a command: followed here with a worker of this process, or left to a worker elsewhere.
import type { SessionInput } from '../core/model/session-input.ts';
import { type ApprovalOptions, approvalModeOf } from './approvals/approval-options.ts';
import { inheritedBy } from './check-start.ts';
import { typed } from './command-line.ts';
import { type FollowOptions, followSession } from './live/follow-session.ts';
import { startWorker } from './in-process-worker.ts';
import type { InProcessWorker } from './in-process-worker.ts';
import { type ExitCode, exitCodes } from './user-error.ts';
import type { ServerCommand } from './with-server.ts';

export type StartChoices = ApprovalOptions & {
  session?: string | undefined;
  detach?: boolean | undefined;
  atEnd?: FollowOptions['atEnd'];
};

/**
 * Runs `work` with a worker of this process, which ends with it; with `detach` without one. What `work` gives is
 * started, and followed where there is a worker.
 */
export async function startAndFollow(
  frame: ServerCommand,
  choices: StartChoices,
  toInput: () => Promise<SessionInput>,
): Promise<ExitCode | void> {
  if (choices.detach) return startHere(frame, await toInput(), choices).then(() => undefined);
  const worker = await startWorker(frame.config, frame.access, frame.output.say);
  try {
    const input = await toInput();
    // whatever ends this process before the session's end was seen leaves it running
    frame.cli.exitCode = exitCodes.interrupted;
    const sessionId = await startHere(frame, input, choices, worker);
    return await followSession({
      ...{ frame, sessionId, worker, oneRun: input.keepAlive === true },
      ...{ approvals: approvalModeOf(choices), atEnd: choices.atEnd },
    });
  } finally {
    await worker.stop();
  }
}

/** The first line of a session that is followed. */
export function saySession(
  { access, output }: Pick<ServerCommand, 'access' | 'output'>,
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
  { session }: StartChoices,
  worker?: InProcessWorker,
): Promise<string> {
  worker?.worker.checkInput({ ...inheritedBy(input), ...input });
  const options = session === undefined ? {} : { sessionId: session };
  const { sessionId, workflowRunId } = await access.client.start(
    worker?.worker.complete(input) ?? input,
    options,
  );
  saySession({ access, output }, sessionId, { workflowRunId });
  if (!worker && !(await access.client.hasWorker()))
    output.say(`No worker polls yet: start one with "${typed('worker')}".`);
  return sessionId;
}

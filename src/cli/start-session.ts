// Starts a session for a command: followed here with a worker of this process, or left to a worker elsewhere.
import type { SessionInput } from '../core/session-input.ts';
import { type ApprovalOptions, approvalModeOf } from './approval-options.ts';
import { inheritedBy } from './check-start.ts';
import { typed } from './command-line.ts';
import { followSession } from './follow-session.ts';
import { startWorker } from './in-process-worker.ts';
import type { InProcessWorker } from './in-process-worker.ts';
import { type ExitCode, exitCodes } from './user-error.ts';
import type { ServerCommand } from './with-server.ts';

export type StartChoices = ApprovalOptions & {
  session?: string | undefined;
  detach?: boolean | undefined;
  /** Once its end was seen, or the following was broken off, while the worker is still there. May give another exit code. */
  atEnd?: ((sessionId: string, exitCode: ExitCode) => Promise<ExitCode>) | undefined;
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
    const exitCode = await followSession({
      ...{ frame, sessionId, worker, oneRun: input.keepAlive === true },
      approvals: approvalModeOf(choices),
    });
    return (await choices.atEnd?.(sessionId, exitCode)) ?? exitCode;
  } finally {
    await worker.stop();
  }
}

async function startHere(
  { access, output }: ServerCommand,
  input: SessionInput,
  { session }: StartChoices,
  worker?: InProcessWorker,
): Promise<string> {
  worker?.worker.checkInput({ ...inheritedBy(input), ...input });
  const options = session === undefined ? {} : { sessionId: session };
  const { sessionId, workflowRunId } = await access.client.start(input, options);
  const uiUrl = access.uiAddressOf(sessionId);
  output.emit({ type: 'session', sessionId, workflowRunId, uiUrl });
  output.print(`session ${output.colors.bold(sessionId)}${uiUrl ? `\nUI      ${uiUrl}` : ''}`);
  if (!worker && !(await access.client.hasWorker()))
    output.say(`No worker polls yet: start one with "${typed('worker')}".`);
  return sessionId;
}

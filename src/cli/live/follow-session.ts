// Follows one session to its end on this terminal and turns the end into an exit code; used by run and watch.
// Ctrl-C stops following, ends the worker of this process, and says how the session is left.
import type { RunResult } from '../../core/model/run-result.ts';
import { type ApprovalDesk, type DeskOptions, createApprovalDesk } from '../approvals/ask-approval.ts';
import { exitCodeOf } from '../exit-code.ts';
import { describeFigures, describeReport, describeResult } from '../render/describe-result.ts';
import { type ExitCode, exitCodes } from '../user-error.ts';
import { guardServer } from '../server-guard.ts';
import { sayLeft } from './session-standing.ts';
import { watchSession } from './watch-session.ts';
import { createWorkerWatch } from './worker-watch.ts';
import type { InProcessWorker } from '../in-process-worker.ts';
import type { ServerCommand } from '../with-server.ts';

export type FollowOptions = {
  frame: ServerCommand;
  sessionId: string;
  afterSeq?: number;
  /** The worker of this process, where there is one: its live text is shown, and its failure ends the following. */
  worker?: InProcessWorker | undefined;
  /** The session stays: stop at the end of its run. */
  oneRun?: boolean;
  /** Ask for approvals here, which is the default, answer them all, or only say how to. */
  approvals?: DeskOptions['mode'] | undefined;
  /** Once the end was seen, or Ctrl-C came, while the worker is still there. May give another exit code. */
  atEnd?: ((sessionId: string, exitCode: ExitCode) => Promise<ExitCode>) | undefined;
};

const endSignals = ['SIGINT', 'SIGTERM'] as const;

export async function followSession(options: FollowOptions): Promise<ExitCode> {
  const { frame, sessionId, worker } = options;
  let exitCode: ExitCode;
  try {
    exitCode = await follow(options);
    exitCode = (await options.atEnd?.(sessionId, exitCode)) ?? exitCode;
    const interrupted = exitCode === exitCodes.interrupted;
    if (interrupted && worker) frame.output.say('\nEnding the worker of this command.');
  } finally {
    await worker?.stop();
  }
  if (exitCode === exitCodes.interrupted || options.oneRun)
    await sayLeft(frame, sessionId, worker?.worker.identity);
  return exitCode;
}

async function follow(options: FollowOptions): Promise<ExitCode> {
  const { frame, sessionId, worker, afterSeq = 0 } = options;
  const { cli, output, access } = frame;
  const { client } = access;
  const stop = createStop();
  void worker?.running.catch(stop.fail);
  const looking = new AbortController();
  const over = AbortSignal.any([stop.signal, looking.signal]);
  void guardServer(frame, over).catch(stop.fail);
  const workers = createWorkerWatch({ client, sessionId, say: output.say });
  if (!worker) void workers.run(over);
  const desk = createApprovalDesk({ cli, output, sessionId, client, mode: options.approvals ?? 'ask' });
  if (afterSeq > 0) void showSkipped(options, desk);
  let ended: string | undefined;
  try {
    await watchSession({
      ...{ client, sessionId, output, signal: stop.signal, afterSeq },
      write: (text) => void cli.stdout.write(text),
      live: worker?.worker.deltaBus.subscribe(sessionId),
      onItem: (item) => {
        desk.onItem(item);
        if (item.type === 'unanswered' && item.code === 'NoWorker') workers.noteAbsence();
        if (item.type === 'event' && item.event.type === 'agent_end') ended = item.event.runId;
      },
      until: (item) =>
        (options.oneRun === true && ended !== undefined) ||
        // The worker may have gone with the session's end: the result is known without its last events.
        (item.type === 'unanswered' && item.closed),
    });
  } finally {
    stop.close();
    desk.close();
    looking.abort();
  }
  stop.throwIfFailed();
  return stop.signal.aborted ? exitCodes.interrupted : showEnd(options, ended);
}

/** What ends the following before the session ends: a signal to this process, or a failure of what it stands on. */
function createStop() {
  const controller = new AbortController();
  let failure: { error: unknown } | undefined;
  const interrupt = (): void => controller.abort();
  for (const name of endSignals) process.on(name, interrupt);
  return {
    signal: controller.signal,
    fail: (error: unknown): void => {
      failure = { error };
      controller.abort();
    },
    throwIfFailed: (): void => {
      if (failure) throw failure.error;
    },
    close: (): void => endSignals.forEach((name) => process.off(name, interrupt)),
  };
}

/** An approval that was requested in the events that are not read waits all the same. */
async function showSkipped(
  { frame, sessionId, afterSeq = 0 }: FollowOptions,
  desk: ApprovalDesk,
): Promise<void> {
  const snapshot = await frame.access.client.snapshot(sessionId).catch(() => undefined);
  if (snapshot) desk.onItem({ type: 'gap', fromSeq: 1, toSeq: afterSeq, snapshot });
}

async function showEnd(options: FollowOptions, ended: string | undefined): Promise<ExitCode> {
  const { sessionId, frame, oneRun } = options;
  const { client } = frame.access;
  const runId = oneRun ? ended : undefined;
  const result =
    runId === undefined ? await client.result(sessionId) : await client.result(sessionId, { runId });
  await showResult(frame, sessionId, result, ended === result.runId);
  return exitCodeOf(result);
}

/** The result, which quotes of its report were found, and a line of figures. `seen`: the run's end is on the screen. */
export async function showResult(
  frame: ServerCommand,
  sessionId: string,
  result: RunResult,
  seen = false,
): Promise<void> {
  const { output, access } = frame;
  const report = await access.client.report(sessionId, result);
  const history = await access.client.historySize(sessionId).catch(() => undefined);
  output.emit({ type: 'result', result, ...(history ? { history } : {}), ...(report ? { report } : {}) });
  const text = (seen ? describeReport : describeResult)(result, output.colors, report);
  if (text !== '') output.print(`\n${text}\n`);
  output.print(output.colors.dim(describeFigures(result, history)));
}

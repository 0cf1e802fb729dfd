// Follows one session to its end on this terminal and turns the end into an exit code; used by run and watch.
// Ctrl-C stops following and leaves the session alone.
import type { WatchItem } from '../client.ts';
import type { RunResult } from '../core/run-result.ts';
import { type DeskOptions, createApprovalDesk } from './ask-approval.ts';
import { typed } from './command-line.ts';
import { exitCodeOf } from './exit-code.ts';
import { describeFigures, describeReport, describeResult } from './render/describe-result.ts';
import { type ExitCode, exitCodes } from './user-error.ts';
import { watchSession } from './watch-session.ts';
import type { InProcessWorker } from './in-process-worker.ts';
import type { ServerCommand } from './with-server.ts';

export type FollowOptions = {
  frame: ServerCommand;
  sessionId: string;
  afterSeq?: number;
  /** The worker of this process, where there is one: its live text is shown, and its failure ends the following. */
  worker?: InProcessWorker | undefined;
  /** The session stays: stop at the end of its run. */
  oneRun?: boolean;
  /** Ask for approvals here, or answer them all; absent: only say how to. */
  approvals?: DeskOptions['mode'] | undefined;
  /** Sees each item, e.g. to start a worker when nobody answers. */
  onItem?(item: WatchItem): void;
};

const endSignals = ['SIGINT', 'SIGTERM'] as const;

export async function followSession(options: FollowOptions): Promise<ExitCode> {
  const { frame, sessionId, worker } = options;
  const { cli, output, access } = frame;
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  for (const name of endSignals) process.on(name, interrupt);
  let workerFailure: unknown;
  void worker?.running.catch((error: unknown) => {
    workerFailure = error;
    stop.abort();
  });
  const desk = createApprovalDesk({
    ...{ cli, output, sessionId, client: access.client },
    mode: options.approvals ?? 'tell',
  });
  let ended: string | undefined;
  try {
    await watchSession({
      ...{ client: access.client, sessionId, output, signal: stop.signal, afterSeq: options.afterSeq ?? 0 },
      write: (text) => void cli.stdout.write(text),
      live: worker?.worker.deltaBus.subscribe(sessionId),
      onItem: (item) => {
        desk.onItem(item);
        options.onItem?.(item);
        if (item.type === 'event' && item.event.type === 'agent_end') ended = item.event.runId;
      },
      until: (item) =>
        (options.oneRun === true && ended !== undefined) ||
        // The worker may have gone with the session's end: the result is known without its last events.
        (item.type === 'unanswered' && item.closed),
    });
  } finally {
    for (const name of endSignals) process.off(name, interrupt);
    desk.close();
  }
  if (workerFailure !== undefined) throw workerFailure;
  if (stop.signal.aborted) return sayLeftRunning(options);
  return showEnd(options, ended);
}

async function showEnd(options: FollowOptions, ended: string | undefined): Promise<ExitCode> {
  const { sessionId, frame, oneRun } = options;
  const { client } = frame.access;
  const runId = oneRun ? ended : undefined;
  const result =
    runId === undefined ? await client.result(sessionId) : await client.result(sessionId, { runId });
  await showResult(frame, sessionId, result, ended === result.runId);
  if (runId !== undefined) {
    const more = result.status === 'completed' ? '' : `   or: ${typed(`continue ${sessionId}`)}`;
    frame.output.say(`The session stays: ${typed(`prompt ${sessionId} <words>`)}${more}`);
  }
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

function sayLeftRunning({ frame, sessionId }: FollowOptions): ExitCode {
  const { output, access } = frame;
  const uiUrl = access.uiAddressOf(sessionId);
  output.emit({ type: 'left_running', sessionId, uiUrl });
  output.say(
    [
      `\nLeft session ${sessionId} running on ${access.settings.address}.`,
      `  come back:  ${typed(`watch ${sessionId}`)}`,
      `  stop it:    ${typed(`abort ${sessionId}`)}`,
      ...(uiUrl ? [`  look:       ${uiUrl}`] : []),
    ].join('\n'),
  );
  return exitCodes.interrupted;
}

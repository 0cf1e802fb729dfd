// Follows one session to its end on this terminal and turns the end into an exit code, with a worker of this process or
// without one; used by run and watch. Ctrl-C stops following, ends that worker, and prints the state of the session.
import { toOuter } from '@holdfast/vocabulary/outer-form';
import { defined } from '@holdfast/base/defined';
import type { SessionHandle } from '../../client.ts';
import type { Config } from '../../config/config.ts';
import { withoutListeners } from '../../config/telemetry.ts';
import type { RunResult } from '@holdfast/vocabulary/run-result';
import { describeTakeover } from '../../worker/describe-takeover.ts';
import { type DeskOptions, asksHere, createApprovalDesk } from '../approvals/ask-approval.ts';
import type { Cli, Output } from '../cli.ts';
import { type ExitCode, exitCodeOf, exitCodes } from '../../common/exit-codes.ts';
import {
  type ShowMarkdown,
  describeFigures,
  describeReport,
  composeAnswer,
  describeResult,
} from '../render/describe-result.ts';
import { toPlain } from '../render/plain-text.ts';
import { typed, withTyped } from '../../config/command-line.ts';
import { guardServer } from '../server-guard.ts';
import { sayLeft, printUnread } from './session-standing.ts';
import { type LiveView, plainView } from './view.ts';
import { createWorkerWatch } from './worker-watch.ts';
import type { ServerCommand } from '../server-access.ts';

export type FollowOptions = {
  frame: ServerCommand;
  session: SessionHandle;
  afterSeq?: number;
  /** The worker of this process, if any: its failure ends the following. */
  worker?: InProcessWorker | undefined;
  /** Stops at the end of the run; the session stays open. */
  oneRun?: boolean;
  /** Asks for approvals here (default), answers them all, or only prints the commands to do so. */
  approvals?: DeskOptions['mode'] | undefined;
  /** Shows the duration of each call. */
  times?: boolean | undefined;
  /** Runs after the end or Ctrl-C, while the worker still runs. May return another exit code. */
  atEnd?: ((session: SessionHandle, exitCode: ExitCode) => Promise<ExitCode>) | undefined;
};

const endSignals = ['SIGINT', 'SIGTERM'] as const;

export async function followSession(options: FollowOptions): Promise<ExitCode> {
  const { frame, session, worker } = options;
  const stop = createStop(frame.cli.signals, () => leaveAtOnce(frame, session));
  let exitCode: ExitCode;
  try {
    try {
      exitCode = await follow(options, stop);
      exitCode = (await options.atEnd?.(session, exitCode)) ?? exitCode;
      const interrupted = exitCode === exitCodes.interrupted;
      if (interrupted && worker) frame.output.say('\nEnding the worker of this command.');
    } finally {
      await worker?.stop();
    }
    if (exitCode === exitCodes.interrupted || options.oneRun)
      await sayLeft(frame, session, worker?.worker.identity);
    return exitCode;
  } finally {
    stop.close();
  }
}

/** For a second signal while the first one is handled: exits without asking for the state of the session. */
function leaveAtOnce({ output }: ServerCommand, { sessionId }: SessionHandle): never {
  output.say(`\nLeft session ${sessionId} at once.\n  continue:   ${typed(`watch ${sessionId} --worker`)}`);
  process.exit(exitCodes.interrupted);
}

type Stop = ReturnType<typeof createStop>;

async function follow(options: FollowOptions, stop: Stop): Promise<ExitCode> {
  const { frame, session, worker, afterSeq, oneRun = false, approvals: mode = 'ask' } = options;
  const { cli, output } = frame;
  void worker?.running.catch(stop.fail);
  const looking = new AbortController();
  const over = AbortSignal.any([stop.signal, looking.signal]);
  void guardServer(frame, over).catch(stop.fail);
  const workers = createWorkerWatch({ session, say: output.say });
  if (!worker) void workers.run(over);
  // loads the drawing code, which other commands do not need, so that they start faster
  const { watchSession } = await import('./watch-session.ts');
  const view = await openView({ cli, output, session, mode, times: options.times });
  const desk = createApprovalDesk({ cli, output, session, mode, readLine: view.readLine });
  let ended: string | undefined;
  try {
    await watchSession({
      session,
      output,
      view,
      signal: stop.signal,
      afterSeq,
      onHeard: (heard) => {
        desk.hear(heard);
        // the end of a subagent's run is not the end of this session's
        const isOwn = heard.sessionId === undefined;
        if (isOwn && heard.type === 'agent_start') ended = undefined;
        if (isOwn && heard.type === 'agent_end' && heard.seq > (afterSeq ?? 0)) ended = heard.runId;
        if (heard.type !== 'unanswered') return oneRun && ended !== undefined;
        if (heard.code === 'NoWorker') workers.noteAbsence();
        // the worker may have gone with the session's end: the result is known without its last events
        return heard.closed;
      },
    });
  } finally {
    // after its end a signal ends the command; after a first one the second is still heard
    if (!stop.signal.aborted) stop.close();
    desk.close();
    view.close();
    looking.abort();
  }
  stop.throwIfFailed();
  // a run in hand may still read them
  if (stop.signal.aborted && ended !== undefined) await printUnread(output, session).catch(() => undefined);
  if (stop.signal.aborted) return exitCodes.interrupted;
  const result =
    oneRun && ended !== undefined ? await session.result({ runId: ended }) : await session.result();
  await showResult(frame, session, result, ended === result.runId);
  return exitCodeOf(result);
}

export type ViewOptions = Pick<FollowOptions, 'times'> & {
  cli: Cli;
  output: Output;
  session: SessionHandle;
  mode: DeskOptions['mode'];
};

/** The live view on a terminal, else line by line. */
export async function openView({ mode, times, ...place }: ViewOptions): Promise<LiveView> {
  const asks = asksHere({ ...place, mode });
  if (place.output.width === undefined)
    // a call that is approved without a question is shown whole
    return plainView(place.cli, place.output, times, asks && mode === 'ask');
  const { openLiveView } = await import('./live-view.ts');
  return openLiveView({ ...place, times, input: asks });
}

/** Ends the following before the session ends: on a signal to this process, or a failure of its worker or server. */
function createStop(signals: Cli['signals'], again: () => void) {
  const controller = new AbortController();
  let failure: { error: unknown } | undefined;
  const interrupt = (): void => (controller.signal.aborted ? again() : controller.abort());
  for (const name of endSignals) signals.on(name, interrupt);
  return {
    signal: controller.signal,
    fail: (error: unknown): void => {
      failure = { error };
      controller.abort();
    },
    throwIfFailed: (): void => {
      if (failure) throw failure.error;
    },
    close: (): void => endSignals.forEach((name) => signals.off(name, interrupt)),
  };
}

/**
 * The result, its evidence, and a line of figures. `seen`: the run's end is on the screen. `below`: rows that the caller
 * prints after it, with the place of the report.
 */
export async function showResult(
  { output }: Pick<ServerCommand, 'output'>,
  session: SessionHandle,
  result: RunResult,
  seen = false,
  below = 0,
): Promise<void> {
  const report = await session.report(result);
  const history = await session.historySize().catch(() => undefined);
  output.emit(toOuter(defined({ type: 'result', result, history, report: report || undefined })));
  const { width, height, colors } = output;
  const place = width !== undefined && height !== undefined ? { width, height, colors } : undefined;
  const whole = place && (await session.readReport({ runId: result.runId }).catch(() => undefined));
  const { show, wrap } = await textFor(output);
  if (place && whole) {
    const { describeSummary } = await import('../render/describe-summary.ts');
    const words = seen ? '' : show(composeAnswer(result)).trim();
    if (words !== '') output.print(words);
    const parts = defined({
      // an earlier line shows how it ended
      head: `${seen ? '' : `${result.status} · `}${describeFigures(result, history)}`,
      command: below > 0 ? undefined : typed(`report ${whole.sessionId}`),
    });
    // shortened: a report has hundreds of lines, and only the last would stay on the screen
    output.print(describeSummary(whole, parts, { ...place, height: place.height - below }).join('\n'));
  } else {
    const text = (seen ? describeReport : describeResult)(result, colors, { report, show });
    if (text !== '') output.print(`\n${text}\n`);
    output.print(colors.dim(wrap(describeFigures(result, history))));
  }
  await printUnread(output, session, result);
}

/** Renderer of texts: on a terminal with Markdown and wrapped words, else unchanged. */
export async function textFor({
  width,
  colors,
}: Pick<Output, 'width' | 'colors'>): Promise<{ show: ShowMarkdown; wrap(text: string): string }> {
  if (width === undefined) return { show: toPlain, wrap: (text) => text };
  const [{ renderMarkdown }, { wrapText }] = await Promise.all([
    import('../render/markdown.ts'),
    import('../render/wrap.ts'),
  ]);
  return {
    show: (markdown) => renderMarkdown(markdown, width, colors),
    wrap: (text) => wrapText(text, width).join('\n'),
  };
}

/** Short: a person waits for the prompt, and the next worker repeats interrupted calls. */
const graceMs = 2_000;

export type InProcessWorker = Awaited<ReturnType<typeof startWorker>>;

/** Loads the worker's code only here, so that other commands start faster. `running` rejects when the worker failed. */
export async function startWorker(
  { access, output: { say }, parts, ...frame }: ServerCommand,
  config: Config = frame.config,
) {
  const { createHoldfastWorker } = await import('../../worker.ts');
  const worker = await createHoldfastWorker({
    config: { ...config, telemetry: withoutListeners(config.telemetry) },
    parts,
    server: access.settings,
    shutdownGraceMs: graceMs,
    logFile: `${config.dir}/worker.log`,
    onTakeover(takeover) {
      if (takeover.sessions.length === 0) return;
      const ways = takeover.sessions.map((sessionId) => `  look:       ${typed(`watch ${sessionId}`)}`);
      say([describeTakeover(takeover), ...ways].join('\n'));
    },
    onLack: (lack) => say(`  ! ${lack}`),
  });
  // an absent tool, or one accepted at first sight, is worth a line here too
  for (const alarm of worker.alarms) say(`  ! ${withTyped(alarm)}`);
  access.showLive(worker.deltaBus);
  const running = worker.run();
  // the command handles it; until then it must not be an unhandled rejection
  running.catch(() => undefined);
  return {
    worker,
    running,
    stop: async () => {
      worker.shutdown();
      await running.catch(() => undefined);
    },
  };
}

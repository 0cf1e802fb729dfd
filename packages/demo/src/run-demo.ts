// The demo from its start to its end. Ends everything that it started before it returns, even on Ctrl-C.
import { createInterface } from 'node:readline/promises';
import { rememberPlace, typed } from '../../../src/config/command-line.ts';
import { type ExitCode, exitCodeOf, exitCodes } from '../../../src/common/exit-codes.ts';
import { openView, showResult, startWorker, textFor } from '../../../src/cli/live/follow-session.ts';
import { watchSession } from '../../../src/cli/live/watch-session.ts';
import type { SessionHandle } from '../../../src/client.ts';
import { present } from '@holdfast/base/present';
import { shellWord } from '@holdfast/base/shell-word';
import { awaitAlert, showDelivered, startAlerting } from './alert-run.ts';
import { chooseDesk } from './demo-approvals.ts';
import { type Closers, createClosers, orAborted } from './closers.ts';
import { checkRecord } from './check-record.ts';
import { type CrashRun, startCrashRun } from './crash-run.ts';
import { sayWhile } from './say-while.ts';
import { type DemoSetting, openSetting, waitPlace } from './demo-setting.ts';
import type { DemoOptions } from './demo-setting.ts';

/** A worker in this process, or one that is killed. */
type DemoWorker = {
  crashRun?: CrashRun;
  /** Aborts, with the reason, when the worker in this process fails. */
  failed?: AbortSignal;
};

const lateMs = 3_000;
/** On 80 columns: the demo's own record, the place of the report, and the question for Enter. */
const rowsBelow = 12;
/** Added to the investigator of a team. */
const team = { delegation: { agents: ['metrics-analyst', 'log-analyst', 'change-analyst'], verify: true } };
const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export async function runDemo(options: DemoOptions): Promise<ExitCode> {
  const { output } = options;
  const stop = new AbortController();
  const interrupt = (): void => {
    if (stop.signal.aborted) process.exit(exitCodes.interrupted);
    output.say('\nEnding what the demo started. Once more ends at once.');
    stop.abort();
  };
  for (const name of endSignals) process.on(name, interrupt);
  const closers = createClosers(output.say);
  try {
    return await playDemo(options, closers, stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    return exitCodes.interrupted;
  } finally {
    await closers.closeAll();
    // a download that Ctrl-C interrupted must not keep the process alive
    if (stop.signal.aborted) setTimeout(() => process.exit(exitCodes.interrupted), lateMs).unref();
    for (const name of endSignals) process.off(name, interrupt);
  }
}

async function playDemo(options: DemoOptions, closers: Closers, signal: AbortSignal): Promise<ExitCode> {
  const { output } = options;
  const setting = await openSetting(options, closers, signal);
  const { frame, incident } = setting;
  await sayModel(setting);
  output.emit({ type: 'incident', dir: incident.place.dir, urls: incident.urls, plan: incident.plan });
  output.print(
    `incident  shop ${incident.urls.shop}, payments ${incident.urls.payments}, files ${incident.place.systemDir}`,
  );
  const deployed = incident.deploy();
  // handled below; a worker that does not start must not leave it unhandled
  deployed.catch(() => undefined);
  const place = waitPlace(options);
  const worker = await sayWhile('starting the worker', openWorker(options, setting, closers), place);
  signal.throwIfAborted();
  output.print(
    `          ${incident.plan.checkoutsPerSecond} checkouts a second${options.healthy ? '' : '; in some seconds two deploys follow'}`,
  );
  if (options.alert) await startAlerting(setting, closers);
  await sayWhile('waiting for the deploys of the shop', orAborted(deployed, signal), place);
  const session = options.alert
    ? await sayWhile('waiting for the alert', awaitAlert(setting, signal), place)
    : await frame.access.client.start({ prompt: incident.prompt, ...(options.team ? team : {}) });
  const { sessionId } = session;
  const uiUrl = frame.access.uiAddressOf(sessionId);
  output.emit({ type: 'session', sessionId, uiUrl });
  output.print(`session   ${output.colors.bold(sessionId)}\nUI        ${uiUrl}`);
  output.print(`steer     ${typed(`steer ${sessionId} 'look for "pool" too'`)}\n`);
  await follow(options, setting, worker, session, signal);
  const result = await session.result({ signal });
  await showResult(frame, session, result, true, rowsBelow);
  const truthful = await checkRecord(setting, session, result);
  if (options.alert) await showDelivered(setting, signal);
  await sayWhereReportIs(options, setting, session);
  await waitForEnter(options, uiUrl, signal);
  const exitCode = exitCodeOf(result);
  const isDone = exitCode === exitCodes.completed || exitCode === exitCodes.noReport;
  return isDone && !truthful ? exitCodes.unverified : exitCode;
}

async function sayModel({ frame }: DemoSetting): Promise<void> {
  const { config, output } = frame;
  const scripted = config.model.startsWith('scripted:');
  const { wrap } = await textFor(output);
  const how = scripted ? ', so a script plays the model' : '';
  output.print(wrap(`model     ${config.model}: ${config.modelReason}${how}`));
}

/** The files stay when the server has ended. */
async function sayWhereReportIs(
  { output }: DemoOptions,
  { configFile }: DemoSetting,
  session: SessionHandle,
): Promise<void> {
  rememberPlace({}, configFile);
  const { sessionId } = session;
  const { claims = [] } = (await session.readReport()) ?? {};
  const quote = claims.flatMap(({ quotes }) => quotes).find(({ position }) => position !== undefined);
  const commands = present([
    `report ${sessionId} --output report.html`,
    quote && `output ${sessionId} ${shellWord(quote.callId)} --line ${quote.position?.line}`,
  ]);
  output.print('The report as a page, and the output behind its first quote, also when the demo has ended:');
  for (const words of commands) output.print(`  ${typed(words)}`);
}

async function openWorker(options: DemoOptions, setting: DemoSetting, closers: Closers): Promise<DemoWorker> {
  if (options.crash) return { crashRun: await startCrashRun(setting, closers) };
  const started = await startWorker(setting.frame);
  closers.add(() => started.stop());
  const failure = new AbortController();
  started.running.catch((error: unknown) => failure.abort(error));
  return { failed: failure.signal };
}

/** Shows the session until it closes, answers its approval, and with `--crash` kills its worker. */
async function follow(
  options: DemoOptions,
  setting: DemoSetting,
  { crashRun, failed }: DemoWorker,
  session: SessionHandle,
  stop: AbortSignal,
): Promise<void> {
  const signal = failed === undefined ? stop : AbortSignal.any([stop, failed]);
  const { cli, output } = setting.frame;
  const ended = new AbortController();
  const view = await openView({ cli, output, session, mode: 'ask' });
  const desk = chooseDesk(options, session, view);
  const crashes = crashRun?.crash(session.sessionId, AbortSignal.any([signal, ended.signal]));
  try {
    await watchSession({
      session,
      output,
      view,
      signal,
      onHeard: (heard) => {
        desk.hear(heard);
        crashRun?.hear(heard);
      },
    });
  } finally {
    desk.close();
    view.close();
    ended.abort();
  }
  signal.throwIfAborted();
  for (const crash of (await crashes) ?? []) output.emit({ type: 'crash', crash });
}

async function waitForEnter(
  { cli, output, wait }: DemoOptions,
  uiUrl: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (!wait || !output.terminal || !cli.stdin.isTTY) return;
  const terminal = createInterface({ input: cli.stdin, output: cli.stderr });
  terminal.on('SIGINT', () => process.emit('SIGINT'));
  try {
    await terminal.question(
      `\nLook at the run in the UI: ${uiUrl}\nEnter ends server, worker and incident. `,
      { signal },
    );
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    terminal.close();
  }
}

// holdfast show and result: read a session. None of them needs a worker; result works even without a server.
import { sayWhichSession, withSession } from '../find-session.ts';
import { toOuter } from '@holdfast/vocabulary/outer-form';
import { defined } from '@holdfast/base/defined';
import { messageOf } from '@holdfast/base/message-of';
import { type Output, openCommand } from '../cli.ts';
import type { CliCommand } from '../cli-command.ts';
import { withTyped } from '../../config/command-line.ts';
import { exitCodeOfError } from '../error-code.ts';
import { type ExitCode, exitCodeOf, exitCodes } from '../../common/exit-codes.ts';
import { describeRetry } from '../live/calls-in-flight.ts';
import { showResult, textFor } from '../live/follow-session.ts';
import {
  printUnread,
  type Standing,
  describeStanding,
  findStanding,
  undefinedIfUnanswered,
  warnWithoutWorker,
  waysToContinue,
} from '../live/session-standing.ts';
import { describeFigures, describeResult } from '../render/describe-result.ts';
import { describeListing, describeSnapshot, stateOf } from '../render/describe-session.ts';
import { printEntry } from './logs.ts';
import { describeTree } from '../render/describe-tree.ts';
import type { ServerCommand } from '../server-access.ts';
import { cutOff } from '@holdfast/vocabulary/run-status';
import type { MergedSnapshot, SessionHandle, SessionListing } from '../../client.ts';
import { readStoredResult, readText } from '@holdfast/stored/stored-session';
import { openArtifactReader } from '../../config/artifacts.ts';
import type { SessionResult } from '@holdfast/vocabulary/run-result';

type ShowOptions = { messages?: boolean; tree?: boolean };

export function registerShow(program: CliCommand): void {
  program
    .sessionCommand('show')
    .option('--messages', 'also its messages, tool calls and outputs')
    .option('--tree', 'its subagents at every level instead, each with state and cost')
    .examples([
      'show checkout-is-slow-k3v9x',
      'show checkout-is-slow-k3v9x --messages',
      'show checkout-is-slow-k3v9x --tree',
    ])
    .onSession(showSession);
}

async function showSession(
  frame: ServerCommand,
  session: SessionHandle,
  options: ShowOptions,
): Promise<void> {
  const { output } = frame;
  if (options.tree) return showTree(output, session);
  const stored = await session.storedResult();
  // the history may be gone, and the store has the result
  const listing = await session.describe().catch((error: unknown) => {
    if (!stored) throw error;
  });
  if (listing) await showState(frame, session, listing, stored !== undefined);
  // the stored result is that of an earlier run
  const isWorking = listing?.status === 'RUNNING' && listing.agentStatus !== 'idle';
  const ended = listing?.status !== 'RUNNING';
  if (stored && !isWorking) {
    await showStored(output, stored);
    // a stored result lacks what its subagents have not read
    const last = ended ? await session.result().catch(() => stored) : stored;
    await printUnread(output, session, last, !ended);
  }
  await sayWhichSession(output, openArtifactReader(frame.config), session.sessionId);
  if (options.messages) await showMessages(output, session, ended);
}

async function showTree(output: Output, session: SessionHandle): Promise<void> {
  const tree = await session.tree();
  output.emit({ type: 'tree', tree });
  output.print(describeTree(tree, output.colors));
}

/** For an ended session, the store has more than a worker, and needs none. */
async function showState(
  { output, access, config }: ServerCommand,
  session: SessionHandle,
  listing: SessionListing,
  stored: boolean,
): Promise<void> {
  const { colors } = output;
  const uiUrl = access.uiAddressOf(listing.sessionId);
  const httpUrl = access.httpAddressOf(listing.sessionId);
  const standing = await findStanding(session);
  const { state } = standing;
  const answers = state === 'running' || (state === 'ended' && !stored);
  const cut = cutOff[listing.status] ? stateOf(listing) : '';
  const snapshot = answers ? await askSnapshot(output, session) : undefined;
  const { retries } = await session.inFlight();
  const { toView } = await import('../../gateway/session-view.ts');
  const { links: _, ...view } = toView(listing, snapshot, true);
  output.emit({ type: 'session', session: view, standing: state, retries, uiUrl, httpUrl });
  output.print(
    snapshot
      ? describeSnapshot(snapshot, colors, Date.now(), cut)
      : describeListing(listing, colors, withWait(standing)),
  );
  const isPaused = state === 'paused' || state === 'idle';
  for (const retry of retries) {
    const line = describeRetry(isPaused ? { ...retry, waits: true } : retry, Date.now());
    output.print(colors.yellow(`retrying ${line}`));
  }
  if (isPaused) output.print(waysToContinue(standing, config.taskQueue).join('\n'));
  if (uiUrl) output.print(`UI       ${uiUrl}`);
  if (httpUrl) output.print(`HTTP     ${httpUrl}`);
}

/** The words for a session without a worker do not say whom it waits for. */
function withWait(standing: Standing): string {
  const { waitingFor } = standing.listing;
  const waits = standing.state === 'paused' || standing.state === 'idle' ? waitingFor : undefined;
  return `${describeStanding(standing)}${waits ? `, waiting for ${waits}` : ''}`;
}

async function askSnapshot(output: Output, session: SessionHandle): Promise<MergedSnapshot | undefined> {
  return session.mergedSnapshot().catch((error: unknown) => {
    output.say(withTyped(messageOf(error)));
    return undefinedIfUnanswered(error);
  });
}

async function showStored(output: Output, result: SessionResult, report?: string): Promise<void> {
  output.emit(toOuter({ type: 'result', result, ...defined({ report }) }));
  const { show } = await textFor(output);
  output.print(`\n${describeResult(result, output.colors, { report, show })}\n${describeFigures(result)}`);
}

async function showMessages(output: Output, session: SessionHandle, ended: boolean): Promise<void> {
  const stored = ended ? await session.storedMessages() : undefined;
  for await (const entry of stored ?? session.messages()) printEntry(output, entry);
}

export function registerResult(program: CliCommand): void {
  program
    .sessionCommand('result')
    .examples(['result checkout-is-slow-k3v9x', 'result checkout-is-slow-k3v9x --json | jq .report'])
    .action(async (sessionId: string, _options: unknown, command: CliCommand) => {
      try {
        await withSession(command, sessionId, awaitEnd);
      } catch (error) {
        if (exitCodeOfError(error) !== exitCodes.noServer) throw error;
        command.cli.exitCode = exitCodeOf(await readWithoutServer(command, sessionId, error));
      }
    });
}

async function awaitEnd(frame: ServerCommand, session: SessionHandle): Promise<ExitCode> {
  // an unknown session may still have a stored result
  const listing = await session.describe().catch(() => undefined);
  if (listing?.status === 'RUNNING') {
    frame.output.say('It has not ended: waiting. Ctrl-C stops waiting.');
    await warnWithoutWorker(frame, session, 'its work waits for one');
  }
  const result = await session.result();
  await showResult(frame, session, result);
  await sayWhichSession(frame.output, openArtifactReader(frame.config), session.sessionId);
  return exitCodeOf(result);
}

/** Without a server only the artifact store is left. */
async function readWithoutServer(
  command: CliCommand,
  sessionId: string,
  noServer: unknown,
): Promise<SessionResult> {
  const { output, config } = await openCommand(command, 'results');
  const store = openArtifactReader(config);
  const result = await readStoredResult(store, sessionId);
  if (!result) throw noServer;
  const report = result.report && (await readText(store, sessionId, result.report.artifactId));
  output.say('No server: this is the stored result.');
  await showStored(output, result, report);
  await sayWhichSession(output, store, sessionId);
  return result;
}

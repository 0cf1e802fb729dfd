// The standing of a session: ended or not, with or without a worker, with or without work. Printed in the same words by
// show, by run and watch when they leave it, and by commands that have nothing to do for it.
import { present } from '@holdfast/base/present';
import { ClientError, type SessionHandle, type SessionListing } from '../../client.ts';
import { unansweredCodes } from '../../client/client-error.ts';
import type { Snapshot } from '@holdfast/vocabulary/snapshot';
import { typed, withTyped } from '../../config/command-line.ts';
import { stateOf } from '../render/describe-session.ts';
import type { ServerCommand } from '../server-access.ts';
import { exitCodes } from '../../common/exit-codes.ts';
import { UserError } from '../../common/user-error.ts';
import type { RunResult } from '@holdfast/vocabulary/run-result';
import { describeUnread } from '@holdfast/report/describe-end';
import type { Output } from '../cli.ts';
import { describeQueued } from '../render/describe-waiting.ts';

export type Standing = {
  /**
   * `running`: a worker answers. `paused`: there is work, and no worker is running. `idle`: no work, no worker. `silent`:
   * a worker is listed and does not answer. `stuck`: its workflow task fails again and again.
   */
  state: 'ended' | 'running' | 'paused' | 'idle' | 'silent' | 'stuck';
  listing: SessionListing;
};

/** `stopped`: the identity of a worker that the caller has ended. */
export async function findStanding(session: SessionHandle, stopped?: string): Promise<Standing> {
  const listing = await session.describe();
  if (listing.status !== 'RUNNING') return { state: 'ended', listing };
  if (listing.failingTask) return { state: 'stuck', listing };
  const { worker } = await session.liveness({ stopped });
  if (worker === 'answers') return { state: 'running', listing };
  if (worker === 'silent') return { state: 'silent', listing };
  return { state: listing.agentStatus === 'idle' ? 'idle' : 'paused', listing };
}

/** Undefined for an ended session, which sending reports best, or if no worker answers: then a signal waits for one. */
export async function askRunning(session: SessionHandle): Promise<Snapshot | undefined> {
  const { status } = await session.describe();
  return status === 'RUNNING' ? session.snapshot().catch(undefinedIfUnanswered) : undefined;
}

/** For a query that may go unanswered; rethrows any other error. */
export function undefinedIfUnanswered(error: unknown): undefined {
  if (!(error instanceof ClientError && unansweredCodes.has(error.code))) throw error;
}

/** It has no run, and none is being prepared; loading a checkpoint for one counts as preparing. */
export function isIdle({ state, waitingFor }: Snapshot): boolean {
  return state === 'idle' && waitingFor === 'prompt';
}

export function nothingToDo(message: string): UserError {
  return new UserError(message, exitCodes.refused);
}

/** E.g. `paused, no worker is running`. */
export function describeStanding({ state, listing }: Standing): string {
  if (state === 'paused' || state === 'idle') return `${state}, no worker is running`;
  if (state !== 'silent') return stateOf(listing);
  return `${stateOf(listing)}, but its worker does not answer: it is busy, or has just died`;
}

/** The command that starts a worker for a session. `ownQueue`: of the config. */
export function workerOf(taskQueue: string, ownQueue: string): string {
  return typed(taskQueue === ownQueue ? 'worker' : `worker --task-queue ${taskQueue}`);
}

/** The commands that continue a session without a worker, one a line. */
export function waysToContinue({ state, listing }: Standing, ownQueue: string): string[] {
  const { sessionId, taskQueue } = listing;
  const worker = workerOf(taskQueue, ownQueue);
  if (state === 'idle')
    return [`  worker:     ${worker}`, `  next task:  ${typed(`prompt ${sessionId} <words>`)}`];
  return [`  continue:   ${typed(`watch ${sessionId} --worker`)}`, `  or:         ${worker}`];
}

/** The state of a session that is no longer followed here. */
export async function sayLeft(
  { output, access, config }: ServerCommand,
  session: SessionHandle,
  stopped?: string,
): Promise<void> {
  const { sessionId } = session;
  const uiUrl = access.uiAddressOf(sessionId);
  const standing = await findStanding(session, stopped).catch(toUnreachable);
  if (standing instanceof ClientError) {
    output.emit({ type: 'left', sessionId, state: 'unknown', uiUrl });
    // the command that continues also restarts our own server
    const back = access.devServer
      ? `  continue:   ${typed(`watch ${sessionId} --worker`)}`
      : `  come back:  ${typed(`watch ${sessionId}`)}`;
    output.say(`\nLeft session ${sessionId}: ${withTyped(standing.message)}\n${back}`);
    return;
  }
  const { state, listing } = standing;
  output.emit({ type: 'left', sessionId, state, taskQueue: listing.taskQueue, uiUrl });
  output.say(
    present([
      `\n${headOf(standing, access.settings.address)}`,
      ...waysOn(standing, config.taskQueue),
      uiUrl ? `  look:       ${uiUrl}` : undefined,
    ]).join('\n'),
  );
}

function headOf(standing: Standing, address: string): string {
  const { state, listing } = standing;
  const { sessionId } = listing;
  if (state === 'ended') return `Session ${sessionId} has ended.`;
  if (state === 'silent') return `Left session ${sessionId}: ${describeStanding(standing)}.`;
  if (state !== 'running') return `Session ${sessionId}: ${describeStanding(standing)}.`;
  return `Left session ${sessionId} ${listing.agentStatus === 'idle' ? 'idle' : 'running'} on ${address}.`;
}

function waysOn(standing: Standing, ownQueue: string): string[] {
  const { state, listing } = standing;
  const { sessionId, agentStatus, outcome } = listing;
  if (state === 'ended') return [`  result:     ${typed(`result ${sessionId}`)}`];
  if (state === 'idle') return waysToContinue(standing, ownQueue);
  if (agentStatus === 'idle') {
    return present([
      `  next task:  ${typed(`prompt ${sessionId} <words>`)}`,
      outcome !== 'completed' && `  continue:   ${typed(`continue ${sessionId}`)}`,
      `  close it:   ${typed(`end ${sessionId}`)}`,
    ]);
  }
  const stop = `  stop it:    ${typed(`abort ${sessionId}`)}`;
  if (state === 'paused') return [...waysToContinue(standing, ownQueue), stop];
  return [`  come back:  ${typed(`watch ${sessionId}`)}`, stop];
}

/** Says so if a message, or `what` else, waits for a worker and there is none. */
export async function warnWithoutWorker(
  { output, config }: ServerCommand,
  session: SessionHandle,
  what = 'it reads this when there is one',
): Promise<void> {
  // optional: the server has the message
  const standing = await findStanding(session).catch(() => undefined);
  if (standing?.state !== 'paused' && standing?.state !== 'idle') return;
  const ways = waysToContinue(standing, config.taskQueue).join('\n');
  output.say(`No worker is running for session ${session.sessionId}: ${what}.\n${ways}`);
}

function toUnreachable(error: unknown): ClientError {
  if (error instanceof ClientError) return error;
  throw error;
}

/**
 * Messages that no run has read, after a result: their words where a worker answers, and the command that continues. `stays`:
 * the session is open, and its messages may have been read since.
 */
export async function printUnread(
  output: Output,
  session: SessionHandle,
  { undelivered }: Partial<RunResult> & { undelivered?: string[] } = {},
  stays: boolean = undelivered === undefined,
): Promise<void> {
  if (undelivered?.length === 0) return;
  // the server may have deleted the history of a stored result
  const { worker } = await session.liveness().catch(() => ({ worker: 'none' }));
  const waiting = worker === 'answers' ? await session.queued() : undefined;
  const left = undelivered?.map((id) => waiting?.find((one) => one.id === id) ?? { id });
  const messages = (stays ? (waiting ?? left) : left) ?? [];
  if (messages.length === 0) return;
  const { sessionId } = session;
  output.emit({ type: 'unread', sessionId, messages });
  const way = withTyped(describeUnread(sessionId, messages.length, stays));
  output.print([output.colors.yellow(`! ${way}`), ...messages.map(describeQueued)].join('\n'));
}

// How a session stands: whether it has ended, and if not, whether a worker is running for it. Said in the same words
// by show, and by run and watch when they leave it.
import { ClientError, type HoldfastClient, type SessionListing } from '../../client.ts';
import { typed } from '../command-line.ts';
import { stateOf } from '../render/describe-snapshot.ts';
import type { ServerCommand } from '../with-server.ts';

export type Standing = {
  /**
   * `running`: a worker answers. `paused`: there is work, and no worker is running. `idle`: no work, no worker.
   * `silent`: a worker is listed and does not answer.
   */
  state: 'ended' | 'running' | 'paused' | 'idle' | 'silent';
  listing: SessionListing;
};

/** `stopped`: the identity of a worker that the caller has ended. */
export async function findStanding(
  client: HoldfastClient,
  sessionId: string,
  stopped?: string,
): Promise<Standing> {
  const listing = await client.find(sessionId);
  if (listing.status !== 'RUNNING') return { state: 'ended', listing };
  const { worker } = await client.liveness(sessionId, stopped === undefined ? {} : { stopped });
  if (worker === 'answers') return { state: 'running', listing };
  if (worker === 'silent') return { state: 'silent', listing };
  return { state: listing.agentStatus === 'idle' ? 'idle' : 'paused', listing };
}

/** Such as `paused, no worker is running`. */
export function describeStanding({ state, listing }: Standing): string {
  if (state === 'paused' || state === 'idle') return `${state}, no worker is running`;
  if (state !== 'silent') return stateOf(listing);
  return `${stateOf(listing)}, but its worker does not answer: it is busy, or has just died`;
}

/** The commands that continue a session without a worker, each in a line of its own. */
export function waysToContinue({ state, listing }: Standing, ownQueue: string): string[] {
  const { sessionId, taskQueue } = listing;
  const worker = typed(`worker${taskQueue === ownQueue ? '' : ` --task-queue ${taskQueue}`}`);
  if (state === 'idle')
    return [`  worker:     ${worker}`, `  next task:  ${typed(`prompt ${sessionId} <words>`)}`];
  return [`  continue:   ${typed(`watch ${sessionId} --worker`)}`, `  or:         ${worker}`];
}

/** What becomes of a session that is no longer followed here. */
export async function sayLeft(
  { output, access, config }: ServerCommand,
  sessionId: string,
  stopped?: string,
): Promise<void> {
  const uiUrl = access.uiAddressOf(sessionId);
  const standing = await findStanding(access.client, sessionId, stopped).catch(toUnreachable);
  if (standing instanceof ClientError) {
    output.emit({ type: 'left', sessionId, state: 'unknown', uiUrl });
    // our own server is started again by the command that continues
    const back = access.devServer
      ? `  continue:   ${typed(`watch ${sessionId} --worker`)}`
      : `  come back:  ${typed(`watch ${sessionId}`)}`;
    output.say(`\nLeft session ${sessionId}: ${standing.message}\n${back}`);
    return;
  }
  const { state, listing } = standing;
  output.emit({ type: 'left', sessionId, state, taskQueue: listing.taskQueue, uiUrl });
  output.say(
    [
      `\n${headOf(standing, access.settings.address)}`,
      ...waysOn(standing, config.taskQueue),
      ...(uiUrl ? [`  look:       ${uiUrl}`] : []),
    ].join('\n'),
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
  const { sessionId } = listing;
  if (state === 'ended') return [`  result:     ${typed(`result ${sessionId}`)}`];
  if (state === 'idle') return waysToContinue(standing, ownQueue);
  if (listing.agentStatus === 'idle') return waysFromIdle(listing);
  const stop = `  stop it:    ${typed(`abort ${sessionId}`)}`;
  if (state === 'paused') return [...waysToContinue(standing, ownQueue), stop];
  return [`  come back:  ${typed(`watch ${sessionId}`)}`, stop];
}

function waysFromIdle({ sessionId, outcome }: SessionListing): string[] {
  return [
    `  next task:  ${typed(`prompt ${sessionId} <words>`)}`,
    ...(outcome === 'completed' ? [] : [`  continue:   ${typed(`continue ${sessionId}`)}`]),
    `  close it:   ${typed(`end ${sessionId}`)}`,
  ];
}

/** A message waits for a worker, and whoever sent it is told when there is none. */
export async function warnWithoutWorker(
  { output, access, config }: ServerCommand,
  sessionId: string,
): Promise<void> {
  // a courtesy: the message is with the server
  const standing = await findStanding(access.client, sessionId).catch(() => undefined);
  if (standing?.state === 'paused' || standing?.state === 'idle') {
    const ways = waysToContinue(standing, config.taskQueue).join('\n');
    output.say(`No worker is running for session ${sessionId}: it reads this when there is one.\n${ways}`);
  }
}

function toUnreachable(error: unknown): ClientError {
  if (error instanceof ClientError) return error;
  throw error;
}

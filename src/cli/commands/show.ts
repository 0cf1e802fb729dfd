// holdfast show: where a session stands, and with --messages what was said. Without a worker it says what the
// server and the store know.
import type { Command } from 'commander';
import { ClientError, type HoldfastClient, type MergedSnapshot, type SessionListing } from '../../client.ts';
import type { LogRecord } from '../../core/model/messages.ts';
import type { SessionResult } from '../../core/model/run-result.ts';
import { anySession } from '../arguments.ts';
import type { Cli, Output } from '../cli.ts';
import { withTyped } from '../command-line.ts';
import { describeListing, describeSnapshot } from '../render/describe-snapshot.ts';
import { describeRetry } from '../render/describe-retry.ts';
import { describeRecord } from '../render/describe-record.ts';
import { describeFigures, describeResult } from '../render/describe-result.ts';
import { type Standing, describeStanding, findStanding, waysToContinue } from '../live/session-standing.ts';
import { type ServerCommand, withServer } from '../with-server.ts';

export function registerShow(program: Command, cli: Cli): void {
  program
    .command('show')
    .description('show where a session stands: task, state, cost, what it waits for')
    .argument('<session>', 'session id', anySession)
    .option('--messages', 'also everything that was said and done')
    .action(async (sessionId: string, options: { messages?: boolean }, command: Command) => {
      await withServer(cli, command, async (frame) => {
        const { output, access } = frame;
        const listing = await findOrStored(access.client, sessionId);
        const stored = await access.client.storedResult(sessionId);
        if (listing) await showState(frame, listing, stored !== undefined);
        // a session that has another run in hand has not come to this end
        const isWorking = listing?.status === 'RUNNING' && listing.agentStatus !== 'idle';
        if (stored && !isWorking) showResult(output, stored);
        const ended = listing?.status !== 'RUNNING';
        if (options.messages) await showMessages(output, access.client, sessionId, ended);
      });
    });
}

/** Undefined: the history is gone, and the store has the result. */
async function findOrStored(client: HoldfastClient, sessionId: string): Promise<SessionListing | undefined> {
  try {
    return await client.find(sessionId);
  } catch (error) {
    if (await client.storedResult(sessionId)) return undefined;
    throw error;
  }
}

/** Of a session that has ended, what is stored says more than a worker would, and needs none. */
async function showState(
  { output, access, config }: ServerCommand,
  listing: SessionListing,
  stored: boolean,
): Promise<void> {
  const { client } = access;
  const { colors } = output;
  const uiUrl = access.uiAddressOf(listing.sessionId);
  const standing = await findStanding(client, listing.sessionId);
  const { state } = standing;
  const answers = state === 'running' || (state === 'ended' && !stored);
  const snapshot = answers ? await askSnapshot(output, client, listing) : undefined;
  const { retries } = await client.inFlight(listing.sessionId);
  if (snapshot) {
    output.emit({ type: 'snapshot', snapshot, retries, uiUrl });
    output.print(describeSnapshot(snapshot, colors, Date.now()));
  } else {
    output.emit({ type: 'listing', listing, state, retries, uiUrl });
    output.print(describeListing(listing, colors, withWait(standing)));
  }
  const isPaused = state === 'paused' || state === 'idle';
  for (const retry of retries) {
    const line = describeRetry(isPaused ? { ...retry, waits: true } : retry, Date.now());
    output.print(colors.yellow(`retrying ${line}`));
  }
  if (isPaused) output.print(waysToContinue(standing, config.taskQueue).join('\n'));
  if (uiUrl) output.print(`UI       ${uiUrl}`);
}

/** The words for a session that somebody has left do not say for what it waits. */
function withWait(standing: Standing): string {
  const { waitingFor } = standing.listing;
  const waits = standing.state === 'paused' || standing.state === 'idle' ? waitingFor : undefined;
  return `${describeStanding(standing)}${waits ? `, waiting for ${waits}` : ''}`;
}

async function askSnapshot(
  output: Output,
  client: HoldfastClient,
  { sessionId }: SessionListing,
): Promise<MergedSnapshot | undefined> {
  try {
    return await client.mergedSnapshot(sessionId);
  } catch (error) {
    const unanswered =
      error instanceof ClientError && (error.code === 'NoWorker' || error.code === 'WorkerBusy');
    if (!unanswered) throw error;
    output.say(withTyped(error.message));
    return undefined;
  }
}

function showResult(output: Output, result: SessionResult): void {
  output.emit({ type: 'result', result });
  output.print(`\n${describeResult(result, output.colors)}\n${describeFigures(result)}`);
}

async function showMessages(
  output: Output,
  client: HoldfastClient,
  sessionId: string,
  ended: boolean,
): Promise<void> {
  const stored = ended ? await client.storedMessages(sessionId) : undefined;
  for await (const record of stored ?? client.messages(sessionId)) {
    output.emit('role' in record ? { type: 'message', record } : record);
    if (isRecord(record)) output.print(describeRecord(record, output.colors));
    else output.print(`… messages ${record.fromSeq} to ${record.toSeq} are stored elsewhere`);
  }
}

function isRecord(record: LogRecord | { type: 'missing' }): record is LogRecord {
  return 'role' in record;
}

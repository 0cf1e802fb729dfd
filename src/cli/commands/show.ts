// holdfast show: the state of a session, and with --messages its log. Without a worker, as far as the server and the
// store know it.
import type { Command } from 'commander';
import type { MergedSnapshot, SessionHandle, SessionListing } from '../../client.ts';
import type { LogRecord } from '../../core/model/messages.ts';
import type { SessionResult } from '../../core/model/run-result.ts';
import { anySession } from '../arguments.ts';
import type { Cli, Output } from '../cli.ts';
import { addExamples, withTyped } from '../command-line.ts';
import { describeListing, describeSnapshot } from '../render/describe-snapshot.ts';
import { describeRetry } from '../live/calls-in-flight.ts';
import { describeRecord } from '../render/describe-record.ts';
import { describeFigures, describeResult } from '../render/describe-result.ts';
import {
  type Standing,
  describeStanding,
  findStanding,
  undefinedIfUnanswered,
  waysToContinue,
} from '../live/session-standing.ts';
import { type ServerCommand, withServer } from '../server-access.ts';
import { messageOf } from '../user-error.ts';

export function registerShow(program: Command, cli: Cli): void {
  const registered = program
    .command('show')
    .description('show the state of a session: task, cost, and what it is waiting for')
    .argument('<session>', 'session id', anySession)
    .option('--messages', 'also its messages, tool calls and outputs')
    .action(async (sessionId: string, options: { messages?: boolean }, command: Command) => {
      await withServer(cli, command, async (frame) => {
        const { output, access } = frame;
        const session = access.client.session(sessionId);
        const stored = await session.storedResult();
        // the history may be gone, and the store has the result
        const listing = await session.describe().catch((error: unknown) => {
          if (!stored) throw error;
        });
        if (listing) await showState(frame, session, listing, stored !== undefined);
        // a session that has another run in hand has not come to this end
        const isWorking = listing?.status === 'RUNNING' && listing.agentStatus !== 'idle';
        if (stored && !isWorking) showResult(output, stored);
        const ended = listing?.status !== 'RUNNING';
        if (options.messages) await showMessages(output, session, ended);
      });
    });
  addExamples(registered, ['show checkout-is-slow-k3v9x', 'show checkout-is-slow-k3v9x --messages']);
}

/** Of a session that has ended the store says more than a worker would, and needs none. */
async function showState(
  { output, access, config }: ServerCommand,
  session: SessionHandle,
  listing: SessionListing,
  stored: boolean,
): Promise<void> {
  const { colors } = output;
  const uiUrl = access.uiAddressOf(listing.sessionId);
  const standing = await findStanding(session);
  const { state } = standing;
  const answers = state === 'running' || (state === 'ended' && !stored);
  const snapshot = answers ? await askSnapshot(output, session) : undefined;
  const { retries } = await session.inFlight();
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

/** The words for a session without a worker do not name what it is waiting for. */
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

function showResult(output: Output, result: SessionResult): void {
  output.emit({ type: 'result', result });
  output.print(`\n${describeResult(result, output.colors)}\n${describeFigures(result)}`);
}

async function showMessages(output: Output, session: SessionHandle, ended: boolean): Promise<void> {
  const stored = ended ? await session.storedMessages() : undefined;
  for await (const record of stored ?? session.messages()) {
    output.emit('role' in record ? { type: 'message', record } : record);
    if (isRecord(record)) output.print(describeRecord(record, output.colors));
    else output.print(`… messages ${record.fromSeq} to ${record.toSeq} are stored elsewhere`);
  }
}

function isRecord(record: LogRecord | { type: 'missing' }): record is LogRecord {
  return 'role' in record;
}

// holdfast show: where a session stands, and with --messages what was said. Without a worker it says what the
// server and the store know.
import type { Command } from 'commander';
import { ClientError, type HoldfastClient, type SessionListing } from '../../client.ts';
import type { LogRecord } from '../../core/messages.ts';
import type { Cli, Output } from '../cli.ts';
import { describeListing, describeSnapshot } from '../render/describe-snapshot.ts';
import { describeRecord } from '../render/describe-record.ts';
import { describeFigures, describeResult } from '../render/describe-result.ts';
import { withServer } from '../with-server.ts';

export function registerShow(program: Command, cli: Cli): void {
  program
    .command('show')
    .description('show where a session stands: task, state, cost, what it waits for')
    .argument('<session>', 'session id')
    .option('--messages', 'also everything that was said and done')
    .action(async (sessionId: string, options: { messages?: boolean }, command: Command) => {
      await withServer(cli, command, async ({ output, access }) => {
        const listing = await findOrStored(access.client, sessionId);
        if (listing) await showState(output, access.client, listing, access.uiAddressOf(sessionId));
        await showStored(output, access.client, sessionId);
        if (options.messages) await showMessages(output, access.client, sessionId);
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

async function showState(
  output: Output,
  client: HoldfastClient,
  listing: SessionListing,
  uiUrl: string | undefined,
): Promise<void> {
  const { colors } = output;
  try {
    const snapshot = await client.mergedSnapshot(listing.sessionId);
    output.emit({ type: 'snapshot', snapshot, uiUrl });
    output.print(describeSnapshot(snapshot, colors));
  } catch (error) {
    const unanswered =
      error instanceof ClientError && (error.code === 'NoWorker' || error.code === 'WorkerBusy');
    if (!unanswered) throw error;
    output.emit({ type: 'listing', listing, uiUrl, unanswered: error.code });
    output.print(describeListing(listing, colors));
    output.say(error.message);
  }
  if (uiUrl) output.print(`UI       ${uiUrl}`);
}

async function showStored(output: Output, client: HoldfastClient, sessionId: string): Promise<void> {
  const result = await client.storedResult(sessionId);
  if (!result) return;
  output.emit({ type: 'result', result });
  output.print(`\n${describeResult(result, output.colors)}\n${describeFigures(result)}`);
}

async function showMessages(output: Output, client: HoldfastClient, sessionId: string): Promise<void> {
  for await (const record of client.messages(sessionId)) {
    output.emit('role' in record ? { type: 'message', record } : record);
    if (isRecord(record)) output.print(describeRecord(record, output.colors));
    else output.print(`… messages ${record.fromSeq} to ${record.toSeq} are stored elsewhere`);
  }
}

function isRecord(record: LogRecord | { type: 'missing' }): record is LogRecord {
  return 'role' in record;
}

// All that a Temporal server holds of a session, read without keys: what anybody sees who can read its namespace.
import type { Client } from '@temporalio/client';
import { bytesIn, eventsOf, readChain } from './session-history.ts';

/** Which of these words are there, in any payload, in base64 inside one, or in clear. */
export function wordsIn(server: unknown, words: readonly string[]): string[] {
  const text = Buffer.concat([
    ...bytesIn(server).flatMap((bytes) => [bytes, unwrapped(bytes), Buffer.from('\n')]),
    Buffer.from(JSON.stringify(server)),
  ]).toString('latin1');
  return words.filter((word) => text.includes(word));
}

/** Also what a payload holds in base64. */
function unwrapped(bytes: Uint8Array): Uint8Array {
  const texts =
    Buffer.from(bytes)
      .toString('latin1')
      .match(/[A-Za-z0-9+/_-]{16,}={0,2}/g) ?? [];
  return Buffer.concat(texts.map((text) => Buffer.from(text, 'base64')));
}

/** Histories, description with memo, attributes and calls in flight, and the answers to queries of other clients. */
export async function readServer(client: Client, sessionId: string): Promise<unknown> {
  const { namespace } = client.options;
  const execution = { workflowId: sessionId };
  const described = await client.workflowService.describeWorkflowExecution({ namespace, execution });
  const firstRunId = described.workflowExecutionInfo?.firstRunId ?? '';
  const events = eventsOf(await readChain(client, sessionId, firstRunId));
  const query = { queryType: '__temporal_workflow_metadata' };
  // nobody answers where no worker is
  const details = await client
    .withDeadline(Date.now() + 3_000, () =>
      client.workflowService.queryWorkflow({ namespace, execution, query }),
    )
    .catch((error: unknown) => String(error));
  return { events, described, details };
}

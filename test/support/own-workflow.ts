// The client of an activity, for queries of its own workflow.
import type { Client } from '@temporalio/client';
import type { QueryOwnWorkflow } from '../../src/activities/base/own-workflow.ts';

/** Of a workflow that gives every query this answer. */
export function clientThatAnswers(answer: unknown): Client {
  return clientOf(() => Promise.resolve(answer));
}

/** Of a session with this checkpoint. */
export function clientWithCheckpoint(checkpoint: object): Client {
  const text = JSON.stringify(checkpoint);
  return clientThatAnswers({ text, totalCharacters: text.length });
}

export function clientOf(query: QueryOwnWorkflow): Client {
  const handle = { query: (name: string, ...args: unknown[]) => query(name, args) };
  const client = {
    withAbortSignal: (_signal: AbortSignal, work: () => unknown) => work(),
    withDeadline: (_deadline: number, work: () => unknown) => work(),
    activity: { heartbeat: () => Promise.resolve() },
    workflow: { getHandle: () => handle },
  };
  return client as unknown as Client;
}

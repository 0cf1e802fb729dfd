// The client of an activity, for queries of its own workflow.
import type { Client } from '@temporalio/client';

/** Of a workflow that gives every query this answer. */
export function clientThatAnswers(answer: unknown): Client {
  const handle = { query: () => Promise.resolve(answer) };
  const client = {
    withAbortSignal: (_signal: AbortSignal, work: () => unknown) => work(),
    withDeadline: (_deadline: number, work: () => unknown) => work(),
    activity: { heartbeat: () => Promise.resolve() },
    workflow: { getHandle: () => handle },
  };
  return client as unknown as Client;
}

// Wakes a watcher when a session's history grows, by the server's long-poll; follows it over continue-as-new.
// Costs the session nothing: no query, no worker. What the events say is asked elsewhere.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';

type PollAnswer = Awaited<ReturnType<Client['workflowService']['getWorkflowExecutionHistory']>>;
type HistoryEvent = NonNullable<NonNullable<PollAnswer['history']>['events']>[number];

export type HistoryWatch = {
  sessionId: string;
  signal: AbortSignal;
  /** After each piece of new history. */
  onChange(): void;
};

/** The server answers an empty page after about 20 s. */
const pollDeadlineMs = 70_000;
const retryMs = 500;

/** Resolves when the last run of the session has closed, or on abort. A server that is away is waited for. */
export async function watchHistory(client: Client, watch: HistoryWatch): Promise<void> {
  let workflowRunId: string | undefined;
  for (;;) {
    const next = await watchRun(client, watch, workflowRunId);
    watch.onChange();
    if (next === undefined) return;
    workflowRunId = next;
  }
}

/** The id of the run that follows this one; undefined when none does. */
async function watchRun(
  client: Client,
  watch: HistoryWatch,
  runId: string | undefined,
): Promise<string | undefined> {
  const { connection, workflowService } = client;
  let token: Uint8Array | null | undefined;
  while (!watch.signal.aborted) {
    const answer = await connection
      .withAbortSignal(watch.signal, () =>
        connection.withDeadline(Date.now() + pollDeadlineMs, () =>
          workflowService.getWorkflowExecutionHistory({
            namespace: client.options.namespace,
            execution: { workflowId: watch.sessionId, ...(runId === undefined ? {} : { runId }) },
            waitNewEvent: true,
            skipArchival: true,
            maximumPageSize: 1_000,
            ...(token === undefined || token === null ? {} : { nextPageToken: token }),
          }),
        ),
      )
      .catch(() => undefined);
    if (answer === undefined) {
      // Whether the session is unknown or the server is away is the query's to say.
      await sleep(retryMs, undefined, { signal: watch.signal }).catch(() => undefined);
      continue;
    }
    const events = answer.history?.events ?? [];
    const last = events.at(-1);
    if (isEnd(last)) return nextRun(last);
    if (events.length > 0) watch.onChange();
    token = answer.nextPageToken && answer.nextPageToken.length > 0 ? answer.nextPageToken : undefined;
  }
  return undefined;
}

function isEnd(event: HistoryEvent | undefined): event is HistoryEvent {
  return Boolean(
    event?.workflowExecutionCompletedEventAttributes ??
    event?.workflowExecutionFailedEventAttributes ??
    event?.workflowExecutionTimedOutEventAttributes ??
    event?.workflowExecutionCanceledEventAttributes ??
    event?.workflowExecutionTerminatedEventAttributes ??
    event?.workflowExecutionContinuedAsNewEventAttributes,
  );
}

function nextRun(event: HistoryEvent): string | undefined {
  const next =
    event.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ??
    event.workflowExecutionCompletedEventAttributes?.newExecutionRunId ??
    event.workflowExecutionFailedEventAttributes?.newExecutionRunId ??
    event.workflowExecutionTimedOutEventAttributes?.newExecutionRunId;
  return next === '' || next === null ? undefined : next;
}

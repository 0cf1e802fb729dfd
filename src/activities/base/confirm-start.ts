// Asks the server whether an attempt still counts, right before a body that changes something. The process may have been
// frozen (a paused machine, swap, sleep) after it got its task, and the session told that the attempt is lost. Runs in
// activities.
import { Context } from '@temporalio/activity';
import { ActivityCancelledError, ActivityNotFoundError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { messageOf } from '@holdfast/base/message-of';

const deadlineMs = 5_000;

/**
 * Sends a heartbeat and waits for the answer, which the SDK's own heartbeats do not. Undefined if the body may begin,
 * else the reason why it must not. Never rejects.
 */
export async function confirmStart(details?: unknown): Promise<string | undefined> {
  const { client, info, cancellationSignal } = Context.current();
  const { taskToken, namespace, workflowExecution, isLocal, heartbeatTimeoutMs = 2 * deadlineMs } = info;
  const workflowId = workflowExecution?.workflowId ?? '';
  const serializationContext = { type: 'activity', namespace, workflowId, isLocal } as const;
  for (;;) {
    const asked = clocks();
    try {
      await client.withDeadline(Date.now() + deadlineMs, () =>
        client.activity.heartbeat(taskToken, details, { serializationContext }),
      );
    } catch (error) {
      return describeRefusal(error, cancellationSignal);
    }
    // a late answer proves nothing about now
    if (elapsedMs(asked) < heartbeatTimeoutMs / 2) return undefined;
  }
}

/** For an activity that writes where others write too: an abandoned attempt must not write after a newer one. */
export function confirmed<Input, Result>(
  activity: (input: Input) => Promise<Result>,
): (input: Input) => Promise<Result> {
  return async (input) => {
    const reason = await confirmStart();
    if (reason === undefined) return activity(input);
    throw ApplicationFailure.create({ type: 'Activity.NotBegun', message: `It was not begun: ${reason}.` });
  };
}

function describeRefusal(error: unknown, { aborted }: AbortSignal): string {
  if (error instanceof ActivityNotFoundError) return 'the session had given it up before it began';
  if (error instanceof ActivityCancelledError || aborted) return 'it was stopped before it began';
  return `the server did not let it begin (${messageOf(error)})`;
}

/** On a paused machine the monotonic clock may stop; in a stopped process both clocks run. */
type Clocks = { monotonic: number; wall: number };

function clocks(): Clocks {
  return { monotonic: performance.now(), wall: Date.now() };
}

function elapsedMs(since: Clocks): number {
  const now = clocks();
  return Math.max(now.monotonic - since.monotonic, Math.abs(now.wall - since.wall));
}

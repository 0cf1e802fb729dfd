// Whether an attempt still counts, asked of the server right before a body that changes something: the process may have been
// frozen (a paused machine, swap, sleep) between getting its task and now, and the session told that it is lost. Runs in
// activities.
import { Context } from '@temporalio/activity';
import { ActivityCancelledError, ActivityNotFoundError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { messageOf } from '../core/base/message-of.ts';

const deadlineMs = 5_000;

/**
 * Sends a heartbeat and waits for its answer, which the SDK's own heartbeats do not. Undefined: the body may begin; else the
 * reason why it must not. Never rejects.
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
    // an answer that was read late proves nothing of now
    if (elapsedMs(asked) < heartbeatTimeoutMs / 2) return undefined;
  }
}

/** An activity that writes where others write too: an attempt that was given up must not do it after a newer one. */
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

/** Of a paused machine the monotonic clock may stand; of a stopped process both run. */
type Clocks = { monotonic: number; wall: number };

function clocks(): Clocks {
  return { monotonic: performance.now(), wall: Date.now() };
}

function elapsedMs(since: Clocks): number {
  const now = clocks();
  return Math.max(now.monotonic - since.monotonic, Math.abs(now.wall - since.wall));
}

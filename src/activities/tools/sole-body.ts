// At most one body of an activity at a time in this process. A starved worker misses the heartbeats of its own calls: the
// server then gives it the next attempt beside a body that still runs, which starves it further. Runs in Node.
import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';

/** `ended`: this body, and all before it. */
type Running = { attempt: number; superseded: AbortController; ended: Promise<unknown> };

/** A body that ignores its stop holds up the next one no longer. */
const patienceMs = 10_000;

const running = new Map<string, Running>();

/**
 * Stops the body of an earlier attempt of this call, and starts `body` when it has ended, or 10 s later.
 * `superseded` is aborted when a later attempt comes. Rejects if `stop` comes while it waits.
 */
export function soleBody(callId: string): {
  superseded: AbortSignal;
  start: <T>(body: () => Promise<T>, stop: AbortSignal) => Promise<T>;
} {
  const { activityId, attempt, workflowExecution } = Context.current().info;
  const key = [workflowExecution?.runId, activityId, callId].join(' ');
  const superseded = new AbortController();
  const start = async <T>(body: () => Promise<T>, stop: AbortSignal): Promise<T> => {
    const found = running.get(key);
    const before = found && found.attempt < attempt ? found : undefined;
    before?.superseded.abort(supersededBy(attempt));
    const started = before ? endOf(before, stop).then(body) : body();
    const own = { attempt, superseded, ended: Promise.allSettled([before?.ended, started]) };
    running.set(key, own);
    void own.ended.then(() => running.get(key) === own && running.delete(key));
    return started;
  };
  return { superseded: superseded.signal, start };
}

async function endOf({ ended }: Running, stop: AbortSignal): Promise<void> {
  const over = new AbortController();
  const patience = sleep(patienceMs, undefined, { signal: AbortSignal.any([stop, over.signal]) });
  patience.catch(() => undefined);
  await Promise.race([ended, patience]).catch(() => undefined);
  over.abort();
  stop.throwIfAborted();
}

function supersededBy(attempt: number): ApplicationFailure {
  const message = `This attempt has lost its turn: attempt ${attempt} of the same call has begun here.`;
  return ApplicationFailure.create({ type: 'Tool.Superseded', message });
}

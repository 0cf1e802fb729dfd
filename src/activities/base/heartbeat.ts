// Heartbeats over an activity's whole body: they prove liveness, deliver a cancellation, and carry details for the next
// attempt and for people. Runs in activities.
import { Context } from '@temporalio/activity';
import type { DeltaBus } from './delta-bus.ts';

// an immediate beat costs 15-22 % of a short turn (measured); a call of 0.8 s is long anyway
const firstBeatMs = 800;
/** A stop arrives with a heartbeat. */
const beatMs = 1_000;
/** While a watcher in another process reads them; the worker's own limit is the same. */
export const readBeatMs = 250;

/**
 * Beats after 0.8 s and then every second until `stop`, also while the body waits. Call it on an activity's first line.
 * `details` is called at every beat and must return everything, because a beat replaces the details of the last one.
 * With a bus, four beats a second while somebody reads them.
 */
export function startHeartbeat(details: () => unknown, bus?: Pick<DeltaBus, 'hasReader'>) {
  const context = Context.current();
  const sessionId = context.info.workflowExecution?.workflowId ?? '';
  /** Sends the details now, e.g. before an attempt fails; the next attempt starts with them. */
  const beat = () => context.heartbeat(details());
  let timer = setTimeout(tick, firstBeatMs);
  function tick(): void {
    timer = setTimeout(tick, bus?.hasReader(sessionId) ? readBeatMs : beatMs);
    beat();
  }
  return { beat, stop: () => clearTimeout(timer) };
}

/** Adds heartbeats without details to an activity. */
export function withHeartbeat<Input, Result>(
  activity: (input: Input) => Promise<Result>,
): (input: Input) => Promise<Result> {
  return async (input) => {
    const heartbeat = startHeartbeat(() => undefined);
    try {
      return await activity(input);
    } finally {
      heartbeat.stop();
    }
  };
}

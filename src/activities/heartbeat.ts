// Heartbeats of an activity's whole body: they prove liveness, bring a stop, and carry details for the next attempt and
// for people. Runs in activities.
import { Context } from '@temporalio/activity';

// A beat at once would cost 15-22 % of a short turn (measured); after 0.8 s the call is a long one anyway.
const firstBeatMs = 800;
const beatMs = 1_000;

export type Heartbeat = {
  /** Sends the details now, e.g. before an attempt fails: the next attempt starts with them. */
  beat(): void;
  stop(): void;
};

/**
 * Beats after 0.8 s and then every second until `stop`, also while the body waits. Arm it on an activity's first
 * line. `details` is asked at every beat and must give all of them: a beat replaces what was sent before.
 */
export function startHeartbeat(details: () => unknown): Heartbeat {
  const context = Context.current();
  const beat = () => context.heartbeat(details());
  let timer = setTimeout(tick, firstBeatMs);
  function tick(): void {
    timer = setTimeout(tick, beatMs);
    beat();
  }
  return { beat, stop: () => clearTimeout(timer) };
}

/** An activity under heartbeats of the whole body that report nothing but life. */
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

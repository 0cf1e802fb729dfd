// Notices workers that have stopped to beat, from one look at the calls in flight to the next. Pure.
import type { RunningCall } from '../../client.ts';

export type Silence = {
  call: string;
  worker: string;
  silentMs: number;
  /** Until the server counts the attempt as lost. */
  lostInMs: number;
};

/** Workers beat every second: two that are missing may be a busy machine. */
const noticedAfterMs = 3_000;

/**
 * Takes what runs now and the time of a clock that never steps, and gives each silence once. By the caller's clock
 * alone: the server's may differ from it by more than a heartbeat.
 */
export function createSilenceWatch(): (running: readonly RunningCall[], now: number) => Silence[] {
  let before = new Map<string, { since: number; told: boolean }>();
  return (running, now) => {
    const current = running.map((call) => {
      const sign = `${call.call}/${call.attempt}/${call.worker}/${call.aliveAt}`;
      return { ...call, sign, seen: before.get(sign) ?? { since: now, told: false } };
    });
    before = new Map(current.map(({ sign, seen }) => [sign, seen]));
    return current.flatMap(({ call, worker, heartbeatTimeoutMs, seen }) => {
      const silentMs = now - seen.since;
      if (silentMs < noticedAfterMs || seen.told) return [];
      seen.told = true;
      return [{ call, worker, silentMs, lostInMs: Math.max(heartbeatTimeoutMs - silentMs, 0) }];
    });
  };
}

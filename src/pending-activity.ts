// How the server describes an activity that is under way: its states and times on the wire. Read by workers and clients.

/** PendingActivityState on the wire: a body runs, or runs on though it was asked to stop. */
const startedStates: unknown[] = [2, 3];

export function isStarted(state: unknown): boolean {
  return startedStates.includes(state);
}

type WireTime = { seconds?: unknown; nanos?: number | null };

/** Of a time or a span, in ms; 0 where there is none. */
export function toMs(time: WireTime | null | undefined): number {
  return time ? Number(time.seconds ?? 0) * 1_000 + (time.nanos ?? 0) / 1e6 : 0;
}

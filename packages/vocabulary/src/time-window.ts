// The time that a task is about. Pure.

/** In ms since the epoch. Without `endsAt` it is still going on. */
export type TimeWindow = { startsAt: number; endsAt?: number };

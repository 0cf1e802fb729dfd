// A limit for work that others' load must not shorten: it counts the processor time of the work itself, so that a busy
// machine does the same work later, not less of it. Runs in Node.
export type WorkLimit = ReturnType<typeof workLimit>;

/** `stop` ends it at once. */
export function workLimit(limitMs: number, stop: AbortSignal) {
  let usedMs = 0;
  return {
    isOver: () => stop.aborted || usedMs >= limitMs,
    /** Runs synchronous work and counts its processor time. */
    count<T>(work: () => T): T {
      const before = process.threadCpuUsage();
      try {
        return work();
      } finally {
        const { user, system } = process.threadCpuUsage(before);
        usedMs += (user + system) / 1_000;
      }
    },
  };
}

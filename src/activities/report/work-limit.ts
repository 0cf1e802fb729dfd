// A limit for work that others' load must not shorten: it counts the processor time of the work itself, so that a busy
// machine does the same work later, not less of it. Runs in Node.
export type WorkLimit = {
  isOver(): boolean;
  /** Runs synchronous work and counts its processor time. */
  count<T>(work: () => T): T;
};

/** `stop` ends it at once. */
export function workLimit(limitMs: number, stop: AbortSignal): WorkLimit {
  let usedMs = 0;
  return {
    isOver: () => stop.aborted || usedMs >= limitMs,
    count(work) {
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

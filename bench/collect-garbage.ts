// In both bundles of the memory measurement: collects garbage in the thread that holds the sessions.

/** Node starts with --expose-gc, which puts `gc` into every context. False where it did not. */
export async function collectGarbage(): Promise<boolean> {
  globalThis.gc?.();
  return globalThis.gc !== undefined;
}

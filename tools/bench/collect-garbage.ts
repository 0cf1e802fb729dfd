// Collects garbage in the thread that holds the sessions. In both bundles of the memory measurement.

/** False unless Node was started with --expose-gc, which puts `gc` into every context. */
export async function collectGarbage(): Promise<boolean> {
  globalThis.gc?.();
  return globalThis.gc !== undefined;
}

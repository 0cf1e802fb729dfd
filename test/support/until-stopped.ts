// Bodies of models and tools that go on until they are stopped.

/** Resolves when the signal is aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

/** Never ends by itself, and is stopped as soon as it may; `seen` hears of it. */
export async function untilStopped(signal: AbortSignal, seen?: () => void): Promise<never> {
  await aborted(signal);
  seen?.();
  throw signal.reason;
}

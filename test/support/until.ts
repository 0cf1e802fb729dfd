// Waiting for what another process or the server does, where no gate can tell.
import { setTimeout as pause } from 'node:timers/promises';
import { waitingFor } from './suite/waits.ts';

/** Asks until there is an answer; rejects with `what` when there is none in time. */
export function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = 30_000,
): Promise<T> {
  return waitingFor(what, async () => {
    const giveUpAt = performance.now() + timeoutMs;
    for (;;) {
      const answer = await ask();
      if (answer !== undefined && answer !== false) return answer;
      if (performance.now() > giveUpAt) throw new Error(`Waited ${timeoutMs} ms in vain: ${what}`);
      await pause(20);
    }
  });
}

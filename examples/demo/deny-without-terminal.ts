// Nobody to ask: the demo gives an approval a few seconds in which it may be answered from elsewhere, then denies
// it and says so.
import { setTimeout as sleep } from 'node:timers/promises';
import type { HoldfastClient, WatchItem } from '../../src/client.ts';

export type DenyOptions = {
  client: Pick<HoldfastClient, 'deny'>;
  sessionId: string;
  waitMs: number;
  say(line: string): void;
};

/** Feed it every item of the session. */
export function createDenier(options: DenyOptions): { onItem(item: WatchItem): void; close(): void } {
  const waiting = new Map<string, AbortController>();
  const settle = (callId: string): void => {
    waiting.get(callId)?.abort();
    waiting.delete(callId);
  };
  return {
    onItem(item) {
      if (item.type !== 'event') return;
      const { event } = item;
      if (event.type === 'approval_resolved') settle(event.callId);
      if (event.type !== 'approval_requested') return;
      const controller = new AbortController();
      waiting.set(event.callId, controller);
      void denyLater(options, event.callId, controller.signal);
    },
    close: () => [...waiting.keys()].forEach(settle),
  };
}

async function denyLater(options: DenyOptions, callId: string, signal: AbortSignal): Promise<void> {
  const { client, sessionId, waitMs, say } = options;
  say(`  No terminal to ask on: denied in ${waitMs / 1_000} s. "--yes" approves.`);
  try {
    await sleep(waitMs, undefined, { signal });
    await client.deny(sessionId, callId, { actor: 'demo', reason: 'nobody was there to approve it' });
    say('  Denied: there is no terminal, and --yes was not given.');
  } catch (error) {
    if (!signal.aborted) say(`  ! ${error instanceof Error ? error.message : String(error)}`);
  }
}

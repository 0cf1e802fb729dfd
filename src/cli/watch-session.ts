// Follows a session on this terminal until it closes: its events, its live text, the approvals it asks for.
// Shared by run, watch and demo.
import { setTimeout as sleep } from 'node:timers/promises';
import type { HoldfastClient, WatchItem } from '../client.ts';
import type { LiveEvent } from '../core/live-events.ts';
import type { Output } from './cli.ts';
import { type SessionRenderer, createSessionRenderer } from './render/session-renderer.ts';

/** Live pieces from a worker in this process. */
export type LiveSource = AsyncIterable<LiveEvent> & { close(): void };

export type WatchOptions = {
  client: HoldfastClient;
  sessionId: string;
  output: Output;
  write(text: string): void;
  signal: AbortSignal;
  /** Take up again after this event. */
  afterSeq?: number;
  /** Absent: the live text comes from the heartbeat, once a second. */
  live?: LiveSource | undefined;
  /** Sees each item after it was shown. */
  onItem?(item: WatchItem): void;
  /** True ends the watching after this item. */
  until?(item: WatchItem): boolean;
};

const partialEveryMs = 1_000;

/** Resolves when the session has closed, `until` says so, or on abort. */
export async function watchSession(options: WatchOptions): Promise<void> {
  const { client, sessionId, output } = options;
  const done = new AbortController();
  const signal = AbortSignal.any([options.signal, done.signal]);
  const renderer = createSessionRenderer(output, sessionId, output.json ? () => {} : options.write);
  const live = output.terminal ? showLive(options, renderer, signal) : Promise.resolve();
  try {
    for await (const item of client.events(sessionId, options.afterSeq ?? 0, signal)) {
      output.emit(item);
      renderer.item(item);
      options.onItem?.(item);
      if (options.until?.(item)) break;
    }
  } finally {
    done.abort();
    options.live?.close();
    await live;
    renderer.close();
  }
}

async function showLive(
  options: WatchOptions,
  renderer: SessionRenderer,
  signal: AbortSignal,
): Promise<void> {
  if (!options.live) return pollPartial(options, renderer, signal);
  for await (const event of options.live) {
    if (signal.aborted) return;
    renderer.live(event);
  }
}

async function pollPartial(
  options: WatchOptions,
  renderer: SessionRenderer,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    // Live text is a courtesy: the events say what happened, and what is wrong.
    const partial = await options.client.partial(options.sessionId).catch(() => undefined);
    if (partial && !signal.aborted) renderer.partial(partial);
    await sleep(partialEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

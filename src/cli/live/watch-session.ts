// Follows a session on this terminal until it closes: its events, its live text, the approvals it asks for.
// Shared by run, watch and demo.
import { setTimeout as sleep } from 'node:timers/promises';
import type { HoldfastClient, InFlight, WatchItem } from '../../client.ts';
import type { LiveEvent } from '../../core/model/session-events.ts';
import type { Output } from '../cli.ts';
import { createSilenceWatch } from './silence-watch.ts';
import { type SessionRenderer, createSessionRenderer } from '../render/session-renderer.ts';

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

const pollEveryMs = 1_000;

/** Resolves when the session has closed, `until` says so, or on abort. */
export async function watchSession(options: WatchOptions): Promise<void> {
  const { client, sessionId, output } = options;
  const done = new AbortController();
  const signal = AbortSignal.any([options.signal, done.signal]);
  const renderer = createSessionRenderer(output, sessionId, output.json ? () => {} : options.write);
  const live = output.terminal ? showLive(options, renderer, signal) : Promise.resolve();
  // not waited for: a call to a server that is away takes seconds
  void pollInFlight(options, renderer, signal);
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
  for await (const event of options.live ?? []) {
    if (signal.aborted) return;
    renderer.live(event);
  }
}

/** What only the server knows: calls that are tried again, workers that are silent, and the text of a model call in another process. */
async function pollInFlight(
  { client, sessionId, output, live }: WatchOptions,
  renderer: SessionRenderer,
  signal: AbortSignal,
): Promise<void> {
  const told = new Set<string>();
  const silences = createSilenceWatch();
  while (!signal.aborted) {
    // A courtesy: the events say what happened, and what is wrong.
    const inFlight = await client.inFlight(sessionId).catch((): Partial<InFlight> => ({}));
    if (signal.aborted) return;
    const { partial, retries = [], running = [] } = inFlight;
    if (partial && output.terminal && !live) renderer.partial(partial);
    for (const retry of retries) {
      const key = `${retry.call}/${retry.attempt}/${retry.message}`;
      if (told.has(key)) continue;
      told.add(key);
      output.emit({ type: 'retrying', ...retry });
      renderer.retry(retry);
    }
    for (const silence of silences(running, performance.now())) {
      output.emit({ type: 'silent', ...silence });
      renderer.silence(silence);
    }
    await sleep(pollEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

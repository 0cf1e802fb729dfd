// The hubs of a client: one for each session that somebody listens to, while somebody does.
import type { LiveSource } from '../core/model/session-events.ts';
import type { Beats } from './heartbeats.ts';
import { createPolledLive } from './polled-live.ts';
import type { WatchItem } from './session-events.ts';
import { SessionHub } from './subscription.ts';
import type { Listener, SubscribeOptions, Subscription } from './subscription.ts';

export type LiveBus = { subscribe(sessionId: string): LiveSource };

export type HubSources = {
  events(sessionId: string, signal: AbortSignal): AsyncIterable<WatchItem>;
  beats(sessionId: string): Promise<Beats>;
  /** Absent: the heartbeats are asked for. */
  live?: LiveBus | undefined;
};

export class SessionHubs {
  readonly #hubs = new Map<string, SessionHub>();
  readonly #sources: HubSources;

  constructor(sources: HubSources) {
    this.#sources = sources;
  }

  subscribe(sessionId: string, listener: Listener, options: SubscribeOptions): Subscription {
    const hub = this.#hubs.get(sessionId) ?? this.#open(sessionId);
    return hub.subscribe(listener, options);
  }

  #open(sessionId: string): SessionHub {
    const { events, beats, live } = this.#sources;
    const sources = {
      events: (signal: AbortSignal) => events(sessionId, signal),
      live: () => live?.subscribe(sessionId) ?? createPolledLive(sessionId, () => beats(sessionId)),
    };
    // a hub that has ended is not asked again; its successor stays
    const hub = new SessionHub(sources, () => {
      if (this.#hubs.get(sessionId) === hub) this.#hubs.delete(sessionId);
    });
    this.#hubs.set(sessionId, hub);
    return hub;
  }
}

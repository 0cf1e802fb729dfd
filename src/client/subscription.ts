// The listeners of one session: each gets durable events and live updates in one order. A listener that throws, or
// takes its time, delays no other listener and never the run. Runs in the caller's process.
import { setImmediate as settled } from 'node:timers/promises';
import { type LiveSource, type SessionEvent, SessionEvents } from '@holdfast/vocabulary/session-events';
import type { AgentEvent, ChildTags } from '@holdfast/vocabulary/events';
import type { WatchItem } from './session-events.ts';

/** Tags of an event in a subagent. */
export type Origin = Omit<ChildTags, 'callId' | 'task'> & {
  /** Instance names from the top, e.g. `triage-pool-1/log-analyst-db-1`. */
  path: string;
  /** Id of the subagent's session, in which `seq` counts. */
  sessionId: string;
};
export type OwnHeard = SessionEvent | Exclude<WatchItem, { type: 'event' }>;
/**
 * Everything that a listener gets: events, updates, and the gaps and outages of their stream. An event of a subagent
 * has its tags.
 */
export type Heard = OwnHeard & Partial<Origin>;
/** A listener that returns a promise gets the next event after it has settled. */
export type Listener = (heard: Heard) => void | Promise<void>;
/** Call it to unsubscribe. */
export type Subscription = {
  (): void;
  /** Number of events that were lost because the listener or its process was 4,096 events behind. */
  readonly droppedCount: number;
  /** Resolves after the last event, with the error that ended the stream, if any. */
  readonly ended: Promise<unknown>;
};

/** The function that ends a subscription, as its caller gets it: with what is known of it. */
export function subscriptionOf(
  unsubscribe: () => void,
  droppedCount: () => number,
  ended: Promise<unknown>,
): Subscription {
  const facts = { droppedCount: { get: droppedCount }, ended: { value: ended } };
  return Object.defineProperties(unsubscribe, facts) as Subscription;
}

export type SubscribeOptions = {
  /** Gets errors thrown by the listener, which is still called again. */
  onError?(error: unknown): void;
  /** False: only the session's own events. Default: those of its subagents, too. */
  children?: boolean;
};

type SessionSources = { events(signal: AbortSignal): AsyncIterable<WatchItem>; live(): LiveSource };

const bufferSize = 4_096;
/** Durable events for a later listener: as many as the session itself keeps. */
const recentSize = 250;

/** All listeners of one session share one stream, which runs while there are any. */
export class SessionHub {
  readonly #sources: SessionSources;
  readonly #onIdle: () => void;
  readonly #listeners = new Set<Subscriber>();
  readonly #recent: AgentEvent[] = [];
  /** Start events of running subagents that are older than those; a later listener gets them, too. */
  readonly #begun = new Map<string, AgentEvent>();
  readonly #stop = new AbortController();
  readonly #stream = new SessionEvents();
  #live: LiveSource | undefined;
  #running: Promise<unknown> | undefined;

  constructor(sources: SessionSources, onIdle: () => void) {
    this.#sources = sources;
    this.#onIdle = onIdle;
  }

  subscribe(listener: Listener, { onError }: SubscribeOptions): Subscription {
    const subscriber = new Subscriber(listener, onError ?? (() => undefined));
    for (const heard of [...this.#begun.values(), ...this.#recent]) subscriber.push(heard);
    this.#listeners.add(subscriber);
    this.#running ??= this.#run();
    const lost = (): number => (this.#live?.droppedCount ?? 0) + this.#stream.droppedCount;
    const heardAll = this.#running.then(async (error) => {
      await subscriber.idle();
      return error;
    });
    const ended = Promise.race([heardAll, subscriber.closed]);
    const unsubscribe = (): void => {
      subscriber.close();
      this.#listeners.delete(subscriber);
      if (this.#listeners.size > 0) return;
      this.#stop.abort();
      this.#onIdle();
    };
    return subscriptionOf(unsubscribe, () => subscriber.droppedCount + lost(), ended);
  }

  /** Resolves with the error that ended the stream. */
  async #run(): Promise<unknown> {
    const live = this.#sources.live();
    this.#live = live;
    const stop = (): void => live.close();
    this.#stop.signal.addEventListener('abort', stop, { once: true });
    const updates = this.#follow(live);
    try {
      for await (const item of this.#sources.events(this.#stop.signal)) {
        // everything published before this event has been read by then
        await settled();
        this.#take(item);
      }
      return undefined;
    } catch (error) {
      return error;
    } finally {
      live.close();
      await updates;
      this.#onIdle();
    }
  }

  async #follow(live: LiveSource): Promise<void> {
    for await (const event of live) for (const update of this.#stream.live(event)) this.#tell(update);
  }

  #take(item: WatchItem): void {
    if (item.type === 'gap') this.#stream.forget();
    if (item.type !== 'event') return this.#tell(item);
    this.#recent.push(item.event);
    if (item.event.type === 'subagent_end') this.#begun.delete(item.event.childId);
    const old = this.#recent.length > recentSize ? this.#recent.shift() : undefined;
    if (old?.type === 'subagent_start' && !this.#hasEnded(old.childId)) this.#begun.set(old.childId, old);
    for (const heard of this.#stream.durable(item.event)) this.#tell(heard);
  }

  #hasEnded(childId: string): boolean {
    return this.#recent.some((event) => event.type === 'subagent_end' && event.childId === childId);
  }

  /** In the order of subscription. */
  #tell(heard: Heard): void {
    for (const subscriber of Array.from(this.#listeners)) subscriber.push(heard);
  }
}

export class Subscriber {
  droppedCount = 0;
  readonly #listener: Listener;
  readonly #onError: (error: unknown) => void;
  readonly #closed = Promise.withResolvers<undefined>();
  #buffer: Heard[] = [];
  #handling: Promise<void> | undefined;
  #open = true;

  constructor(listener: Listener, onError: (error: unknown) => void) {
    this.#listener = listener;
    this.#onError = onError;
  }

  get closed(): Promise<undefined> {
    return this.#closed.promise;
  }

  push(heard: Heard): void {
    if (!this.#open) return;
    if (this.#buffer.length >= bufferSize) {
      this.droppedCount += 1;
      return;
    }
    this.#buffer.push(heard);
    if (!this.#handling) this.#handle();
  }

  close(): void {
    this.#open = false;
    this.#buffer = [];
    this.#closed.resolve(undefined);
  }

  /** Resolves when the listener has handled everything that it was given. */
  async idle(): Promise<void> {
    while (this.#handling) await this.#handling;
  }

  /** Synchronous while the listener returns no promise; else continues after its promise. */
  #handle(): void {
    for (let heard = this.#buffer.shift(); heard !== undefined; heard = this.#buffer.shift()) {
      const result = this.#call(heard);
      if (result === undefined) continue;
      this.#handling = result.then(() => {
        this.#handling = undefined;
        this.#handle();
      });
      return;
    }
  }

  #call(heard: Heard): Promise<void> | undefined {
    try {
      const result = this.#listener(heard);
      return result instanceof Promise ? result.catch((error: unknown) => this.#onError(error)) : undefined;
    } catch (error) {
      this.#onError(error);
      return undefined;
    }
  }
}

/** The hubs of a client: one for each session with listeners. */
export class SessionHubs {
  readonly #hubs = new Map<string, SessionHub>();
  readonly #sourcesOf: (sessionId: string) => SessionSources;

  constructor(sourcesOf: (sessionId: string) => SessionSources) {
    this.#sourcesOf = sourcesOf;
  }

  /** Events of this session alone; family.ts adds those of its subagents. */
  subscribe(sessionId: string, listener: Listener, options: SubscribeOptions = {}): Subscription {
    const hub = this.#hubs.get(sessionId) ?? this.#open(sessionId);
    return hub.subscribe(listener, options);
  }

  #open(sessionId: string): SessionHub {
    // a hub that has ended gets no new listener; its successor stays
    const hub = new SessionHub(this.#sourcesOf(sessionId), () => {
      if (this.#hubs.get(sessionId) === hub) this.#hubs.delete(sessionId);
    });
    this.#hubs.set(sessionId, hub);
    return hub;
  }
}

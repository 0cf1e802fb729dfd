// The events of a session and all its subagents, at every level, as one stream. Streams of subagents are opened as they
// begin, a limited number at once, and closed as they end. Each session keeps its own order, and a subagent's events
// come between its subagent_start and its subagent_end. Runs in the caller's process.
import { defined } from '@holdfast/base/defined';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError } from './client-error.ts';
import { Subscriber, subscriptionOf } from './subscription.ts';
import type { Heard, Listener, Origin, SessionHubs, SubscribeOptions, Subscription } from './subscription.ts';

/** Limit at each level: one that waits for the subagents below it takes no place from them. */
const openAtOnce = 32;
/** The session of a subagent starts a moment after its parent's event. */
const retryMs = 250;
/** Enough for the last events of an ended subagent, unless no worker is there. */
const lastWordsMs = 10_000;

type Branch = { over: AbortController; ended: Promise<void>; stop(): void; dropped(): number };
type ChildNews = Omit<Origin, 'path' | 'sessionId'>;

export function subscribeFamily(
  hubs: SessionHubs,
  sessionId: string,
  listener: Listener,
  { onError = () => undefined }: SubscribeOptions = {},
): Subscription {
  const out = new Subscriber(listener, onError);
  const family = new Family(hubs, (heard) => out.push(heard));
  const root = hubs.subscribe(sessionId, (heard) => family.take(heard));
  const ended = root.ended.then(async (error) => {
    family.close();
    await out.idle();
    return error;
  });
  const unsubscribe = (): void => {
    out.close();
    family.close();
    root();
  };
  const droppedCount = (): number => out.droppedCount + root.droppedCount + family.droppedCount;
  return subscriptionOf(unsubscribe, droppedCount, Promise.race([ended, out.closed]));
}

class Family {
  readonly #hubs: SessionHubs;
  readonly #tell: (heard: Heard) => void;
  readonly #branches = new Map<string, Branch>();
  readonly #places = new Map<number, Places>();
  readonly #closed = new AbortController();
  #dropped = 0;

  constructor(hubs: SessionHubs, tell: (heard: Heard) => void) {
    this.#hubs = hubs;
    this.#tell = tell;
  }

  get droppedCount(): number {
    return [...this.#branches.values()].reduce((sum, { dropped }) => sum + dropped(), this.#dropped);
  }

  close(): void {
    this.#closed.abort();
    for (const { stop } of this.#branches.values()) stop();
  }

  /** `of` is the session of the event, if not the top one. A promise delays the next event of that session. */
  take(heard: Heard, of?: Origin): void | Promise<void> {
    switch (heard.type) {
      case 'subagent_start':
        this.#tell(tagged(heard, of));
        return this.#open(heard, of);
      case 'subagent_end':
        return this.#lastWords(heard.childId).then(() => this.#tell(tagged(heard, of)));
      case 'gap':
        this.#tell(tagged(heard, of));
        // the event of its start is no longer kept
        for (const child of heard.snapshot.children ?? [])
          if (child.state === 'running')
            this.#open({ ...child, childId: child.id, parent: of?.name ?? '' }, of);
        return undefined;
      case 'unanswered':
        // the session above reports this for all of them
        if (of && heard.closed) this.#branches.get(of.childId)?.stop();
        return of ? undefined : this.#tell(heard);
      default:
        return this.#tell(tagged(heard, of));
    }
  }

  #open(news: ChildNews, above: Origin | undefined): void {
    const { agent, name, prefix, parent, depth, childId } = news;
    if (this.#branches.has(childId) || this.#closed.signal.aborted) return;
    const path = above ? `${above.path}/${name}` : name;
    const branch: Branch = {
      over: new AbortController(),
      ended: Promise.resolve(),
      stop: () => undefined,
      dropped: () => 0,
    };
    this.#branches.set(childId, branch);
    const origin = { agent, name, prefix, parent, depth, childId, path, sessionId: childId };
    branch.ended = this.#follow(branch, origin).finally(() => {
      this.#dropped += branch.dropped();
      branch.dropped = () => 0;
    });
  }

  async #follow(branch: Branch, of: Origin): Promise<void> {
    const places = this.#placesAt(of.depth);
    await places.take();
    try {
      while (!this.#closed.signal.aborted) {
        const subscription = this.#hubs.subscribe(of.childId, (heard) => this.take(heard, of));
        Object.assign(branch, { stop: subscription, dropped: () => subscription.droppedCount });
        const error = await subscription.ended;
        // the subagent could not be started
        const isUnknown = error instanceof ClientError && error.code === 'UnknownSession';
        if (!isUnknown || branch.over.signal.aborted) return;
        const signal = AbortSignal.any([branch.over.signal, this.#closed.signal]);
        await sleep(retryMs, undefined, { signal }).catch(() => undefined);
      }
    } finally {
      places.give();
    }
  }

  #placesAt(depth: number): Places {
    const places = this.#places.get(depth) ?? new Places();
    this.#places.set(depth, places);
    return places;
  }

  async #lastWords(childId: string): Promise<void> {
    const branch = this.#branches.get(childId);
    if (!branch) return;
    branch.over.abort();
    const late = new AbortController();
    const limit = sleep(lastWordsMs, undefined, { signal: late.signal, ref: false }).catch(() => undefined);
    await Promise.race([branch.ended, limit]);
    late.abort();
    this.#branches.delete(childId);
  }
}

/** Events about subagents already name the subagent. */
function tagged(heard: Heard, of: Origin | undefined): Heard {
  if (heard.type !== 'subagent_start' && heard.type !== 'subagent_end')
    return of ? { ...heard, ...of } : heard;
  const path = of ? `${of.path}/${heard.name}` : heard.name;
  return { ...heard, path, ...defined({ sessionId: of?.sessionId }) };
}

/** Places of one level, given in the order of the requests. */
class Places {
  #free = openAtOnce;
  readonly #waiting: (() => void)[] = [];

  take(): Promise<void> | void {
    if (this.#free > 0) this.#free -= 1;
    else return new Promise((resolve) => this.#waiting.push(resolve));
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}

// The limit of requests of a caller in a minute. Counts in the memory of this process: each gateway has its own.
import { LRUCache } from 'lru-cache';
import { Refusal } from './problem.ts';

const windowMs = 60_000;
/** Callers without a token count by address; the oldest addresses are forgotten. */
const mostCallers = 10_000;

export class RateLimit {
  readonly #perMinute: number;
  readonly #windows = new LRUCache<string, { endsAt: number; count: number }>({ max: mostCallers });

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** Counts one request; refuses those beyond the limit until the minute is over. `now` in ms, of a monotonic clock. */
  take(caller: string, now = performance.now()): void {
    const known = this.#windows.get(caller);
    const window = known !== undefined && now < known.endsAt ? known : { endsAt: now + windowMs, count: 0 };
    window.count += 1;
    this.#windows.set(caller, window);
    if (window.count <= this.#perMinute) return;
    const seconds = Math.ceil((window.endsAt - now) / 1_000);
    const detail =
      `${window.count} requests of this caller in a minute: expected at most ${this.#perMinute} ` +
      `(gateway.limits.requestsPerMinute). Send it again in ${seconds} s.`;
    throw new Refusal(429, 'TooManyRequests', detail, { 'retry-after': `${seconds}` });
  }
}

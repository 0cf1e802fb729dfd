// The event streams that are open at a gateway: how many at most, and their end when the gateway ends. Runs in Node.
import { Refusal } from './problem.ts';
import type { Metrics } from './metrics.ts';

/** Each has a long poll at the Temporal server. */
const mostStreams = 500;

export class EventStreams {
  readonly #ending = new AbortController();
  readonly #metrics: Metrics;

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  /** Aborted when the gateway ends: streams then close, and their clients resume at another gateway. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** Counts a stream until the returned function is called. Refuses one too many. */
  open(): () => void {
    if (this.#metrics.streams >= mostStreams) {
      const detail = `This gateway has ${mostStreams} event streams open, its most. Try again later, or at another gateway.`;
      throw new Refusal(503, 'TooManyStreams', detail, { 'retry-after': '10' });
    }
    this.#metrics.streams += 1;
    return () => void (this.#metrics.streams -= 1);
  }

  end(): void {
    this.#ending.abort();
  }
}

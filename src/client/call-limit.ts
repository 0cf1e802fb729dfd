// Keeps a process from sending a server more calls than it can work on: what is over the limit waits for a moment, and is
// then refused. Runs in the caller's process.
import { ClientError } from './client-error.ts';

/** Longer waits would end by the deadlines of senders, and a call that is given up costs the server as much as another. */
const waitsMs = 2_000;

export class CallLimit {
  readonly #most: number;
  #running = 0;
  readonly #waiting = new Set<() => void>();

  constructor(most: number) {
    this.#most = most;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#most) this.#running += 1;
    else await this.#turn();
    try {
      return await work();
    } finally {
      // the place goes to the one that waits longest, without being free in between
      const [next] = this.#waiting;
      if (next) next();
      else this.#running -= 1;
    }
  }

  async #turn(): Promise<void> {
    if (this.#waiting.size >= this.#most) throw tooBusy(this.#most);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (settle: () => void) => () => {
      this.#waiting.delete(mine);
      clearTimeout(timer);
      settle();
    };
    const mine = leave(resolve);
    const timer = setTimeout(
      leave(() => reject(tooBusy(this.#most))),
      waitsMs,
    );
    this.#waiting.add(mine);
    return promise;
  }
}

function tooBusy(most: number): ClientError {
  return new ClientError(
    'TooBusy',
    `Nothing was sent: ${most} calls to the Temporal server are in flight, and more would slow all of them. Try again in a moment.`,
  );
}

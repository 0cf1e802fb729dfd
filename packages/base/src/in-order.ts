// Work that must not overlap, e.g. the signals to one session. Pure.

/** One piece of work at a time for each key, in the order of the calls; the next one begins also after a failure. */
export class InOrder {
  readonly #newest = new Map<string, Promise<unknown>>();

  get isBusy(): boolean {
    return this.#newest.size > 0;
  }

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#newest.get(key);
    // without another one it begins at once
    const done = before ? before.then(work, work) : work();
    this.#newest.set(key, done);
    const end = (): void => {
      if (this.#newest.get(key) === done) this.#newest.delete(key);
    };
    void done.then(end, end);
    return done;
  }
}

// Shares work that several callers ask for at once, e.g. saving. Pure.

/**
 * Callers that ask before the work begins share one run of it; it never runs twice at the same time. `work` must not
 * reject.
 */
export class Joined {
  #last: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  run(work: () => Promise<void>): Promise<void> {
    this.#next ??= this.#last.then(() => {
      this.#next = undefined;
      this.#last = work();
      return this.#last;
    });
    return this.#next;
  }
}

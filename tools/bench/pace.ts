// Stops and releases sessions at exact turns: both sides wait for it before every model reply. In memory, one process.

type Gate = { limit: number; release: PromiseWithResolvers<void>; arrived: PromiseWithResolvers<void> };

export class Pace {
  readonly #gates = new Map<string, Gate>();
  /** Times (ms, monotonic) of all model calls so far, in order. */
  readonly ticks: number[] = [];

  /** Call it before the session starts: holds it before the reply of turn 1. */
  hold(sessionId: string): void {
    this.#gates.set(sessionId, newGate(0));
  }

  /** Called by the model of either side; waits while the session is held. */
  async reach(sessionId: string, turn: number): Promise<void> {
    this.ticks.push(performance.now());
    for (
      let gate = this.#gates.get(sessionId);
      gate && turn > gate.limit;
      gate = this.#gates.get(sessionId)
    ) {
      gate.arrived.resolve();
      await gate.release.promise;
    }
  }

  /** Resolves when a held session waits before its next turn. */
  async arrival(sessionId: string): Promise<void> {
    await this.#gates.get(sessionId)?.arrived.promise;
  }

  /** Runs a held session through `turn`, and returns the ms until it waits before the next one. */
  async runTo(sessionId: string, turn: number): Promise<number> {
    const before = this.#gates.get(sessionId);
    const gate = newGate(turn);
    this.#gates.set(sessionId, gate);
    const startedAt = performance.now();
    before?.release.resolve();
    await gate.arrived.promise;
    return performance.now() - startedAt;
  }

  /** Releases the session to its end. */
  free(sessionId: string): void {
    const gate = this.#gates.get(sessionId);
    this.#gates.delete(sessionId);
    gate?.release.resolve();
  }
}

function newGate(limit: number): Gate {
  return { limit, release: Promise.withResolvers(), arrived: Promise.withResolvers() };
}

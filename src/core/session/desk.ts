// Items that wait for a person: several at once, each answered once, by id and in any order. Pure; approvals and
// questions are two desks, and the waits in subagents share their list of ends.

const hourMs = 3_600_000;
/** A later answer to one of these is refused with the first answer. */
const keptEnds = 50;

/** The newest ids that wait no more, each with its outcome. */
export type WaitEnds = [id: string, how: string][];

export function withEnd(ends: WaitEnds, id: string, how: string): WaitEnds {
  return [...ends, [id, how] satisfies WaitEnds[number]].slice(-keptEnds);
}

export function howEnded(ends: WaitEnds, id: string): string | undefined {
  return ends.findLast(([ended]) => ended === id)?.[1];
}

/** One waiting item. `answeredAt` is set with the answer. */
export type DeskItem = { pending: { id: string; requestedAt: number }; answer?: object; answeredAt?: number };

export type CarriedDesk = {
  /** Times of the requests within the last hour. */
  times: number[];
  settled: WaitEnds;
};

export abstract class Desk<Item extends DeskItem> {
  readonly #items: Item[] = [];
  #times: number[];
  #settled: WaitEnds;

  constructor({ times = [], settled = [] }: Partial<CarriedDesk> = {}) {
    this.#times = times;
    this.#settled = settled;
  }

  /** An answer in words. */
  protected abstract describe(item: Item): string;

  carry(): CarriedDesk {
    return { times: this.#times, settled: this.#settled };
  }

  get pending(): Item['pending'][] {
    // asked several times at every change, and nearly always nothing waits
    if (this.#items.length === 0) return [];
    return this.#items.filter(({ answer }) => !answer).map(({ pending }) => pending);
  }

  /** The item with this id, if it has no answer yet. */
  protected open(id: string): Item | undefined {
    return this.#items.find(({ pending, answer }) => pending.id === id && !answer);
  }

  /** The reason that no item with this id is open. */
  protected whyNotOpen(id: string): string {
    const answered = this.#items.findLast(({ pending }) => pending.id === id);
    const how = answered ? this.describe(answered) : howEnded(this.#settled, id);
    const waiting = this.pending.map((pending) => pending.id).join(', ') || 'none';
    return `${how === undefined ? 'nothing of that id waits' : `it was ${how}`}. Waiting: ${waiting}.`;
  }

  /** Adds a waiting item; undefined if there were too many requests within an hour, since a person was heard. */
  protected put(item: Item, perHour: number, heardAt = 0): Item | undefined {
    const now = item.pending.requestedAt;
    this.#times = this.#times.filter((at) => now - at < hourMs && at >= heardAt);
    if (this.#times.length >= perHour) return undefined;
    this.#times.push(now);
    this.#items.push(item);
    return item;
  }

  /** `closed` is the end of a wait without an answer. */
  settle(item: Item, closed?: string): void {
    this.#items.splice(this.#items.indexOf(item), 1);
    const how = closed === undefined ? this.describe(item) : `closed: ${closed}`;
    this.#settled = withEnd(this.#settled, item.pending.id, how);
  }
}

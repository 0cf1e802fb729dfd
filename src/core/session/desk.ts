// Items that wait for a person: several at once, each answered once, by id and in any order. Pure; approvals and
// questions are two desks.

const hourMs = 3_600_000;
/** A later answer to one of these is refused with the first answer. */
const keptSettled = 50;

/** One waiting item. `answeredAt` is set with the answer. */
export type DeskItem = { pending: { id: string; requestedAt: number }; answer?: object; answeredAt?: number };

export type CarriedDesk = {
  /** Times of the requests within the last hour. */
  times: number[];
  /** The newest settled ids, each with its outcome. */
  settled: [id: string, how: string][];
};

export class Desk<Item extends DeskItem> {
  readonly #items: Item[] = [];
  #times: number[];
  #settled: [id: string, how: string][];

  constructor({ times = [], settled = [] }: Partial<CarriedDesk> = {}) {
    this.#times = times;
    this.#settled = settled;
  }

  carry(): CarriedDesk {
    return { times: this.#times, settled: this.#settled };
  }

  get pending(): Item['pending'][] {
    // asked several times at every change, and nearly always nothing waits
    if (this.#items.length === 0) return [];
    return this.#items.filter(({ answer }) => !answer).map(({ pending }) => pending);
  }

  /** The item with this id, if it has no answer yet. */
  open(id: string): Item | undefined {
    return this.#items.find(({ pending, answer }) => pending.id === id && !answer);
  }

  /** The reason that no item with this id is open. `describe` puts an answer into words. */
  whyNotOpen(id: string, describe: (item: Item) => string): string {
    const answered = this.#items.findLast(({ pending }) => pending.id === id);
    const how = answered ? describe(answered) : this.#settled.findLast(([settled]) => settled === id)?.[1];
    const waiting = this.pending.map((pending) => pending.id).join(', ') || 'none';
    return `${how === undefined ? 'nothing of that id waits' : `it was ${how}`}. Waiting: ${waiting}.`;
  }

  /** Adds a waiting item. False if there were too many requests within an hour, since a person was heard. */
  put(item: Item, perHour: number, heardAt = 0): boolean {
    const now = item.pending.requestedAt;
    this.#times = this.#times.filter((at) => now - at < hourMs && at >= heardAt);
    if (this.#times.length >= perHour) return false;
    this.#times.push(now);
    this.#items.push(item);
    return true;
  }

  settle(item: Item, how: string): void {
    this.#items.splice(this.#items.indexOf(item), 1);
    this.#settled = [...this.#settled, [item.pending.id, how] as [string, string]].slice(-keptSettled);
  }
}

/** Such as `2026-11-22 13:05:11 UTC`. */
export function describeTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

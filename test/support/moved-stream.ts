// The events of a session that a test puts one by one, as the client's hubs read them.
import type { WatchItem } from '../../src/client/session-events.ts';

export type MovedItem = WatchItem | 'end' | Error;

export type MovedStream = {
  /** An `Error` is thrown where it is put. */
  put(item: MovedItem): void;
  isEmpty(): boolean;
  /** From the first item on, and waiting for more until its end. */
  read(signal: AbortSignal): AsyncGenerator<WatchItem>;
};

export function movedStream(): MovedStream {
  const items: MovedItem[] = [];
  let wake = (): void => undefined;
  return {
    isEmpty: () => items.length === 0,
    put(item) {
      items.push(item);
      wake();
    },
    async *read(signal) {
      signal.addEventListener('abort', () => wake());
      for (let index = 0; !signal.aborted;) {
        const item = items[index];
        if (item === 'end') return;
        if (item instanceof Error) throw item;
        if (item === undefined) {
          await new Promise<void>((resolve) => (wake = resolve));
          continue;
        }
        index += 1;
        yield item;
      }
    },
  };
}

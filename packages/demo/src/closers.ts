// Ends the parts that the demo started: last first, each whatever becomes of the others. Also cuts off waits.
import { messageOf } from '@holdfast/base/message-of';

export type Closers = {
  /** Adds a part's end. After `closeAll` it runs at once, because the part was still starting then. */
  add(close: () => Promise<unknown>): void;
  closeAll(): Promise<void>;
};

export function createClosers(say: (line: string) => void): Closers {
  const closers: (() => Promise<unknown>)[] = [];
  let closed = false;
  const end = (close: () => Promise<unknown>): Promise<unknown> =>
    close().catch((error: unknown) => say(`! ${messageOf(error)}`));
  return {
    add: (close) => {
      if (closed) void end(close);
      else closers.push(close);
    },
    async closeAll() {
      closed = true;
      for (let close = closers.pop(); close !== undefined; close = closers.pop()) await end(close);
    },
  };
}

/** The promise's value. Throws if `signal` aborts first; the promise's later result is ignored. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

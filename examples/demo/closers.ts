// How what the demo started is ended: last first, each whatever becomes of the others; and how a wait is cut off.
import { messageOf } from '../../src/core/base/message-of.ts';

export type Closers = {
  /** Notes how a part is ended. After `closeAll` it is ended at once: it was still starting then. */
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

/** The promise's value; throws when `signal` aborts first, and then nobody looks at what it still comes to. */
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

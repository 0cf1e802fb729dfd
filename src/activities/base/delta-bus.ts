// Live pieces of replies and tool outputs, from the activities of a process to its watchers. Nothing here reaches
// history, and a slow watcher never delays the run.
import { type LiveEvent, type LiveSource, noteReaderEveryMs } from '@holdfast/vocabulary/session-events';
import { withoutMark } from '@holdfast/stored/session-names';

export type DeltaBus = {
  /** Never waits and never throws. */
  publish(event: LiveEvent): void;
  subscribe(sessionId: string): LiveSource;
  /** Somebody in this process watches the session. */
  isWatched(sessionId: string): boolean;
  /** A watcher in another process reads the heartbeats of this session; it says so again while it reads. */
  noteReader(sessionId: string): void;
  hasReader(sessionId: string): boolean;
};

/** Events that a watcher may lag behind before it loses new ones. */
const bufferSize = 4_096;
/** Two of a reader's notes may be late. */
const readerMs = 3 * noteReaderEveryMs;

export function createDeltaBus(): DeltaBus {
  const watchers = new Map<string, Set<Watcher>>();
  const readers = new Map<string, NodeJS.Timeout>();
  return {
    publish(event) {
      for (const watcher of watchers.get(withoutMark(event.sessionId)) ?? []) watcher.push(event);
    },
    subscribe(sessionId) {
      const watcher = new Watcher(() => leave(watchers, sessionId, watcher));
      watchers.set(sessionId, (watchers.get(sessionId) ?? new Set()).add(watcher));
      return watcher;
    },
    isWatched: (sessionId) => watchers.has(withoutMark(sessionId)),
    noteReader(sessionId) {
      clearTimeout(readers.get(sessionId));
      readers.set(sessionId, setTimeout(() => readers.delete(sessionId), readerMs).unref());
    },
    hasReader: (sessionId) => readers.has(sessionId),
  };
}

function leave(watchers: Map<string, Set<Watcher>>, sessionId: string, watcher: Watcher): void {
  const group = watchers.get(sessionId);
  group?.delete(watcher);
  if (group?.size === 0) watchers.delete(sessionId);
}

class Watcher implements LiveSource {
  droppedCount = 0;
  readonly #buffer: LiveEvent[] = [];
  readonly #onClose: () => void;
  #wake: () => void = () => undefined;
  #closed = false;

  constructor(onClose: () => void) {
    this.#onClose = onClose;
  }

  push(event: LiveEvent): void {
    if (this.#buffer.length >= bufferSize) this.droppedCount += 1;
    else this.#buffer.push(event);
    this.#wake();
  }

  close(): void {
    this.#closed = true;
    this.#onClose();
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<LiveEvent> {
    try {
      for (;;) {
        yield* this.#buffer.splice(0);
        // more events, or the end, may have come while the last one was handled
        if (this.#buffer.length > 0) continue;
        if (this.#closed) return;
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.close();
    }
  }
}

// An artifact store that can also store behind its caller: a text that history has too is not waited for. It alone knows
// the open writes: it limits them, shows them to readers of this process, and ends them. Runs in Node.
import { setTimeout } from 'node:timers/promises';
import { messageOf } from '@holdfast/base/message-of';
import type { ArtifactStore } from './artifact-store.ts';

export interface BehindStore extends ArtifactStore {
  /**
   * Resolves before the text is stored; only for a text that is whole in history. While the store is down, or many texts
   * are open, it waits and rejects as `put` does, so that callers notice an outage and memory has a limit.
   */
  putBehind(sessionId: string, name: string, text: string): Promise<void>;
  /**
   * Resolves when the open writes of a session, or of all, have ended. A failed one is tried once more; if it fails again,
   * the log of the worker names it. Never rejects.
   */
  flush(sessionId?: string): Promise<void>;
  /** Flushes for the end of a worker, which does not wait for a store that hangs. */
  close(): Promise<void>;
}

export type BehindOptions = {
  /** Takes a line about a text that was not stored. */
  log?: (line: string) => void;
  /** Limit of the open texts together, in characters. */
  maxOpen?: number;
  /** Longest wait of `close`. */
  closeMs?: number;
};

/** A hundred outputs of the greatest size that a result has by default. */
const defaultMaxOpen = 4 * 1024 * 1024;
const defaultCloseMs = 5_000;
/** Counted for each text beside its characters, so that the number of short ones has a limit too. */
const entryCost = 1_024;

export function createBehindStore(store: ArtifactStore, options: BehindOptions = {}): BehindStore {
  const { log = () => undefined, maxOpen = defaultMaxOpen, closeMs = defaultCloseMs } = options;
  const writes = new OpenWrites(store, log);
  const put: ArtifactStore['put'] = async (sessionId, name, bytes) => {
    // an earlier attempt of the same call must not replace it
    await writes.giveUp(sessionId, name);
    await writes.write(sessionId, name, bytes);
  };
  return {
    id: store.id,
    put,
    async get(sessionId, name) {
      const open = writes.textOf(sessionId, name);
      return open === undefined ? store.get(sessionId, name) : Buffer.from(open);
    },
    ...(store.list && { list: (sessionId?: string) => listAfter(store, writes, sessionId) }),
    ...(store.remove && {
      async remove(sessionId: string, name?: string) {
        await writes.flush(sessionId);
        await store.remove?.(sessionId, name);
      },
    }),
    async putBehind(sessionId, name, text) {
      if (writes.canTake(sessionId, name, maxOpen - text.length)) writes.begin({ sessionId, name, text });
      else await Promise.all([writes.flush(sessionId), put(sessionId, name, text)]);
    },
    flush: (sessionId) => writes.flush(sessionId),
    async close() {
      const isEnded = new AbortController();
      const tooLate = setTimeout(closeMs, undefined, { signal: isEnded.signal }).catch(() => undefined);
      await Promise.race([writes.flush(), tooLate]);
      isEnded.abort();
      writes.reportOpen();
    },
  };
}

async function* listAfter(store: ArtifactStore, writes: OpenWrites, sessionId: string | undefined) {
  await writes.flush(sessionId);
  yield* store.list?.(sessionId) ?? [];
}

type Text = { sessionId: string; name: string; text: string };

/** `ended` resolves with true if the text is stored; a failed write stays open until it was tried again. */
type Write = Text & { ended: Promise<boolean> };

class OpenWrites {
  readonly #store: ArtifactStore;
  readonly #log: (line: string) => void;
  readonly #open = new Map<string, Write>();
  /** True while the newest write that has ended has failed. */
  #isDown = false;

  constructor(store: ArtifactStore, log: (line: string) => void) {
    this.#store = store;
    this.#log = log;
  }

  /** `room`: the characters that others may have. */
  canTake(sessionId: string, name: string, room: number): boolean {
    const open = [...this.#open.values()];
    const size = open.reduce((sum, { text }) => sum + text.length + entryCost, entryCost);
    return !this.#isDown && size <= room && !this.#open.has(keyOf(sessionId, name));
  }

  textOf(sessionId: string, name: string): string | undefined {
    return this.#open.get(keyOf(sessionId, name))?.text;
  }

  async write(sessionId: string, name: string, bytes: Uint8Array | string): Promise<void> {
    const wasDown = this.#isDown;
    try {
      await this.#store.put(sessionId, name, bytes);
      this.#isDown = false;
    } catch (error) {
      this.#isDown = true;
      throw error;
    }
    // it answers again: also sessions without a further output get what they have open stored
    if (wasDown) void this.flush();
  }

  begin(text: Text, isLast = false): void {
    const { sessionId, name } = text;
    const key = keyOf(sessionId, name);
    const end = (isStored: boolean): boolean => {
      if ((isStored || isLast) && this.#open.get(key) === write) this.#open.delete(key);
      return isStored;
    };
    const ended = this.write(sessionId, name, text.text).then(
      () => end(true),
      (error: unknown) => {
        if (isLast) this.#log(`${notStored(text)} (${messageOf(error)}). ${inLog}`);
        return end(false);
      },
    );
    const write = { ...text, ended };
    this.#open.set(key, write);
  }

  async flush(sessionId?: string): Promise<void> {
    const keys = [...this.#open].flatMap(([key, write]) =>
      sessionId === undefined || write.sessionId === sessionId ? [key] : [],
    );
    await Promise.all(keys.map((key) => this.#settle(key)));
  }

  /** Ends the write of a name that a newer text replaces. */
  async giveUp(sessionId: string, name: string): Promise<void> {
    const key = keyOf(sessionId, name);
    for (let write = this.#open.get(key); write; write = this.#open.get(key)) {
      await write.ended;
      if (this.#open.get(key) === write) this.#open.delete(key);
    }
  }

  reportOpen(): void {
    for (const write of this.#open.values()) this.#log(`${notStored(write)}. ${inLog}`);
  }

  async #settle(key: string): Promise<void> {
    const write = this.#open.get(key);
    if (write === undefined || (await write.ended)) return;
    // unless another one has tried it again, or has replaced it
    if (this.#open.get(key) === write) this.begin(write, true);
    await this.#open.get(key)?.ended;
  }
}

// a name has no blank
function keyOf(sessionId: string, name: string): string {
  return `${name} ${sessionId}`;
}

function notStored({ sessionId, name }: Text): string {
  return `The output ${name} of session ${sessionId} was not stored`;
}

const inLog = 'Its readers take it from the log of the session.';

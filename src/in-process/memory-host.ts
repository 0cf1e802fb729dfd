// A session in one process: the second host of the loop, beside Temporal. Nothing survives the process. For tests
// without a server, for evaluations of many cases at once, and for `holdfast/core`. Needs nothing of Node.
import { defined } from '@holdfast/base/defined';
import { runSession } from '../core/loop/agent-loop.ts';
import { beginSession, beginFromCheckpoint, readStartPrompt } from '../core/loop/begin.ts';
import type { Effects, EffectOutcome } from '../core/loop/effects.ts';
import { messageOf } from '@holdfast/base/message-of';
import type { SessionResult } from '@holdfast/vocabulary/run-result';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { nextInput } from '../core/session/carried.ts';
import { Session } from '../core/session/session.ts';
import type { SessionHost } from '../core/session/session-host.ts';
import { isRequest, takeSignal } from '../core/session/requests.ts';

export type Clock = {
  /** Time in ms since 1970. */
  now(): number;
  /** Calls `done` after this many ms; the returned function cancels that. */
  after(ms: number, done: () => void): () => void;
};

const longestTimerMs = 2 ** 31 - 1;

const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, done) {
    let timer: NodeJS.Timeout;
    // Node's timers fire at once if the time exceeds their range
    const wait = (left: number): void => {
      timer = setTimeout(
        () => (left > longestTimerMs ? wait(left - longestTimerMs) : done()),
        Math.min(left, longestTimerMs),
      );
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};

type Waiter = { ready: () => boolean; resolve: (inTime: boolean) => void };

export type MemoryHostOptions = {
  id: string;
  clock?: Clock;
  /** Called after every change of the session or one of its subagents. */
  changed?: (session: Session) => void;
  happened?: SessionHost['happened'];
  /** Running sessions of one tree, by id. */
  family?: Map<string, Session>;
  /** Default: to the sessions of the tree. */
  send?: SessionHost['send'];
};

/** One execution of a session. */
export class MemoryHost {
  readonly session: Session;
  readonly #clock: Clock;
  readonly #stops = new Set<AbortController>();
  #waiters: Waiter[] = [];
  readonly family: Map<string, Session>;
  readonly #changed: (session: Session) => void;

  constructor(input: SessionInput, options: MemoryHostOptions) {
    const { id, clock = systemClock, changed = () => {}, happened, family = new Map() } = options;
    const send = options.send ?? ((to, signal, payload) => Promise.resolve(this.#send(to, signal, payload)));
    this.#clock = clock;
    this.#changed = changed;
    this.family = family;
    this.session = new Session(input, {
      id,
      executionId: crypto.randomUUID(),
      now: () => clock.now(),
      changed: () => this.wake(),
      ...defined({ happened }),
      stop: () => this.#stopInFlight(),
      after: (ms, done) => clock.after(ms, done),
      send,
    });
    family.set(id, this.session);
  }

  /** Starts the execution of a child session. */
  openChild(input: SessionInput, id: string): MemoryHost {
    return new MemoryHost(input, { id, clock: this.#clock, changed: this.#changed, family: this.family });
  }

  /** Delivers a signal; false if no such session is running. */
  #send(to: string, signal: string, payload: unknown): boolean {
    const session = this.family.get(to);
    if (!session || !isRequest(signal)) return false;
    takeSignal(session, signal, payload === undefined ? [] : [payload]);
    return true;
  }

  /** Checks all waits again. */
  wake(): void {
    // the first change comes from the session's constructor, when nothing can wait yet
    const session: Session | undefined = this.session;
    if (session) this.#changed(session);
    const ready = this.#waiters.filter((waiter) => waiter.ready());
    this.#waiters = this.#waiters.filter((waiter) => !ready.includes(waiter));
    for (const { resolve } of ready) resolve(true);
  }

  until(ready: () => boolean, timeoutMs?: number): Promise<boolean> {
    if (ready()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const waiter: Waiter = { ready, resolve };
      this.#waiters.push(waiter);
      if (timeoutMs === undefined) return;
      const cancel = this.#clock.after(timeoutMs, () => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        resolve(false);
      });
      waiter.resolve = (inTime) => {
        cancel();
        resolve(inTime);
      };
    });
  }

  /** `signal` is aborted by the next stop, if it comes while the work is in flight. */
  async stoppable<T>(work: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
    const stop = new AbortController();
    this.#stops.add(stop);
    try {
      return await work(stop.signal);
    } finally {
      this.#stops.delete(stop);
    }
  }

  /** The same, with its end as an outcome. `code` is that of an error without a type. */
  settle<T>(
    work: (signal: AbortSignal) => T | Promise<T>,
    code = 'Activity.Failed',
  ): Promise<EffectOutcome<T>> {
    return this.stoppable(async (signal) => {
      try {
        return { type: 'done', value: await work(signal) };
      } catch (error) {
        if (signal.aborted) return { type: 'stopped' };
        const type = error instanceof Error && 'type' in error ? error.type : undefined;
        const failure = { code: typeof type === 'string' ? type : code, message: messageOf(error) };
        return { type: 'failed', failure, error };
      }
    });
  }

  /** Stoppable work, but it is left behind if it has not ended within `graceMs` after the stop. */
  async stoppableFor<T>(
    graceMs: number,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | { type: 'stopped' }> {
    const leftBehind = Promise.withResolvers<{ type: 'stopped' }>();
    let cancelGrace = (): void => undefined;
    const grace = (): void => {
      cancelGrace = this.#clock.after(graceMs, () => leftBehind.resolve({ type: 'stopped' }));
    };
    const ended = await this.stoppable((signal) => {
      signal.addEventListener('abort', grace, { once: true });
      return Promise.race([work(signal), leftBehind.promise]);
    });
    cancelGrace();
    return ended;
  }

  #stopInFlight(): void {
    for (const stop of this.#stops) stop.abort();
    this.wake();
  }
}

/**
 * Runs a session to its end, over all its executions. Rejects with the refusal of an invalid start. `open` makes the
 * host and effects of each execution.
 */
export async function runInMemory(
  input: SessionInput,
  open: (input: SessionInput) => { session: Session; effects: Effects },
): Promise<SessionResult> {
  const prompts = readStartPrompt(input);
  if (!prompts.ok) throw new Error(`${prompts.code}: ${prompts.reason}`);
  for (let given = input; ;) {
    const { session, effects } = open(given);
    beginSession(session, prompts.value);
    if (session.loading) {
      const begun = await beginFromCheckpoint(session, effects, prompts.value);
      if (!begun.ok) throw new Error(`${begun.code}: ${begun.reason}`);
    }
    if ((await runSession(session, effects)) === 'closed') return session.end();
    given = nextInput(session.input, session.carry());
  }
}

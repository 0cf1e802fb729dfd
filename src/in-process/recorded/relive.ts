// A session as it stands at the end of its history, by the code of today: for one that no worker can go on with. Unlike a replay
// it needs no command to be where it was; a request that came too early for its state is taken when it fits.
import { setImmediate as settled } from 'node:timers/promises';
import { carryOut, isRequest, requests } from '../../core/session/requests.ts';
import type { Session } from '../../core/session/session.ts';
import { type Clock, MemoryHost, runInMemory } from '../memory-host.ts';
import { RecordedEffects } from './recorded-effects.ts';
import type { RecordedMoment, RecordedSession } from './recorded-session.ts';

export type Relived = Awaited<ReturnType<typeof relive>>;

/** `unknown`: calls of the history that the session does not know of. `refused`: requests that fitted nowhere. */
export async function relive(id: string, recorded: RecordedSession) {
  const clock = new RecordedClock(recorded.startedAt);
  const host = new MemoryHost(recorded.input, { id, clock, send: () => Promise.resolve(true) });
  const effects = new RecordedEffects(host, recorded.calls);
  const { session } = host;
  const trouble: { error?: unknown } = {};
  const running = runInMemory(recorded.input, () => ({ session, effects }));
  running.catch((error: unknown) => Object.assign(trouble, { error }));
  let refused: NonNullable<RecordedMoment['request']>[] = [];
  for (const { at, ended, request, cancelled } of recorded.moments) {
    await clock.advance(at);
    if (ended) effects.reach(ended);
    if (cancelled) session.cancel();
    await settled();
    if (request) refused.push(request);
    refused = refused.filter((each) => !takeRequest(session, each));
    await settled();
  }
  if (trouble.error !== undefined) throw trouble.error;
  return {
    session,
    unknown: effects.left.filter(({ name }) => name === 'callModel' || name.startsWith('tool.')),
    refused,
  };
}

function takeRequest(session: Session, { name, sent }: Relived['refused'][number]): boolean {
  // an unknown name was ignored by the session, too
  return !isRequest(name) || carryOut<unknown>(session, requests[name](session, ...sent)).ok;
}

/** Stands still between two events. */
class RecordedClock implements Clock {
  #now: number;
  #timers: { at: number; done: () => void }[] = [];

  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, done: () => void): () => void {
    const timer = { at: this.#now + ms, done };
    this.#timers.push(timer);
    return () => (this.#timers = this.#timers.filter((other) => other !== timer));
  }

  async advance(to: number): Promise<void> {
    for (;;) {
      const due = this.#timers.filter(({ at }) => at <= to).toSorted((left, right) => left.at - right.at);
      const [next] = due;
      if (!next) break;
      this.#now = Math.max(this.#now, next.at);
      this.#timers = this.#timers.filter((other) => other !== next);
      next.done();
      await settled();
    }
    this.#now = Math.max(this.#now, to);
  }
}

// The event stream over sources that the test moves by hand: order, gaps, outages, the end.
import { expect, test } from 'vitest';
import { ClientError } from '../../src/client/client-error.ts';
import { type EventSources, type WatchItem, streamEvents } from '../../src/client/session-events.ts';
import type { AgentEvent } from '@holdfast/vocabulary/events';
import type { Snapshot } from '@holdfast/vocabulary/snapshot';

/** A session of `turn_start` events whose ring keeps the newest `kept`. */
function createSession(kept = 250) {
  let last = 0;
  let onChange: () => void = () => {};
  const closed = Promise.withResolvers<void>();
  const asked: number[] = [];
  let outage: ClientError | undefined;
  const event = (seq: number): AgentEvent => ({ seq, at: seq, type: 'turn_start' });
  const sources: EventSources = {
    async getEvents(afterSeq) {
      asked.push(afterSeq);
      if (outage) throw outage;
      const firstSeq = Math.max(1, last - kept + 1);
      const from = Math.max(afterSeq + 1, firstSeq);
      const events = Array.from({ length: Math.max(0, last - from + 1) }, (_, index) => event(from + index));
      return { events, firstSeq, lastSeq: last, truncated: afterSeq + 1 < firstSeq };
    },
    // Only what a gap shows of it.
    snapshot: async () => ({ lastEventSeq: last }) as Snapshot,
    watch: async (changed, signal) => {
      onChange = changed;
      await Promise.race([closed.promise, new Promise((stop) => signal.addEventListener('abort', stop))]);
    },
  };
  return {
    sources,
    asked,
    add: (count: number): void => {
      last += count;
      onChange();
    },
    close: () => closed.resolve(),
    setOutage: (error: ClientError | undefined) => void (outage = error),
  };
}

async function take(stream: AsyncGenerator<WatchItem>, count: number): Promise<WatchItem[]> {
  const items: WatchItem[] = [];
  while (items.length < count) {
    const next = await stream.next();
    if (next.done) break;
    items.push(next.value);
  }
  return items;
}

const seqs = (items: WatchItem[]): number[] =>
  items.flatMap((item) => (item.type === 'event' ? [item.event.seq] : []));

test('[EVENT-07b] gives every event once and in order, and ends when the session has closed', async () => {
  const session = createSession();
  session.add(3);
  const stream = streamEvents(session.sources, 0, new AbortController().signal);
  expect(seqs(await take(stream, 3))).toEqual([1, 2, 3]);
  session.add(2);
  expect(seqs(await take(stream, 2))).toEqual([4, 5]);
  session.add(1);
  session.close();
  expect(seqs(await take(stream, 9))).toEqual([6]);
});

test('[EVENT-07d] says which events are gone, with the snapshot to go on from', async () => {
  const session = createSession(2);
  session.add(7);
  session.close();
  const items = await take(streamEvents(session.sources, 1, new AbortController().signal), 9);
  expect(items[0]).toEqual({ type: 'gap', fromSeq: 2, toSeq: 5, snapshot: { lastEventSeq: 7 } });
  expect(seqs(items)).toEqual([6, 7]);
});

test('[FAULT-37] an unanswered query is said once, and tried again until it is answered', async () => {
  const session = createSession();
  session.setOutage(new ClientError('NoWorker', 'nobody'));
  session.add(1);
  const stream = streamEvents(session.sources, 0, new AbortController().signal);
  expect(await take(stream, 1)).toEqual([
    { type: 'unanswered', code: 'NoWorker', message: 'nobody', closed: false },
  ]);
  const next = take(stream, 1);
  await expect.poll(() => session.asked.length).toBeGreaterThan(2);
  session.setOutage(undefined);
  expect(seqs(await next)).toEqual([1]);
  await stream.return();
});

test('an unanswered query is said again when the session has closed meanwhile', async () => {
  const session = createSession();
  session.setOutage(new ClientError('NoWorker', 'nobody'));
  const stream = streamEvents(session.sources, 0, new AbortController().signal);
  expect(await take(stream, 1)).toMatchObject([{ closed: false }]);
  const next = take(stream, 1);
  session.close();
  expect(await next).toMatchObject([{ type: 'unanswered', closed: true }]);
  await stream.return();
});

test('[FAULT-37] each cause of an outage is said once', async () => {
  const session = createSession();
  session.setOutage(new ClientError('WorkerBusy', 'listed'));
  const stream = streamEvents(session.sources, 0, new AbortController().signal);
  expect(await take(stream, 1)).toMatchObject([{ code: 'WorkerBusy' }]);
  const next = take(stream, 1);
  session.setOutage(new ClientError('NoWorker', 'nobody'));
  expect(await next).toMatchObject([{ code: 'NoWorker' }]);
  const after = take(stream, 1);
  const asked = session.asked.length;
  session.setOutage(new ClientError('WorkerBusy', 'listed'));
  await expect.poll(() => session.asked.length).toBeGreaterThan(asked + 1);
  session.setOutage(undefined);
  session.add(1);
  expect(seqs(await after)).toEqual([1]);
  await stream.return();
});

test('what no trying can mend ends the stream with its error', async () => {
  const session = createSession();
  session.setOutage(new ClientError('UnknownSession', 'no such'));
  const stream = streamEvents(session.sources, 0, new AbortController().signal);
  await expect(take(stream, 1)).rejects.toThrow('no such');
});

test('an abort ends it, also while it waits', async () => {
  const session = createSession();
  const stop = new AbortController();
  const waiting = take(streamEvents(session.sources, 0, stop.signal), 1);
  await expect.poll(() => session.asked.length).toBe(1);
  stop.abort();
  expect(await waiting).toEqual([]);
});

test('no query without news: history that does not grow costs nothing', async () => {
  const session = createSession();
  session.add(1);
  const stream = streamEvents(session.sources, 0, new AbortController().signal);
  await take(stream, 1);
  const next = take(stream, 1);
  expect(session.asked).toEqual([0]);
  session.add(1);
  await next;
  expect(session.asked).toEqual([0, 1]);
  await stream.return();
});

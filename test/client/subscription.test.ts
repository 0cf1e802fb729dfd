// Listeners over sources that the test moves by hand: their order, what they cannot do to each other, their end.
import { expect, test } from 'vitest';
import { createDeltaBus } from '../../src/activities/base/delta-bus.ts';
import type { WatchItem } from '../../src/client/session-events.ts';
import { SessionHub } from '../../src/client/subscription.ts';
import type { Heard } from '../../src/client/subscription.ts';
import type { AgentEventBody } from '@holdfast/vocabulary/events';
import { movedStream } from '../support/moved-stream.ts';

function createSession() {
  const bus = createDeltaBus();
  const { put, read } = movedStream();
  let seq = 0;
  let streams = 0;
  let idle = 0;
  const events = (signal: AbortSignal): AsyncGenerator<WatchItem> => {
    streams += 1;
    return read(signal);
  };
  const hub = new SessionHub({ events, live: () => bus.subscribe('s') }, () => (idle += 1));
  return {
    hub,
    event: (body: AgentEventBody) =>
      put({ type: 'event', event: { seq: ++seq, at: 0, runId: 'r', turn: 1, ...body } }),
    turns: (count: number): void => {
      for (let turn = 0; turn < count; turn++)
        put({ type: 'event', event: { seq: ++seq, at: 0, type: 'turn_start' } });
    },
    says: (text: string, number: number) =>
      bus.publish({
        sessionId: 's',
        runId: 'r',
        turn: 1,
        attempt: 1,
        seq: number,
        messageSeq: 2,
        type: 'delta',
        delta: { type: 'text', text },
      }),
    end: (error?: Error) => put(error ?? 'end'),
    get streams() {
      return streams;
    },
    get idle() {
      return idle;
    },
  };
}

const seqOf = (heard: Heard): number => ('seq' in heard ? heard.seq : 0);

test('[EVENT-11a] listeners are called in registration and event order, until they unsubscribe', async () => {
  const session = createSession();
  const heard: string[] = [];
  const first = session.hub.subscribe((event) => void heard.push(`a${seqOf(event)}`), {});
  const second = session.hub.subscribe((event) => {
    heard.push(`b${seqOf(event)}`);
    if (seqOf(event) === 2) first();
  }, {});
  session.turns(3);
  session.end();
  expect(await second.ended).toBeUndefined();
  await first.ended;
  expect(heard).toEqual(['a1', 'b1', 'a2', 'b2', 'b3']);
  expect(session.streams).toBe(1);
});

test('[EVENT-11b] a listener that throws or rejects is called again, and others as before', async () => {
  const session = createSession();
  const heard: number[] = [];
  const errors: string[] = [];
  const onError = (error: unknown) => void errors.push(String(error));
  session.hub.subscribe(
    (event) => {
      throw new Error(`throws at ${seqOf(event)}`);
    },
    { onError },
  );
  session.hub.subscribe(async (event) => Promise.reject(new Error(`rejects at ${seqOf(event)}`)), {
    onError,
  });
  session.hub.subscribe(() => {
    throw new Error('nobody hears of this');
  }, {});
  const good = session.hub.subscribe((event) => void heard.push(seqOf(event)), {});
  session.turns(2);
  session.end();
  await good.ended;
  expect(heard).toEqual([1, 2]);
  expect(errors.toSorted((left, right) => left.localeCompare(right))).toEqual([
    'Error: rejects at 1',
    'Error: rejects at 2',
    'Error: throws at 1',
    'Error: throws at 2',
  ]);
});

test('[EVENT-11b] [EVENT-09bd] a slow listener loses only its own events beyond 4,096, and they are counted', async () => {
  const session = createSession();
  const slowly: number[] = [];
  const quickly: number[] = [];
  const held = Promise.withResolvers<void>();
  const slow = session.hub.subscribe(async (event) => {
    slowly.push(seqOf(event));
    await held.promise;
  }, {});
  const quick = session.hub.subscribe((event) => void quickly.push(seqOf(event)), {});
  session.turns(5_000);
  session.end();
  await expect.poll(() => quickly.length).toBe(5_000);
  expect(slowly).toEqual([1]);
  held.resolve();
  await slow.ended;
  expect(slowly).toHaveLength(4_097);
  expect(slowly).toEqual(slowly.map((_, index) => index + 1));
  expect([slow.droppedCount, quick.droppedCount]).toEqual([903, 0]);
});

test('[EVENT-05b] [EVENT-11a] live pieces published before an event was read come before it', async () => {
  const session = createSession();
  const heard: string[] = [];
  const listener = (event: Heard): void => {
    if (event.type === 'message_update' && event.delta.type === 'text') heard.push(event.delta.text);
    else heard.push(event.type);
  };
  const subscription = session.hub.subscribe(listener, {});
  session.says('The ', 1);
  session.event({ type: 'message_start', role: 'assistant', messageSeq: 2 });
  session.says('pool', 2);
  session.event({ type: 'message_end', role: 'assistant', messageSeq: 2, text: 'The pool' });
  session.end();
  await subscription.ended;
  expect(heard).toEqual(['message_start', 'The ', 'pool', 'message_end']);
});

test('without listeners the stream ends; an error that ends it is told', async () => {
  const session = createSession();
  const only = session.hub.subscribe(() => undefined, {});
  only();
  only();
  await only.ended;
  await expect.poll(() => session.idle).toBeGreaterThan(0);
  const failing = createSession();
  const subscription = failing.hub.subscribe(() => undefined, {});
  failing.end(new Error('no such session'));
  expect(await subscription.ended).toMatchObject({ message: 'no such session' });
});

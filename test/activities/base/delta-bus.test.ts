import { describe, expect, test } from 'vitest';
import { createDeltaBus } from '../../../src/activities/base/delta-bus.ts';
import type { LiveEvent, LiveSource } from '@holdfast/vocabulary/session-events';

function event(seq: number, sessionId = 'a'): LiveEvent {
  return {
    sessionId,
    runId: 'r',
    turn: 1,
    attempt: 1,
    seq,
    type: 'delta',
    messageSeq: 2,
    delta: { type: 'text', text: `${seq} ` },
  };
}

async function drain(subscription: LiveSource): Promise<number[]> {
  const seen: number[] = [];
  for await (const { seq } of subscription) seen.push(seq);
  return seen;
}

describe('the live bus', () => {
  test('[EVENT-09bd] each watcher has its own buffer of 4,096; a full one drops for that watcher only and counts', async () => {
    const bus = createDeltaBus();
    const slow = bus.subscribe('a');
    const quick = bus.subscribe('a');
    const seen: number[] = [];
    const reading = (async () => {
      for await (const { seq } of quick) seen.push(seq);
    })();
    for (let seq = 1; seq <= 5_000; seq++) {
      bus.publish(event(seq));
      if (seq % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    slow.close();
    quick.close();
    await reading;
    expect(await drain(slow)).toEqual(Array.from({ length: 4_096 }, (_, index) => index + 1));
    expect(slow.droppedCount).toBe(904);
    expect(seen).toHaveLength(5_000);
    expect(quick.droppedCount).toBe(0);
  });

  test('a watcher gets its own session only, in order, until it closes', async () => {
    const bus = createDeltaBus();
    const subscription = bus.subscribe('a');
    bus.publish(event(1));
    bus.publish(event(1, 'b'));
    bus.publish(event(2));
    subscription.close();
    bus.publish(event(3));
    expect(await drain(subscription)).toEqual([1, 2]);
  });

  test('leaving the loop closes it; a throwing watcher changes nothing for others', async () => {
    const bus = createDeltaBus();
    const throwing = bus.subscribe('a');
    const other = bus.subscribe('a');
    bus.publish(event(1));
    const watch = async () => {
      for await (const { seq } of throwing) throw new Error(`watcher fails at ${seq}`);
    };
    await expect(watch()).rejects.toThrow('watcher fails at 1');
    bus.publish(event(2));
    other.close();
    expect(await drain(other)).toEqual([1, 2]);
    expect(await drain(throwing)).toEqual([]);
  });

  test('an event and the close that come while the last event is handled are not lost', async () => {
    const bus = createDeltaBus();
    const subscription = bus.subscribe('a');
    bus.publish(event(1));
    const seen: number[] = [];
    for await (const { seq } of subscription) {
      seen.push(seq);
      if (seq === 1) {
        bus.publish(event(2));
        subscription.close();
      }
    }
    expect(seen).toEqual([1, 2]);
  });
});

import { describe, expect, test } from 'vitest';
import { toCallId, contentBytes, replyOf, toolResultBytes, toolText } from '../../tools/bench/content.ts';
import { Pace } from '../../tools/bench/pace.ts';
import { growthExponent, spread } from '../../tools/bench/statistics.ts';
import { rateOfMiddle } from '../../tools/bench/throughput.ts';

describe('statistics of the bench', () => {
  test('median and interquartile range interpolate', () => {
    expect(spread([4, 1, 3, 2])).toEqual({ median: 2.5, low: 1.75, high: 3.25 });
    expect(spread([7])).toEqual({ median: 7, low: 7, high: 7 });
    expect(() => spread([])).toThrow('at least one');
  });

  test.each([1, 1.05, 2])('finds the exponent %d', (exponent) => {
    const points = [50, 100, 450, 1_000].map((x) => ({ x, y: 3 * x ** exponent }));
    expect(growthExponent(points)).toBeCloseTo(exponent, 10);
  });

  test('the rate leaves out the first and the last tenth', () => {
    const steady = Array.from({ length: 101 }, (_, index) => index * 10);
    expect(rateOfMiddle([...steady.slice(0, -1), 99_999])).toBeCloseTo(100, 5);
  });
});

describe('content of the bench', () => {
  test('a tool text has exactly its bytes and differs from turn to turn', () => {
    expect(Buffer.byteLength(toolText(7))).toBe(toolResultBytes);
    expect(toolText(7)).not.toBe(toolText(8));
  });

  test('counts what a turn adds to the transcript', () => {
    const spoken = replyOf(7, 9).content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    expect(contentBytes(7)).toBeGreaterThan(toolResultBytes + spoken.join('').length + toCallId(7).length);
    expect(contentBytes(7)).toBeLessThan(toolResultBytes + 150);
  });
});

describe('pace of the bench', () => {
  test('holds a session at the turn it was let run to', async () => {
    const pace = new Pace();
    pace.hold('a');
    const seen: number[] = [];
    const session = (async () => {
      for (let turn = 1; turn <= 5; turn += 1) {
        await pace.reach('a', turn);
        seen.push(turn);
      }
    })();
    await pace.arrival('a');
    expect(seen).toEqual([]);
    await pace.runTo('a', 2);
    expect(seen).toEqual([1, 2]);
    await pace.runTo('a', 3);
    expect(seen).toEqual([1, 2, 3]);
    pace.free('a');
    await session;
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });
});

// Change points: found in steps, not in noise, slopes, spikes and gaps.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changePoints } from '../src/change-points.ts';
import '../../../test/support/property-seed.ts';

const minute = 60_000;
const from = Date.UTC(2026, 10, 28, 3);
const byMinute = (values: readonly number[]): [number, number][] =>
  values.map((value, index) => [from + index * minute, value]);

/** Numbers between 0 and 1 that follow from the seed. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    const more = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((more ^ (more >>> 14)) >>> 0) / 2 ** 32;
  };
}

const kinds: Record<string, (next: () => number) => number> = {
  even: (next) => next(),
  normal: (next) => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  'with a long tail': (next) => -Math.log(1 - next()),
  'with wild outliers': (next) => Math.tan(Math.PI * (next() - 0.5)),
};

describe('[SRC-16b] change points', () => {
  test('[SRC-16c] noise of any scale has none, in 99 of 100 series at least', () => {
    for (const [name, noise] of Object.entries(kinds)) {
      for (const count of [30, 60, 240, 1_440]) {
        const found = Array.from({ length: 100 }, (_, seed) => {
          const next = chance(seed * 7_919 + count);
          const scale = 10 ** (seed % 9) / 1_000;
          return changePoints(byMinute(Array.from({ length: count }, () => scale * noise(next))));
        });
        expect(found.filter((points) => points.length > 0).length, `${name}, ${count}`).toBeLessThanOrEqual(
          1,
        );
      }
    }
  });

  test('[SRC-16c] zeros and ones by chance have none, in 95 of 100 series at least', () => {
    const found = Array.from({ length: 100 }, (_, seed) => {
      const next = chance(seed);
      return changePoints(byMinute(Array.from({ length: 120 }, () => Math.round(next()))));
    });
    expect(found.filter((points) => points.length > 0).length).toBeLessThanOrEqual(5);
  });

  test('a step is found where it is, with both levels', () => {
    const step = fc.record({
      seed: fc.integer(),
      count: fc.integer({ min: 20, max: 400 }),
      share: fc.double({ min: 0.2, max: 0.8, noNaN: true }),
      level: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      jump: fc.constantFrom(-1_000, -1, 0.001, 5, 1e6),
    });
    fc.assert(
      fc.property(step, ({ seed, count, share, level, jump }) => {
        const next = chance(seed);
        const at = Math.floor(count * share);
        const noise = Math.abs(jump) / 10;
        const values = Array.from(
          { length: count },
          (_, index) => level + (index >= at ? jump : 0) + noise * (next() - 0.5),
        );
        const [found, ...others] = changePoints(byMinute(values));
        expect(others).toEqual([]);
        expect(found?.at).toBe(from + at * minute);
        expect(Math.abs((found?.before ?? 0) - level)).toBeLessThan(noise);
        expect(Math.abs((found?.after ?? 0) - level - jump)).toBeLessThan(noise);
      }),
    );
  });

  test('of several the largest comes first, three at most', () => {
    const stretch = (value: number): number[] =>
      Array.from({ length: 12 }, (_, index) => value + (index % 2));
    const values = [...stretch(0), ...stretch(40), ...stretch(140), ...stretch(60), ...stretch(0)];
    const found = changePoints(byMinute(values));
    expect(found.map(({ at, before, after }) => [(at - from) / minute, Math.round(after - before)])).toEqual([
      [24, 100],
      [36, -80],
      [48, -60],
    ]);
  });

  test('a short outage is a change and its end another', () => {
    const values = Array.from({ length: 60 }, (_, index) => (index >= 40 && index < 45 ? 1 : 0));
    expect(changePoints(byMinute(values))).toEqual([
      { at: from + 40 * minute, before: 0, after: 1 },
      { at: from + 45 * minute, before: 1, after: 0 },
    ]);
  });

  test.each<[string, (index: number) => number]>([
    ['level', () => 7],
    ['slope', (index) => index / 10],
    ['slope with steps', (index) => Math.floor(index / 4)],
    ['single spikes', (index) => (index % 17 === 5 ? 90 : 1)],
    ['pairs of spikes', (index) => (index % 30 < 2 ? 90 : 1)],
  ])('[SRC-16c] a %s has none', (_, valueAt) => {
    for (const count of [0, 1, 5, 6, 60, 240, 1_000])
      expect(
        changePoints(byMinute(Array.from({ length: count }, (_value, index) => valueAt(index)))),
      ).toEqual([]);
  });

  test('a change across a gap is at the first sample behind it', () => {
    const samples = byMinute(Array.from({ length: 60 }, (_, index) => (index < 30 ? 5 : 9)));
    const withGap = samples.filter((_, index) => index < 25 || index >= 35);
    expect(changePoints(withGap)).toEqual([{ at: from + 35 * minute, before: 5, after: 9 }]);
  });
});

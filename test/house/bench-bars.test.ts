// The bars of the bench: when one is missed, what is said about it, and when the bench fails.
import { describe, expect, test } from 'vitest';
import { type Bar, bars, toExitCode, isMissed, judge, judgeBy, toLines } from '../../tools/bench/bars.ts';
import { exactly, type Figure } from '../../tools/bench/figures.ts';
import { carriedFigures } from '../../tools/bench/hand-over.ts';
import { stretchEnds } from '../../tools/bench/long-run.ts';
import { openBars } from '../../tools/bench/open-bars.ts';
import { toMarkdownTable, toFigureTable } from '../../tools/bench/render.ts';
import { type Block, turnFigures, type WeightPoint } from '../../tools/bench/turn-time.ts';

const bar: Bar = { atMost: 1.1 };
const missed: Figure = { name: 'a', what: 'a row', unit: 'x', value: { median: 1.3, low: 1.2, high: 1.4 } };
const met: Figure = { ...missed, value: { median: 1, low: 0.9, high: 1.05 } };

describe('a bar of the bench', () => {
  test.each<[string, Bar, number, number, boolean]>([
    ['the whole range is above', { atMost: 1.1 }, 1.11, 1.3, true],
    ['a quartile is within', { atMost: 1.1 }, 1.1, 1.3, false],
    ['the whole range is below', { atLeast: 1 }, 0.7, 0.99, true],
    ['a quartile reaches it', { atLeast: 1 }, 0.7, 1, false],
    ['nothing was measured', { atMost: 1.1 }, Number.NaN, Number.NaN, true],
    ['nothing was measured', { atLeast: 1 }, Number.NaN, Number.NaN, true],
  ])('%s', (_, limit, low, high, expected) => {
    expect(isMissed({ median: (low + high) / 2, low, high }, limit)).toBe(expected);
  });

  test('that is missed and not listed makes the exit code 1', () => {
    const judged = [judgeBy(met, bar, undefined), judgeBy(missed, bar, undefined)];
    expect(judged.map(({ verdict }) => verdict)).toEqual(['met', 'MISSED']);
    expect(toExitCode(judged)).toBe(1);
    expect(toLines(judged)).toEqual(['a row (a): missed. Fix it, or list it in tools/bench/open-bars.ts.']);
  });

  test('that is missed and listed does not, and its reason is said', () => {
    const judged = [judgeBy(missed, bar, 'the server is slow')];
    expect(toExitCode(judged)).toBe(0);
    expect(toLines(judged)).toEqual(['a row (a): open: the server is slow']);
  });

  test('that is listed and met again is said, and is no failure', () => {
    const judged = [judgeBy(met, bar, 'the server is slow')];
    expect(toExitCode(judged)).toBe(0);
    expect(toLines(judged)).toEqual(['a row (a): met. Remove it from tools/bench/open-bars.ts.']);
  });

  test('is there for every listed one', () => {
    expect(Object.keys(openBars).filter((name) => bars[name] === undefined)).toEqual([]);
  });
});

describe('the tables of the bench', () => {
  const figures: Figure[] = [
    { name: 'prompt', what: 'bytes of a request', unit: '', value: exactly(12_000), detail: 'half of it' },
    { name: 'none', what: 'a row without a bar', unit: 'ms', value: { median: 2, low: 1, high: 3 } },
  ];

  test('show value, bar, verdict and what is behind it', () => {
    const table = toFigureTable(figures.map(judge), { node: '24' });
    expect(table).toMatch(/bytes of a request +12000 +at most 13700 +met +half of it/);
    expect(table).toMatch(/a row without a bar +2\.00 \(1\.00-3\.00\) ms/);
    expect(table).toContain('node: 24');
  });

  test('have the rows with a bar in the one of the documents', () => {
    expect(toMarkdownTable(figures.map(judge))).toBe(
      '| what | measured | aim | |\n|---|---|---|---|\n| bytes of a request | 12000 | at most 13700 | met |',
    );
  });
});

describe('figures', () => {
  const block = (window: Block['window'], ours: number): Block => ({ window, ours, bare: 10, written: 20 });
  const weight = (turns: number): WeightPoint => ({
    turns,
    bytes: turns * 7_168,
    events: turns * 12,
    executions: 4,
    carriedBytes: [],
  });
  const weights = [weight(50), weight(1_000)];

  test('of turns compare each block with those beside it, and late ones with the second early one', () => {
    const blocks = [
      block('early', 99),
      block('early', 12),
      block('middle', 11),
      block('middle', 11),
      block('late', 12),
      block('late', 12),
    ];
    const found = turnFigures({ blocks, weights: { ours: weights, bare: weights, written: weights } });
    const medians = Object.fromEntries(found.map(({ name, value }) => [name, value.median]));
    expect(medians).toMatchObject({
      'turn.middle': 1.1,
      'written.late': 0.6,
      'turn.late-over-early': 1,
      'history.turn': 7,
    });
    expect(medians['history.exponent']).toBeCloseTo(1, 10);
  });

  test('of hand-overs name the largest, and compare the later half with the earlier', () => {
    const [carried, growth] = carriedFigures([1_024, 2_048, 1_024, 3_072]);
    expect(carried?.value.median).toBe(3);
    expect(growth?.value.median).toBe(1.5);
  });

  test('of a long session are taken at each tenth and around the first and the last thousand turns', () => {
    expect(stretchEnds(100_000)).toEqual([
      1_000, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000, 70_000, 80_000, 90_000, 99_000, 100_000,
    ]);
    expect(stretchEnds(100)).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
  });
});

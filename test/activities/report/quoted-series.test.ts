// The series in a completed report: those that quotes are about, few, and small enough for a report.
import { describe, expect, test } from 'vitest';
import { drawnPoints, withQuotedSeries } from '../../../src/activities/report/quoted-series.ts';
import { seriesAnswer } from '../../../src/activities/toolsets/series-answer.ts';
import { createMemoryArtifactStore } from '../../../src/in-process/memory-artifact-store.ts';
import type { Json } from '@holdfast/base/json';
import type { Series, SeriesPoint } from '@holdfast/base/series';
import type { CheckedQuote, Report } from '@holdfast/report/report';
import type { LoggedCall } from '@holdfast/stored/logged-calls';
import { storeReport } from '../../../src/activities/report/stored-report.ts';
import { limitReport } from '../../support/sample-reports.ts';

const at = Date.UTC(2026, 10, 28, 3);
const every = (seconds: number, values: readonly (number | null)[]): SeriesPoint[] =>
  values.map((value, index) => [at + index * seconds * 1_000, value]);

/** What is read of a call. */
const callOf = (series: number, by?: LoggedCall['by']) =>
  ({ result: { details: { series } }, ...(by && { by }) }) as unknown as LoggedCall;

const quote = (callId: string, line: number): CheckedQuote => ({
  callId,
  quote: 'x',
  verified: true,
  position: { artifactId: `tool-${callId}`, line, character: 1 },
});

const reportOf = (...quotes: CheckedQuote[]): Report => ({
  ...limitReport,
  claims: [{ text: 'It grew.', verified: true, quotes }],
});

async function stored(
  session: string,
  callId: string,
  series: Series[],
  store = createMemoryArtifactStore(),
) {
  const { text, stored: lines } = seriesAnswer(JSON.parse(JSON.stringify(series)) as Json[]);
  await store.put(session, `tool-${callId}`, `${text}\n\n${lines}`);
  return store;
}

describe('the series of a report', () => {
  const named = (count: number, points: SeriesPoint[]): Series[] =>
    Array.from({ length: count }, (_, index) => ({ name: `cpu{pod="${index}"}`, points }));

  test('[SRC-19a] each is there once, of the line that is quoted, also of a subagent', async () => {
    const store = await stored('s', 'a', named(2, every(60, [1, 2])));
    await stored(
      's/logs',
      'b',
      [
        { name: 'up', points: every(60, [0, 1]) },
        { name: 'up: x', points: every(60, [5]) },
      ],
      store,
    );
    await store.put('s', 'tool-c', 'pool_size 2');
    const calls = new Map([
      ['a', callOf(2)],
      ['logs/b', callOf(1, { sessionId: 's/logs', name: 'logs' })],
      ['c', callOf(0)],
    ]);
    const theirs = (line: number): CheckedQuote => ({
      ...quote('logs/b', line),
      position: { artifactId: 'tool-b', line, character: 1 },
    });
    const lost: CheckedQuote = { callId: 'a', quote: 'y', verified: false };
    const { claims, series } = await withQuotedSeries(
      reportOf(quote('a', 5), quote('c', 1), theirs(2), quote('a', 4), quote('a', 2), theirs(4), lost),
      calls,
      { artifacts: store, sessionId: 's' },
    );
    expect(claims[0]?.quotes.map((each) => each.series)).toEqual([0, undefined, 1, 0, 2, 3, undefined]);
    expect(series?.map(({ callId, name }) => [callId, name])).toEqual([
      ['a', 'cpu{pod="1"}'],
      ['logs/b', 'up'],
      ['a', 'cpu{pod="0"}'],
      ['logs/b', 'up: x'],
    ]);
  });

  test('[SRC-19d] at most eight, of 200 points at most, in less than 60 KB', async () => {
    const values = Array.from({ length: 3_000 }, (_, index) => Math.sin(index) * 1e6 + 0.123456);
    const store = await stored('s', 'a', named(20, every(15, values)));
    const quotes = Array.from({ length: 20 }, (_, index) => quote('a', index * 3 + 2));
    const report = await withQuotedSeries(reportOf(...quotes), new Map([['a', callOf(20)]]), {
      artifacts: store,
      sessionId: 's',
    });
    expect(report.series).toHaveLength(8);
    expect(report.series?.map(({ points }) => points.length)).toEqual(Array(8).fill(200));
    await storeReport(store, 's', 'with.md', report);
    await storeReport(store, 's', 'without.md', { ...report, series: [] });
    const sizeOf = async (name: string): Promise<number> => (await store.get('s', name))?.length ?? 0;
    expect((await sizeOf('with.json')) - (await sizeOf('without.json'))).toBeLessThan(60_000);
    expect(JSON.parse(Buffer.from((await store.get('s', 'with.json')) ?? []).toString())).toEqual(report);
  });

  test('[SRC-19d] the lowest and the highest of each stretch stay, with their times, and so does a gap', () => {
    const values = Array.from({ length: 2_000 }, (_, index) =>
      index >= 1_000 && index < 1_200 ? null : index % 7,
    );
    values[333] = 99;
    values[1_777] = -99;
    const drawn = drawnPoints(every(60, values));
    expect(drawn.length).toBeLessThanOrEqual(200);
    expect(drawn).toContainEqual([at + 333 * 60_000, 99]);
    expect(drawn).toContainEqual([at + 1_777 * 60_000, -99]);
    expect(drawn.filter(([, value]) => value === null)).toHaveLength(10);
    expect(drawn.map(([time]) => time)).toEqual(drawn.map(([time]) => time).toSorted((a, b) => a - b));
    // samples that the source left out
    const left = every(60, Array<number>(20).fill(5)).filter((_, index) => index < 8 || index > 11);
    expect(drawnPoints(left)).toContainEqual([at + 8 * 60_000, null]);
    expect(drawnPoints([])).toEqual([]);
  });
});

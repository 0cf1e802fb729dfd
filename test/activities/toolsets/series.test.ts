// Series of any source: summaries and comparisons of the neutral form, by the YAML of a toolset over a server that answers
// in the shape of Datadog's API (https://docs.datadoghq.com/api/latest/metrics/#query-timeseries-points).
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Json } from '@holdfast/base/json';
import { openToolset } from '../../../src/activities/toolsets/toolsets.ts';
import { readSeries, toSummary } from '@holdfast/sources/series-summary';
import { readStoredSeries } from '@holdfast/stored/stored-series';
import { startHttpServer } from '../../support/http-server.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';
import { createToolBench } from '../../support/toolset-bench.ts';
import { compareWindows } from '../../../src/activities/toolsets/series-answer.ts';

const at = Date.UTC(2026, 10, 28, 3);
const minute = 60_000;
const points = (...values: (number | string | null)[]): Json =>
  values.map((value, index) => [at + index * minute, value]);
const read = (...rows: Json[]) => readSeries(rows);

describe('a summary', () => {
  test('[SRC-16a] has minimum and maximum with their times, mean, last value and a sparkline', () => {
    expect(toSummary(read({ name: 'cpu', points: points(1, 4, 2, 3) }))).toBe(
      [
        'cpu: 4 samples, 2026-11-28T03:00:00Z to 2026-11-28T03:03:00Z',
        '  min 1 @ 2026-11-28T03:00:00Z, max 4 @ 2026-11-28T03:01:00Z, mean 2.5, last 3',
        '  ▁█▃▆',
      ].join('\n'),
    );
  });

  test('[SRC-16b] has the times at which the level changed', () => {
    const values = [...Array<number>(20).fill(0.01), ...Array<number>(10).fill(0.93)];
    expect(toSummary(read({ name: 'errors', points: points(...values) })).split('\n')[2]).toBe(
      '  changed @ 2026-11-28T03:20:00Z from 0.01 to 0.93',
    );
  });

  test('[SRC-16d] says what is not finite, has no samples, or was left out; gaps are gaps', () => {
    const gap = toSummary(read({ name: 'a', points: points('NaN', '1.5', null, '+Inf', 2) }));
    expect(gap).toContain('a: 5 samples, 2026-11-28T03:00:00Z to 2026-11-28T03:04:00Z, 3 not finite');
    expect(gap).toContain('min 1.5 @ 2026-11-28T03:01:00Z, max 2 @ 2026-11-28T03:04:00Z, mean 1.75, last 2');
    expect(gap.split('\n').at(-1)).toBe('  ▁█');
    expect(toSummary(read({ name: 'b', points: [] }))).toBe('b: no samples');
    const many = Array.from({ length: 60 }, (_, index) => ({ name: `s${index}`, points: points(1) }));
    expect(toSummary(read(...many))).toContain('[10 of 60 left out: narrow the query, or use topk]');
    // a name is the head of its lines, whatever its labels hold
    expect(toSummary(read({ name: 'x{a="1\n  min 9"}', points: [] }))).toBe('x{a="1 min 9"}: no samples');
  });
});

describe('[SRC-17b] two windows', () => {
  const before = read(
    { name: 'steady', points: points(10, 11, 12) },
    { name: 'grown', points: points(1, 1, 4) },
    { name: 'gone', points: points(5) },
    { name: 'from zero', points: points(0, 0) },
  );
  const during = read(
    { name: 'steady', points: points(11, 11, 11) },
    { name: 'grown', points: points(4, 8, 12) },
    { name: 'new', points: points(7, 9) },
    { name: 'from zero', points: points(0, 3) },
  );

  test('are compared by mean, median and maximum, the largest change first, and what appeared or disappeared is named', () => {
    expect(compareWindows(during, before, '1d').split('\n')).toEqual([
      expect.stringMatching(
        /^1d earlier \(2026-11-28T03:00:00Z to .*\) -> as asked \(.*\), the largest change/,
      ),
      'new: appeared: no samples earlier, mean 8, median 8, max 9',
      'gone: disappeared: only samples earlier, mean 5, median 5, max 5',
      'from zero: mean 0 -> 1.5, median 0 -> 1.5, max 0 -> 3',
      'grown: mean 2 -> 8 (x4), median 1 -> 8, max 4 -> 12',
      'steady: mean 11 -> 11 (x1), median 11 -> 11, max 12 -> 11',
    ]);
  });

  test('a series without a number in either is said to be so, and comes last', () => {
    const nothing = { name: 'nothing', points: points('NaN', '+Inf') };
    const flat = { name: 'flat', points: points(0, 0) };
    expect(compareWindows(read(nothing, flat), read(nothing, flat), '1d').split('\n').slice(1)).toEqual([
      'flat: mean 0 -> 0, median 0 -> 0, max 0 -> 0',
      'nothing: no finite samples in either',
    ]);
  });
});

const yaml = `
name: vendor
description: Metrics of a vendor.
settings: { url: {} }
tools:
  - name: vendor_range
    description: Reads series.
    effect: read
    parameters:
      query: { type: string }
      start: { type: time, default: -1h, form: seconds }
      end: { type: time, default: now, form: seconds }
    http:
      url: '{{settings.url}}/api/v1/query'
      query: { query: '{{query}}', from: '{{start}}', to: '{{end}}' }
    read: { items: series, row: { name: '{expression}', points: '{pointlist}' } }
    show: series
    compare: true
`;

/** A series whose values are the minutes of their hour, one hour earlier ten times as much. */
async function openVendor(text = yaml) {
  const asked: [number, number][] = [];
  const server = await startHttpServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://server');
    const [from, to] = [Number(searchParams.get('from')), Number(searchParams.get('to'))];
    asked.push([from, to]);
    if (searchParams.get('query') === 'refused' && asked.length > 1)
      return void response.writeHead(403).end('no scope');
    const times = Array.from({ length: (to - from) / 60 }, (_, index) => from + index * 60);
    const pointlist = times.map((time) => [time * 1_000, from * 1_000 < at ? 10 : 1]);
    const series =
      searchParams.get('query') === 'none' ? [] : [{ expression: 'system.load.1{host:a}', pointlist }];
    response.end(JSON.stringify({ status: 'ok', series }));
  });
  const file = join(await temporaryFolder(), 'vendor.yaml');
  await writeFile(file, text);
  const bench = createToolBench({ now: at + 60 * minute });
  const toolset = await openToolset(file, { settings: { url: server.url } }, bench.deps);
  const tool = toolset.made[0];
  return { asked, tool, call: (args: Json) => bench.returnOf(toolset, 'vendor_range', args) };
}

describe('a source of its own', () => {
  test('[SRC-18a] brings its answer into the form of all sources by its fields, and has the same words', async () => {
    const { call } = await openVendor();
    const { text, full = '', details } = await call({ query: 'load' });
    expect(text).toBe(
      [
        'system.load.1{host:a}: 60 samples, 2026-11-28T03:00:00Z to 2026-11-28T03:59:00Z',
        '  min 1 @ 2026-11-28T03:00:00Z, max 1 @ 2026-11-28T03:00:00Z, mean 1, last 1',
        `  ${'▁'.repeat(40)}`,
      ].join('\n'),
    );
    expect(details).toMatchObject({ series: 1 });
    // in front of the series and the raw answer, with the same line numbers
    expect(full.startsWith(`${text}\n\n[The series:]\n{"name":"system.load.1{host:a}","points":[[`)).toBe(
      true,
    );
    expect(full).toContain('[As it came:]\n{"status":"ok"');
    const seriesAt = readStoredSeries(full);
    for (const line of [1, 2, 3, 6]) expect(seriesAt(line)?.points, `line ${line}`).toHaveLength(60);
    expect(seriesAt(9)).toBeUndefined();
  });

  test('[SRC-17a] compares with the window so much earlier when it is asked to', async () => {
    const { asked, call, tool } = await openVendor();
    const { text, full = '' } = await call({ query: 'load', earlier: '-1h' });
    const hour = at / 1_000;
    expect(asked.toSorted(([left], [right]) => left - right)).toEqual([
      [hour - 3_600, hour],
      [hour, hour + 3_600],
    ]);
    expect(text).toContain('system.load.1{host:a}: mean 10 -> 1 (x0.1), median 10 -> 1, max 10 -> 1');
    expect(readStoredSeries(full)(2)?.points[0]).toEqual([at, 1]);
    expect(full).toContain('[The series 1h earlier:]');
    expect(tool?.spec.parameters).toMatchObject({ required: ['query'] });
    await expect(call({ query: 'load', earlier: 'yesterday' })).rejects.toThrow(
      'a length of time such as 1h or 1d',
    );
    // an approval is for both
    const facts = await tool?.inspect?.(tool.parse({ query: 'load', earlier: '1h' }) as Json);
    expect(JSON.stringify(facts)).toContain('and once more, 1h earlier');
  });

  test('[SRC-17c] a window that cannot be read fails the call; none with samples is nothing found', async () => {
    const { call } = await openVendor();
    expect((await call({ query: 'none', earlier: '1h' })).text).toMatch(/^Nothing found: /);
    const refused = await call({ query: 'refused', earlier: '1h' });
    expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(/^No access: /) });
  });

  test('[SRC-18b] an answer of another form is shown as it came, with the reason', async () => {
    const { call } = await openVendor(yaml.replace("points: '{pointlist}'", "points: '{expression}'"));
    const { text } = await call({ query: 'load' });
    expect(text).toMatch(
      /^\[In a form that this tool does not know \(.*points.*\): shown as it came\. .*\]\n\{"status":"ok"/,
    );
  });

  test.each([
    ['no series', 'show: series', 'show: log-patterns', /compare: expected an http read/],
    [
      'no time',
      /type: time, default: (-1h|now), form: seconds/g,
      'type: string',
      /compare: expected an http read/,
    ],
    [
      'a parameter of that name',
      'query: { type',
      'earlier: { type: string }\n      query: { type',
      /without a parameter "earlier"/,
    ],
  ])('[SRC-17d] a file with %s is refused, with what was expected', async (_, from, to, reason) => {
    await expect(openVendor(yaml.replace(from, to))).rejects.toThrow(reason);
  });
});

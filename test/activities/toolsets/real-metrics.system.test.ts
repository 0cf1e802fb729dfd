// Metrics of a real Prometheus, from a range to the picture on the report's page: two days of a shop whose payments begin
// to fail on the second one.
import { expect, test } from 'vitest';
import { createReportTool } from '../../../src/activities/built-in/report/report.ts';
import type { JsonObject } from '@holdfast/base/json';
import { textOf } from '@holdfast/vocabulary/messages';
import { renderReportHtml } from '@holdfast/report/report-html';
import { renderReport } from '@holdfast/report/report-markdown';
import { readReport } from '../../../src/activities/report/stored-report.ts';
import { createFileArtifactStore } from '../../../src/activities/storage/file-artifact-store.ts';
import { functionModel } from '../../support/function-model.ts';
import { localSession } from '../../support/local-session.ts';
import { missingPrograms, startPrometheus } from '../../support/real-servers.ts';
import { starterToolset } from '../../support/toolset-bench.ts';
import { until } from '../../support/until.ts';

const missing = missingPrograms('prometheus', 'promtool');
const title = (words: string): string => `${words}${missing === undefined ? '' : ` (skipped: ${missing})`}`;

const day = 86_400;
const broken = Date.UTC(2026, 10, 20, 3, 41) / 1_000;
const start = Date.UTC(2026, 10, 19) / 1_000;

/** A sample a minute over two days; failures are 40 a second from 03:41 of the second day on, and the pods are others. */
function shop(): string {
  const minutes = Array.from({ length: (2 * day) / 60 }, (_, index) => start + index * 60);
  const wave = (time: number): number => ((time / 60) * 7_919) % 11;
  const failing = minutes.map(
    (time) => `shop_failures{app="payments"} ${(time >= broken ? 40 : 1) + wave(time) / 20} ${time}`,
  );
  const steady = minutes.map(
    (time) => `shop_latency_seconds{app="payments"} ${0.2 + wave(time) / 500} ${time}`,
  );
  const pods = minutes.map((time) => `shop_pod{pod="${time < broken ? 'old' : 'new'}"} 1 ${time}`);
  const gauge = (name: string, lines: string[]): string => [`# TYPE ${name} gauge`, ...lines].join('\n');
  return `${[gauge('shop_failures', failing), gauge('shop_latency_seconds', steady), gauge('shop_pod', pods.toSorted())].join('\n')}\n# EOF\n`;
}

async function openShop() {
  const { port } = await startPrometheus(undefined, shop());
  const url = `http://127.0.0.1:${port}`;
  await until('Prometheus is ready', () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  const bench = starterToolset('prometheus', { url });
  const toolset = await bench.open();
  return { toolset, range: async (args: JsonObject) => bench.callerOf(toolset)('prometheus_range', args) };
}

const night = { start: '2026-11-20T02:00:00Z', end: '2026-11-20T05:00:00Z' };

test.skipIf(missing !== undefined)(
  title(
    '[SRC-16ab] [SRC-16c] [SRC-17ab] a range says when its level changed, and how it differs from the day before',
  ),
  async () => {
    const { range } = await openShop();
    const failures = await range({ query: 'shop_failures', ...night });
    expect(failures).toMatch(
      /^shop_failures\{app="payments"\}: 181 samples, 2026-11-20T02:00:00Z to 2026-11-20T05:00:00Z\n/,
    );
    expect(failures).toMatch(/\n {2}changed @ 2026-11-20T03:41:00Z from 1\.\d+ to 40\.\d+\n {2}▁+█+$/);
    expect(await range({ query: 'shop_latency_seconds', ...night })).not.toContain('changed');
    const compared = await range({ query: '{__name__=~"shop_.*"}', ...night, earlier: '1d' });
    expect(compared.split('\n')).toEqual([
      '1d earlier (2026-11-19T02:00:00Z to 2026-11-19T05:00:00Z) -> as asked (2026-11-20T02:00:00Z to 2026-11-20T05:00:00Z), the largest change of the mean first:',
      'shop_pod{pod="new"}: appeared: no samples earlier, mean 1, median 1, max 1',
      expect.stringMatching(
        /^shop_failures\{app="payments"\}: mean 1\.25\d+ -> 18\.\d+ \(x14\.\d\), median 1\.25 -> 1\.\d+, max 1\.5 -> 40\.5$/,
      ),
      expect.stringMatching(/^shop_latency_seconds\{app="payments"\}: mean 0\.21\d+ -> 0\.21\d+ \(x1\), /),
      'shop_pod{pod="old"}: mean 1 -> 1 (x1), median 1 -> 1, max 1 -> 1',
    ]);
  },
);

test.skipIf(missing !== undefined)(
  title(
    '[SRC-18c] [SRC-19abc] [SRC-20a] what the model reads can be quoted, and the report draws the series behind it',
  ),
  async () => {
    const { toolset } = await openShop();
    let quoted = '';
    const model = functionModel(({ number, request }) => {
      if (number === 1)
        return {
          calls: [
            {
              tool: 'prometheus_range',
              args: { query: '{__name__=~"shop_(failures|latency.*)"}', ...night },
            },
          ],
        };
      if (number > 2) return { text: 'Done.' };
      const shown = textOf(request.messages.at(-1) ?? { role: 'custom', kind: '', data: null });
      quoted = /changed @ .*/.exec(shown)?.[0] ?? '';
      const quotes = [quoted, 'shop_failures{app="payments"}: 181 samples'].map((quote) => ({
        callId: 'call_1_1',
        quote,
      }));
      const claims = [
        {
          text: 'Since 03:41 payments fail 40 times a second; before, it was once or twice.',
          role: 'effect',
          quotes,
        },
      ];
      return {
        calls: [
          {
            tool: 'report',
            args: {
              summary: 'Since 03:41 payments fail. What was changed then was not looked at.',
              grade: 'likely',
              claims,
              impact: { who: 'everybody who pays', since: '03:41 UTC', severity: 'high', ongoing: 'yes' },
            },
          },
        ],
      };
    });
    const session = await localSession({ model, tools: [...toolset.made, createReportTool()] });
    const { report: ref } = await session.ask('Since when do payments fail, and how badly?');
    const store = await createFileArtifactStore(session.artifactsDir);
    const report = await readReport(store, 'session', ref?.artifactId ?? '');
    expect(report.claims[0]).toMatchObject({ verified: true, quotes: [{ series: 0 }, { series: 0 }] });
    expect(report.series).toHaveLength(1);
    const [series] = report.series ?? [];
    expect(series).toMatchObject({ callId: 'call_1_1', name: 'shop_failures{app="payments"}' });
    expect(series?.points).toHaveLength(181);
    expect(series?.points[101]).toEqual([broken * 1_000, expect.any(Number)]);
    const json = Buffer.from(
      (await store.get('session', ref?.artifactId.replace(/md$/, 'json') ?? '')) ?? [],
    ).toString();
    expect(JSON.parse(json)).toEqual(report);
    expect(json).toMatch(/\n {8}\[\d+, [\d.]+\],\n/);
    expect(renderReport(report)).toMatch(
      /Series: `shop_failures\{app="payments"\}` `▁+█+` 1 to 40\.5, 2026-11-20T02:00:00Z to /,
    );
    expect(quoted).toContain('2026-11-20T03:41:00Z');
    expect(renderReportHtml(report)).toMatch(
      /<desc>\s*181 points from 2026-11-20T02:00:00Z [^<]*Marked: 40\.\d+ at 2026-11-20T03:41:00Z\.\s*<\/desc>/,
    );
  },
);

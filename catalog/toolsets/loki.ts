// Readers of Loki's HTTP API: https://grafana.com/docs/loki/latest/reference/loki-http-api/. Pure.
import { z } from 'zod';
import { list, readJson, shortText, text, valueAt } from '@holdfast/sources/json-reader';
import { answer, words } from '@holdfast/sources/source-answer';

const labels = z.record(z.string(), z.string());
/** Nanoseconds as text and the line; newer servers add structured metadata. */
const line = z.tuple([z.string(), z.string()], z.unknown());
/** Seconds and the value as text. */
const sample = z.tuple([z.number(), z.string()]);

const data = z.discriminatedUnion('resultType', [
  z.object({
    resultType: z.literal('streams'),
    result: list(z.object({ stream: labels, values: list(line) })),
  }),
  z.object({
    resultType: z.literal('matrix'),
    result: list(z.object({ metric: labels, values: list(sample) })),
  }),
  z.object({ resultType: z.literal('vector'), result: list(z.object({ metric: labels, value: sample })) }),
]);

/** Lines of all streams, newest first; of a metric query its series. */
export const logs = readJson(z.object({ data }), ({ data: found }) => {
  if (found.resultType === 'streams') {
    const lines = found.result.flatMap(({ stream, values }) =>
      values.map(([at, said]) => ({ at: BigInt(at), text: logLine(at, said, stream) })),
    );
    return answer(lines.toSorted((one, other) => Number(other.at - one.at)).map(({ text }) => text));
  }
  // the limit is one of lines
  return answer(
    found.result.map((series) =>
      describeSamples(series.metric, 'values' in series ? series.values : [series.value]),
    ),
    { more: false },
  );
});

function logLine(at: string, said: string, stream: Record<string, string>): string {
  const who = shortText(valueAt(stream, 'pod', 'service_name', 'app', 'job', 'filename'));
  const level = shortText(valueAt(stream, 'level', 'detected_level'));
  const time = new Date(Number(BigInt(at) / 1_000_000n)).toISOString();
  return words(time, level, who && `${who}:`, shortText(said));
}

function describeSamples(
  metric: Record<string, string>,
  samples: readonly (readonly [number, string])[],
): string {
  const points = samples
    .map(([at, value]) => ({ at, value: Number(value) }))
    .filter(({ value }) => Number.isFinite(value));
  const odd = samples.length - points.length;
  const head = `${JSON.stringify(metric)} ${points.length} points${odd > 0 ? ` and ${odd} without a number` : ''}`;
  const [first] = points;
  if (first === undefined) return head;
  const least = points.reduce((low, { value }) => Math.min(low, value), first.value);
  const peak = points.reduce((high, point) => (point.value > high.value ? point : high), first);
  const peakAt = new Date(1_000 * peak.at).toISOString();
  return `${head}, min ${least}, max ${peak.value} at ${peakAt}, last ${(points.at(-1) ?? first).value}`;
}

const volumes = z.object({
  data: z.object({
    result: list(z.object({ metric: labels, value: z.tuple([z.number(), z.coerce.number()]) })),
  }),
});

/** Bytes of each stream, the loudest first. */
export const volume = readJson(volumes, ({ data: { result } }) =>
  answer(
    result
      .toSorted(({ value: [, one] }, { value: [, other] }) => other - one)
      .map(({ metric, value: [, bytes] }) => `${bytes} bytes ${JSON.stringify(metric)}`),
  ),
);

/** An empty list is left out. */
const texts = z
  .object({ status: text, data: list(z.string()).optional() })
  .refine(({ status, data: found }) => found !== undefined || status === 'success', 'expected data');

/** Names on one line. */
export const names = readJson(texts, ({ data: found = [] }) => answer([found.join(', ')]));

/** Values of one label. */
export const labelValues = readJson(texts, ({ data: found = [] }) => answer(found));

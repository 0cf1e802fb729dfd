// Readers of the HTTP API of Jaeger's UI: https://www.jaegertracing.io/docs/1.76/apis/. Pure.
import { z } from 'zod';
import { list, readJson } from '@holdfast/sources/json-reader';
import { answer } from '@holdfast/sources/source-answer';
import { jaegerSpans, jaegerTrace } from './trace-tree.ts';

export { trace } from './trace-tree.ts';

/** In the order of the alphabet. */
export const services = readJson(z.object({ data: list(z.string()) }), ({ data }) => answer(data.toSorted()));

/** Traces of one service, the slowest first, with their failed spans. */
export const search = readJson(z.object({ data: list(jaegerTrace) }), ({ data }) => {
  const slowest = data.map(describeTrace).toSorted((one, other) => other.length - one.length);
  return answer(slowest.map(({ text }) => text));
});

/** `length` in milliseconds. */
function describeTrace(trace: z.infer<typeof jaegerTrace>): { text: string; length: number } {
  const spans = jaegerSpans(trace).toSorted((one, other) => one.start - other.start);
  const [first] = spans;
  if (first === undefined) return { text: `trace ${trace.traceID}, no spans`, length: 0 };
  const ids = new Set(spans.map(({ id }) => id));
  const root = spans.find(({ parent }) => parent === undefined || !ids.has(parent)) ?? first;
  const end = spans.reduce((latest, { start, duration }) => Math.max(latest, start + duration), 0);
  const length = end - first.start;
  const failed = spans.filter((span) => span.failed);
  const names = [...new Set(failed.map(({ name }) => name))].slice(0, 3).join(', ');
  const head = `${new Date(first.start).toISOString()} ${Number(length.toFixed(1))} ms ${root.service} ${root.name}`;
  return {
    text: `${head}, trace ${trace.traceID}, ${spans.length} spans${failed.length > 0 ? `, ${failed.length} failed: ${names}` : ''}`,
    length,
  };
}

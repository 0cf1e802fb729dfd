// A trace in few lines: the failed spans, those that took the time themselves, then the tree. Pure. Reads the answers of
// Jaeger's UI and OTLP in JSON, as Tempo sends it.
import { z } from 'zod';
import { list, readJson } from '@holdfast/sources/json-reader';
import { answer } from '@holdfast/sources/source-answer';

const shownDecisive = 10;
const shownTree = 60;
const shownText = 200;

/** `start` and `duration` in milliseconds, `start` since 1970. */
export type Span = {
  id: string;
  parent: string | undefined;
  service: string;
  name: string;
  start: number;
  duration: number;
  failed: boolean;
  /** Facts of a failure: status, message, exception. */
  facts: string[];
};

function traceLines(all: readonly Span[]): string[] {
  const spans = all.toSorted((a, b) => a.start - b.start);
  const [first] = spans;
  if (first === undefined) return [];
  const end = spans.reduce((latest, { start, duration }) => Math.max(latest, start + duration), 0);
  const children = Map.groupBy(spans, ({ parent }) => parent ?? '');
  const own = new Map(spans.map((span) => [span, ownTime(span, children.get(span.id) ?? [])]));
  const failed = spans.filter((span) => span.failed);
  // the cause is below what it made fail
  const deepest = failed.toSorted((a, b) => failedBelow(a, children) - failedBelow(b, children));
  const slow = spans.toSorted((a, b) => (own.get(b) ?? 0) - (own.get(a) ?? 0)).slice(0, shownDecisive);
  const services = new Set(spans.map(({ service }) => service));
  const line = (span: Span): string =>
    `+${short(span.start - first.start)} ${short(span.duration)} ${span.service} ${cut(span.name)}`;
  const withFacts = (span: Span): string =>
    `  ${line(span)}${span.facts.map((fact) => `; ${fact}`).join('')}`;
  return [
    `${new Date(first.start).toISOString()}: ${spans.length} spans of ${services.size} services in ${short(end - first.start)}, ${failed.length} failed (+ is the time since the first span)`,
    ...listed('Failed, deepest first:', deepest, withFacts),
    ...listed('Most time of their own:', slow, (span) => `  ${short(own.get(span) ?? 0)} of ${line(span)}`),
    'Tree:',
    ...treeLines(spans, children, new Set([...failed.slice(0, shownTree), ...slow]), line),
  ];
}

function listed(title: string, spans: readonly Span[], describe: (span: Span) => string): string[] {
  if (spans.length === 0) return [];
  const left = spans.length - shownDecisive;
  return [title, ...spans.slice(0, shownDecisive).map(describe), ...(left > 0 ? [`  [${left} more]`] : [])];
}

function failedBelow({ id }: Span, children: ReadonlyMap<string, Span[]>): number {
  return children.get(id)?.some(({ failed }) => failed) === true ? 1 : 0;
}

/** Without the time in which a child ran. */
function ownTime({ start, duration }: Span, children: readonly Span[]): number {
  let [covered, until] = [0, start];
  for (const child of children) {
    const [from, to] = [
      Math.max(child.start, until),
      Math.min(child.start + child.duration, start + duration),
    ];
    if (to <= from) continue;
    covered += to - from;
    until = to;
  }
  return duration - covered;
}

/** All spans of a small trace; of a large one those that matter, with the spans above them. */
function treeLines(
  spans: readonly Span[],
  children: ReadonlyMap<string, Span[]>,
  decisive: ReadonlySet<Span>,
  describe: (span: Span) => string,
): string[] {
  const byId = new Map(spans.map((span) => [span.id, span]));
  const kept = new Set<Span>(spans.length <= shownTree ? spans : []);
  for (const span of decisive) {
    for (let at: Span | undefined = span; at && !kept.has(at); at = byId.get(at.parent ?? '')) kept.add(at);
  }
  const lines: string[] = [];
  const seen = new Set<Span>();
  const add = (span: Span, depth: number): void => {
    if (seen.has(span)) return;
    seen.add(span);
    if (kept.has(span))
      lines.push(`${'  '.repeat(Math.min(depth, 20))}${describe(span)}${span.failed ? ' FAILED' : ''}`);
    for (const child of children.get(span.id) ?? []) add(child, depth + 1);
  };
  // a parent that was not sent makes a root
  for (const span of spans) if (!byId.has(span.parent ?? '')) add(span, 0);
  const shown = lines.slice(0, shownTree);
  const left = spans.length - shown.length;
  return left > 0 ? [...shown, `[${left} of ${spans.length} spans left out]`] : shown;
}

function short(ms: number): string {
  return ms >= 10_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Number(ms.toPrecision(3))} ms`;
}

function cut(text: string): string {
  return text.length > shownText ? `${text.slice(0, shownText)}...` : text;
}

/** https://www.jaegertracing.io/docs/1.76/apis/, the JSON of its UI; times in microseconds. */
const jaegerTag = z.object({ key: z.string(), value: z.unknown().optional() });
const jaegerSpan = z.object({
  spanID: z.string(),
  operationName: z.string(),
  references: z.array(z.object({ refType: z.string(), spanID: z.string() })).nullish(),
  startTime: z.number(),
  duration: z.number(),
  tags: z.array(jaegerTag).nullish(),
  logs: z.array(z.object({ fields: z.array(jaegerTag).nullish() })).nullish(),
  processID: z.string(),
});
export const jaegerTrace = z.object({
  traceID: z.string(),
  spans: z.array(jaegerSpan),
  processes: z.record(z.string(), z.object({ serviceName: z.string() })),
});
const jaegerSchema = z.object({ data: list(jaegerTrace) }).transform(({ data }) => data.flatMap(jaegerSpans));

export function jaegerSpans({ spans, processes }: z.infer<typeof jaegerTrace>): Span[] {
  return spans.map((span) => {
    // a log may have a field "error" with the words of one, and the tag says that the span failed
    const tags = new Map(
      [...(span.logs ?? []).map(({ fields }) => fields ?? []), span.tags ?? []]
        .flat()
        .map(({ key, value }) => [key, value]),
    );
    return {
      id: span.spanID,
      parent: span.references?.find(({ refType }) => refType === 'CHILD_OF')?.spanID,
      service: processes[span.processID]?.serviceName ?? '?',
      name: span.operationName,
      start: span.startTime / 1_000,
      duration: span.duration / 1_000,
      ...failureOf(tags, isTrue(tags.get('error')), tags.get('otel.status_description')),
    };
  });
}

/** Older clients send a text. */
function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}

/** https://github.com/open-telemetry/opentelemetry-proto: opentelemetry.proto.trace.v1 as JSON; ids may be base64. */
const attributes = list(
  z.object({ key: z.string(), value: z.record(z.string(), z.unknown()).nullish() }),
).default([]);
const nanoseconds = z.union([z.string(), z.number()]);
const otlpSpan = z.object({
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string().default(''),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes,
  events: list(z.object({ attributes })).default([]),
  status: z
    .object({ code: z.union([z.string(), z.number()]).optional(), message: z.string().optional() })
    .nullish(),
});
const scopeSpans = list(z.object({ spans: list(otlpSpan).default([]) }));
const resourceSpans = z.object({
  resource: z.object({ attributes }).optional(),
  scopeSpans: scopeSpans.optional(),
  /** The name of `scopeSpans` before OTLP 0.15. */
  instrumentationLibrarySpans: scopeSpans.optional(),
});
const otlpSchema = z
  .object({
    batches: z.array(resourceSpans).optional(),
    resourceSpans: z.array(resourceSpans).optional(),
    trace: z.object({ resourceSpans: z.array(resourceSpans).optional() }).optional(),
  })
  .refine(
    ({ batches, resourceSpans: own, trace: inner }) => batches ?? own ?? inner,
    'expected a trace of Jaeger or OTLP',
  )
  .transform(({ batches, resourceSpans: own, trace: inner }) =>
    [batches, own, inner?.resourceSpans].flatMap((all) => (all ?? []).flatMap(otlpSpans)),
  );

/** One trace, of Jaeger or in OTLP. */
export const trace = readJson(z.union([jaegerSchema, otlpSchema]), (spans) => answer(traceLines(spans)));

function otlpSpans({
  resource,
  scopeSpans: scopes,
  instrumentationLibrarySpans: old,
}: z.infer<typeof resourceSpans>): Span[] {
  const service = tagsOf(resource?.attributes ?? []).get('service.name');
  const spans = [...(scopes ?? []), ...(old ?? [])].flatMap((scope) => scope.spans);
  return spans.map((span) => {
    const start = toMs(span.startTimeUnixNano);
    const tags = tagsOf([...span.attributes, ...span.events.flatMap((event) => event.attributes)]);
    const { code, message } = span.status ?? {};
    return {
      id: span.spanId,
      parent: span.parentSpanId === '' ? undefined : span.parentSpanId,
      service: typeof service === 'string' ? service : '?',
      name: span.name,
      start,
      duration: toMs(span.endTimeUnixNano) - start,
      ...failureOf(tags, code === 2 || code === 'STATUS_CODE_ERROR', message),
    };
  });
}

function toMs(value: string | number): number {
  // beyond the whole numbers of a double
  return Number(BigInt(value) / 1_000n) / 1_000;
}

function tagsOf(list: z.infer<typeof attributes>): Map<string, unknown> {
  return new Map(list.map(({ key, value }) => [key, Object.values(value ?? {})[0]]));
}

/** Names of attributes that tell why: OpenTelemetry's, and those of older libraries. */
const telling = [
  'http.response.status_code',
  'http.status_code',
  'rpc.grpc.status_code',
  'error.type',
  'exception.type',
  'exception.message',
  'error.message',
  'message',
  'server.address',
  'peer.service',
  'db.query.text',
  'db.statement',
];

function failureOf(
  tags: ReadonlyMap<string, unknown>,
  failed: boolean,
  message: unknown,
): Pick<Span, 'failed' | 'facts'> {
  const facts = telling.flatMap((name) => {
    const value = tags.get(name);
    const said = typeof value === 'string' ? value : JSON.stringify(value);
    return said === undefined || said === '' ? [] : [`${name}=${cut(said)}`];
  });
  const said = typeof message === 'string' && message !== '' ? [cut(message)] : [];
  return { failed, facts: [...said, ...facts] };
}

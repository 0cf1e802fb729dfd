// OpenTelemetry traces of a worker, through Temporal's interceptors and an OTLP exporter over HTTP. Loaded only if the
// config has `telemetry.traces`. Spans have names, ids, numbers and reasons of failures, never the text of a message.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context, ContextManager, Attributes, AttributeValue } from '@opentelemetry/api';
import type { SpanProcessor, ReadableSpan } from '@opentelemetry/sdk-trace-base';
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker';
import type { OpenTelemetrySinks } from '@temporalio/interceptors-opentelemetry';
import { ConfigError } from '../../config/config-file.ts';
import { ownVersion } from '../../config/own-version.ts';
import type { OtlpTarget } from '../../config/telemetry.ts';
import { createCallSpans } from './call-spans.ts';
import { cleanLogText } from './worker-log.ts';
import { defined } from '@holdfast/base/defined';
import { mapValues } from '@holdfast/base/map-values';
import { cutText } from '@holdfast/base/cut-text';

export type Tracing = {
  activity: ActivityInterceptorsFactory[];
  sinks: InjectedSinks<OpenTelemetrySinks>;
  /** Flushes the remaining spans. */
  close(): Promise<void>;
};

type WorkflowInfo = Parameters<InjectedSinks<OpenTelemetrySinks>['exporter']['export']['fn']>[0];

/** Throws a ConfigError if a package is not installed. */
export async function openTracing(
  { otlp: url, headers = {} }: OtlpTarget,
  identity: string,
): Promise<Tracing> {
  const { api, base, resources, exporter, temporal } = await loadPackages();
  const resource = new resources.Resource({
    'service.name': 'holdfast',
    'service.version': ownVersion(),
    'service.instance.id': identity,
  });
  const batches = new base.BatchSpanProcessor(new exporter.OTLPTraceExporter({ url, headers }));
  const processor: SpanProcessor = {
    onStart: (span, context) => batches.onStart(span, context),
    onEnd: (span) => batches.onEnd(cleanSpan(span, cleanLogText)),
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
  const provider = new base.BasicTracerProvider({ resource, spanProcessors: [processor] });
  // a program with its own provider or context manager keeps it
  provider.register({ contextManager: new AsyncContextManager(api.ROOT_CONTEXT) });
  const tracer = provider.getTracer('holdfast', ownVersion());
  const fromWorkflow = temporal.makeWorkflowExporter(processor, resource).export;
  return {
    activity: [
      (context) => ({
        inbound: new temporal.OpenTelemetryActivityInboundInterceptor(context, { tracer }),
        outbound: new temporal.OpenTelemetryActivityOutboundInterceptor(context),
      }),
      createCallSpans(api, tracer),
    ],
    sinks: {
      exporter: {
        export: {
          ...fromWorkflow,
          // otherwise the SDK adds everything it knows of the workflow, even the memo with its task
          fn: ({ workflowId, runId, workflowType, taskQueue, namespace }, spans) =>
            fromWorkflow.fn({ workflowId, runId, workflowType, taskQueue, namespace } as WorkflowInfo, spans),
        },
      },
    },
    close: () => provider.shutdown().catch(() => undefined),
  };
}

async function loadPackages() {
  try {
    const [api, base, resources, exporter, temporal] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@temporalio/interceptors-opentelemetry'),
    ]);
    return { api, base, resources, exporter, temporal };
  } catch (error) {
    throw new ConfigError(
      'telemetry.traces needs packages that are not installed. Run "npm install @temporalio/interceptors-opentelemetry ' +
        '@opentelemetry/api@1 @opentelemetry/sdk-trace-base@1 @opentelemetry/resources@1 @opentelemetry/exporter-trace-otlp-http@0.57" where holdfast is installed.',
      { cause: error },
    );
  }
}

/** Keeps the span of a call across awaits, so that spans of a tool's own libraries are its children. */
class AsyncContextManager implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();
  readonly #root: Context;

  constructor(root: Context) {
    this.#root = root;
  }

  active(): Context {
    return this.#storage.getStore() ?? this.#root;
  }

  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    context: Context,
    work: F,
    thisArg?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.#storage.run(context, () => work.call(thisArg as never, ...args));
  }

  bind<T>(context: Context, target: T): T {
    if (typeof target !== 'function') return target;
    return ((...args: unknown[]) => this.#storage.run(context, () => target(...args) as unknown)) as T;
  }

  enable(): this {
    return this;
  }

  disable(): this {
    this.#storage.disable();
    return this;
  }
}

/** Characters of each text; a stack has many lines. */
const shownText = 2_000;

/** A span as it leaves the worker: secrets are removed, and the reason of a failure is cut. */
export function cleanSpan(span: ReadableSpan, clean: (text: string) => string): ReadableSpan {
  const text = (value: string): string => cutText(clean(value), shownText);
  const all = (attributes: Attributes): Attributes =>
    mapValues(attributes, (value) => cleanValue(value, text));
  const { message } = span.status;
  const events = span.events.map((event) =>
    defined({ ...event, attributes: event.attributes && all(event.attributes) }),
  );
  // keeps the span's own getters and methods
  return Object.create(span, {
    name: { value: text(span.name) },
    attributes: { value: all(span.attributes) },
    events: { value: events },
    status: { value: message === undefined ? span.status : { ...span.status, message: text(message) } },
  }) as ReadableSpan;
}

function cleanValue(
  value: AttributeValue | undefined,
  text: (value: string) => string,
): AttributeValue | undefined {
  if (typeof value === 'string') return text(value);
  if (!Array.isArray(value)) return value;
  return value.map((item) => (typeof item === 'string' ? text(item) : item)) as AttributeValue;
}

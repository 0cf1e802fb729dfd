// A worker's telemetry settings, from the environment and the config file. Pure.
import { defined } from '@holdfast/base/defined';
import type { Infer } from '@holdfast/base/schema-output';
import { z } from 'zod';

export const logFormats = ['text', 'json'] as const;
export type LogFormat = (typeof logFormats)[number];
export const logLevels = ['debug', 'info', 'warning', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

export const expectedAddress = 'a port, or "host:port" such as "0.0.0.0:8081"';
const addressPattern = /^((\[[0-9a-fA-F:]+\]|[^:/\s]+):)?\d{1,5}$/;

export function isListenAddress(text: string): boolean {
  return addressPattern.test(text) && Number(/\d+$/.exec(text)?.[0]) < 65_536;
}

const addressSchema = z
  .union([z.int(), z.string()], `expected ${expectedAddress}`)
  .refine((address) => isListenAddress(String(address)), `expected ${expectedAddress}`);

const prometheusSchema = z.strictObject({
  /** A port of 127.0.0.1, or `host:port`. */
  prometheus: addressSchema,
});

const otlpSchema = z.strictObject({
  /** The full URL, e.g. `http://collector:4318/v1/metrics`. */
  otlp: z.url({ protocol: /^https?$/, error: 'expected an http(s) address, with its path' }),
  /** For example `authorization`; a value may be `secret://name`. */
  headers: z
    .record(z.string().regex(/^[\w-]+$/, 'expected the name of a header'), z.string())
    .exactOptional(),
});
/** A receiver of OTLP over HTTP. */
export type OtlpTarget = Infer<typeof otlpSchema>;

export const telemetrySchema = z.strictObject({
  /** Format of the log's lines. Default: `text` on standard error, `json` in a file. */
  logFormat: z.enum(logFormats).exactOptional(),
  /** Lowest level of lines in the log. Default `info`; `debug` has a line for every model and tool call. */
  logLevel: z.enum(logLevels).exactOptional(),
  /**
   * Address of `/healthz` and `/readyz`: a port of 127.0.0.1, or `host:port`. `0.0.0.0:8081` opens it to other machines.
   * Default: none.
   */
  health: addressSchema.exactOptional(),
  /**
   * Target of the metrics of the worker and of Temporal's SDK. `{ prometheus: 9464 }` serves `/metrics` there for a
   * Prometheus; `{ otlp: 'http://collector:4318/v1/metrics' }` pushes them every 15 seconds by OTLP over HTTP. Default:
   * none.
   */
  metrics: z.union([prometheusSchema, otlpSchema]).exactOptional(),
  /**
   * Target of traces by OTLP over HTTP, e.g. `{ otlp: 'http://collector:4318/v1/traces' }`. Needs the packages in
   * docs/observability.md. Default: none.
   */
  traces: otlpSchema.exactOptional(),
});
/** Reports of a worker to people and programs beside Temporal (docs/observability.md). */
export type TelemetryConfig = Infer<typeof telemetrySchema>;

export const expectedMetrics = `${expectedAddress} to serve them, or the http(s) URL of a collector`;

export const expectedUrl = 'the http(s) URL of a collector, with its path';

export function isHttpUrl(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}

const address = z.string().refine(isListenAddress, `expected ${expectedAddress}`).optional();
/** By name; an empty variable counts as absent. */
export const telemetryVariables = {
  /** `text` or `json`: the format of the worker's log; overrides the config. */
  HOLDFAST_LOG_FORMAT: z.enum(logFormats).optional(),
  /** Lowest level in the log: `debug`, `info`, `warning` or `error`; overrides the config. */
  HOLDFAST_LOG_LEVEL: z.enum(logLevels).optional(),
  /** Address of `/healthz` and `/readyz`: a port, or `host:port`; overrides the config. */
  HOLDFAST_HEALTH: address,
  /** Metrics: the port or `host:port` that serves them, or the URL to which they are pushed; overrides the config. */
  HOLDFAST_METRICS: z
    .string()
    .refine((text) => isListenAddress(text) || isHttpUrl(text), `expected ${expectedMetrics}`)
    .optional(),
  /** URL for traces, by OTLP over HTTP; overrides the config. */
  HOLDFAST_TRACES: z.string().refine(isHttpUrl, `expected ${expectedUrl}`).optional(),
};
type Variables = z.infer<z.ZodObject<typeof telemetryVariables>>;

export type Telemetry = Pick<TelemetryConfig, 'logFormat' | 'logLevel' | 'traces'> & {
  /** `host:port`; absent if off. */
  health?: string;
  metrics?: MetricsExport;
};
/** `prometheus` includes the host. */
export type MetricsExport = { prometheus: string } | OtlpTarget;

/** A variable overrides the file, because it belongs to this process. */
export function resolveTelemetry(variables: Variables, config: TelemetryConfig = {}): Telemetry {
  const { logFormat, logLevel } = config;
  const { HOLDFAST_LOG_FORMAT: format = logFormat, HOLDFAST_LOG_LEVEL: level = logLevel } = variables;
  const health = variables.HOLDFAST_HEALTH ?? config.health;
  const { HOLDFAST_METRICS: named, HOLDFAST_TRACES: url } = variables;
  const traces = url === undefined ? config.traces : { otlp: url };
  const metrics = named === undefined ? config.metrics && toMetrics(config.metrics) : metricsAt(named);
  return defined({
    logFormat: format,
    logLevel: level,
    health: health === undefined ? undefined : withHost(health),
    metrics,
    traces,
  });
}

/** For a worker inside a command: it listens nowhere, because a worker of the same config may run beside it. */
export function withoutListeners({ health: _, metrics, ...telemetry }: Telemetry): Telemetry {
  return metrics && 'otlp' in metrics ? { ...telemetry, metrics } : telemetry;
}

/** From a variable or an option: an address, or a URL. */
export function metricsAt(place: string): MetricsExport {
  return isHttpUrl(place) ? { otlp: place } : { prometheus: withHost(place) };
}

function toMetrics(metrics: NonNullable<TelemetryConfig['metrics']>): MetricsExport {
  return 'prometheus' in metrics ? { prometheus: withHost(metrics.prometheus) } : metrics;
}

/** A port alone becomes one of 127.0.0.1, which no other machine reaches. */
export function withHost(address: number | string): string {
  const text = String(address);
  return /^\d+$/.test(text) ? `127.0.0.1:${text}` : text;
}

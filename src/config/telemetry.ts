// What a worker shows of itself, from the environment and the config file. Pure.
import { z } from 'zod';

export const logFormats = ['text', 'json'] as const;
export type LogFormat = (typeof logFormats)[number];
export const logLevels = ['debug', 'info', 'warning', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** What a worker shows of its work to people and programs beside Temporal (docs/observability.md). */
export type TelemetryConfig = {
  /** Of the log's lines. Default: `text` on standard error, `json` in a file. */
  logFormat?: LogFormat;
  /** The least that a line must be to be written. Default `info`; `debug` has a line for every model and tool call. */
  logLevel?: LogLevel;
  /**
   * Where `/healthz` and `/readyz` answer: a port of 127.0.0.1, or `host:port`. `0.0.0.0:8081` opens it to other machines.
   * Default: nowhere.
   */
  health?: number | string;
  /**
   * Where metrics of the worker and of Temporal's SDK go: `{ prometheus: 9464 }` serves `/metrics` there for a Prometheus, and
   * `{ otlp: 'http://collector:4318/v1/metrics' }` pushes them every 15 seconds by OTLP over HTTP. Default: nowhere.
   */
  metrics?: PrometheusTarget | OtlpTarget;
  /**
   * Where traces go by OTLP over HTTP, such as `{ otlp: 'http://collector:4318/v1/traces' }`. Needs the packages that
   * docs/observability.md names. Default: nowhere.
   */
  traces?: OtlpTarget;
};

/** An endpoint that a Prometheus asks. */
export type PrometheusTarget = {
  /** A port of 127.0.0.1, or `host:port`. */
  prometheus: number | string;
};

/** A receiver of OTLP over HTTP. */
export type OtlpTarget = {
  /** With its path, such as `http://collector:4318/v1/metrics`. */
  otlp: string;
  /** For example `authorization`; a value may be `secret://name`. */
  headers?: Record<string, string>;
};

export const expectedAddress = 'a port, or "host:port" such as "0.0.0.0:8081"';
const addressPattern = /^((\[[0-9a-fA-F:]+\]|[^:/\s]+):)?\d{1,5}$/;

export function isAddress(text: string): boolean {
  return addressPattern.test(text) && Number(/\d+$/.exec(text)?.[0]) < 65_536;
}

export const expectedMetrics = `${expectedAddress} to serve them, or the http(s) URL of a collector`;

export const expectedUrl = 'the http(s) URL of a collector, with its path';

export function isHttpUrl(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}

const address = z.string().refine(isAddress, `expected ${expectedAddress}`).optional();
/** By name; an empty variable counts as absent. */
export const telemetryVariables = {
  /** `text` or `json`: the lines of the worker's log; overrides the config. */
  HOLDFAST_LOG_FORMAT: z.enum(logFormats).optional(),
  /** The least that a line must be: `debug`, `info`, `warning` or `error`; overrides the config. */
  HOLDFAST_LOG_LEVEL: z.enum(logLevels).optional(),
  /** Where `/healthz` and `/readyz` answer: a port, or `host:port`; overrides the config. */
  HOLDFAST_HEALTH: address,
  /** Where metrics are served, as a port or `host:port`, or the URL to which they are pushed; overrides the config. */
  HOLDFAST_METRICS: z
    .string()
    .refine((text) => isAddress(text) || isHttpUrl(text), `expected ${expectedMetrics}`)
    .optional(),
  /** Where traces go, by OTLP over HTTP; overrides the config. */
  HOLDFAST_TRACES: z.string().refine(isHttpUrl, `expected ${expectedUrl}`).optional(),
};
type Variables = z.infer<z.ZodObject<typeof telemetryVariables>>;

export type Telemetry = Pick<TelemetryConfig, 'logFormat' | 'logLevel' | 'traces'> & {
  /** `host:port`; absent: nowhere. */
  health?: string;
  metrics?: Metrics;
};
/** With the host of its address. */
export type Metrics = { prometheus: string } | OtlpTarget;

/** A variable wins over the file, because it is of this process. */
export function resolveTelemetry(variables: Variables, config: TelemetryConfig = {}): Telemetry {
  const { logFormat, logLevel } = config;
  const { HOLDFAST_LOG_FORMAT: format = logFormat, HOLDFAST_LOG_LEVEL: level = logLevel } = variables;
  const health = variables.HOLDFAST_HEALTH ?? config.health;
  const { HOLDFAST_METRICS: named, HOLDFAST_TRACES: url } = variables;
  const traces = url === undefined ? config.traces : { otlp: url };
  const metrics = named === undefined ? config.metrics && toMetrics(config.metrics) : metricsAt(named);
  return {
    ...(format !== undefined && { logFormat: format }),
    ...(level !== undefined && { logLevel: level }),
    ...(health !== undefined && { health: withHost(health) }),
    ...(metrics !== undefined && { metrics }),
    ...(traces !== undefined && { traces }),
  };
}

/** Of a worker inside a command, beside which a worker of the same config may run: it listens nowhere. */
export function withoutListeners({ health: _, metrics, ...telemetry }: Telemetry): Telemetry {
  return metrics && 'otlp' in metrics ? { ...telemetry, metrics } : telemetry;
}

/** Of a variable or an option: an address, or a URL. */
export function metricsAt(place: string): Metrics {
  return isHttpUrl(place) ? { otlp: place } : { prometheus: withHost(place) };
}

function toMetrics(metrics: NonNullable<TelemetryConfig['metrics']>): Metrics {
  return 'prometheus' in metrics ? { prometheus: withHost(metrics.prometheus) } : metrics;
}

/** A port alone is one of this machine, which no other reaches. */
export function withHost(address: number | string): string {
  const text = String(address);
  return /^\d+$/.test(text) ? `127.0.0.1:${text}` : text;
}

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
};

export const expectedAddress = 'a port, or "host:port" such as "0.0.0.0:8081"';
const addressPattern = /^((\[[0-9a-fA-F:]+\]|[^:/\s]+):)?\d{1,5}$/;

export function isAddress(text: string): boolean {
  return addressPattern.test(text) && Number(/\d+$/.exec(text)?.[0]) < 65_536;
}

const address = z.string().refine(isAddress, `expected ${expectedAddress}`).optional();
/** By name; an empty variable counts as absent. */
export const telemetryVariables = {
  HOLDFAST_LOG_FORMAT: z.enum(logFormats).optional(),
  HOLDFAST_LOG_LEVEL: z.enum(logLevels).optional(),
  HOLDFAST_HEALTH: address,
};
type Variables = z.infer<z.ZodObject<typeof telemetryVariables>>;

export type Telemetry = Pick<TelemetryConfig, 'logFormat' | 'logLevel'> & {
  /** `host:port`; absent: nowhere. */
  health?: string;
};

/** A variable wins over the file, because it is of this process. */
export function resolveTelemetry(variables: Variables, config: TelemetryConfig = {}): Telemetry {
  const { logFormat, logLevel } = config;
  const { HOLDFAST_LOG_FORMAT: format = logFormat, HOLDFAST_LOG_LEVEL: level = logLevel } = variables;
  const health = variables.HOLDFAST_HEALTH ?? config.health;
  return {
    ...(format !== undefined && { logFormat: format }),
    ...(level !== undefined && { logLevel: level }),
    ...(health !== undefined && { health: withHost(health) }),
  };
}

/** A port alone is one of this machine, which no other reaches. */
export function withHost(address: number | string): string {
  const text = String(address);
  return /^\d+$/.test(text) ? `127.0.0.1:${text}` : text;
}

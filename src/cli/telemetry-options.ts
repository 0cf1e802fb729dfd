// The options of `holdfast worker` for its log and its endpoints; they override the config and the environment.
import { defined } from '@holdfast/base/defined';
import { type Command, Option } from 'commander';
import {
  type MetricsExport,
  type Telemetry,
  expectedAddress,
  expectedMetrics,
  expectedUrl,
  isListenAddress,
  isHttpUrl,
  logFormats,
  metricsAt,
  withHost,
} from '../config/telemetry.ts';
import { parser } from './arguments.ts';

export type TelemetryFlags = {
  logFormat?: Telemetry['logFormat'];
  verbose?: boolean;
  health?: string;
  metrics?: MetricsExport;
  traces?: NonNullable<Telemetry['traces']>;
};

export function addTelemetryOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--log-format <format>', 'lines of the log, for people or for programs').choices(logFormats),
    )
    .option('--verbose', 'also log every model call, tool call and message of the SDK')
    .option('--health <address>', 'answer /healthz and /readyz on this port, or host:port', address)
    .option('--metrics <place>', 'serve metrics on this port, or host:port; or push them to this URL', place)
    .option('--traces <url>', 'send traces to this URL, by OTLP over HTTP', collector);
}

export function telemetryOf({ logFormat, verbose, health, metrics, traces }: TelemetryFlags): Telemetry {
  return defined({ logFormat, health, metrics, traces, logLevel: verbose ? ('debug' as const) : undefined });
}

const address = parser(expectedAddress, (text) => (isListenAddress(text) ? withHost(text) : undefined));
const place = parser(expectedMetrics, (text) =>
  isListenAddress(text) || isHttpUrl(text) ? metricsAt(text) : undefined,
);
const collector = parser(expectedUrl, (text) => (isHttpUrl(text) ? { otlp: text } : undefined));

// Installs the SDK's process-wide runtime: the output of workflows, activities and the SDK goes to the worker's log, and
// the command keeps its signals.
import { defined } from '@holdfast/base/defined';
import {
  DefaultLogger,
  type MetricsExporterConfig,
  Runtime,
  makeTelemetryFilterString,
} from '@temporalio/worker';
import { ConfigError } from '../../config/config-file.ts';
import { messageOf } from '@holdfast/base/message-of';
import { toLogLine, type LogLine } from './log-line.ts';
import { noteLoss } from './lost-task.ts';
import { type LogOptions, openLog, writeLog } from './worker-log.ts';

/** Only the first call of a process takes effect. An application that installed its own runtime keeps it. */
export function installRuntime(
  file: string | undefined,
  { metrics, ...options }: Omit<LogOptions, 'file'> & { metrics?: MetricsExporterConfig | undefined } = {},
): void {
  const verbose = options.level === 'debug';
  const shorten = createOutageLines();
  try {
    Runtime.install({
      logger: new DefaultLogger(verbose ? 'DEBUG' : 'INFO', (entry) => {
        noteLoss(entry);
        const line = toLogLine(entry);
        const shown = line && (verbose ? line : shorten(line));
        if (shown) writeLog(shown);
      }),
      telemetryOptions: {
        logging: {
          filter: makeTelemetryFilterString({ core: verbose ? 'INFO' : 'WARN', other: 'ERROR' }),
          forward: {},
        },
        ...defined({ metrics }),
      },
      // the command handles signals; the runtime would end every worker of the process
      shutdownSignals: [],
    });
  } catch (error) {
    if (error instanceof Error && error.name === 'IllegalStateError') return;
    throw metrics && 'prometheus' in metrics ? noListener(metrics.prometheus.bindAddress, error) : error;
  }
  openLog({ file, ...options });
}

function noListener(address: string, cause: unknown): ConfigError {
  const reason = messageOf(cause).replace(/^Failed to start prometheus metrics exporter: /, '');
  return new ConfigError(
    `telemetry.metrics.prometheus is ${address}, and nothing can listen there: ${reason}. Expected a free port of this machine. Choose another one, or end the process that has it.`,
    { cause },
  );
}

const repeatedCall = /^gRPC call (\w+) retried (\d+) times$/;
const everyMs = 30_000;

/**
 * Reports a Temporal server that is away in one line, repeated while the outage lasts. The SDK reports each attempt of
 * each poller, many a second, in its debug format. For the lines of one worker, in order. The function returns undefined for a line without news.
 */
export function createOutageLines(): (line: LogLine) => LogLine | undefined {
  const saidAt = new Map<string, number>();
  return (line) => {
    const [, request, attempts] = repeatedCall.exec(line.message) ?? [];
    if (request === undefined) return line;
    const reason = reasonOf(String(line.fields['error']));
    if (line.at - (saidAt.get(reason) ?? -Infinity) < everyMs) return undefined;
    saidAt.set(reason, line.at);
    const message = 'the Temporal server does not answer as it should; the worker keeps asking';
    return { ...line, message, fields: { reason, request, attempts: Number(attempts) } };
  };
}

/** Parses `Status { code: Unavailable, message: "tcp connect error", ... 127.0.0.1:7233, ... message: "refused" }`. */
function reasonOf(status: string): string {
  const words = [...status.matchAll(/message: "([^"]+)"/g)].map(([, word]) => word);
  const place = /\b[\w.-]+:\d+(?=, Os)/.exec(status)?.[0];
  return [...new Set([words.at(0), words.at(-1)]), place].filter(Boolean).join(': ') || 'unknown';
}

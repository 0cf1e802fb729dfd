// The SDK's process-wide runtime: its log goes to a file or to standard error, and signals stay with the command.
import { appendFileSync } from 'node:fs';
import { DefaultLogger, type LogEntry, Runtime, makeTelemetryFilterString } from '@temporalio/worker';

/** The first call of a process counts, and an application that installed its own runtime keeps it. */
export function installRuntime(logFile: string | undefined): void {
  const write = (line: string): void => {
    try {
      if (logFile !== undefined) return appendFileSync(logFile, line);
    } catch {
      // a log that cannot be written is no reason to stop
    }
    process.stderr.write(line);
  };
  try {
    Runtime.install({
      logger: new DefaultLogger('INFO', (entry) => {
        if (isWanted(entry)) write(toLine(entry));
      }),
      telemetryOptions: {
        logging: { filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }), forward: {} },
      },
      // the command handles signals; the runtime would end every worker of the process
      shutdownSignals: [],
    });
  } catch (error) {
    if (!(error instanceof Error && error.name === 'IllegalStateError')) throw error;
  }
}

/** All warnings, and the lines of a session's middleware. */
function isWanted({ level, meta }: LogEntry): boolean {
  return level !== 'INFO' || meta?.['sdkComponent'] === 'workflow';
}

/** One line of JSON, without payloads: the SDK logs errors and identifiers. */
function toLine({ level, message, timestampNanos, meta }: LogEntry): string {
  const at = new Date(Number(timestampNanos / 1_000_000n)).toISOString();
  const { error, ...rest } = meta ?? {};
  const shown =
    error instanceof Error ? { ...rest, error: error.stack } : { ...rest, ...(error ? { error } : {}) };
  return `${JSON.stringify({ at, level, message, ...shown }, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}\n`;
}

// The SDK's process-wide runtime: everything that workflows, activities and the SDK log goes to the worker's log, and
// signals stay with the command.
import { DefaultLogger, Runtime, makeTelemetryFilterString } from '@temporalio/worker';
import { toLogLine } from './log-line.ts';
import { type LogOptions, openLog, writeLog } from './worker-log.ts';

/** The first call of a process counts, and an application that installed its own runtime keeps it. */
export function installRuntime(file: string | undefined, options: Omit<LogOptions, 'file'> = {}): void {
  const verbose = options.level === 'debug';
  try {
    Runtime.install({
      logger: new DefaultLogger(verbose ? 'DEBUG' : 'INFO', (entry) => {
        const line = toLogLine(entry);
        if (line) writeLog(line);
      }),
      telemetryOptions: {
        logging: {
          filter: makeTelemetryFilterString({ core: verbose ? 'INFO' : 'WARN', other: 'ERROR' }),
          forward: {},
        },
      },
      // the command handles signals; the runtime would end every worker of the process
      shutdownSignals: [],
    });
  } catch (error) {
    if (error instanceof Error && error.name === 'IllegalStateError') return;
    throw error;
  }
  openLog({ file, ...options });
}

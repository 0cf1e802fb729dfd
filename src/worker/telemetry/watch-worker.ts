// Shows a worker's state to the outside: the log lines of its start and end, and its health.
import { type NativeConnection, Runtime, type Worker } from '@temporalio/worker';
import type { Config } from '../../config/config.ts';
import type { HealthServer, WorkerState } from './health.ts';
import { noteEnd, toForcedEnd } from './forced-end.ts';
import { type LostTaskError, onLoss } from './lost-task.ts';

type Subject = {
  config: Config;
  connection: NativeConnection;
  identity: string;
  namespace: string;
  /** False for a host's worker, which runs tools only. */
  hasSessions: boolean;
};

/** A healthy server answers sooner, and a probe waits for it. */
const serverDeadlineMs = 2_000;

/**
 * Listens before there is a worker, which could not be closed again, so that a probe also sees the start. Throws a ConfigError
 * if it cannot listen.
 */
export async function openHealth(
  { telemetry }: Config,
  {
    connection,
    identity,
    namespace,
    worker,
  }: Pick<Subject, 'connection' | 'identity' | 'namespace'> & { worker(): Worker | undefined },
): Promise<HealthServer | undefined> {
  if (telemetry.health === undefined) return undefined;
  const { serveHealth } = await import('./health.ts');
  return serveHealth(telemetry.health, {
    identity,
    state: () => stateOf(worker()),
    askServer: () =>
      connection.withDeadline(Date.now() + serverDeadlineMs, () =>
        // unlike its version, this needs the server's database
        connection.workflowService.describeNamespace({ namespace }),
      ),
  });
}

/** Runs the worker until it ends, with its log lines and its metrics. */
export async function runWatched(
  worker: Worker,
  { config: { telemetry }, connection, identity, namespace, hasSessions }: Subject,
): Promise<void> {
  async function countWaiting(): Promise<() => void> {
    const { reportWaiting } = await import('./waiting-sessions.ts');
    const { taskQueue } = worker.options;
    const tags = { namespace, task_queue: taskQueue };
    return reportWaiting({ connection, namespace, taskQueue, tags, meter: Runtime.instance().metricMeter });
  }

  const { logger } = Runtime.instance();
  logger.info('worker begins', { identity, queue: worker.options.taskQueue });
  const stop = telemetry.metrics && hasSessions ? await countWaiting() : () => undefined;
  const losses: LostTaskError[] = [];
  const forget = onLoss((loss) => {
    if (!hasSessions) return;
    losses.push(loss);
    logger.error(loss.message, { identity });
    endWorker(worker);
  });
  try {
    await worker.run();
    if (losses[0]) throw losses[0];
    logger.info('worker ended', { identity });
  } catch (reason) {
    // a worker that lost a task is ended by force, with a failure that says less
    const error = losses[0] ?? toForcedEnd(worker, reason);
    logger.error('worker failed', { identity, error });
    throw error;
  } finally {
    forget();
    stop();
  }
}

/** Idempotent: a second signal must not throw. */
export function endWorker(worker: Worker): void {
  if (worker.getState() !== 'RUNNING') return;
  noteEnd(worker);
  worker.shutdown();
}

function stateOf(worker: Worker | undefined): WorkerState {
  switch (worker?.getState()) {
    case undefined:
    case 'INITIALIZED':
      return 'starting';
    case 'RUNNING':
      return 'polling';
    case 'STOPPING':
    case 'DRAINING':
    case 'DRAINED':
      return 'draining';
    default:
      return 'ended';
  }
}

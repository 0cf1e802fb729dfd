// Shows a worker's state to the outside: the log lines of its start and end, its health, and the sessions that wait.
import { type NativeConnection, Runtime, type Worker } from '@temporalio/worker';
import type { Config } from '../../config/config.ts';
import type { HealthServer, WorkerState } from './health.ts';
import { noteForcedEnd, toForcedEnd } from './forced-end.ts';
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
  subject: Pick<Subject, 'connection' | 'identity' | 'namespace'> & { worker(): Worker | undefined },
): Promise<HealthServer | undefined> {
  const { connection, identity, namespace, worker } = subject;
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
  { config: { telemetry }, hasSessions, identity, ...server }: Subject,
): Promise<void> {
  const { logger } = Runtime.instance();
  logger.info('worker begins', { identity, queue: worker.options.taskQueue });
  const stop = telemetry.metrics && hasSessions ? reportWaiting(worker, server) : () => undefined;
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
  noteForcedEnd(worker);
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

const intervalMs = 15_000;
const deadlineMs = 5_000;
/** Values of the search attribute WaitingFor that need somebody's action. */
const waits = ['approval', 'question', 'operator', 'worker'] as const;

/**
 * Reports the number of waiting sessions of a task queue, by whom they wait for. The server is asked, because a worker
 * knows only its cached sessions. Every worker reports the same numbers: add over queues, take the maximum within one.
 * Asks at once and then every 15 seconds, until the returned function is called. A failed query keeps the last numbers.
 */
function reportWaiting(
  { options: { taskQueue } }: Worker,
  { connection, namespace }: Pick<Subject, 'connection' | 'namespace'>,
): () => void {
  const gauge = Runtime.instance().metricMeter.createGauge(
    'holdfast_sessions_waiting',
    'int',
    '',
    'Sessions that wait, by whom they wait for.',
  );
  const look = async (): Promise<void> => {
    for (const waitingFor of waits) {
      const query = `ExecutionStatus = 'Running' AND TaskQueue = ${JSON.stringify(taskQueue)} AND WaitingFor = '${waitingFor}'`;
      const { count } = await connection.withDeadline(Date.now() + deadlineMs, () =>
        connection.workflowService.countWorkflowExecutions({ namespace, query }),
      );
      gauge.set(Number(count), { namespace, task_queue: taskQueue, waiting_for: waitingFor });
    }
  };
  const tick = (): void => void look().catch(() => undefined);
  tick();
  const timer = setInterval(tick, intervalMs).unref();
  return () => clearInterval(timer);
}

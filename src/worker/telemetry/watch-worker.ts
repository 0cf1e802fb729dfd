// A worker with what is seen of it from outside while it lives: the lines of its start and end, and its health.
import { type NativeConnection, Runtime, type Worker } from '@temporalio/worker';
import type { Config } from '../../config/config.ts';
import type { HealthServer, WorkerState } from './health.ts';

type Watched = { run(): Promise<void>; healthAddress?: string };
type Subject = {
  config: Config;
  connection: NativeConnection;
  identity: string;
  namespace: string;
  /** Whether it runs sessions; a host's runs tools. */
  hasSessions: boolean;
};

/** A server that is well answers sooner; a probe waits for it. */
const serverDeadlineMs = 2_000;

/** Listens from here on, so that a probe sees the start too. Throws a ConfigError where it cannot. */
export async function watchWorker(
  worker: Worker,
  { config: { telemetry }, connection, identity, namespace, hasSessions }: Subject,
): Promise<Watched> {
  const health = telemetry.health === undefined ? undefined : await openHealth(telemetry.health);

  async function openHealth(address: string): Promise<HealthServer> {
    const { serveHealth } = await import('./health.ts');
    return serveHealth(address, {
      identity,
      state: () => stateOf(worker),
      askServer: () =>
        connection.withDeadline(Date.now() + serverDeadlineMs, () =>
          connection.workflowService.getSystemInfo({}),
        ),
    });
  }

  async function countWaiting(): Promise<() => void> {
    const { reportWaiting } = await import('./waiting-sessions.ts');
    const { taskQueue } = worker.options;
    const tags = { namespace, task_queue: taskQueue };
    return reportWaiting({
      ...{ connection, namespace, taskQueue, tags },
      meter: Runtime.instance().metricMeter,
    });
  }

  return {
    ...(health === undefined ? {} : { healthAddress: health.address }),
    async run() {
      const { logger } = Runtime.instance();
      logger.info('worker begins', { identity, queue: worker.options.taskQueue });
      const stop = telemetry.metrics && hasSessions ? await countWaiting() : () => undefined;
      try {
        await worker.run();
        logger.info('worker ended', { identity });
      } catch (error) {
        logger.error('worker failed', { identity, error });
        throw error;
      } finally {
        stop();
        await health?.close();
      }
    },
  };
}

function stateOf(worker: Worker): WorkerState {
  switch (worker.getState()) {
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

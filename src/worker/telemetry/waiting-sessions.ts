// The number of waiting sessions of a task queue, by whom they wait for. The server is asked, because a worker knows only
// its cached sessions. Every worker reports the same numbers: add over queues, take the maximum within one.
import type { NativeConnection } from '@temporalio/worker';
import type { MetricMeter, MetricTags } from '@temporalio/common';

const intervalMs = 15_000;
const deadlineMs = 5_000;
/** Values of the search attribute WaitingFor that need somebody's action. */
const waits = ['approval', 'question', 'operator', 'worker'] as const;

export type WaitingOptions = {
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
  meter: MetricMeter;
  tags: MetricTags;
};

/** Asks at once and then every 15 seconds, until the returned function is called. A failed query keeps the last numbers. */
export function reportWaiting({ connection, namespace, taskQueue, meter, tags }: WaitingOptions): () => void {
  const gauge = meter.createGauge(
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
      gauge.set(Number(count), { ...tags, waiting_for: waitingFor });
    }
  };
  const tick = (): void => void look().catch(() => undefined);
  tick();
  const timer = setInterval(tick, intervalMs).unref();
  return () => clearInterval(timer);
}

// Ends the calls of a dead worker at the server, so that they run again now and not after their timeouts. Runs in a
// worker; worker-presence.ts proves the death.
import { eachAtOnce } from '@holdfast/base/at-once';
import { messageOf } from '@holdfast/base/message-of';
import { join } from 'node:path';
import { defaultPayloadConverter } from '@temporalio/common';
import type { NativeConnection } from '@temporalio/worker';
import { workerLost } from '@holdfast/base/failures';
import { type WorkerFacts, type WorkerNote, thisMachine } from './worker-notes.ts';
import { announceWorker } from './worker-presence.ts';
import { type PendingActivity, isStarted, toMs } from '../common/signs-of-life.ts';
import type { Takeover } from './describe-takeover.ts';

export type DeadWorker = { identity: string; namespace: string; taskQueue: string };

type Service = NativeConnection['workflowService'];
type Execution = { workflowId: string; runId: string };

/** More sessions than one process runs at once; any others wait for their timeouts. */
const maxSessions = 500;
const atOnce = 20;
const deadlineMs = 5_000;
/**
 * An activity is ended by its id, not by its attempt. One this close to its timeout is left to the server, so that its
 * next attempt is never ended by mistake. A `once` tool has no second attempt.
 */
const marginMs = 1_500;

/** The sessions in which the dead worker was running a call. Rejects if the server does not answer. */
export async function takeOver(connection: NativeConnection, dead: DeadWorker): Promise<string[]> {
  const executions = await openSessions(connection, dead);
  const held = await eachAtOnce(executions, atOnce, (execution) =>
    // the session may have ended meanwhile
    takeOverSession(connection, dead, execution).catch(() => false),
  );
  return executions.filter((_, index) => held[index]).map(({ workflowId }) => workflowId);
}

async function openSessions(
  connection: NativeConnection,
  { namespace, taskQueue }: DeadWorker,
): Promise<Execution[]> {
  const query = `ExecutionStatus = 'Running' AND TaskQueue = ${JSON.stringify(taskQueue)}`;
  const { executions } = await within(connection, (service) =>
    service.listWorkflowExecutions({ namespace, query, pageSize: maxSessions }),
  );
  return (executions ?? []).flatMap(({ execution }) => {
    const { workflowId, runId } = execution ?? {};
    return workflowId && runId ? [{ workflowId, runId }] : [];
  });
}

/** True if the dead worker was running a call of the session. */
async function takeOverSession(
  connection: NativeConnection,
  dead: DeadWorker,
  execution: Execution,
): Promise<boolean> {
  const { namespace, identity } = dead;
  const { pendingActivities } = await within(connection, (service) =>
    service.describeWorkflowExecution({ namespace, execution }),
  );
  const running = (pendingActivities ?? []).filter(({ state }) => isStarted(state));
  const held = running.filter((activity) => activity.lastWorkerIdentity === identity);
  // a waiting session may be cached on the dead worker, where its next task and query would wait
  if (held.length > 0 || running.length === 0) {
    await within(connection, (service) => service.resetStickyTaskQueue({ namespace, execution }));
  }
  const ended = held.filter((activity) => !isNearTimeout(activity));
  await Promise.all(ended.map((activity) => endAttempt(connection, dead, execution, activity)));
  return held.length > 0;
}

function isNearTimeout({ lastHeartbeatTime, lastStartedTime, activityOptions }: PendingActivity): boolean {
  const timeoutMs = toMs(activityOptions?.heartbeatTimeout);
  const aliveAt = Math.max(toMs(lastHeartbeatTime), toMs(lastStartedTime));
  return timeoutMs > 0 && aliveAt + timeoutMs < Date.now() + marginMs;
}

/**
 * No heartbeat details: the server keeps those of the attempt for the next one. The failure only tells whether there were
 * any, because a changing call that never sent a heartbeat has not begun.
 */
async function endAttempt(
  connection: NativeConnection,
  { namespace, identity }: DeadWorker,
  execution: Execution,
  { activityId, heartbeatDetails }: PendingActivity,
): Promise<void> {
  const hasBeaten = defaultPayloadConverter.toPayload(Boolean(heartbeatDetails));
  const failure = {
    message: `The process of worker ${identity} is gone.`,
    source: 'Holdfast',
    applicationFailureInfo: {
      type: workerLost,
      nextRetryDelay: { nanos: 50_000_000 },
      details: { payloads: [hasBeaten] },
    },
  };
  await within(connection, (service) =>
    service.respondActivityTaskFailedById({ namespace, ...execution, failure, activityId: activityId ?? '' }),
  );
}

function within<T>(connection: NativeConnection, work: (service: Service) => Promise<T>): Promise<T> {
  return connection.withDeadline(Date.now() + deadlineMs, () => work(connection.workflowService));
}

export type QuickResumeInput = Omit<WorkerFacts, 'machine'> & {
  /** Folder of Holdfast's own files. */
  dir: string;
  connection: NativeConnection;
  onTakeover(takeover: Takeover): void;
};

export type QuickResume = { warnings: string[]; close(): Promise<void> };

/** Lets work of a dead worker continue at once when another worker of its folder runs or starts. Never rejects. */
export async function startQuickResume(input: QuickResumeInput): Promise<QuickResume> {
  const { dir, connection, onTakeover, ...self } = input;
  const resume = async (dead: WorkerNote): Promise<void> => {
    const { identity } = dead;
    try {
      onTakeover({ identity, sessions: await takeOver(connection, dead) });
    } catch (error) {
      onTakeover({ identity, sessions: [], problem: messageOf(error) });
    }
  };
  try {
    const note = { ...self, machine: await thisMachine() };
    const folder = join(dir, 'workers');
    const { close } = await announceWorker({ folder, note, onLost: (dead) => void resume(dead) });
    return { warnings: [], close };
  } catch (error) {
    const text = `Calls of a worker that dies are repeated only when their timeouts are over (${messageOf(error)}).`;
    return { warnings: [text], close: () => Promise.resolve() };
  }
}

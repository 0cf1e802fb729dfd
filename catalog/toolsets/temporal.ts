// Readers of the JSON of Temporal's command: https://docs.temporal.io/cli. It leaves out what is 0 or empty. Pure.
import { cutText } from '@holdfast/base/cut-text';
import { z } from 'zod';
import { list, number, readJson, record, text, valueAt } from '@holdfast/sources/json-reader';
import { answer, words } from '@holdfast/sources/source-answer';
import { parts } from './parts.ts';

/** `WORKFLOW_EXECUTION_STATUS_RUNNING`: the word that differs. */
function after(mark: string, said = '?'): string {
  return said.includes(mark) ? said.slice(said.indexOf(mark) + mark.length) : said;
}

/** With its causes, the nearest first. */
function why(failure: unknown, withType: boolean): string {
  const [message, type, cause] = ['message', 'applicationFailureInfo.type', 'cause'].map((path) =>
    valueAt(failure, path),
  );
  const said = typeof message === 'string' ? cutText(message, 300) : '';
  return words(
    said,
    withType && typeof type === 'string' && `(${type})`,
    cause !== undefined && `< ${why(cause, withType)}`,
  );
}

const type = z.object({ name: text }).nullish();
const execution = z.object({
  status: text,
  type,
  execution: z.object({ workflowId: z.string(), runId: text }),
  taskQueue: text,
  startTime: text,
  closeTime: text,
  historyLength: number,
  historySizeBytes: number,
  parentExecution: z.object({ workflowId: text }).nullish(),
});

export const workflows = readJson(list(execution), (all) =>
  answer(
    all.map(
      ({
        status,
        type: kind,
        execution: { workflowId, runId },
        taskQueue,
        startTime,
        closeTime,
        historyLength,
      }) =>
        parts(
          words(after('STATUS_', status), kind?.name, workflowId, 'on', taskQueue),
          startTime && words('from', startTime, closeTime && `to ${closeTime}`),
          historyLength !== undefined && `${historyLength} events`,
          `run ${runId ?? '?'}`,
        ),
    ),
  ),
);

const group = z.object({ count: number, groupValues: list(z.unknown()).optional() });

export const count = readJson(
  // it leaves out a count of 0: an object with another field is an error
  z.strictObject({ count: number, groups: z.array(group).nullish() }),
  ({ count: all = 0, groups }) =>
    answer([
      `${all} in all`,
      ...(groups ?? []).map((each) => words(each.count ?? 0, ...(each.groupValues ?? []).map(String))),
    ]),
);

const activity = z.object({
  activityType: type,
  activityId: text,
  state: text,
  attempt: number,
  maximumAttempts: number,
  lastFailure: z.unknown(),
  nextAttemptScheduleTime: text,
  lastStartedTime: text,
  lastHeartbeatTime: text,
  lastWorkerIdentity: text,
});
const task = z.object({ attempt: number, originalScheduledTime: text, scheduledTime: text, state: text });
const described = z.object({
  workflowExecutionInfo: execution,
  pendingActivities: z.array(activity).nullish(),
  pendingChildren: z.array(z.object({ workflowTypeName: text, workflowId: text })).nullish(),
  pendingWorkflowTask: task.nullish(),
});

export const workflow = readJson(
  described,
  ({ workflowExecutionInfo: info, pendingActivities, pendingChildren, pendingWorkflowTask: waits }) => {
    const {
      status,
      type: kind,
      taskQueue,
      startTime,
      closeTime,
      historyLength = 0,
      historySizeBytes = 0,
      parentExecution,
    } = info;
    const attempt = waits?.attempt ?? 1;
    return answer([
      waits &&
        attempt > 1 &&
        `THE WORKFLOW TASK FAILS: attempt ${attempt}, first scheduled ${waits.originalScheduledTime ?? '?'}`,
      parts(
        words(after('STATUS_', status), kind?.name, 'on', taskQueue),
        startTime && words('from', startTime, closeTime && `to ${closeTime}`),
        `${historyLength} events`,
        `${historySizeBytes} bytes`,
        parentExecution?.workflowId && `child of ${parentExecution.workflowId}`,
      ),
      waits &&
        attempt === 1 &&
        `a workflow task waits since ${waits.scheduledTime ?? '?'} (${after('STATE_', waits.state)})`,
      ...(pendingActivities ?? [])
        .toSorted(({ attempt: one = 1 }, { attempt: other = 1 }) => other - one)
        .map(activityLine),
      ...(pendingChildren ?? []).map(({ workflowTypeName, workflowId }) =>
        words('child', workflowTypeName, workflowId),
      ),
    ]);
  },
);

function activityLine(each: z.output<typeof activity>): string {
  const { activityType, activityId, state, attempt = 1, maximumAttempts, lastFailure } = each;
  return parts(
    `activity ${words(activityType?.name, activityId)}: ${after('STATE_', state)}`,
    words(`attempt ${attempt}`, maximumAttempts && `of ${maximumAttempts}`),
    lastFailure !== undefined && lastFailure !== null && `failed: ${why(lastFailure, true)}`,
    each.nextAttemptScheduleTime && `next at ${each.nextAttemptScheduleTime}`,
    each.lastStartedTime && `last started ${each.lastStartedTime}`,
    each.lastHeartbeatTime && `heartbeat ${each.lastHeartbeatTime}`,
    each.lastWorkerIdentity && `worker ${each.lastWorkerIdentity}`,
  );
}

const event = z.looseObject({ eventId: text, eventTime: text, eventType: text });

/** Newest first. */
export const history = readJson(z.object({ events: list(event) }), ({ events }, { limit }) => {
  const newest = events.slice(-Number(limit)).toReversed();
  return answer(newest.map(eventLine), { left: events.length - newest.length });
});

function eventLine(each: z.output<typeof event>): string {
  const of = record
    .catch({})
    .parse(Object.entries(each).find(([name]) => name.includes('EventAttributes'))?.[1]);
  const told = ['activityType.name', 'workflowType.name', 'signalName', 'timerId', 'cause'].map((path) =>
    text.parse(valueAt(of, path)),
  );
  const [attempt, scheduled] = [Number(of['attempt'] ?? 1), text.parse(of['scheduledEventId'])];
  return words(
    each.eventId,
    each.eventTime,
    after('EVENT_TYPE_', each.eventType),
    ...told,
    attempt > 1 && `attempt ${attempt}`,
    scheduled && `of ${scheduled}`,
    typeof of['reason'] === 'string' && of['reason'],
    of['failure'] !== undefined && `failed: ${why(of['failure'], false)}`,
    of['lastFailure'] !== undefined && `failed before: ${why(of['lastFailure'], false)}`,
  );
}

const stats = z.object({
  taskQueueType: text,
  approximateBacklogCount: number,
  approximateBacklogAge: text,
  tasksAddRate: number,
  tasksDispatchRate: number,
});
const poller = z.object({ taskQueueType: text, identity: text, lastAccessTime: text });
const queue = z.object({ stats: list(stats), pollers: list(poller) });
const shownPollers = 50;

export const taskQueue = readJson(queue, ({ stats: backlogs, pollers }) => {
  const workers = pollers.flatMap((each) =>
    each.identity === undefined
      ? []
      : words(each.taskQueueType, 'worker', `${each.identity}, last polled ${each.lastAccessTime ?? '?'}`),
  );
  return answer(
    [
      ...backlogs
        .toSorted(
          (one, other) =>
            (other.approximateBacklogCount ?? 0) - (one.approximateBacklogCount ?? 0) ||
            (other.taskQueueType ?? '').localeCompare(one.taskQueueType ?? ''),
        )
        .map((each) =>
          parts(
            `${each.taskQueueType ?? '?'} tasks: backlog ${each.approximateBacklogCount ?? 'unknown'}`,
            `the oldest ${each.approximateBacklogAge ?? 'unknown'}`,
            `a second: added ${rounded(each.tasksAddRate)}`,
            `dispatched ${rounded(each.tasksDispatchRate)}`,
            !pollers.some(({ taskQueueType }) => taskQueueType === each.taskQueueType) && 'NO WORKER POLLS',
          ),
        ),
      ...workers.slice(0, shownPollers),
    ],
    { gaps: [workers.length > shownPollers && `${workers.length - shownPollers} more workers are left out`] },
  );
});

function rounded(rate: number | undefined): string {
  return rate === undefined ? 'unknown' : String(Math.round(100 * rate) / 100);
}

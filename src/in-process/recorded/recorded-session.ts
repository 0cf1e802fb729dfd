// The history of one execution of a session as plain data: its start, the requests it took, the calls it made and how
// each ended. Runs in Node.
import type { LoadedDataConverter } from '@temporalio/common';
import {
  decodeArrayFromPayloads,
  decodeOptionalFailureToOptionalError,
} from '@temporalio/common/lib/internal-non-workflow/index.js';
import type proto from '@temporalio/proto';
import { toMs } from '../../common/signs-of-life.ts';
import type { End } from '../outcomes.ts';

type History = proto.temporal.api.history.v1.IHistory;
type HistoryEvent = proto.temporal.api.history.v1.IHistoryEvent;
type Payloads = { payloads?: proto.temporal.api.common.v1.IPayload[] | null } | null | undefined;

export type CallEnd = End<unknown>;

/** An activity, or a session that this one has started (its name is the id). */
export type RecordedCall = {
  name: string;
  input: unknown;
  /** Absent: the history does not say how it ended. */
  end?: CallEnd;
};

/** One event: the call that ended with it, or the request that came with it. */
export type RecordedMoment = {
  /** The time of the workflow task that took it, in ms since the epoch; its own if none did. */
  at: number;
  ended?: RecordedCall;
  request?: { name: string; sent: unknown[] };
  /** The workflow was asked to end. */
  cancelled?: true;
};

export type RecordedSession = Awaited<ReturnType<typeof readRecorded>>;

/** Throws for a history without a start. Calls are in the order of their start. */
export async function readRecorded({ events }: History, converter: LoadedDataConverter) {
  const decode = async (given: Payloads): Promise<unknown[]> =>
    (await decodeArrayFromPayloads(converter, given?.payloads)) ?? [];
  const toEnd = async ({ result, failure, stopped }: WrittenEnd): Promise<CallEnd> => {
    if (stopped) return { type: 'stopped' };
    if (result !== undefined) return { type: 'done', value: (await decode(result))[0] };
    return { type: 'failed', error: await decodeOptionalFailureToOptionalError(converter, failure) };
  };
  const [started] = events ?? [];
  const [input] = await decode(started?.workflowExecutionStartedEventAttributes?.input);
  if (typeof input !== 'object' || input === null) throw new Error('The history has no start of a session.');
  const times = taskTimes(events ?? []);
  const calls = new Map<string, RecordedCall>();
  const moments: RecordedMoment[] = [];
  for (const [index, event] of (events ?? []).entries()) {
    const moment: RecordedMoment = { at: times[index] ?? 0 };
    const begun = startOf(event);
    if (begun) {
      const [first] = await decode(begun.input);
      calls.set(String(event.eventId), { name: begun.name ?? '', input: first });
    }
    const end = endOf(event);
    const ended = end && calls.get(String(end.start));
    if (ended) moment.ended = Object.assign(ended, { end: await toEnd(end) });
    const request = requestOf(event);
    if (request) moment.request = { name: request.name ?? '', sent: await decode(request.input) };
    if (event.workflowExecutionCancelRequestedEventAttributes) moment.cancelled = true;
    moments.push(moment);
  }
  return { input, startedAt: times[0] ?? 0, calls: [...calls.values()], moments };
}

type Named = { name?: string | null | undefined; input: Payloads };

function startOf({
  activityTaskScheduledEventAttributes: activity,
  startChildWorkflowExecutionInitiatedEventAttributes: child,
}: HistoryEvent): Named | undefined {
  if (activity) return { name: activity.activityType?.name, input: activity.input };
  return child ? { name: child.workflowId, input: undefined } : undefined;
}

/** `start`: id of the event with which the call began. */
type WrittenEnd = { start: unknown; result?: Payloads; failure?: WrittenFailure; stopped?: true };
type WrittenFailure = proto.temporal.api.failure.v1.IFailure | null | undefined;

function endOf(event: HistoryEvent): WrittenEnd | undefined {
  const done =
    event.activityTaskCompletedEventAttributes ?? event.childWorkflowExecutionCompletedEventAttributes;
  if (done) return { start: startIn(done), result: done.result ?? null };
  const stopped =
    event.activityTaskCanceledEventAttributes ?? event.childWorkflowExecutionCanceledEventAttributes;
  if (stopped) return { start: startIn(stopped), stopped: true };
  const failed =
    event.activityTaskFailedEventAttributes ??
    event.activityTaskTimedOutEventAttributes ??
    event.childWorkflowExecutionFailedEventAttributes ??
    event.childWorkflowExecutionTimedOutEventAttributes ??
    event.childWorkflowExecutionTerminatedEventAttributes ??
    event.startChildWorkflowExecutionFailedEventAttributes;
  if (!failed) return undefined;
  return { start: startIn(failed), failure: 'failure' in failed ? failed.failure : undefined };
}

function startIn(end: { scheduledEventId?: unknown; initiatedEventId?: unknown }): unknown {
  return end.scheduledEventId ?? end.initiatedEventId;
}

/** The time at which the workflow saw each event: an update in the task before it, all else in the task behind it. */
function taskTimes(events: readonly HistoryEvent[]): number[] {
  const times = events.map(({ eventTime }) => Math.floor(toMs(eventTime)));
  const starts = events.flatMap(({ workflowTaskStartedEventAttributes: started }, index) =>
    started && events[index + 1]?.workflowTaskCompletedEventAttributes ? [index] : [],
  );
  return events.map(({ workflowExecutionUpdateAcceptedEventAttributes: update }, index) => {
    const start = update ? starts.findLast((at) => at < index) : starts.find((at) => at >= index);
    return times[start ?? index] ?? 0;
  });
}

function requestOf({
  workflowExecutionSignaledEventAttributes: signal,
  workflowExecutionUpdateAcceptedEventAttributes: update,
}: HistoryEvent): Named | undefined {
  if (signal) return { name: signal.signalName, input: signal.input };
  const asked = update?.acceptedRequest?.input;
  return asked ? { name: asked.name, input: asked.args } : undefined;
}

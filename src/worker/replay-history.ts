// Replays a recorded history against the workflow code of this version, with the stacks that a worker's sandbox lacks.
// Runs in Node.
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import proto from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { type EncryptionKeys, dataConverterOf } from '../codec/payload-codec.ts';
import { ConfigError } from '../config/config-file.ts';
import { defined } from '@holdfast/base/defined';
import { isRecord } from '@holdfast/base/json';
import { messageOf } from '@holdfast/base/message-of';
import { installRuntime } from './telemetry/install-runtime.ts';
import { printedField } from './telemetry/log-line.ts';
import { getWorkflowBundle } from './workflow-bundle.ts';

const { EventType } = proto.temporal.api.enums.v1;
export type History = proto.temporal.api.history.v1.IHistory;
type HistoryEvent = proto.temporal.api.history.v1.IHistoryEvent;

/** The first event that this code does not produce, or the workflow task in which it fails. */
export type Misfit = { eventId: number; event: string; reason: string; stack?: string };

export type ReplayOptions = { namespace: string; encryption?: EncryptionKeys | undefined };

/** Undefined if the history fits. Accepts the JSON of the Temporal CLI and UI, and a history fetched by a client. */
export async function replayHistory(
  given: unknown,
  { namespace, encryption }: ReplayOptions,
): Promise<Misfit | undefined> {
  const events = eventsOf(given);
  // a worker logs the failure too, in the words of its own types
  installRuntime(undefined, { level: 'error' });
  const options = {
    workflowBundle: await getWorkflowBundle({ encrypted: encryption !== undefined, stacks: true }),
    dataConverter: dataConverterOf(namespace, encryption),
  };
  const started = events[0]?.workflowExecutionStartedEventAttributes?.workflowId;
  const failureOf = (end: number): Promise<unknown> =>
    Worker.runReplayHistory(options, { events: events.slice(0, end) }, started ?? undefined).then(
      () => undefined,
      (error: unknown) => error,
    );
  const failure = await failureOf(events.length);
  if (failure === undefined) return undefined;
  // a history that ends at the start of a task fails if that task, or its events recorded before, do not fit
  const ends = events.flatMap(({ eventType }, index) =>
    eventType === EventType.EVENT_TYPE_WORKFLOW_TASK_STARTED ? [index + 1] : [],
  );
  let [fits, fails] = [-1, ends.length];
  while (fails - fits > 1) {
    const middle = Math.floor((fits + fails) / 2);
    if ((await failureOf(ends[middle] ?? 0)) === undefined) fits = middle;
    else fails = middle;
  }
  return toMisfit(events.slice(ends[fails - 1] ?? 0, ends[fails]), messageOf(failure));
}

/** True for a history of the SDK, whose types of events are numbers; in JSON they are words. */
function isFetched(given: unknown): given is History {
  const [first] = isRecord(given) && Array.isArray(given['events']) ? given['events'] : [];
  return isRecord(first) && first['eventType'] === EventType.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED;
}

function eventsOf(given: unknown): HistoryEvent[] {
  try {
    return (isFetched(given) ? given : historyFromJSON(given)).events ?? [];
  } catch (error) {
    throw new ConfigError(
      `Not a history: ${messageOf(error)}. Expected the JSON of "temporal workflow show --output json".`,
      { cause: error },
    );
  }
}

/** `stretch` runs from the end of the last task that fits to the start of the first that does not. */
function toMisfit(stretch: readonly HistoryEvent[], message: string): Misfit {
  const [reason = message, stack] = ['message', 'stack_trace'].map((name) => printedField(message, name));
  const id = /HistoryEvent\(id: (\d+)/.exec(reason)?.[1];
  const isOtherCommand = reason.includes('Nondeterminism error');
  const event =
    stretch.find(({ eventId }) => String(eventId) === id) ??
    stretch.find((each) => isOtherCommand && reason.includes(`'${nameOf(each)}'`)) ??
    stretch.at(-1);
  const type = (EventType[event?.eventType ?? 0] ?? '').replace('EVENT_TYPE_', '').toLowerCase();
  return defined({
    eventId: Number(event?.eventId ?? 0),
    event: [type.replaceAll('_', ' '), event && nameOf(event)].filter(Boolean).join(' '),
    reason: reason.replace(/^\[\w+\] /, ''),
    // the lines before it quote the bundle
    stack: stack ? stack.slice(Math.max(0, stack.search(/^\w*Error\b/m))) : undefined,
  });
}

function nameOf(event: HistoryEvent): string {
  return (
    event.activityTaskScheduledEventAttributes?.activityType?.name ??
    event.startChildWorkflowExecutionInitiatedEventAttributes?.workflowType?.name ??
    ''
  );
}

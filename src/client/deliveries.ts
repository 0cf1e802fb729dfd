// The deliveries of sessions as the server lists them: what did not arrive, and the repeat of a message. Runs in the
// caller's process.
import { omit } from '@holdfast/base/omit';
import { randomUUID } from 'node:crypto';
import {
  type Client,
  type WorkflowExecutionInfo,
  WorkflowNotFoundError,
  isGrpcServiceError,
} from '@temporalio/client';
import { decodeArrayFromPayloads } from '@temporalio/common/lib/internal-non-workflow/index.js';
import type proto from '@temporalio/proto';
import { cutText } from '@holdfast/base/cut-text';
import { defined } from '@holdfast/base/defined';
import { isList, isRecord, isText } from '@holdfast/base/json';
import {
  type DeliverInput,
  type DeliveryInput,
  type DeliveryMemo,
  type DeliveryPoint,
} from '@holdfast/vocabulary/deliver';
import type { SessionResult } from '@holdfast/vocabulary/run-result';
import { deliveryId, deliveryPrefix, deliveryType, type NamedRun } from '@holdfast/vocabulary/workflow-ids';
import { deliveryTitle, labelsOf, memoOf, toEnd } from '../core/session/delivery-points.ts';
import { toMs } from '../common/signs-of-life.ts';
import { ClientError } from './client-error.ts';
import { readPending } from './pending-calls.ts';
import { grpcStatus } from '../common/server-trouble.ts';
import { quotable, type SessionListing } from './session-list.ts';

/** A destination that has not got a message. */
export type MissingDelivery = {
  /** Name of the destination. */
  to: string;
  /** The last failure; absent before the first attempt has ended. */
  error?: string;
  /** Number of the next or current attempt; absent when it was given up. */
  attempt?: number;
  /** Start of the next attempt, in ms since the epoch. */
  nextAt?: number;
};

/** A message that some destination has not got. */
export type UndeliveredMessage = {
  /** Id of the message. */
  messageId: string;
  sessionId: string;
  point: DeliveryPoint;
  /** First try, in ms since the epoch. */
  since: number;
  missing: MissingDelivery[];
};

export type DeliverOptions = {
  /** Name of the destination. Default: those that the message had. */
  to?: string;
  /** Default `end`. */
  point?: DeliveryPoint;
};

/** A run of the workflow, with the memo that names its message. */
type Listed = DeliveryMemo &
  Pick<WorkflowExecutionInfo, 'workflowId' | 'runId' | 'taskQueue'> & { status: string; startedAt: number };

type Payloads = proto.temporal.api.common.v1.IPayloads | null | undefined;

/** The server lists closed deliveries for as long as it keeps their histories. */
const mostListed = 1_000;

/** Every delivery of the session that is a workflow of its own, newest first. */
export function deliveriesOf(client: Client, sessionId: string): Promise<Listed[]> {
  return list(client, `WorkflowId STARTS_WITH '${quotable(deliveryPrefix(sessionId))}'`, sessionId);
}

/** Messages that failed or are tried again, oldest first; of one session, or of all. */
export async function listUndelivered(client: Client, sessionId?: string): Promise<UndeliveredMessage[]> {
  const open = `ExecutionStatus != 'Completed'`;
  const filter =
    sessionId === undefined
      ? open
      : `${open} AND WorkflowId STARTS_WITH '${quotable(deliveryPrefix(sessionId))}'`;
  const byMessage = Map.groupBy(await list(client, filter, sessionId), ({ message }) => message);
  const found = [...byMessage].map(async ([messageId, tries]): Promise<UndeliveredMessage[]> => {
    const [newest] = tries;
    const oldest = tries.at(-1);
    if (!newest || !oldest) return [];
    const { sessionId: of, point } = newest;
    const missing = await missingOf(client, tries);
    return missing.length === 0
      ? []
      : [{ messageId, sessionId: of, point, since: oldest.startedAt, missing }];
  });
  return (await Promise.all(found)).flat().sort((one, other) => one.since - other.since);
}

/** The newest state of each destination counts; one that got a repeat is not missing any more. */
async function missingOf(client: Client, newestFirst: readonly Listed[]): Promise<MissingDelivery[]> {
  const { message = '', sessionId = '' } = newestFirst[0] ?? {};
  const repeats = `WorkflowId STARTS_WITH '${quotable(message)}' AND ExecutionStatus = 'Completed'`;
  const done = (await list(client, repeats, sessionId)).filter((each) => each.message === message);
  const arrived = new Set(done.flatMap(({ to }) => to));
  const missing = new Map<string, MissingDelivery>();
  for (const tried of newestFirst.toReversed()) {
    const lacking = tried.status === 'RUNNING' ? await onItsWay(client, tried) : givenUp(tried);
    // a repeat may have reached some of its destinations
    for (const to of tried.to) missing.delete(to);
    for (const each of lacking) if (!arrived.has(each.to)) missing.set(each.to, each);
  }
  return [...missing.values()];
}

function givenUp({ to, undelivered, status }: Listed): MissingDelivery[] {
  return undelivered ?? to.map((name) => ({ to: name, error: status.toLowerCase() }));
}

/** The activity of a destination has its name as its id; before the first task there is none. */
async function onItsWay(client: Client, { workflowId, runId, to }: Listed): Promise<MissingDelivery[]> {
  const pending = await readPending(client.workflow.getHandle(workflowId, runId));
  if (pending.length === 0) return to.map((name) => ({ to: name, attempt: 1 }));
  return pending.map(({ activityId, attempt, lastFailure, nextAttemptScheduleTime: next }) => ({
    to: activityId ?? '',
    attempt: attempt ?? 1,
    ...defined({
      error: lastFailure?.message ?? undefined,
      nextAt: next ? Math.round(toMs(next)) : undefined,
    }),
  }));
}

async function list(client: Client, filter: string, sessionId: string | undefined): Promise<Listed[]> {
  const found: Listed[] = [];
  const query = `WorkflowType = '${deliveryType}' AND ${filter}`;
  for await (const info of client.workflow.list({ query, pageSize: 200 })) {
    const { workflowId, runId, taskQueue, memo, status, startTime } = info;
    // the ids of a session may begin with those of another
    if (!isMemo(memo) || (sessionId !== undefined && memo.sessionId !== sessionId)) continue;
    const listed = { workflowId, runId, taskQueue, status: status.name, startedAt: startTime.getTime() };
    found.push({ ...memo, ...listed });
    if (found.length >= mostListed) break;
  }
  return found;
}

/** Form of the memo that memoOf makes; any program may start a workflow of this type. */
function isMemo(memo: unknown): memo is DeliveryMemo {
  return isRecord(memo) && isText(memo['message']) && isText(memo['sessionId']) && isList(memo['to']);
}

/**
 * For a session that has ended. True once the end of the run has arrived everywhere, or has no destination; false if it was
 * given up, or time is up.
 */
export async function awaitEndDelivery(client: Client, run: NamedRun, timeoutMs: number): Promise<boolean> {
  const handle = client.workflow.getHandle(deliveryId(run, 'end'));
  try {
    await client.connection.withDeadline(Date.now() + timeoutMs, () => handle.result());
    return true;
  } catch (error) {
    // the session itself has delivered it
    return error instanceof WorkflowNotFoundError;
  }
}

/** The session, for a message that was not sent before. */
type Source = { describe(): Promise<SessionListing>; result(): Promise<SessionResult> };

/** Starts the deliveries again, with the ids of their messages; resolves with the ids of the workflows. */
export async function repeatDeliveries(
  client: Client,
  sessionId: string,
  { to, point = 'end' }: DeliverOptions,
  source: Source,
): Promise<string[]> {
  const own = (await deliveriesOf(client, sessionId)).filter((each) => each.point === point);
  const sent = await readSent(client, sessionId, point);
  const kept = sent.length > 0 ? sent : await readKept(client, own);
  // at most once, and not at all where the server has forgotten the session and still has its deliveries
  let listing: Promise<SessionListing> | undefined;
  const describe = (): Promise<SessionListing> => (listing ??= source.describe());
  const inputs = kept.length > 0 ? kept : [await firstInput(await describe(), { to, point }, source)];
  const { taskQueue } = own[0] ?? (await describe());
  return Promise.all(
    inputs.map(async (input) => {
      const message = to === undefined ? input : { ...input, to: [to] };
      const { workflowId } = await client.workflow.start(deliveryType, {
        workflowId: `${message.id}:${randomUUID().slice(0, 8)}`,
        taskQueue,
        args: [message],
        memo: memoOf(message),
        staticSummary: deliveryTitle(message),
      });
      return workflowId;
    }),
  );
}

/** The messages of the newest run that had some of this point, as its session has made them: inputs of its activities. */
async function readSent(client: Client, sessionId: string, point: DeliveryPoint): Promise<DeliveryInput[]> {
  const messages = new Map<string, DeliveryInput>();
  let newest: string | undefined;
  for (let execution: string | undefined; ;) {
    const handle = client.workflow.getHandle(sessionId, execution);
    // the server keeps each execution for its own time
    const history = await handle.fetchHistory().catch(undefinedIfNotFound);
    const scheduled = (history?.events ?? []).flatMap(({ activityTaskScheduledEventAttributes: activity }) =>
      activity?.activityType?.name === 'deliver' ? [activity.input] : [],
    );
    const inputs = await Promise.all(scheduled.map((each) => readInput<DeliverInput>(client, each)));
    const ofPoint = inputs.filter((each) => each.point === point);
    newest ??= ofPoint.at(-1)?.runId;
    for (const { destination: _, tried: __, ...message } of ofPoint)
      if (message.runId === newest) messages.set(message.id, message);
    const start = history?.events?.[0]?.workflowExecutionStartedEventAttributes;
    const isWhole = newest !== undefined && inputs.some(({ runId }) => runId !== newest);
    if (isWhole || !start?.continuedExecutionRunId) return [...messages.values()];
    execution = start.continuedExecutionRunId;
  }
}

/** Those of the deliveries, newest first, that outlived the history of their session. */
async function readKept(client: Client, own: readonly Listed[]): Promise<DeliveryInput[]> {
  const ofRun = own.filter(({ run }) => run === own[0]?.run);
  const found = [...new Map(ofRun.map((each) => [each.message, each])).values()];
  const inputs = found.map(async ({ workflowId, runId }) => {
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    const start = events?.[0]?.workflowExecutionStartedEventAttributes;
    return omit(await readInput<DeliveryInput>(client, start?.input), 'tried');
  });
  return Promise.all(inputs);
}

function undefinedIfNotFound(error: unknown): undefined {
  if (!isGrpcServiceError(error) || error.code !== grpcStatus.notFound) throw error;
}

/** The one place where an input gets its type back: a session wrote it, and this module. */
async function readInput<Input>(client: Client, input: Payloads): Promise<Input> {
  const [first] = await decodeArrayFromPayloads(client.options.loadedDataConverter, input?.payloads);
  return first as Input;
}

/** The end of a session that had no destination. */
async function firstInput(
  { sessionId, status, agent, task, labels }: SessionListing,
  { to, point }: { to: string | undefined; point: DeliveryPoint },
  source: Source,
): Promise<DeliveryInput> {
  const refuse = (why: string): never => {
    throw new ClientError('Refused', `Nothing of session ${sessionId} was sent: ${why}`);
  };
  if (point !== 'end') refuse(`no message about its ${point} was sent before that could be repeated.`);
  if (to === undefined)
    return refuse('no message was sent before that could be repeated: name a destination (--to).');
  if (status === 'RUNNING') refuse('it has not ended, and had no destination at its start.');
  const result = await source.result();
  const { sessionId: name, runId, endedAt: at } = result;
  return {
    id: deliveryId({ sessionId, name, runId }, point),
    point,
    to: [to],
    sessionId,
    ...defined({ storedAs: name === sessionId ? undefined : name }),
    runId,
    at,
    task: cutText(task, 200),
    ...defined({ agent, labels: labelsOf(labels) }),
    end: toEnd(result),
  };
}

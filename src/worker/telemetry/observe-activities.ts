// Reports activities in the worker's log and metrics: a line for each retry and each failure, and for every activity at
// level debug. Runs in Node. Reads only ids of the arguments, and no content of a result.
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { isHandBack } from '../../activities/base/hand-back.ts';
import { defined } from '@holdfast/base/defined';
import { messageOf } from '@holdfast/base/message-of';
import { cutText } from '@holdfast/base/cut-text';
import { isRecord } from '@holdfast/base/json';
import { deliveryType } from '@holdfast/vocabulary/workflow-ids';
import { type CallMetrics, toolOf } from './metrics.ts';

/** Characters of a failure's reason. */
const shownReason = 300;

type ActivityContext = Parameters<ActivityInterceptorsFactory>[0];
type Fields = Record<string, string | number>;

/** `metrics` counts them as well. */
export function observeActivities(metrics: CallMetrics): ActivityInterceptorsFactory {
  return (context) => ({ inbound: { execute: (input, next) => observe(context, metrics, input, next) } });
}

type Inbound = Required<NonNullable<ReturnType<ActivityInterceptorsFactory>['inbound']>>;
type Execute = Parameters<Inbound['execute']>;

async function observe(
  { info, log, cancellationSignal }: ActivityContext,
  metrics: CallMetrics,
  input: Execute[0],
  next: Execute[1],
): Promise<unknown> {
  const kind = kindOf(info.activityType);
  const ids = idsOf(input.args[0]);
  const destination = destinationOf(info.activityType, input.args[0]);
  // the workflow of the delivery begins with this attempt
  const isHandedOn = destination !== undefined && info.workflowType !== deliveryType;
  const startedAt = performance.now();
  const ran = (): number => Math.round(performance.now() - startedAt);
  if (info.attempt > 1) {
    log.info(`${kind} is tried again`, ids);
    metrics.repeated(info);
  }
  try {
    const result = await next(input);
    log.debug(`${kind} answered`, { ...ids, durationMs: ran() });
    metrics.answered(info, result, ran());
    if (destination !== undefined) metrics.sent(destination, 'delivered');
    return result;
  } catch (error) {
    const fields = { ...ids, durationMs: ran() };
    // unfit-worker.ts reports it once, and nothing has run
    if (isHandBack(error)) throw error;
    if (cancellationSignal.aborted || error instanceof CancelledFailure) {
      log.debug(`${kind} stopped`, fields);
      throw error;
    }
    if (isHandedOn) throw error;
    const { failure, reason } = describe(error);
    const isLast = isFinal(error, info);
    if (isLast) log.error(`${kind} failed`, { ...fields, failure, reason });
    else log.warn(`${kind} failed and is repeated`, { ...fields, failure, reason });
    metrics.failed(info, failure, ran());
    if (destination !== undefined) metrics.sent(destination, isLast ? 'given_up' : 'repeated');
    throw error;
  }
}

function kindOf(activityType: string): 'model call' | 'tool call' | 'activity' {
  if (activityType === 'callModel') return 'model call';
  return toolOf(activityType) === undefined ? 'activity' : 'tool call';
}

/** The run that the activity belongs to. */
function idsOf(input: unknown): Fields {
  if (!isRecord(input)) return {};
  const { runId, turn, callId } = input;
  return defined({
    run: typeof runId === 'string' ? runId : undefined,
    turn: typeof turn === 'number' ? turn : undefined,
    call: typeof callId === 'string' ? callId : undefined,
  });
}

/** The name in the config that a message goes to; undefined of any other activity. */
function destinationOf(activityType: string, input: unknown): string | undefined {
  if (activityType !== 'deliver' || !isRecord(input)) return undefined;
  return typeof input['destination'] === 'string' ? input['destination'] : undefined;
}

/** True if Temporal does not retry it. */
function isFinal(error: unknown, { attempt, retryPolicy }: ActivityContext['info']): boolean {
  const most = retryPolicy?.maximumAttempts ?? 0;
  return (
    (error instanceof ApplicationFailure && error.nonRetryable === true) || (most > 0 && attempt >= most)
  );
}

function describe(error: unknown): { failure: string; reason: string } {
  const type = error instanceof ApplicationFailure ? error.type : undefined;
  const name = error instanceof Error ? error.name : 'Error';
  return { failure: type ?? name, reason: cutText(messageOf(error), shownReason) };
}

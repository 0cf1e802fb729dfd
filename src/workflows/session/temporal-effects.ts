// The loop's effects under Temporal: activities, durable waits, stops, and child sessions as child workflows of the same type: with
// a link and a line in the UI, cancelled together with the work that started them. Runs in the workflow. Every value passed on is
// small, because history keeps it.
import {
  CancelledFailure,
  ChildWorkflowCancellationType,
  ChildWorkflowFailure,
  condition,
  executeChild,
  log,
  ParentClosePolicy,
  TerminatedFailure,
} from '@temporalio/workflow';
import { messageOf } from '@holdfast/base/message-of';
import type {
  CallDeviations,
  ChildOutcome,
  ChildRequest,
  Effects,
  EffectOutcome,
  Take,
} from '../../core/loop/effects.ts';
import { canHandOver } from '../../core/loop/saving.ts';
import { activityTable } from '@holdfast/vocabulary/activity-table';
import type { ActivityName, InputOf, OutputOf } from '@holdfast/vocabulary/activity-table';
import type { SessionResult } from '@holdfast/vocabulary/run-result';
import type { Session } from '../../core/session/session.ts';
import { toFailed } from '../activity-failure.ts';
import { schedule } from '../activity-options.ts';
import { runOnFitWorker } from './fit-worker.ts';
import { type SignalCount, isHistoryLong } from '../hand-over.ts';
import { whyMissing } from './host-calls.ts';
import { callModel } from './model-call.ts';
import { type Host, type Stoppable, type Stopper, failedWith } from './stopper.ts';
import { runToolActivity } from './tool-call.ts';
import { agentSessionType } from './workflow-api.ts';

export function createTemporalEffects(session: Session, stopper: Stopper, signals: SignalCount): Effects {
  const host = { session, stopper };
  return {
    until: wait,
    isHandOverDue: () => isHistoryLong(session, signals) && canHandOver(session),
    callModel: (input, take) => callModel(host, input, take),
    runTool: (request, take) => runToolActivity(host, request, take),
    runChild: (request, take) => runChild(stopper, request, take),
    call: (name, input, options) => call(host, name, input, options),
    log: (message, attributes) => log.info(message, attributes),
  };
}

function wait(ready: () => boolean, timeoutMs?: number, summary = ''): Promise<boolean> {
  return timeoutMs === undefined
    ? condition(ready).then(() => true)
    : condition(ready, timeoutMs, { summary });
}

async function call<Name extends ActivityName>(
  host: Host,
  name: Name,
  input: InputOf<Name>,
  options: CallDeviations = {},
): Promise<EffectOutcome<OutputOf<Name>>> {
  const { code, needs } = activityTable[name];
  const { limitMs, taskQueue } = options;
  const work = () => schedule(name, input, { session: host.session, limitMs, taskQueue });
  const end = await (options.late ? host.stopper.runOut(work) : begin(host, name, input, work));
  if (end.type === 'done') return end;
  const failed = failedWith(end);
  if (!failed) return { type: 'stopped' };
  const known = toFailed(failed.error, code);
  if (needs !== 'host') return known;
  return { ...known, failure: { ...known.failure, message: whyMissing(failed.error) } };
}

function begin<Name extends ActivityName>(
  host: Host,
  name: Name,
  input: InputOf<Name>,
  work: () => Promise<OutputOf<Name>>,
): Promise<Stoppable<OutputOf<Name>>> {
  const { needs } = activityTable[name];
  if (needs === 'host') return host.stopper.run(work);
  if (needs === undefined)
    return work().then(
      (value) => ({ type: 'done', value }),
      (error: unknown) => ({ type: 'failed', error }),
    );
  const contextDigest = host.session.state.context?.digest ?? '';
  return runOnFitWorker(host, needs === 'context' ? { contextDigest } : needs(input), work);
}

/**
 * Time for a child to stop its own calls and children, and to store its result. Only a child without a worker takes
 * longer; its parent then continues without it.
 */
const childGraceMs = 120_000;

function runChild<T>(stopper: Stopper, request: ChildRequest, take: Take<ChildOutcome, T>): Promise<T> {
  return stopper.runAndRead(
    () => startChild(request),
    (end) => take(toChildOutcome(end)),
    childGraceMs,
  );
}

function startChild({ id, name, input }: ChildRequest): Promise<SessionResult> {
  return executeChild<(given: typeof input) => Promise<SessionResult>>(agentSessionType, {
    // only the name: a task has words of people and models, and is too long for the timeline's label
    workflowId: id,
    args: [input],
    staticSummary: name,
    parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
    cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
  });
}

function toChildOutcome(end: Stoppable<SessionResult>): ChildOutcome {
  if (end.type === 'done') return { type: 'ended', result: end.value };
  if (end.type === 'left_behind') return { type: 'stopped' };
  const cause = end.error instanceof ChildWorkflowFailure ? end.error.cause : end.error;
  if (cause instanceof CancelledFailure) return { type: 'stopped' };
  return { type: 'failed', message: cause instanceof TerminatedFailure ? 'terminated' : messageOf(cause) };
}

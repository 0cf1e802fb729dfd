// Hooks under Temporal: pure ones are called in place, the others are activities. Runs in the workflow.
import { isCancellation, log, scheduleActivity } from '@temporalio/workflow';
import type { RunHookInput, RunHookResult } from '../core/model/activity-contracts.ts';
import { pureHook } from '../core/hooks/pure-hooks.ts';
import { callPureHook } from '../core/loop/call-pure-hook.ts';
import type { Json, JsonObject } from '../core/base/json.ts';
import type { HookInputs, HookOutputs, HookPoint, ListedHook } from '../core/model/hook.ts';
import { goesBy } from '../core/state/loop-rules.ts';
import type { HookOutcome } from '../core/loop/ports.ts';
import { viewPosition } from '../core/view/log.ts';
import { failureOf } from './activity-failure.ts';
import { runHookOptions } from './activity-options.ts';
import { runOnFitWorker } from './fit-worker.ts';
import type { Session } from './session.ts';

/** Throws what the hook threw. */
export async function callHook<Point extends HookPoint>(
  session: Session,
  hook: ListedHook,
  point: Point,
  input: HookInputs[Point],
): Promise<HookOutcome<Point>> {
  if (hook.runsIn === 'activity') return runHookActivity(session, hook, point, input);
  const definition = pureHook(hook.name);
  if (!definition) throw new Error('this version of the workflow does not have it');
  const output = callPureHook(session.store, hook, definition, point, input, (message, attributes) =>
    log.info(message, attributes),
  );
  return { type: 'answered', output };
}

async function runHookActivity<Point extends HookPoint>(
  session: Session,
  { name, key, params }: ListedHook,
  point: Point,
  input: HookInputs[Point],
): Promise<HookOutcome<Point>> {
  const { run, context } = session.state;
  const state = run?.hookState?.[key];
  const request: RunHookInput = {
    ...{ sessionId: session.id, runId: run?.runId ?? '', turn: run?.turn ?? 0 },
    ...{ contextDigest: context?.digest ?? '', view: viewPosition(session.state) },
    ...{ hook: name, params, point, input: toWireInput(input) },
    ...(state === undefined ? {} : { state }),
  };
  const work = () => scheduleActivity<RunHookResult>('runHook', [request], runHookOptions(name, point));
  // by older rules one that a stop reached was as if it had not been there
  const counts = goesBy(2, session.state);
  const isLate = point === 'afterToolCall' && session.stopReason !== undefined;
  if (isLate && !counts) return { type: 'answered', output: undefined };
  const { contextDigest } = request;
  const outcome = await (isLate
    ? session.stopper.runOut(work)
    : runOnFitWorker(session, { contextDigest }, work));
  const hasStop = outcome.type === 'left_behind' || session.stopReason !== undefined;
  if (hasStop && !counts) return { type: 'answered', output: undefined };
  if (outcome.type === 'left_behind') return { type: 'stopped' };
  if (outcome.type === 'failed') {
    if (hasStop || isCancellation(outcome.error)) return { type: 'stopped' };
    throw new Error(failureOf(outcome.error).message);
  }
  const { output, state: next } = outcome.value;
  if (next !== undefined) session.store.record({ type: 'hook_state', hook: key, state: next });
  return { type: 'answered', output: fromWire<Point>(output) };
}

/** The one place where a hook's answer gets its type: the activity has checked it. */
function fromWire<Point extends HookPoint>(output: object | undefined): HookOutputs[Point] | undefined {
  return output as HookOutputs[Point] | undefined;
}

/** The worker finds these in the session's own log: the view, the reply that ends it, and the results behind that. */
const readOnWorker: readonly string[] = ['context', 'assistantMessage', 'message', 'toolResults'];

/** Without the fields that the worker finds, because history keeps every byte. */
function toWireInput(input: HookInputs[HookPoint]): JsonObject {
  const kept = Object.entries(input).filter(
    ([field, value]) => !readOnWorker.includes(field) && value !== undefined,
  );
  return Object.fromEntries(
    kept.map(([field, value]) => [field, field === 'newMessages' ? toRange(value) : value]),
  );
}

/** Without the messages themselves: the view has them. */
function toRange(range: Json): Json {
  if (typeof range !== 'object' || range === null || Array.isArray(range)) return range;
  const { fromSeq = 0, toSeq = 0 } = range;
  return { fromSeq, toSeq };
}

// Hooks under Temporal: pure ones are called in place, the others are activities. Runs in the workflow.
import { log, scheduleActivity } from '@temporalio/workflow';
import type { RunHookInput, RunHookResult } from '../core/activity-contracts.ts';
import { pureHook } from '../core/hooks/built-in.ts';
import { callPureHook } from '../core/hooks/call-pure-hook.ts';
import { toWireInput } from '../core/hooks/hook-wire.ts';
import type { FrozenHook, HookInputs, HookOutputs, HookPoint } from '../core/hooks/hook.ts';
import { viewPosition } from '../core/transcript.ts';
import { runHookOptions } from './activity-options.ts';
import type { Session } from './session.ts';
import { failureOf } from './activity-failure.ts';

/** Throws what the hook threw. A stopped one changes nothing. */
export async function callHook<Point extends HookPoint>(
  session: Session,
  hook: FrozenHook,
  point: Point,
  input: HookInputs[Point],
): Promise<HookOutputs[Point] | undefined> {
  if (hook.runsIn === 'activity') return runHookActivity(session, hook, point, input);
  const definition = pureHook(hook.name);
  if (!definition) throw new Error('this version of the workflow does not have it');
  return callPureHook(session.store, hook, definition, point, input, (message, attributes) =>
    log.info(message, attributes),
  );
}

async function runHookActivity<Point extends HookPoint>(
  session: Session,
  { name, params }: FrozenHook,
  point: Point,
  input: HookInputs[Point],
): Promise<HookOutputs[Point] | undefined> {
  const { run, context } = session.state;
  const state = run?.hookState?.[name];
  const request: RunHookInput = {
    ...{ sessionId: session.id, runId: run?.runId ?? '', turn: run?.turn ?? 0 },
    ...{ contextDigest: context?.digest ?? '', view: viewPosition(session.state) },
    ...{ hook: name, params, point, input: toWireInput(input) },
    ...(state === undefined ? {} : { state }),
  };
  const outcome = await session.stopper.run(() =>
    scheduleActivity<RunHookResult>('runHook', [request], runHookOptions(name, point)),
  );
  if (outcome.type === 'left_behind' || session.stopReason) return undefined;
  if (outcome.type === 'failed') throw new Error(failureOf(outcome.error).message);
  const { output, state: next } = outcome.value;
  if (next !== undefined) session.store.record({ type: 'hook_state', hook: name, state: next });
  return fromWire<Point>(output);
}

/** The one place where a hook's answer gets its type: the activity has checked it. */
function fromWire<Point extends HookPoint>(output: object | undefined): HookOutputs[Point] | undefined {
  return output as HookOutputs[Point] | undefined;
}

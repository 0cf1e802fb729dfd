// One call of a hook: in place where it is pure, else by an activity. Throws what the hook threw.
import { pureHook } from '../hooks/built-in.ts';
import { toWireInput } from '../hooks/hook-wire.ts';
import type { HookInputs, HookOutputs, HookPoint, ListedHook, PureHookFunctions } from '../model/hook.ts';
import type { Session } from '../session/session.ts';
import { viewPosition } from '../view/log.ts';
import type { Effects, Stopped } from './effects.ts';

/** Stopped: the hook has not answered, and will not. */
export type HookAnswer<Point extends HookPoint> =
  | { type: 'answered'; output: HookOutputs[Point] | undefined }
  | Stopped;

export async function callHook<Point extends HookPoint>(
  session: Session,
  effects: Effects,
  hook: ListedHook,
  point: Point,
  input: HookInputs[Point],
): Promise<HookAnswer<Point>> {
  if (hook.runsIn === 'activity') return runHook(session, effects, hook, point, input);
  const functions = effects.pureHooks?.get(hook.name) ?? pureHook(hook.name);
  if (!functions) throw new Error('this version of the workflow does not have it');
  return { type: 'answered', output: callPureHook(session, effects, hook, functions, point, input) };
}

function callPureHook<Point extends HookPoint>(
  session: Session,
  effects: Effects,
  { key, params }: ListedHook,
  functions: PureHookFunctions,
  point: Point,
  input: HookInputs[Point],
): HookOutputs[Point] | undefined {
  return functions[point]?.(input, {
    params,
    state: session.state.run?.hookState?.[key],
    setState: (state) => session.record({ type: 'hook_state', hook: key, state }),
    log: (message, attributes) => effects.log(message, attributes),
  });
}

async function runHook<Point extends HookPoint>(
  session: Session,
  effects: Effects,
  { name: hook, key, params }: ListedHook,
  point: Point,
  input: HookInputs[Point],
): Promise<HookAnswer<Point>> {
  const { run, context } = session.state;
  const state = run?.hookState?.[key];
  // called after a stop, too: what it takes out of a result must not reach the log
  const late = point === 'afterToolCall' && session.stop !== undefined;
  const outcome = await effects.runHook(
    {
      ...{ sessionId: session.id, runId: run?.runId ?? '', turn: run?.turn ?? 0 },
      ...{ contextDigest: context?.digest ?? '', view: viewPosition(session.state) },
      ...{ hook, params, point, input: toWireInput(input) },
      ...(state === undefined ? {} : { state }),
    },
    late,
  );
  if (outcome.type === 'stopped') return outcome;
  if (outcome.type === 'failed') {
    if (session.stop !== undefined) return { type: 'stopped' };
    throw new Error(outcome.message);
  }
  const { output, state: next } = outcome.result;
  if (next !== undefined) session.record({ type: 'hook_state', hook: key, state: next });
  return { type: 'answered', output: fromWire<Point>(output) };
}

/** The one place where a hook's answer gets its type: the activity has checked it. */
function fromWire<Point extends HookPoint>(output: object | undefined): HookOutputs[Point] | undefined {
  return output as HookOutputs[Point] | undefined;
}

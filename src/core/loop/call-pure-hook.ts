// Calls a hook that runs in the workflow: its input, its params and what it remembers in; its answer out. Pure but
// for what the hook records.
import type { AgentStore } from '../session/agent-store.ts';
import type { JsonObject } from '../base/json.ts';
import type { HookInputs, HookOutputs, HookPoint, ListedHook, PureHookFunctions } from '../model/hook.ts';

export type HookLog = (message: string, attributes: JsonObject) => void;

export function callPureHook<Point extends HookPoint>(
  store: AgentStore,
  { key, params }: ListedHook,
  functions: PureHookFunctions,
  point: Point,
  input: HookInputs[Point],
  log: HookLog,
): HookOutputs[Point] | undefined {
  return functions[point]?.(input, {
    params,
    state: store.state.run?.hookState?.[key],
    setState: (state) => store.record({ type: 'hook_state', hook: key, state }),
    log,
  });
}

// A user's hook: named functions that run in an activity, so their code may do anything. Runs in Node.
import { z } from 'zod';
import { hookPoints, pointsOf } from '../../core/hooks/pure-hooks.ts';
import type { HookInputs, HookOutputs, HookPoint } from '../../core/model/hook.ts';
import type { Json } from '../../core/base/json.ts';

/** Passed beside the input. An attempt whose worker is lost is repeated, so an effect outside must tolerate that. */
export type HookCall<Params> = {
  params: Params;
  sessionId: string;
  runId: string;
  turn: number;
  /** Aborted when the run is stopped. */
  signal: AbortSignal;
  /** The state from `setState` of an earlier call in this run. */
  state: Json | undefined;
  /** Keeps the state for the next call in this run; plain JSON. */
  setState(state: Json): void;
};

export type HookFunction<Point extends HookPoint, Params> = (
  input: HookInputs[Point],
  call: HookCall<Params>,
) => HookOutputs[Point] | undefined | Promise<HookOutputs[Point] | undefined>;
export type HookFunctions<Params> = { [Point in HookPoint]?: HookFunction<Point, Params> };

export type HookDefinition<Params> = HookFunctions<Params> & {
  name: string;
  /** Checks the params from the agent; absent if the hook takes none. */
  params?: z.ZodType<Params>;
};

/** A hook as a worker keeps it. Its params are checked wherever they come from. */
export type RegisteredHook = {
  name: string;
  points: HookPoint[];
  /** Throws a ZodError. */
  checkParams(params: unknown): void;
  call<Point extends HookPoint>(
    point: Point,
    input: HookInputs[Point],
    call: HookCall<unknown>,
  ): Promise<HookOutputs[Point] | undefined>;
};

const noParams = z.strictObject({});

/** The points are those of core/model/hook.ts; a hook serves the points for which it has a function. */
export function defineHook<Params = Record<string, never>>(
  definition: HookDefinition<Params>,
): RegisteredHook {
  const { name, params: schema, ...rest } = definition;
  const functions: HookFunctions<Params> = rest;
  if (pointsOf(functions).length === 0) {
    throw new Error(
      `defineHook: the hook "${name}" has no function: expected one of ${hookPoints.join(', ')}.`,
    );
  }
  const parse = (params: unknown): Params =>
    (schema ?? (noParams as z.ZodType<unknown> as z.ZodType<Params>)).parse(params);
  return {
    name,
    points: pointsOf(functions),
    checkParams: (params) => void parse(params),
    async call(point, input, call) {
      return functions[point]?.(input, { ...call, params: parse(call.params) });
    },
  };
}

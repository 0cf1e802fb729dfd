// A user's hook: named functions that run in an activity, so their code may do anything. Runs in Node.
import { z } from 'zod';
import { hookPoints, pointsOf } from '../../core/hooks/pure-hooks.ts';
import type { HookInputs, HookOutputs, HookPoint, WorkerPoint } from '@holdfast/vocabulary/hook';
import type { AssistantMessage } from '@holdfast/vocabulary/messages';
import type { ModelRequest } from '@holdfast/vocabulary/model-call';
import type { NoteStore } from '../storage/note-store.ts';
import type { Json, JsonObject } from '@holdfast/base/json';
import { present } from '@holdfast/base/present';

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
  /** Data that all hooks of the run share. */
  data: Readonly<JsonObject>;
  /** Adds to the shared data, for every later call in this run; at most 16 KiB of JSON together. */
  share(more: JsonObject): void;
  /**
   * The text of a model's answer, without tools. The model is that of `model.purposes.hook`, else the agent's; its cost
   * is under `hook` in the usage of the run. Rejects if no model answers, or the run's budget is used up.
   */
  complete(question: HookQuestion): Promise<string>;
  /** Texts of the session outside history, redacted; a name that is there is replaced. */
  artifacts: {
    /** The artifact's id. Rejects off the record. */
    write(name: string, text: string): Promise<string>;
    /** Undefined if the session has no such artifact. */
    read(id: string): Promise<string | undefined>;
  };
  /** The notes of the session's agents, redacted; absent without `notes` in the config. Off the record none is written. */
  notes?: NoteStore;
};

/** `maxTokens`: limit of the answer, by default 1,000. */
export type HookQuestion = { system?: string; prompt: string; maxTokens?: number };

/**
 * Runs around every request of the run to a model, also around those beside the loop (`request.metadata.purpose`), inside
 * their activity. `next` sends the request: changed, again, or not at all. The reply, or a text in its place, is the
 * answer. The model cannot be changed; a view whose pairs are broken is repaired.
 */
export type AroundModelCall<Params> = (
  request: ModelRequest,
  next: (request: ModelRequest) => Promise<AssistantMessage>,
  call: Omit<HookCall<Params>, 'state' | 'setState'>,
) => AssistantMessage | string | Promise<AssistantMessage | string>;

export type HookFunction<Point extends HookPoint, Params> = (
  input: HookInputs[Point],
  call: HookCall<Params>,
) => HookOutputs[Point] | undefined | Promise<HookOutputs[Point] | undefined>;
export type HookFunctions<Params> = { [Point in HookPoint]?: HookFunction<Point, Params> };

export type HookDefinition<Params> = HookFunctions<Params> & {
  name: string;
  /** Checks the params from the agent; absent if the hook takes none. */
  params?: z.ZodType<Params>;
  aroundModelCall?: AroundModelCall<Params>;
};

/** A hook as a worker keeps it. Its params are checked wherever they come from. */
export type RegisteredHook = {
  name: string;
  points: (HookPoint | WorkerPoint)[];
  /** Throws a ZodError. */
  checkParams(params: unknown): void;
  call<Point extends HookPoint>(
    point: Point,
    input: HookInputs[Point],
    call: HookCall<unknown>,
  ): Promise<HookOutputs[Point] | undefined>;
  /** Absent if the hook has no function for it. */
  around?: AroundModelCall<unknown>;
};

const noParams = z.strictObject({});

/** The points are those of packages/vocabulary/src/hook.ts; a hook serves the points for which it has a function. */
export function defineHook<Params = Record<string, never>>(
  definition: HookDefinition<Params>,
): RegisteredHook {
  const { name, params: schema, aroundModelCall, ...rest } = definition;
  const functions: HookFunctions<Params> = rest;
  const points: RegisteredHook['points'] = present([
    ...pointsOf(functions),
    aroundModelCall && 'aroundModelCall',
  ]);
  const unknown = Object.keys(functions).find((key) => !hookPoints.some((point) => point === key));
  if (points.length === 0 || unknown !== undefined) {
    throw new Error(
      `defineHook: the hook "${name}" has ${unknown === undefined ? 'no function' : `"${unknown}"`}: expected one of ${hookPoints.join(', ')}, aroundModelCall.`,
    );
  }
  const parse = (params: unknown): Params =>
    schema ? schema.parse(params) : (noParams.parse(params) as Params);
  return {
    name,
    points,
    checkParams: (params) => void parse(params),
    async call(point, input, call) {
      return functions[point]?.(input, { ...call, params: parse(call.params) });
    },
    ...(aroundModelCall && {
      around: (request, next, call) =>
        aroundModelCall(request, next, { ...call, params: parse(call.params) }),
    }),
  };
}

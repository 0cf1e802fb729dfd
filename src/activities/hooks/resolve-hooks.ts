// Resolves the hooks that an agent names when a run is frozen: found, params checked, in the order of their calls. Some
// names only set options. Runs in Node; an unknown name or a bad parameter refuses the start (HOOK-01).
import { z } from 'zod';
import type { AgentOptionValues } from '@holdfast/vocabulary/agent-spec';
import { mergeOptions } from '@holdfast/vocabulary/merge-options';
import { condenseSchema, viewReducerSchema } from '../../core/agent/agent-spec.schema.ts';
import { viewReducers } from '@holdfast/view/reducers/table';
import { pointsOf, pureHooks } from '../../core/hooks/pure-hooks.ts';
import type { StartProblem } from '../../core/agent/start.ts';
import type { FrozenHook, HookRef } from '@holdfast/vocabulary/hook';
import { defined } from '@holdfast/base/defined';
import type { JsonObject } from '@holdfast/base/json';
import { describeIssues } from '@holdfast/base/schema-issues';
import type { RegisteredHook } from './hook-definition.ts';

type Options = Omit<AgentOptionValues, 'hooks'>;
type OptionHook = (params: JsonObject) => Options;

/** The message has the hook, the mistake and the known names. `isUnknown`: another worker may have the hook. */
class HookError extends Error {
  override readonly name = 'HookError';
  readonly isUnknown: boolean;

  constructor(message: string, { isUnknown = false } = {}) {
    super(message);
    this.isUnknown = isUnknown;
  }
}

const count = z.int().min(0);
const loopDetect = z.strictObject({
  warn: count.exactOptional(),
  stop: count.exactOptional(),
  window: z.int().min(1).exactOptional(),
});
const timeout = z.strictObject({ ms: z.int().min(1) });

/** Built-in hooks of the loop: naming one sets its options. */
const optionHooks: ReadonlyMap<string, OptionHook> = new Map(
  Object.entries<OptionHook>({
    condense: (params) => ({ condense: condenseSchema.parse(params) }),
    sliding_window: (params) => ({
      condense: { ...condenseSchema.parse(params), strategy: 'sliding_window' },
    }),
    ...Object.fromEntries(
      Object.keys(viewReducers).map((name): [string, OptionHook] => [
        name,
        (params) => ({ condense: { reducers: [viewReducerSchema.parse({ name, params })] } }),
      ]),
    ),
    loop_detect: (params) => ({ loop: loopDetect.parse(params) }),
    timeout: (params) => ({ loop: { deadlineMs: timeout.parse(params).ms } }),
    recovery: (params) => (z.strictObject({}).parse(params), { loop: { onError: 'fail' } }),
  }),
);

/** `own` are the worker's hooks by name. */
export function resolveHooks(
  named: readonly HookRef[],
  own: ReadonlyMap<string, RegisteredHook>,
): { hooks: FrozenHook[]; options: Options } {
  const hooks: FrozenHook[] = [];
  let options: Options = {};
  for (const { name, params = {} } of named) {
    // a worker's own hook wins over a built-in of its name, here and in freeze
    const optionHook = own.has(name) ? undefined : optionHooks.get(name);
    if (optionHook) {
      const more = check(name, () => optionHook(params));
      options = merge(options, more);
    } else hooks.push(freeze({ name, params }, own));
  }
  return { hooks, options };
}

/** The problem with the hooks that an agent names; undefined if a run can have them. */
export function problemOfHooks(
  named: readonly HookRef[],
  own: ReadonlyMap<string, RegisteredHook>,
): StartProblem | undefined {
  try {
    resolveHooks(named, own);
    return undefined;
  } catch (error) {
    if (!(error instanceof HookError)) throw error;
    return defined({
      message: `${error.message}.`,
      final: error.isUnknown ? undefined : 'Input.UnknownHook',
    });
  }
}

/** Options that are lists or groups add up over several hooks. */
function merge(options: Options, more: Options): Options {
  const merged = mergeOptions(options, more);
  const reducers = [...(options.condense?.reducers ?? []), ...(more.condense?.reducers ?? [])];
  return reducers.length === 0 ? merged : mergeOptions(merged, { condense: { reducers } });
}

function freeze({ name, params = {} }: HookRef, own: ReadonlyMap<string, RegisteredHook>): FrozenHook {
  const registered = own.get(name);
  if (registered) {
    check(name, () => registered.checkParams(params));
    return { name, params, points: registered.points, runsIn: 'activity' };
  }
  const pure = Object.hasOwn(pureHooks, name) ? pureHooks[name] : undefined;
  if (!pure) {
    const names = [...new Set([...optionHooks.keys(), ...Object.keys(pureHooks), ...own.keys()])].sort();
    const message = `There is no hook "${name}": expected one of ${names.join(', ')}`;
    throw new HookError(message, { isUnknown: true });
  }
  const problem = pure.problem(params);
  if (problem !== undefined) throw badParams(name, problem);
  return { name, params, points: pointsOf(pure), runsIn: 'workflow' };
}

function check<Result>(name: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const reason = error instanceof z.ZodError ? describeIssues(error, 'params').join('; ') : String(error);
    throw badParams(name, reason);
  }
}

function badParams(name: string, reason: string): HookError {
  return new HookError(`The parameters of hook "${name}" are wrong: ${reason}`);
}

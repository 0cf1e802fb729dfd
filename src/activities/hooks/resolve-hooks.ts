// The hooks that an agent names, as a run is frozen to them: found, params checked, in the order of their call.
// Some names only set options. Runs in Node; an unknown name or a bad parameter refuses the start (HOOK-01).
import { z } from 'zod';
import type { AgentSpec } from '../../core/model/agent-spec.ts';
import { condenseSchema, viewReducerSchema } from '../../core/agent/agent-spec.schema.ts';
import { viewReducers } from '../../core/view/reducers/table.ts';
import { pointsOf, pureHooks } from '../../core/hooks/pure-hooks.ts';
import type { StartProblem } from '../../core/agent/start.ts';
import type { FrozenHook, HookLists, HookRef } from '../../core/model/hook.ts';
import type { JsonObject } from '../../core/base/json.ts';
import { describeIssues } from '../../core/base/schema-issues.ts';
import type { RegisteredHook } from './hook-definition.ts';

type List = keyof HookLists;
type Options = Partial<Omit<AgentSpec, List>>;
type OptionHook = (params: JsonObject) => Options;

export type ResolvedHooks = { hooks: FrozenHook[]; options: Options };

/** The message has the hook, the mistake and the known names. `isUnknown`: another worker may have it. */
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

/** Hooks that the loop has built in: naming one sets its options. */
const optionHooks: Record<List, Record<string, OptionHook>> = {
  hooks: {},
  turnHooks: {
    condense: (params) => ({ condense: condenseSchema.parse(params) }),
    sliding_window: (params) => ({
      condense: { ...condenseSchema.parse(params), strategy: 'sliding_window' },
    }),
    ...Object.fromEntries(
      Object.keys(viewReducers).map((name): [string, OptionHook] => [
        name,
        (params) => ({ viewReducers: [viewReducerSchema.parse({ name, params })] }),
      ]),
    ),
    loop_detect(params) {
      const { warn, stop, window } = loopDetect.parse(params);
      return {
        ...(warn !== undefined && { loopWarn: warn }),
        ...(stop !== undefined && { loopStop: stop }),
        ...(window !== undefined && { loopWindow: window }),
      };
    },
  },
  middleware: {
    timeout: (params) => ({ deadlineMs: timeout.parse(params).ms }),
    recovery: (params) => (z.strictObject({}).parse(params), { onError: 'fail' }),
  },
};

const lists: readonly List[] = ['middleware', 'hooks', 'turnHooks'];

/** `own` are the worker's hooks by name; any list may name them. */
export function resolveHooks(named: HookLists, own: ReadonlyMap<string, RegisteredHook>): ResolvedHooks {
  const hooks: FrozenHook[] = [];
  let options: Options = {};
  for (const list of lists) {
    for (const { name, params = {} } of named[list] ?? []) {
      const optionHook = optionHooks[list][name];
      if (optionHook)
        options = merge(
          options,
          check(name, () => optionHook(params)),
        );
      else hooks.push(freeze(list, { name, params }, own));
    }
  }
  return { hooks, options };
}

/** What is wrong with the hooks that an agent names; undefined where a run can have them. */
export function problemOfHooks(
  named: HookLists,
  own: ReadonlyMap<string, RegisteredHook>,
): StartProblem | undefined {
  try {
    resolveHooks(named, own);
    return undefined;
  } catch (error) {
    if (!(error instanceof HookError)) throw error;
    return { message: `${error.message}.`, ...(error.isUnknown ? {} : { final: 'Input.UnknownHook' }) };
  }
}

/** Those whose options are lists or groups add to what another hook has set. */
function merge(options: Options, more: Options): Options {
  const viewReducers = [...(options.viewReducers ?? []), ...(more.viewReducers ?? [])];
  const condense = { ...options.condense, ...more.condense };
  return {
    ...options,
    ...more,
    ...(viewReducers.length === 0 ? {} : { viewReducers }),
    ...(Object.keys(condense).length === 0 ? {} : { condense }),
  };
}

function freeze(
  list: List,
  { name, params = {} }: HookRef,
  own: ReadonlyMap<string, RegisteredHook>,
): FrozenHook {
  const registered = own.get(name);
  if (registered) {
    check(name, () => registered.checkParams(params));
    return { name, params, points: registered.points, runsIn: 'activity' };
  }
  const pure = pureHooks[list][name];
  if (!pure) {
    const message = `There is no ${nouns[list]} "${name}": ${expectedNames(list, own)}`;
    throw new HookError(message, { isUnknown: true });
  }
  const problem = pure.problem(params);
  if (problem !== undefined) throw badParams(name, problem);
  return { name, params, points: pointsOf(pure), runsIn: 'workflow' };
}

const nouns: Record<List, string> = { hooks: 'hook', turnHooks: 'turn hook', middleware: 'middleware' };

function expectedNames(list: List, own: ReadonlyMap<string, RegisteredHook>): string {
  const names = [...Object.keys(optionHooks[list]), ...Object.keys(pureHooks[list]), ...own.keys()];
  if (names.length === 0) return 'no hook is registered: add one to `hooks` in holdfast.config.ts';
  return `expected one of ${names.sort().join(', ')}`;
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

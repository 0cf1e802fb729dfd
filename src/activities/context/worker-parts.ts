// Whether a worker has every part that a run was frozen with. Pure: one rule for every activity that reads the frozen
// context, so that no worker changes a run by what it lacks.
import { isOnHostsOnly } from '../../core/tools/hosts.ts';
import type { FrozenContext } from '../../core/model/frozen-context.ts';
import { viewReducers } from '../../core/view/reducers/table.ts';

export type WorkerParts = {
  /** Shown to people. */
  identity: string;
  tools: ReadonlySet<string>;
  toolGroups: ReadonlySet<string>;
  hooks: ReadonlySet<string>;
  /** Those that can be asked: a provider without its key is not among them. */
  providers: ReadonlySet<string>;
  /** What to do about a provider that is missing, by its name. */
  providerAdvice?: ReadonlyMap<string, string>;
  /** Own functions around a request, e.g. transformContext or rewriteRequest. */
  functions: ReadonlySet<string>;
};

/** The first part that is missing, as the rest of a sentence; undefined where the worker has them all. */
export function missingPart(context: FrozenContext, parts: WorkerParts): string | undefined {
  const { model, fallbacks = [], purposes = {}, tools, settings, hooks = [], functions } = context;
  const models = [{ model }, ...fallbacks, ...Object.values(purposes)];
  const wanted: [kind: string, names: string[], present: ReadonlySet<string>][] = [
    ['model provider', models.map((each) => each.model.provider), parts.providers],
    ['tool', tools.filter((spec) => !isOnHostsOnly(context, spec)).map(({ name }) => name), parts.tools],
    ['tool group', settings.toolGroups ?? [], parts.toolGroups],
    ['hook', hooks.filter(({ runsIn }) => runsIn === 'activity').map(({ name }) => name), parts.hooks],
    ['function', functions, parts.functions],
    [
      'view reducer',
      (settings.viewReducers ?? []).map(({ name }) => name),
      new Set(Object.keys(viewReducers)),
    ],
  ];
  for (const [kind, names, present] of wanted) {
    const name = names.find((candidate) => !present.has(candidate));
    if (name === undefined) continue;
    const advice = kind === 'model provider' ? parts.providerAdvice?.get(name) : undefined;
    return `has no ${kind} "${name}"${advice === undefined ? '.' : `: ${advice}`}`;
  }
  return undefined;
}

/** Whether a worker's own function of this name is one that the run began with. */
export function isFrozen({ functions }: Pick<FrozenContext, 'functions'>, name: string): boolean {
  return functions.includes(name);
}

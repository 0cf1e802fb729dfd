// Checks that a worker has every part that a run was frozen with. Pure: every activity that reads the frozen context uses
// this rule, so that no worker changes a run by lacking a part.
import { isOnHostsOnly } from '../../core/tools/hosts.ts';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import { viewReducers } from '@holdfast/view/reducers/table';

export type WorkerParts = {
  identity: string;
  tools: ReadonlySet<string>;
  toolGroups: ReadonlySet<string>;
  hooks: ReadonlySet<string>;
  /** Usable ones only: a provider without its key is not included. */
  providers: ReadonlySet<string>;
  /** The remedy for a missing provider, by its name. */
  providerAdvice?: ReadonlyMap<string, string>;
  /** The user's functions around a request, e.g. transformContext or rewriteRequest. */
  functions: ReadonlySet<string>;
};

/** The first missing part, as the rest of a sentence; undefined if the worker has them all. */
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
      (settings.condense.reducers ?? []).map(({ name }) => name),
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

/** True if the run began with a worker's function of this name. */
export function isFrozen({ functions }: Pick<FrozenContext, 'functions'>, name: string): boolean {
  return functions.includes(name);
}

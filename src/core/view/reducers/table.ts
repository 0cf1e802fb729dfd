// The view reducers by the names that a config gives, and what a config may say of them. Pure.
import type { ViewReducerName, ViewReducerSpec } from '../../model/agent-spec.ts';
import { observationMask } from './observation-mask.ts';
import { staleToolResults } from './stale-tool-results.ts';
import { trimToolResults } from './trim-tool-results.ts';
import type { ViewReducer } from './view-reducer.ts';

export const viewReducers = {
  trim_tool_results: bind(trimToolResults),
  observation_mask: bind(observationMask),
  stale_tool_results: bind(staleToolResults),
} as const satisfies Record<ViewReducerName, BoundReducer>;

type BoundReducer = {
  /** Why the parameters are not valid; undefined where they are. */
  problemOf(params: ViewReducerSpec['params']): string | undefined;
  reach: ViewReducer<object>['reach'];
  apply: ViewReducer<object>['apply'];
};

/** The one place where parameters get their type: `problemOf` was asked when the config was read. */
function bind<Params extends { [name: string]: number }>(reducer: ViewReducer<Params>): BoundReducer {
  const { defaults } = reducer;
  const complete = (params: object): Params => ({ ...defaults, ...params });
  return {
    problemOf: (params = {}) => problemOf(params, Object.keys(defaults)),
    reach: (state, params, inputTokens) => reducer.reach(state, complete(params), inputTokens),
    apply: (result, params, call) => reducer.apply(result, complete(params), call),
  };
}

function problemOf(params: object, known: string[]): string | undefined {
  for (const [name, value] of Object.entries(params)) {
    if (!known.includes(name)) return `has no parameter "${name}": expected ${known.join(', ')}`;
    if (typeof value !== 'number' || !(value > 0)) return `${name}: expected a number above 0`;
  }
  return undefined;
}

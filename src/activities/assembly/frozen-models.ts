// The models of a run, fixed when it begins: with their windows and prices, and the task queue of their calls. Runs in
// Node.
import { defined } from '@holdfast/base/defined';
import { mapValues } from '@holdfast/base/map-values';
import { unlessEmpty } from '@holdfast/base/unless-empty';
import { ApplicationFailure } from '@temporalio/common';
import type { Budget, ModelOptions } from '@holdfast/vocabulary/agent-spec';
import { isUnpriced } from '@holdfast/vocabulary/frozen-context';
import type { ContextWarning, FrozenContext, FrozenModel } from '@holdfast/vocabulary/frozen-context';
import type { ModelRef } from '@holdfast/vocabulary/messages';
import { expectedModelName, parseModelName, toModelName } from '@holdfast/vocabulary/model-name';
import { lookUpModel, type ModelOverrides } from '../model/cost.ts';
import type { PolicyTiers } from '../policy/policy-tiers.ts';

export type ModelDeps = {
  models: ModelOverrides;
  /** Task queue of a provider's calls, by the provider's name. */
  modelQueues?: Record<string, string>;
  /** The tiers of the policy beside its rules. */
  policyTiers?: PolicyTiers | undefined;
};

/** All models but the main one: the fallbacks, and the models of a purpose. */
export function otherModels(
  { models, policyTiers }: ModelDeps,
  { fallbacks: names = [], purposes: named = {} }: ModelOptions,
): Pick<FrozenContext, 'fallbacks' | 'purposes'> {
  const freeze = (name: string): FrozenModel => {
    const model = toModelRef(name);
    return { model, ...lookUpModel(model, models) };
  };
  const fallbacks = names.map(freeze);
  const purposes = {
    ...mapValues(named, freeze),
    ...defined({ policy: policyTiers?.model === undefined ? undefined : freeze(policyTiers.model) }),
  };
  return defined({ fallbacks: unlessEmpty(fallbacks), purposes: unlessEmpty(purposes) });
}

/** Warns of a budget in money that does not hold: a model without a known price counts tokens only. */
export function priceWarnings(
  { costUsd, tokens }: Budget,
  {
    model,
    prices,
    fallbacks = [],
    purposes = {},
  }: Pick<FrozenContext, 'model' | 'prices' | 'fallbacks' | 'purposes'>,
): ContextWarning[] {
  const main = defined({ model, prices });
  const unpriced = [main, ...fallbacks, ...Object.values(purposes)].filter(isUnpriced);
  if (costUsd === undefined || unpriced.length === 0) return [];
  const names = [...new Set(unpriced.map((each) => toModelName(each.model)))].join(', ');
  const instead =
    tokens === undefined
      ? 'and no budget of tokens is set: set budget.tokens of the agent'
      : `its use is counted in tokens: the limit is ${tokens.toLocaleString('en-US')} tokens`;
  const message =
    `No price is known of ${names}. The budget of ${costUsd} USD does not see what it costs, ${instead}. ` +
    'To have it counted, give its prices under "models" in the config file.';
  return [{ code: 'Budget.NoPrice', message }];
}

/** Throws a final failure for an invalid name. */
export function toModelRef(name: string): ModelRef {
  const model = parseModelName(name);
  if (model !== undefined) return model;
  const message = `The model is "${name}": expected ${expectedModelName}.`;
  throw ApplicationFailure.create({ type: 'Input.Invalid', message, nonRetryable: true });
}

// Which models a call may ask, in order, and with which of them it begins. Pure.
import type { FrozenContext, FrozenModel } from '../../core/model/frozen-context.ts';
import { defaultFallbackOn } from '../../core/model/agent-spec.ts';
import type { ModelFailureType } from '../../core/base/failures.ts';
import { isWholeReply } from '../../core/model/messages.ts';
import type { Message, ModelRef } from '../../core/model/messages.ts';
import type { ModelPurpose } from '../../core/model/model-call.ts';

export type ModelChoice = {
  /** At least one; the first is the agent's own. */
  models: [FrozenModel, ...FrozenModel[]];
  /** Index of the model that is asked first. */
  first: number;
  movesOn(type: ModelFailureType): boolean;
};

/** A fallback stays for the rest of its run: asking the broken model first, turn after turn, would wait its window each time. */
export function chooseModels(context: FrozenContext, view: readonly Message[]): ModelChoice {
  const models = modelsFor(context, 'main');
  const answeredBy = lastModelOfRun(view);
  const found = models.findIndex(({ model }) => isSame(model, answeredBy));
  const fallbackOn = context.settings.fallbackOn ?? defaultFallbackOn;
  return { models, first: Math.max(0, found), movesOn: (type) => fallbackOn.includes(type) };
}

/** The models for one purpose; those for side work are followed by the main ones. */
export function modelsFor(context: FrozenContext, purpose: ModelPurpose): [FrozenModel, ...FrozenModel[]] {
  const { model, prices, settings, fallbacks = [], purposes = {} } = context;
  const main = { model, contextWindow: settings.contextWindow, ...(prices && { prices }) };
  const own = purpose === 'condense' || purpose === 'extract' ? purposes[purpose] : undefined;
  return own === undefined ? [main, ...fallbacks] : [own, main, ...fallbacks];
}

/** A new prompt begins with the agent's own model again. */
function lastModelOfRun(view: readonly Message[]): ModelRef | undefined {
  const last = view.findLast(
    (message) => (message.role === 'user' && message.origin === 'prompt') || isWholeReply(message),
  );
  return last?.role === 'assistant' ? last.model : undefined;
}

function isSame(left: ModelRef, right: ModelRef | undefined): boolean {
  return left.provider === right?.provider && left.id === right.id;
}

// Narrows the settings of a child to the limits of its parent. Pure.
import { defined } from '@holdfast/base/defined';
import type { AgentSettings, Budget } from '@holdfast/vocabulary/agent-spec';
import type { ParentLink } from '@holdfast/vocabulary/session-input';
import { milderMode } from '../../tools/modes.ts';

/** Takes the milder mode, the smaller budget and the earlier deadline. */
export function withinParent(settings: AgentSettings, { within }: ParentLink): AgentSettings {
  const deadlineMs = lower(settings.loop.deadlineMs, within.deadlineMs);
  return {
    ...settings,
    mode: milderMode(settings.mode, within.mode),
    budget: lowerBudget(settings.budget, within.budget),
    loop: { ...settings.loop, ...defined({ deadlineMs }) },
  };
}

const fields = ['turns', 'wallMs', 'tokens', 'costUsd', 'toolCalls'] as const;

function lowerBudget(left: Budget, right: Budget): Budget {
  const limits = fields.flatMap((field) => {
    const limit = lower(left[field], right[field]);
    return limit === undefined ? [] : [[field, limit]];
  });
  return Object.fromEntries(limits);
}

/** An absent value has no limit. */
function lower(left: number | undefined, right: number | undefined): number | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return Math.min(left, right);
}

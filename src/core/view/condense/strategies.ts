// The strategies by the names that a spec gives. Pure.
import type { CondenseStrategyName } from '../../model/agent-spec.ts';
import { slidingWindow } from './sliding-window.ts';
import type { CondenseStrategy } from './strategy.ts';
import { summaryOnly } from './summary-only.ts';
import { systemSummary } from './system-summary.ts';
import { tokenTail } from './token-tail.ts';
import { userSummary } from './user-summary.ts';

export const strategies: Record<CondenseStrategyName, CondenseStrategy> = {
  user_summary: userSummary,
  system_summary: systemSummary,
  summary_only: summaryOnly,
  token_tail: tokenTail,
  sliding_window: slidingWindow,
};

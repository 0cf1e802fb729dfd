// summary_only: nothing stays but the summary (COND-18). What a person has said since the last reply is not old work
// and is not folded. Pure.
import { viewEntries } from '../view-entries.ts';
import { planAt } from './cut.ts';
import { contextMessage } from './head.ts';
import type { CondenseStrategy } from './strategy.ts';
import { usageIsDue } from './triggers.ts';

export const summaryOnly: CondenseStrategy = {
  isDue: usageIsDue,
  plan(state) {
    if (state.run && state.run.turn < 2) return undefined;
    const entries = viewEntries(state);
    const unanswered = entries.findLastIndex(({ role }) => role !== 'user') + 1;
    return unanswered === 0 ? undefined : planAt(state, entries, unanswered);
  },
  head: (view) => ({ messages: [contextMessage(view)] }),
};

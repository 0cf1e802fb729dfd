// user_summary: the newest messages stay, everything before them becomes one user message (COND-11). Pure.
import { viewEntries } from '../view-entries.ts';
import { growToCall, planAt } from './cut.ts';
import { contextMessage } from './head.ts';
import type { CondenseStrategy } from './strategy.ts';
import { usageIsDue } from './triggers.ts';

export const userSummary: CondenseStrategy = {
  isDue: usageIsDue,
  plan(state) {
    const keep = state.context?.settings.condense.keepLastN ?? 0;
    const entries = viewEntries(state);
    // with the system text; less than two to fold is not worth a summary (COND-13)
    if (entries.length + 1 < 2 + keep) return undefined;
    return planAt(state, entries, growToCall(entries, entries.length - keep));
  },
  head: (view) => ({ messages: [contextMessage(view)] }),
};

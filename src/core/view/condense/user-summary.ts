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
    // no plan where nothing is left to fold: with the system text, fewer than 2 + keep messages (COND-13)
    return planAt(state, entries, growToCall(entries, entries.length - keep));
  },
  head: (view) => ({ messages: [contextMessage(view)] }),
};

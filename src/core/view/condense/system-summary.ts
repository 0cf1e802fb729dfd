// system_summary: old and recent are parted 70 to 30 by the room for history; the summary stands behind the system
// prompt, and what is kept is small enough that the next message does not ask for a condense again (COND-17). Pure.
import type { AgentState } from '../../model/agent-state.ts';
import { viewEntries } from '../view-entries.ts';
import type { ViewEntry } from '../view-entries.ts';
import { entryTokens, growToCall, planAt } from './cut.ts';
import { keptMessages } from './head.ts';
import type { CondenseStrategy } from './strategy.ts';
import { historyBudget, usageIsDue } from './triggers.ts';

const recentShare = 0.3;

export const systemSummary: CondenseStrategy = {
  isDue: usageIsDue,
  plan(state) {
    const entries = viewEntries(state);
    return entries.length < 2 ? undefined : planAt(state, entries, cutOf(state, entries));
  },
  head: (view) => ({
    ...(view.summary === undefined ? {} : { system: `[Previous conversation summary: ${view.summary}]` }),
    messages: keptMessages(view),
  }),
};

/** The tail that fits; results whose call does not fit are dropped with it. The newest message always stays. */
function cutOf(state: AgentState, entries: readonly ViewEntry[]): number {
  const room = recentShare * historyBudget(state);
  let cut = entries.length;
  for (let kept = 0; cut > 0; cut--) {
    const entry = entries[cut - 1];
    kept += entry ? entryTokens(entry, state) : 0;
    if (kept > room) break;
  }
  while (entries[cut]?.role === 'tool_result') cut++;
  return cut < entries.length ? cut : growToCall(entries, entries.length - 1);
}

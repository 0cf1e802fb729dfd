// When the model's view is folded into a summary, and where it is cut. Pure; the log is never touched, only the
// view: {head with the summary, records from firstKeptSeq on}.
import type { AgentState } from './agent-state.ts';
import { estimateTokens, estimateViewTokens } from './estimate.ts';
import { inputTotal, userMessage } from './messages.ts';
import type { LogRecord, UserMessage } from './messages.ts';

/** Share of the context window at which a condense is due (COND-01). */
const triggerShare = 0.8;

export type CondenseReason = 'usage' | 'overflow';
/** What is folded and what stays: records of the view before `firstKeptSeq` go into the summary. */
export type CondensePlan = { fromSeq: number; toSeq: number; firstKeptSeq: number };

/**
 * Why the view should be condensed before the next request; undefined when it need not. A refusal by the provider
 * always asks for it; the provider's own count does at 80 % of the window. Our estimate alone never does once
 * there is a count (COND-03), and a count from before the last condense is void (COND-02).
 */
export function condenseReason(state: AgentState): CondenseReason | undefined {
  const { run, context } = state;
  if (!run || !context) return undefined;
  if (run.overflow === 'refused') return 'overflow';
  const { contextWindow, maxResponseTokens } = context.settings;
  if (contextWindow === 0 || run.condenseTriedAt === run.turn) return undefined;
  const last = lastCounted(state);
  if (!last) return estimateViewTokens(state) > contextWindow - maxResponseTokens ? 'usage' : undefined;
  const since = state.log.records.filter((record) => record.seq > last.seq);
  const tokens = inputTotal(last.usage) + last.usage.output + estimateTokens(since);
  return tokens >= triggerShare * contextWindow ? 'usage' : undefined;
}

function lastCounted(state: AgentState): Extract<LogRecord, { role: 'assistant' }> | undefined {
  const after = state.view.condensedAtSeq;
  return state.log.records.findLast(
    (record) => record.role === 'assistant' && record.seq > after && !isFailed(record),
  ) as Extract<LogRecord, { role: 'assistant' }> | undefined;
}

/**
 * Where to cut, pair-safe (COND-12); undefined when the view is too short to be worth it (COND-13). What was archived
 * at a hand-over is older than anything held, and is folded with the rest.
 */
export function planCondense(state: AgentState): CondensePlan | undefined {
  const keep = state.context?.settings.condense.keepLastN ?? 0;
  const { fromSeq } = state.view;
  const held = state.log.records.filter((record) => record.seq >= fromSeq && !isFailed(record));
  const archived = fromSeq < (state.log.records[0]?.seq ?? fromSeq);
  const withSystem = held.length + 1;
  if (!archived && withSystem < 2 + keep) return undefined;
  let cut = Math.max(held.length - keep, 0);
  // a tail that starts with a result grows until it includes the call
  while (cut > 0 && held[cut]?.role === 'tool_result') cut--;
  const kept = held[cut];
  return kept && kept.seq > fromSeq ? { fromSeq, toSeq: kept.seq - 1, firstKeptSeq: kept.seq } : undefined;
}

/** In the log, never in a request. */
function isFailed(record: LogRecord): boolean {
  return record.role === 'assistant' && (record.stopReason === 'error' || record.stopReason === 'aborted');
}

/** True while the run may still condense: 0 is without limit. */
export function hasCondenseLeft(state: AgentState): boolean {
  const max = state.context?.settings.condense.maxPerRun ?? 0;
  return max === 0 || (state.run?.condenses ?? 0) < max;
}

/** What stands before the view's records: the summary, and the task in its own words whatever the summary says. */
export function viewHead({ view }: AgentState): UserMessage[] {
  if (view.summary === undefined) return [];
  const task = view.task === undefined ? '' : `\n\nThe task, as it was given:\n${view.task}`;
  return [userMessage(`Context of previous work:\n\n${view.summary}${task}`, 'injected')];
}

// Where a view may be cut: a call is never parted from its results (COND-12). Pure.
import type { AgentState } from '../../model/agent-state.ts';
import { estimateTokens } from '../estimate.ts';
import type { ViewEntry } from '../view-entries.ts';
import type { CondensePlan } from './strategy.ts';

/** A tail that would start with a result grows until it includes the call. */
export function growToCall(entries: readonly ViewEntry[], index: number): number {
  let cut = Math.max(index, 0);
  while (cut > 0 && entries[cut]?.role === 'tool_result') cut--;
  return cut;
}

/** Everything before the entry at `index` is folded; undefined when that is nothing. */
export function planAt(
  state: AgentState,
  entries: readonly ViewEntry[],
  index: number,
): CondensePlan | undefined {
  const { view, log } = state;
  const firstKeptSeq = entries[index]?.seq ?? log.nextSeq;
  if (index === 0 || firstKeptSeq <= view.fromSeq) return undefined;
  return { fromSeq: view.fromSeq, toSeq: firstKeptSeq - 1, firstKeptSeq };
}

export function entryTokens({ tokens, record }: ViewEntry, { context }: AgentState): number {
  return tokens ?? (record ? estimateTokens([record], context) : 0);
}

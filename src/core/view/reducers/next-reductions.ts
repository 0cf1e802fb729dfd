// Which reductions a new epoch of the view begins with: the agent's reducers looked at afresh, and those that reach no
// further kept as they were. Pure.
import type { AgentState, ViewReduction } from '../../model/agent-state.ts';
import { estimateInputTokens } from '../estimate.ts';
import { textOf } from '../../model/messages.ts';
import { viewEntries } from '../view-entries.ts';
import { reducedRecords } from './apply-reductions.ts';
import { viewReducers } from './table.ts';

/** In the order of the config; each as far as it reached before, or further. */
export function nextReductions(state: AgentState): ViewReduction[] {
  const specs = state.context?.settings.viewReducers ?? [];
  if (specs.length === 0) return [];
  const inputTokens = estimateInputTokens(state);
  const before = state.view.reductions ?? [];
  return specs.flatMap(({ name, params = {} }) => {
    const reach = viewReducers[name].reach(state, params, inputTokens) ?? 0;
    const throughSeq = Math.max(reach, reachedBefore(before, { name, params }));
    return throughSeq >= state.view.fromSeq ? [{ name, params, throughSeq }] : [];
  });
}

/** True where some result would be sent otherwise than before: without it no new epoch is worth its price. */
export function changesView(state: AgentState, next: readonly ViewReduction[]): boolean {
  const { log, view } = state;
  const held = log.records.filter(({ seq }) => seq >= view.fromSeq);
  const before = reducedRecords(view.reductions, held).map(textOf);
  const after = reducedRecords(next, held);
  if (after.some((record, index) => textOf(record) !== before[index])) return true;
  // texts that were archived cannot be looked at: their results count as changed
  const archived = viewEntries(state).filter(({ role, record }) => role === 'tool_result' && !record);
  return next.some((reduction) => {
    const reached = reachedBefore(view.reductions ?? [], reduction);
    return archived.some(({ seq }) => seq > reached && seq <= reduction.throughSeq);
  });
}

type Named = Pick<ViewReduction, 'name' | 'params'>;

function reachedBefore(reductions: readonly ViewReduction[], { name, params }: Named): number {
  const text = JSON.stringify(params);
  const found = reductions.find((other) => other.name === name && JSON.stringify(other.params) === text);
  return found?.throughSeq ?? 0;
}

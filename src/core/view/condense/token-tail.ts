// token_tail: keeps the newest messages by their size, cut anywhere but before a result. Work that the cut goes
// through gets a summary of its own, and the files that were touched are listed over all condenses (COND-19). Pure.
import type { AgentState, ViewState } from '../../model/agent-state.ts';
import { estimateInputTokens, estimateSystemTokens } from '../estimate.ts';
import { viewEntries } from '../view-entries.ts';
import type { ViewEntry } from '../view-entries.ts';
import { entryTokens, planAt } from './cut.ts';
import { contextMessage } from './head.ts';
import type { CondenseStrategy } from './strategy.ts';

/** Left free in the window. */
const reserveTokens = 4_096;
const tailTokens = 8_192;
/** Of the tail, for the summary itself. */
const summaryTokens = 2_048;
const leastTailTokens = 512;

export const tokenTail: CondenseStrategy = {
  isDue: (state) => estimateInputTokens(state) > (state.context?.settings.contextWindow ?? 0) - reserveTokens,
  plan(state) {
    const entries = viewEntries(state);
    const cut = cutOf(state, entries);
    const plan = cut === undefined ? undefined : planAt(state, entries, cut);
    const begun =
      plan && entries[cut ?? 0]?.role === 'assistant' ? lastUserBefore(entries, cut ?? 0) : undefined;
    return plan && begun ? { ...plan, splitFromSeq: begun.seq } : plan;
  },
  head: (view) => ({ messages: [contextMessage(view, filesText(view))] }),
  summaryTimeoutMs: 60_000,
  tracksFiles: true,
};

/** Enough of the newest messages, then on to the next message that may begin a view; else back to the last one. */
function cutOf(state: AgentState, entries: readonly ViewEntry[]): number | undefined {
  const room = tailTokens - estimateSystemTokens(state.context) - summaryTokens;
  const wanted = Math.max(leastTailTokens, room);
  let index = entries.length;
  for (let kept = 0; index > 0 && kept < wanted; index--) {
    const entry = entries[index - 1];
    kept += entry ? entryTokens(entry, state) : 0;
  }
  const after = entries.findIndex(({ role }, at) => at >= index && role !== 'tool_result');
  if (after >= 0) return after;
  const before = entries.findLastIndex(({ role }, at) => at < index && role !== 'tool_result');
  return before >= 0 ? before : undefined;
}

function lastUserBefore(entries: readonly ViewEntry[], index: number): ViewEntry | undefined {
  return entries.findLast(({ role }, at) => at < index && role === 'user');
}

function filesText({ files }: ViewState): string {
  const list = (title: string, paths: readonly string[] = []) =>
    paths.length === 0 ? [] : [`${title}:\n${paths.map((path) => `- ${path}`).join('\n')}`];
  return [...list('Files read', files?.read), ...list('Files modified', files?.modified)].join('\n\n');
}

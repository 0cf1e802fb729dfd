// The strategies by the names that a spec uses: the part that each folds and keeps, and the place of its summary. Pure.
import { defined } from '@holdfast/base/defined';
import type { CondenseStrategyName } from '@holdfast/vocabulary/agent-spec';
import { growToCall, planAt, contextMessage, entryTokens, keptMessages } from './strategy.ts';
import { usageIsDue, historyBudget } from './triggers.ts';
import type { AgentState, ViewState } from '@holdfast/vocabulary/agent-state';
import { estimateInputTokens, estimateSystemTokens } from '../estimate.ts';
import { type ViewEntry, viewEntries } from '../view-entries.ts';
import type { CondenseStrategy } from './strategy.ts';

/** Keeps the newest messages; everything before them becomes one user message (COND-11). */
const userSummary: CondenseStrategy = {
  isDue: usageIsDue,
  plan(state) {
    const keep = state.context?.settings.condense.keepLastN ?? 0;
    const entries = viewEntries(state);
    // the system text counts, too; fewer than two messages to fold are not worth a summary (COND-13)
    if (entries.length + 1 < 2 + keep) return undefined;
    return planAt(state, entries, growToCall(entries, entries.length - keep));
  },
  head: (view) => ({ messages: [contextMessage(view)] }),
};

/** Keeps only the summary (COND-18). A person's messages since the last reply are not folded. */
const summaryOnly: CondenseStrategy = {
  isDue: usageIsDue,
  plan(state) {
    if (state.run && state.run.turn < 2) return undefined;
    const entries = viewEntries(state);
    const unanswered = entries.findLastIndex(({ role }) => role !== 'user') + 1;
    return unanswered === 0 ? undefined : planAt(state, entries, unanswered);
  },
  head: (view) => ({ messages: [contextMessage(view)] }),
};

const sliding = { share: 0.7, whole: 10, shortened: 10, characters: 200 };

/**
 * Keeps the newest messages whole and the ones before with short results; older ones go into one running summary
 * (HOOK-11).
 */
const slidingWindow: CondenseStrategy = {
  isDue: (state) => usageIsDue(state, sliding.share),
  plan(state) {
    const { whole, shortened, characters } = sliding;
    const entries = viewEntries(state);
    const plan = planAt(state, entries, growToCall(entries, entries.length - whole - shortened));
    const last = entries.at(-whole - 1);
    if (!plan || !last) return undefined;
    const reduction = { name: 'trim_tool_results', params: { characters }, throughSeq: last.seq } as const;
    return { ...plan, reductions: [reduction] };
  },
  head: (view) => ({ messages: [contextMessage(view)] }),
};

const recentShare = 0.3;

/**
 * Splits old and recent 70 to 30 by the room for history; the summary follows the system prompt. The rest is small
 * enough that the next message does not trigger a condense again (COND-17).
 */
const systemSummary: CondenseStrategy = {
  isDue: usageIsDue,
  plan(state) {
    const entries = viewEntries(state);
    return entries.length < 2 ? undefined : planAt(state, entries, shareCut(state, entries));
  },
  head: (view) =>
    defined({
      system: view.summary === undefined ? undefined : `[Previous conversation summary: ${view.summary}]`,
      messages: keptMessages(view),
    }),
};

/** The tail that fits; results whose call does not fit are dropped. The newest message always stays. */
function shareCut(state: AgentState, entries: readonly ViewEntry[]): number {
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

/** Tokens left free in the window. */
const reserveTokens = 4_096;
const tailTokens = 8_192;
/** Part of the tail for the summary itself. */
const summaryTokens = 2_048;
const leastTailTokens = 512;

/**
 * Keeps the newest messages by size, cut anywhere but before a result. Work that the cut divides gets a summary of its
 * own, and the touched files are listed over all condenses (COND-19).
 */
const tokenTail: CondenseStrategy = {
  isDue: (state) =>
    estimateInputTokens(state) > (state.context?.settings.model.contextWindow ?? 0) - reserveTokens,
  plan(state) {
    const entries = viewEntries(state);
    const cut = sizeCut(state, entries);
    const plan = cut === undefined ? undefined : planAt(state, entries, cut);
    if (!plan || cut === undefined || entries[cut]?.role !== 'assistant') return plan;
    const begun = entries.findLast(({ role }, at) => at < cut && role === 'user');
    return begun ? { ...plan, splitFromSeq: begun.seq } : plan;
  },
  head: (view) => ({ messages: [contextMessage(view, filesText(view))] }),
  summaryTimeoutMs: 60_000,
  tracksFiles: true,
};

/**
 * Goes back until enough messages are kept, then forward to the next message that may begin a view; else back to the
 * last.
 */
function sizeCut(state: AgentState, entries: readonly ViewEntry[]): number | undefined {
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

function filesText({ files }: ViewState): string {
  const list = (title: string, paths: readonly string[] = []) =>
    paths.length === 0 ? [] : [`${title}:\n${paths.map((path) => `- ${path}`).join('\n')}`];
  return [...list('Files read', files?.read), ...list('Files modified', files?.modified)].join('\n\n');
}

export const strategies: Record<CondenseStrategyName, CondenseStrategy> = {
  user_summary: userSummary,
  system_summary: systemSummary,
  summary_only: summaryOnly,
  token_tail: tokenTail,
  sliding_window: slidingWindow,
};

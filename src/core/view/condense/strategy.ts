// One way to condense: when it is due by itself, what it folds and keeps, and the summary's place before the kept part.
// The loop and the step know only this. Pure.
import type { AgentState, ViewReduction, ViewState } from '../../model/agent-state.ts';
import type { Message, UserMessage } from '../../model/messages.ts';
import { callIndexText } from '../call-index.ts';
import { estimateTokens } from '../estimate.ts';
import type { ViewEntry } from '../view-entries.ts';
import { userMessage } from '../../model/messages.ts';

/** What is folded and what stays: the view from `fromSeq` to `toSeq` goes into the summary. */
export type CondensePlan = {
  fromSeq: number;
  toSeq: number;
  /** Behind the last message of the log where none stays. */
  firstKeptSeq: number;
  /** From here on what is folded gets a summary of its own: the beginning of work that continues in the kept part. */
  splitFromSeq?: number;
  /** For the new epoch, before those of the agent's view reducers. */
  reductions?: ViewReduction[];
};

/** The words before the records of a view. `system` goes behind the frozen system prompt. */
export type ViewHead = { system?: string; messages: Message[] };

export type CondenseStrategy = {
  /** Trigger `usage`: whether the next request should wait for a condense. */
  isDue(state: AgentState): boolean;
  /** Undefined when the view is too short to be worth it. */
  plan(state: AgentState): CondensePlan | undefined;
  /** Only called for a view with a summary or findings. */
  head(view: ViewState): ViewHead;
  /** Of the summary call; absent: ten minutes. */
  summaryTimeoutMs?: number;
  /** The summariser names the files that the folded calls have read and modified. */
  tracksFiles?: true;
};

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

/** One user message: the summary with everything that belongs to it (COND-11). */
export function contextMessage(view: ViewState, more = ''): UserMessage {
  const parts = [`Context of previous work:\n\n${view.summary ?? ''}`, more, ...keptParts(view)];
  return userMessage(parts.filter(Boolean).join('\n\n'), 'injected');
}

/** The words without a summary, or beside one that is elsewhere. */
export function keptMessages(view: ViewState): UserMessage[] {
  const parts = keptParts(view);
  return parts.length === 0 ? [] : [userMessage(parts.join('\n\n'), 'injected')];
}

function keptParts({ task, findings = [], calls, plan }: ViewState): string[] {
  const called = callIndexText(calls);
  const lines = findings.map(({ id, text, callId }) => `- ${id} (call ${callId}): ${text}`);
  return [
    ...(task === undefined ? [] : [`The task, as it was given:\n${task}`]),
    ...(lines.length === 0 ? [] : [`Pinned findings:\n${lines.join('\n')}`]),
    ...(called === '' ? [] : [called]),
    ...(plan === undefined ? [] : [`Your plan, as it was then:\n${plan}`]),
  ];
}

// A condense strategy: its trigger, the part that it folds and keeps, and the place of its summary. The loop and the
// condense step know only this type. Pure.
import { present } from '@holdfast/base/present';
import type { AgentState, ViewReduction, ViewState } from '@holdfast/vocabulary/agent-state';
import { callIndexText } from '../call-index.ts';
import { estimateTokens } from '../estimate.ts';
import type { ViewEntry } from '../view-entries.ts';
import { type Message, type UserMessage, userMessage } from '@holdfast/vocabulary/messages';

/** The folded and the kept part: the view from `fromSeq` to `toSeq` goes into the summary. */
export type CondensePlan = {
  fromSeq: number;
  toSeq: number;
  /** One after the last message of the log if none is kept. */
  firstKeptSeq: number;
  /** Start of the last folded work, which continues in the kept part and gets a summary of its own. */
  splitFromSeq?: number;
  /** Reductions of the new epoch, before those of the agent's view reducers. */
  reductions?: ViewReduction[];
};

/** The words before the records of a view. `system` follows the frozen system prompt. */
export type ViewHead = { system?: string; messages: Message[] };

export type CondenseStrategy = {
  /** Trigger `usage`: true if the next request should wait for a condense. */
  isDue(state: AgentState): boolean;
  /** Undefined if the view is too short. */
  plan(state: AgentState): CondensePlan | undefined;
  /** Called only for a view with a summary or findings. */
  head(view: ViewState): ViewHead;
  /** Timeout of the summary call. Default: ten minutes. */
  summaryTimeoutMs?: number;
  /** The summariser lists the files that the folded calls read and modified. */
  tracksFiles?: true;
};

/** Moves the cut back, so that a kept part that would start with a result includes its call. */
export function growToCall(entries: readonly ViewEntry[], index: number): number {
  let cut = Math.max(index, 0);
  while (cut > 0 && entries[cut]?.role === 'tool_result') cut--;
  return cut;
}

/** Folds everything before the entry at `index`; undefined if that is nothing. */
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

/** One user message: the summary with all its additions (COND-11). */
export function contextMessage(view: ViewState, more = ''): UserMessage {
  const parts = [`Context of previous work:\n\n${view.summary ?? ''}`, more, ...keptParts(view)];
  return userMessage(parts.filter(Boolean).join('\n\n'), 'injected');
}

/** The kept parts alone: without a summary, or with one in another place. */
export function keptMessages(view: ViewState): UserMessage[] {
  const parts = keptParts(view);
  return parts.length === 0 ? [] : [userMessage(parts.join('\n\n'), 'injected')];
}

function keptParts({ task, findings = [], calls, plan, hypotheses, said, place }: ViewState): string[] {
  const called = callIndexText(calls);
  const lines = findings.map(({ id, text, callId }) => `- ${id} (call ${callId}): ${text}`);
  return present([
    task !== undefined && `The task, as it was given:\n${task}`,
    said,
    lines.length > 0 && `Pinned findings:\n${lines.join('\n')}`,
    called !== '' && called,
    plan !== undefined && `Your plan, as it was then:\n${plan}`,
    hypotheses !== undefined && `Your hypotheses, as they were then:\n${hypotheses}`,
    place,
  ]);
}

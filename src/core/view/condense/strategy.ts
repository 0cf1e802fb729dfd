// One way to condense: when it is due by itself, what it folds and keeps, and how the summary stands before what is
// kept. The loop and the step know only this. Pure.
import type { AgentState, ViewReduction, ViewState } from '../../model/agent-state.ts';
import type { Message } from '../../model/messages.ts';

/** What is folded and what stays: the view from `fromSeq` to `toSeq` goes into the summary. */
export type CondensePlan = {
  fromSeq: number;
  toSeq: number;
  /** Behind the last message of the log where none stays. */
  firstKeptSeq: number;
  /** From here on what is folded gets a summary of its own: the beginning of work that goes on in what is kept. */
  splitFromSeq?: number;
  /** For the new epoch, before those of the agent's view reducers. */
  reductions?: ViewReduction[];
};

/** What stands before the records of a view. `system` goes behind the frozen system prompt. */
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
  /** The summariser tells which files the folded calls have read and modified. */
  tracksFiles?: true;
};

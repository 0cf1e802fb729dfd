// What a run is frozen to, and how it may still change: a new context, tools appended to it, and the event when a
// request begins otherwise than the one before. Pure.
import type { LoadedTools } from '../model/activity-contracts.ts';
import type { FrozenContext } from '../model/frozen-context.ts';
import type { AgentState } from '../model/agent-state.ts';
import { updateRun } from './draft.ts';
import type { Draft } from './draft.ts';
import { unfoldCalls } from '../view/call-index.ts';
import { beginEpoch } from '../view/log.ts';
import type { PrefixReason } from '../model/events.ts';
import type { Message } from '../model/messages.ts';
import type { SessionSettings } from '../model/agent-spec.ts';

/** The one way in for every context; `reason` is what prefix_changed names if its prefix is another. */
export function setContext(draft: Draft, context: FrozenContext, reason: PrefixReason): void {
  draft.state = { ...draft.state, context, prefixReason: reason };
}

/** The run continues with another context: from the next request on, in an epoch of its own (HOOK-05, MSG-15). */
export function replaceContext(draft: Draft, context: FrozenContext, settings: SessionSettings): void {
  setContext(draft, context, 'prepareNextTurn');
  updateRun(draft, () => ({ settings }));
  const { state } = draft;
  // the messages are the same, so a provider's count of them still holds
  const { condensedAtSeq } = state.view;
  draft.state = { ...state, view: { ...beginEpoch(state, state.view), condensedAtSeq } };
}

/** The run continues with other messages; log and session view stay as they are. */
export function replaceView(draft: Draft, messages: Message[]): void {
  const { log, view } = draft.state;
  updateRun(draft, (run) => ({ sessionView: run.sessionView ?? view }));
  // a summary of what is replaced would speak of something else
  const shown = { fromSeq: log.nextSeq, replaced: messages };
  draft.state = { ...draft.state, view: beginEpoch(draft.state, shown) };
}

/** The view of the session, when the run that worked with another is over. */
export function withSessionView(state: AgentState): AgentState {
  const sessionView = state.run?.sessionView;
  if (!sessionView) return state;
  const { calls, view } = state;
  // what was folded of the other view is shown again
  const again = calls ? { calls: unfoldCalls(calls, view.calls, sessionView.fromSeq) } : {};
  return { ...state, ...again, view: beginEpoch(state, sessionView) };
}

/** After the tools that are there: what was sent before stays as it was (TOOL-03). */
export function appendTools(draft: Draft, { groups, tools, ...digests }: LoadedTools): void {
  const { context, loadedGroups = [] } = draft.state;
  if (!context) return;
  setContext(draft, { ...context, ...digests, tools: [...context.tools, ...tools] }, 'load_tools');
  draft.state = { ...draft.state, loadedGroups: [...new Set([...loadedGroups, ...groups])] };
}

/** At a request: compared with the last one sent, whatever came and went in between (PROMPT-04). */
export function noticePrefix(draft: Draft): void {
  const { context, sentPrefix: from, prefixReason: reason = 'refresh' } = draft.state;
  const to = context?.prefixDigest;
  if (to === undefined || to === from) return;
  if (from !== undefined) draft.events.push({ type: 'prefix_changed', from, to, reason });
  draft.state = { ...draft.state, sentPrefix: to };
}

/** True where loaded tools stay for the next run of the session. */
export function keepsGroups(context: FrozenContext | undefined): boolean {
  return context?.settings.loadedTools === 'session';
}

// The frozen context of a run and its changes: a new context, appended tools, and the event when a request begins
// differently from the one before. Pure.
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import type { AgentState } from '@holdfast/vocabulary/agent-state';
import { type Draft, type Reducers, updateRun } from './draft.ts';
import { skillMark } from '../agent/skills/skill-text.ts';
import { unfoldCalls } from '@holdfast/view/call-index';
import { beginEpoch } from '@holdfast/view/log';
import type { PrefixReason } from '@holdfast/vocabulary/events';

/** The facts about the context of a run and the view of its model. */
export const contextReducers = {
  context_refreshed: (draft, { context }) => setContext(draft, context, 'refresh'),
  /** Changes the context during a run: from the next request on, in a new epoch (HOOK-05, MSG-15). */
  context_replaced(draft, { context, settings }) {
    setContext(draft, context, 'prepareNextTurn');
    updateRun(draft, () => ({ settings }));
    const { state } = draft;
    // the messages are the same, so the provider's count of them still holds
    const { condensedAtSeq } = state.view;
    draft.state = { ...state, view: { ...beginEpoch(state, state.view), condensedAtSeq } };
  },
  /** Shows other messages for the rest of the run; log and session view stay unchanged. */
  view_replaced(draft, { messages }) {
    const { log, view } = draft.state;
    updateRun(draft, (run) => ({ sessionView: run.sessionView ?? view }));
    // a summary of the replaced messages would not fit the new ones
    const shown = { fromSeq: log.nextSeq, replaced: messages };
    draft.state = { ...draft.state, view: beginEpoch(draft.state, shown) };
  },
  /** Appends after the existing tools, so that the prefix of earlier requests is unchanged (TOOL-03). */
  tools_loaded(draft, { loaded: { groups, tools, ...digests } }) {
    const { context, loadedGroups = [] } = draft.state;
    if (!context) return;
    setContext(draft, { ...context, ...digests, tools: [...context.tools, ...tools] }, 'load_tools');
    draft.state = { ...draft.state, loadedGroups: [...new Set([...loadedGroups, ...groups])] };
  },
  skills_loaded(draft, { names }) {
    const { loadedSkills = [], view, context } = draft.state;
    const read = context?.skills?.filter(({ name }) => names.includes(name)).map(skillMark) ?? [];
    const skills = [...new Set([...(view.skills ?? []), ...read])];
    draft.state = {
      ...draft.state,
      loadedSkills: [...new Set([...loadedSkills, ...names])],
      view: { ...view, skills },
    };
  },
} satisfies Partial<Reducers>;

/** The only way to set a context; `reason` is named by prefix_changed if the prefix differs. */
export function setContext(draft: Draft, context: FrozenContext, reason: PrefixReason): void {
  const { storedAs = context.storedAs ?? draft.state.sessionId } = draft.state;
  draft.state = { ...draft.state, context, storedAs, prefixReason: reason };
}

/** Restores the view of the session after a run that replaced it. */
export function withSessionView(state: AgentState): AgentState {
  const sessionView = state.run?.sessionView;
  if (!sessionView) return state;
  const { calls, view } = state;
  // the calls that the other view had folded are shown again
  const again = calls ? { calls: unfoldCalls(calls, view.calls, sessionView.fromSeq) } : {};
  return { ...state, ...again, view: beginEpoch(state, sessionView) };
}

/** Compares the prefix of a request with that of the last one sent, whatever changed in between (PROMPT-04). */
export function noticePrefix(draft: Draft): void {
  const { context, sentPrefix: from, prefixReason: reason = 'refresh' } = draft.state;
  const to = context?.prefixDigest;
  if (to === undefined || to === from) return;
  if (from !== undefined) draft.events.push({ type: 'prefix_changed', from, to, reason });
  draft.state = { ...draft.state, sentPrefix: to };
}

/** True if loaded tools stay for the next run of the session; one from a checkpoint has no context yet. */
export function keepsGroups(context: FrozenContext | undefined): boolean {
  return context?.settings.loop.loadedTools !== 'run';
}

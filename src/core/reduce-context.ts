// What a run is frozen to, and how it may still change: a new context, tools appended to it, and the event when a
// request begins otherwise than the one before. Pure.
import type { FrozenContext, LoadedTools } from './activity-contracts.ts';
import type { Draft } from './draft.ts';
import type { PrefixReason } from './events.ts';

/** The one way in for every context; `reason` is what prefix_changed names if its prefix is another. */
export function setContext(draft: Draft, context: FrozenContext, reason: PrefixReason): void {
  draft.state = { ...draft.state, context, prefixReason: reason };
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

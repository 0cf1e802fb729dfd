// The effect of children on the state of the delegating session: names, starts, ends, costs. Pure.
import { omit } from '@holdfast/base/omit';
import { defined } from '@holdfast/base/defined';
import type { Child } from '@holdfast/vocabulary/children';
import type { ChildTags } from '@holdfast/vocabulary/events';
import type { ChildEnd } from './facts.ts';
import { withCall } from '@holdfast/view/call-index';
import { type Draft, type Reducers, payAll, updateRun } from './draft.ts';

/** The facts about children. */
export const childReducers = {
  children_named(draft, { agents }) {
    const childIds = { ...draft.state.childIds };
    for (const agent of agents) childIds[agent] = (childIds[agent] ?? 0) + 1;
    draft.state = { ...draft.state, childIds };
  },
  child_started(draft, { child: started, parent }) {
    const child: Child = { ...started, state: 'running', startedAt: draft.now, usage: {}, costUsd: 0 };
    const { callId, index } = child;
    // removes the earlier child whose work this one takes over
    const others = childrenOf(draft).filter((other) => other.callId !== callId || other.index !== index);
    draft.state = { ...draft.state, children: newest([...others, child]) };
    draft.events.push({ type: 'subagent_start', ...tagsOf(child, parent) });
  },
  /** The run that delegated pays for the child, by purpose. */
  child_ended(draft, { parent, ...end }) {
    const { childId, status, usage, costUsd, toolCalls, result } = end;
    const cost = defined({ costUsd, costUnknown: end.costUnknown || undefined });
    const child = childrenOf(draft).find(({ id }) => id === childId);
    if (!child) throw new Error(`No child ${childId}`);
    const said = result.completion ? { completion: result.completion.status } : {};
    const spent = { endedAt: draft.now, usage, ...cost };
    const ended: Child = { ...omit(child, 'reserved'), state: 'ended', status, ...spent, ...said, result };
    draft.state = {
      ...draft.state,
      children: newest(childrenOf(draft).map((other) => (other === child ? ended : other))),
      childToolCalls: (draft.state.childToolCalls ?? 0) + toolCalls,
    };
    payAll(draft, usage, costUsd);
    updateRun(draft, (run) => ({ childToolCalls: (run.childToolCalls ?? 0) + toolCalls }));
    indexCalls(draft, child, end);
    const isError = result.error !== undefined;
    draft.events.push({ type: 'subagent_end', ...tagsOf(ended, parent), status, ...said, isError, ...cost });
  },
} satisfies Partial<Reducers>;

/** Ended children kept, beside the running ones. */
const keptChildren = 100;

/** Indexes the child's task, and its calls under the names that a report quotes; folded with the result that names them. */
function indexCalls(draft: Draft, { name, agent, task }: Child, { calls = [], result }: ChildEnd): void {
  const seq = draft.state.log.nextSeq;
  const add = (id: string, words: string, artifact = ''): void => {
    draft.state = { ...draft.state, calls: withCall(draft.state.calls, [seq, id, words, id, artifact]) };
  };
  if (result.artifact) add(name, `delegated to ${agent}, not to be quoted: ${task}`, result.artifact);
  for (const [callId, summary] of calls)
    add(`${name}/${callId}`, `${summary} (by ${name}, to be quoted only)`);
}

/** Drops the results of children once their call is answered: the log has them. */
export function forgetResults(draft: Draft, callId: string): void {
  const { children } = draft.state;
  if (!children?.some((child) => child.callId === callId && child.result)) return;
  draft.state = {
    ...draft.state,
    children: children.map((child) => (child.callId === callId ? omit(child, 'result') : child)),
  };
}

/** Marks children of an earlier session as left: they do not run in this one. */
export function leaveChildren(children: readonly Child[]): Child[] {
  return children.map((child): Child =>
    child.state === 'running' ? { ...omit(child, 'reserved'), state: 'left' } : child,
  );
}

function childrenOf({ state }: Draft): Child[] {
  return state.children ?? [];
}

function newest(children: Child[]): Child[] {
  const ended = children.filter(({ state }) => state === 'ended');
  const dropped = new Set(ended.slice(0, Math.max(0, children.length - keptChildren)));
  return children.filter((child) => !dropped.has(child));
}

function tagsOf({ callId, agent, name, id, prefix, depth, task }: Child, parent: string): ChildTags {
  return { callId, agent, name, childId: id, prefix, parent, depth, task };
}

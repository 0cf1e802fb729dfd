// Shared by the calls of hooks: the hooks of a point, and their view of the state. Pure.
import { messageOf } from '../base/message-of.ts';
import type { AgentState } from '../model/agent-state.ts';
import { viewHead } from '../view/condense-reason.ts';
import { toDefinitions } from '../model/tool-spec.ts';
import { type AssistantMessage, type Message, bareMessage } from '../model/messages.ts';
import type { FrozenHook, HookContext, HookPoint, ListedHook } from '../model/hook.ts';

/** The hooks of the run that serve a point, in calling order. */
export function hooksAt({ context }: AgentState, point: HookPoint): ListedHook[] {
  return context?.hooks?.map(listed).filter(({ points }) => points.includes(point)) ?? [];
}

/** A hook that is listed twice has two states (HOOK-08). */
function listed(hook: FrozenHook, index: number, hooks: FrozenHook[]): ListedHook {
  const { name } = hook;
  const before = hooks.slice(0, index).filter((earlier) => earlier.name === name).length;
  return { ...hook, key: before === 0 ? name : `${name}#${before + 1}` };
}

/** False for nearly every run, which then skips every hook point. */
export function hasHooks({ context }: AgentState): boolean {
  return context?.hooks !== undefined && context.hooks.length > 0;
}

export function describeThrow({ name }: FrozenHook, error: unknown): string {
  return `Hook ${name} failed: ${messageOf(error)}`;
}

export function lastReply({ log }: AgentState): AssistantMessage | undefined {
  const last = log.records.findLast((record) => record.role === 'assistant');
  const message = last && bareMessage(last);
  return message?.role === 'assistant' ? message : undefined;
}

/** The view as far as the workflow holds it; archived messages are in the artifact store. */
export function contextOf(state: AgentState): HookContext {
  const { context, log, view } = state;
  const messages: Message[] = log.records.filter(({ seq }) => seq >= view.fromSeq).map(bareMessage);
  return {
    systemPrompt: context?.systemPrompt ?? '',
    tools: toDefinitions(context?.tools ?? []),
    messages: [...viewHead(state).messages, ...messages],
  };
}

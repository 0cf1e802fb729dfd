// The hooks around one tool call: they may block it, or change its result. A throw is the error of that call (HOOK-04).
// A hook that was stopped has neither allowed a call nor seen a result.
import { omit } from '@holdfast/base/omit';
import { defined } from '@holdfast/base/defined';
import type { Session } from '../session/session.ts';
import type { AgentState, BatchCall, ToolAnswer } from '@holdfast/vocabulary/agent-state';
import { decideOutcome } from '@holdfast/vocabulary/call-outcome';
import type { CallOutcome } from '@holdfast/vocabulary/messages';
import { argumentsOf } from '@holdfast/vocabulary/tool-spec';
import { callHook, contextOf, describeThrow, hooksAt, lastReply } from './hooks.ts';
import type { FrozenHook, HookInputs, HookOutputs } from '@holdfast/vocabulary/hook';
import type { Effects } from './effects.ts';
import { abortedText, errorAnswer, notStarted } from '../state/own-answers.ts';

/** Answers a call before it runs if a hook blocks it or fails (HOOK-02, HOOK-04). */
export async function blockedByHook(
  session: Session,
  effects: Effects,
  entry: BatchCall,
): Promise<ToolAnswer | undefined> {
  for (const hook of hooksAt(session.state, 'beforeToolCall')) {
    try {
      const input = toolCallInput(session.state, entry);
      const outcome = await callHook(session, effects, hook, 'beforeToolCall', input);
      if (outcome.type === 'stopped') return notStarted(entry);
      const verdict = outcome.output;
      if (verdict?.block !== true) continue;
      const answer = errorAnswer(entry, verdict.reason ?? 'Tool call blocked', 'refused');
      return verdict.terminate === true ? { ...answer, terminate: true } : answer;
    } catch (error) {
      return errorAnswer(entry, describeThrow(hook, error));
    }
  }
  return undefined;
}

/**
 * The answer after the hooks; a changed answer has no digest (HOOK-03). Hooks run after a stop, too: text that they
 * remove from a result must not reach the log because of a stop.
 */
export async function afterToolHooks(
  session: Session,
  effects: Effects,
  entry: BatchCall,
  answer: ToolAnswer,
): Promise<ToolAnswer> {
  let current = answer;
  for (const hook of hooksAt(session.state, 'afterToolCall')) {
    try {
      const { message } = current;
      const input = { ...toolCallInput(session.state, entry), result: message, isError: message.isError };
      const outcome = await callHook(session, effects, hook, 'afterToolCall', input);
      if (outcome.type === 'stopped') return withheld(entry, hook, decideOutcome(current));
      current = override(current, outcome.output);
    } catch (error) {
      // the call itself has run
      return errorAnswer(entry, describeThrow(hook, error), decideOutcome(current));
    }
  }
  return current;
}

function withheld(entry: BatchCall, { name }: FrozenHook, outcome: CallOutcome): ToolAnswer {
  const { prepared } = entry;
  const aborted = abortedText(prepared.status === 'ready' ? prepared.effect : 'read');
  return errorAnswer(
    entry,
    `${aborted}. What it returned is withheld: hook ${name} was stopped before it had seen it.`,
    outcome,
  );
}

function override(answer: ToolAnswer, change: HookOutputs['afterToolCall'] | undefined): ToolAnswer {
  const { content, details, isError, terminate } = change ?? {};
  const ended = terminate === undefined || terminate === null ? answer : withTerminate(answer, terminate);
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  const changed = defined({
    content: parts ?? undefined,
    details: details ?? undefined,
    isError: isError ?? undefined,
  });
  if (Object.keys(changed).length === 0) return ended;
  return { ...omit(ended, 'digest'), message: { ...ended.message, ...changed } };
}

function withTerminate(answer: ToolAnswer, terminate: boolean): ToolAnswer {
  return { ...omit(answer, 'terminate'), ...defined({ terminate: terminate || undefined }) };
}

function toolCallInput(state: AgentState, entry: BatchCall): HookInputs['beforeToolCall'] {
  const assistantMessage = lastReply(state);
  if (!assistantMessage) throw new Error('the log has no reply that holds this call');
  return { assistantMessage, toolCall: entry.call, args: argumentsOf(entry), context: contextOf(state) };
}

// A condense strategy of one's own: the hooks at beforeCondense say what stays, and what stands in place of the rest.
import { defined } from '@holdfast/base/defined';
import { textTokens } from '@holdfast/base/text-tokens';
import type { AgentState } from '@holdfast/vocabulary/agent-state';
import type { HookOutputs } from '@holdfast/vocabulary/hook';
import type { Session } from '../session/session.ts';
import { type CondensePlan, growToCall, planAt } from '@holdfast/view/condense/strategy';
import { beginsFolded, viewEntries } from '@holdfast/view/view-entries';
import type { Effects, EffectOutcome } from './effects.ts';
import { callHook, contextOf, describeThrow, hooksAt } from './hooks.ts';

type Fold = { plan: CondensePlan; summary?: string };

/** The first hook that answers decides. A throw of it, or an answer that cannot be taken, fails the condense (HOOK-22). */
export async function foldByHooks(
  session: Session,
  effects: Effects,
  plan: CondensePlan,
): Promise<EffectOutcome<Fold>> {
  for (const hook of hooksAt(session.state, 'beforeCondense')) {
    const kept = viewEntries(session.state).filter(({ seq }) => seq >= plan.firstKeptSeq);
    const input = { context: contextOf(session.state), keep: kept.length };
    try {
      const answer = await callHook(session, effects, hook, 'beforeCondense', input);
      if (answer.type === 'stopped') return answer;
      if (answer.output) return { type: 'done', value: toFold(session.state, plan, answer.output) };
    } catch (error) {
      const failure = { code: 'Run.HookFailed' as const, message: describeThrow(hook, error) };
      return { type: 'failed', failure, error };
    }
  }
  return { type: 'done', value: { plan } };
}

/** Throws where the answer says nothing that can be done. */
function toFold(
  state: AgentState,
  plan: CondensePlan,
  { keep, summary }: HookOutputs['beforeCondense'],
): Fold {
  const entries = viewEntries(state);
  const { maxTokens = 0 } = state.context?.settings.condense ?? {};
  const size = typeof summary === 'string' && summary.trim() !== '' ? Math.ceil(textTokens(summary)) : 0;
  if (summary !== undefined && (size === 0 || size > maxTokens))
    throw new Error(`summary has ${size} tokens: expected a text of 1 to ${maxTokens} (condense.maxTokens)`);
  if (keep === undefined) return { plan, ...defined({ summary }) };
  const isNumber = Number.isInteger(keep) && keep >= 0;
  const index = isNumber ? growToCall(entries, entries.length - keep) : 0;
  // more than the outline has after a hand-over: all that can stay
  const own = planAt(state, entries, isNumber && beginsFolded(state) ? Math.max(index, 1) : index);
  if (own) return { plan: own, ...defined({ summary }) };
  throw new Error(
    `keep is ${keep}: expected a whole number from 0, and that less than all ${entries.length} messages stay. A result takes its call along`,
  );
}

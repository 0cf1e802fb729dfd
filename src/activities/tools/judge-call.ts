// What one call does, by its tool's own facts, and what the policy says of it. Asked when a call is prepared and again
// where it runs. Runs in Node.
import type { Json } from '../../core/base/json.ts';
import { decideStrictest } from '../../core/tools/access.ts';
import type { PolicyScope, PolicyVerdict } from '../../core/tools/policy.ts';
import type { CallFacts, PolicyRule, ToolEffect } from '../../core/model/tool-spec.ts';
import type { RegisteredTool } from './define-tool.ts';

export type JudgedCall = PolicyVerdict & {
  /** Of this call. */
  effect: ToolEffect;
  facts: CallFacts;
};

/** `args` are valid. A tool that cannot say what a call does has that call denied. */
export async function judgeCall(
  tool: RegisteredTool,
  args: Json,
  policies: readonly (readonly PolicyRule[])[],
  scope: PolicyScope,
): Promise<JudgedCall> {
  const { name, effect } = tool.spec;
  try {
    const facts = (await tool.inspect?.(args)) ?? {};
    const { actions = [] } = facts;
    const verdict = decideStrictest({ tool: name, effect, args, actions }, policies, scope);
    return { ...verdict, effect: effectOf(effect, facts), facts };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { decision: 'deny', reason: `${name} cannot be judged: ${reason}`, effect, facts: {} };
  }
}

function effectOf(effect: ToolEffect, { actions = [] }: CallFacts): ToolEffect {
  const [first, ...others] = actions.map((action) => action.effect);
  if (first === undefined) return effect;
  if (others.every((each) => each === first)) return first;
  return [first, ...others].includes('once') ? 'once' : 'idempotent';
}

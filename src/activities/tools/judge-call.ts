// Judges one call by the policy, from its tool's own facts. Used when a call is prepared and again where it runs. Runs in
// Node.
import { messageOf } from '@holdfast/base/message-of';
import { type Json, type JsonObject, isRecord } from '@holdfast/base/json';
import { decideStrictest } from '../../core/tools/access.ts';
import type { PolicyScope, PolicyVerdict } from '../../core/tools/policy.ts';
import type { CallFacts, PolicyRule, ToolEffect } from '@holdfast/vocabulary/tool-spec';
import type { RegisteredTool } from './define-tool.ts';

export type JudgedCall = PolicyVerdict & { effect: ToolEffect; facts: CallFacts };

/** A call is denied if its tool cannot describe it. */
export async function judgeCall(
  tool: RegisteredTool,
  args: Json,
  policies: readonly (readonly PolicyRule[])[],
  scope: PolicyScope,
): Promise<JudgedCall> {
  const { name, effect } = tool.spec;
  try {
    const { facts, seen } = await examineCall(tool, args);
    const { actions = [] } = facts;
    const verdict = decideStrictest({ tool: name, effect, args: seen, actions }, policies, scope);
    return { ...verdict, effect: effectOf(effect, facts), facts };
  } catch (error) {
    const reason = `${name} cannot be judged: ${messageOf(error)}`;
    return { decision: 'deny', reason, effect, facts: {} };
  }
}

/** The actions of a call, by its tool. Invalid arguments are not passed to the tool, because its body refuses them. */
export async function examineCall(
  tool: RegisteredTool,
  args: Json,
): Promise<{ facts: CallFacts; seen: Json }> {
  const seen = seenArguments(tool, args);
  if (seen === undefined) return { facts: {}, seen: args };
  return { facts: (await tool.inspect?.(args)) ?? {}, seen };
}

/** The arguments as the body receives them: a rule also sees an omitted default. Undefined if they are invalid. */
function seenArguments(tool: RegisteredTool, args: Json): Json | undefined {
  let value: unknown;
  try {
    value = tool.parse(args);
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return args;
  const seen = toJsonObject(value);
  return isRecord(args) ? { ...args, ...seen } : seen;
}

/** A text may be a whole file, so it is not encoded as JSON and parsed again. */
function toJsonObject(value: object): JsonObject {
  const fields = Object.entries(value).flatMap(([name, field]): [string, Json][] => {
    if (typeof field === 'string') return [[name, field]];
    const text: string | undefined = JSON.stringify(field);
    return text === undefined ? [] : [[name, JSON.parse(text)]];
  });
  return Object.fromEntries(fields);
}

function effectOf(effect: ToolEffect, { actions = [] }: CallFacts): ToolEffect {
  const [first, ...others] = actions.map((action) => action.effect);
  if (first === undefined) return effect;
  if (others.every((each) => each === first)) return first;
  return [first, ...others].includes('once') ? 'once' : 'idempotent';
}

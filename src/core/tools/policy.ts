// allow | ask | deny for one call, by static rules and the tool's effect. Pure; asked twice: when a call is
// prepared, and again on the worker that is about to run it.
import type { PolicyDecision, PolicyRule, ToolEffect } from '../model/tool-spec.ts';

export type PolicyVerdict = { decision: PolicyDecision; reason?: string };

/** The verdict over a call of `tool`. A rule with an unknown decision denies: a mistake must not open a gate. */
export function decidePolicy(tool: string, effect: ToolEffect, rules: readonly PolicyRule[]): PolicyVerdict {
  const rule = rules.find((candidate) => matchesToolName(candidate.tool, tool));
  if (rule === undefined) return decideByEffect(effect);
  switch (rule.decision) {
    case 'allow':
      return withReason('allow', rule.reason);
    case 'ask':
      return withReason('ask', rule.reason ?? `The policy rule for "${rule.tool}" asks a person first.`);
    case 'deny':
      return withReason('deny', rule.reason ?? `The policy rule for "${rule.tool}" denies it.`);
    default:
      return withReason('deny', `The policy rule for "${rule.tool}" has an unknown decision.`);
  }
}

/** Whether a rule's name pattern covers a tool name; `*` matches any run of characters, also none. */
export function matchesToolName(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === name;
  if (!name.startsWith(first)) return false;
  let position = first.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, position);
    if (found < 0) return false;
    position = found + piece.length;
  }
  return name.length - last.length >= position && name.endsWith(last);
}

function decideByEffect(effect: ToolEffect): PolicyVerdict {
  if (effect === 'read') return { decision: 'allow' };
  return { decision: 'ask', reason: 'It changes something outside, so a person decides.' };
}

function withReason(decision: PolicyDecision, reason: string | undefined): PolicyVerdict {
  return reason === undefined ? { decision } : { decision, reason };
}

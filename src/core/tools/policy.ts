// allow | ask | deny for one call, by rules, by the effect of what it does and by the agent's mode. Pure; asked twice: when
// a call is prepared, and again on the worker that is about to run it.
import type { Json } from '../base/json.ts';
import type { AgentMode, CallAction, PolicyDecision, PolicyRule, ToolEffect } from '../model/tool-spec.ts';

export type PolicyVerdict = { decision: PolicyDecision; reason?: string };

/** A call as the policy sees it. */
export type JudgedCall = {
  tool: string;
  /** Of the tool. */
  effect: ToolEffect;
  args?: Json;
  /** As the tool's facts name them; none: the call is one action of the tool's effect. */
  actions?: readonly CallAction[];
};

/** Who calls: absent fields are those of an agent without a name, in mode `ask`, which has seen nothing sensitive. */
export type PolicyScope = {
  agent?: string;
  mode?: AgentMode;
  tags?: readonly string[];
  /** The host that the call runs on. */
  on?: string;
};

/** The verdict over one action; `by` names its source, for people. */
export type ActionVerdict = PolicyVerdict & { action: CallAction; by: string };

const strictness: Record<PolicyDecision, number> = { allow: 0, ask: 1, deny: 2 };

export function isStricter(one: PolicyVerdict, other: PolicyVerdict): boolean {
  return strictness[one.decision] > strictness[other.decision];
}

/** Of equally strict verdicts the first. */
export function strictest<Verdict extends PolicyVerdict>(
  first: Verdict,
  others: readonly Verdict[],
): Verdict {
  return others.reduce((found, verdict) => (isStricter(verdict, found) ? verdict : found), first);
}

/** The verdict over a call: the strictest of those over its actions. */
export function decidePolicy(
  call: JudgedCall,
  rules: readonly PolicyRule[],
  scope: PolicyScope = {},
): PolicyVerdict {
  const [first, ...others] = explainPolicy(call, rules, scope);
  const { decision, reason } = strictest(first, others);
  return reason === undefined ? { decision } : { decision, reason };
}

/** The verdict over each action of a call, with the rule that made it. */
export function explainPolicy(
  call: JudgedCall,
  rules: readonly PolicyRule[],
  scope: PolicyScope = {},
): [ActionVerdict, ...ActionVerdict[]] {
  const [first = { effect: call.effect }, ...others] = call.actions ?? [];
  const judge = (action: CallAction): ActionVerdict => judgeAction(action, call, rules, scope);
  return [judge(first), ...others.map(judge)];
}

function judgeAction(
  action: CallAction,
  call: JudgedCall,
  rules: readonly PolicyRule[],
  scope: PolicyScope,
): ActionVerdict {
  const matching = rules.flatMap((rule, index) =>
    matches(rule, action, call, scope) ? [byRule(action, rule, index)] : [],
  );
  const [first = byMode(action, scope), ...others] = matching;
  const verdict = strictest(first, others);
  const { decision, reason } = action;
  // first where it is as strict as a rule: its reason says more
  return decision === undefined
    ? verdict
    : strictest({ action, decision, by: 'the tool itself', ...reasonOf(reason) }, [verdict]);
}

/** A rule with an unknown decision denies: a mistake must not open a gate. */
function byRule(action: CallAction, { decision, reason, tool }: PolicyRule, index: number): ActionVerdict {
  const by = `policy rule ${index + 1} (for "${tool}")`;
  switch (decision) {
    case 'allow':
      return { action, decision, by, ...reasonOf(reason) };
    case 'ask':
      return { action, decision, by, reason: reason ?? `The policy rule for "${tool}" asks a person first.` };
    case 'deny':
      return { action, decision, by, reason: reason ?? `The policy rule for "${tool}" denies it.` };
    default:
      return {
        action,
        decision: 'deny',
        by,
        reason: `The policy rule for "${tool}" has an unknown decision.`,
      };
  }
}

function byMode(action: CallAction, { mode = 'ask' }: PolicyScope): ActionVerdict {
  const by = `mode ${mode}, effect ${action.effect}`;
  if (action.effect === 'read') return { action, decision: 'allow', by };
  switch (mode) {
    case 'act':
      return { action, decision: 'allow', by };
    case 'ask': {
      const reason = action.reason ?? 'It changes something outside, so a person decides.';
      return { action, decision: 'ask', by, reason };
    }
    default: {
      const reason = `${action.reason ?? 'It changes something outside.'} In mode observe only reads run.`;
      return { action, decision: 'deny', by, reason };
    }
  }
}

function reasonOf(reason: string | undefined): { reason?: string } {
  return reason === undefined ? {} : { reason };
}

function matches(
  rule: PolicyRule,
  action: CallAction,
  call: JudgedCall,
  { agent = '', tags = [], on }: PolicyScope,
): boolean {
  const { command, host, path, tag, args = {} } = rule;
  return (
    matchesPattern(rule.tool, call.tool) &&
    (rule.agent === undefined || matchesPattern(rule.agent, agent)) &&
    (rule.on === undefined || (on !== undefined && matchesPattern(rule.on, on))) &&
    (tag === undefined || tags.some((each) => matchesPattern(tag, each))) &&
    (command === undefined || (action.command !== undefined && matchesPattern(command, action.command))) &&
    matchesPlaces(rule, host, action.hosts) &&
    matchesPlaces(rule, path, action.paths) &&
    Object.entries(args).every(([name, pattern]) => matchesArgument(pattern, call.args, name))
  );
}

function matchesPlaces(
  { decision }: PolicyRule,
  pattern: string | undefined,
  places: readonly string[] = [],
): boolean {
  if (pattern === undefined) return true;
  const isMatch = (place: string): boolean => matchesPattern(pattern, place);
  return decision === 'allow' ? places.length > 0 && places.every(isMatch) : places.some(isMatch);
}

function matchesArgument(pattern: string, args: Json | undefined, name: string): boolean {
  const value = typeof args === 'object' && args !== null && !Array.isArray(args) ? args[name] : undefined;
  if (value === undefined) return false;
  return matchesPattern(pattern, typeof value === 'string' ? value : JSON.stringify(value));
}

/** Whether a pattern covers a text; `*` matches any run of characters, also none and line ends. */
export function matchesPattern(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === text;
  if (!text.startsWith(first)) return false;
  let position = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, position);
    if (found < 0) return false;
    position = found + piece.length;
  }
  return text.length - last.length >= position && text.endsWith(last);
}

// Decides allow | ask | deny for one call, by the rules, the effect of its actions and the agent's mode. Pure; called
// twice: when a call is prepared, and again on the worker that is about to run it.
import { defined } from '@holdfast/base/defined';
import type { Json } from '@holdfast/base/json';
import type { AgentSettings } from '@holdfast/vocabulary/agent-spec';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import type {
  AgentMode,
  CallAction,
  PolicyDecision,
  SourcedRule,
  ToolEffect,
} from '@holdfast/vocabulary/tool-spec';
import { isStricter } from '@holdfast/vocabulary/tool-spec';
import { matchesRule, mayMatchRule } from './matching.ts';
import { milderMode } from './modes.ts';
import { protectedPathOf } from './protected-paths.ts';

export type PolicyVerdict = { decision: PolicyDecision; reason?: string };

/** The facts about a call that the policy reads. */
export type PolicyCall = {
  tool: string;
  /** The effect that the tool declares. */
  effect: ToolEffect;
  args?: Json;
  /** The actions that the tool's facts name; absent: the call is one action with the tool's effect. */
  actions?: readonly CallAction[];
};

/** The caller. An absent field means: no agent name, mode `ask`, nothing sensitive read. */
export type PolicyScope = {
  agent?: string;
  /** The agents that have delegated to it: rules that ask or deny them bind it, too. */
  above?: readonly string[] | undefined;
  mode?: AgentMode;
  offTheRecord?: boolean;
  tags?: readonly string[];
  /** The host that the call runs on. */
  on?: string;
};

/** The verdict on one action; `by` names its source, for people. */
export type ActionVerdict = PolicyVerdict & { action: CallAction; by: string };

type PolicyRun = Pick<FrozenContext, 'agent' | 'above'> & {
  settings: Pick<AgentSettings, 'mode' | 'offTheRecord'>;
};

/** The scope of a run's calls, on a worker whose configuration allows at most `maxMode`. */
export function scopeOf({ agent, above, settings }: PolicyRun, maxMode: AgentMode = 'act'): PolicyScope {
  const { mode, offTheRecord } = settings;
  return { agent, above, mode: milderMode(mode, maxMode), offTheRecord };
}

/** The first one wins a tie. */
export function strictest<Verdict extends PolicyVerdict>(
  first: Verdict,
  others: readonly Verdict[],
): Verdict {
  return others.reduce((found, verdict) => (isStricter(verdict, found) ? verdict : found), first);
}

/** The verdict on a call: the strictest of those on its actions. */
export function decidePolicy(
  call: PolicyCall,
  rules: readonly SourcedRule[],
  scope: PolicyScope = {},
): PolicyVerdict {
  const [first, ...others] = explainPolicy(call, rules, scope);
  const { decision, reason } = strictest(first, others);
  return reason === undefined ? { decision } : { decision, reason };
}

/** The verdict on each action of a call, with the rule that made it. */
export function explainPolicy(
  call: PolicyCall,
  rules: readonly SourcedRule[],
  scope: PolicyScope = {},
): [ActionVerdict, ...ActionVerdict[]] {
  const [first = { effect: call.effect }, ...others] = call.actions ?? [];
  const judge = (action: CallAction): ActionVerdict => judgeAction(action, call, rules, scope);
  return [judge(first), ...others.map(judge)];
}

function judgeAction(
  action: CallAction,
  call: PolicyCall,
  rules: readonly SourcedRule[],
  scope: PolicyScope,
): ActionVerdict {
  const { tool, args } = call;
  const { agent = '', above = [], on, tags = [] } = scope;
  const called = { tool, agent, above, on, tags, args, action };
  const seen = action.of === undefined ? [called] : [called, { ...called, ...action.of }];
  const matching = rules.flatMap((rule, index) =>
    seen.some((each) => matchesRule(rule, each)) ? [{ rule, index }] : [],
  );
  const verdicts = matching.map(({ rule, index }) => byRule(action, rule, index));
  const [first = byMode(action, scope), ...others] = verdicts;
  const unknown = rules.flatMap((rule, index) =>
    seen.some((each) => mayMatchRule(rule, each)) ? [byUnknownPath(action, rule, index)] : [],
  );
  const namesPath = matching.some(({ rule }) => rule.path !== undefined && rule.decision === 'allow');
  // before the rules: the first of equally strict verdicts wins, and these give better reasons
  const floors = [...byTool(action), ...byProtection(action, args, namesPath), ...byReadOnly(action, scope)];
  const [floor = first, ...rest] = [...floors, first, ...others, ...unknown];
  return strictest(floor, rest);
}

/** The tool's own verdict: no rule makes it milder. */
function byTool(action: CallAction): ActionVerdict[] {
  const { decision, reason } = action;
  return decision === undefined ? [] : [{ action, decision, by: 'the tool itself', ...defined({ reason }) }];
}

function byProtection(action: CallAction, args: Json | undefined, namesPath: boolean): ActionVerdict[] {
  const found = protectedPathOf(action, args);
  if (found === undefined) return [];
  const { path, tier } = found;
  const by = 'protected path';
  if (tier === 'never') return [{ action, decision: 'deny', by, reason: `No tool may change ${path}.` }];
  if (tier === 1 && namesPath) return [];
  const reason = `${path} says what the agent knows or does, so a person decides over a change of it.`;
  return [{ action, decision: 'ask', by, reason }];
}

/** No rule makes an exception from `observe` and `offTheRecord`; an unknown mode counts as `observe`. */
function byReadOnly(
  action: CallAction,
  { mode = 'ask', offTheRecord = false }: PolicyScope,
): ActionVerdict[] {
  const changesMay = !offTheRecord && (mode === 'ask' || mode === 'act');
  if (changesMay || action.effect === 'read') return [];
  const name = offTheRecord ? 'off the record' : `mode ${mode}`;
  const { reason: own = 'It changes something outside.' } = action;
  const reason = offTheRecord
    ? `${own} A session off the record only reads.`
    : `${own} In mode observe only reads run.`;
  return [{ action, decision: 'deny', by: `${name}, effect ${action.effect}`, reason }];
}

function byUnknownPath(action: CallAction, { path, origin }: SourcedRule, index: number): ActionVerdict {
  const by = origin ?? `policy rule ${index + 1} (for path "${path}")`;
  const reason = `Not all paths that it touches are known before it runs, and ${by} may be for one of them.`;
  return { action, decision: 'ask', by, reason };
}

/** A rule with an unknown decision denies: a mistake must not open a gate. */
function byRule(action: CallAction, rule: SourcedRule, index: number): ActionVerdict {
  const { decision, reason, tool, origin } = rule;
  const by = origin ?? `policy rule ${index + 1} (for "${tool}")`;
  switch (decision) {
    case 'allow':
      return { action, decision, by, ...defined({ reason }) };
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
  if (action.effect === 'read' || mode === 'act') return { action, decision: 'allow', by };
  const reason = action.reason ?? 'It changes something outside, so a person decides.';
  return { action, decision: 'ask', by, reason };
}

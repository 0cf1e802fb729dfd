// The activity evaluatePolicy: the tiers beside the static rules, over calls that these did not deny (MODE-05). Runs in
// Node. The strictest verdict of all tiers counts; if no tier is sure, a person decides.
import type { Activities } from '@holdfast/vocabulary/activity-table';
import { defined } from '@holdfast/base/defined';
import { Context } from '@temporalio/activity';
import type { EvaluatePolicyInput, PolicyDecided } from '@holdfast/vocabulary/activity-contracts';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import { noUsage, textOf, userMessage } from '@holdfast/vocabulary/messages';
import { type CallAction, type PolicyRule, isStricter } from '@holdfast/vocabulary/tool-spec';
import { decideStrictest } from '../../core/tools/access.ts';
import { type CallPlace, readCallPlace } from '../../core/tools/hosts.ts';
import { type AgentsNow, gateOf } from '../../core/tools/limits-now.ts';
import { type PolicyScope } from '../../core/tools/policy.ts';
import type { FrozenContexts } from '../context/frozen-contexts.ts';
import { startHeartbeat } from '../base/heartbeat.ts';
import { complete } from '../model/complete.ts';
import { type ModelBill, createBill, resumeLedger } from '../model/model-attempt.ts';
import { frozenSending, type SendDeps } from '../model/send.ts';
import { sanitiseText } from '@holdfast/redaction/sanitise';
import { cleanReason } from '@holdfast/redaction/clean-output';
import type { RegisteredTool } from '../tools/define-tool.ts';
import { judgeCall, type JudgedCall } from '../tools/judge-call.ts';
import type { Classify } from './classifier.ts';
import { checkRequest, readCheck } from './model-check.ts';
import type { ProposedCall, TierVerdict } from './policy-tiers.ts';

export type EvaluatePolicyDeps = SendDeps &
  AgentsNow & {
    tools: ReadonlyMap<string, RegisteredTool>;
    policy: readonly PolicyRule[];
    /** Absent if this worker has none. */
    classify?: Classify | undefined;
    contexts: Pick<FrozenContexts, 'load'>;
  };

/** Limit of a model check's reply. */
const maxReplyTokens = 300;

type Evaluation = {
  input: EvaluatePolicyInput;
  context: FrozenContext;
  bill: ModelBill;
  deps: EvaluatePolicyDeps;
};

/** One verdict for each call. Throws if a tier could not be asked, which Temporal retries. */
export function createEvaluatePolicy(deps: EvaluatePolicyDeps): Activities['evaluatePolicy'] {
  return async function evaluatePolicy(input) {
    const bill = createBill(resumeLedger(Context.current().info.heartbeatDetails));
    const heartbeat = startHeartbeat(() => ({ ledger: bill.current() }));
    try {
      const context = await deps.contexts.load(input.contextDigest);
      const evaluation = { input, context, bill, deps };
      const verdicts: PolicyDecided[] = [];
      for (const call of input.calls) verdicts.push(await judge(call, evaluation));
      const { wasted: usage = noUsage, wastedUsd: costUsd = 0 } = bill.ledger;
      return context.purposes?.policy ? { verdicts, usage, costUsd } : { verdicts };
    } finally {
      heartbeat.beat();
      heartbeat.stop();
    }
  };
}

async function judge(
  call: EvaluatePolicyInput['calls'][number],
  evaluation: Evaluation,
): Promise<PolicyDecided> {
  const { input, context, deps } = evaluation;
  const { callId, tool: name, args } = call;
  const place = readCallPlace(context, name, args);
  const tool = deps.tools.get(name);
  if (!tool && place.type !== 'host')
    return { callId, decision: 'deny', tier: 'rules', reason: `Unknown tool ${name}` };
  const { agent, tiers } = context;
  const { policies, ...gate } = gateOf(context, deps);
  const scope = { ...gate.scope, tags: input.tags };
  const { decision, reason, facts } =
    place.type === 'host' || !tool
      ? judgeOnHost(call, place, policies, scope)
      : await judgeCall(tool, args, policies, scope);
  const byRules = decided(deps, callId, 'rules', defined({ decision, reason }));
  if (decision === 'deny') return byRules;
  const proposed: ProposedCall = {
    agent,
    task: deps.redactor.text(sanitiseText(input.task)),
    tool: name,
    tags: input.tags,
    args: deps.redactor.json(args, sanitiseText),
    // its shape is the same
    actions: deps.redactor.json(facts.actions ?? [], sanitiseText) as CallAction[],
  };
  const asked = (tiers?.tiers ?? []).filter((tier) => tier !== 'rules');
  for (const [index, tier] of asked.entries()) {
    const verdict = await ask(tier, proposed, evaluation);
    const isLast = index === asked.length - 1;
    if (verdict.decision === 'unsure' && !isLast) continue;
    const sure = decided(deps, callId, tier, verdict);
    return isStricter(byRules, sure) ? byRules : sure;
  }
  return byRules;
}

/** The call's host has reported its actions; the rules are asked about the rest. */
function judgeOnHost(
  { tool, args, effect = 'once' }: EvaluatePolicyInput['calls'][number],
  place: CallPlace,
  policies: readonly (readonly PolicyRule[])[],
  scope: PolicyScope,
): Pick<JudgedCall, 'decision' | 'reason' | 'facts'> {
  const [own, on] = place.type === 'host' ? [place.args, { on: place.host.name }] : [args, {}];
  return { ...decideStrictest({ tool, effect, args: own }, policies, { ...scope, ...on }), facts: {} };
}

function ask(tier: 'classifier' | 'model', call: ProposedCall, evaluation: Evaluation): Promise<TierVerdict> {
  if (tier === 'model') return askModel(call, evaluation);
  const { classify } = evaluation.deps;
  if (classify) return classify(call, Context.current().cancellationSignal);
  return Promise.resolve({ decision: 'deny', reason: 'this worker has no classifier' });
}

/** A failure of the model denies: its own retries are over, and no other model was named for this. */
async function askModel(
  call: ProposedCall,
  { input, context, bill, deps }: Evaluation,
): Promise<TierVerdict> {
  const from = context.purposes?.policy;
  if (!from) return { decision: 'deny', reason: 'the run has no model for the check' };
  const { systemPrompt, prompt, canary } = checkRequest(call);
  const { sessionId, runId, turn } = input;
  const { attempt } = Context.current().info;
  const { reply, failure } = await complete(
    frozenSending(deps, context),
    {
      model: from.model,
      systemPrompt,
      messages: [userMessage(prompt, 'injected')],
      tools: [],
      toolChoice: 'none',
      maxResponseTokens: maxReplyTokens,
      thinkingLevel: 'off',
      metadata: { sessionId, agent: context.agent, runId, turn, attempt, purpose: 'policy' },
    },
    { models: [from], first: 0, accept: () => 'accepted', movesOn: () => false },
    bill,
  );
  if (reply) bill.waste(reply.usage, from);
  if (failure) return { decision: 'deny', reason: `the model check failed: ${failure.message}` };
  return readCheck(reply ? textOf(reply) : '', canary);
}

function decided(
  { redactor }: EvaluatePolicyDeps,
  callId: string,
  tier: PolicyDecided['tier'],
  { decision, reason }: TierVerdict,
): PolicyDecided {
  const sure = decision === 'unsure' ? 'ask' : decision;
  return defined({ callId, decision: sure, tier, reason: reason && cleanReason(reason, redactor) });
}

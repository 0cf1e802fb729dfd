// The activity inspectCalls: the actions of calls on this host, by facts that only the host knows, and the verdict of its
// own rules and the run's. Called before any call of the batch runs; each call is judged again where it runs. In Node.
import type { HostActivities } from '@holdfast/vocabulary/activity-table';
import type { HostVerdict, InspectCallsInput } from '@holdfast/vocabulary/hosts';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import type { PolicyRule } from '@holdfast/vocabulary/tool-spec';
import { defined } from '@holdfast/base/defined';
import { isRecord } from '@holdfast/base/json';
import { gateOf } from '../../core/tools/limits-now.ts';
import { withoutHost } from '../../core/tools/hosts.ts';
import type { FrozenContexts } from '../context/frozen-contexts.ts';
import { mayBeAsked } from '../model/prepare-calls.ts';
import { shownFacts } from '../model/shown-call.ts';
import type { Redactor } from '@holdfast/redaction/redaction';
import { cleanReason } from '@holdfast/redaction/clean-output';
import type { RegisteredTool } from '../tools/define-tool.ts';
import { judgeCall } from '../tools/judge-call.ts';

export type InspectCallsDeps = {
  host: string;
  tools: ReadonlyMap<string, RegisteredTool>;
  policy: readonly PolicyRule[];
  contexts: Pick<FrozenContexts, 'find'>;
  redactor: Redactor;
};

export function createInspectCalls(deps: InspectCallsDeps): HostActivities['inspectCalls'] {
  return async function inspectCalls(input) {
    const context = await deps.contexts.find(input.contextDigest);
    const verdicts: HostVerdict[] = [];
    for (const call of input.calls) verdicts.push(await inspect(call, input, context, deps));
    return { verdicts };
  };
}

async function inspect(
  { callId, tool: name, args }: InspectCallsInput['calls'][number],
  { tags }: InspectCallsInput,
  context: FrozenContext,
  { host, tools, policy, redactor }: InspectCallsDeps,
): Promise<HostVerdict> {
  const tool = tools.get(name);
  if (!tool) {
    const reason = `host ${host} has no tool ${name} any more`;
    return { callId, effect: 'once', decision: 'deny', reason };
  }
  const { policies, ...gate } = gateOf(context, { policy });
  const scope = { ...gate.scope, tags, on: host };
  const own = isRecord(args) ? withoutHost(args) : args;
  const { decision, reason, effect, facts } = await judgeCall(tool, own, policies, scope);
  return {
    callId,
    effect,
    decision,
    ...defined({ reason: reason && cleanReason(reason, redactor) }),
    ...shownFacts(facts, mayBeAsked(decision, context), redactor),
  };
}

// The policy's verdict on one call, and the rule behind it. Prepares the call as this configuration would, without a
// server, a model or an execution.
import { defined } from '@holdfast/base/defined';
import { createPrepareCalls } from '../activities/model/prepare-calls.ts';
import { createRedactor } from '@holdfast/redaction/redaction';
import type { RegisteredTool } from '../activities/tools/define-tool.ts';
import { examineCall } from '../activities/tools/judge-call.ts';
import { loadToolsTool } from '../activities/tools/tool-groups.ts';
import type { Config } from '../config/config.ts';
import { type AssemblyParts, assembleHere } from './assemble-here.ts';
import { defaultAgent, type SessionInput } from '@holdfast/vocabulary/session-input';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import { type AssistantMessage, noUsage } from '@holdfast/vocabulary/messages';
import { argumentsOf } from '@holdfast/vocabulary/tool-spec';
import type { PreparedCall, SourcedRule, ToolEffect } from '@holdfast/vocabulary/tool-spec';
import { describeModes } from '../core/tools/modes.ts';
import { type ActionVerdict, explainPolicy, scopeOf } from '../core/tools/policy.ts';
import { secretsOf } from './own-secrets.ts';
import type { Parts } from './parts.ts';
import { ownRules, statedRules } from './policy-rules.ts';
import { offTools } from './tool-sources/collect-sources.ts';

/** `args` is the JSON text of the arguments, as a model sends it. */
export type CallToExplain = { tool: string; args: string; input: SessionInput };

export type Explanation = {
  tool: string;
  agent: string;
  modes: string;
  /** `reject`: the call fails before the policy sees it. */
  decision: 'allow' | 'ask' | 'deny' | 'reject';
  reason?: string;
  /** The call is never executed; its result only describes what it would do. */
  dryRun?: true;
  effect?: ToolEffect;
  summary?: string;
  /** Shown to the approver beside the arguments. */
  preview?: string;
  /** One for each action of the call; the strictest verdict decides. */
  actions: ActionVerdict[];
};

/** Throws a ConfigError for an agent or a mode that a start would refuse. */
export async function explainCall(
  config: Config,
  parts: AssemblyParts & Pick<Parts, 'checkNames' | 'sources'>,
  call: CallToExplain,
): Promise<Explanation> {
  const rules = await rulesOf(config, parts);
  const loadedGroups = parts.agents.get(call.input.agent ?? defaultAgent)?.toolGroups ?? [];
  // with every group that the agent may load
  const context = await assembleHere(config, parts, { input: call.input, loadedGroups });
  const further = [loadToolsTool, ...(parts.skills?.tools ?? [])];
  const tools = new Map([...parts.tools, ...further.map((tool) => [tool.spec.name, tool] as const)]);
  const redactor = createRedactor((await secretsOf(config)).map(([, value]) => value));
  const prepare = createPrepareCalls({ tools, policy: rules, maxMode: config.maxMode, redactor });
  const [prepared] = await prepare(replyWith(call), context);
  if (prepared === undefined) throw new Error('A prepared message has lost its call');
  const { agent, settings } = context;
  const head = { tool: call.tool, agent, modes: describeModes(settings) };
  if (prepared.status === 'rejected') {
    const reason = withAbsence(prepared.reason, call.tool, context, tools, parts);
    return { ...head, decision: 'reject', reason, actions: [] };
  }
  const tool = tools.get(call.tool);
  const actions = tool ? await judgeActions(tool, call, prepared, { rules, context, config }) : [];
  const { decision, reason, effect, summary, preview } = prepared;
  const isDry = settings.dryRun && effect !== 'read' && decision !== 'deny';
  return {
    ...head,
    decision,
    effect,
    summary,
    actions,
    ...defined({ reason, preview, dryRun: isDry || undefined }),
  };
}

/** All rules of a worker with this config, in the order of their numbers. */
export async function rulesOf(config: Config, { agents }: Pick<Parts, 'agents'>): Promise<SourcedRule[]> {
  return [...statedRules(config, agents), ...(await ownRules(config))];
}

function replyWith({ tool: name, args }: CallToExplain): AssistantMessage {
  const call = { type: 'tool_call' as const, callId: 'proposed', name, arguments: args };
  const model = { provider: 'none', id: 'none' };
  return { role: 'assistant', content: [call], model, usage: noUsage, stopReason: 'tool_use' };
}

type Rules = { rules: SourcedRule[]; context: FrozenContext; config: Config };

async function judgeActions(
  tool: RegisteredTool,
  { args: text }: CallToExplain,
  prepared: Extract<PreparedCall, { status: 'ready' }>,
  { rules, context, config }: Rules,
): Promise<ActionVerdict[]> {
  const { name, effect } = tool.spec;
  const args = argumentsOf({ call: { type: 'tool_call', callId: '', name, arguments: text }, prepared });
  // if the tool cannot describe the call, the whole call is denied
  const examined = await examineCall(tool, args).catch(() => undefined);
  if (examined === undefined) return [];
  const { facts, seen } = examined;
  const call = { tool: name, effect, args: seen, actions: facts.actions ?? [] };
  return explainPolicy(call, rules, scopeOf(context, config.maxMode));
}

/** The model reads only that the tool is unknown; a person also reads the reason. */
function withAbsence(
  reason: string,
  tool: string,
  { agent, settings, tools: present }: FrozenContext,
  tools: ReadonlyMap<string, RegisteredTool>,
  { sources, toolGroups }: Pick<Parts, 'sources' | 'toolGroups'>,
): string {
  if (present.some(({ name }) => name === tool)) return reason;
  const absent = sources
    .flatMap(({ units }) => units)
    .find(({ tools: own }) => own.some(({ name }) => name === tool));
  if (absent !== undefined && absent.status !== 'ready') {
    const why = absent.status === 'failed' ? `failed: ${absent.reason}` : 'is disabled';
    return `${reason}. It belongs to the ${absent.kind === 'mcp' ? 'MCP server' : absent.kind} ${absent.name}, which ${why.replace(/\.$/, '')}.`;
  }
  const off = offTools(sources, tools).find(([name]) => name === tool);
  if (off !== undefined) {
    return `${reason}. It is off here; what turns it on in the configuration: ${off[1]}.`;
  }
  if (!tools.has(tool)) {
    return `${reason}. The tools of this configuration are ${[...tools.keys()].sort().join(', ')}.`;
  }
  const groups = settings.toolGroups?.flatMap((group) => toolGroups[group] ?? []) ?? [];
  const isNamed = [...settings.tools, ...groups].includes(tool);
  const why = isNamed ? `does not have it in ${describeModes(settings)}` : 'does not name it among its tools';
  return `${reason}. The configuration has it, but agent ${agent} ${why}.`;
}

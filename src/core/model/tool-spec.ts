// What a tool is, what a call of it is, and what became of it: specs with zod schemas are in core/tools, handlers in
// activities/tools. Pure.
import type { Json, JsonSchema } from '../base/json.ts';
import type { ToolCallPart } from './messages.ts';

/**
 * What a lost worker means for a call: `read` is run again, `idempotent` is run again with the same key,
 * `once` is never run again (its outcome is then unknown to the model, which reads that it must verify).
 */
export type ToolEffect = 'read' | 'idempotent' | 'once';
export const executionModes = ['parallel', 'sequential'] as const;
export type ExecutionMode = (typeof executionModes)[number];

/** A tool as declared. Only name, description and parameters reach the model. */
export type ToolSpec = {
  name: string;
  description: string;
  /** JSON Schema of the arguments object. */
  parameters: JsonSchema;
  /** A short name for people. */
  label?: string;
  /** Default `once`: the safe assumption about a foreign tool. */
  effect: ToolEffect;
  /** Start-to-close time of one attempt. */
  timeoutMs: number;
  /** Absent inherits the run's mode. */
  executionMode?: ExecutionMode;
  /** Runs inside the session's workflow (core/workflow-tools), not in an activity. */
  runsIn?: 'workflow';
  /** The task queue whose workers run it; absent is the session's own. */
  taskQueue?: string;
  /** The arguments that a one-line summary shows ("grep pool shop.log"), in display order; `tasks.agent` is that
   * field of each object of a list. Absent: all, with their names.
   */
  summaryArguments?: string[];
  /** A lost call of effect `once` is looked up by the activity `reconcile.<name>`. */
  reconciles?: true;
  /** Tags of everything that it returns, e.g. `customer-data`: later calls of the run are judged by them. */
  sensitivity?: string[];
  /** Where it comes from, where that is neither the package nor the configuration's own code, e.g. `mcp:github`. */
  source?: string;
};

/** One thing that a call does, as its tool reads it from the arguments: a shell line with a pipe does two. */
export type CallAction = {
  /** Of this call; a tool of effect `once` may read only, with these arguments. */
  effect: ToolEffect;
  /** A command as it will run. */
  command?: string;
  /** Absolute. */
  paths?: string[];
  /** What further paths begin with, which are not known before it runs: '' anywhere. Rules by path then never allow. */
  unknownPaths?: string[];
  /** Names or addresses, without a port. */
  hosts?: string[];
  /** Why it is no read, for people. */
  reason?: string;
  /** The tool's own verdict: no rule makes it milder. */
  decision?: Exclude<PolicyDecision, 'allow'>;
};

/** What a tool says of one call before it runs; asked where the call is prepared, and again where it runs. */
export type CallFacts = {
  /** The policy judges each; the strictest verdict counts. Empty or absent: one of the tool's own effect. */
  actions?: CallAction[];
  /** What a person is shown beside the arguments, e.g. a diff. At most 16 KiB are kept. */
  preview?: string;
  /** Names what the facts rest on, e.g. the hash of a file: the body gets it, and refuses where it has changed. */
  basis?: string;
  /**
   * What was read to know it, for the body of the same attempt, which need not read it again. Leaves no process.
   * @internal
   */
  found?: unknown;
};

/** What the model gets to see of a tool. */
export type ToolDefinition = Pick<ToolSpec, 'name' | 'description' | 'parameters'>;

export type PolicyDecision = 'allow' | 'ask' | 'deny';

/**
 * A tool call after preparation on a worker: found, arguments parsed, coerced and validated, policy asked.
 * `args` is present only where preparation changed the JSON that the model sent.
 */
export type PreparedCall =
  | {
      status: 'ready';
      callId: string;
      effect: ToolEffect;
      decision: PolicyDecision;
      /** Why the policy decided so; shown to the approver, and to the model on a denial. */
      reason?: string;
      args?: Json;
      /** SHA-256 (hex) of the canonical JSON of the arguments that will run; checked again before they do. */
      argsDigest: string;
      /** The host that it runs on; absent: a worker of the session's own queue. */
      host?: string;
      /** One line for people, at most 100 characters, e.g. `grep pool shop.log`. Never a secret. */
      summary: string;
      /** The arguments as people are shown them, where a secret was taken out. */
      maskedArgs?: string;
      /** Of several parts those that change something, the gravest first. */
      changes?: string;
      /** As in CallFacts. */
      preview?: string;
      basis?: string;
      /** Of the actions that its tool names, where it names any. */
      actionsDigest?: string;
    }
  /** `unknownTool`: the run has no tool of that name. Else the call is wrong in its form, and is made again. */
  | { status: 'rejected'; callId: string; reason: string; unknownTool?: true };

/** Who judges a call, in this order; a person comes last. */
export type PolicyTier = 'rules' | 'classifier' | 'model';

/** How much an agent may do without asking: only read; ask before each change; change what no rule asks about or denies. */
export const agentModes = ['observe', 'ask', 'act'] as const;
export type AgentMode = (typeof agentModes)[number];

/**
 * Of all rules that match an action, the strictest counts (deny > ask > allow), whatever their order. Without one the effect
 * and the mode decide. No rule makes an exception from mode `observe`, `offTheRecord`, a protected path or a tool's own verdict. In every pattern `*` matches any run of characters. A rule matches where each field that it has does.
 */
export type PolicyRule = {
  /** Pattern of the tool's name. */
  tool: string;
  /** The agent's name. */
  agent?: string;
  /** Patterns of arguments by name; an argument that is no text is matched as its JSON. */
  args?: Record<string, string>;
  /** Only what reads, or only what does not. */
  effect?: 'read' | 'change';
  /** A command as it will run, e.g. `systemctl restart *`. */
  command?: string;
  /** Of the hosts or paths of an action: `deny` and `ask` match where one does, `allow` where all do. */
  host?: string;
  /** As `host`, of the paths of an action. */
  path?: string;
  /** Name of the host whose worker runs the call (docs/hosts.md); a call on the session's own workers has none. */
  on?: string;
  /** Matches from then on that a result with such a sensitivity tag has come in this run. */
  tag?: string;
  /** What it says of the calls that it matches. */
  decision: PolicyDecision;
  /** For the model and for people. */
  reason?: string;
};

/** A rule of a start input: it takes away, and never allows what the workers' configuration does not. */
export type NarrowingRule = Omit<PolicyRule, 'agent' | 'decision'> & {
  /** What it says of the calls that it matches. */
  decision: 'ask' | 'deny';
};

/** `origin` names where it is stated, for people; absent: in `policy` of the configuration. */
export type SourcedRule = PolicyRule & { origin?: string };

export function toDefinitions(tools: readonly ToolSpec[]): ToolDefinition[] {
  return tools.map(({ name, description, parameters }) => ({
    ...{ name, description },
    parameters: JSON.parse(JSON.stringify(parameters, withoutBounds)) as JsonSchema,
  }));
}

/** No model counts characters: what is too long or too small is said where a call is checked. */
const bounds: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'minItems', 'maxItems']);

function withoutBounds(key: string, value: unknown): unknown {
  if (bounds.has(key) && typeof value === 'number') return undefined;
  if (key === 'minimum' && Number(value) <= 1) return undefined;
  if (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) return undefined;
  // what is not given is no, or empty
  const isEmpty = value === false || (Array.isArray(value) && value.length === 0);
  return isEmpty && (key === 'additionalProperties' || key === 'default') ? undefined : value;
}

/** `prepared` where preparation changed something; else the model's own text, which preparation has parsed before. */
export function argumentsOf({ arguments: text }: ToolCallPart, prepared: Json | undefined): Json {
  return prepared ?? JSON.parse(text);
}

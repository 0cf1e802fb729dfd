// A tool, a call of it, and the policy about calls, as data. Specs with zod schemas and handlers are in activities.
// Pure.
import { type Json, type JsonSchema, fieldsOf, readJsonText } from '@holdfast/base/json';
import type { ToolCallPart } from './messages.ts';

/**
 * The effect of a tool, which decides the fate of a call whose worker was lost: `read` runs again, `idempotent` runs
 * again with the same key, `once` never runs again (the model reads that the outcome is unknown and must be verified).
 */
export type ToolEffect = 'read' | 'idempotent' | 'once';
/** The kind of data, which says how far a read goes back before the time that its run is about (core/tools/window.ts). */
export type LookBack = 'logs' | 'metrics' | 'changes' | 'symptom';
export const executionModes = ['parallel', 'sequential'] as const;
export type ExecutionMode = (typeof executionModes)[number];

/** A declared tool. Only name, description and parameters reach the model. */
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
  /** `last`: after the other calls of its reply. Absent: the mode of the run. */
  executionMode?: ExecutionMode | 'last';
  /** Runs inside the session's workflow (core/loop/workflow-tools), not in an activity. */
  runsIn?: 'workflow';
  /** The task queue of the workers that run it; absent: the session's own. */
  taskQueue?: string;
  /**
   * The arguments in a one-line summary ("grep pool shop.log"), in display order; `tasks.agent` is that field of each
   * object in a list. Absent: all arguments, with their names.
   */
  summaryArguments?: string[];
  /** A lost call of effect `once` is looked up by the activity `reconcile.<name>`. */
  reconciles?: true;
  /** Arguments that begin a stretch of time: those that a call of a run with a window leaves out are filled in from it. */
  lookBack?: Record<string, LookBack>;
  /** Arguments that are not filled in beside another one, which is named. */
  unless?: Record<string, string>;
  /** Tags of all its results, e.g. `customer-data`: later calls of the run are judged by them. */
  sensitivity?: string[];
  /** Its arguments hold commands, so that one approval never covers other calls. Absent: by the names of its texts. */
  commands?: boolean;
  /** Its origin, e.g. `mcp:github`; absent for a tool of the package or of the configuration's own code. */
  source?: string;
};

/** One action of a call, as its tool reads it from the arguments: a shell line with a pipe has two. */
export type CallAction = {
  /** Effect of this action; a tool of effect `once` may only read with these arguments. */
  effect: ToolEffect;
  /** A command as it will run. */
  command?: string;
  /** Absolute paths of the action. */
  paths?: string[];
  /**
   * Prefixes of further paths that are unknown before it runs; '' means anywhere. Rules with a path then never allow.
   */
  unknownPaths?: string[];
  /** Names or addresses, without a port. */
  hosts?: string[];
  /** The reason that it is no read, for people. */
  reason?: string;
  /** The tool's own verdict: no rule makes it milder. */
  decision?: Exclude<PolicyDecision, 'allow'>;
  /** The tool that makes this action, with its arguments, if another one calls it: rules for either count. */
  of?: { tool: string; args: Json };
};

/** Facts from the tool about one call; asked for when the call is prepared, and again before it runs. */
export type CallFacts = {
  /**
   * The policy judges each action; the strictest verdict counts. Empty or absent: one action with the tool's own
   * effect.
   */
  actions?: CallAction[];
  /** Text for a person beside the arguments, e.g. a diff. At most 16 KiB are kept. */
  preview?: string;
  /** The state that the facts depend on, e.g. the hash of a file: the body gets it, and refuses if it has changed. */
  basis?: string;
  /**
   * Data read for the facts, which the body of the same attempt can reuse. Stays in the process.
   * @internal
   */
  found?: unknown;
};

/** The part of a tool that the model gets. */
export type ToolDefinition = Pick<ToolSpec, 'name' | 'description' | 'parameters'>;

export type PolicyDecision = 'allow' | 'ask' | 'deny';
const strictness: Record<PolicyDecision, number> = { allow: 0, ask: 1, deny: 2 };
type WithDecision = { decision: PolicyDecision };

export function isStricter(one: WithDecision, other: WithDecision): boolean {
  return strictness[one.decision] > strictness[other.decision];
}

/**
 * A tool call after preparation on a worker: found, arguments parsed, coerced and validated, policy applied. `args` is
 * present only if preparation changed the JSON that the model sent.
 */
export type PreparedCall =
  | {
      status: 'ready';
      callId: string;
      effect: ToolEffect;
      decision: PolicyDecision;
      /** The reason for the policy's decision; shown to the approver, and to the model on a denial. */
      reason?: string;
      args?: Json;
      /**
       * First 128 bits (hex) of SHA-256 of the canonical JSON of the arguments that will run; checked again before they
       * do.
       */
      argsDigest: string;
      /** The host that the call runs on; absent: a worker of the session's own queue. */
      host?: string;
      /** One line for people, at most 100 characters, e.g. `grep pool shop.log`. Never a secret. */
      summary: string;
      /** The arguments for people, if a secret was masked in them. */
      maskedArgs?: string;
      /** The parts that change something, gravest first, in a call with several parts. */
      changes?: string;
      /** As in CallFacts, for people. */
      preview?: string;
      basis?: string;
      /** Digest of the actions that the tool names, or of the arguments that hold commands. */
      actionsDigest?: string;
    }
  /**
   * `unknownTool`: the run has no tool of that name. Otherwise it is a mistake that the model can correct: invalid arguments, or
   * the misspelt name of a tool that reads.
   */
  | { status: 'rejected'; callId: string; reason: string; unknownTool?: true };

/** The judges of a call, in this order; a person comes last. */
export type PolicyTier = 'rules' | 'classifier' | 'model';

/**
 * Permission without asking: `observe` only reads; `ask` asks before each change; `act` changes everything that no rule
 * asks about or denies.
 */
export const agentModes = ['observe', 'ask', 'act'] as const;
export type AgentMode = (typeof agentModes)[number];

/**
 * The strictest of all rules that match an action counts (deny > ask > allow), whatever their order. Without a match,
 * the effect and the mode decide. No rule makes an exception from mode `observe`, `offTheRecord`, a protected path or a
 * tool's own verdict. In every pattern `*` matches any run of characters. A rule matches if every field that it has
 * does.
 */
export type PolicyRule = {
  /** Pattern of the tool's name. */
  tool: string;
  /** Name of the agent. */
  agent?: string;
  /** Patterns of arguments by name; an argument that is no text is matched as its JSON. */
  args?: Record<string, string>;
  /** Only actions that read, or only those that do not. */
  effect?: 'read' | 'change';
  /** Pattern of a command as it will run, e.g. `systemctl restart *`. */
  command?: string;
  /** Pattern of hosts of an action: `deny` and `ask` match if one host does, `allow` only if all do. */
  host?: string;
  /** Pattern of paths of an action, matched like `host`. */
  path?: string;
  /** Name of the host whose worker runs the call (docs/hosts.md); a call on the session's own workers has none. */
  on?: string;
  /** Matches once the run has a result with this sensitivity tag. */
  tag?: string;
  /** The decision for matching calls. */
  decision: PolicyDecision;
  /** A reason for the model and for people. */
  reason?: string;
};

/** A rule of a start input: it restricts, and never allows anything that the workers' configuration does not. */
export type NarrowingRule = Omit<PolicyRule, 'agent' | 'decision'> & {
  /** The decision for matching calls. */
  decision: 'ask' | 'deny';
};

/** `origin` names the source of the rule, for people; absent: `policy` of the configuration. */
export type SourcedRule = PolicyRule & { origin?: string };

export function toDefinitions(tools: readonly ToolSpec[]): ToolDefinition[] {
  return tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parameters: fieldsOf(readJsonText(JSON.stringify(parameters, withoutBounds))),
  }));
}

/** Models do not count characters: the check of a call reports a wrong length. */
const bounds: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'minItems', 'maxItems']);

function withoutBounds(key: string, value: unknown): unknown {
  if (bounds.has(key) && typeof value === 'number') return undefined;
  if (key === 'minimum' && Number(value) <= 1) return undefined;
  if (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) return undefined;
  // an absent value means no, or empty
  const isEmpty = value === false || (Array.isArray(value) && value.length === 0);
  return isEmpty && (key === 'additionalProperties' || key === 'default') ? undefined : value;
}

/** Those of the preparation if it has changed them; else the model's own text, which preparation has parsed before. */
export function argumentsOf({ call, prepared }: { call: ToolCallPart; prepared: PreparedCall }): Json {
  return (prepared.status === 'ready' ? prepared.args : undefined) ?? JSON.parse(call.arguments);
}

/** The call for a worker that judges it. */
export function namedCall(entry: { call: ToolCallPart; prepared: PreparedCall }) {
  const { callId, name: tool } = entry.call;
  return { callId, tool, args: argumentsOf(entry) };
}

/** The answer of a call that failed. */
export function failWith(text: string): { text: string; isError: true } {
  return { text, isError: true };
}

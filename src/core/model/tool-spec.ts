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
  /** The arguments that a one-line summary shows ("grep pool shop.log"), in display order. Absent: all, with their names. */
  summaryArguments?: string[];
  /** Where the tool comes from, if it is not the worker's own code: `mcp:<server>`. */
  source?: string;
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
      /** One line for people, at most 100 characters, e.g. `grep pool shop.log`. Never a secret. */
      summary: string;
    }
  | { status: 'rejected'; callId: string; reason: string };

/** First matching rule wins; without one the effect decides: read allow, idempotent and once ask. */
export type PolicyRule = {
  /** Tool name; `*` matches any run of characters. */
  tool: string;
  decision: PolicyDecision;
  reason?: string;
};

export function toDefinitions(tools: readonly ToolSpec[]): ToolDefinition[] {
  return tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
}

/** `prepared` where preparation changed something; else the model's own text, which preparation has parsed before. */
export function argumentsOf({ arguments: text }: ToolCallPart, prepared: Json | undefined): Json {
  return prepared ?? JSON.parse(text);
}

// An agent as data: instructions, tools by name, model and limits. Specs are resolved by name on the worker
// (assembleContext); the start input may override any field.
import type { ThinkingLevel } from './model.ts';
import type { ExecutionMode } from './tools.ts';

/** What a run may spend, children included. Absent fields are unlimited. */
export type Budget = {
  turns?: number;
  wallMs?: number;
  tokens?: number;
  costUsd?: number;
  toolCalls?: number;
};

export type DrainMode = 'one-at-a-time' | 'all';
export type OnLimit = 'finalize' | 'error';

export type AgentSpec = {
  description?: string;
  /** The system prompt's instructions. */
  instructions: string;
  /** Names of registered tools. Empty: the request has no tools field. */
  tools: string[];
  /** `<provider>:<model id>`, e.g. `anthropic:claude-sonnet-4-5`. Absent: the worker's default model. */
  model?: string;
  maxResponseTokens?: number;
  /** In tokens; 0 turns proactive condensing off. Absent: known from the model, else 128,000. */
  contextWindow?: number;
  thinkingLevel?: ThinkingLevel;
  temperature?: number;
  toolExecution?: ExecutionMode;
  toolConcurrency?: number;
  /** Characters of one tool result that the model gets; the rest is an artifact. */
  toolResultCap?: number;
  /** Model responses of one run; 0 is unlimited. */
  maxTurns?: number;
  onLimit?: OnLimit;
  budget?: Budget;
  steeringMode?: DrainMode;
  followUpMode?: DrainMode;
  approvalTimeoutMs?: number;
  approvalsPerHour?: number;
  loopWarn?: number;
  loopStop?: number;
  loopWindow?: number;
  /** How long a retryable model failure is retried before the run fails. */
  modelRetryWindowMs?: number;
  /** After this long without a sign of life a call's worker counts as lost. */
  heartbeatTimeoutMs?: number;
};

/** Every option with a value: the spec's, the start input's over it, the defaults under it. */
export type AgentSettings = Required<Omit<AgentSpec, 'model' | 'description' | 'temperature'>> & {
  temperature?: number;
};

/** The defaults of spec section 2. */
export const agentDefaults = {
  maxResponseTokens: 4_096,
  contextWindow: 128_000,
  thinkingLevel: 'off',
  toolExecution: 'parallel',
  toolConcurrency: 10,
  toolResultCap: 32_000,
  maxTurns: 25,
  onLimit: 'finalize',
  budget: {},
  steeringMode: 'one-at-a-time',
  followUpMode: 'one-at-a-time',
  approvalTimeoutMs: 300_000,
  approvalsPerHour: 10,
  loopWarn: 3,
  loopStop: 5,
  loopWindow: 10,
  modelRetryWindowMs: 900_000,
  heartbeatTimeoutMs: 10_000,
} as const satisfies Omit<AgentSettings, 'instructions' | 'tools'>;

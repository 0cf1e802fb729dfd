// An agent as data: instructions, tools by name, model and limits. Specs are resolved by name on the worker
// (assembleContext); the start input may override any field.
import type { ModelFailureType } from '../base/failures.ts';
import type { HookLists, HookRef } from './hook.ts';
import type { Json } from '../base/json.ts';
import type { ThinkingLevel } from './model-call.ts';
import type { ExecutionMode } from './tool-spec.ts';

/** What a run may spend, children included. Absent fields are unlimited. */
export type Budget = {
  turns?: number;
  wallMs?: number;
  tokens?: number;
  costUsd?: number;
  toolCalls?: number;
};

export type DrainMode = 'one-at-a-time' | 'all';
/** How messages to a session are taken. */
export type QueueOptions = {
  steeringMode: DrainMode;
  followUpMode: DrainMode;
  /** `tool`: steering that waits skips the calls of a batch that have not begun (QUEUE-02). */
  steeringPoint: 'batch' | 'tool';
  /** `shared`: a follow-up goes on counting turns and condenses where the work before it stood. */
  followUpBudget: 'fresh' | 'shared';
  /** What a message does that arrives while the session is idle: start a run, or wait for one. */
  idleMessages: 'run' | 'hold';
};
export type OnLimit = 'finalize' | 'error';
export type Profile = 'main' | 'subagent' | 'triage' | 'chat';
export type OnBudget = 'stop' | 'finalize';
export type OnOperatorError = 'wait' | 'fail';

/** Sent with every request of the agent. Headers stand in history: secrets belong into a worker's hook. */
export type StreamOptions = { temperature?: number; maxTokens?: number; headers?: Record<string, string> };

export type CondenseStrategyName =
  | 'user_summary'
  | 'system_summary'
  | 'summary_only'
  | 'token_tail'
  | 'sliding_window';

/** How the view is folded when it nears the context window. */
export type CondenseOptions = {
  /** What is folded, what stays, and where the summary stands: core/condense/. */
  strategy: CondenseStrategyName;
  /** `usage`: before a request, by the provider's count. `budget`: at run start, by the size of the history. */
  trigger: 'usage' | 'budget';
  /** False: trigger `usage` looks at the last request alone, not at what came since. */
  includeAppended: boolean;
  /** When the request is refused as too long and condensing fails too: end, drop the old part, or ask an operator. */
  onFailure: 'wrap_up' | 'drop_old' | 'ask';
  /** 0 is without limit. */
  maxPerRun: number;
  /** Messages that stay as they are. */
  keepLastN: number;
  /** Of the summary. */
  maxTokens: number;
};

/** Makes old tool results shorter in the view, never in the log: core/view-reducers/. */
export type ViewReducerSpec = {
  name: ViewReducerName;
  /** Absent: the reducer's defaults. */
  params?: { [key: string]: Json };
};
export type ViewReducerName = 'trim_tool_results' | 'observation_mask' | 'stale_tool_results';

export type AgentSpec = {
  description?: string;
  /** The system prompt's instructions. */
  instructions: string;
  /** Names of registered tools. Empty: the request has no tools field. */
  tools: string[];
  /** Names of tool groups of the worker that the agent may load (tool load_tools). Absent: no load_tools. */
  toolGroups?: string[];
  /** How long loaded tools stay: for the run, or for every later run of the session too. */
  loadedTools?: 'run' | 'session';
  /** `<provider>:<model id>`, e.g. `anthropic:claude-sonnet-5-5`. Absent: the worker's default model. */
  model?: string;
  /** Asked in this order when the model before has given up; the rest of the run stays with the one that answered. */
  fallbackModels?: string[];
  /** Failures after which the next model is asked. Default: `defaultFallbackOn`. */
  fallbackOn?: ModelFailureType[];
  /** Other models for side work, e.g. a cheap one for summaries. Absent: the main model. */
  purposeModels?: { condense?: string; extract?: string };
  maxResponseTokens?: number;
  /** In tokens; 0 turns proactive condensing off. Absent: known from the model, else 128,000. */
  contextWindow?: number;
  thinkingLevel?: ThinkingLevel;
  temperature?: number;
  /** Over temperature and maxResponseTokens. */
  streamOptions?: StreamOptions;
  /** JSON Schema (an object) that the text of every reply without calls must follow. */
  outputSchema?: { [key: string]: Json };
  toolExecution?: ExecutionMode;
  toolConcurrency?: number;
  /** Characters of one tool result that the model gets; the rest is an artifact. */
  toolResultCap?: number;
  /** Model responses of one run; 0 is unlimited. */
  maxTurns?: number;
  onLimit?: OnLimit;
  budget?: Budget;
  /** `finalize`: one last request without tools, whose text is the answer. */
  onBudget?: OnBudget;
  queues?: Partial<QueueOptions>;
  /** Without an answer for so long, a call is denied. Absent: 24 hours for an agent of a config file, else 5 minutes. */
  approvalTimeoutMs?: number;
  approvalsPerHour?: number;
  condense?: Partial<CondenseOptions>;
  /** Applied in this order at run start and in the step of a condense. */
  viewReducers?: ViewReducerSpec[];
  loopWarn?: number;
  loopStop?: number;
  loopWindow?: number;
  /** Named functions that are called at fixed points of a run; see docs/hooks.md. */
  hooks?: HookRef[];
  turnHooks?: HookRef[];
  middleware?: HookRef[];
  /** A set of options by name: with `subagent`, `triage` and `chat` less is switched on than with `main`. */
  profile?: Profile;
  /** Of one run, in ms of workflow time: then it is stopped and ends as timed out. */
  deadlineMs?: number;
  /** `fail`: an error inside a run ends it as failed; `block`: the workflow waits for mended code. */
  onError?: 'fail' | 'block';
  /** False: nothing of a call in flight is shown to watchers. */
  live?: boolean;
  /** How long a retryable model failure is retried before the run fails. */
  modelRetryWindowMs?: number;
  /** Counts retryable failures of a call instead of the window's time. */
  maxRetries?: number;
  /** A refused key or spent credit: wait until somebody resumes the session, or fail the run (LOOP-12). */
  onOperatorError?: OnOperatorError;
  /** Saves a checkpoint after every turn, or after every answered tool call, beside that of the run's end. */
  checkpointEvery?: 'turn' | 'tool';
  /** After this long without a sign of life a call's worker counts as lost. */
  heartbeatTimeoutMs?: number;
};

/** Every option with a value: the spec's, the start input's over it, the defaults under it. */
export type AgentSettings = Required<Omit<AgentSpec, SpecOnly | Unset | Nested>> &
  Pick<AgentSpec, Unset> & { condense: CondenseOptions; queues: QueueOptions };

/** Options whose fields have defaults of their own. */
type Nested = 'condense' | 'queues';

/** Resolved into the frozen context. */
type SpecOnly = 'description' | 'model' | 'fallbackModels' | 'purposeModels' | 'profile' | keyof HookLists;
/** Options whose absence means something. */
type Unset = (typeof optionsWithoutDefault)[number];
export const optionsWithoutDefault = [
  'temperature',
  'streamOptions',
  'outputSchema',
  'maxRetries',
  'fallbackOn',
  'deadlineMs',
  'toolGroups',
  'viewReducers',
  'checkpointEvery',
] as const;

/** Another model may well answer where one is gone, broken or unwilling. Keys and credit are an operator's business. */
export const defaultFallbackOn: readonly ModelFailureType[] = [
  'Model.RetriesExhausted',
  'Model.NotFound',
  'Model.EmptyResponse',
  'Model.UnansweredItem',
  'Model.Refusal',
];

/** The defaults of spec section 2. */
export const agentDefaults = {
  maxResponseTokens: 4_096,
  contextWindow: 128_000,
  thinkingLevel: 'off',
  toolExecution: 'parallel',
  toolConcurrency: 10,
  toolResultCap: 32_000,
  loadedTools: 'run',
  maxTurns: 25,
  onLimit: 'finalize',
  budget: {},
  onBudget: 'stop',
  queues: {
    steeringMode: 'one-at-a-time',
    followUpMode: 'one-at-a-time',
    steeringPoint: 'batch',
    followUpBudget: 'fresh',
    idleMessages: 'run',
  },
  approvalTimeoutMs: 300_000,
  approvalsPerHour: 10,
  condense: {
    strategy: 'user_summary',
    trigger: 'usage',
    includeAppended: true,
    onFailure: 'wrap_up',
    maxPerRun: 1,
    keepLastN: 4,
    maxTokens: 500,
  },
  loopWarn: 3,
  loopStop: 5,
  loopWindow: 10,
  modelRetryWindowMs: 900_000,
  onOperatorError: 'wait',
  onError: 'block',
  live: true,
  heartbeatTimeoutMs: 10_000,
} as const satisfies Omit<AgentSettings, 'instructions' | 'tools'>;

/** An agent that has no options of its own. */
export const defaultSettings: AgentSettings = { ...agentDefaults, instructions: '', tools: [] };

/** What a caller may change of a session while it lives. */
export type SessionSettings = Pick<
  Partial<AgentSpec>,
  'model' | 'thinkingLevel' | 'tools' | 'toolExecution'
> & {
  /** Replaces the whole assembled system prompt. */
  systemPrompt?: string;
};

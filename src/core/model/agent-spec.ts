// An agent as data: instructions, tools by name, model and limits. Specs are resolved by name on the worker
// (assembleContext); the start input may override any option. Every option is stated once, in the table below: its type,
// its default and its schema (core/agent/agent-spec.schema.ts) come from there. No zod: the workflow reads the table too.
import type { ModelFailureType } from '../base/failures.ts';
import type { HookRef } from './hook.ts';
import type { Json } from '../base/json.ts';
import { thinkingLevels } from './model-call.ts';
import type { PolicyRule } from './tool-spec.ts';
import { agentModes, executionModes } from './tool-spec.ts';

/** What a value may be. `own` has a schema of its own; its type is a phantom. */
export type OptionKind =
  | { is: 'number'; whole: boolean; min: number; max?: number; above?: true }
  | { is: 'one'; of: readonly string[] }
  | { is: 'flag' }
  | { is: 'texts' }
  | { is: 'group'; fields: Record<string, OptionKind & { default?: unknown }> }
  | { is: 'own'; type?: unknown };

const count = { is: 'number', whole: true, min: 0 } as const;
const positive = { is: 'number', whole: true, min: 1 } as const;
const milliseconds = { is: 'number', whole: true, min: 1 } as const;
const temperature = { is: 'number', whole: false, min: 0, max: 2 } as const;
const texts = { is: 'texts' } as const;
const flag = { is: 'flag' } as const;

function one<const Names extends readonly string[]>(...of: Names): { is: 'one'; of: Names } {
  return { is: 'one', of };
}
function group<const Fields extends Record<string, OptionKind & { default?: unknown }>>(
  fields: Fields,
): { is: 'group'; fields: Fields } {
  return { is: 'group', fields };
}
function own<Type>(): { is: 'own'; type?: Type } {
  return { is: 'own' };
}

const drainMode = one('one-at-a-time', 'all');

const budgetFields = {
  /** Replies of the model. */
  turns: positive,
  /** Time from the start, in ms; waiting for people counts. */
  wallMs: milliseconds,
  /** Input and output together. */
  tokens: positive,
  /** USD; only where prices are known. */
  costUsd: { is: 'number', whole: false, min: 0, above: true },
  /** Calls of tools. */
  toolCalls: positive,
} as const;

const queueFields = {
  /** How many steering messages are taken at once. */
  steeringMode: { ...drainMode, default: 'one-at-a-time' },
  /** How many follow-ups are taken at once. */
  followUpMode: { ...drainMode, default: 'one-at-a-time' },
  /** `tool`: steering that waits skips the calls of a batch that have not begun (QUEUE-02). */
  steeringPoint: { ...one('batch', 'tool'), default: 'batch' },
  /** `shared`: a follow-up adds to the turns and condenses of the work before it. */
  followUpBudget: { ...one('fresh', 'shared'), default: 'fresh' },
  /** What a message does that arrives while the session is idle: start a run, or wait for one. */
  idleMessages: { ...one('run', 'hold'), default: 'run' },
} as const;

const condenseFields = {
  /** What is folded, what stays, and where the summary is: core/view/condense/. */
  strategy: {
    ...one('user_summary', 'system_summary', 'summary_only', 'token_tail', 'sliding_window'),
    default: 'user_summary',
  },
  /** `usage`: before a request, by the provider's count. `budget`: at run start, by the size of the history. */
  trigger: { ...one('usage', 'budget'), default: 'usage' },
  /** False: trigger `usage` looks at the last request alone, not at what came since. */
  includeAppended: { ...flag, default: true },
  /** When the request is refused as too long and condensing fails too: end, drop the old part, or ask an operator. */
  onFailure: { ...one('wrap_up', 'drop_old', 'ask'), default: 'wrap_up' },
  /** 0 is without limit. */
  maxPerRun: { ...count, default: 1 },
  /** Messages that stay as they are. */
  keepLastN: { ...positive, default: 4 },
  /** Of the summary. */
  maxTokens: { ...positive, default: 500 },
} as const;

/** The options of an agent that a start input may override. Without a default, absence means something. */
export const agentOptions = {
  /** Names of tool groups of the worker that the agent may load (tool load_tools). Absent: no load_tools. */
  toolGroups: texts,
  /** Patterns of hosts of the worker's config: it gets every tool that these offer, beside its own ones. */
  hosts: texts,
  /** Names of agents that it may delegate to (tool delegate); `*` is every agent of the configuration. Absent: none. */
  subagents: texts,
  /** How deep it may delegate: a session at this depth has no delegate. The top session has depth 0. */
  maxDelegationDepth: { ...count, default: 1 },
  /** Before the lines of a child with this agent, where several sessions are shown together. */
  prefix: { ...own<string>(), default: '🤖' },
  /** Name of the task board whose tasks delegate may name; children get it too. Absent: none. */
  taskBoard: own<string>(),
  /** Folder of notes about failed subagents, written and found again by delegate; children get it. Absent, empty: none. */
  reflectionDir: own<string>(),
  /** A critic reads the first report of a run: the agent `critic`, or the one that is named. */
  verify: own<boolean | string>(),
  /** How long loaded tools stay: for the run, or for every later run of the session too. */
  loadedTools: { ...one('run', 'session'), default: 'run' },
  /** Names or patterns of skills of the worker (docs/skills.md). Absent: all of them. */
  skills: texts,
  /** Skills whose front matter has `triggers` are loaded by themselves where one of these occurs in the prompt. */
  skillTriggers: flag,
  /** The texts of skills that earlier runs of the session have loaded are in the system prompt. */
  loadedSkillsInPrompt: flag,
  /** `<provider>:<model id>`, e.g. `anthropic:claude-sonnet-5-5`. Absent: the worker's default model. */
  model: own<string>(),
  /** Asked in this order when the model before has given up; the rest of the run stays with the one that answered. */
  fallbackModels: own<string[]>(),
  /** Failures after which the next model is asked. Default: `defaultFallbackOn`. */
  fallbackOn: own<ModelFailureType[]>(),
  /** Other models for side work, e.g. a cheap one for summaries. Absent: the main model. */
  purposeModels: own<PurposeModels>(),
  /** Of one reply, thinking included. */
  maxResponseTokens: { ...positive, default: 4_096 },
  /** In tokens; 0 turns proactive condensing off. Default: known from the model, else this. */
  contextWindow: { ...count, default: 128_000 },
  /** How much the model thinks before it answers. */
  thinkingLevel: { ...one(...thinkingLevels), default: 'off' },
  /** Sent as it is; absent: the provider's default. */
  temperature,
  /** Over temperature and maxResponseTokens. */
  streamOptions: own<StreamOptions>(),
  /** JSON Schema (an object) that the text of every reply without calls must follow. */
  outputSchema: own<{ [key: string]: Json }>(),
  /** How much it may do without asking; see docs/policy.md. */
  mode: { ...one(...agentModes), default: 'ask' },
  /** Nothing but reads is executed: the result of every other call says what it would have done. */
  dryRun: { ...flag, default: false },
  /** Only reads, nothing of MCP servers, and nothing is stored: no checkpoint, archive or artifact. */
  offTheRecord: { ...flag, default: false },
  /** Whether a planner makes a plan before the first turn, and how; see docs/planning.md. */
  planning: {
    ...one('react', 'plan_and_solve', 'tree_of_thoughts', 'self_consistency', 'hierarchical'),
    default: 'react',
  },
  /** `system`: the plan is in the system prompt too, which then must be assembled anew each turn (promptRefresh). */
  planPlacement: one('message', 'system'),
  /** A step was marked as failed: make a new plan, ask a person, or end the run. */
  onStepFailure: { ...one('replan', 'escalate', 'stop'), default: 'replan' },
  /** Whether the calls of one turn run at the same time. */
  toolExecution: { ...one(...executionModes), default: 'parallel' },
  /** Calls of one turn that run at the same time. */
  toolConcurrency: { ...positive, max: 100, default: 10 },
  /** Characters of one tool result that the model gets; the rest is an artifact. */
  toolResultCap: { ...positive, max: 128_000, default: 32_000 },
  /** Model responses of one run; 0 is unlimited. */
  maxTurns: { ...count, default: 25 },
  /** What happens at `maxTurns`. `finalize`: one last request without tools, whose text is the answer. */
  onLimit: { ...one('finalize', 'error'), default: 'finalize' },
  /** What the work may spend, children included; absent fields are unlimited. */
  budget: { ...group(budgetFields), default: {} },
  /** `finalize`: one last request without tools, whose text is the answer. */
  onBudget: { ...one('stop', 'finalize'), default: 'stop' },
  /** How messages to a session are taken. */
  queues: { ...group(queueFields), default: {} },
  /** Without an answer for so long, a call is denied. An agent of a config file waits 24 hours by default. */
  approvalTimeoutMs: { ...milliseconds, default: 300_000 },
  /** Of approvals, and as many questions. */
  approvalsPerHour: { ...count, default: 10 },
  /** Without an answer for so long, a question of ask_human is closed, and the agent reads that nobody answered. */
  questionTimeoutMs: { ...milliseconds, default: 300_000 },
  /** An approval or a question that has waited so long is marked, and an event says so. Absent: never. */
  escalateAfterMs: milliseconds,
  /** How the view is folded when it nears the context window. */
  condense: { ...group(condenseFields), default: {} },
  /** The most chunks of memory that go before a prompt; 0: none. Only where the worker has a memory. */
  memoryTopK: { ...count, max: 50, default: 5 },
  /** How they are chosen. Absent: `hybrid` where the worker has an embedder, else `keyword`. */
  memoryRanking: one('vector', 'keyword', 'hybrid'),
  /** Applied in this order at run start and in the step of a condense. */
  viewReducers: own<ViewReducerSpec[]>(),
  /** So many equal calls in a row, and the agent is warned; 0: never. */
  loopWarn: { ...count, default: 3 },
  /** So many, and the run ends as `loop_detected`; 0: never. */
  loopStop: { ...count, default: 5 },
  /** How many of the newest calls are remembered for that. */
  loopWindow: { ...positive, default: 10 },
  /** Named functions that are called at fixed points of a run; see docs/hooks.md. */
  hooks: own<HookRef[]>(),
  /** A further list of hooks; by custom those of each turn. */
  turnHooks: own<HookRef[]>(),
  /** A further list of hooks; by custom those of the whole run. */
  middleware: own<HookRef[]>(),
  /** How the system prompt is laid out: sections in tags, or headings as in a workspace. Absent: `xml`. */
  promptLayout: one('xml', 'workspace'),
  /** `turn`: the system prompt is assembled anew before each request, from its sources as they are then. Absent: `run`. */
  promptRefresh: one('run', 'turn'),
  /** Where retrieved notes are: before the words of the run's first message, or in the system prompt. Absent: `user`. */
  memoryPlacement: one('user', 'system'),
  /** True: the system prompt has no rules about how to work. Those about sensitive data stay. */
  disableBehavioralHints: flag,
  /** A set of options by name: with `subagent`, `triage` and `chat` less is switched on than with `main`. */
  profile: one('main', 'subagent', 'triage', 'chat'),
  /** Of one run, in ms of workflow time: then it is stopped and ends as timed out. */
  deadlineMs: milliseconds,
  /** `fail`: an error inside a run ends it as failed; `block`: the workflow waits for fixed code. */
  onError: { ...one('fail', 'block'), default: 'block' },
  /** False: nothing of a call in flight is shown to watchers. */
  live: { ...flag, default: true },
  /** How long a retryable model failure is retried before the run fails. */
  modelRetryWindowMs: { ...count, default: 900_000 },
  /** Counts retryable failures of a call instead of the window's time. */
  maxRetries: count,
  /** A refused key or spent credit: wait until somebody resumes the session, or fail the run (LOOP-12). */
  onOperatorError: { ...one('wait', 'fail'), default: 'wait' },
  /** Saves a checkpoint after every turn, or after every answered tool call, beside that of the run's end. */
  checkpointEvery: one('turn', 'tool'),
  /** After this long without a sign of life a call's worker counts as lost. */
  heartbeatTimeoutMs: { ...milliseconds, min: 1_000, default: 10_000 },
} as const satisfies Record<string, OptionKind & { default?: unknown }>;

/** The type of an option's value, by its kind. */
export type OptionValue<Kind> = Kind extends { is: 'own'; type?: infer Type }
  ? Exclude<Type, undefined>
  : Kind extends { of: readonly (infer Name)[] }
    ? Name
    : Kind extends { fields: infer Fields }
      ? { -readonly [Field in keyof Fields]?: OptionValue<Fields[Field]> }
      : Kind extends { is: 'number' }
        ? number
        : Kind extends { is: 'flag' }
          ? boolean
          : string[];

type Options = typeof agentOptions;
/** Values of the options of an agent. */
export type AgentOptionValues = {
  -readonly [Name in keyof typeof agentOptions]?: OptionValue<(typeof agentOptions)[Name]>;
};
type Defaulted = {
  [Name in keyof Options]: Options[Name] extends { default: unknown } ? Name : never;
}[keyof Options];

/** What a run may spend, children included. Absent fields are unlimited. */
export type Budget = NonNullable<AgentOptionValues['budget']>;
/** How messages to a session are taken. */
export type QueueOptions = Required<NonNullable<AgentOptionValues['queues']>>;
/** How the view is folded when it nears the context window. */
export type CondenseOptions = Required<NonNullable<AgentOptionValues['condense']>>;
export type DrainMode = QueueOptions['steeringMode'];
export type CondenseStrategyName = CondenseOptions['strategy'];
export type Profile = NonNullable<AgentOptionValues['profile']>;
export type MemoryRanking = NonNullable<AgentOptionValues['memoryRanking']>;

/** Sent with every request of the agent. Headers are in history: secrets belong into a worker's hook. */
export type StreamOptions = {
  /** Over that of the agent. */
  temperature?: number;
  /** Over maxResponseTokens. */
  maxTokens?: number;
  /** HTTP headers. */
  headers?: Record<string, string>;
};

/** Models for side work. */
export type PurposeModels = {
  /** Summaries of the view. */
  condense?: string;
  /** Facts for the memory. */
  extract?: string;
  /** Plans. */
  planner?: string;
};

/** Makes old tool results shorter in the view, never in the log: core/view/reducers/. */
export type ViewReducerSpec = {
  /** Which one. */
  name: ViewReducerName;
  /** Absent: the reducer's defaults. */
  params?: { [key: string]: Json };
};
export type ViewReducerName = 'trim_tool_results' | 'observation_mask' | 'stale_tool_results';

export type AgentSpec = AgentOptionValues & {
  description?: string;
  /** Rules for this agent alone, beside those of the configuration. A start can only add to them. */
  policy?: Omit<PolicyRule, 'agent'>[];
  /** The system prompt's instructions. */
  instructions: string;
  /** Names of registered tools. Empty: the request has no tools field. */
  tools: string[];
};

/** Resolved into the frozen context. */
const specOnly = [
  'model',
  'fallbackModels',
  'purposeModels',
  'promptLayout',
  'disableBehavioralHints',
  'profile',
  'hooks',
  'turnHooks',
  'middleware',
] as const;
type SpecOnly = (typeof specOnly)[number];
/** Options whose fields have defaults of their own. */
type Nested = 'condense' | 'queues';

/** Every option with a value: the spec's, the start input's over it, the defaults under it. */
export type AgentSettings = Required<Pick<AgentOptionValues, Exclude<Defaulted, Nested>>> &
  Pick<AgentOptionValues, Exclude<keyof AgentOptionValues, Defaulted | SpecOnly>> &
  Pick<AgentSpec, 'instructions' | 'tools'> & { condense: CondenseOptions; queues: QueueOptions };

/** What a run may do at all. */
export type RunModes = Pick<AgentSettings, 'mode' | 'dryRun' | 'offTheRecord'>;

type AgentDefaults = Required<Pick<AgentOptionValues, Exclude<Defaulted, Nested>>> &
  Pick<AgentSettings, Nested>;

export const agentDefaults: AgentDefaults = defaultsOf<AgentDefaults>(agentOptions);

/** What a run is frozen to of an agent's options; the others are resolved. */
export const settingFields: readonly string[] = [
  ...['instructions', 'tools'],
  ...Object.keys(agentOptions).filter((name) => !specOnly.some((other) => other === name)),
];

/** The one place where the defaults get their type: both are read from the table. */
function defaultsOf<Defaults>(options: Record<string, OptionKind & { default?: unknown }>): Defaults {
  const entries = Object.entries(options).flatMap(([name, option]) => {
    if (option.default === undefined) return [];
    return [[name, option.is === 'group' ? defaultsOf(option.fields) : option.default]];
  });
  return Object.fromEntries(entries) as Defaults;
}

/** Another model may well answer where one is gone, broken or unwilling. Keys and credit are an operator's business. */
export const defaultFallbackOn: readonly ModelFailureType[] = [
  'Model.RetriesExhausted',
  'Model.NotFound',
  'Model.EmptyResponse',
  'Model.UnansweredItem',
  'Model.Refusal',
];

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

// An agent as data: instructions, tools by name, model and limits. Specs are resolved by name on the worker
// (assembleContext); the start input may override any option. Every option is stated once, in the table below: its type,
// its default and its schema (core/agent/agent-spec.schema.ts) come from there. No zod: the workflow reads the table too.
import type { HookRef } from './hook.ts';
import type { Json } from '@holdfast/base/json';
import { thinkingLevels } from './model-call.ts';
import { type PolicyRule, agentModes, executionModes } from './tool-spec.ts';

/** The form of a value. `own` has a schema of its own; its type is a phantom. */
export type OptionKind =
  | { is: 'number'; whole: boolean; min: number; max?: number; above?: true }
  | { is: 'one'; of: readonly string[] }
  | { is: 'flag' }
  | { is: 'texts' }
  | { is: 'model' }
  | Group
  | { is: 'own'; type?: unknown };
/** `short` names the member that a text in place of the whole group sets; `ignores` are taken and not used. */
type Group = { is: 'group'; fields: OptionTable; short?: string; ignores?: readonly string[] };
/** A `resolved` option is not part of the settings that a run is frozen to: something else there is made from it. */
export type OptionTable = { readonly [name: string]: OptionKind & { default?: unknown; resolved?: true } };

const count = { is: 'number', whole: true, min: 0 } as const;
const positive = { is: 'number', whole: true, min: 1 } as const;
const milliseconds = { is: 'number', whole: true, min: 1 } as const;
const temperature = { is: 'number', whole: false, min: 0, max: 2 } as const;
const texts = { is: 'texts' } as const;
const flag = { is: 'flag' } as const;
/** `<provider>:<model id>` */
const model = { is: 'model' } as const;
const resolved = { resolved: true } as const;

function one<const Names extends readonly string[]>(...of: Names): { is: 'one'; of: Names } {
  return { is: 'one', of };
}
function group<const Fields extends OptionTable>(fields: Fields): { is: 'group'; fields: Fields } {
  return { is: 'group', fields };
}
function own<Type>(): { is: 'own'; type?: Type } {
  return { is: 'own' };
}

const drainMode = one('one-at-a-time', 'all');

const purposeFields = {
  /** Summaries of the view. */
  condense: model,
  /** Facts for the memory. */
  extract: model,
  /** Model that makes plans. */
  planner: model,
  /** Questions of the user's hooks. */
  hook: model,
} as const;

const modelFields = {
  /** `<provider>:<model id>`, e.g. `anthropic:claude-sonnet-5-5`. Absent: the worker's default model. */
  name: { ...model, ...resolved },
  /** Asked in this order when the model before has given up; the rest of the run stays with the one that answered. */
  fallbacks: { ...own<string[]>(), ...resolved },
  /** Other models for side work, e.g. a cheap one for summaries. Absent: the main model. */
  purposes: { ...group(purposeFields), ...resolved },
  /** The limit of one reply, thinking included. */
  maxResponseTokens: { ...positive, default: 4_096 },
  /** In tokens; 0 turns proactive condensing off. Default: known from the model, else this. */
  contextWindow: { ...count, default: 128_000 },
  /** Depth of the thinking before an answer. */
  thinkingLevel: { ...one(...thinkingLevels), default: 'off' },
  /** Sent as it is; absent: the provider's default. */
  temperature,
  /** HTTP headers of every request. They are in history: secrets belong into a worker's hook. */
  headers: own<Record<string, string>>(),
  /** Time for which a retryable failure is retried before the run fails. */
  retryWindowMs: { ...count, default: 900_000 },
  /** Counts retryable failures of a call instead of the window's time. */
  maxRetries: count,
  /** A refused key or spent credit: wait until somebody resumes the session, or fail the run (LOOP-12). */
  onOperatorError: { ...one('wait', 'fail'), default: 'wait' },
} as const;

const promptFields = {
  /** Form of the system prompt: sections in tags, or headings as in a workspace. Absent: `xml`. */
  layout: { ...one('xml', 'workspace'), ...resolved },
  /** `turn`: the system prompt is assembled anew before each request, from its sources as they are then. Absent: `run`. */
  refresh: one('run', 'turn'),
  /** True: the system prompt has no rules about how to work. Those about sensitive data stay. */
  disableBehavioralHints: { ...flag, ...resolved },
  /** Skills whose front matter has `triggers` are loaded by themselves where one of these occurs in the prompt. */
  skillTriggers: flag,
  /** The texts of skills that earlier runs of the session have loaded are in the system prompt. */
  loadedSkills: flag,
} as const;

const memoryFields = {
  /** The most chunks of memory that go before a prompt; 0: none. Only where the worker has a memory. */
  topK: { ...count, max: 50, default: 5 },
  /** Ranking of the chunks. Absent: `hybrid` where the worker has an embedder, else `keyword`. */
  ranking: one('vector', 'keyword', 'hybrid'),
  /** Place of the chunks: before the words of the run's first message, or in the system prompt. Absent: `user`. */
  placement: one('user', 'system'),
} as const;

const planFields = {
  /** The planner before the first turn, if any; see docs/planning.md. */
  strategy: {
    ...one('react', 'plan_and_solve', 'tree_of_thoughts', 'self_consistency', 'hierarchical'),
    default: 'react',
  },
  /** `system`: the plan is in the system prompt too, which then must be assembled anew each turn (promptConfig.refresh). */
  placement: one('message', 'system'),
  /** After a failed step: make a new plan, ask a person, or end the run. */
  onStepFailure: { ...one('replan', 'escalate', 'stop'), default: 'replan' },
} as const;

const delegationFields = {
  /** Names of agents that it may delegate to (tool delegate); `*` is every agent of the configuration. Absent: none. */
  agents: texts,
  /** Depth limit of delegation: a session at this depth has no delegate. The top session has depth 0. */
  maxDepth: { ...count, default: 1 },
  /** Before the lines of a child with this agent, where several sessions are shown together. */
  prefix: { ...own<string>(), default: '🤖' },
  /** Name of the task board whose tasks delegate may name; children get it too. Absent: none. */
  taskBoard: own<string>(),
  /** Folder of notes about failed subagents, written and found again by delegate; children get it. Absent, empty: none. */
  reflectionDir: own<string>(),
  /** A critic reads the first report of a run: the agent `critic`, or the one that is named. */
  verify: own<boolean | string>(),
} as const;

const loopFields = {
  /** Model responses of one run; 0 is unlimited. */
  maxTurns: { ...count, default: 25 },
  /** The end at `maxTurns`. `finalize`: one last request without tools, whose text is the answer. */
  onLimit: { ...one('finalize', 'error'), default: 'finalize' },
  /** The time of one run, in ms of workflow time: then it is stopped and ends as timed out. */
  deadlineMs: milliseconds,
  /** `parallel`: the calls of one turn run at the same time. */
  toolExecution: { ...one(...executionModes), default: 'parallel' },
  /** Calls of one turn that run at the same time. */
  toolConcurrency: { ...positive, max: 100, default: 10 },
  /** Characters of one tool result that the model gets; the rest is an artifact. */
  toolResultCap: { ...positive, max: 128_000, default: 32_000 },
  /** Lifetime of loaded tools: the run, or every later run of the session too. */
  loadedTools: { ...one('run', 'session'), default: 'run' },
  /** The agent is warned after so many equal calls in a row; 0: never. */
  warn: { ...count, default: 3 },
  /** The run ends as `loop_detected` after so many; 0: never. */
  stop: { ...count, default: 5 },
  /** Number of the newest calls that are compared. */
  window: { ...positive, default: 10 },
  /** `fail`: an error inside a run ends it as failed; `block`: the workflow waits for fixed code. */
  onError: { ...one('fail', 'block'), default: 'block' },
  /** Saves a checkpoint after every turn, or after every answered tool call, beside that of the run's end. */
  checkpointEvery: one('turn', 'tool'),
  /** False: nothing of a call in flight is shown to watchers. */
  live: { ...flag, default: true },
  /** After this long without a sign of life a call's worker counts as lost. */
  heartbeatTimeoutMs: { ...milliseconds, min: 1_000, default: 10_000 },
} as const;

const approvalFields = {
  /** Without an answer for so long, a call does not run. An agent of a config file waits 24 hours by default. */
  timeoutMs: { ...milliseconds, default: 300_000 },
  /** The most approvals in an hour, and as many questions; further ones do not run. With 0 all that asks is denied. */
  perHour: { ...count, default: 10 },
  /** Without an answer for so long, a question of ask_human is closed, and the agent reads that nobody answered. */
  questionTimeoutMs: { ...milliseconds, default: 300_000 },
  /** An approval or a question that has waited so long is marked, and an event says so. Absent: never. */
  escalateAfterMs: milliseconds,
} as const;

const budgetFields = {
  /** Replies of the model. */
  turns: positive,
  /** Milliseconds of work from the start; the time in which people are waited for does not count. */
  wallMs: milliseconds,
  /** Input and output together. */
  tokens: positive,
  /** USD; only where prices are known. */
  costUsd: { is: 'number', whole: false, min: 0, above: true },
  /** Number of tool calls. */
  toolCalls: positive,
} as const;

const queueFields = {
  /** Steering messages that are taken at once. */
  steeringMode: { ...drainMode, default: 'one-at-a-time' },
  /** Follow-ups that are taken at once. */
  followUpMode: { ...drainMode, default: 'one-at-a-time' },
  /** `tool`: steering that waits skips the calls of a batch that have not begun (QUEUE-02). */
  steeringPoint: { ...one('batch', 'tool'), default: 'batch' },
  /** `shared`: a follow-up adds to the turns and condenses of the work before it. */
  followUpBudget: { ...one('fresh', 'shared'), default: 'fresh' },
  /** A message that arrives while the session is idle starts a run, or waits for one. */
  idleMessages: { ...one('run', 'hold'), default: 'run' },
} as const;

const condenseFields = {
  /** The folded part, the kept part and the place of the summary: packages/view/src/condense/. */
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
  /** The limit of a summary. */
  maxTokens: { ...positive, default: 500 },
  /** Make old tool results shorter, in this order, at run start and in the step of a condense. */
  reducers: own<ViewReducerSpec[]>(),
} as const;

/** The options of an agent that a start input may override. Without a default, absence means something. */
export const agentOptions = {
  /** Its model: a name, or a name with how it is asked. */
  model: { ...group(modelFields), short: 'name', ignores: ['reasoning', 'apiKey'] },
  /** Calls that need no approval; see docs/policy.md. */
  mode: { ...one(...agentModes), default: 'ask' },
  /** Nothing but reads is executed: the result of every other call says what it would have done. */
  dryRun: { ...flag, default: false },
  /** Only reads, nothing of MCP servers, and nothing is stored: no checkpoint, archive or artifact. */
  offTheRecord: { ...flag, default: false },
  /** Limits of the work, children included; absent fields are unlimited. */
  budget: group(budgetFields),
  /** Names or patterns of skills of the worker (docs/skills.md). Absent: all of them. */
  skills: texts,
  /** Names of tool groups of the worker that the agent may load (tool load_tools). Absent: no load_tools. */
  toolGroups: texts,
  /** Patterns of hosts of the worker's config: it gets every tool that these offer, beside its own ones. */
  hosts: texts,
  /** Named functions that are called at fixed points of a run, in this order; see docs/hooks.md. */
  hooks: { ...own<HookRef[]>(), ...resolved },
  /** A set of options by name: with `subagent`, `triage` and `chat` less is switched on than with `main`. */
  profile: { ...one('main', 'subagent', 'triage', 'chat'), ...resolved },
  /** JSON Schema (an object) that the text of every reply without calls must follow. */
  outputSchema: own<{ [key: string]: Json }>(),
  /** Form and refresh of the system prompt. */
  promptConfig: group(promptFields),
  /** Its share of the worker's memory. */
  memory: group(memoryFields),
  /** Planning before the first turn and after a failed step. */
  plan: group(planFields),
  /** Which agents it may give work to, and how. */
  delegation: group(delegationFields),
  /** Limits of a run and of its calls, and what happens when something fails. */
  loop: group(loopFields),
  /** Waiting times for people. */
  approvals: group(approvalFields),
  /** Taking of messages to a session. */
  queues: group(queueFields),
  /** Folding of the view when it nears the context window. */
  condense: group(condenseFields),
} as const satisfies OptionTable;

/** The type of an option's value, by its kind. */
export type OptionValue<Kind> = Kind extends { is: 'own'; type?: infer Type }
  ? Exclude<Type, undefined>
  : Kind extends { of: readonly (infer Name)[] }
    ? Name
    : Kind extends { fields: infer Fields }
      ?
          | { -readonly [Field in keyof Fields]?: OptionValue<Fields[Field]> }
          | (Kind extends { short: string } ? string : never)
      : Kind extends { is: 'number' }
        ? number
        : Kind extends { is: 'flag' }
          ? boolean
          : Kind extends { is: 'model' }
            ? string
            : string[];

/** Values of the options of an agent. */
export type AgentOptionValues = {
  -readonly [Name in keyof typeof agentOptions]?: OptionValue<(typeof agentOptions)[Name]>;
};

/** The frozen options of a run: groups and options with a default are present, resolved ones are not. */
type SettingsOf<Fields> = {
  -readonly [Name in keyof Fields as IsThere<Fields[Name], Name>]: Fields[Name] extends {
    fields: infer Inner;
  }
    ? SettingsOf<Inner>
    : OptionValue<Fields[Name]>;
} & {
  -readonly [Name in keyof Fields as IsThere<Fields[Name], never, Name>]?: OptionValue<Fields[Name]>;
};
type IsThere<Option, Yes, No = never> = Option extends { resolved: true }
  ? never
  : Option extends { default: unknown } | { is: 'group' }
    ? Yes
    : No;
type OptionSettings = SettingsOf<typeof agentOptions>;

/** Limits of a run, children included. Absent fields are unlimited. */
export type Budget = NonNullable<AgentOptionValues['budget']>;
/** Taking of messages to a session. */
export type QueueOptions = Required<NonNullable<AgentOptionValues['queues']>>;
/** Folding of the view when it nears the context window. */
export type CondenseOptions = OptionSettings['condense'];
export type DrainMode = QueueOptions['steeringMode'];
export type CondenseStrategyName = CondenseOptions['strategy'];
export type Profile = NonNullable<AgentOptionValues['profile']>;
export type MemoryRanking = NonNullable<OptionSettings['memory']['ranking']>;
/** A model with how it is asked. */
export type ModelOptions = Exclude<NonNullable<AgentOptionValues['model']>, string>;

/** Makes old tool results shorter in the view, never in the log: packages/view/src/reducers/. */
export type ViewReducerSpec = {
  /** Name of the reducer. */
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

/** Every option with a value: the spec's, the start input's over it, the defaults under it. */
export type AgentSettings = OptionSettings & Pick<AgentSpec, 'instructions' | 'tools'>;

/** Limits on any effect of a run. */
export type RunModes = Pick<AgentSettings, 'mode' | 'dryRun' | 'offTheRecord'>;

export const agentDefaults: OptionSettings = defaultsOf<OptionSettings>(agentOptions);

/** The one place where the defaults get their type: both are read from the table. Frozen, since all sessions share them. */
function defaultsOf<Defaults>(options: OptionTable): Defaults {
  const entries = Object.entries(options).flatMap(([name, option]) => {
    if (option.resolved) return [];
    if (option.is === 'group') return [[name, defaultsOf(option.fields)]];
    return option.default === undefined ? [] : [[name, option.default]];
  });
  return Object.freeze(Object.fromEntries(entries)) as Defaults;
}

/** An agent that has no options of its own. */
export const defaultSettings: AgentSettings = { ...agentDefaults, instructions: '', tools: [] };

/** Settings that a caller may change while a session lives. */
export type SessionSettings = {
  /** `<provider>:<model id>` */
  model?: string;
  thinkingLevel?: AgentSettings['model']['thinkingLevel'];
  tools?: string[];
  toolExecution?: AgentSettings['loop']['toolExecution'];
  mode?: AgentSettings['mode'];
  /** Replaces the whole assembled system prompt. */
  systemPrompt?: string;
};

// What a run is frozen to, and how a stretch of the log is named. Made by activities, kept in the state.
import type { ListedAgent } from './children.ts';
import type { ModelRef } from './messages.ts';
import type { ModelPurpose } from './model-call.ts';
import type { PolicyRule, PolicyTier, SourcedRule, ToolSpec } from './tool-spec.ts';
import type { AgentSettings } from './agent-spec.ts';
import type { FrozenHook } from './hook.ts';
import type { FrozenHost } from './hosts.ts';

/** A model with what is known of it. `prices` in USD per million tokens; absent where nobody knows. */
export type FrozenModel = {
  model: ModelRef;
  prices?: { input: number; output: number; cacheRead: number; cacheWrite: number };
  contextWindow?: number;
};

/** Whether nobody knows what it costs; a scripted one costs nothing. */
export function isUnpriced({ model, prices }: Pick<FrozenModel, 'model' | 'prices'>): boolean {
  return prices === undefined && model.provider !== 'scripted';
}

/** The model of side work: its own, else the main one. */
export function modelFor(
  { model, purposes = {} }: Pick<FrozenContext, 'model' | 'purposes'>,
  purpose: Exclude<ModelPurpose, 'main'>,
): ModelRef {
  return purposes[purpose]?.model ?? model;
}

/** Marks the cost of a session whose main model has no known price. */
export function costUnknownOf(context: Pick<FrozenModel, 'model' | 'prices'> | undefined): {
  costUnknown?: true;
} {
  return context && isUnpriced(context) ? { costUnknown: true } : {};
}

/** What a run is frozen to: made once by assembleContext, named by `digest` afterwards. */
export type FrozenContext = {
  digest: string;
  agent: string;
  /** Of the agent, for people and for those that delegate to it. */
  description?: string;
  systemPrompt: string;
  /** The sections that the prompt was assembled from, in their order. Absent: it was given as a whole. */
  promptSections?: { id: string; length: number }[];
  /** Sorted by name; byte-equal in every request of the run. */
  tools: ToolSpec[];
  model: ModelRef;
  /** USD per million tokens; absent where no price is known. */
  prices?: NonNullable<FrozenModel['prices']>;
  /** In the order in which they are asked. */
  fallbacks?: FrozenModel[];
  /** Models of side work that is not the main model's. */
  purposes?: { [Purpose in Exclude<ModelPurpose, 'main'>]?: FrozenModel };
  /** Absent: the rules decide alone, and before the reply is recorded. */
  tiers?: FrozenTiers;
  /** Where model calls are scheduled; absent: the session's own queue. */
  modelTaskQueue?: string;
  settings: AgentSettings;
  /** Search attributes that the server has registered; only these may be upserted. */
  searchAttributes: string[];
  warnings: ContextWarning[];
  /** In the order of their call; absent without any. */
  hooks?: FrozenHook[];
  systemPromptDigest: string;
  /** Names what every request begins with: system prompt and tool definitions. */
  prefixDigest: string;
  /** Version of the estimator that the run counts with (core/view/estimate). */
  estimator: number;
  /** Version of the loop's rules that the run follows (core/state/loop-rules); absent: the first. */
  rules?: number;
  /** Id of the artifact store that the run began with (ArtifactStore.id). */
  artifactStore?: string;
  /** What the worker that froze the run had opened. */
  access?: Access;
  /** The machine of that worker; absent: nothing is said of it. */
  machine?: Machine;
  /** Rules that the start input adds to those of every worker; absent: none. */
  startPolicy?: SourcedRule[];
  /** Digest of the settings of each toolset and MCP server that it may use, by the `source` of its tools; absent: not compared. */
  sourceDigests?: Record<string, string>;
  /**
   * Names of the worker's own functions around a request, e.g. transformContext: a worker without one hands the task
   * back, and a projection that is not named is not applied.
   */
  functions: string[];
  /** Sorted by name; absent: none. */
  skills?: FrozenSkill[];
  /** The hosts that the agent works on, beside the session's own workers; absent: none. */
  hosts?: FrozenHost[];
  /** The agents that it may delegate to, by name, without itself; absent: it has no delegate. */
  agents?: ListedAgent[];
  /** The agent that checks its reports (`verify`); absent: none is to, or the configuration has none. */
  critic?: ListedAgent;
  /** Payloads are encrypted: ids, which are not, hold no words of a task. */
  encrypted?: true;
};

/** A skill as it was when the run began. Its text is kept under its digest, not in history. */
export type FrozenSkill = {
  name: string;
  /** Absent: its text is in the prompt, and nothing else is to be said of it. */
  description?: string;
  /** Of the text that the model is given. */
  sha256: string;
  /** The folder that it was read from, for people. */
  source: string;
  /** What loads it by itself, where the agent has `skillTriggers`. */
  triggers?: string[];
  /** A run before this one has loaded it, and its text is in the prompt. */
  inPrompt?: true;
};

/** For the model: where its tools run. `zone` is an IANA name. */
export type Machine = { host: string; system: string; zone: string };

/** By this name a worker's memory is among its functions. */
export const memoryFunction = 'memory';

/** Whether the run was frozen on a worker with a memory. */
export function hasMemory<Context extends Pick<FrozenContext, 'functions'>>(
  context: Context | undefined,
): context is Context {
  return context?.functions.includes(memoryFunction) === true;
}

/** The judges beside the static rules, and the calls that they are asked about: once something sensitive was read, all. */
export type FrozenTiers = { tiers: PolicyTier[]; calls: 'changes' | 'all' };

/** For whoever watches the run, at its start. */
export type ContextWarning = { code: string; message: string };

/** What commands of the tool bash may reach. Absolute paths. */
export type ShellAccess = {
  sandbox: 'bubblewrap' | 'dangerously-off';
  /** Where an approved command that changes something runs. `never`: nowhere. */
  changes: ShellChanges;
  network: boolean;
  unixSockets: boolean;
  writable: string[];
  hidden: string[];
  open: string[];
};

/** From the narrowest to the widest. */
export const shellChanges = ['never', 'sandbox', 'host'] as const;
export type ShellChanges = (typeof shellChanges)[number];

/** What a worker's configuration opens to its tools. Absolute folders; hosts as http.allow has them. */
export type Access = {
  policy: PolicyRule[];
  roots: string[];
  /** Folders in the roots whose files may be changed; absent: none. */
  writable?: string[];
  hosts: string[];
  /** Paths whose POST requests only read, each with its host before it; absent: none. */
  posts?: string[];
  /** Absent: no shell. */
  shell?: ShellAccess;
};

/** The `artifactId` of a stretch that was stored nowhere: of a session off the record. */
export const notKept = 'not-kept';

/** A stored stretch of the log, inclusive. */
export type Segment = {
  /** Of a JSON array of LogRecord in the artifact store; `not-kept` where nothing is stored. */
  artifactId: string;
  /** Place of its first message. */
  fromSeq: number;
  /** Place of its last message. */
  toSeq: number;
  /** Hex digits over the stored bytes. */
  sha256: string;
};

// The frozen context of a run, and the name of a stored stretch of the log. Made by activities, kept in the state.
// Pure.
import type { ListedAgent } from './children.ts';
import type { ModelRef } from './messages.ts';
import type { ModelPurpose } from './model-call.ts';
import type { TimeWindow } from './time-window.ts';
import type { PolicyRule, PolicyTier, SourcedRule, ToolSpec } from './tool-spec.ts';
import type { AgentSettings } from './agent-spec.ts';
import type { FrozenHook } from './hook.ts';
import type { FrozenHost } from './hosts.ts';

/** A model with its known properties. `prices` in USD per million tokens; absent if unknown. */
export type FrozenModel = {
  model: ModelRef;
  prices?: { input: number; output: number; cacheRead: number; cacheWrite: number };
  contextWindow?: number;
};

/** True if the price is unknown; a scripted model costs nothing. */
export function isUnpriced({ model, prices }: Pick<FrozenModel, 'model' | 'prices'>): boolean {
  return prices === undefined && model.provider !== 'scripted';
}

/** The model of a purpose: its own, else the main one. */
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

/** The frozen parts of a run: assembleContext makes them once, and `digest` names them afterwards. */
export type FrozenContext = {
  digest: string;
  agent: string;
  /** Description of the agent, for people and for agents that delegate to it. */
  description?: string;
  systemPrompt: string;
  /** The sections that the prompt was assembled from, in order. Absent: the prompt was given as a whole. */
  promptSections?: { id: string; length: number }[];
  /** Sorted by name; byte-equal in every request of the run. */
  tools: ToolSpec[];
  model: ModelRef;
  /** USD per million tokens; absent where no price is known. */
  prices?: NonNullable<FrozenModel['prices']>;
  /** In the order in which they are tried. */
  fallbacks?: FrozenModel[];
  /** Models of the purposes that do not use the main model. */
  purposes?: { [Purpose in Exclude<ModelPurpose, 'main'>]?: FrozenModel };
  /** Absent: the rules decide alone, before the reply is recorded. */
  tiers?: FrozenTiers;
  /** The task queue of model calls; absent: the session's own queue. */
  modelTaskQueue?: string;
  settings: AgentSettings;
  /** Search attributes that the server has registered; only these may be upserted. */
  searchAttributes: string[];
  warnings: ContextWarning[];
  /** In calling order; absent: none. */
  hooks?: FrozenHook[];
  systemPromptDigest: string;
  /** Digest of the prefix of every request: system prompt and tool definitions. */
  prefixDigest: string;
  /** Version of the estimator that the run uses (packages/view/src/estimate.ts). */
  estimator: number;
  /** Id of the artifact store of the run (ArtifactStore.id). */
  artifactStore?: string;
  /** The name that the session has taken in that store; absent: none, or its id. The digest does not cover it. */
  storedAs?: string;
  /** The access that the freezing worker's configuration allowed. */
  access?: Access;
  /** The time that the run is about; absent: none is known. */
  window?: TimeWindow;
  /** The machine of that worker; absent: not told to the model. */
  machine?: Machine;
  /** Rules of the start input, in addition to those of every worker; absent: none. */
  startPolicy?: SourcedRule[];
  /**
   * Digest of the settings of each toolset and MCP server that the run may use, by the `source` of its tools; absent:
   * not compared.
   */
  sourceDigests?: Record<string, string>;
  /**
   * Names of the worker's own functions around a request, e.g. transformContext. A worker that lacks one hands the task
   * back, and a projection that is not named is not applied.
   */
  functions: string[];
  /** Sorted by name; absent: none. */
  skills?: FrozenSkill[];
  /** The hosts that the agent works on beside the session's own workers; absent: none. */
  hosts?: FrozenHost[];
  /** Id of the session at the top, of a subagent's run; absent: it is the top itself. */
  top?: string;
  /** Names of the agents that have delegated to it, from the top; absent: none. */
  above?: string[];
  /** Agents whose mode in the configuration holds for the run: it and those above, where no start gave more. */
  modeOf?: string[];
  /** No start gave it a tool that its configuration does not. */
  toolsOfAgent?: true;
  /** The agents that the agent may delegate to, by name and without itself; absent: it has no tool `delegate`. */
  agents?: ListedAgent[];
  /** The agent that checks its reports (`delegation.verify`); absent: not requested, or missing in the configuration. */
  critic?: ListedAgent;
  /** Payloads are encrypted; ids are not, and so have no words of a task. */
  encrypted?: true;
};

/** A skill at the start of the run. Its text is kept under its digest, not in history. */
export type FrozenSkill = {
  name: string;
  /** Absent: its text is already in the prompt. */
  description?: string;
  /** Digest of the text that the model gets. */
  sha256: string;
  /** The folder of the skill's file, for people. */
  source: string;
  /** Words that load it automatically if the agent has `promptConfig.skillTriggers`. */
  triggers?: string[];
  /** The names in its `allowed-tools`. */
  tools?: string[];
  /** An earlier run has loaded it, and its text is in the prompt. */
  inPrompt?: true;
};

/** The machine of the tools, for the model. `zone` is an IANA name. */
export type Machine = { host: string; system: string; zone: string };

/** The entry in `functions` of a worker with a memory. */
export const memoryFunction = 'memory';

/** True if the run was frozen on a worker with a memory. */
export function hasMemory<Context extends Pick<FrozenContext, 'functions'>>(
  context: Context | undefined,
): context is Context {
  return context?.functions.includes(memoryFunction) === true;
}

/** The tiers beside the static rules, and the calls that they judge: after sensitive data was read, all. */
export type FrozenTiers = { tiers: PolicyTier[]; calls: 'changes' | 'all' };

/** A warning at the start of the run, for the people who watch it. */
export type ContextWarning = { code: string; message: string };

/** The reach of commands of the tool bash. Absolute paths. */
export type ShellAccess = {
  sandbox: 'bubblewrap' | 'dangerously-off';
  /** The place of approved commands that change something. `never`: nowhere. */
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

/** The access that a worker's configuration allows its tools. Absolute folders; hosts in the form of http.allow. */
export type Access = {
  policy: PolicyRule[];
  roots: string[];
  /** Folders in the roots whose files may be changed; absent: none. */
  writable?: string[];
  hosts: string[];
  /** Paths whose POST requests only read, each after its host; absent: none. */
  posts?: string[];
  /** Absent if there is no shell. */
  shell?: ShellAccess;
};

/** The `artifactId` of a stretch that a session off the record did not store. */
export const notKept = 'not-kept';

/** A stored stretch of the log, inclusive. */
export type Segment = {
  /** Artifact with a JSON array of LogRecord; `not-kept` if nothing is stored. */
  artifactId: string;
  /** Place of the stretch's first message. */
  fromSeq: number;
  /** Place of the stretch's last message. */
  toSeq: number;
  /** SHA-256 of the stored bytes as hex digits. */
  sha256: string;
  /** The artifact is a JSON array of segments, which together cover this stretch. */
  isList?: true;
};

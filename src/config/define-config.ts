// The default export of a user's holdfast.config.ts: data, tools, hooks and stores. Secrets come from the environment.
import type { ArtifactStore } from '../activities/storage/artifact-store.ts';
import type { AgentSpec } from '../core/model/agent-spec.ts';
import type { Projections } from '../activities/model/model-request.ts';
import type { ModelHooks } from '../activities/model/providers/request-hooks.ts';
import type { OwnModelProvider } from '../activities/model/providers/own-provider.ts';
import type { WireName } from '../activities/model/providers/vendors.ts';
import type { ThinkingLevel } from '../core/model/model-call.ts';
import type { ShellChanges } from '../core/model/frozen-context.ts';
import type { SandboxLimits } from '../activities/sandbox/limits.ts';
import type { PolicyTiers } from '../activities/policy/policy-tiers.ts';
import type { PolicyRule } from '../core/model/tool-spec.ts';
import type { RegisteredHook } from '../activities/hooks/hook-definition.ts';
import type { RegisteredTool } from '../activities/tools/define-tool.ts';

export { defineTool } from '../activities/tools/define-tool.ts';
export { fromLLM, toLLM } from '../core/model/messages.ts';
export type { LlmMessage } from '../core/model/messages.ts';
export { defineHook } from '../activities/hooks/hook-definition.ts';
export type { HookCall, HookDefinition, RegisteredHook } from '../activities/hooks/hook-definition.ts';
export type { ArtifactStore } from '../activities/storage/artifact-store.ts';
export type { RegisteredTool, ToolContext, ToolReturn } from '../activities/tools/define-tool.ts';
export type { ModelHooks, RequestInfo, ResponseInfo } from '../activities/model/providers/request-hooks.ts';
export type { PolicyRule } from '../core/model/tool-spec.ts';
export { ProviderError } from '../activities/model/providers/faults.ts';
export type { ModelFailure } from '../activities/model/providers/model-provider.ts';
export type {
  OwnModelProvider,
  ProviderCallOptions,
  ProviderRequest,
  ReplyPiece,
} from '../activities/model/providers/own-provider.ts';

/** USD per million tokens. */
export type Prices = { input: number; output: number; cacheRead?: number; cacheWrite?: number };

/** A server of models. */
export type ProviderConfig = {
  /** OpenAI's Responses, its Chat Completions, or Anthropic's Messages. Needed for a name of your own. */
  speaks?: WireName;
  /** Needed for a name of your own. No vendor's key of the environment goes there, unless `apiKeyVariable` names it. */
  baseUrl?: string;
  /**
   * Environment variable of its key; the provider is unusable without it. Default: `<NAME>_API_KEY` (`llama.cpp`:
   * LLAMA_CPP_API_KEY), if that is set.
   */
  apiKeyVariable?: string;
  /** A reply is given up after so long without an event. Default 60,000. */
  idleTimeoutMs?: number;
};

export type ModelConfig = {
  prices?: Prices;
  contextWindow?: number;
  /** Whether it can see; else an image is a note. */
  images?: boolean;
  /** Levels in addition to `off`. */
  thinkingLevels?: ThinkingLevel[];
  /** Tokens of output that it can be asked for, thinking included. */
  maxOutput?: number;
};

/** The tool bash. Paths are absolute, or start at the config file. `{}` gives the usual one. */
export type ShellConfig = {
  /**
   * An approved command that changes something runs in the sandbox and changes what lies in `writable` (default), or on
   * the host itself with the rights of the worker. `never`: only commands that read run.
   */
  changes?: ShellChanges;
  /** Folders that commands may write in the sandbox. Default: none. */
  writable?: string[];
  /** Further paths that are not there inside. */
  hidden?: string[];
  /** Paths of the hidden ones that are there all the same. */
  open?: string[];
  /** The network of the host. Hosts that `http.allow` does not name are asked about. Default: none. */
  network?: boolean;
  /** Sockets of daemons, in folders that `open` names. Default: none. */
  unixSockets?: boolean;
  /** Variables that commands see; never a secret. */
  environment?: Record<string, string>;
  limits?: Partial<SandboxLimits>;
  /** The longest that one command may take. Default 600,000. */
  timeoutMs?: number;
  /** Runs commands without bubblewrap, with the rights of the worker: only where something else is the sandbox. */
  sandbox?: 'dangerously-off';
};

export type HoldfastConfig = {
  /**
   * Agent specs by name; `investigator` is built in and may be replaced. An approval waits 24 hours for its answer and is
   * then denied, unless `approvalTimeoutMs` says otherwise.
   */
  agents?: Record<string, AgentSpec>;
  tools?: RegisteredTool[];
  /** Tools by the name of their group, for agents with `toolGroups`: the model loads a group when it needs it. */
  toolGroups?: Record<string, string[]>;
  /** Your own hooks, for the lists `hooks`, `turnHooks` and `middleware` of agents; they run in activities. */
  hooks?: RegisteredHook[];
  /** Default model, `<provider>:<model id>`. */
  model?: string;
  /** Prices, window and abilities of a model, over the known ones. Key: `<provider>:<model id>`. */
  models?: Record<string, ModelConfig>;
  /** Model servers by the name before the colon of a model: further ones, or changes of a built-in one. */
  providers?: Record<string, ProviderConfig>;
  /** Providers of your own, with code for a wire that Holdfast does not speak, by the name before the colon of a model. */
  modelProviders?: Record<string, OwnModelProvider>;
  /**
   * Where the sessions of this project wait for its workers. Default: a name made from the project's folder, so that two
   * projects on one server share none. Name it where workers of one project run in several folders. HOLDFAST_TASK_QUEUE wins.
   */
  taskQueue?: string;
  /** Task queue of a provider's model calls, by its name: a worker there with a rate limit limits them over all workers. */
  modelQueues?: Record<string, string>;
  /** Path of the script that the provider `scripted` plays (YAML or JSON). */
  script?: string;
  policy?: PolicyRule[];
  /** Further judges of the calls that the rules do not deny; they only make a verdict stricter (docs/policy-tiers.md). */
  policyTiers?: PolicyTiers;
  /** Asked before every model request with the provider's name (`openai`, `anthropic`); '' or nothing leaves the key of the environment. */
  getApiKey?: (provider: string) => string | undefined | Promise<string | undefined>;
  /** Around every HTTP request of a model call. */
  modelHooks?: ModelHooks;
  /** Change the messages of one request; the log keeps the original ones. */
  projections?: Projections;
  /** Folders that the file tools may read; relative paths start at the config file. Default: none. */
  files?: { roots: string[] };
  /**
   * What http_get may reach: `host` (ports 80 and 443), `host:port`, and address ranges such as `10.0.0.0/8`. A host
   * may have a loopback or private address only where it is one, is `localhost`, or resolves into a named range.
   * Default: none.
   */
  http?: { allow: string[] };
  /** Opens the tool bash. Default: there is none. */
  shell?: ShellConfig;
  /** Folder of the file store. Default `.holdfast/artifacts`. */
  artifactsDir?: string;
  /** A store of your own for outputs, reports, logs and results, in place of that folder. */
  artifacts?: ArtifactStore;
};

/** Identity, for its types. */
export function defineConfig(config: HoldfastConfig): HoldfastConfig {
  return config;
}

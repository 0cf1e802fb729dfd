// The default export of a user's holdfast.config.ts: data, tools, hooks and stores. Secrets come from the environment.
import type { ArtifactStore } from '../activities/storage/artifact-store.ts';
import type { S3Settings } from '../activities/storage/s3-bucket.ts';
import type { PostgresSettings } from '../activities/memory/postgres-store.ts';
import type { Embed } from '../activities/memory/ranking.ts';
import type { AgentSpec } from '../core/model/agent-spec.ts';
import type { Projections } from '../activities/model/model-request.ts';
import type { ModelHooks } from '../activities/model/providers/request-hooks.ts';
import type { OwnModelProvider } from '../activities/model/providers/own-provider.ts';
import type { WireName } from '../activities/model/providers/vendors.ts';
import type { ThinkingLevel } from '../core/model/model-call.ts';
import type { ShellChanges } from '../core/model/frozen-context.ts';
import type { SandboxLimits } from '../activities/sandbox/limits.ts';
import type { PolicyTiers } from '../activities/policy/policy-tiers.ts';
import type { AgentMode, PolicyRule } from '../core/model/tool-spec.ts';
import type { McpServerSettings } from '../activities/mcp/mcp-settings.ts';
import type { RegisteredHook } from '../activities/hooks/hook-definition.ts';
import type { ToolsetSettings } from '../activities/toolsets/toolsets.ts';
import type { HttpHost } from '../activities/tools/built-in/http-hosts.ts';
import type { SecretSource } from '../activities/secrets/sources.ts';
import type { RegisteredTool } from '../activities/tools/define-tool.ts';
import type { TelemetryConfig } from './telemetry.ts';

export { defineTool } from '../activities/tools/define-tool.ts';
export { fromLLM, toLLM } from '../core/model/messages.ts';
export type { LlmMessage } from '../core/model/messages.ts';
export { defineHook } from '../activities/hooks/hook-definition.ts';
export type { HookCall, HookDefinition, RegisteredHook } from '../activities/hooks/hook-definition.ts';
export type { ArtifactStore, StoredArtifact } from '../activities/storage/artifact-store.ts';
export { createS3ArtifactStore } from '../activities/storage/s3-artifact-store.ts';
export type { S3Settings } from '../activities/storage/s3-bucket.ts';
export type { ToolsetSettings } from '../activities/toolsets/toolsets.ts';
export type { McpServerSettings } from '../activities/mcp/mcp-settings.ts';
export type { Reconciled, RegisteredTool, ToolContext, ToolReturn } from '../activities/tools/define-tool.ts';
export type { ModelHooks, RequestInfo, ResponseInfo } from '../activities/model/providers/request-hooks.ts';
export type { SecretSource } from '../activities/secrets/sources.ts';
export type { PolicyRule } from '../core/model/tool-spec.ts';
export type { TelemetryConfig } from './telemetry.ts';
export { ProviderError } from '../activities/model/providers/faults.ts';
export type { ModelFailure } from '../activities/model/providers/model-provider.ts';
export type {
  OwnModelProvider,
  ProviderCallOptions,
  ProviderRequest,
  ReplyPiece,
} from '../activities/model/providers/own-provider.ts';
export type { HookFunction, HookFunctions } from '../activities/hooks/hook-definition.ts';
export type {
  HttpServerSettings,
  McpCommonSettings,
  StdioServerSettings,
} from '../activities/mcp/mcp-settings.ts';
export type { PostgresSettings } from '../activities/memory/postgres-store.ts';
export type { Embed } from '../activities/memory/ranking.ts';
export type { Projections } from '../activities/model/model-request.ts';
export type { ProviderErrorFacts } from '../activities/model/providers/faults.ts';
export type { LoadImage } from '../activities/model/providers/model-provider.ts';
export type { WireName } from '../activities/model/providers/vendors.ts';
export type { ClassifierSettings, PolicyTiers } from '../activities/policy/policy-tiers.ts';
export type { SandboxLimits } from '../activities/sandbox/limits.ts';
export type { HttpHost } from '../activities/tools/built-in/http-hosts.ts';
export type { ToolDeclaration } from '../activities/tools/define-tool.ts';
export type { ModelFailureType } from '../core/base/failures.ts';
export type { Json, JsonObject, JsonSchema } from '../core/base/json.ts';
export type { AgentOptionValues, AgentSpec, OptionValue } from '../core/model/agent-spec.ts';
export type { FrozenSkill, ShellChanges } from '../core/model/frozen-context.ts';
export type {
  AfterToolCall,
  BeforeToolCall,
  HookContext,
  HookInputs,
  HookOutputs,
  HookPoint,
  InjectedMessage,
  RunEnding,
  RunStart,
  TurnEnd,
  TurnHookInput,
} from '../core/model/hook.ts';
export type { FrozenHost, HostToAsk } from '../core/model/hosts.ts';
export type {
  AssistantContent,
  AssistantMessage,
  CallDecision,
  CustomMessage,
  ImagePart,
  LogRecord,
  Message,
  ModelRef,
  Preface,
  RecordHead,
  SaidPart,
  StopDetail,
  StopReason,
  CallOutcome,
  CallTimes,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  ToolResultMessage,
  Usage,
  UserContent,
  UserMessage,
  UserOrigin,
} from '../core/model/messages.ts';
export type { ModelPurpose, ModelRequest, ThinkingLevel, ToolChoice } from '../core/model/model-call.ts';
export type { ReportRef } from '../core/model/run-result.ts';
export type {
  AgentMode,
  CallAction,
  CallFacts,
  ExecutionMode,
  PolicyDecision,
  ToolDefinition,
  ToolEffect,
  ToolSpec,
} from '../core/model/tool-spec.ts';
export type { LogFormat, LogLevel } from './telemetry.ts';
export type { OtlpTarget, PrometheusTarget } from './telemetry.ts';

/** USD per million tokens. */
export type Prices = {
  /** Input that no cache had. */
  input: number;
  /** Output, thinking included. */
  output: number;
  /** Input read from the provider's cache. Default: as `input`. */
  cacheRead?: number;
  /** Input written into that cache. Default: as `input`. */
  cacheWrite?: number;
};

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
  /** Tokens of a whole request. */
  contextWindow?: number;
  /** Whether it can see; else an image is a note. */
  images?: boolean;
  /** Levels in addition to `off`. */
  thinkingLevels?: ThinkingLevel[];
  /** Tokens of output that it can be asked for, thinking included. */
  maxOutput?: number;
};

/** Keys of the payload codec, by id. Each is 32 bytes as hex or base64. */
export type EncryptionConfig = {
  /** Encrypts what is sent from now on. */
  activeKey: string;
  /** `secret://name`, or a source of its own. All of them decrypt. */
  keys: Record<string, string | SecretSource>;
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
  /** Of one command; absent ones have their defaults. */
  limits?: Partial<SandboxLimits>;
  /** The longest that one command may take. Default 600,000. */
  timeoutMs?: number;
  /** Runs commands without bubblewrap, with the rights of the worker: only where something else is the sandbox. */
  sandbox?: 'dangerously-off';
};

/** What agents remember from run to run; `{}` gives the usual one. */
export type MemoryConfig = {
  /** Folder of the files. Default: that of the config file. */
  dir?: string;
  /** Names of the files in it that are found. Default MEMORY.md, AGENTS.md and HEARTBEAT.md. */
  files?: string[];
  /** The index: `sqlite` (default) for workers of one host, in `.holdfast/memory.db`; a database for those of many. */
  store?:
    | 'sqlite'
    | {
        /** Its database. */
        postgres: PostgresSettings;
      };
  /** Makes one vector for each text, for search by meaning. It is asked at worker start, for each run, and by search_memory. */
  embed?: Embed;
};

export type HoldfastConfig = {
  /**
   * Agent specs by name, beside the files in `agents/`. `investigator` and others come with the package; one of the same name replaces them. An approval waits 24 hours for its answer and is
   * then denied, unless `approvalTimeoutMs` says otherwise; a question waits as long, unless `questionTimeoutMs` does.
   */
  agents?: Record<string, AgentSpec>;
  /** Tools of your own, made with `defineTool`. */
  tools?: RegisteredTool[];
  /** Tools by the name of their group, for agents with `toolGroups`: the model loads a group when it needs it. */
  toolGroups?: Record<string, string[]>;
  /**
   * Folders of skills, or skill folders themselves: each skill is a folder with a SKILL.md (docs/skills.md). Relative paths
   * start at the config file. Of two skills with one name the first folder's counts.
   */
  skills?: string[];
  /** Folders of runbooks, one Markdown file an alert name, for the tool find_runbook. Relative paths start at the config file. */
  runbooks?: string[];
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
  /** Which calls run, ask a person, or are denied; see docs/policy.md. */
  policy?: PolicyRule[];
  /** Further judges of the calls that the rules do not deny; they only make a verdict stricter (docs/policy-tiers.md). */
  policyTiers?: PolicyTiers;
  /** The most that an agent or a start may have as its `mode`. Default `act`. */
  maxMode?: AgentMode;
  /** Files and folders that no tool may change. Relative paths start at the config file; `*` matches any characters. */
  protectedPaths?: string[];
  /** Asked before every model request with the provider's name (`openai`, `anthropic`); '' or nothing leaves the key of the environment. */
  getApiKey?: (provider: string) => string | undefined | Promise<string | undefined>;
  /** Around every HTTP request of a model call. */
  modelHooks?: ModelHooks;
  /** Change the messages of one request; the log keeps the original ones. */
  projections?: Projections;
  /**
   * Folders that the file tools may read, and those in them whose files `write` and `edit` may change. Relative paths start at
   * the config file. Default: none.
   */
  files?: {
    /** What may be read. */
    roots: string[];
    /** What of it may be changed. */
    writable?: string[];
  };
  /**
   * What http_get may reach: `host` (ports 80 and 443), `host:port`, and address ranges such as `10.0.0.0/8`. A host
   * may have a loopback or private address only where it is one, is `localhost`, or resolves into a named range.
   * Default: none.
   */
  http?: {
    /** The hosts, as above. */
    allow: string[];
    /**
     * By an entry of `allow`: headers that are sent to that host alone (over https, unless the entry names a port or the host
     * is loopback), and paths whose POST requests only read (http_post; `*` matches within one segment).
     */
    hosts?: Record<string, HttpHost>;
  };
  /**
   * Toolsets by the name of a starter set (host, systemd, nginx, postgresql, redis, prometheus, kubernetes, docker, git,
   * network) or by the path of a YAML file; relative paths start at the config file.
   */
  toolsets?: Record<string, ToolsetSettings>;
  /** MCP servers by name, whose tools the worker offers as `mcp__<name>__<tool>`. */
  mcpServers?: Record<string, McpServerSettings>;
  /** Values by name, read where they are used. Settings name them as `secret://name`. Paths start at the config file. */
  secrets?: Record<string, SecretSource>;
  /** Encrypts all payloads of the history. Workers, clients and commands of a namespace need the same keys. */
  encryption?: EncryptionConfig;
  /** Opens the tool bash. Default: there is none. */
  shell?: ShellConfig;
  /** Lets agents find notes and past incidents again. Default: nothing is remembered. */
  memory?: MemoryConfig;
  /**
   * Hosts by name that agents may work on: each has a worker of its own (`holdfast worker --host web-1`), whose tools the
   * investigator gets, and agents with `hosts`. Several hosts share one `taskQueue`.
   */
  hosts?: Record<
    string,
    {
      /** For the model and for people. */
      description?: string;
    }
  >;
  /**
   * Folder of IDENTITY.md, SOUL.md, USER.md and AGENTS.md, which enter the prompt of every agent where they exist. Default: the
   * folder of the config file.
   */
  promptDir?: string;
  /** Folder of the file store. Default `.holdfast/artifacts`. */
  artifactsDir?: string;
  /** Outputs, reports, logs and results go into a bucket of S3, or into a store of your own, in place of that folder. */
  artifacts?:
    | ArtifactStore
    | {
        /** A bucket of S3, or of a server that speaks as it does. */
        s3: S3Settings;
      };
  /**
   * The most bytes that are kept of the output of one tool call, from 8 MiB to 1 GiB; of a longer one its beginning, its end,
   * and the number of bytes between them. A session keeps 16 times as much of its long outputs. Default 67,108,864 (64 MiB).
   */
  maxOutputBytes?: number;
  /** Workers serve the Nexus service `holdfast` on the task queue of sessions (docs/calling.md). Default: they do not. */
  nexus?: boolean;
  /** The log of workers, and where they say that they are well. Default: a log, and nothing else. */
  telemetry?: TelemetryConfig;
  /** Artifacts of sessions that ended longer ago are removed by `holdfast artifacts prune`. Nothing is removed by itself. */
  retention?: {
    /** Days since the end of the session. */
    artifactsDays: number;
  };
};

/** Identity, for its types. */
export function defineConfig(config: HoldfastConfig): HoldfastConfig {
  return config;
}

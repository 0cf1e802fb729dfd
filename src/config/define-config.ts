// The default export of a user's holdfast.config.ts: data, tools, hooks and stores. Secrets come from the environment.
import type { Output } from '../../packages/base/src/schema-output.ts';
import type { configFields } from './schema/config.schema.ts';

export { defineTool } from '../activities/tools/define-tool.ts';
export { fromLLM, toLLM } from '../../packages/vocabulary/src/messages.ts';
export type { LlmMessage } from '../../packages/vocabulary/src/messages.ts';
export * from '../activities/hooks/hook-definition.ts';
export type { NoteStore } from '../activities/storage/note-store.ts';
export type { ArtifactStore, StoredArtifact } from '../activities/storage/artifact-store.ts';
export { createS3ArtifactStore } from '../activities/storage/s3-artifact-store.ts';
export type { S3Settings } from '../activities/storage/s3-bucket.ts';
export type { ToolsetSettings } from '../../packages/sources/src/toolset.schema.ts';
export type { McpServerSettings } from '../activities/mcp/mcp-settings.ts';
export type { Reconciled, RegisteredTool, ToolContext, ToolReturn } from '../activities/tools/define-tool.ts';
export type { OwnTaskBoard, TaskRefusal } from '../activities/tools/own-task-board.ts';
export type { ModelHooks, RequestInfo, ResponseInfo } from '../../packages/providers/src/request-hooks.ts';
export type { SecretSource } from '../activities/secrets/sources.ts';
export type { PolicyRule } from '../../packages/vocabulary/src/tool-spec.ts';
export type { TelemetryConfig, LogFormat, LogLevel, OtlpTarget, PrometheusTarget } from './telemetry.ts';
export { ProviderError } from '../../packages/providers/src/faults.ts';
export type { ModelFailure, LoadImage } from '../../packages/providers/src/model-provider.ts';
export type {
  OwnModelProvider,
  ProviderCallOptions,
  ProviderRequest,
  ReplyPiece,
} from '../../packages/providers/src/own-provider.ts';
export type {
  HttpServerSettings,
  PresetServerSettings,
  StdioServerSettings,
} from '../activities/mcp/mcp-settings.ts';
export type { PostgresSettings } from '../activities/storage/postgres-settings.ts';
export type { Embed } from '../activities/notes/ranking.ts';
export type { Projections } from '../activities/model/model-request.ts';
export type { ProviderErrorFacts } from '../../packages/providers/src/faults.ts';
export type { WireName } from '../../packages/providers/src/vendors.ts';
export type { ClassifierSettings, PolicyTiers } from '../activities/policy/policy-tiers.ts';
export type { SandboxLimits } from '../../packages/processes/src/sandbox/limits.ts';
export type { HttpHost } from '../activities/built-in/http/http-hosts.ts';
export type { ToolDeclaration } from '../activities/tools/define-tool.ts';
export type { ModelFailureType } from '../../packages/base/src/failures.ts';
export type { AlertStart } from '../../packages/vocabulary/src/alert.ts';
export type { Json, JsonObject, JsonSchema } from '../../packages/base/src/json.ts';
export type { AgentOptionValues, AgentSpec, OptionValue } from '../../packages/vocabulary/src/agent-spec.ts';
export type { FrozenSkill, ShellChanges } from '../../packages/vocabulary/src/frozen-context.ts';
export type {
  AfterToolCall,
  BeforeToolCall,
  HookContext,
  HookInputs,
  HookOutputs,
  HookPoint,
  WorkerPoint,
  InjectedMessage,
  RunEnding,
  RunStart,
  TurnEnd,
  TurnHookInput,
} from '../../packages/vocabulary/src/hook.ts';
export type { FrozenHost, HostToAsk } from '../../packages/vocabulary/src/hosts.ts';
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
} from '../../packages/vocabulary/src/messages.ts';
export type {
  ModelPurpose,
  ModelRequest,
  ThinkingLevel,
  ToolChoice,
} from '../../packages/vocabulary/src/model-call.ts';
export type { MessageRange, ReportRef, SeqRange } from '../../packages/vocabulary/src/run-result.ts';
export type {
  AgentMode,
  CallAction,
  CallFacts,
  ExecutionMode,
  LookBack,
  PolicyDecision,
  ToolDefinition,
  ToolEffect,
  ToolSpec,
} from '../../packages/vocabulary/src/tool-spec.ts';
export type { MemoryConfig } from './schema/memory.schema.ts';
export type { NotesConfig } from './schema/memory.schema.ts';
export type { ModelConfig, Prices, ProviderConfig } from './schema/models.schema.ts';
export type { EncryptionConfig } from './schema/secrets.schema.ts';
export type { ShellConfig } from './schema/shell.schema.ts';

export type HoldfastConfig = Output<typeof configFields>;

/** Returns `config` unchanged; use it for its types. */
export function defineConfig(config: HoldfastConfig): HoldfastConfig {
  return config;
}

// The default export of a user's holdfast.config.ts: data, tools, hooks and stores. Secrets come from the environment.
import type { Output } from '../../packages/base/src/schema-output.ts';
import type { configFields } from './schema/config.schema.ts';

export { defineTool } from '../activities/tools/define-tool.ts';
export { defineHook } from '../activities/hooks/hook-definition.ts';
export { fromLLM, toLLM } from '../../packages/vocabulary/src/messages.ts';
export { createS3ArtifactStore } from '../activities/storage/s3-artifact-store.ts';
export { ProviderError } from '../../packages/providers/src/faults.ts';

export type { AgentSpec } from '../../packages/vocabulary/src/agent-spec.ts';
export type { CallFacts, PolicyRule, ToolEffect } from '../../packages/vocabulary/src/tool-spec.ts';
export type { ModelConfig, ProviderConfig } from './schema/models.schema.ts';
export type { ToolsetSettings } from '../../packages/sources/src/toolset.schema.ts';
export type { McpServerSettings } from '../activities/mcp/mcp-settings.ts';
export type {
  Reconciled,
  RegisteredTool,
  ToolContext,
  ToolDeclaration,
  ToolReturn,
} from '../activities/tools/define-tool.ts';
export type {
  AroundModelCall,
  HookCall,
  HookDefinition,
  RegisteredHook,
} from '../activities/hooks/hook-definition.ts';
export type { HookInputs, HookOutputs, HookPoint } from '../../packages/vocabulary/src/hook.ts';
export type {
  OwnModelProvider,
  ProviderCallOptions,
  ProviderRequest,
  ReplyPiece,
} from '../../packages/providers/src/own-provider.ts';
export type { ModelFailure } from '../../packages/providers/src/model-provider.ts';
export type { ModelFailureType } from '../../packages/base/src/failures.ts';
export type { ProviderErrorFacts } from '../../packages/providers/src/faults.ts';
export type { ModelHooks } from '../../packages/providers/src/request-hooks.ts';
export type { ModelRequest } from '../../packages/vocabulary/src/model-call.ts';
export type { ArtifactStore, StoredArtifact } from '../activities/storage/artifact-store.ts';
export type { NoteStore } from '../activities/storage/note-store.ts';
export type { S3Settings } from '../activities/storage/s3-bucket.ts';
export type { OwnTaskBoard, TaskRefusal } from '../activities/tools/own-task-board.ts';
export type { SecretSource } from '../activities/secrets/sources.ts';
export type {
  AssistantMessage,
  CustomMessage,
  LlmMessage,
  LogRecord,
  Message,
  ToolResultMessage,
  UserMessage,
} from '../../packages/vocabulary/src/messages.ts';
export type { Json, JsonObject, JsonSchema } from '../../packages/base/src/json.ts';

export type HoldfastConfig = Output<typeof configFields>;

/** Returns `config` unchanged; use it for its types. */
export function defineConfig(config: HoldfastConfig): HoldfastConfig {
  return config;
}

// The default export of a user's holdfast.config.ts: data, tools, hooks and stores. Secrets come from the environment.
import type { Infer } from '@holdfast/base/schema-output';
import type { configFields } from './schema/config.schema.ts';

export { defineTool } from '../activities/tools/define-tool.ts';
export { defineHook } from '../activities/hooks/hook-definition.ts';
export { fromLLM, toLLM } from '@holdfast/vocabulary/messages';
export { createS3ArtifactStore } from '../activities/storage/s3-artifact-store.ts';
export { ProviderError } from '@holdfast/providers/faults';

export type { AgentSpec } from '@holdfast/vocabulary/agent-spec';
export type { CallFacts, PolicyRule, ToolEffect } from '@holdfast/vocabulary/tool-spec';
export type { ModelConfig, ProviderConfig } from './schema/models.schema.ts';
export type { ToolsetSettings } from '@holdfast/sources/toolset.schema';
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
export type { HookInputs, HookOutputs, HookPoint } from '@holdfast/vocabulary/hook';
export type {
  OwnModelProvider,
  ProviderCallOptions,
  ProviderRequest,
  ReplyPiece,
} from '@holdfast/providers/own-provider';
export type { ModelFailure } from '@holdfast/providers/model-provider';
export type { ModelFailureType } from '@holdfast/base/failures';
export type { ProviderErrorFacts } from '@holdfast/providers/faults';
export type { ModelHooks } from '@holdfast/providers/request-hooks';
export type { ModelRequest } from '@holdfast/vocabulary/model-call';
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
} from '@holdfast/vocabulary/messages';
export type { Json, JsonObject, JsonSchema } from '@holdfast/base/json';

export type HoldfastConfig = Infer<typeof configFields>;

/** Returns `config` unchanged; use it for its types. */
export function defineConfig(config: HoldfastConfig): HoldfastConfig {
  return config;
}

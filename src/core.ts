// The entry `holdfast/core`: the parts without Temporal. Estimates, the plan of a condense, the system prompt, and a run of
// the loop with effects of the caller. Needs no package.
export { assemblePrompt } from './core/agent/prompt/assemble-prompt.ts';
export type { NamedText, PromptLayout, PromptParts } from './core/agent/prompt/prompt-parts.ts';
export { estimateTokens } from '../packages/view/src/estimate.ts';
export * from './in-process/run-agent.ts';
export type { Clock } from './in-process/memory-host.ts';
export type { JsonObject } from '../packages/base/src/json.ts';
export type { AgentSpec } from '../packages/vocabulary/src/agent-spec.ts';
export type { AgentEvent } from '../packages/vocabulary/src/events.ts';
export type * from '../packages/vocabulary/src/hook.ts';
export type { AssistantMessage, LogRecord, Message, ModelRef } from '../packages/vocabulary/src/messages.ts';
export type { ModelRequest } from '../packages/vocabulary/src/model-call.ts';
export type { RunResult, SessionResult } from '../packages/vocabulary/src/run-result.ts';
export type { ToolDefinition, ToolEffect } from '../packages/vocabulary/src/tool-spec.ts';

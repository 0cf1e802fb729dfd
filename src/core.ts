// The entry `holdfast/core`: the parts without Temporal. Estimates, the plan of a condense, the system prompt, and a run of
// the loop with effects of the caller. Needs no package.
export { assemblePrompt } from './core/agent/prompt/assemble-prompt.ts';
export type { NamedText, PromptLayout, PromptParts } from './core/agent/prompt/prompt-parts.ts';
export { estimateTokens } from './core/view/estimate.ts';
export * from './in-process/run-agent.ts';
export type { Clock } from './in-process/memory-host.ts';
export type { JsonObject } from './core/base/json.ts';
export type { AgentSpec } from './core/model/agent-spec.ts';
export type { AgentEvent } from './core/model/events.ts';
export type * from './core/model/hook.ts';
export type { AssistantMessage, LogRecord, Message, ModelRef } from './core/model/messages.ts';
export type { ModelRequest } from './core/model/model-call.ts';
export type { RunResult, SessionResult } from './core/model/run-result.ts';
export type { ToolDefinition, ToolEffect } from './core/model/tool-spec.ts';

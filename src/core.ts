// The entry `holdfast/core`: the parts without Temporal. Estimates, the plan of a condense, the system prompt, and a run of
// the loop with effects of the caller. Needs no package.
export { assemblePrompt } from './core/agent/prompt/assemble-prompt.ts';
export { estimateTokens } from '@holdfast/view/estimate';
export { openAgent, planCondense, runAgent } from './in-process/run-agent.ts';
export type {
  AgentRun,
  AgentStart,
  MessagesPlan,
  OpenAgent,
  PlainAgent,
  RunEffects,
} from './in-process/run-agent.ts';
export type { PromptParts } from './core/agent/prompt/prompt-parts.ts';
export type { AgentEvent } from '@holdfast/vocabulary/events';
export type { AssistantMessage, LogRecord, Message } from '@holdfast/vocabulary/messages';
export type { ModelRequest } from '@holdfast/vocabulary/model-call';
export type { RunResult, SessionResult } from '@holdfast/vocabulary/run-result';

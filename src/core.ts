// The entry `holdfast/core`: the parts without Temporal. Estimates, the plan of a condense, the system prompt, and a run of
// the loop with effects of the caller. Needs no package.
export { assemblePrompt } from './core/agent/prompt/assemble-prompt.ts';
export { estimateTokens } from '../packages/view/src/estimate.ts';
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
export type { AgentEvent } from '../packages/vocabulary/src/events.ts';
export type { AssistantMessage, LogRecord, Message } from '../packages/vocabulary/src/messages.ts';
export type { ModelRequest } from '../packages/vocabulary/src/model-call.ts';
export type { RunResult, SessionResult } from '../packages/vocabulary/src/run-result.ts';

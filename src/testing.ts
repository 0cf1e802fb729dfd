// The public test kit: a model with scripted replies, played against the real loop. No key, no network.
export { parseModelScript, loadModelScript } from './scripted/load-model-script.ts';
export { recordScript, toScriptFile } from './scripted/record-script.ts';
export { recordedTools } from './worker/tool-sources/recorded-tools.ts';
export * from './testing/scripted-model.ts';
export { testAgent } from './testing/test-agent.ts';
export type { AgentTest, TestedRun } from './testing/agent-test.ts';
export * from './testing/test-server.ts';
export type { ModelScript, ScriptCall, ScriptStep } from './scripted/model-script.ts';
export type { ModelCallOptions, ModelProvider } from './activities/model/providers/model-provider.ts';
export type { RegisteredTool } from './activities/tools/define-tool.ts';
export type { CallOutcome, CallTimes } from './core/model/messages.ts';
export type { Change } from './core/model/run-result.ts';
export type { Failure } from './core/base/failures.ts';
export type { Json } from './core/base/json.ts';
export type { CallDecision, LogRecord, ModelRef, RecordHead, StopReason } from './core/model/messages.ts';
export type * from './core/model/model-call.ts';
export type { NamedCall, RunCause, RunResult, SeqRange, SessionResult } from './core/model/run-result.ts';
export type {
  CheckpointInput,
  ParentLink,
  SessionInput,
  StoredCheckpoint,
} from './core/model/session-input.ts';
export type { ChildRef, PendingApproval, PendingQuestion } from './core/model/snapshot.ts';
export type { ToolDefinition, ToolEffect } from './core/model/tool-spec.ts';

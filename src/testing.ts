// The public test kit: a model with scripted replies, played against the real loop. No key, no network.
export { parseModelScript, loadModelScript } from '../packages/scripted-model/src/load-model-script.ts';
export { recordScript, toScriptFile } from '../packages/scripted-model/src/record-script.ts';
export { recordedTools } from './worker/tool-sources/recorded-tools.ts';
export * from './testing/scripted-model.ts';
export { testAgent } from './testing/test-agent.ts';
export type { AgentTest, TestedRun } from './testing/agent-test.ts';
export * from './testing/test-server.ts';
export type { ModelScript, ScriptCall, ScriptStep } from '../packages/scripted-model/src/model-script.ts';
export type { ModelCallOptions, ModelProvider } from '../packages/providers/src/model-provider.ts';
export type { RegisteredTool } from './activities/tools/define-tool.ts';
export type { CallOutcome, CallTimes } from '../packages/vocabulary/src/messages.ts';
export type { Change } from '../packages/vocabulary/src/run-result.ts';
export type { Failure } from '../packages/base/src/failures.ts';
export type { Json } from '../packages/base/src/json.ts';
export type {
  CallDecision,
  LogRecord,
  ModelRef,
  RecordHead,
  StopReason,
} from '../packages/vocabulary/src/messages.ts';
export type * from '../packages/vocabulary/src/model-call.ts';
export type {
  NamedCall,
  RunCause,
  RunResult,
  SeqRange,
  SessionResult,
} from '../packages/vocabulary/src/run-result.ts';
export type {
  CheckpointInput,
  ParentLink,
  SessionInput,
  StoredCheckpoint,
} from '../packages/vocabulary/src/session-input.ts';
export type { ChildRef, PendingApproval, PendingQuestion } from '../packages/vocabulary/src/snapshot.ts';
export type { ToolDefinition, ToolEffect } from '../packages/vocabulary/src/tool-spec.ts';

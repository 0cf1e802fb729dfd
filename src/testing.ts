// The public test kit: a model with scripted replies, played against the real loop. No key, no network.
export { parseModelScript, loadModelScript } from '@holdfast/scripted-model/load-model-script';
export { recordScript, toScriptFile } from '@holdfast/scripted-model/record-script';
export { recordedTools } from './worker/tool-sources/recorded-tools.ts';
export * from './testing/scripted-model.ts';
export { testAgent } from './testing/test-agent.ts';
export * from './testing/test-server.ts';
export type { AgentTest, TestedRun } from './testing/agent-test.ts';
export type { ModelScript, ScriptCall, ScriptStep } from '@holdfast/scripted-model/model-script';
export type { RegisteredTool } from './activities/tools/define-tool.ts';
export type { RunResult, SessionResult } from '@holdfast/vocabulary/run-result';
export type { SessionInput } from '@holdfast/vocabulary/session-input';
export type { PendingApproval, PendingQuestion } from '@holdfast/vocabulary/snapshot';

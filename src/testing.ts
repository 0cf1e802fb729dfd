// The public test kit: a model with scripted replies, played against the real loop. No key, no network.
export { parseModelScript, loadModelScript } from '../packages/scripted-model/src/load-model-script.ts';
export { recordScript, toScriptFile } from '../packages/scripted-model/src/record-script.ts';
export { recordedTools } from './worker/tool-sources/recorded-tools.ts';
export * from './testing/scripted-model.ts';
export { testAgent } from './testing/test-agent.ts';
export * from './testing/test-server.ts';
export type { AgentTest, TestedRun } from './testing/agent-test.ts';
export type { ModelScript, ScriptCall, ScriptStep } from '../packages/scripted-model/src/model-script.ts';
export type { RegisteredTool } from './activities/tools/define-tool.ts';
export type { RunResult, SessionResult } from '../packages/vocabulary/src/run-result.ts';
export type { SessionInput } from '../packages/vocabulary/src/session-input.ts';
export type { PendingApproval, PendingQuestion } from '../packages/vocabulary/src/snapshot.ts';

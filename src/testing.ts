// The public test kit: a model that says what a test tells it to, played against the real loop. No key, no network.
export { parseModelScript, loadModelScript } from './activities/providers/script-file.ts';
export { recordScript, toScriptFile } from './testing/record-script.ts';
export { recordedTools } from './testing/recorded-tools.ts';
export { ScriptedModel, callTool, callTools, say, scriptOf } from './testing/scripted-model.ts';
export type { StepInput } from './testing/scripted-model.ts';
export { testAgent } from './testing/test-agent.ts';
export type { AgentTest, TestedRun } from './testing/test-agent.ts';
export { startTestServer } from './testing/test-server.ts';
export type { TestServer } from './testing/test-server.ts';
export type { ModelScript, ScriptCall, ScriptStep } from './core/model-script.ts';

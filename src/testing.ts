// The public test kit: a model that says what a test tells it to, played against the real loop. No key, no network.
export { parseModelScript, loadModelScript } from './scripted/load-model-script.ts';
export { recordScript, toScriptFile } from './scripted/record-script.ts';
export { recordedTools } from './scripted/recorded-tools.ts';
export { ScriptedModel, callTool, callTools, say, scriptOf } from './testing/scripted-model.ts';
export type { StepInput } from './testing/scripted-model.ts';
export { testAgent } from './testing/test-agent.ts';
export type { AgentTest, TestedRun } from './testing/agent-test.ts';
export { startTestServer } from './testing/test-server.ts';
export type { TestServer } from './testing/test-server.ts';
export type { ModelScript, ScriptCall, ScriptStep } from './scripted/model-script.ts';

// A start is refused by one rule: by a worker before a session begins, and where the run is assembled.
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test } from 'vitest';
import { createAssembleContext } from '../../src/activities/assembly/assemble-context.ts';
import type { WorkerParts } from '../../src/activities/context/worker-parts.ts';
import type { AgentSpec } from '@holdfast/vocabulary/agent-spec';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { checkInput } from '../../src/worker/check-input.ts';
import { memoryStore } from '../support/model-bench.ts';
import { echoTool } from '../support/session-worker.ts';

const spec: AgentSpec = { instructions: 'Look.', tools: ['echo'] };
const agents = new Map<string, AgentSpec>([
  ['investigator', spec],
  ['gone', { ...spec, tools: ['grep'], toolGroups: ['logs'] }],
  ['chatty', { ...spec, tools: ['grep'], profile: 'chat' }],
  ['hooked', { ...spec, hooks: [{ name: 'gard' }] }],
]);
const names = { destinations: ['team'], toolGroups: new Set(['more']), providers: new Set(['scripted']) };
const missing = new Map([['openai', 'set OPENAI_API_KEY.']]);
const model = 'scripted:test';

function refusedByWorker(input: SessionInput): string | undefined {
  try {
    checkInput(input, { ...names, agents, model, missing, tools: new Set(['echo']), hooks: new Map() });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function refusedByRun(input: SessionInput): Promise<string | undefined> {
  const parts: WorkerParts = {
    ...names,
    identity: 'w1',
    tools: new Set(['echo', 'load_tools']),
    providerAdvice: missing,
    hooks: new Set<string>(),
    functions: new Set<string>(),
  };
  const assemble = createAssembleContext({
    agents,
    parts,
    defaultModel: model,
    models: {},
    searchAttributes: [],
    artifacts: memoryStore(),
    tools: new Map([['echo', echoTool()]]),
    toolGroups: { more: [] },
  });
  const environment = new MockActivityEnvironment();
  try {
    await environment.run(() => assemble({ sessionId: 's', runId: 'r', input }));
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return message.replace(/^Worker w1 on task queue \S+ cannot begin this run\. /, '');
  }
}

const starts: [input: SessionInput, words: RegExp | undefined][] = [
  [{}, undefined],
  [{ toolGroups: ['more'] }, undefined],
  [{ agent: 'nobody' }, /^There is no agent "nobody": expected one of chatty, gone, hooked, investigator\.$/],
  [{ delegation: { agents: ['nobody'] } }, /^There is no agent "nobody"/],
  [{ delegation: { verify: 'nobody' } }, /^There is no agent "nobody"/],
  // without an agent for it the report is taken with a warning
  [{ delegation: { verify: true } }, undefined],
  [{ agent: 'gone' }, /^There is no tool "grep": expected one of echo\.$/],
  [{ agent: 'gone', tools: ['echo'] }, /^There is no tool group "logs": expected one of more\.$/],
  [{ agent: 'gone', tools: ['echo'], toolGroups: [] }, undefined],
  // a profile takes tools and hooks away: what it leaves counts
  [{ agent: 'chatty' }, undefined],
  [{ agent: 'chatty', profile: 'main' }, /^There is no tool "grep"/],
  [{ agent: 'gone', profile: 'chat' }, undefined],
  [{ agent: 'hooked' }, /^There is no hook "gard": expected one of condense, /],
  [{ agent: 'hooked', profile: 'subagent' }, undefined],
  [{ hooks: [{ name: 'timeout' }] }, /^The parameters of hook "timeout" are wrong: /],
  [{ model: 'openai:gpt-5.1' }, /^Model openai:gpt-5\.1 cannot be used: set OPENAI_API_KEY\.$/],
  [{ model: { fallbacks: ['openai:gpt-5.1'] } }, /^Model openai:gpt-5\.1 cannot be used/],
  [
    { model: { purposes: { condense: 'acme:x' } } },
    /^Model acme:x cannot be used: There is no model provider "acme"/,
  ],
  [{ delegation: { agents: ['*', 'nobody'] } }, /^There is no agent "nobody": expected one of /],
  [{ loop: { maxTurns: -1 } }, /^The start input is not valid\. loop\.maxTurns: /],
];

test.each(starts)(
  '[WORKER-02b] a start with %j is refused in the same words wherever it is checked',
  async (input, words) => {
    const message = refusedByWorker(input);
    if (words === undefined) expect(message).toBeUndefined();
    else expect(message).toMatch(words);
    expect(await refusedByRun(input)).toBe(message);
  },
);

test('[DELIV-04a] a start that names a destination which the worker does not have is refused, with those that it has', () => {
  expect(refusedByWorker({ prompt: 'go', deliver: [{ to: 'team' }] })).toBeUndefined();
  expect(refusedByWorker({ prompt: 'go', deliver: [{ to: 'team' }, { to: 'teem' }] })).toBe(
    'There is no destination "teem": expected one of team. Did you mean "team"?',
  );
});

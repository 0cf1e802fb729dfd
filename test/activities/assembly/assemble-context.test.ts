// What a run is frozen to, alone: without a model, a server, or the environment of an activity.
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createAssembleContext } from '../../../src/activities/assembly/assemble-context.ts';
import type { AssembleContextDeps } from '../../../src/activities/assembly/assemble-context.ts';
import type { BegunWith } from '@holdfast/vocabulary/activity-contracts';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { createMemoryArtifactStore } from '../../../src/in-process/memory-artifact-store.ts';
import { defineTool } from '../../../src/activities/tools/define-tool.ts';

const tools = ['wait', 'echo', 'look'].map((name) =>
  defineTool({
    name,
    description: name,
    input: z.strictObject({}),
    effect: 'read' as const,
    run: () => Promise.reject(new Error('assembling must not run a tool')),
  }),
);

function assemble(
  input: Partial<SessionInput> = {},
  { begun, ...more }: Partial<AssembleContextDeps> & { begun?: BegunWith } = {},
): Promise<FrozenContext> {
  const assembleContext = createAssembleContext({
    agents: new Map([
      ['tester', { instructions: 'You are a test.', tools: ['wait', 'echo'] }],
      ['investigator', { instructions: 'You look.', tools: ['look'] }],
    ]),
    tools: new Map(tools.map((tool) => [tool.spec.name, tool])),
    defaultModel: 'scripted:test',
    models: {},
    artifacts: createMemoryArtifactStore(),
    searchAttributes: [],
    ...more,
  });
  const run = { sessionId: 's', runId: 'run-1', input: { agent: 'tester', ...input } };
  return assembleContext({ ...run, ...(begun ? { begun } : {}) });
}

test.each<[string, Partial<SessionInput>, Partial<AssembleContextDeps>, string]>([
  ['a tool', {}, { tools: new Map() }, 'There is no tool "wait"'],
  ['a tool group', { toolGroups: ['more'] }, {}, 'There is no tool group "more"'],
  ['the agent of the start', { agent: 'nightly' }, {}, 'There is no agent "nightly"'],
  [
    'a view reducer',
    { condense: { reducers: [{ name: 'newer' as never }] } },
    {},
    'has no view reducer "newer"',
  ],
])(
  '[WORKER-01a] a run that needs %s which its worker lacks is handed back with its name',
  async (_, input, deps, message) => {
    const assembled = new MockActivityEnvironment().run(() => assemble(input, deps));
    await expect(assembled).rejects.toMatchObject({
      type: 'Worker.Lacks',
      message: expect.stringContaining(message),
    });
  },
);

const parent = {
  sessionId: 'top',
  name: 'scout-1',
  depth: 1,
  parent: '',
  callId: 'c1',
  within: { mode: 'act' as const, budget: {} },
};

test.each<[string, Partial<SessionInput>, string]>([
  ["the agent's instructions", {}, '<instructions>\nYou are a test.\n</instructions>'],
  ['the instructions of the start', { instructions: 'Be brief.' }, '<instructions>\nBe brief.\n'],
  ['those of another agent', { agent: 'investigator' }, 'Name: investigator\n'],
  ['a layout', { promptConfig: { layout: 'workspace' } }, '# Instructions\n\nYou are a test.'],
  ['what only an agent under another gets', { parent }, '<completion_protocol>'],
  ['the notice of a session off the record', { offTheRecord: true }, 'exactly these: echo, wait.'],
  ['the rules about data', { promptConfig: { disableBehavioralHints: true } }, '<sensitive_data>'],
])('[LOOP-28] prompt assembly: %s', async (_, input, part) => {
  expect((await assemble(input)).systemPrompt).toContain(part);
});

test('[LOOP-28] prompt assembly: the whole text of the start replaces everything', async () => {
  const input = { instructions: 'Be brief.', systemPrompt: 'Only this.', parent };
  expect((await assemble(input)).systemPrompt).toBe('Only this.');
});

test('[PROMPT-06] without hints the prompt has no behavioural rules', async () => {
  expect((await assemble()).systemPrompt).toContain('<behavioral_constraints>');
  const without = await assemble({ promptConfig: { disableBehavioralHints: true } });
  expect(without.systemPrompt).not.toContain('behavioral_constraints');
});

test('[LOOP-28] [PROMPT-01b] the same in, the same out: the digests name text and tools, whatever their order was', async () => {
  const [first, again, turned] = await Promise.all([
    assemble(),
    assemble(),
    assemble({ tools: ['echo', 'wait'] }),
  ]);
  expect(again).toEqual(first);
  expect(turned?.prefixDigest).toBe(first?.prefixDigest);
  expect(first?.tools.map(({ name }) => name)).toEqual(['echo', 'wait']);
  const other = await assemble({ instructions: 'Be brief.' });
  expect(other.systemPromptDigest).not.toBe(first?.systemPromptDigest);
  const fewer = await assemble({ tools: ['echo'] });
  expect([fewer.systemPromptDigest, fewer.prefixDigest === first?.prefixDigest]).toEqual([
    first?.systemPromptDigest,
    false,
  ]);
});

test('[PROMPT-15bc] the machine of a run is kept with it, and is no part of what every request begins with', async () => {
  const machine = { host: 'web-1', system: 'Linux 6.1 x64', zone: 'Europe/Berlin' };
  const [here, there] = await Promise.all([
    assemble({}, { machine }),
    assemble({}, { machine: { ...machine, host: 'web-2' } }),
  ]);
  expect(here?.machine).toEqual(machine);
  expect(here?.systemPrompt).not.toContain('web-1');
  expect(there?.prefixDigest).toBe(here?.prefixDigest);
  // on another worker it stays what the model was told
  const begun = { machine, functions: [], artifactStore: 'memory' };
  expect((await assemble({}, { machine: { ...machine, host: 'web-2' }, begun })).machine).toEqual(machine);
});

test('[COND-26a] a reply has at most a quarter of a window that is known', async () => {
  const of = async (input: Partial<SessionInput>) => (await assemble(input)).settings.model.maxResponseTokens;
  expect(await of({})).toBe(4_096);
  expect(await of({ model: { contextWindow: 8_000 } })).toBe(2_000);
  expect(await of({ model: { contextWindow: 8_000, maxResponseTokens: 500 } })).toBe(500);
  expect(await of({ model: { contextWindow: 0 } })).toBe(4_096);
});

test('[MODE-01b] the modes are fixed for a run, whatever the agent of the worker says that assembles it anew', async () => {
  const modes = { mode: 'observe', dryRun: true, offTheRecord: true } as const;
  const agents = new Map([
    ['tester', { instructions: 'x', tools: ['wait', 'write'], mode: 'act' as const, dryRun: false }],
  ]);
  const write = defineTool({
    name: 'write',
    description: 'Writes.',
    input: z.strictObject({}),
    effect: 'once' as const,
    run: () => Promise.reject(new Error('assembling must not run a tool')),
  });
  const all = new Map([...tools, write].map((tool) => [tool.spec.name, tool]));
  const anew = await assemble({}, { agents, tools: all, begun: { functions: [], modes } });
  expect(anew.settings).toMatchObject(modes);
  expect(anew.tools.map(({ name }) => name)).toEqual(['wait']);
  expect(anew).not.toHaveProperty('modes');
  const next = await assemble({}, { agents, tools: all });
  expect(next.settings).toMatchObject({ mode: 'act', dryRun: false });
  expect(next.tools.map(({ name }) => name)).toEqual(['wait', 'write']);
});

test('the settings of toolsets and MCP servers are fixed for a run, whichever worker assembles it anew', async () => {
  const [wait, echo] = tools.map((tool) => ({
    ...tool,
    spec: { ...tool.spec, source: `mcp:${tool.spec.name}` },
  }));
  if (!wait || !echo) throw new Error('there are no tools');
  const sourceDigests = new Map([
    ['mcp:wait', 'here'],
    ['mcp:echo', 'here'],
    ['mcp:other', 'here'],
  ]);
  const worker = { tools: new Map([wait, echo].map((tool) => [tool.spec.name, tool])), sourceDigests };
  expect((await assemble({}, worker)).sourceDigests).toEqual({ 'mcp:wait': 'here', 'mcp:echo': 'here' });
  const begun = { functions: [], sourceDigests: { 'mcp:wait': 'there' } };
  expect((await assemble({}, { ...worker, begun })).sourceDigests).toEqual({
    'mcp:wait': 'there',
    // of a tool that the run has got since
    'mcp:echo': 'here',
  });
});

test('a start gets no mode above maxMode, for good; without one it has at most that', async () => {
  const refusal = { type: 'Input.ModeRefused', nonRetryable: true };
  await expect(assemble({ mode: 'act' }, { maxMode: 'ask' })).rejects.toMatchObject(refusal);
  await expect(assemble({ mode: 'ask' }, { maxMode: 'observe' })).rejects.toMatchObject(refusal);
  expect((await assemble({}, { maxMode: 'observe' })).settings.mode).toBe('observe');
  expect((await assemble({ mode: 'ask' }, { maxMode: 'ask' })).settings.mode).toBe('ask');
});

test('[MODE-04e] a run off the record is warned about where histories are not encrypted', async () => {
  const codes = async (input: Partial<SessionInput>, encrypted?: boolean) =>
    (await assemble(input, { encrypted })).warnings.map(({ code }) => code);
  expect(await codes({ offTheRecord: true })).toEqual(['otr_history_not_encrypted']);
  expect(await codes({ offTheRecord: true }, true)).toEqual([]);
  expect(await codes({})).toEqual([]);
});

test('a budget in money is said not to see a model without a known price, whose tokens count', async () => {
  const unpriced = 'openai-chat:our-own-model';
  const warnings = async (input: Partial<SessionInput>, models: AssembleContextDeps['models'] = {}) =>
    (await assemble({ model: unpriced, ...input }, { models })).warnings;
  const [warning] = await warnings({ budget: { costUsd: 25, tokens: 50_000_000 } });
  expect(warning).toMatchObject({ code: 'Budget.NoPrice' });
  expect(warning?.message).toMatch(
    /^No price is known of openai-chat:our-own-model\. .*counted in tokens: the limit is 50,000,000 tokens/,
  );
  expect((await warnings({ budget: { costUsd: 25 } }))[0]?.message).toContain('set budget.tokens');
  // where there is nothing to say
  expect(await warnings({ budget: { tokens: 1_000 } })).toEqual([]);
  expect(
    await warnings({ budget: { costUsd: 25 } }, { [unpriced]: { prices: { input: 1, output: 2 } } }),
  ).toEqual([]);
  expect(await warnings({ budget: { costUsd: 25 }, model: 'scripted:test' })).toEqual([]);
  const aside = { model: { name: 'scripted:test', purposes: { condense: unpriced } } };
  expect(await warnings({ budget: { costUsd: 25 }, ...aside })).toHaveLength(1);
});

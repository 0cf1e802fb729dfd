// What a run is frozen to, alone: without a model, a server, or the environment of an activity.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createAssembleContext } from '../../../src/activities/context/assemble-context.ts';
import type { FrozenContext } from '../../../src/core/model/frozen-context.ts';
import type { SessionInput } from '../../../src/core/model/session-input.ts';
import { createMemoryArtifactStore } from '../../../src/memory/memory-artifact-store.ts';
import { defineTool } from '../../../src/activities/tools/define-tool.ts';

const tools = ['wait', 'echo', 'look'].map((name) =>
  defineTool({
    ...{ name, description: name, input: z.strictObject({}), effect: 'read' as const },
    run: () => Promise.reject(new Error('assembling must not run a tool')),
  }),
);

function assemble(input: Partial<SessionInput> = {}): Promise<FrozenContext> {
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
  });
  return assembleContext({ sessionId: 's', runId: 'run-1', input: { agent: 'tester', ...input } });
}

test.each<[string, Partial<SessionInput>, string]>([
  ["the agent's instructions", {}, 'You are a test.'],
  ['the instructions of the start', { instructions: 'Be brief.' }, 'Be brief.'],
  ['the whole text of the start', { instructions: 'Be brief.', systemPrompt: 'Only this.' }, 'Only this.'],
  ['those of the built-in agent', { agent: 'investigator' }, 'You look.'],
])('[LOOP-28] prompt assembly: %s', async (_, input, systemPrompt) => {
  expect((await assemble(input)).systemPrompt).toBe(systemPrompt);
});

test('[LOOP-28] [PROMPT-01] the same in, the same out: the digests name text and tools, whatever their order was', async () => {
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

// One session under each profile, in this process: the same code runs all four, and each switches off what it says.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineHook, defineTool, registerTool } from '../../../src/config/define-config.ts';
import type { HoldfastConfig } from '../../../src/config/define-config.ts';
import type { Profile } from '../../../src/core/model/agent-spec.ts';
import { callTool, say, testAgent } from '../../../src/testing.ts';
import type { StepInput } from '../../../src/testing.ts';

/** Counts so much that a condense is due before the next request, where there is one. */
const large = { input: 950, output: 5 };
const turns = (count: number, step: (turn: number) => StepInput): StepInput[] =>
  Array.from({ length: count }, (_, index) => step(index + 1));
const look = (turn: number): StepInput => ({ ...callTool('look', { turn }), usage: { input: 10, output: 5 } });

async function play(profile: Profile, script: StepInput[]) {
  const hooked: string[] = [];
  const config: HoldfastConfig = {
    tools: [
      registerTool(
        defineTool({ name: 'look', description: 'Looks.', input: z.strictObject({ turn: z.int() }), effect: 'read' }),
        ({ turn }) => Promise.resolve({ text: `turn ${turn}` }),
      ),
    ],
    hooks: [
      defineHook({ name: 'note', params: z.strictObject({}), beforeToolCall: () => void hooked.push('note') }),
    ],
    agents: {
      tester: {
        ...{ instructions: 'You are a test.', tools: ['look'], hooks: [{ name: 'note' }] },
        ...{ contextWindow: 1_000, maxResponseTokens: 100, maxTurns: 0 },
      },
    },
  };
  const tested = await testAgent({ config, script, prompt: 'Go.', input: { agent: 'tester', profile } });
  return { ...tested, hooked };
}

test('[HOOK-16] main: hooks, tools and a condense', async () => {
  const script = [
    ...turns(3, look),
    { ...look(4), usage: large },
    { purpose: 'condense', text: 'Looked.' } as StepInput,
    say('done'),
  ];
  const { result, hooked, requests } = await play('main', script);
  expect(result).toMatchObject({ status: 'completed', answer: 'done', condenses: 1 });
  expect(hooked).toHaveLength(4);
  expect(requests[0]).toMatchObject({ systemPrompt: 'You are a test.', tools: [{ name: 'look' }] });
});

test('[HOOK-16] subagent: no hook is called, nothing is condensed, and ten responses are all', async () => {
  const { result, hooked } = await play(
    'subagent',
    turns(10, (turn) => ({ ...look(turn), usage: large })),
  );
  expect(result).toMatchObject({ status: 'max_iterations', condenses: 0, turns: 10 });
  expect(result.error?.code).toBe('Run.MaxTurns');
  expect(hooked).toEqual([]);
});

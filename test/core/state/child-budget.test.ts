// The share of the parent's budget that each child gets.
import { expect, test } from 'vitest';
import { newAgentState } from '@holdfast/vocabulary/agent-state';
import type { AgentState } from '@holdfast/vocabulary/agent-state';
import { defaultSettings } from '@holdfast/vocabulary/agent-spec';
import type { Budget } from '@holdfast/vocabulary/agent-spec';
import { noUsage, userMessage } from '@holdfast/vocabulary/messages';
import type { Fact } from '../../../src/core/state/facts.ts';
import { shareOf } from '../../../src/core/state/limits.ts';
import { reduce } from '../../../src/core/state/reduce.ts';
import { frozenContext } from '../../support/frozen-context.ts';

/** A run that began at 0 and has used 100 tokens, 1 USD and two tool calls. */
function spending(budget: Budget, reserved: Budget[] = []): AgentState {
  const prompt: Fact = {
    type: 'run_accepted',
    messages: [userMessage('Go.')],
    polled: false,
    continued: false,
  };
  const context = frozenContext({ settings: { ...defaultSettings, budget } });
  const begun = reduce(newAgentState('s'), prompt, 0).state;
  const { state } = reduce(begun, { type: 'context_assembled', context }, 0);
  const child = { name: 'c', agent: 'c', prefix: '', depth: 1, task: '', callId: 'x', usage: {}, costUsd: 0 };
  return {
    ...state,
    children: reserved.map((part, index) => ({
      ...child,
      id: `s/${index}`,
      index,
      state: 'running',
      startedAt: 0,
      reserved: part,
    })),
    run: {
      ...state.run!,
      usage: { main: { ...noUsage, input: 100 } },
      costUsd: 1,
      turn: 1,
      cursor: 'answered',
      toolCalls: 1,
      childToolCalls: 1,
    },
  };
}

test.each<[title: string, AgentState, tasks: number, share: object]>([
  ['without a budget there is no limit', spending({}), 3, { budget: {} }],
  [
    'what is left, divided by the tasks',
    spending({ tokens: 400, costUsd: 4 }),
    3,
    { budget: { tokens: 100, costUsd: 1 } },
  ],
  [
    'whole tokens and calls',
    spending({ tokens: 400, toolCalls: 9 }),
    4,
    { budget: { tokens: 75, toolCalls: 1 } },
  ],
  ['time is not divided: they run at once', spending({ wallMs: 60_000 }), 3, { budget: { wallMs: 50_000 } }],
  [
    'what is kept for others is not there',
    spending({ tokens: 400 }, [{ tokens: 100 }, { tokens: 50 }]),
    2,
    { budget: { tokens: 75 } },
  ],
  ['turns are its own', spending({ turns: 20 }), 2, { budget: {} }],
  ['in its last turn, too', spending({ turns: 1, tokens: 400 }), 3, { budget: { tokens: 100 } }],
  ['used up', spending({ costUsd: 1 }), 1, { spent: 'the budget of 1 USD is used up (1)' }],
  [
    'too little for so many',
    spending({ toolCalls: 4 }),
    3,
    { spent: expect.stringContaining('toolCalls: 4') },
  ],
  [
    'all of it kept for others',
    spending({ tokens: 400 }, [{ tokens: 300 }]),
    1,
    { spent: expect.stringContaining('tokens: 400') },
  ],
])('%s', (_title, state, tasks, share) => {
  expect(shareOf(state, tasks, 10_000)).toEqual(share);
});

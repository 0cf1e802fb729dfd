// A child's settings under the limits of its parent.
import { toSettings } from '@holdfast/vocabulary/merge-options';
import { expect, test } from 'vitest';
import { withinParent } from '../../../../src/core/agent/delegation/within-parent.ts';
import { defaultSettings } from '@holdfast/vocabulary/agent-spec';
import type { AgentOptionValues } from '@holdfast/vocabulary/agent-spec';
import type { ParentLink } from '@holdfast/vocabulary/session-input';

const link = (within: ParentLink['within']): ParentLink => ({
  sessionId: 's',
  name: 'analyst-pool-1',
  depth: 1,
  parent: '',
  callId: 'a',
  within,
});

test.each<[title: string, AgentOptionValues, ParentLink['within'], object]>([
  [
    '[MODE-01c] the milder mode: its own',
    { mode: 'observe' },
    { mode: 'act', budget: {} },
    { mode: 'observe' },
  ],
  ["[MODE-01c] the milder mode: its parent's", { mode: 'act' }, { mode: 'ask', budget: {} }, { mode: 'ask' }],
  [
    'the smaller budget, field by field',
    { budget: { turns: 3, tokens: 500, costUsd: 1 } },
    { mode: 'act', budget: { tokens: 100, costUsd: 2, toolCalls: 7 } },
    { budget: { turns: 3, tokens: 100, costUsd: 1, toolCalls: 7 } },
  ],
  [
    'the earlier deadline: its own',
    { loop: { deadlineMs: 5 } },
    { mode: 'act', budget: {}, deadlineMs: 9 },
    { loop: { deadlineMs: 5 } },
  ],
  [
    "the earlier deadline: its parent's",
    {},
    { mode: 'act', budget: {}, deadlineMs: 9 },
    { loop: { deadlineMs: 9 } },
  ],
])('%s', (_title, own, within, expected) => {
  expect(withinParent(toSettings(own), link(within))).toMatchObject(expected);
});

test('without limits it has its own', () => {
  const settings = { ...defaultSettings, mode: 'ask' as const };
  expect(withinParent(settings, link({ mode: 'act', budget: {} }))).toEqual(settings);
});

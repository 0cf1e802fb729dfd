// What a session passes on to those that it lets begin later: its limits, and no right more.
import { expect, test } from 'vitest';
import { inheritedStart } from '../../../src/core/session/queries.ts';
import { defaultSettings } from '@holdfast/vocabulary/agent-spec';
import { frozenContext } from '../../support/frozen-context.ts';
import { newAgentState } from '@holdfast/vocabulary/agent-state';
import type { SessionInput } from '@holdfast/vocabulary/session-input';

test('[SCHED-06d] agent, mode, tools, budget, rules and destinations are those of the session', () => {
  const input: SessionInput = {
    prompt: 'Look.',
    messages: [],
    agent: 'triage',
    mode: 'act',
    hosts: ['web-*'],
    policy: [{ tool: 'restart_*', decision: 'deny' }],
    deliver: [{ to: 'team' }],
    labels: { team: 'shop' },
    window: { startsAt: 1 },
    deadlineAt: 2,
    keepAlive: true,
    notify: { workflowId: 'w', signal: 's' },
  };
  const settings = {
    ...defaultSettings,
    mode: 'act' as const,
    tools: ['grep', 'create_schedule'],
    budget: { costUsd: 1 },
  };
  const context = frozenContext({ agent: 'triage', settings });
  // lowered since the run began
  const state = { ...newAgentState('s'), context, settings: { mode: 'ask' as const } };
  expect(inheritedStart({ input, settings, state })).toEqual({
    agent: 'triage',
    mode: 'ask',
    tools: ['grep'],
    budget: { costUsd: 1 },
    hosts: ['web-*'],
    policy: [{ tool: 'restart_*', decision: 'deny' }],
    deliver: [{ to: 'team' }],
  });
});

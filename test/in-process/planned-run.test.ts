// Planned runs with real activities: what the planner and the model are sent, and a sub-plan that a child carries out.
import { mergeOptions } from '@holdfast/vocabulary/merge-options';
import { describe, expect, test } from 'vitest';
import { updatePlanTool } from '../../src/activities/assembly/built-in-tools.ts';
import type { AgentSpec } from '@holdfast/vocabulary/agent-spec';
import { textOf } from '@holdfast/vocabulary/messages';
import type { Saying, Turn } from '../support/function-model.ts';
import { echoTool } from '../support/session-worker.ts';
import { delegating, runTeam } from '../support/team.ts';

const tools = [updatePlanTool, echoTool()];
const look = { text: 'Look at the pool', criterion: 'its size is known' };
const check = { text: 'Check again', criterion: 'it explains the errors', verify: true };
const done = (id: string, note: string) => ({ tool: 'update_plan', args: { id, status: 'done', note } });

/** Answers the planner with the plan, and the run turn by turn. */
const planned =
  (steps: object[], ...turns: Saying[]) =>
  ({ number, request }: Turn): Saying =>
    request.metadata.purpose === 'planner'
      ? { text: JSON.stringify({ steps }) }
      : (turns[number - 1] ?? { text: 'It is 2.' });

async function run(agent: Partial<AgentSpec>, tester: (turn: Turn) => Saying) {
  const team = await runTeam({
    tools,
    agent: mergeOptions({ delegation: { agents: [] } }, agent ?? {}),
    says: { tester },
  });
  const main = team.model.requests.filter(({ metadata }) => metadata.purpose === 'main');
  const planner = team.model.requests.filter(({ metadata }) => metadata.purpose === 'planner');
  return { ...team, main, planner };
}

describe('a run', () => {
  test('[PLAN-09d] with promptConfig.refresh turn the plan may be in the system text too, as it is before each request', async () => {
    const placed: Partial<AgentSpec> = {
      plan: { strategy: 'plan_and_solve', placement: 'system' },
      promptConfig: { refresh: 'turn' },
    };
    const turns: Saying[] = [{ calls: [done('1', 'it is 2')] }, { calls: [done('2', 'yes')] }];
    const { main } = await run(placed, planned([look, check], ...turns));
    expect(
      main.map(({ systemPrompt }) => /<plan>[^]*<\/plan>/.exec(systemPrompt)?.[0].split('\n')[1]),
    ).toEqual([undefined, '1 [x] Look at the pool - it is 2', '1 [x] Look at the pool - it is 2']);
    expect(main[2]?.systemPrompt).toContain('2 [x] Check again (verifies) - yes');
  });

  test('[PLAN-09d] placement system is refused unless promptConfig.refresh is turn', async () => {
    const { ended } = await run({ plan: { placement: 'system' } }, planned([]));
    expect(ended).toMatchObject({
      status: 'failed',
      error: {
        code: 'Run.ContextFailed',
        message: expect.stringContaining('needs promptConfig.refresh "turn"'),
      },
    });
  });
});

test('[PLAN-06c] a sub-plan is delegated to a child: its words are the task, and its result marks the sub-steps', async () => {
  const parts = {
    ...look,
    steps: [
      { ...look, text: 'Read the config' },
      { ...look, text: 'Read the metrics' },
    ],
  };
  const { ended, sessions } = await runTeam({
    tools,
    agent: { plan: { strategy: 'hierarchical' } },
    says: {
      tester: planned(
        [parts, check],
        delegating({ agent: 'analyst', task: '1.1 Read the config\n1.2 Read the metrics' }),
        { calls: [done('1.1', 'pool: 2'), done('1.2', 'all in use')] },
        { calls: [done('2', 'yes')] },
      ),
      analyst: ({ request }) => {
        const task = request.messages.map(textOf).join();
        const status = task.includes('1.2 Read the metrics') ? 'completed' : 'failed';
        return { calls: [{ tool: 'task_complete', args: { status, summary: 'pool: 2, all in use' } }] };
      },
    },
  });
  expect(sessions.size).toBe(2);
  expect(ended).toMatchObject({
    planComplete: true,
    plan: {
      steps: [{ id: '1', status: 'done', steps: [{ id: '1.1' }, { note: 'all in use' }] }, { id: '2' }],
    },
  });
});

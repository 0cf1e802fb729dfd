// What children cost the session that delegates: shares before they begin, and the bill when they end.
import { expect, test } from 'vitest';
import type { Saying, Turn } from '../../support/function-model.ts';
import { delegating, lastResults, runTeam } from '../../support/team.ts';
import type { Team } from '../../support/team.ts';

// every reply of a session costs 15 tokens, 10 of them input
const complete: Saying = { calls: [{ tool: 'task_complete', args: { status: 'completed', summary: 'ok' } }] };
const work = ({ number }: Turn): Saying => ({ calls: [{ tool: 'echo', args: { text: `${number}` } }] });
const boss =
  (first: Saying) =>
  ({ number }: Turn) =>
    number === 1 ? first : { text: 'Answered.' };
const children = (team: Team) =>
  [...team.sessions].flatMap(([id, session]) => (id === 'top' ? [] : [session]));

test('[SUB-08g] each child gets an even share, or its own budget where that is smaller', async () => {
  const team = await runTeam({
    agent: { budget: { tokens: 1_015, toolCalls: 12, costUsd: 10, turns: 9 } },
    says: {
      tester: boss(delegating({ agent: 'analyst' }, { agent: 'thrifty' })),
      analyst: () => complete,
      thrifty: () => complete,
    },
    agents: { thrifty: { budget: { tokens: 100, turns: 2 } } },
  });
  expect(children(team).map(({ settings }) => settings.budget)).toEqual([
    { tokens: 500, toolCalls: 6, costUsd: 5 },
    { tokens: 100, toolCalls: 6, costUsd: 5, turns: 2 },
  ]);
  expect(team.top.state.children?.map(({ reserved }) => reserved)).toEqual([undefined, undefined]);
});

test('[SAFE-03ef] what children use is paid by run and session, and ends the run that has no more', async () => {
  const team = await runTeam({
    agent: { budget: { tokens: 60 } },
    models: { 'scripted:test': { prices: { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0 } } },
    says: {
      tester: ({ number }) => delegating({ agent: 'analyst', task: `work ${number}` }),
      analyst: (turn) => (turn.number < 3 ? work(turn) : complete),
    },
  });
  expect(team.ended).toMatchObject({ status: 'budget_exceeded', turns: 1, costUsd: 40 });
  expect(team.ended.usage).toEqual({ main: { input: 40, output: 20, cacheRead: 0, cacheWrite: 0 } });
  expect(team.top.state).toMatchObject({ costUsd: 40, toolCalls: 1, childToolCalls: 3 });
  expect(team.top.state.children).toMatchObject([{ costUsd: 30, usage: { main: { input: 30 } } }]);
});

test('[SAFE-03c] a budget is looked at before a child starts', async () => {
  const tasks = ['1', '2', '3'].map((context) => ({ agent: 'analyst', context }));
  const team = await runTeam({
    agent: { budget: { toolCalls: 2 } },
    says: { tester: boss(delegating(...tasks)), analyst: () => complete },
  });
  expect(children(team)).toEqual([]);
  expect(JSON.parse(lastResults(team)[0]?.text ?? '')).toMatchObject([
    { error: expect.stringMatching(/^subagent analyst-pool-1: nothing is left for it of the budget/) },
    { error: expect.stringContaining('analyst-pool-2') },
    { error: expect.stringContaining('analyst-pool-3') },
  ]);
});

test('[SAFE-03e] a budget that a child uses up ends the child, and its parent reads that', async () => {
  const team = await runTeam({
    agent: { budget: { tokens: 75 } },
    says: {
      tester: boss(delegating({ agent: 'analyst' }, { agent: 'analyst', context: '2' })),
      analyst: work,
    },
  });
  expect(children(team).map(({ lastResult }) => [lastResult.status, lastResult.turns])).toEqual([
    ['budget_exceeded', 2],
    ['budget_exceeded', 2],
  ]);
  expect(JSON.parse(lastResults(team)[0]?.text ?? '')).toMatchObject([
    { completion: { status: 'failed', caveats: expect.stringContaining('budget of 30 tokens is used up') } },
    { completion: { status: 'failed' } },
  ]);
});

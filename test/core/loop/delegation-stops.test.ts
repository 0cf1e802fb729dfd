// Stops while children work: every child is asked to end and waited for, and its task is answered. In memory, with real
// sessions at both ends; the order is decided by the test.
import { expect, test } from 'vitest';
import { carryOut, requests } from '../../../src/core/session/requests.ts';
import type { Session } from '../../../src/core/session/session.ts';
import { delegating, lastResults, startTeam } from '../../support/team.ts';
import type { Team, TeamOptions } from '../../support/team.ts';

/** Of three tasks the first ends at once, the others wait for a stop. */
async function threeAtWork(more: Partial<TeamOptions> = {}): Promise<Team> {
  const { promise: atWork, resolve: arrive } = Promise.withResolvers<void>();
  let waiting = 0;
  const team = await startTeam({
    says: {
      tester: ({ number }) =>
        number === 1
          ? delegating({ agent: 'quick' }, { agent: 'slow', task: 'one' }, { agent: 'slow', task: 'two' })
          : { text: 'Answered.' },
      quick: () => ({ calls: [{ tool: 'task_complete', args: { status: 'completed', summary: 'fine' } }] }),
      slow: ({ options }) => {
        if (++waiting === 2) arrive();
        return new Promise((_, reject) => {
          options.signal.addEventListener('abort', () => reject(new Error('stopped')));
        });
      },
    },
    ...more,
  });
  await atWork;
  while (team.top.state.children?.[0]?.state !== 'ended') {
    await new Promise((resolve) => setImmediate(resolve));
  }
  return team;
}

function answers(team: Team): unknown {
  return JSON.parse(lastResults(team)[0]?.text ?? '');
}

const stopped = [
  { agent: 'quick', result: 'fine', completion: { status: 'completed', summary: 'fine' } },
  { agent: 'slow', error: 'canceled' },
  { agent: 'slow', error: 'canceled' },
];

/** The parent reads its results when the last child has ended. */
function expectWaitedFor(team: Team): void {
  const children = [...team.sessions.values()].filter((session) => session !== team.top);
  expect(children.map(({ state }) => state.run)).toEqual([undefined, undefined, undefined]);
  expect(team.top.state.children?.map(({ state, status }) => [state, status])).toEqual([
    ['ended', 'completed'],
    ['ended', 'aborted'],
    ['ended', 'aborted'],
  ]);
  const types = team.events().map(({ type }) => type);
  // oxfmt-ignore
  expect(types.filter((type) => type.startsWith('subagent') || type === 'tool_execution_end')).toEqual([
    'subagent_start', 'subagent_start', 'subagent_start', 'subagent_end',
    'subagent_end', 'subagent_end', 'tool_execution_end',
  ]);
}

test.each<[title: string, stop: (top: Session) => void, status: string]>([
  ['[SUB-15abc] an abort', (top) => top.abort(), 'aborted'],
  ['its deadline', (top) => top.timeOut(top.state.run?.runId ?? ''), 'timed_out'],
  ['[STATE-11] a cancelled workflow', (top) => top.cancel(), 'aborted'],
])(
  '%s cancels the children, waits for them, and answers each unfinished task',
  async (_title, stop, status) => {
    const team = await threeAtWork();
    stop(team.top);
    expect(await team.result).toMatchObject({ status });
    expect(answers(team)).toEqual(stopped);
    expectWaitedFor(team);
  },
);

test('an interrupting message does the same, and the run goes on', async () => {
  const team = await threeAtWork();
  carryOut(team.top, requests.steer(team.top, { id: 's1', message: 'Stop that.', mode: 'interrupt' }));
  expect(await team.result).toMatchObject({ status: 'completed', answer: 'Answered.' });
  expect(answers(team)).toEqual(stopped);
  expectWaitedFor(team);
});

test('[SUB-12d] a child that is aborted from outside is the error of its task, and nothing else is', async () => {
  const team = await threeAtWork();
  for (const task of ['one-1', 'two-2']) {
    const child = team.sessions.get(`top/slow-${task}`);
    if (child) carryOut(child, requests.abort(child));
  }
  expect(await team.result).toMatchObject({ status: 'completed', answer: 'Answered.' });
  expect(answers(team)).toEqual([
    stopped[0],
    { agent: 'slow', error: 'subagent slow-one-1: aborted' },
    { agent: 'slow', error: 'subagent slow-two-2: aborted' },
  ]);
});

test('a deadline reaches the children as the time that is left', async () => {
  const team = await threeAtWork({
    agent: { loop: { deadlineMs: 60_000 } },
    agents: { quick: { loop: { deadlineMs: 5 } } },
  });
  const deadlines = [...team.sessions.values()].map(({ settings }) => settings.loop.deadlineMs);
  expect(deadlines.slice(0, 2)).toEqual([60_000, 5]);
  expect(deadlines[2]).toBeLessThanOrEqual(60_000);
  expect(deadlines[2]).toBeGreaterThan(0);
  team.top.abort();
  await team.result;
});

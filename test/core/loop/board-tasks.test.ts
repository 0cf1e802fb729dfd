// Delegated tasks that name a task of a board, in memory with real sessions: claimed before the child, ended with it, open
// again where the run was stopped.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { claimTask } from '../../../src/core/loop/around-task.ts';
import type { BoardAnswer, BoardCallInput, BoardTask } from '@holdfast/vocabulary/board';
import { carryOut, requests } from '../../../src/core/session/requests.ts';
import type { Session } from '../../../src/core/session/session.ts';
import { callMemoryBoard, listMemoryBoard } from '../../../src/in-process/local-effects.ts';
import type { Saying, Turn } from '../../support/function-model.ts';
import { inTurn } from '../../support/memory-model.ts';
import { MemorySession } from '../../support/memory-session.ts';
import { delegating, lastResults, runTeam, startTeam } from '../../support/team.ts';
import type { TeamOptions } from '../../support/team.ts';
import { untilStopped } from '../../support/until-stopped.ts';

const complete = (status = 'completed', summary = 'fine'): Saying => ({
  calls: [{ tool: 'task_complete', args: { status, summary } }],
});

/** A board with these tasks, and a session that delegates some of them by their ids. */
function boardOf(...ids: string[]): {
  board: string;
  tasks: () => readonly BoardTask[];
  claimed: (id: string, by: string) => void;
} {
  const board = randomUUID();
  for (const id of ids) callMemoryBoard({ board, name: 'add', args: { id, text: `Do ${id}.` } });
  return {
    board,
    tasks: () => listMemoryBoard(board),
    claimed: (id, by) => void callMemoryBoard({ board, name: 'claim', args: { id, by } }),
  };
}

function delegatingOnce(...tasks: Parameters<typeof delegating>): (turn: Turn) => Saying {
  return ({ number }) => (number === 1 ? delegating(...tasks) : { text: 'Answered.' });
}

const resultsOf = (team: Parameters<typeof lastResults>[0]) =>
  JSON.parse(lastResults(team).at(-1)?.text ?? '');

test('[SUB-13ab] a task is claimed before its child starts; one that another has fails at once, without a child', async () => {
  const { board, tasks, claimed } = boardOf('mine', 'taken');
  claimed('taken', 'other/analyst-1');
  const atStart: unknown[] = [];
  const team = await runTeam({
    input: { delegation: { taskBoard: board } },
    says: {
      tester: delegatingOnce({ agent: 'analyst', task_id: 'taken' }, { agent: 'analyst', task_id: 'mine' }),
      analyst: () => complete(),
    },
    changed: (session) => {
      if (session.id === 'top' && session.events.page(0).events.at(-1)?.type === 'subagent_start')
        atStart.push(tasks());
    },
  });
  expect(atStart).toMatchObject([
    [{ id: 'mine', status: 'claimed', assignee: 'top/analyst-pool-2' }, { id: 'taken' }],
  ]);
  expect(resultsOf(team)).toEqual([
    { agent: 'analyst', error: 'subagent analyst-pool-1: Task taken is claimed by other/analyst-1.' },
    { agent: 'analyst', result: 'fine', completion: { status: 'completed', summary: 'fine' } },
  ]);
  expect([...team.sessions.keys()]).toEqual(['top', 'top/analyst-pool-2']);
  expect(team.events().filter(({ type }) => type === 'subagent_start')).toHaveLength(1);
  expect(tasks()).toMatchObject([
    { id: 'mine', status: 'completed', assignee: 'top/analyst-pool-2' },
    { id: 'taken', status: 'claimed', assignee: 'other/analyst-1' },
  ]);
});

test('[SUB-13b] children of one name in two sessions are two: exactly one gets the task', async () => {
  const { board, tasks } = boardOf('one');
  const open = (id: string) =>
    runTeam({
      id,
      input: { delegation: { taskBoard: board } },
      says: { tester: delegatingOnce({ agent: 'analyst', task_id: 'one' }), analyst: () => complete() },
    });
  const teams = await Promise.all([open('a'), open('b')]);
  const texts = teams.map((team, at) => lastResults(team, ['a', 'b'][at])[0]?.text ?? '');
  expect(texts.filter((text) => text.includes('"result":"fine"'))).toHaveLength(1);
  expect(
    texts.filter((text) => /Task one .*(is claimed by|is completed by) [ab]\/analyst-pool-1\./.test(text)),
  ).toHaveLength(1);
  expect(tasks()).toMatchObject([{ status: 'completed' }]);
});

const stuck: Record<
  string,
  { says: (turn: Turn) => Saying | Promise<Saying>; status: string; agent?: object }
> = {
  'completed by task_complete': { says: () => complete(), status: 'completed' },
  'failed by task_complete': { says: () => complete('failed'), status: 'failed' },
  'at its limit': {
    says: () => ({ calls: [{ tool: 'echo', args: { text: '' } }] }),
    status: 'failed',
    agent: { loop: { maxTurns: 1, onLimit: 'error' } },
  },
  'with an error': {
    says: () => Promise.reject(new Error('the model is gone')),
    status: 'failed',
    agent: { model: { retryWindowMs: 0 } },
  },
  'without task_complete': { says: () => ({ text: 'It is the pool.' }), status: 'completed' },
};

test.each(Object.entries(stuck))(
  '[SUB-14abc] a child that has ended %s sets the status of its task',
  async (_title, { says, status, agent }) => {
    const { board, tasks } = boardOf('one');
    await runTeam({
      input: { delegation: { taskBoard: board } },
      says: { tester: delegatingOnce({ agent: 'analyst', task_id: 'one' }), analyst: says },
      agents: { analyst: { tools: ['echo'], ...agent } },
    });
    expect(tasks()).toMatchObject([{ status, assignee: 'top/analyst-pool-1' }]);
  },
);

test('[SUB-14b] a child that was cancelled by itself has failed', async () => {
  const { board, tasks } = boardOf('one');
  const team = await runTeam({
    input: { delegation: { taskBoard: board } },
    says: { tester: delegatingOnce({ agent: 'analyst', task_id: 'one' }), analyst: stopped },
    changed: (session) => {
      if (session.id !== 'top' && session.state.status === 'thinking') session.cancel();
    },
  });
  expect(team.ended.status).toBe('completed');
  expect(resultsOf(team)).toMatchObject([{ error: 'subagent analyst-pool-1: aborted' }]);
  expect(tasks()).toMatchObject([{ status: 'failed' }]);
});

test('[SUB-14d] a board that does not take the status is a warning on that task, and on no other', async () => {
  const { board, tasks } = boardOf('one', 'two');
  const team = await runTeam({
    input: { delegation: { taskBoard: board } },
    says: {
      tester: delegatingOnce({ agent: 'analyst', task_id: 'one' }, { agent: 'analyst', task_id: 'two' }),
      analyst: () => {
        // a person takes it back meanwhile
        callMemoryBoard({ board, name: 'release', args: { id: 'two' } });
        return complete();
      },
    },
  });
  expect(resultsOf(team)).toEqual([
    { agent: 'analyst', result: 'fine', completion: { status: 'completed', summary: 'fine' } },
    {
      agent: 'analyst',
      result: 'fine',
      completion: { status: 'completed', summary: 'fine' },
      warning:
        'The task board was not updated. Task two was not changed: top/analyst-pool-2 has not claimed it.',
    },
  ]);
  expect(tasks()).toMatchObject([{ status: 'completed' }, { status: 'open' }]);
});

test('[SUB-08e] a child works on the board of its parent', async () => {
  const { board, tasks } = boardOf('deep');
  await runTeam({
    input: { delegation: { taskBoard: board } },
    says: {
      tester: delegatingOnce({ agent: 'middle' }),
      middle: ({ number }) => (number === 1 ? delegating({ agent: 'analyst', task_id: 'deep' }) : complete()),
      analyst: () => complete(),
    },
    agents: { middle: { delegation: { maxDepth: 2, agents: [] } } },
  });
  expect(tasks()).toMatchObject([{ status: 'completed', assignee: 'top/middle-pool-1/analyst-pool-1' }]);
});

/** Waits for a stop. */
const stopped = ({ options }: Turn): Promise<never> => untilStopped(options.signal);

describe('a run that is stopped', () => {
  const stops: [string, string, (top: Session) => void][] = [
    ['[SUB-15cd]', 'an abort', (top) => void carryOut(top, requests.abort(top))],
    ['[HOOK-13]', 'its deadline', (top) => top.timeOut(top.state.run?.runId ?? '')],
    ['[STATE-11c]', 'a cancelled workflow', (top) => top.cancel()],
  ];

  test.each(stops)(
    '%s by %s gives back what is unfinished, and keeps what is done',
    async (_id, _how, stop) => {
      const { board, tasks } = boardOf('done', 'open-1', 'open-2');
      const says: TeamOptions['says'] = {
        tester: delegatingOnce(
          ...['done', 'open-1', 'open-2'].map((id) => ({ agent: 'analyst', task: id, task_id: id })),
        ),
        analyst: (turn) => (turn.newTexts.at(-1)?.includes('done') ? complete() : stopped(turn)),
      };
      let waiting = 0;
      const team = await startTeam({
        input: { delegation: { taskBoard: board } },
        says,
        changed: ({ id, state }, { sessions }) => {
          const top = sessions.get('top');
          if (id !== 'top' && state.status === 'thinking' && state.run?.cursor === 'ready') waiting++;
          const isDone = tasks().some(({ status }) => status === 'completed');
          if (top && waiting >= 3 && isDone && top.stop === undefined && top.busy) stop(top);
        },
      });
      await team.result;
      expect(resultsOf(team)).toEqual([
        { agent: 'analyst', result: 'fine', completion: { status: 'completed', summary: 'fine' } },
        { agent: 'analyst', error: 'canceled' },
        { agent: 'analyst', error: 'canceled' },
      ]);
      expect(tasks()).toEqual([
        { id: 'done', text: 'Do done.', status: 'completed', assignee: 'top/analyst-done-1' },
        { id: 'open-1', text: 'Do open-1.', status: 'open' },
        { id: 'open-2', text: 'Do open-2.', status: 'open' },
      ]);
    },
  );
});

describe('a claim', () => {
  const context = (callBoard: (input: BoardCallInput) => BoardAnswer) => ({
    session: { settings: { delegation: { taskBoard: 'b' } } } as unknown as Session,
    effects: new MemorySession({ model: inTurn(), bodies: { boardCall: callBoard } }).effects,
  });

  test('takes over that of the child whose work it continues', async () => {
    const { board, tasks, claimed } = boardOf('one');
    claimed('one', 'old/analyst-1');
    const call = context((input) => callMemoryBoard({ ...input, board }));
    expect(await claimTask(call, { id: 'one', by: 'new/analyst-2' }, undefined)).toMatch(/is claimed by old/);
    expect(await claimTask(call, { id: 'one', by: 'new/analyst-2' }, 'old/analyst-1')).toBeUndefined();
    expect(tasks()).toMatchObject([{ status: 'claimed', assignee: 'new/analyst-2' }]);
  });

  test('[SUB-13b] of which nobody knows whether it was taken is given back', async () => {
    const calls: string[] = [];
    const call = context(({ name, args }) => {
      calls.push(`${name} ${JSON.stringify(args)}`);
      return { ok: false, code: 'Board.Timeout', reason: 'no answer', unknown: true };
    });
    expect(await claimTask(call, { id: 'one', by: 'a' }, undefined)).toBe('no answer');
    expect(calls).toEqual(['claim {"id":"one","by":"a"}', 'release {"id":"one","by":"a"}']);
  });
});

// The rules of a task board as values.
import { describe, expect, test } from 'vitest';
import { boardLimits, changeBoard, emptyBoard, readBoardInput } from '../../../src/core/board/task-board.ts';
import type { BoardCall, BoardCallName, BoardState } from '@holdfast/vocabulary/board';

/** The board after these calls, each of which must be taken. */
function boardAfter(...calls: BoardCall[]): BoardState {
  return calls.reduce((state, { name, args }) => {
    const changed = changeBoard(state, name, args);
    if (!changed.ok) throw new Error(changed.reason);
    return changed.value.state;
  }, emptyBoard);
}

const add: BoardCall = { name: 'add', args: { id: 'logs', text: 'Read the logs.' } };
const claim: BoardCall = { name: 'claim', args: { id: 'logs', by: 'analyst-logs-1' } };
const complete: BoardCall = {
  name: 'setStatus',
  args: { id: 'logs', by: 'analyst-logs-1', status: 'completed', notes: 'pool is 5' },
};
const fail: BoardCall = { name: 'setStatus', args: { id: 'logs', by: 'analyst-logs-1', status: 'failed' } };
const release: BoardCall = { name: 'release', args: { id: 'logs', by: 'analyst-logs-1' } };

test('a task goes from open over claimed to completed, with who did it and the notes', () => {
  expect(boardAfter(add).tasks).toEqual([{ id: 'logs', text: 'Read the logs.', status: 'open' }]);
  expect(boardAfter(add, claim).tasks).toMatchObject([{ status: 'claimed', assignee: 'analyst-logs-1' }]);
  expect(boardAfter(add, claim, complete).tasks).toEqual([
    {
      id: 'logs',
      text: 'Read the logs.',
      status: 'completed',
      assignee: 'analyst-logs-1',
      notes: 'pool is 5',
    },
  ]);
});

test('[SUB-15d] a release gives the task back, without a trace of who had it', () => {
  expect(boardAfter(add, claim, release).tasks).toEqual(boardAfter(add).tasks);
  expect(
    boardAfter(add, claim, release, { name: 'claim', args: { id: 'logs', by: 'b' } }).tasks,
  ).toMatchObject([{ status: 'claimed', assignee: 'b' }]);
});

test.each<[string, BoardCall[]]>([
  ['add', [add]],
  ['claim', [add, claim]],
  ['setStatus', [add, claim, complete]],
  ['release', [add, claim, release]],
])('[SUB-13c] %s twice is the same as once: an activity may send it again', (_name, calls) => {
  expect(boardAfter(...calls, ...calls.slice(-1))).toEqual(boardAfter(...calls));
});

const other = 'analyst-logs-2';
test.each<[string, BoardCall[], BoardCall, string, string]>([
  [
    'a claim of what another has',
    [add, claim],
    { name: 'claim', args: { id: 'logs', by: other } },
    'Board.Claimed',
    'Task logs is claimed by analyst-logs-1.',
  ],
  [
    'a claim of what is completed',
    [add, claim, complete],
    claim,
    'Board.Refused',
    'Task logs was not changed: it is completed by analyst-logs-1.',
  ],
  [
    'a status of what another has',
    [add, claim],
    { name: 'setStatus', args: { id: 'logs', by: other, status: 'failed' } },
    'Board.Claimed',
    'Task logs is claimed by analyst-logs-1.',
  ],
  [
    'a status of what nobody has',
    [add],
    complete,
    'Board.Refused',
    'Task logs was not changed: analyst-logs-1 has not claimed it.',
  ],
  [
    'a status of what was given back',
    [add, claim, release],
    complete,
    'Board.Refused',
    'Task logs was not changed: analyst-logs-1 has not claimed it.',
  ],
  [
    'a release of what another has',
    [add, claim],
    { name: 'release', args: { id: 'logs', by: other } },
    'Board.Claimed',
    'Task logs is claimed by analyst-logs-1.',
  ],
  [
    'a release of what it has ended',
    [add, claim, complete],
    release,
    'Board.Refused',
    'Task logs was not changed: it is completed already.',
  ],
  [
    'another task of the same id',
    [add],
    { name: 'add', args: { id: 'logs', text: 'Another.' } },
    'Board.TaskExists',
    'The board has another task "logs": leave the id out, or choose another.',
  ],
  [
    'a task that is not there',
    [add],
    { name: 'claim', args: { id: 'x', by: other } },
    'Board.UnknownTask',
    'The board has no task "x": expected one of logs.',
  ],
])('%s is refused, and changes nothing', (_title, calls, { name, args }, code, reason) => {
  expect(changeBoard(boardAfter(...calls), name, args)).toEqual({ ok: false, code, reason });
});

test('what failed may be tried again by anybody, and a person may release and end what others have', () => {
  const again: BoardCall = { name: 'claim', args: { id: 'logs', by: other } };
  expect(boardAfter(add, claim, fail, again).tasks).toMatchObject([{ status: 'claimed', assignee: other }]);
  expect(boardAfter(add, claim, { name: 'release', args: { id: 'logs' } })).toEqual(boardAfter(add));
  const ended: BoardCall = { name: 'setStatus', args: { id: 'logs', status: 'completed' } };
  expect(boardAfter(add, claim, ended).tasks).toMatchObject([{ status: 'completed' }]);
});

test('numbers are given where no id is, and none twice', () => {
  const board = boardAfter(
    ...['one', 't3', 'two', 'three'].map((text): BoardCall =>
      text === 't3' ? { name: 'add', args: { id: 't3', text } } : { name: 'add', args: { text } },
    ),
  );
  expect(board.tasks.map(({ id }) => id)).toEqual(['t1', 't3', 't2', 't4']);
});

describe('what comes over the wire', () => {
  test.each<[unknown, boolean]>([
    [undefined, true],
    [null, true],
    [{}, true],
    [{ maxEvents: 20, carried: boardAfter(add, claim) }, true],
    ['board', false],
    [{ maxEvents: 'x' }, false],
    [{ carried: {} }, false],
    [{ carried: { tasks: [{ id: 'logs', text: 'x', status: 'lost' }], numbered: 0 } }, false],
  ])('a board begins with %j: %s', (input, ok) => {
    expect(readBoardInput(input)).toMatchObject(
      ok ? { ok, value: input ?? {} } : { ok, code: 'Input.Invalid' },
    );
  });

  test.each<[BoardCallName, unknown, string]>([
    ['add', 'text', 'one object, not string'],
    ['add', { text: '  ' }, 'a text of 1 to 2048 bytes'],
    ['add', { text: 'x'.repeat(2_047) }, 'a text of 1 to 2048 bytes'],
    ['add', { text: 'x', id: 'a b' }, 'an id of letters, digits, ".", "_", ":" and "-", at most 100'],
    ['add', { text: 'x', notes: 'é'.repeat(512) }, 'notes of at most 1024 bytes'],
    ['claim', { id: 'logs' }, 'the id of an agent\'s session as "by", of at most 1024 bytes'],
    ['setStatus', { id: 'logs', by: 'a', status: 'open' }, 'a status, completed or failed'],
    ['release', { id: 7 }, 'an id of letters, digits, ".", "_", ":" and "-", at most 100'],
  ])('%s with %j is refused', (name, args, expected) => {
    const reason = `The call ${name} of a board expects ${expected}.`;
    expect(changeBoard(boardAfter(add), name, args)).toEqual({ ok: false, code: 'Board.Invalid', reason });
  });

  test('a full board says so, and still takes everything else', () => {
    const tasks = Array.from({ length: boardLimits.tasks }, (_, at) => ({
      id: `t${at + 1}`,
      text: 'x',
      status: 'open' as const,
    }));
    const full = { tasks, numbered: tasks.length };
    expect(changeBoard(full, 'add', { text: 'one more' })).toMatchObject({ ok: false, code: 'Board.Full' });
    expect(changeBoard(full, 'claim', { id: 't7', by: 'a' })).toMatchObject({ ok: true });
  });
});

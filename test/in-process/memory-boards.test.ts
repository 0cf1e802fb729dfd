// Task boards of this process, with the rules of the workflow.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { callMemoryBoard, listMemoryBoard } from '../../src/in-process/local-effects.ts';

test('a board in memory begins with its first task, and keeps what was claimed', () => {
  const board = randomUUID();
  const claim = (by: string) => callMemoryBoard({ board, name: 'claim', args: { id: 't1', by } });
  expect(claim('a')).toMatchObject({ ok: false, code: 'Board.Unknown' });
  expect(callMemoryBoard({ board, name: 'add', args: { text: 'Look.' } })).toMatchObject({ ok: true });
  expect(claim('a')).toMatchObject({ ok: true, task: { status: 'claimed', assignee: 'a' } });
  expect(claim('b')).toMatchObject({ ok: false, code: 'Board.Claimed' });
  expect(listMemoryBoard(board)).toEqual([{ id: 't1', text: 'Look.', status: 'claimed', assignee: 'a' }]);
});

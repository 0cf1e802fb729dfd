// The task boards of this process, for sessions in memory. Runs in Node.
import { changeBoard, emptyBoard } from '../core/board/task-board.ts';
import type { BoardAnswer, BoardCallInput, BoardState, BoardTask } from '../core/model/board.ts';

const boards = new Map<string, BoardState>();

/** Same result as the activity; the first `add` opens a board. */
export function callMemoryBoard({ board, name, args }: BoardCallInput): BoardAnswer {
  const state = boards.get(board) ?? (name === 'add' ? emptyBoard : undefined);
  if (!state) return { ok: false, code: 'Board.Unknown', reason: `There is no open task board "${board}".` };
  const changed = changeBoard(state, name, args);
  if (!changed.ok) return changed;
  boards.set(board, changed.value.state);
  return { ok: true, task: changed.value.task };
}

export function listMemoryBoard(board: string): readonly BoardTask[] {
  return boards.get(board)?.tasks ?? [];
}

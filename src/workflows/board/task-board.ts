// The workflow of a task board: one workflow id for each board, until it is closed. Its rules are in core/board;
// Temporal's updates serialise two claims of the same task.
import { setCurrentDetails } from '@temporalio/workflow';
import type { Parsed } from '@holdfast/base/json';
import { plainLine } from '@holdfast/base/plain-markdown';
import { changeBoard, emptyBoard, readBoardInput } from '../../core/board/task-board.ts';
import type { BoardCallName, BoardInput, BoardState, BoardTask } from '@holdfast/vocabulary/board';
import { accepted } from '../activity-failure.ts';
import { Actor, type Transition } from '../actor.ts';
import { boardCallNames, closeBoardSignal, listTasksQuery } from './board-api.ts';

type State = BoardState & { isClosed?: true };
type Fact = { type: 'changed'; board: BoardState } | { type: 'closed' };

export async function taskBoard(given?: BoardInput): Promise<BoardTask[]> {
  const input = accepted(readBoardInput(given));
  const board = new Actor<State, Fact, never, BoardTask[]>(input, emptyBoard, {
    reduce: (state, fact) =>
      fact.type === 'closed' ? { ...state, isClosed: true } : { ...state, ...fact.board },
    next: ({ isClosed }) => ({ type: isClosed ? 'close' : 'wait' }),
    perform: () => Promise.resolve(),
    signals: { [closeBoardSignal.name]: () => ({ type: 'closed' }) },
    updates: Object.fromEntries(
      boardCallNames.map((name) => [name, (state: State, args: unknown) => readCall(state, name, args)]),
    ),
    queries: { [listTasksQuery.name]: ({ tasks }) => tasks },
    show: ({ tasks }) => showDetails(tasks),
    resultOf: ({ tasks }) => tasks,
  });
  return board.run();
}

function readCall(state: State, name: BoardCallName, args: unknown): Parsed<Transition<Fact>> {
  const changed = changeBoard(state, name, args);
  if (!changed.ok) return changed;
  const { state: board, task } = changed.value;
  return { ok: true, value: { fact: { type: 'changed', board }, answer: task } };
}

/** The panel of the UI clips: open tasks come first. */
function showDetails(tasks: readonly BoardTask[]): void {
  const isDone = ({ status }: BoardTask): number => Number(status === 'completed');
  const shown = tasks.toSorted((one, other) => isDone(one) - isDone(other));
  const lines = shown
    .slice(0, 50)
    .map(
      ({ id, status, assignee, text }) =>
        `- **${status}** ${id}${assignee === undefined ? '' : ` (${plainLine(assignee)})`}: ${plainLine(text)}`,
    );
  setCurrentDetails(lines.length === 0 ? 'The board is empty.' : lines.join('\n'));
}

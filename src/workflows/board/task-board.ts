// The workflow of a task board: one workflow id for each board, until it is closed. Its rules are in core/board;
// Temporal's updates serialise two claims of the same task.
import {
  allHandlersFinished,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { UpdateDefinition } from '@temporalio/common';
import { plainLine } from '../../../packages/base/src/plain-markdown.ts';
import { changeBoard, emptyBoard, readBoardInput } from '../../core/board/task-board.ts';
import type { BoardCallName, BoardInput, BoardTask } from '../../../packages/vocabulary/src/board.ts';
import { accepted } from '../activity-failure.ts';
import { isLong } from '../hand-over.ts';
import { boardUpdates, closeBoardSignal, listTasksQuery } from './board-api.ts';

export async function taskBoard(given?: BoardInput): Promise<BoardTask[]> {
  const input = accepted(readBoardInput(given));
  let state = input.carried ?? emptyBoard;
  let closed = false;
  let isFull = false;
  for (const name of callNames) {
    const handle = (...[args]: unknown[]): BoardTask => {
      const changed = accepted(changeBoard(state, name, args));
      state = changed.state;
      // computed here and not in the condition below, which a refused update also evaluates: a replay does not see that
      // update
      isFull = isLong(input);
      showDetails(state.tasks);
      return changed.task;
    };
    const update: UpdateDefinition<BoardTask, unknown[]> = boardUpdates[name];
    setHandler(update, handle, {
      // a refused call leaves nothing in history
      validator: (...[args]: unknown[]) => void accepted(changeBoard(state, name, args)),
    });
  }
  setHandler(listTasksQuery, () => state.tasks);
  setHandler(closeBoardSignal, () => void (closed = true));
  showDetails(state.tasks);
  await condition(() => closed || isFull);
  await condition(allHandlersFinished);
  if (closed) return state.tasks;
  return continueAsNew<typeof taskBoard>({ ...input, carried: state });
}

const callNames = Object.keys(boardUpdates).filter((name): name is BoardCallName => name in boardUpdates);

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

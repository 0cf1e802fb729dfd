// One call of a task board, which is another workflow: a workflow cannot send updates itself. A refusal by the board is a
// result; a call without an answer of the server is retried.
import type { Activities } from '@holdfast/vocabulary/activity-table';
import { Context } from '@temporalio/activity';
import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { BoardAnswer, BoardCallInput, BoardTask } from '@holdfast/vocabulary/board';
import { boardWorkflowId } from '@holdfast/vocabulary/workflow-ids';
import { type OwnTaskBoards, callOwnBoard } from './own-task-board.ts';

/** Shorter than the activity's own limit, so that the failure names the board. */
const answerMs = 8_000;

/** `own` are the trackers of the configuration, by the names of their boards. */
export function createBoardCall(own: OwnTaskBoards = new Map()): Activities['boardCall'] {
  return (input) => callOwnBoard(own, input) ?? callServer(input);
}

async function callServer({ board, name, args }: BoardCallInput): Promise<BoardAnswer> {
  const { client } = Context.current();
  const handle = client.workflow.getHandle(boardWorkflowId(board));
  try {
    const task = await client.withDeadline(Date.now() + answerMs, () =>
      handle.executeUpdate<BoardTask, [unknown]>(name, { args: [args] }),
    );
    return { ok: true, task };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) {
      return { ok: false, code: 'Board.Unknown', reason: `There is no open task board "${board}".` };
    }
    if (!(error instanceof WorkflowUpdateFailedError)) throw error;
    const { cause } = error;
    const code = (cause instanceof ApplicationFailure ? cause.type : undefined) ?? 'Board.Refused';
    return { ok: false, code, reason: cause?.message ?? error.message };
  }
}

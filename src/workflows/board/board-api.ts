// Names and types of the updates, the query and the signal of a task board: shared by the workflow and its callers.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { BoardCallName, BoardCalls, BoardTask } from '../../../packages/vocabulary/src/board.ts';

type BoardUpdates = {
  [Name in BoardCallName]: ReturnType<typeof defineUpdate<BoardTask, [BoardCalls[Name]]>>;
};

export const boardUpdates: BoardUpdates = {
  add: defineUpdate('add'),
  claim: defineUpdate('claim'),
  setStatus: defineUpdate('setStatus'),
  release: defineUpdate('release'),
};
export const listTasksQuery = defineQuery<BoardTask[]>('list');
/** The board ends; its result is the list. */
export const closeBoardSignal = defineSignal('close');

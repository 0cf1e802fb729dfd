// Names of the updates, the query and the signal of a task board: shared by the workflow and its callers.
import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { BoardCallName, BoardTask } from '@holdfast/vocabulary/board';

export const boardCallNames: readonly BoardCallName[] = ['add', 'claim', 'setStatus', 'release'];
export const listTasksQuery = defineQuery<BoardTask[]>('list');
/** The board ends; its result is the list. */
export const closeBoardSignal = defineSignal('close');

// The handle to a task board, a workflow of its own: lists the tasks, and changes them for people. Runs in the caller's
// process.
import { defined } from '@holdfast/base/defined';
import type { BoardCallName, BoardCalls, BoardTask } from '@holdfast/vocabulary/board';
import {
  boardNamePattern,
  boardWorkflowId,
  expectedBoardName,
  taskBoardType,
} from '@holdfast/vocabulary/workflow-ids';
import * as api from '../workflows/board/board-api.ts';
import { ClientError, inWordsOf } from './client-error.ts';
import type { SessionUpdate } from './session-caller.ts';
import type { HandleParts } from './session-handle.ts';

/** Every method rejects with a ClientError. */
export class TaskBoard {
  readonly name: string;
  readonly #parts: HandleParts;

  /** @internal Made by `client.board`. */
  constructor(name: string, parts: HandleParts) {
    if (!boardNamePattern.test(name))
      throw new ClientError('InvalidInput', `The board "${name}" is refused: expected ${expectedBoardName}.`);
    this.name = name;
    this.#parts = parts;
  }

  /** Opens the board if there is none. A task with the same id and text is not added again. */
  async add(task: BoardCalls['add']): Promise<BoardTask> {
    const { client, caller, taskQueue } = this.#parts;
    const workflowId = boardWorkflowId(this.name);
    await caller.callServer(() =>
      client.workflow.start(taskBoardType, {
        workflowId,
        taskQueue,
        args: [],
        staticSummary: `task board ${this.name}`,
        workflowIdConflictPolicy: 'USE_EXISTING',
      }),
    );
    return this.#update('add', task);
  }

  /** Refused if another has claimed the task, or it is completed; for the same name it succeeds again. */
  claim(id: string, by: string): Promise<BoardTask> {
    return this.#update('claim', { id, by });
  }

  setStatus(id: string, change: Omit<BoardCalls['setStatus'], 'id'>): Promise<BoardTask> {
    return this.#update('setStatus', { id, ...change });
  }

  /** Makes the task open again; with `by` only if that one has claimed it. */
  release(id: string, by?: string): Promise<BoardTask> {
    return this.#update('release', defined({ id, by }));
  }

  /** In the order in which the tasks were added. */
  list(): Promise<BoardTask[]> {
    return this.#call((handle) => handle.query(api.listTasksQuery));
  }

  /** Closes the board, which then takes no more calls. */
  async close(): Promise<void> {
    await this.#call((handle) => handle.signal(api.closeBoardSignal));
  }

  #update<Name extends BoardCallName>(name: Name, args: BoardCalls[Name]): Promise<BoardTask> {
    return this.#call((handle, updateId) =>
      handle.executeUpdate<BoardTask, [unknown]>(name, { args: [args], updateId }),
    );
  }

  async #call<T>(work: SessionUpdate<T>): Promise<T> {
    try {
      return await this.#parts.caller.update(boardWorkflowId(this.name), work, undefined, taskBoardType);
    } catch (error) {
      const gone = `There is no open task board "${this.name}": "holdfast board add ${this.name} <words>" makes one.`;
      throw unansweredBy(error, this.name) ?? inWordsOf(error, gone);
    }
  }
}

/** Such an error is about the board: a call that was not answered may still be taken. */
function unansweredBy(error: unknown, name: string): ClientError | undefined {
  if (!(error instanceof ClientError) || (error.code !== 'NoWorker' && error.code !== 'WorkerBusy'))
    return undefined;
  const { code, reason, cause } = error;
  const why =
    code === 'NoWorker' ? 'no worker is running, "holdfast worker" starts one' : 'its worker is busy';
  const message = `Task board ${name} did not answer: ${why}. It may still be taken: look with "holdfast board list ${name}".`;
  return new ClientError(code, message, defined({ cause, reason }));
}

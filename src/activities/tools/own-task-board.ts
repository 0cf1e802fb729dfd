// A tracker of the user's own in place of a task board: GitHub issues, Jira, a database. Runs in activities.
import type { BoardAnswer, BoardCallInput, BoardCalls } from '@holdfast/vocabulary/board';

/** The reason of a refusal, which the delegating agent reads; nothing if the change was made. */
export type TaskRefusal = string | undefined | void;

/**
 * Goes into `taskBoards` of the configuration under the name that `delegation.taskBoard` has. Every method may be called
 * again for the same change, and then succeeds. A throw is tried again three times, and then refuses.
 */
export interface OwnTaskBoard {
  /** Exactly one of two that claim a task at once gets it. `by` is the session id of the subagent. */
  claim(id: string, by: string): Promise<TaskRefusal>;
  /** The subagent has ended. */
  setStatus(id: string, change: Omit<BoardCalls['setStatus'], 'id'>): Promise<TaskRefusal>;
  /** The task is open again; with `by` only if that one has claimed it. */
  release(id: string, by?: string): Promise<TaskRefusal>;
}

export type OwnTaskBoards = ReadonlyMap<string, OwnTaskBoard>;

/** Undefined if the board is none of these. */
export function callOwnBoard(boards: OwnTaskBoards, input: BoardCallInput): Promise<BoardAnswer> | undefined {
  const board = boards.get(input.board);
  return board && answerOf(board, input);
}

async function answerOf(board: OwnTaskBoard, input: BoardCallInput): Promise<BoardAnswer> {
  const reason = await change(board, input);
  return typeof reason === 'string' ? { ok: false, code: 'Board.Refused', reason } : { ok: true };
}

async function change(board: OwnTaskBoard, { board: name, ...call }: BoardCallInput): Promise<TaskRefusal> {
  switch (call.name) {
    case 'claim':
      return board.claim(call.args.id, call.args.by);
    case 'setStatus': {
      const { id, ...status } = call.args;
      return board.setStatus(id, status);
    }
    case 'release':
      return board.release(call.args.id, call.args.by);
    default:
      return `Tasks of ${name} are added in the tracker itself.`;
  }
}

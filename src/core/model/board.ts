// A task board: what a team works on, and who has which part. The board is a workflow of its own; sessions and people reach
// it by the calls below.

export const taskStatuses = ['open', 'claimed', 'completed', 'failed'] as const;
export type BoardStatus = (typeof taskStatuses)[number];

export type BoardTask = {
  id: string;
  text: string;
  status: BoardStatus;
  /** Who has claimed it, and who has ended it. */
  assignee?: string;
  notes?: string;
};

/**
 * `by` is the session id of an agent, which ends with its instance name: names are unique only in their session. A person
 * gives none, and may change any task.
 */
export type BoardCalls = {
  /** Without an id it gets the next free number. */
  add: { text: string; id?: string; notes?: string };
  claim: { id: string; by: string };
  setStatus: { id: string; status: 'completed' | 'failed'; by?: string; notes?: string };
  /** Open again. */
  release: { id: string; by?: string };
};
export type BoardCallName = keyof BoardCalls;

/** One call of a board as data, under its wire name. */
export type BoardCall = { [Name in BoardCallName]: { name: Name; args: BoardCalls[Name] } }[BoardCallName];

export type BoardCallInput = { board: string } & BoardCall;

/** `unknown`: the board may have taken it all the same. */
export type BoardAnswer =
  | { ok: true; task: BoardTask }
  | { ok: false; code: string; reason: string; unknown?: true };

/** What one board hands to its next execution. */
export type BoardState = { tasks: BoardTask[]; numbered: number };

/** Start input of the workflow: a new board needs none. */
export type BoardInput = {
  carried?: BoardState;
  /** Default 3,000; a new execution begins behind so many events. */
  maxEvents?: number;
};

/** The workflow type under which any caller starts a board. */
export const taskBoardType = 'taskBoard';

/** Names of boards are typed, and part of workflow ids. */
export const boardNamePattern = /^[A-Za-z0-9][\w.-]{0,99}$/;
export const expectedBoardName = 'letters, digits, ".", "_" and "-", at most 100';

export function boardWorkflowId(board: string): string {
  return `board:${board}`;
}

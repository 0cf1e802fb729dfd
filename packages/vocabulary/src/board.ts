// A task board: the tasks of a team, and the owner of each. The board is a workflow of its own; sessions and people use
// the calls below. Types only.

export const taskStatuses = ['open', 'claimed', 'completed', 'failed'] as const;
export type BoardStatus = (typeof taskStatuses)[number];

export type BoardTask = {
  id: string;
  text: string;
  status: BoardStatus;
  /** The claimer, or the one who ended the task. */
  assignee?: string;
  notes?: string;
};

/**
 * `by` is the session id of an agent, which ends with its instance name: names are unique only in their session. A
 * person gives none, and may change any task.
 */
export type BoardCalls = {
  /** Without an id, the task gets the next free number. */
  add: { text: string; id?: string; notes?: string };
  claim: { id: string; by: string };
  setStatus: { id: string; status: 'completed' | 'failed'; by?: string; notes?: string };
  /** Makes the task open again. */
  release: { id: string; by?: string };
};
export type BoardCallName = keyof BoardCalls;

/** One call of a board as data, under its wire name. */
export type BoardCall = { [Name in BoardCallName]: { name: Name; args: BoardCalls[Name] } }[BoardCallName];

export type BoardCallInput = { board: string } & BoardCall;

/** `unknown`: the board may still have taken the call. */
export type BoardAnswer =
  | { ok: true; task?: BoardTask }
  | { ok: false; code: string; reason: string; unknown?: true };

/** The state that one execution of a board hands to the next. */
export type BoardState = { tasks: BoardTask[]; numbered: number };

/** Start input of the workflow; empty for a new board. */
export type BoardInput = {
  carried?: BoardState;
  /** Events after which a new execution begins. Default 3,000. */
  maxEvents?: number;
};

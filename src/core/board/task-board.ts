// The rules of a task board: a list of tasks, and the effect of each call on it. Pure; the workflow and the in-process
// host hold the list. Every call is idempotent, because an activity may send it twice.
import { omit } from '@holdfast/base/omit';
import {
  type JsonRecord,
  type Parsed,
  inputReader,
  isCount,
  isRecord,
  isText,
  listOf,
  objectOf,
  oneOf,
  optional,
  refuse,
} from '@holdfast/base/json';
import { jsonBytes } from '@holdfast/base/sizes';
import { taskStatuses } from '@holdfast/vocabulary/board';
import type {
  BoardCallName,
  BoardInput,
  BoardState,
  BoardStatus,
  BoardTask,
} from '@holdfast/vocabulary/board';

/** A whole board travels through continue-as-new, and is the answer of one query. */
export const boardLimits = { tasks: 300, textBytes: 2_048, notesBytes: 1_024, nameBytes: 1_024 };

export const emptyBoard: BoardState = { tasks: [], numbered: 0 };

/** Checks the input of the workflow: any program may start a board. `state` is that of the execution before. */
export function readBoardInput(input: unknown): Parsed<BoardInput> {
  return readGiven(input ?? {});
}

const isTask = objectOf<BoardTask>({ id: isTaskId, text: isText, status: oneOf(...taskStatuses) });
const readGiven = inputReader(
  objectOf<BoardInput>({
    carried: optional(objectOf<BoardState>({ numbered: isCount, tasks: listOf(isTask) })),
    maxEvents: optional(isCount),
  }),
  'The start input of a task board is not valid: expected none, or {carried: {tasks, numbered}, maxEvents}.',
);

/** The board after a call, and the task that the call changed. A refused call changes nothing. */
export type BoardChange = Parsed<{ state: BoardState; task: BoardTask }>;

/** `args` come over the wire, from any program. */
export function changeBoard(state: BoardState, name: BoardCallName, args: unknown): BoardChange {
  if (!isRecord(args)) return invalid(name, `one object, not ${typeof args}`);
  const problem = problemOf(name, args);
  if (problem !== undefined) return invalid(name, problem);
  if (name === 'add') return add(state, args);
  const { id, by } = args;
  const task = state.tasks.find((each) => each.id === id);
  if (!task) {
    const reason = `The board has no task "${String(id)}": expected one of ${idsOf(state)}.`;
    return refuse('Board.UnknownTask', reason);
  }
  const actor = isText(by) ? by : undefined;
  switch (name) {
    case 'claim':
      return claim(state, task, actor ?? '');
    case 'setStatus':
      return setStatus(state, task, args, actor);
    case 'release':
      return release(state, task, actor);
  }
}

function add(state: BoardState, args: JsonRecord): BoardChange {
  const { id: given, text, notes } = args;
  const known = state.tasks.find(({ id }) => id === given);
  if (known) {
    if (known.text === text) return { ok: true, value: { state, task: known } };
    const reason = `The board has another task "${known.id}": leave the id out, or choose another.`;
    return refuse('Board.TaskExists', reason);
  }
  if (state.tasks.length >= boardLimits.tasks) {
    const reason = `The board is full: it holds ${boardLimits.tasks} tasks. Close it, and begin another one.`;
    return refuse('Board.Full', reason);
  }
  const numbered = isText(given) ? state.numbered : nextNumber(state);
  const id = isText(given) ? given : `t${numbered}`;
  const noted = isText(notes) && notes !== '' ? { notes } : {};
  const task: BoardTask = { id, text: isText(text) ? text : '', status: 'open', ...noted };
  return { ok: true, value: { state: { tasks: [...state.tasks, task], numbered }, task } };
}

function nextNumber({ tasks, numbered }: BoardState): number {
  const ids = new Set(tasks.map(({ id }) => id));
  let next = numbered + 1;
  while (ids.has(`t${next}`)) next++;
  return next;
}

/** Anybody may claim a failed task again. */
function claim(state: BoardState, task: BoardTask, by: string): BoardChange {
  if (task.status === 'completed') return refused(task, `it is completed by ${task.assignee ?? 'a person'}`);
  if (task.status === 'claimed' && task.assignee !== by) return claimed(task);
  return replaced(state, { ...task, status: 'claimed', assignee: by });
}

function setStatus(
  state: BoardState,
  task: BoardTask,
  { status, notes }: JsonRecord,
  by: string | undefined,
): BoardChange {
  const mayEnd = by === undefined || (task.assignee === by && task.status !== 'open');
  if (!mayEnd) return task.status === 'claimed' ? claimed(task) : refused(task, `${by} has not claimed it`);
  const noted = isText(notes) && notes !== '' ? { notes } : {};
  return replaced(state, { ...task, status: status === 'completed' ? 'completed' : 'failed', ...noted });
}

function release(state: BoardState, task: BoardTask, by: string | undefined): BoardChange {
  if (task.status === 'open') return { ok: true, value: { state, task } };
  if (by !== undefined && task.assignee !== by) return claimed(task);
  if (by !== undefined && task.status !== 'claimed') return refused(task, `it is ${task.status} already`);
  return replaced(state, { ...omit(task, 'assignee'), status: 'open' });
}

function replaced(state: BoardState, task: BoardTask): BoardChange {
  const tasks = state.tasks.map((each) => (each.id === task.id ? task : each));
  return { ok: true, value: { state: { ...state, tasks }, task } };
}

function claimed({ id, assignee = 'another', status }: BoardTask): BoardChange {
  return refuse('Board.Claimed', `Task ${id} is ${status} by ${assignee}.`);
}

function refused({ id }: BoardTask, why: string): BoardChange {
  return refuse('Board.Refused', `Task ${id} was not changed: ${why}.`);
}

function invalid(name: string, expected: string): BoardChange {
  return refuse('Board.Invalid', `The call ${name} of a board expects ${expected}.`);
}

const ends: readonly BoardStatus[] = ['completed', 'failed'];

/** Describes the expected argument if the given one is wrong. */
function problemOf(name: BoardCallName, { id, text, by, status, notes }: JsonRecord): string | undefined {
  if (name === 'add' ? id !== undefined && !isTaskId(id) : !isTaskId(id)) return `an id of ${expectedTaskId}`;
  if (name === 'add' && !isBounded(text, boardLimits.textBytes, 1))
    return `a text of 1 to ${boardLimits.textBytes} bytes`;
  if (notes !== undefined && !isBounded(notes, boardLimits.notesBytes))
    return `notes of at most ${boardLimits.notesBytes} bytes`;
  if (name === 'claim' ? !isName(by) : by !== undefined && !isName(by))
    return `the id of an agent's session as "by", of at most ${boardLimits.nameBytes} bytes`;
  if (name === 'setStatus' && !ends.some((end) => end === status)) return 'a status, completed or failed';
  return undefined;
}

const expectedTaskId = 'letters, digits, ".", "_", ":" and "-", at most 100';

function isTaskId(value: unknown): value is string {
  return isText(value) && /^[A-Za-z0-9][\w.:-]{0,99}$/.test(value);
}

function isName(value: unknown): value is string {
  return isBounded(value, boardLimits.nameBytes, 1);
}

function isBounded(value: unknown, bytes: number, least = 0): value is string {
  return isText(value) && value.trim().length >= least && jsonBytes(value) <= bytes;
}

function idsOf({ tasks }: BoardState): string {
  const shown = tasks.slice(0, 20).map(({ id }) => id);
  if (shown.length === 0) return 'none, it is empty';
  return `${shown.join(', ')}${tasks.length > shown.length ? ', …' : ''}`;
}

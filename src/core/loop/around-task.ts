// The work around a delegated task in a session with a task board or a notes folder: claim and advice before the child
// starts, board entry and note after it ends. Without either, nothing is awaited.
import { canceled } from '../agent/delegation/task-result.ts';
import type { TaskResult } from '../model/children.ts';
import { type BoardTaskRef, claimTask, endTask, releaseTask } from './board-task.ts';
import type { Effects, WorkflowToolContext } from './effects.ts';
import { findNotes, leaveNote } from './reflection-notes.ts';

type Context = { session: WorkflowToolContext['session']; effects: Pick<Effects, 'call'> };

/** `childId` is the id that the child's session will have; `formerId` is the child whose work it takes over. */
export type TaskAhead = { task: string; taskId?: string; childId: string; formerId?: string };

export type TaskAids = {
  claimed?: BoardTaskRef;
  /** Notes about earlier failures of similar tasks; '' if there are none. */
  reflections: string;
};

const noAids: TaskAids = { reflections: '' };

export function hasAids({ settings }: Context['session']): boolean {
  const { taskBoard, reflectionDir = '' } = settings.delegation;
  return taskBoard !== undefined || reflectionDir !== '';
}

/** `refused`: the board refused the claim, and the child must not start. */
export async function beforeTask(
  context: Context,
  { task, taskId, childId, formerId }: TaskAhead,
): Promise<TaskAids | { refused: string }> {
  const { taskBoard } = context.session.settings.delegation;
  if (taskId === undefined || taskBoard === undefined)
    return { ...noAids, reflections: await findNotes(context, task) };
  const claimed = { id: taskId, by: childId };
  const refused = await claimTask(context, claimed, formerId);
  return refused === undefined ? { claimed, reflections: await findNotes(context, task) } : { refused };
}

/** Releases the claim of a task whose child does not start. */
export async function giveBack(context: Context, { claimed }: TaskAids): Promise<void> {
  if (claimed) await releaseTask(context, claimed);
}

/**
 * The result, with warnings from board and notes. A task that a stop of this session ended is open again on the board.
 */
export async function afterTask(
  context: Context,
  { claimed }: TaskAids,
  child: { name: string; task: string },
  result: TaskResult,
): Promise<TaskResult> {
  const isStopped = context.session.stop !== undefined && result.error === canceled;
  if (!isStopped) await leaveNote(context, child, result);
  if (!claimed) return result;
  const warning = await (isStopped ? releaseTask(context, claimed) : endTask(context, claimed, result));
  return warning === undefined ? result : { ...result, warning };
}

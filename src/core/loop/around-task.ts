// The work around a delegated task where the session has a task board or a folder of notes: claimed and advised before its
// child starts, entered and remembered when it has ended. Without either there is nothing to wait for.
import { canceled } from '../agent/delegation/task-result.ts';
import type { TaskResult } from '../model/children.ts';
import type { BoardTaskRef } from './board-task.ts';
import { claimTask, endTask, releaseTask } from './board-task.ts';
import type { Effects, WorkflowToolContext } from './effects.ts';
import { findNotes, leaveNote } from './reflection-notes.ts';

type Context = {
  session: WorkflowToolContext['session'];
  effects: Pick<Effects, 'callBoard' | 'writeReflection' | 'findReflections'>;
};

/** `childId` is the id that its session will have, `formerId` that of the child whose work it takes over. */
export type TaskAhead = { task: string; taskId?: string; childId: string; formerId?: string };

export type TaskAids = {
  claimed?: BoardTaskRef;
  /** Notes of earlier failures at such tasks; '' without any. */
  reflections: string;
};

const noAids: TaskAids = { reflections: '' };

export function hasAids({ settings }: Context['session']): boolean {
  return settings.taskBoard !== undefined || (settings.reflectionDir ?? '') !== '';
}

/** `refused`: the board does not give the task to this child, which then does not start. */
export async function beforeTask(
  context: Context,
  { task, taskId, childId, formerId }: TaskAhead,
): Promise<TaskAids | { refused: string }> {
  const { taskBoard } = context.session.settings;
  if (taskId === undefined || taskBoard === undefined)
    return { ...noAids, reflections: await findNotes(context, task) };
  const claimed = { id: taskId, by: childId };
  const refused = await claimTask(context, claimed, formerId);
  return refused === undefined ? { claimed, reflections: await findNotes(context, task) } : { refused };
}

/** Of a task whose child does not start after all. */
export async function giveBack(context: Context, { claimed }: TaskAids): Promise<void> {
  if (claimed) await releaseTask(context, claimed);
}

/** The result with what went wrong around it. A task that a stop of this session ended is open again on the board. */
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

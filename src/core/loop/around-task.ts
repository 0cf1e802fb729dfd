// The work around a delegated task in a session with a task board or a notes folder: claim and advice before the child
// starts, board entry and note after it ends. Without either, nothing is awaited. Notes are optional help: an error of theirs is
// only a warning. A claim names the child by its session id, which is unique over all sessions.
import { storedIdOf } from '@holdfast/vocabulary/agent-state';
import { canceled } from '../agent/delegation/task-result.ts';
import type { BoardAnswer, BoardCall } from '@holdfast/vocabulary/board';
import type { TaskResult } from '@holdfast/vocabulary/children';
import { type Effects, type WorkflowToolContext, valueOrWarning } from './effects.ts';

type AidContext = { session: WorkflowToolContext['session']; effects: Pick<Effects, 'call'> };

/** `by` is the session id of the child. */
type BoardTaskRef = { id: string; by: string };

/** `childId` is the id that the child's session will have; `formerId` is the child whose work it takes over. */
export type TaskAhead = { task: string; taskId?: string; childId: string; formerId?: string };

export type TaskAids = {
  claimed?: BoardTaskRef;
  /** Notes about earlier failures of similar tasks; '' if there are none. */
  reflections: string;
};

export function hasAids({ settings }: AidContext['session']): boolean {
  const { taskBoard, reflectionDir = '' } = settings.delegation;
  return taskBoard !== undefined || reflectionDir !== '';
}

/** `refused`: the board refused the claim, and the child must not start. */
export async function beforeTask(
  context: AidContext,
  { task, taskId, childId, formerId }: TaskAhead,
): Promise<TaskAids | { refused: string }> {
  const { taskBoard } = context.session.settings.delegation;
  if (taskId === undefined || taskBoard === undefined) return { reflections: await findNotes(context, task) };
  const claimed = { id: taskId, by: childId };
  const refused = await claimTask(context, claimed, formerId);
  return refused === undefined ? { claimed, reflections: await findNotes(context, task) } : { refused };
}

/**
 * The result, with warnings from board and notes. A task that a stop of this session ended is open again on the board.
 */
export async function afterTask(
  context: AidContext,
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

/**
 * The reason if the task cannot be claimed. `former`: a child of an earlier session, whose work this one takes over.
 */
export async function claimTask(
  context: AidContext,
  { id, by }: BoardTaskRef,
  former: string | undefined,
): Promise<string | undefined> {
  if (former !== undefined) await call(context, { name: 'release', args: { id, by: former } });
  const answer = await call(context, { name: 'claim', args: { id, by } });
  if (answer.ok) return undefined;
  // the child will not start: a claim that was taken anyway must not remain
  if (answer.unknown) await releaseTask(context, { id, by });
  return answer.reason;
}

/** Makes the task open again; on failure a person can do it on the board. */
export async function releaseTask(
  context: AidContext,
  { id, by }: BoardTaskRef,
): Promise<string | undefined> {
  return warningOf(await call(context, { name: 'release', args: { id, by } }));
}

/** Enters the child's outcome on the board; returns a warning if the board refused it. */
async function endTask(
  context: AidContext,
  { id, by }: BoardTaskRef,
  { completion, error }: TaskResult,
): Promise<string | undefined> {
  const status = error === undefined ? (completion?.status ?? 'completed') : 'failed';
  return warningOf(await call(context, { name: 'setStatus', args: { id, by, status } }));
}

function warningOf(answer: BoardAnswer): string | undefined {
  return answer.ok ? undefined : `The task board was not updated. ${answer.reason}`;
}

/** No answer from the board counts as a refusal; whether the change was taken is then unknown. */
async function call({ session, effects }: AidContext, change: BoardCall): Promise<BoardAnswer> {
  const { taskBoard: board = '' } = session.settings.delegation;
  const outcome = await effects.call('boardCall', { board, ...change });
  if (outcome.type === 'done') return outcome.value;
  const { code, message } =
    outcome.type === 'failed' ? outcome.failure : { code: 'Board.Stopped', message: 'stopped' };
  const reason = `The task board ${board} did not answer: ${message}`;
  return { ok: false, code, reason, unknown: true };
}

/** Notes that share words with the task, newest first; '' if there are none. */
async function findNotes({ session, effects }: AidContext, task: string): Promise<string> {
  const { reflectionDir: folder = '' } = session.settings.delegation;
  if (folder === '') return '';
  const finding = effects.call('findReflections', { folder, task });
  const what = 'Notes of earlier failures were not read: ';
  return (await valueOrWarning(session, finding, 'Reflection.Failed', what))?.join('\n\n') ?? '';
}

/** Writes a note if the child reported failure, reached a limit, or ended with an error. */
async function leaveNote(
  { session, effects }: AidContext,
  child: { name: string; task: string },
  result: TaskResult,
): Promise<void> {
  const { delegation, offTheRecord } = session.settings;
  const { reflectionDir: folder = '' } = delegation;
  const failure = failureOf(result);
  if (folder === '' || offTheRecord || failure === undefined) return;
  const note = { folder, sessionId: storedIdOf(session.state), ...child, failure };
  const what = `The note about ${child.name} was not written: `;
  await valueOrWarning(session, effects.call('writeReflection', note), 'Reflection.Failed', what);
}

function failureOf({ error, completion }: TaskResult): string | undefined {
  if (error !== undefined) return error;
  if (completion?.status !== 'failed') return undefined;
  const { summary, caveats = '' } = completion;
  return [summary, caveats].filter((text) => text.trim() !== '').join('\n\n') || 'failed without a reason';
}

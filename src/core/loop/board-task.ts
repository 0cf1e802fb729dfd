// The board task of a delegated task: claimed before the child starts, ended with the child, and released if the
// delegating run was stopped. A claim names the child by its session id, which is unique over all sessions.
import type { TaskResult } from '../model/children.ts';
import type { BoardAnswer, BoardCall } from '../model/board.ts';
import type { Session } from '../session/session.ts';
import type { Effects } from './effects.ts';

type Context = { session: Pick<Session, 'settings'>; effects: Pick<Effects, 'call'> };

/** `by` is the session id of the child. */
export type BoardTaskRef = { id: string; by: string };

/**
 * The reason if the task cannot be claimed. `former`: a child of an earlier session, whose work this one takes over.
 */
export async function claimTask(
  context: Context,
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
export async function releaseTask(context: Context, { id, by }: BoardTaskRef): Promise<string | undefined> {
  return warningOf(await call(context, { name: 'release', args: { id, by } }));
}

/** Enters the child's outcome on the board; returns a warning if the board refused it. */
export async function endTask(
  context: Context,
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
async function call({ session, effects }: Context, change: BoardCall): Promise<BoardAnswer> {
  const { taskBoard: board = '' } = session.settings.delegation;
  const outcome = await effects.call('boardCall', { board, ...change });
  if (outcome.type === 'done') return outcome.value;
  const { code, message } =
    outcome.type === 'failed' ? outcome.failure : { code: 'Board.Stopped', message: 'stopped' };
  const reason = `The task board ${board} did not answer: ${message}`;
  return { ok: false, code, reason, unknown: true };
}

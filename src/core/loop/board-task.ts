// The task of the board that a delegated task names: claimed before its child starts, ended with it, given back where the run
// that delegated was stopped. A child is named by the id of its session, which no child of another session has.
import type { TaskResult } from '../model/children.ts';
import type { BoardAnswer, BoardCall } from '../model/board.ts';
import type { Session } from '../session/session.ts';
import type { Effects } from './effects.ts';

type Context = { session: Pick<Session, 'settings'>; effects: Pick<Effects, 'callBoard'> };

/** Of a task that names one, and of a session that has a board. */
export type BoardTaskRef = { id: string; by: string };

/** The reason why it cannot be claimed. `former`: the child of a session before, whose work this one takes over. */
export async function claimTask(
  context: Context,
  { id, by }: BoardTaskRef,
  former: string | undefined,
): Promise<string | undefined> {
  if (former !== undefined) await call(context, { name: 'release', args: { id, by: former } });
  const answer = await call(context, { name: 'claim', args: { id, by } });
  if (answer.ok) return undefined;
  // nobody will work on it: a claim that was taken all the same must not stay
  if (answer.unknown) await releaseTask(context, { id, by });
  return answer.reason;
}

/** Open again; where that fails a person can do it. */
export async function releaseTask(context: Context, { id, by }: BoardTaskRef): Promise<string | undefined> {
  return warningOf(await call(context, { name: 'release', args: { id, by } }));
}

/** What has become of it; the answer is a warning where the board did not take it. */
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

function call({ session, effects }: Context, change: BoardCall): Promise<BoardAnswer> {
  return effects.callBoard({ board: session.settings.taskBoard ?? '', ...change });
}

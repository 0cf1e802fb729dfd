// Pending approvals and questions of many sessions: from the server's listing, else by asking each session, a few at a
// time. Runs in the caller's process.
import { eachAtOnce } from '@holdfast/base/at-once';
import type { PendingApproval, PendingQuestion, Snapshot } from '@holdfast/vocabulary/snapshot';
import { ClientError, type ClientErrorCode } from './client-error.ts';
import type { WaitingListing } from './session-list.ts';

/** An approval or a question; the answer names its id. */
export type WaitingItem = { sessionId: string; task: string } & (
  | ({ kind: 'approval' } & PendingApproval)
  | ({ kind: 'question' } & PendingQuestion)
);

export type WaitingList = {
  /** The waiting items, oldest first. */
  waiting: WaitingItem[];
  /** Sessions that could not be asked, e.g. because no worker is running for them. */
  unanswered: { sessionId: string; task: string; code: ClientErrorCode; message: string }[];
};

/** Limited, because a query may have a worker replay a long history. */
const askedAtOnce = 8;

export async function askWhatWaits(
  sessions: readonly WaitingListing[],
  getSnapshot: (sessionId: string) => Promise<Snapshot>,
): Promise<WaitingList> {
  const list: WaitingList = { waiting: [], unanswered: [] };
  const left = sessions.filter(({ waiting }) => waiting === undefined);
  for (const { waiting, ...session } of sessions)
    if (waiting) list.waiting.push(...itemsOf({ ...session, ...waiting }));
  await eachAtOnce(left, askedAtOnce, async ({ sessionId, task }) => {
    try {
      list.waiting.push(...itemsOf(await getSnapshot(sessionId)));
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      const { code, message } = error;
      // it has ended since it was listed
      if (code !== 'SessionClosed') list.unanswered.push({ sessionId, task, code, message });
    }
  });
  list.waiting.sort(
    (one, other) => one.requestedAt - other.requestedAt || compare(one.sessionId, other.sessionId),
  );
  list.unanswered.sort((one, other) => compare(one.sessionId, other.sessionId));
  return list;
}

type Waiting = Pick<Snapshot, 'sessionId' | 'task' | 'approvals' | 'questions'>;

/** The items of one session, oldest first. */
export function itemsOf({ sessionId, task, approvals, questions }: Waiting): WaitingItem[] {
  const items: WaitingItem[] = [
    ...approvals.map((pending) => ({ kind: 'approval' as const, sessionId, task, ...pending })),
    ...questions.map((pending) => ({ kind: 'question' as const, sessionId, task, ...pending })),
  ];
  return items.sort((one, other) => one.requestedAt - other.requestedAt);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

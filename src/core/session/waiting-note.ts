// The pending approvals and questions in a session's memo, which the server lists without a worker. Pure.
import { jsonBytes } from '../base/sizes.ts';
import type { PendingApproval, PendingQuestion, WaitingNote } from '../model/snapshot.ts';

/** Small, because a list of sessions carries all their memos. */
const noteBytes = 8_192;

type Waiting = { readonly allApprovals: PendingApproval[]; readonly allQuestions: PendingQuestion[] };

/** Null if nothing waits, which removes the memo's field. */
export function toWaitingNote({ allApprovals, allQuestions }: Waiting): WaitingNote | null {
  if (allApprovals.length + allQuestions.length === 0) return null;
  const note = { approvals: allApprovals, questions: allQuestions };
  return jsonBytes(note) <= noteBytes ? note : 'many';
}

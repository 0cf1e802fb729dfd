// What waits for people as the memo of a session has it, where the server lists it without a worker. Pure.
import { jsonBytes } from '../base/sizes.ts';
import type { PendingApproval, PendingQuestion, WaitingNote } from '../model/snapshot.ts';

/** A list of sessions carries the memos of all of them. */
const noteBytes = 8_192;

type Waiting = { readonly allApprovals: PendingApproval[]; readonly allQuestions: PendingQuestion[] };

/** Null where nothing waits: the memo forgets it. */
export function toWaitingNote({ allApprovals, allQuestions }: Waiting): WaitingNote | null {
  if (allApprovals.length + allQuestions.length === 0) return null;
  const note = { approvals: allApprovals, questions: allQuestions };
  return jsonBytes(note) <= noteBytes ? note : 'many';
}

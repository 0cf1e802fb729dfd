// The payload of the signal childUpdate, from a session to the one that started it, sent when its approvals, questions
// or operator waits change. Bounded, so that it fits into a signal at every level. Pure.
import { defined } from '@holdfast/base/defined';
import { cutToBytes } from '@holdfast/base/cut-text';
import { type Parsed, isText, listOf, objectOf, refuse } from '@holdfast/base/json';
import { childUpdateBytes, eventTextBytes, jsonBytes } from '@holdfast/base/sizes';
import type { WaitingFor } from './events.ts';
import type { PendingApproval, PendingQuestion } from './snapshot.ts';

export type ChildUpdate = {
  /** Instance name of the child. */
  name: string;
  /** Session id of the child. */
  sessionId: string;
  /** Absent while it is working. */
  waitingFor?: WaitingFor;
  /** The subject of the wait, in a sentence. */
  waitingReason?: string;
  /** Approvals of the child and of its own children, oldest first. */
  approvals: PendingApproval[];
  /** Questions of the child and of its own children, oldest first. */
  questions: PendingQuestion[];
  /** Number of items left out of these lists. */
  more?: number;
};

/**
 * First cuts long calls and marks them: a call that is not seen whole cannot be approved. Then leaves out the newest
 * items.
 */
export function fitUpdate(update: ChildUpdate): ChildUpdate {
  if (jsonBytes(update) <= childUpdateBytes) return update;
  const { approvals, questions, more = 0, ...head } = update;
  let left = childUpdateBytes - jsonBytes({ ...head, approvals: [], questions: [], more: 0 }) - markBytes;
  const fitting = <T>(items: T[]): T[] =>
    items.filter((item) => {
      const size = jsonBytes(item) + 1;
      if (size > left) return false;
      left -= size;
      return true;
    });
  const kept = { questions: fitting(questions), approvals: fitting(approvals.map(cutApproval)) };
  const missing = approvals.length + questions.length - kept.approvals.length - kept.questions.length;
  return defined({ ...head, ...kept, more: more + missing || undefined });
}

/** Room for the digits of `more`. */
const markBytes = 20;

function cutApproval(pending: PendingApproval): PendingApproval {
  const args = cutToBytes(pending.args, eventTextBytes);
  const preview = pending.preview && cutToBytes(pending.preview, eventTextBytes);
  if (args === pending.args && preview === pending.preview) return pending;
  return { ...pending, args, ...defined({ preview }), isCut: true };
}

const isUpdate = objectOf<ChildUpdate>({
  name: isText,
  sessionId: isText,
  approvals: listOf(
    objectOf<PendingApproval>({
      id: isText,
      tool: isText,
      args: isText,
      argsDigest: isText,
      summary: isText,
    }),
  ),
  questions: listOf(objectOf<PendingQuestion>({ id: isText, question: isText })),
});

/** Reads a signal that any client may send; the inside of an item is only shown, never checked. */
export function parseChildUpdate(value: unknown): Parsed<ChildUpdate> {
  if (isUpdate(value)) return { ok: true, value };
  return refuse(
    'InvalidChildUpdate',
    'childUpdate expects {name, sessionId, waitingFor?, approvals: [...], questions: [...]}',
  );
}

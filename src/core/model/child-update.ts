// What a session tells the one that started it: the signal childUpdate, sent when something else waits for people. Bounded, so
// that it fits into a signal wherever it is passed on to.
import { cutToBytes } from '../base/cut-text.ts';
import { isRecord } from '../base/json.ts';
import type { Parsed } from '../base/json.ts';
import { childUpdateBytes, eventTextBytes, jsonBytes } from '../base/sizes.ts';
import type { WaitingFor } from './events.ts';
import type { PendingApproval, PendingQuestion } from './snapshot.ts';

export type ChildUpdate = {
  /** Instance name of the child. */
  name: string;
  /** Its session. */
  sessionId: string;
  /** Absent: it works. */
  waitingFor?: WaitingFor;
  /** What the wait is about, in a sentence. */
  waitingReason?: string;
  /** Its own, and those of its own children, oldest first. */
  approvals: PendingApproval[];
  /** Its own, and those of its own children, oldest first. */
  questions: PendingQuestion[];
  /** There are more than these. */
  more?: number;
};

/** Long calls are cut first, and say so: one that is not seen whole is not approved. Then the newest are left out. */
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
  return { ...head, ...kept, ...(more + missing === 0 ? {} : { more: more + missing }) };
}

/** For the digits of `more`. */
const markBytes = 20;

function cutApproval(pending: PendingApproval): PendingApproval {
  const args = cutToBytes(pending.args, eventTextBytes);
  const preview = pending.preview === undefined ? undefined : cutToBytes(pending.preview, eventTextBytes);
  if (args === pending.args && preview === pending.preview) return pending;
  return { ...pending, args, ...(preview === undefined ? {} : { preview }), isCut: true };
}

/** Of a signal that any client may send; what is inside of an item is only shown. */
export function parseChildUpdate(value: unknown): Parsed<ChildUpdate> {
  const { name, sessionId, approvals, questions } = isRecord(value) ? value : {};
  const isGood =
    typeof name === 'string' &&
    typeof sessionId === 'string' &&
    hasTexts(approvals, ['id', 'tool', 'args', 'argsDigest', 'summary']) &&
    hasTexts(questions, ['id', 'question']);
  if (isGood) return { ok: true, value: value as ChildUpdate };
  return {
    ok: false,
    code: 'InvalidChildUpdate',
    reason: 'childUpdate expects {name, sessionId, waitingFor?, approvals: [...], questions: [...]}',
  };
}

function hasTexts(list: unknown, fields: readonly string[]): boolean {
  return (
    Array.isArray(list) &&
    list.every((item) => isRecord(item) && fields.every((field) => typeof item[field] === 'string'))
  );
}

// An answer to an approval as any client may send it: the call's id and the answer, or both as one object, which is all
// that the Temporal UI can send. Small guards, because handlers run in the workflow.
import { isRecord } from '../base/json.ts';
import type { Parsed } from '../base/json.ts';
import type { ApprovalAnswer, NamedAnswer } from '../model/snapshot.ts';

const expected =
  'expected {id: "call id", approve: true or false, actor: "who", reason?, argsDigest?}, or the id and the rest as two ' +
  'arguments; the actor has 1 to 200 characters, the reason at most 4,000';

/** `rest` is the second argument of the two-argument form. */
export function parseApproval(first: unknown, rest?: unknown): Parsed<NamedAnswer> {
  const given = isRecord(first) ? first : isRecord(rest) ? { ...rest, id: first } : {};
  const { id, approve, actor, reason, argsDigest }: { [Field in keyof NamedAnswer]?: unknown } = given;
  const isGood =
    isText(id, 1_000) &&
    typeof approve === 'boolean' &&
    isText(actor, 200) &&
    isOptionalText(reason, 4_000) &&
    isOptionalText(argsDigest, 200);
  if (!isGood) return { ok: false, code: 'InvalidAnswer', reason: expected };
  const answer: ApprovalAnswer = {
    ...{ approve, actor },
    ...(reason === undefined ? {} : { reason }),
    ...(argsDigest === undefined ? {} : { argsDigest }),
  };
  return { ok: true, value: { id, ...answer } };
}

function isText(value: unknown, limit: number): value is string {
  return typeof value === 'string' && value !== '' && value.length <= limit;
}

function isOptionalText(value: unknown, limit: number): value is string | undefined {
  return value === undefined || (typeof value === 'string' && value.length <= limit);
}

// Parses people's answers from any client: an id and further arguments, or everything as one object, which is the only
// form that the Temporal UI can send. Small guards instead of schemas, because handlers run in the workflow.
import { defined } from '@holdfast/base/defined';
import { type Parsed, type Refused, isRecord, refuse, fieldsOf } from '@holdfast/base/json';
import { toVisibleLine } from '@holdfast/base/visible';
import type { AllowanceScope } from '@holdfast/vocabulary/events';
import type {
  TakeBack,
  Answer,
  ApprovalAnswer,
  NamedAnswer,
  NamedQuestionAnswer,
  PendingApproval,
} from '@holdfast/vocabulary/snapshot';

const invalid = (reason: string): Refused => refuse('InvalidAnswer', reason);

type Unread<Fields> = { [Field in keyof Fields]?: unknown };

const expected =
  'expected {id: "call id", approve: true or false, actor: "who", argsDigest, reason?, remember?}, or the id and the ' +
  'rest as two arguments; the actor has 1 to 200 visible characters, the reason at most 4,000; remember is "call" or "tool", ' +
  'with approve: true only; a denial needs no argsDigest';

/** `rest` is the second argument of the two-argument form. */
export function parseApproval(first: unknown, rest?: unknown): Parsed<NamedAnswer> {
  const { id, approve, actor, reason, argsDigest, remember }: Unread<NamedAnswer> = joined(first, rest);
  const isGood =
    isText(id, 1_000) &&
    typeof approve === 'boolean' &&
    isText(actor, 200) &&
    isOptionalText(reason, 4_000) &&
    isOptionalText(argsDigest, 200) &&
    (remember === undefined || (isScope(remember) && approve));
  if (!isGood) return invalid(expected);
  const answer: ApprovalAnswer = { approve, actor, ...defined({ reason, argsDigest, remember }) };
  return { ok: true, value: { id, ...answer } };
}

/** Enough to tell two calls apart, and short enough for a line of the Temporal UI. */
const shownDigest = 16;

/** Names a call that waits, with its arguments: what an answer has as its `question`. */
export function toQuestionId({ id, argsDigest }: Pick<PendingApproval, 'id' | 'argsDigest'>): string {
  return `${id}@${argsDigest.slice(0, shownDigest)}`;
}

/** The id in a name that `toQuestionId` has made, and the beginning of the digest; any other id stays whole. */
export function fromQuestionId(question: string): { id: string; argsDigest?: string } {
  const [, id = question, argsDigest] = /^(.+)@([0-9a-f]{16,})$/.exec(question) ?? [];
  return { id, ...defined({ argsDigest }) };
}

/** Undefined if the answer can be taken. Of a digest its sender may have seen the beginning only. */
export function refuseAnswer(
  { argsDigest: whole, tool, rememberable }: PendingApproval,
  { id, argsDigest = whole, remember }: NamedAnswer,
): Refused | undefined {
  const head = `Approval for call ${id} refused:`;
  const others = 'it waits with other arguments than those that were answered. Look at them again.';
  const isSeen = argsDigest === whole || (argsDigest.length >= shownDigest && whole.startsWith(argsDigest));
  if (!isSeen) return refuse('NotPending', `${head} ${others}`);
  if (remember === undefined || rememberable.includes(remember)) return undefined;
  const why = `${tool} says of each call what it does, so every call of it cannot be allowed: remember this call.`;
  return refuse('NotRememberable', `${head} ${why}`);
}

/** An answer to whatever waits: the id of the question, the digest behind it, the words. */
export type ReadAnswer = { id: string; argsDigest?: string; words: string; actor: string };

/** Payload of update answer. */
export function parseAnswer(payload: unknown): Parsed<ReadAnswer> {
  const { question, answer, by }: Unread<Answer> = fieldsOf(payload);
  const actor = toName(by);
  const isGood = isText(question, 1_000) && isText(answer, answerCharacters) && actor !== '';
  if (!isGood || actor.toLowerCase() === placeholders.by || answer === placeholders.answer)
    return invalid(expectedForm);
  return { ok: true, value: { ...fromQuestionId(question), words: answer.trim(), actor } };
}

/** The words of an answer as the decision about a call. */
export function toDecision({ id, argsDigest, words, actor }: ReadAnswer): Parsed<NamedAnswer> {
  const [isDecision, approval, forSession, reason] =
    /^(?:(approve)( for (?:the )?session)?|deny[:,.\s]*(?:(?<=[:,.\s])(.+))?)$/is.exec(words) ?? [];
  if (isDecision === undefined) return invalid(expectedDecision);
  const approve = approval !== undefined;
  if (approve && argsDigest === undefined) return unseenApproval;
  const remember = forSession === undefined ? undefined : 'call';
  return { ok: true, value: { id, approve, actor, ...defined({ reason, argsDigest, remember }) } };
}

/** True for an approval that does not say which arguments its sender has seen. */
export function approvesUnseen(first: unknown, rest?: unknown): boolean {
  const { approve, argsDigest }: Unread<NamedAnswer> = joined(first, rest);
  return approve === true && argsDigest === undefined;
}

export const unseenApproval = invalid(
  'an approval names what it approves: expected argsDigest, from the pending call as "holdfast approvals --json", the ' +
    'query pendingApprovals, the event approval_requested and the Temporal UI show it',
);

/** The current details of a session have these where a person writes. */
export const placeholders = { answer: 'your words', by: 'your name' };

const expectedForm =
  'expected {question: "its id", answer: "approve, deny, or your words", by: "your name"}, as the current details of ' +
  'the session show it, with your own name and words';
const expectedDecision =
  'expected the answer "approve", "approve for session", "deny", or "deny: the reason", because a call waits under this id';

/** A longer answer belongs in a file that the agent can read. */
const answerCharacters = 8_000;

const expectedAnswer =
  'expected {id: "question id", text: "the answer", actor?}, or id, text and actor as up to three arguments; ' +
  `the text has 1 to ${answerCharacters} characters, the actor at most 200, all of them visible`;

/** `text` and `actor` are the later arguments of the form with several; `text` may also be an object with both. */
export function parseQuestionAnswer(
  first: unknown,
  text?: unknown,
  actor?: unknown,
): Parsed<NamedQuestionAnswer> {
  const given: Unread<NamedQuestionAnswer> = joined(first, isRecord(text) ? text : { text, actor });
  const { id, text: words, actor: who = 'somebody' } = given;
  const isGood = isText(id, 1_000) && isText(words, answerCharacters) && isText(who, 200);
  return isGood ? { ok: true, value: { id, text: words, actor: who } } : invalid(expectedAnswer);
}

/** Payload of the updates forgetAllowance and takeBackFinding. */
export function parseTakenBack(first: unknown, rest?: unknown): Parsed<TakeBack> {
  const { id, actor }: Unread<TakeBack> = joined(first, rest);
  if (isText(id, 200) && isText(actor, 200)) return { ok: true, value: { id, actor } };
  return invalid('expected {id: "what is taken back", actor: "who"}, or the id and {actor} as two arguments');
}

/** A name without the blanks around it; '' for one that hides a character, or has letters that look like others. */
function toName(value: unknown): string {
  const name = isText(value, 200) ? value.trim() : '';
  return toVisibleLine(name) === name ? name : '';
}

function joined(first: unknown, rest: unknown): Record<string, unknown> {
  const { id, actor, ...given } = isRecord(first) ? first : isRecord(rest) ? { ...rest, id: first } : {};
  const named = typeof id === 'string' ? fromQuestionId(id) : {};
  return { ...named, ...given, ...defined({ actor: actor === undefined ? undefined : toName(actor) }) };
}

function isScope(value: unknown): value is AllowanceScope {
  return value === 'call' || value === 'tool';
}

function isText(value: unknown, limit: number): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= limit;
}

function isOptionalText(value: unknown, limit: number): value is string | undefined {
  return value === undefined || (typeof value === 'string' && value.length <= limit);
}

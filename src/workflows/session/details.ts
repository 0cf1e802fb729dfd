// The parts of a session in the current details of the Temporal UI: approvals and questions, each with its subject and an answer to
// paste; parent and children, each with a link to its page, running or waiting ones first. Markdown. Runs in the workflow. The panel
// clips after about nine lines, so every line counts.
import { counted, describeCost, describeDeadline, describeMoment } from '@holdfast/base/words';
import { codeSpan, plainLine } from '@holdfast/base/plain-markdown';
import { toShownJson } from '@holdfast/base/shown-json';
import { cutText, cutToBytes } from '@holdfast/base/cut-text';
import { present } from '@holdfast/base/present';
import { utf8Bytes } from '@holdfast/base/sizes';
import { placeholders, toQuestionId } from '../../core/session/answers.ts';
import type { Child } from '@holdfast/vocabulary/children';
import type { WaitingFor } from '@holdfast/vocabulary/events';
import type { Allowance, PendingApproval, PendingQuestion } from '@holdfast/vocabulary/snapshot';

const shownBytes = 600;
/** Limit for a question's text. */
const shownCharacters = 600;
const shownAllowances = 5;
const shownRunning = 20;
const shownEnded = 5;

const sending = '- To answer: More Actions, Send an Update, `answer`, with this';
const howToApprove = `${sending}; \`deny\` or \`deny: the reason\` refuses, \`approve for session\` allows the same call again:`;
const howToAnswer = `${sending} and your words in it:`;

/** `sessionId` names the session to open for the parts that are cut here. */
export function approvalLines(pending: readonly PendingApproval[], sessionId: string): string[] {
  const firstWhole = pending.findIndex(isWhole);
  return pending.flatMap((one, index) => {
    const changes = one.changes === undefined ? '' : `Changes ${codeSpan(one.changes)}. `;
    const whole = codeSpan(`holdfast approvals ${one.child?.sessionId ?? sessionId} --whole`);
    return present([
      `- ${ofChild(one)}${changes}Run ${codeSpan(callOf(one))}? ${plainLine(one.reason ?? '')}`.trimEnd(),
      one.masked && `- A secret in it is masked: ${whole} shows it.`,
      `- ${timesOf(one, 'not run without an answer')}`,
      !isWhole(one) && `- **Too long to be approved here**: ${whole} shows all of it, and how to answer.`,
      index === firstWhole && howToApprove,
      // on its own line, so that a double click selects it all
      isWhole(one) && `- ${answerSpan(toQuestionId(one), 'approve')}`,
    ]);
  });
}

function isWhole({ args, isCut }: PendingApproval): boolean {
  return !isCut && utf8Bytes(args) <= shownBytes;
}

/** A long call is shown by its summary, which names the main arguments, and its beginning. */
function callOf(pending: PendingApproval): string {
  const { tool, args, summary } = pending;
  if (isWhole(pending)) return `${tool} ${args}`;
  return `${summary} ${cutToBytes(args, shownBytes)} (${utf8Bytes(args)} bytes in all)`;
}

/** To be pasted: invisible characters in an id stay JSON escapes. With blanks, at which the panel breaks the line. */
function answerSpan(question: string, answer: string): string {
  return codeSpan(
    `{"question": ${toShownJson(question)}, "answer": "${answer}", "by": "${placeholders.by}"}`,
  );
}

export function questionLines(pending: readonly PendingQuestion[]): string[] {
  return pending.flatMap((one, index) => {
    const options = (one.options ?? []).map(plainLine).join(' / ');
    return present([
      `- ${one.child ? `Subagent ${plainLine(one.child.name)}` : 'The agent'} asks: ${plainLine(cutText(one.question, shownCharacters))}${options && ` (${options})`}`,
      `- ${timesOf(one, 'closed without an answer')}`,
      index === 0 && howToAnswer,
      `- ${answerSpan(one.id, placeholders.answer)}`,
    ]);
  });
}

export function allowanceLines(held: readonly Allowance[]): string[] {
  const lines = held.slice(-shownAllowances).map(({ id, tool, scope, summary, by }) => {
    const what = scope === 'call' ? codeSpan(summary) : `every call of ${codeSpan(tool)}`;
    return `- allowed for the session by ${plainLine(by)}: ${what} (${id}; update \`forgetAllowance\` takes it back)`;
  });
  const more = held.length - lines.length;
  return more > 0 ? [...lines, `- and ${more} older ones`] : lines;
}

function ofChild({ child }: PendingApproval): string {
  return child ? `Subagent ${plainLine(child.name)}: ` : '';
}

type Times = Pick<PendingApproval, 'requestedAt' | 'deadline' | 'escalatedAt'>;

function timesOf({ requestedAt, deadline, escalatedAt }: Times, silence: string): string {
  // UTC, because the reader's zone is unknown here
  const asked = describeMoment(requestedAt, requestedAt, 'UTC');
  const until = describeDeadline(deadline, requestedAt, 'UTC');
  const escalated =
    escalatedAt === undefined ? '' : `, **escalated** ${describeMoment(escalatedAt, requestedAt, 'UTC')}`;
  return `Asked ${asked}${escalated}; ${silence} ${until}.`;
}

/** Path in the Temporal UI, at any address. */
function pageOf(sessionId: string, namespace: string): string {
  return `/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(sessionId)}`;
}

export function childrenLines(
  children: readonly Child[],
  waitingFor: (sessionId: string) => WaitingFor | undefined,
  namespace: string,
): string[] {
  if (children.length === 0) return [];
  const running = children.filter(({ state }) => state === 'running');
  const ended = children.filter(({ state }) => state !== 'running');
  const line = (child: Child): string => {
    const { id, prefix, name, state, status, task } = child;
    const waits = waitingFor(id);
    const how = state === 'running' ? (waits ? `**waits for ${waits}**` : 'runs') : (status ?? state);
    const cost = state === 'running' ? '' : `, ${describeCost(child)}`;
    return `- ${plainLine(prefix)} [${plainLine(name)}](${pageOf(id, namespace)}) ${how}${cost}: ${plainLine(task)}`;
  };
  // waiting children come first
  const first = running.toSorted((one, other) => Number(!waitingFor(one.id)) - Number(!waitingFor(other.id)));
  return [
    `- subagents: ${running.length} running, ${counted(ended.length, 'other')}`,
    ...first.slice(0, shownRunning).map(line),
    ...ended.slice(-shownEnded).map(line),
  ];
}

export function parentLine(parent: { sessionId: string } | undefined, namespace: string): string[] {
  if (!parent) return [];
  const { sessionId } = parent;
  return [`- subagent of [${plainLine(sessionId)}](${pageOf(sessionId, namespace)})`];
}

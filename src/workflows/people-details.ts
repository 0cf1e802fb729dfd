// What waits for people in the current details of the Temporal UI: each question with what it is about, and the answer to
// paste. Markdown; the panel clips after about nine lines, so that every line counts.
import { describeDeadline, describeMoment } from '../core/base/words.ts';
import { codeSpan, plainLine } from '../core/base/plain-markdown.ts';
import { cutShownJson } from '../core/base/shown-json.ts';
import { cutText } from '../core/base/cut-text.ts';
import type { Allowance, PendingApproval, PendingQuestion } from '../core/model/snapshot.ts';

const shownBytes = 600;
/** Of a question. */
const shownCharacters = 600;
const shownAllowances = 5;

const sending = '- To answer: More Actions, Send an Update (or a Signal),';
const howToApprove =
  `${sending} \`resolveApproval\`, with this; ` +
  '`"approve":false` denies, `"reason"` is optional, `"remember":"call"` allows the same call for the session:';
const howToAnswer = `${sending} \`answerQuestion\`, with your text in this:`;

export function approvalLines(pending: readonly PendingApproval[]): string[] {
  return pending.flatMap((one, index) => {
    const call = codeSpan(`${one.tool} ${cutShownJson(one.args, shownBytes)}`);
    return [
      `- ${ofChild(one)}Run ${call}? ${plainLine(one.reason ?? '')}`.trimEnd(),
      ...(one.isCut
        ? ['- It is too long to be shown here: it is approved in the session of the subagent.']
        : []),
      `- ${timesOf(one, 'denied without an answer')}`,
      ...(index === 0 ? [howToApprove] : []),
      // on its own, so that it is selected and copied as a whole
      `- ${codeSpan(JSON.stringify({ id: one.id, approve: one.isCut !== true, actor: 'your name' }))}`,
    ];
  });
}

export function questionLines(pending: readonly PendingQuestion[]): string[] {
  return pending.flatMap((one, index) => {
    const options = (one.options ?? []).map(plainLine).join(' / ');
    return [
      `- ${one.child ? `Subagent ${plainLine(one.child.name)}` : 'The agent'} asks: ${plainLine(cutText(one.question, shownCharacters))}${options && ` (${options})`}`,
      `- ${timesOf(one, 'closed without an answer')}`,
      ...(index === 0 ? [howToAnswer] : []),
      `- ${codeSpan(JSON.stringify({ id: one.id, text: 'your answer', actor: 'your name' }))}`,
    ];
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
  // UTC: nobody here knows where the reader is
  const asked = describeMoment(requestedAt, requestedAt, 'UTC');
  const until = describeDeadline(deadline, requestedAt, 'UTC');
  const escalated =
    escalatedAt === undefined ? '' : `, **escalated** ${describeMoment(escalatedAt, requestedAt, 'UTC')}`;
  return `Asked ${asked}${escalated}; ${silence} ${until}.`;
}

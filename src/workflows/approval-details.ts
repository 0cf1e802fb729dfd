// A pending approval in the current details of the Temporal UI: the question with the arguments that will run, and the
// answer to paste. Markdown; the panel clips after about nine lines, so that every line counts.
import { describeDeadline, describeMoment } from '../core/base/words.ts';
import { codeSpan, plainLine } from '../core/base/plain-markdown.ts';
import { cutShownJson } from '../core/base/shown-json.ts';
import type { PendingApproval } from '../core/model/snapshot.ts';

const shownBytes = 600;

const howTo =
  '- To answer: More Actions, Send an Update (or a Signal), `resolveApproval`, with this; ' +
  '`"approve":false` denies, `"reason"` is optional:';

export function approvalLines(pending: readonly PendingApproval[]): string[] {
  return pending.flatMap((one, index) => linesOf(one, index === 0 ? [howTo] : []));
}

function linesOf(pending: PendingApproval, before: readonly string[]): string[] {
  const { id, tool, args, reason, requestedAt, deadline } = pending;
  const call = codeSpan(`${tool} ${cutShownJson(args, shownBytes)}`);
  // UTC: nobody here knows where the reader is
  const asked = describeMoment(requestedAt, requestedAt, 'UTC');
  const until = describeDeadline(deadline, requestedAt, 'UTC');
  return [
    `- Run ${call}? ${plainLine(reason ?? '')}`.trimEnd(),
    `- Asked ${asked}; denied without an answer ${until}.`,
    ...before,
    // on its own, so that it is selected and copied as a whole
    `- ${codeSpan(JSON.stringify({ id, approve: true, actor: 'your name' }))}`,
  ];
}

// A pending approval in the current details of the Temporal UI: the question with the arguments that will run, and the
// answer to paste. Markdown; the panel clips after about nine lines, so that every line counts.
import { describeDeadline, describeMoment } from '../core/deadline.ts';
import { codeSpan, plainLine } from '../core/plain-markdown.ts';
import { cutShownJson } from '../core/shown-json.ts';
import type { PendingApproval } from '../core/snapshot.ts';

const shownBytes = 600;

export function approvalLines({ id, tool, args, reason, requestedAt, deadline }: PendingApproval): string[] {
  const call = codeSpan(`${tool} ${cutShownJson(args, shownBytes)}`);
  // UTC: nobody here knows where the reader is
  const asked = describeMoment(requestedAt, requestedAt, 'UTC');
  const until = describeDeadline(deadline, requestedAt, 'UTC');
  const answer = codeSpan(JSON.stringify({ id, approve: true, actor: 'your name' }));
  return [
    `- Run ${call}? ${plainLine(reason ?? '')}`.trimEnd(),
    `- Asked ${asked}, denied without an answer ${until}.`,
    `- To answer, send the update or signal \`resolveApproval\` with ${answer}, or with \`"approve":false,"reason":"why"\`.`,
  ];
}

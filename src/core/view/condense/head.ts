// The words that stand before a condensed view: the summary, and what code keeps beside it whatever the summariser
// returned, the task in its own words and the pinned findings. Pure.
import type { ViewState } from '../../model/agent-state.ts';
import { userMessage } from '../../model/messages.ts';
import type { UserMessage } from '../../model/messages.ts';

/** One user message: the summary with everything that belongs to it (COND-11). */
export function contextMessage(view: ViewState, more = ''): UserMessage {
  const parts = [`Context of previous work:\n\n${view.summary ?? ''}`, more, ...keptParts(view)];
  return userMessage(parts.filter(Boolean).join('\n\n'), 'injected');
}

/** What stands there without a summary, or beside one that stands elsewhere. */
export function keptMessages(view: ViewState): UserMessage[] {
  const parts = keptParts(view);
  return parts.length === 0 ? [] : [userMessage(parts.join('\n\n'), 'injected')];
}

function keptParts({ task, findings = [] }: ViewState): string[] {
  const lines = findings.map(({ id, text, callId }) => `- ${id} (call ${callId}): ${text}`);
  return [
    ...(task === undefined ? [] : [`The task, as it was given:\n${task}`]),
    ...(lines.length === 0 ? [] : [`Pinned findings:\n${lines.join('\n')}`]),
  ];
}

// Gives tool calls ids that are unique in the session, because evidence and idempotency keys are filed under them: some
// servers send none, or count from call_0 in every reply.
import { randomUUID } from 'node:crypto';
import { toolCallsOf } from '../../../core/model/messages.ts';
import type { ModelRequest } from '../../../core/model/model-call.ts';
import { readCallId } from '../../../scripted/script-place.ts';

/** The ids that a reply must not have again. `some`: there are others that nobody knows here. */
export type TakenIds = { ids: Set<string>; some: boolean };

export function takenIds({ messages, metadata }: ModelRequest): TakenIds {
  const replies = messages.filter((message) => message.role === 'assistant');
  const ids = replies.flatMap((reply) => toolCallsOf(reply).map(({ callId }) => callId));
  return { ids: new Set(ids), some: metadata.viewIsCut === true };
}

/** Keeps the model's id where it is new. The set is the caller's, and grows. */
export function freshCallId(
  id: string | null | undefined,
  tool: string | null | undefined,
  { ids, some }: TakenIds,
): string {
  const isNew = id && !ids.has(id) && (!some || isUnique(id, tool ?? ''));
  const fresh = isNew ? id : `call_${randomUUID().replaceAll('-', '')}`;
  ids.add(fresh);
  return fresh;
}

/** By its form: random ids have digits among their letters, names and counters have not. A script counts its replies. */
function isUnique(id: string, tool: string): boolean {
  const own = tool === '' ? id : id.replaceAll(tool, '');
  return (own.match(/[a-z\d]+/gi) ?? []).some(looksRandom) || readCallId(id) !== undefined;
}

function looksRandom(word: string): boolean {
  return word.length >= 8 && /\d/.test(word) && /[a-z]/i.test(word);
}

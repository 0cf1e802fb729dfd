// The beginning of a session: from its start input, or from a checkpoint that is loaded first.
import { defined } from '@holdfast/base/defined';
import { agentInput } from '../checkpoint/checkpoint.ts';
import type { PromptMessage } from '@holdfast/vocabulary/messages';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { queuesOf } from '../session/carried.ts';
import { parsePrompt } from '../session/prompt.ts';
import type { Session } from '../session/session.ts';
import { continuationOf } from '../state/continuation.ts';
import type { Effects } from './effects.ts';
import { type Parsed, refuse } from '@holdfast/base/json';

/** Checks the prompt of a start input by the rules of the update; a continued session has taken it already. */
export function readStartPrompt({
  carried,
  prompt,
  keepAlive,
  checkpoint,
}: SessionInput): Parsed<PromptMessage[]> {
  const none = carried !== undefined || (prompt === undefined && (keepAlive || checkpoint !== undefined));
  return none ? { ok: true, value: [] } : parsePrompt(prompt);
}

/** Synchronous unless something must be loaded, so that a query finds the session busy from its first moment. */
export function beginSession(session: Session, prompts: PromptMessage[]): void {
  const { carried, checkpoint } = session.input;
  if (carried !== undefined) return;
  if (checkpoint === undefined) beginAfresh(session, prompts);
  else session.loading = true;
}

/** Refuses a checkpoint that cannot be continued, and a start with neither a checkpoint nor a prompt. */
export async function beginFromCheckpoint(
  session: Session,
  effects: Effects,
  prompts: PromptMessage[],
): Promise<Parsed<undefined>> {
  const loaded = await load(session, effects, prompts);
  if (!loaded.ok) return loaded;
  if (!loaded.value) {
    const { prompt, keepAlive } = session.input;
    if (prompt === undefined && !keepAlive) {
      const parsed = parsePrompt(prompt);
      if (!parsed.ok) return parsed;
    }
    beginAfresh(session, prompts);
  }
  session.loading = false;
  session.inbox.loaded(session.state.log.nextSeq, !session.busy);
  return { ok: true, value: undefined };
}

function beginAfresh(session: Session, prompts: PromptMessage[]): void {
  const { messages } = session.input;
  if (messages) session.record({ type: 'seeded', messages });
  if (prompts.length > 0) session.inbox.putPrompt(prompts);
}

/** False if nothing is stored for the task. */
async function load(session: Session, effects: Effects, prompts: PromptMessage[]): Promise<Parsed<boolean>> {
  const { input, inbox } = session;
  const { checkpoint = 'saved' } = input;
  // a checkpoint saved for the task already has the task's prompt in its log
  const onTop = checkpoint === 'saved' ? [] : prompts;
  const outcome = await effects.call('loadCheckpoint', {
    ...session.place,
    taskId: session.taskId,
    checkpoint,
    input: agentInput(input),
    hasPrompt: onTop.length > 0,
    keepAlive: input.keepAlive === true,
    resumeFailed: input.resumeFailed === true,
    ...defined({ parent: input.parent }),
  });
  // to begin afresh would repeat the stored work
  if (outcome.type === 'stopped') return refuse('Checkpoint.NotLoaded', 'the load was cancelled');
  if (outcome.type === 'failed') return refuse(outcome.failure.code, outcome.failure.message);
  const loaded = outcome.value;
  if (!loaded.state) return { ok: true, value: false };
  session.input = { ...input, ...loaded.input };
  session.record({ type: 'imported', state: loaded.state });
  inbox.configure({ ...loaded.state.context?.settings.queues, ...queuesOf(session.input) });
  for (const message of loaded.warnings ?? []) session.warn('Checkpoint.Incomplete', message);
  if (onTop.length > 0) takeOnTop(session, onTop);
  else if (loaded.continues) {
    const from = continuationOf(session.state, { steering: 0, followUp: 0 });
    if (from) inbox.putContinue(from, session.nextRunId);
  }
  return { ok: true, value: true };
}

/** A continued run takes the messages as a queued follow-up; without a run that goes on they start one. */
function takeOnTop(session: Session, messages: PromptMessage[]): void {
  const { run } = session.state;
  if (run && !run.end) session.record({ type: 'messages_drained', queue: 'followUp', messages });
  else session.inbox.putPrompt(messages);
}

// The beginning of a session: from its start input, or from a checkpoint that is loaded first.
import { agentInput } from '../checkpoint/checkpoint.ts';
import type { PromptMessage } from '../model/messages.ts';
import type { SessionInput } from '../model/session-input.ts';
import { parsePrompt } from '../session/prompt.ts';
import type { Session } from '../session/session.ts';
import { continuationOf } from '../state/continuation.ts';
import type { Effects } from './effects.ts';
import type { Parsed } from '../base/json.ts';

/** The prompt of a start input follows the rules of the update; a session that continues has taken it before. */
export function readStartPrompt({
  carried,
  prompt,
  keepAlive,
  checkpoint,
}: SessionInput): Parsed<PromptMessage[]> {
  const none = carried !== undefined || (prompt === undefined && (keepAlive || checkpoint !== undefined));
  return none ? { ok: true, value: [] } : parsePrompt(prompt);
}

/** Synchronous where nothing has to be loaded, so that a query finds the session busy from its first moment. */
export function begin(session: Session, prompts: PromptMessage[]): void {
  const { carried, checkpoint } = session.input;
  if (carried !== undefined) return;
  if (checkpoint === undefined) beginAfresh(session, prompts);
  else session.loading = true;
}

/** Rejects where the checkpoint cannot be continued, and where there is neither a checkpoint nor a prompt. */
export async function beginFromCheckpoint(
  session: Session,
  effects: Effects,
  prompts: PromptMessage[],
): Promise<Parsed<undefined>> {
  if (!(await load(session, effects, prompts))) {
    const { prompt, keepAlive } = session.input;
    if (prompt === undefined && !keepAlive) {
      const parsed = parsePrompt(prompt);
      if (!parsed.ok) return parsed;
    }
    beginAfresh(session, prompts);
  }
  session.loading = false;
  // an abort that arrived meanwhile had no run to stop
  if (!session.busy) session.inbox.runEnded();
  return { ok: true, value: undefined };
}

function beginAfresh(session: Session, prompts: PromptMessage[]): void {
  const { messages } = session.input;
  if (messages) session.record({ type: 'seeded', messages });
  if (prompts.length > 0) session.inbox.putPrompt(prompts);
}

/** False where nothing is stored for the task. */
async function load(session: Session, effects: Effects, prompts: PromptMessage[]): Promise<boolean> {
  const { input, inbox } = session;
  const { checkpoint = 'saved' } = input;
  // a checkpoint saved for the task has the prompt of the task in its log already
  const onTop = checkpoint === 'saved' ? [] : prompts;
  const loaded = await effects.loadCheckpoint({
    ...{ sessionId: session.id, taskId: session.taskId, checkpoint, input: agentInput(input) },
    ...{ hasPrompt: onTop.length > 0, keepAlive: input.keepAlive === true },
    resumeFailed: input.resumeFailed === true,
    ...(input.parent ? { parent: input.parent } : {}),
  });
  if (!loaded.state) return false;
  session.input = { ...input, ...loaded.input };
  session.record({ type: 'imported', state: loaded.state });
  for (const message of loaded.warnings ?? []) {
    session.announce({ type: 'warning', code: 'Checkpoint.Incomplete', message });
  }
  if (onTop.length > 0) takeOnTop(session, onTop);
  else if (loaded.continues) {
    const from = continuationOf(session.state, { steering: 0, followUp: 0 });
    if (from) inbox.putContinue(from, session.nextRunId);
  }
  return true;
}

/** A run that continues takes it as a follow-up that was waiting; else it starts one. */
function takeOnTop(session: Session, messages: PromptMessage[]): void {
  if (session.state.run) session.record({ type: 'messages_drained', queue: 'followUp', messages });
  else session.inbox.putPrompt(messages);
}

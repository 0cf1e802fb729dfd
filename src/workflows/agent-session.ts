// The workflow: one session from its start to its close, over as many executions as it takes. The loop itself is
// core/loop/agent-loop.ts; this file joins it to Temporal.
import { ApplicationFailure, CancellationScope } from '@temporalio/workflow';
import { runSession } from '../core/loop/agent-loop.ts';
import { parsePrompt, problemOfStart } from '../core/session/prompt.ts';
import type { PromptMessage } from '../core/model/messages.ts';
import { resultWithoutRun } from '../core/state/run-outcome.ts';
import type { RunResult, SessionResult } from '../core/model/run-result.ts';
import type { SessionInput } from '../core/model/session-input.ts';
import { beginFromCheckpoint } from './checkpoints.ts';
import { handOver } from './hand-over.ts';
import { registerQueries } from './queries.ts';
import { registerSignals } from './signals.ts';
import { registerUpdates } from './updates.ts';
import { Session } from './session.ts';
import { createTemporalPorts } from './temporal-ports.ts';
import { Visibility } from './visibility.ts';

export async function agentSession(input: SessionInput): Promise<SessionResult> {
  const session = new Session(checkStartInput(input));
  const visibility = new Visibility(session);
  session.onChange = () => visibility.update();
  registerQueries(session); // they answer also when the start is refused
  const prompts = takeStartInput(session);
  // after the prompt, which was there first: an abort that waits here is for its run
  registerSignals(session);
  registerUpdates(session);
  closeOnCancellation(session);
  // a cancelled workflow still answers its calls, saves and returns: only its own stops cancel work
  return CancellationScope.nonCancellable(async () => {
    if (session.loading) await begin(session, prompts);
    const exit = await runSession(session.store, createTemporalPorts(session, visibility));
    if (exit === 'hand_over') return handOver(session);
    const result = resultOf(session);
    visibility.end(result);
    return close(session, result);
  });
}

/** What any language may send; the fields that only a run uses are checked by assembleContext. */
function checkStartInput(input: unknown): SessionInput {
  const problem = problemOfStart(input);
  if (problem !== undefined) throw invalidStart('Input.Invalid', problem);
  return input as SessionInput;
}

/**
 * The prompt of the start input obeys the rules of the update; what carries over was taken before. Returned where a
 * checkpoint has to be looked for first.
 */
function takeStartInput(session: Session): PromptMessage[] {
  const { carried, prompt, keepAlive, checkpoint } = session.input;
  if (carried !== undefined) return [];
  session.loading = checkpoint !== undefined;
  const prompts = prompt === undefined && (keepAlive || checkpoint) ? [] : checkPrompt(prompt);
  if (!session.loading) beginAfresh(session, prompts);
  return prompts;
}

async function begin(session: Session, prompts: PromptMessage[]): Promise<void> {
  if (!(await beginFromCheckpoint(session, prompts))) {
    if (session.input.prompt === undefined && !session.input.keepAlive) checkPrompt(undefined);
    beginAfresh(session, prompts);
  }
  session.loading = false;
  // what was to stop a run that there is not
  if (!session.busy) session.inbox.runEnded();
}

function beginAfresh({ input, store, inbox }: Session, prompts: PromptMessage[]): void {
  if (input.messages) store.record({ type: 'seeded', messages: input.messages });
  if (prompts.length > 0) inbox.putPrompt(prompts);
}

function checkPrompt(prompt: unknown): PromptMessage[] {
  const parsed = parsePrompt(prompt);
  if (!parsed.ok) throw invalidStart(parsed.code, parsed.reason);
  return parsed.value;
}

function invalidStart(type: string, message: string): ApplicationFailure {
  return ApplicationFailure.create({ type, message, nonRetryable: true });
}

function closeOnCancellation(session: Session): void {
  CancellationScope.current().cancelRequested.catch(() => {
    session.cancelled = true;
    session.inbox.closing = true;
    session.abort();
  });
}

function resultOf({ state, cancelled }: Session): RunResult {
  const last = state.lastResult ?? resultWithoutRun(Date.now());
  return cancelled ? aborted(last) : last;
}

function close(session: Session, result: RunResult): SessionResult {
  const undelivered = session.inbox.markUndelivered();
  if (result.status === 'failed' && session.input.throwOnFailure) {
    const message = result.error?.message ?? 'The run failed.';
    throw ApplicationFailure.create({ type: 'RunFailed', message, nonRetryable: true, details: [result] });
  }
  return { ...result, sessionId: session.id, undelivered };
}

/** Whoever cancels a session gets that answered, with what its last run had to say (STATE-11). */
function aborted({ cause: _, ...result }: RunResult): RunResult {
  return { ...result, status: 'aborted' };
}

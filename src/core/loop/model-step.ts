// One model call and its consequence: a reply, a stop, a wait for an operator, or the end of the run.
import { defined } from '@holdfast/base/defined';
import type { CallModelInput } from '@holdfast/vocabulary/activity-contracts';
import type { CallModelResult } from '@holdfast/vocabulary/call-results';
import type { Session } from '../session/session.ts';
import { type AssistantMessage, isSteering, noUsage } from '@holdfast/vocabulary/messages';
import type { Effects, ModelOutcome } from './effects.ts';
import type { RunCause } from '@holdfast/vocabulary/run-result';
import type { Failure, Recovery } from '@holdfast/base/failures';
import { hasHooks } from './hooks.ts';
import { takeLateSteering } from './drain-queue.ts';
import { runTurnHooks } from './run-hooks.ts';
import { timeToTell } from '../agent/place.ts';
import { assertNever } from '../state/draft.ts';
import { canFit } from '@holdfast/view/fit-view';
import { isHandedIn } from '../state/report.ts';
import { unseenMessages, viewPosition } from '@holdfast/view/log';
import { waitForOperator } from './waits.ts';
import { toModelName } from '@holdfast/vocabulary/model-name';

export function runModelStep(
  session: Session,
  effects: Effects,
  toolChoice: 'auto' | 'none',
): Promise<void> | void {
  // said while the sources were read again
  takeLateSteering(session);
  if (session.state.run?.given) return takeGiven(session, session.state.run.given);
  const time = timeToTell(session.state, session.now());
  if (time !== undefined) session.record({ type: 'time_told', text: time });
  return hasHooks(session.state)
    ? runHookedStep(session, effects, toolChoice)
    : askModel(session, effects, beginCall(session, toolChoice));
}

/** A hook has answered the run: its words take the place of a reply, and end it. */
function takeGiven(session: Session, { hook, text }: { hook: string; text: string }): void {
  session.record({ type: 'model_called' });
  const message: AssistantMessage = {
    role: 'assistant',
    content: [{ type: 'text', text }],
    model: { provider: 'hook', id: hook },
    usage: noUsage,
    stopReason: 'stop',
  };
  session.record({ type: 'model_replied', reply: { message, calls: [], costUsd: 0 } });
  session.record({ type: 'ending', end: { status: 'completed', cause: 'answer' } });
}

async function runHookedStep(session: Session, effects: Effects, toolChoice: 'auto' | 'none'): Promise<void> {
  await runTurnHooks(session, effects, 'beforeComplete');
  const { stop, state } = session;
  if (state.run?.end || stop === 'abort') return;
  // the run's last request must go out, so no turn is left before it
  if (stop && !state.run?.final) return leaveTurn(session);
  takeLateSteering(session);
  return askModel(session, effects, beginCall(session, toolChoice));
}

function askModel(session: Session, effects: Effects, input: CallModelInput): Promise<void> {
  return effects.callModel(input, (outcome) => {
    switch (outcome.type) {
      case 'reply':
        session.record({ type: 'model_replied', reply: outcome.result });
        if (outcome.result.hookData) session.record({ type: 'hook_data', data: outcome.result.hookData });
        endIfRefused(session, outcome.result.message);
        return hasHooks(session.state)
          ? runTurnHooks(session, effects, 'afterComplete', 'afterResponse')
          : undefined;
      case 'stopped':
        return recordStop(session, outcome.result);
      case 'failed':
        return takeFailure(session, effects, input, outcome);
      default:
        return assertNever(outcome);
    }
  });
}

async function takeFailure(
  session: Session,
  effects: Effects,
  input: CallModelInput,
  outcome: Extract<ModelOutcome, { type: 'failed' }>,
): Promise<void> {
  if (outcome.paid) session.record({ type: 'model_paid', ...outcome.paid });
  if (needsOperator(session, outcome)) {
    const next = await waitForOperator(session, effects, outcome.failure);
    // a stop in the same moment wins: no call may start after it; what was said meanwhile, and the time after a long wait,
    // go into another request
    const isOld = session.inbox.isDue || timeToTell(session.state, session.now()) !== undefined;
    if (next === 'resume' && !session.stop && !isOld) return askModel(session, effects, input);
    return recordStop(session, undefined);
  }
  // condense or cut, then repeat the request; after another refusal, repeat it only if more can be cut (COND-07)
  if (outcome.recovery === 'condense' && (session.state.run?.overflow === undefined || canCut(session))) {
    const message = stoppedMessage(session, 'error', outcome.failure.message);
    return session.record({ type: 'overflowed', message });
  }
  if (isDoneWithoutWords(session, outcome.failure)) return endWithReport(session, outcome.failure);
  recordFailure(session, outcome);
}

function canCut({ state }: Session): boolean {
  const { run } = state;
  return run !== undefined && canFit({ ...state, run: { ...run, overflow: 'refused' } });
}

/** True if the report is in and only the closing words are missing, with no further question since. */
function isDoneWithoutWords({ state }: Session, { code }: Failure): boolean {
  if (code !== 'Model.EmptyResponse' || !state.run?.report) return false;
  const newest = state.log.records.findLast((record) => isSteering(record) || isHandedIn(record));
  return newest?.role !== 'user';
}

function endWithReport(session: Session, { message }: Failure): void {
  session.record({ type: 'model_stopped', message: stoppedMessage(session, 'error', message) });
  session.record({ type: 'ending', end: { status: 'completed', cause: 'empty_response' } });
}

/** An interrupting message closes the turn as if it had stopped the call. */
export function leaveTurn(session: Session): void {
  session.record({ type: 'model_called' });
  recordStop(session, undefined);
}

/** True if an operator must fix the failure and the agent may wait for that. */
function needsOperator({ state }: Session, { recovery }: { recovery: Recovery }): boolean {
  return recovery === 'wait_for_operator' && state.context?.settings.model.onOperatorError !== 'fail';
}

function beginCall(session: Session, toolChoice: 'auto' | 'none'): CallModelInput {
  const { state } = session;
  const unseen = unseenMessages(state);
  session.record({ type: 'model_called' });
  return {
    ...session.inTurn,
    view: viewPosition(state),
    unseen,
    toolChoice,
    ...defined({ hookData: state.run?.hookData }),
  };
}

/** The text received so far enters the log, not the view; the next step handles the stop and ends the run. */
function recordStop(session: Session, partial: CallModelResult | undefined): void {
  if (!partial) {
    return session.record({ type: 'model_stopped', message: stoppedMessage(session, 'aborted', 'Stopped.') });
  }
  const { message, costUsd, wasted } = partial;
  session.record(defined({ type: 'model_stopped', message, costUsd, wasted }));
}

/**
 * Ends the run after all models in line have refused: their words are in log and result, and none of their calls run
 * (LOOP-30).
 */
function endIfRefused(session: Session, { stopDetail, model }: AssistantMessage): void {
  if (stopDetail !== 'refusal') return;
  const message = `The model ${toModelName(model)} refused to answer. Its words are the answer; put the task another way, or name another model.`;
  const error = { code: 'Model.Refusal', message };
  session.record({ type: 'ending', end: { status: 'failed', cause: 'refusal', error } });
}

function recordFailure(session: Session, outcome: { failure: Failure; recovery: string }): void {
  const { failure, recovery } = outcome;
  session.record({ type: 'model_stopped', message: stoppedMessage(session, 'error', failure.message) });
  const overflow = recovery === 'condense';
  session.record({
    type: 'ending',
    end: overflow
      ? { status: 'context_exhausted', cause: 'overflow', error: failure }
      : { status: 'failed', cause: causes[failure.code] ?? 'model_error', error: failure },
  });
}

const causes: Partial<Record<string, RunCause>> = {
  'Model.EmptyResponse': 'empty_response',
  'Model.HookFailed': 'hook_error',
  'Model.Refusal': 'refusal',
};

export function stoppedMessage(
  session: Session,
  stopReason: 'aborted' | 'error',
  errorMessage: string,
): AssistantMessage {
  const model = session.state.context?.model ?? { provider: '', id: '' };
  return { role: 'assistant', content: [], model, usage: noUsage, stopReason, errorMessage };
}

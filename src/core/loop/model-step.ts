// One model call and what its outcome means: a reply, a stop, a wait for an operator, or the end of the run.
import type { CallModelInput } from '../model/activity-contracts.ts';
import type { CallModelResult } from '../model/call-results.ts';
import type { AgentStore } from '../session/agent-store.ts';
import type { AssistantMessage } from '../model/messages.ts';
import { noUsage } from '../model/messages.ts';
import type { LoopPorts } from './ports.ts';
import type { RunCause } from '../model/run-result.ts';
import type { Failure, Recovery } from '../base/failures.ts';
import { hasHooks } from './hook-points.ts';
import { runTurnHooks } from './run-hooks.ts';
import { assertNever } from '../state/session-machine.ts';
import { unseenMessages, viewPosition } from '../view/log.ts';
import { toModelName } from '../model/model-name.ts';

export async function runModelStep(
  store: AgentStore,
  ports: LoopPorts,
  toolChoice: 'auto' | 'none',
): Promise<void> {
  if (hasHooks(store.state)) {
    await runTurnHooks(store, ports, 'beforeComplete');
    const stop = ports.stopRequested();
    if (store.state.run?.end || stop === 'abort') return;
    // the last request of all answers what is there: nothing is taken before it
    if (stop && !store.state.run?.final) return leaveTurn(store);
  }
  const input = beginCall(store, toolChoice);
  for (;;) {
    const outcome = await ports.callModel(input);
    switch (outcome.type) {
      case 'reply':
        store.record({ type: 'model_replied', reply: outcome.result });
        endIfRefused(store, outcome.result.message);
        return hasHooks(store.state)
          ? runTurnHooks(store, ports, 'afterComplete', 'afterResponse')
          : undefined;
      case 'stopped':
        return recordStop(store, outcome.result);
      case 'failed': {
        if (outcome.paid) store.record({ type: 'model_paid', ...outcome.paid });
        const stopped = needsOperator(store, outcome) && (await ports.waitForOperator(outcome.failure));
        // a stop in the same moment wins: no call may start after it
        if (stopped === 'resume' && !ports.stopRequested()) continue;
        if (stopped) return recordStop(store, undefined);
        // condensed and repeated once; a second refusal ends the run (COND-07)
        if (outcome.recovery === 'condense' && store.state.run?.overflow === undefined) {
          const message = stoppedMessage(store, 'error', outcome.failure.message);
          return store.record({ type: 'overflowed', message });
        }
        return recordFailure(store, outcome);
      }
      default:
        return assertNever(outcome);
    }
  }
}

/** An interrupting message closes the turn as if it had stopped the call. */
export function leaveTurn(store: AgentStore): void {
  store.record({ type: 'model_called' });
  recordStop(store, undefined);
}

/** Somebody has to mend it, and the agent may wait for that. */
function needsOperator({ state }: AgentStore, { recovery }: { recovery: Recovery }): boolean {
  return recovery === 'wait_for_operator' && state.context?.settings.onOperatorError !== 'fail';
}

function beginCall(store: AgentStore, toolChoice: 'auto' | 'none'): CallModelInput {
  const { state } = store;
  const unseen = unseenMessages(state);
  store.record({ type: 'model_called' });
  return {
    sessionId: state.sessionId,
    runId: state.run?.runId ?? '',
    turn: state.run?.turn ?? 0,
    contextDigest: state.context?.digest ?? '',
    view: viewPosition(state),
    unseen,
    toolChoice,
  };
}

/** The text known so far enters the log, not the view; the next step sees the stop and ends the run. */
function recordStop(store: AgentStore, partial: CallModelResult | undefined): void {
  if (!partial) {
    return store.record({ type: 'model_stopped', message: stoppedMessage(store, 'aborted', 'Stopped.') });
  }
  const { message, costUsd, wasted } = partial;
  store.record({ type: 'model_stopped', message, costUsd, ...(wasted ? { wasted } : {}) });
}

/** The models in line have all refused: their words stand in log and result, and no call of them runs (LOOP-30). */
function endIfRefused(store: AgentStore, { stopDetail, model }: AssistantMessage): void {
  if (stopDetail !== 'refusal') return;
  const message = `The model ${toModelName(model)} refused to answer. Its words are the answer; put the task another way, or name another model.`;
  const error = { code: 'Model.Refusal', message };
  store.record({ type: 'ending', end: { status: 'failed', cause: 'refusal', error } });
}

function recordFailure(store: AgentStore, outcome: { failure: Failure; recovery: string }): void {
  const { failure, recovery } = outcome;
  store.record({ type: 'model_stopped', message: stoppedMessage(store, 'error', failure.message) });
  const overflow = recovery === 'condense';
  store.record({
    type: 'ending',
    end: overflow
      ? { status: 'context_exhausted', cause: 'overflow', error: failure }
      : { status: 'failed', cause: causes[failure.code] ?? 'model_error', error: failure },
  });
}

const causes: Partial<Record<string, RunCause>> = {
  'Model.EmptyResponse': 'empty_response',
  'Model.HookFailed': 'hook_error',
};

export function stoppedMessage(
  store: AgentStore,
  stopReason: 'aborted' | 'error',
  errorMessage: string,
): AssistantMessage {
  const model = store.state.context?.model ?? { provider: '', id: '' };
  return { role: 'assistant', content: [], model, usage: noUsage, stopReason, errorMessage };
}

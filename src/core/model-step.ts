// One model call and what its outcome means: a reply, a stop, a wait for an operator, or the end of the run.
import type { AgentStore } from './agent-store.ts';
import type { AssistantMessage } from './messages.ts';
import { noUsage } from './messages.ts';
import type { ModelOutcome, LoopPorts } from './ports.ts';
import type { Failure } from './failures.ts';
import { assertNever } from './session-machine.ts';
import { unseenMessages, viewPosition } from './transcript.ts';

export async function runModelStep(
  store: AgentStore,
  ports: LoopPorts,
  toolChoice: 'auto' | 'none',
): Promise<void> {
  for (;;) {
    const outcome = await callModel(store, ports, toolChoice);
    switch (outcome.type) {
      case 'reply':
        return store.record({ type: 'model_replied', reply: outcome.result });
      case 'stopped':
        return recordStop(store, outcome.result?.message);
      case 'failed': {
        const stopped =
          outcome.recovery === 'wait_for_operator' && (await ports.waitForOperator(outcome.failure));
        if (stopped === 'resume') continue;
        if (stopped === 'stopped') return recordStop(store, undefined);
        return recordFailure(store, outcome);
      }
      default:
        return assertNever(outcome);
    }
  }
}

async function callModel(
  store: AgentStore,
  ports: LoopPorts,
  toolChoice: 'auto' | 'none',
): Promise<ModelOutcome> {
  const { state } = store;
  const unseen = unseenMessages(state);
  store.record({ type: 'model_called' });
  return ports.callModel({
    sessionId: state.sessionId,
    runId: state.run?.runId ?? '',
    turn: state.run?.turn ?? 0,
    contextDigest: state.context?.digest ?? '',
    view: viewPosition(state),
    unseen,
    toolChoice,
  });
}

/** The text known so far enters the log, not the view; the next step sees the stop and ends the run. */
function recordStop(store: AgentStore, partial: AssistantMessage | undefined): void {
  store.record({ type: 'model_stopped', message: partial ?? stoppedMessage(store, 'aborted', 'Stopped.') });
}

function recordFailure(store: AgentStore, outcome: { failure: Failure; recovery: string }): void {
  const { failure, recovery } = outcome;
  store.record({ type: 'model_stopped', message: stoppedMessage(store, 'error', failure.message) });
  const overflow = recovery === 'condense';
  const empty = failure.code === 'Model.EmptyResponse';
  store.record({
    type: 'ending',
    end: overflow
      ? { status: 'context_exhausted', cause: 'overflow', error: failure }
      : { status: 'failed', cause: empty ? 'empty_response' : 'model_error', error: failure },
  });
}

export function stoppedMessage(
  store: AgentStore,
  stopReason: 'aborted' | 'error',
  errorMessage: string,
): AssistantMessage {
  const model = store.state.context?.model ?? { provider: '', id: '' };
  return { role: 'assistant', content: [], model, usage: noUsage, stopReason, errorMessage };
}

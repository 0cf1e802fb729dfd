// The effect of a model call on the state: its reply, its stop, its cost. Pure.
import { omit } from '@holdfast/base/omit';
import { defined } from '@holdfast/base/defined';
import type { BatchCall, ModelReplyFact } from '@holdfast/vocabulary/agent-state';
import type { FactOf } from './facts.ts';
import { toolCallsLeft } from './limits.ts';
import { noticePrefix } from './reduce-context.ts';
import { type Usage, addUsage, toolCallsOf } from '@holdfast/vocabulary/messages';
import { type Draft, type Reducers, append, pay, runOf, updateRun } from './draft.ts';

/** The facts about model calls. */
export const modelReducers = {
  model_called(draft) {
    noticePrefix(draft);
    const { view, log } = draft.state;
    draft.state = { ...draft.state, view: { ...view, sentSeq: log.nextSeq - 1 } };
    draft.events.push({ type: 'message_start', role: 'assistant', messageSeq: log.nextSeq });
  },
  model_replied(draft, { reply }) {
    clearJudged(draft);
    const { outputFaults: faults, outputAt: at } = reply;
    const output = faults ? { output: { seq: draft.state.log.nextSeq, faults, ...defined({ at }) } } : {};
    append(draft, reply.message, { started: true, ...defined({ digest: reply.digest }) });
    const calls = toolCallsOf(reply.message);
    const left = toolCallsLeft(draft.state, runOf(draft));
    const batch = calls.map((call, index): BatchCall => {
      const { callId } = call;
      const rejected = (reason: string) => ({ status: 'rejected', callId, reason }) as const;
      if (index >= left) return { call, started: false, overBudget: true, prepared: rejected(beyondBudget) };
      const prepared = reply.calls.find((candidate) => candidate.callId === callId);
      const again = calls.findIndex((other) => other.callId === callId) < index;
      return {
        call,
        started: false,
        prepared: again ? rejected(usedTwice) : (prepared ?? rejected(unprepared)),
      };
    });
    updateRun(draft, (run) => ({
      cursor: 'answered',
      responses: run.responses + 1,
      batch,
      wantsReply: batch.length > 0,
      terminated: false,
      ...output,
    }));
    draft.state = omit(draft.state, 'errorMessage');
    payReply(draft, reply);
  },
  model_paid: (draft, { wasted, costUsd, purpose }) => pay(draft, wasted, costUsd, purpose),
  model_stopped: stopModel,
  overflowed(draft, fact) {
    stopModel(draft, fact);
    // the same turn continues: condense, then ask once more
    updateRun(draft, () => ({ cursor: 'ready', overflow: 'refused', polled: false }));
  },
} satisfies Partial<Reducers>;

type Spent = Pick<ModelReplyFact, 'costUsd' | 'wasted'> & { message: { usage: Usage } };

function stopModel(
  draft: Draft,
  fact: Pick<FactOf<'model_stopped'>, 'message' | 'costUsd' | 'wasted'>,
): void {
  const { message, costUsd = 0 } = fact;
  // stopped while tools ran, with no call in flight: this record needs its own message_start
  append(draft, message, { started: runOf(draft).cursor === 'ready' });
  // after an interrupting message the run continues from here: the model still owes an answer
  updateRun(draft, () => ({ cursor: 'answered', wantsReply: true }));
  draft.state = { ...draft.state, errorMessage: message.errorMessage || message.stopReason };
  payReply(draft, defined({ message, costUsd, wasted: fact.wasted }));
}

/** A stopped call was paid for too. */
function payReply(draft: Draft, { message, costUsd, wasted }: Spent): void {
  pay(draft, wasted ? addUsage(message.usage, wasted) : message.usage, costUsd);
}

const beyondBudget = 'Not run: the budget of tool calls is used up.';
/** Outputs, approvals and retries are kept under the id, so an id can name only one call. */
const usedTwice = 'Not run: another call of the same message has this id. Issue it again by itself.';
const unprepared = 'The call was not prepared. Issue it again.';

/**
 * The provider accepted the request: a later refusal counts as new. A verdict on the last reply's output does not apply
 * to this one.
 */
function clearJudged(draft: Draft): void {
  draft.state = { ...draft.state, run: omit(runOf(draft), 'overflow', 'output') };
}

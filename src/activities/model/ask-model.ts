// Asks the agent's models for one reply that is worth keeping, the next one when the one before has given up.
// Waits between retries are Temporal's: this throws the failure that it acts on.
import type { FrozenModel } from '../../core/model/frozen-context.ts';
import type { AssistantMessage } from '../../core/model/messages.ts';
import type { ModelRequest } from '../../core/model/model-call.ts';
import { askOneModel } from './ask-one-model.ts';
import type { ModelAttempt } from './model-attempt.ts';
import type { ModelChoice } from './model-choice.ts';
import { toThrown } from './model-failure.ts';
import type { RetryLimits } from './model-ledger.ts';
import { decideRetry, oneLine } from './model-ledger.ts';
import type { SendDeps } from './send-request.ts';

export type AskDeps = SendDeps;
export type Reply = { message: AssistantMessage; from: FrozenModel };

/**
 * A reply with text or calls, or the last model's refusal. Throws the failure that Temporal acts on, booked in the
 * attempt's ledger; on a cancellation whatever the provider threw.
 */
export async function askModel(
  deps: AskDeps,
  request: ModelRequest,
  attempt: ModelAttempt,
  choice: ModelChoice,
  limits: RetryLimits,
): Promise<Reply> {
  for (;;) {
    const index = attempt.ledger.model ?? choice.first;
    const from = choice.models[index] ?? choice.models[0];
    const next = choice.models[index + 1];
    const asked = await askOneModel(deps, { ...request, model: from.model }, attempt, from);
    if ('message' in asked) {
      const { stopDetail, usage } = asked.message;
      if (stopDetail !== 'refusal' || next === undefined || !choice.movesOn('Model.Refusal')) {
        return { message: asked.message, from };
      }
      attempt.waste(usage, from);
      moveOn(attempt, index + 1, `${nameOf(from)} refused`, next);
    } else {
      const decision = decideRetry(attempt.ledger, asked.failure, attempt.time(), limits);
      attempt.ledger = decision.ledger;
      const types = [asked.failure.type, ...(decision.retry ? [] : [decision.type])];
      if (next === undefined || !types.some(choice.movesOn)) throw toThrown(decision, asked.failure);
      moveOn(attempt, index + 1, `${nameOf(from)}: ${asked.failure.message}`, next);
    }
  }
}

/** The next model has the whole window and count for itself; what was paid stays booked. */
function moveOn(attempt: ModelAttempt, model: number, why: string, next: FrozenModel): void {
  const { wasted, wastedUsd } = attempt.ledger;
  attempt.ledger = {
    failures: 0,
    model,
    lastFailure: `${oneLine(why)}; ${nameOf(next)} is asked instead`,
    ...(wasted && { wasted }),
    ...(wastedUsd !== undefined && { wastedUsd }),
  };
  attempt.restart();
}

function nameOf({ model }: FrozenModel): string {
  return `${model.provider}:${model.id}`;
}

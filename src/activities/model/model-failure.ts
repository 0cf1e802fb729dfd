// The endings of an attempt without a reply: the failure for Temporal, and the result of a stop.
import { Context } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { ModelLedger } from '@holdfast/vocabulary/activity-contracts';
import { defined } from '@holdfast/base/defined';
import { type ModelFailureType, isModelFailure } from '@holdfast/base/failures';
import { type AssistantMessage, type ModelRef, noUsage } from '@holdfast/vocabulary/messages';
import type { RetryDecision } from './model-ledger.ts';
import type { ModelFailure } from '@holdfast/providers/model-provider';
import { cleanReason } from '@holdfast/redaction/clean-output';
import type { Redactor } from '@holdfast/redaction/redaction';

/** Details of a failure: the cost of its attempts, and the failure that used up the retries. */
export type ModelFailureDetails = {
  wasted?: NonNullable<ModelLedger['wasted']>;
  costUsd?: number;
  last?: ModelFailureType;
};

/** The failure that the activity throws after a decision. */
export function toThrown(decision: RetryDecision, failure: ModelFailure): ApplicationFailure {
  const type = decision.retry ? failure.type : decision.type;
  const last = type === failure.type ? {} : { last: failure.type };
  return ApplicationFailure.create({
    type,
    message: decision.message,
    ...detailsOf({ ...paidFor(decision.ledger), ...last }),
    category: ApplicationFailureCategory.BENIGN,
    ...(decision.retry ? { nextRetryDelay: decision.delayMs } : { nonRetryable: true }),
  });
}

export function paidFor({ wasted, wastedUsd: costUsd = 0 }: ModelLedger): ModelFailureDetails {
  return wasted === undefined ? {} : { wasted, costUsd };
}

export function detailsOf(all: ModelFailureDetails): { details: ModelFailureDetails[] } {
  return { details: Object.keys(all).length === 0 ? [] : [all] };
}

/** A failure that already has its type: from the scripted model, or from a provider with its own knowledge. */
export function typedFailure(failure: ApplicationFailure): ModelFailure | undefined {
  const { type, message, nextRetryDelay } = failure;
  if (!isModelFailure(type)) return undefined;
  return defined({
    type,
    message,
    retryAfterMs: typeof nextRetryDelay === 'number' ? nextRetryDelay : undefined,
  });
}

/** For a throw of the user's hook: final, and distinct from a bug of ours. */
export function hookFailed(hook: string, error: unknown): ApplicationFailure {
  const message = `The hook ${hook} threw: ${reasonOf(error)}. Expected it to return; fix it, then continue the session.`;
  return ApplicationFailure.create({ type: 'Model.HookFailed', message, nonRetryable: true });
}

/** For any other error, which is a bug here or in the user's code and would recur. */
export function asBug(error: unknown): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error;
  const message = `The model call broke before or after the request: ${reasonOf(error)}. Expected no such error; fix it, then continue the session.`;
  return ApplicationFailure.create({ type: 'Model.Bug', message, nonRetryable: true });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** The same failure without the worker's secrets, which hooks and user code may have put into it. */
export function withoutSecrets(
  failure: ApplicationFailure,
  { text }: Pick<Redactor, 'text'>,
): ApplicationFailure {
  const message = cleanReason(failure.message, { text });
  return message === failure.message ? failure : copyOf(failure, message);
}

/** The same failure with the cost of its attempts, unless it has details of its own. */
export function withPaid(failure: ApplicationFailure, ledger: ModelLedger): ApplicationFailure {
  const [paid] = detailsOf(paidFor(ledger)).details;
  return !paid || (failure.details ?? []).length > 0 ? failure : copyOf(failure, undefined, [paid]);
}

/** The same failure with another message or other details. It has no cause: that may hold what was taken out. */
function copyOf(failure: ApplicationFailure, message = failure.message, details = failure.details) {
  const { type, nonRetryable, nextRetryDelay, category } = failure;
  return new ApplicationFailure(message, type, nonRetryable, details, undefined, nextRetryDelay, category);
}

/** True for a stop by a person. A deploy, a lost lease and an operator's pause also cancel, and are no stops. */
export function isUserStop(): boolean {
  return Context.current().cancellationDetails?.cancelRequested === true;
}

/** The text so far, as a message that the log keeps and the view does not show. */
export function abortedMessage(text: string, model: ModelRef): AssistantMessage {
  return {
    role: 'assistant',
    content: text.trim() === '' ? [] : [{ type: 'text', text }],
    model,
    usage: noUsage,
    stopReason: 'aborted',
    errorMessage: 'Stopped before the reply was complete.',
  };
}

// What a failed activity says, in the words of its own failure. Runs in the workflow.
import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';
import type { ModelLedger } from '../core/model/activity-contracts.ts';
import { cannotDecrypt, workerLacks, workerLost } from '../core/base/failures.ts';
import type { Failure } from '../core/base/failures.ts';
import type { PaidFailure } from '../core/model/call-results.ts';
import type { Parsed } from '../core/base/json.ts';

/** What the activity itself failed with. */
export function causeOf(error: unknown): unknown {
  return error instanceof ActivityFailure ? error.cause : error;
}

/** Ended from outside, in place of a worker whose process is gone. */
export function isWorkerLost(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof ApplicationFailure && cause.type === workerLost;
}

export function failureOf(error: unknown): { failure: Failure; type: string; message: string } {
  const cause = causeOf(error);
  const type = cause instanceof ApplicationFailure && cause.type ? cause.type : 'Model.CallFailed';
  const message = cause instanceof Error ? cause.message : String(cause);
  return { failure: { code: type, message, ...lastOf(cause) }, type, message };
}

/** Why a worker handed the task back; nothing of the task was begun then. Undefined for any other failure. */
export function lackOf(error: unknown): string | undefined {
  const cause = causeOf(error);
  if (!(cause instanceof ApplicationFailure)) return undefined;
  return cause.type === workerLacks || cause.type === cannotDecrypt ? cause.message : undefined;
}

/** ModelFailureDetails of activities/model/model-failure. */
function lastOf(cause: unknown): Pick<Failure, 'last'> {
  const details = cause instanceof ApplicationFailure ? cause.details?.[0] : undefined;
  const known = typeof details === 'object' && details !== null && 'last' in details;
  return known && typeof details.last === 'string' ? { last: details.last } : {};
}

/** The activity's own words: ModelFailureDetails of activities/model/model-failure. */
export function paidBy(error: unknown): PaidFailure | undefined {
  const cause = causeOf(error);
  const details = cause instanceof ApplicationFailure ? cause.details?.[0] : undefined;
  return isPaid(details) ? details : undefined;
}

function isPaid(details: unknown): details is PaidFailure {
  return typeof details === 'object' && details !== null && 'wasted' in details && 'costUsd' in details;
}

/** The ledger of a model call that was handed back: details of activities/context/hand-back. */
export function ledgerOf(error: unknown): ModelLedger | undefined {
  const cause = causeOf(error);
  const details = cause instanceof ApplicationFailure ? cause.details?.[0] : undefined;
  return hasLedger(details) ? details.ledger : undefined;
}

function hasLedger(details: unknown): details is { ledger: ModelLedger } {
  return typeof details === 'object' && details !== null && 'ledger' in details;
}

/** The checkpoint that a session was to begin from cannot be continued: the workflow fails with the reason. */
export function startFailureOf(error: unknown): ApplicationFailure {
  const cause = causeOf(error);
  const type = cause instanceof ApplicationFailure && cause.type ? cause.type : 'Checkpoint.NotLoaded';
  const message = cause instanceof Error ? cause.message : String(cause);
  return refusal(type, message);
}

/** What was read, or the refusal as a failure that its sender gets and Temporal does not repeat. */
export function accepted<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw refusal(parsed.code, parsed.reason);
  return parsed.value;
}

export function refusal(type: string, message: string): ApplicationFailure {
  return ApplicationFailure.create({ type, message, nonRetryable: true });
}

// Reads the failure of an activity. Runs in the workflow.
import { defined } from '@holdfast/base/defined';
import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';
import type { ModelLedger } from '@holdfast/vocabulary/activity-contracts';
import { cannotDecrypt, recoveryOf, workerLacks, workerLost } from '@holdfast/base/failures';
import type { Recovery } from '@holdfast/base/failures';
import { messageOf } from '@holdfast/base/message-of';
import type { Failed } from '../core/loop/effects.ts';
import type { PaidFailure } from '@holdfast/vocabulary/call-results';
import { type Parsed, isRecord } from '@holdfast/base/json';

/** The activity's own failure. */
export function causeOf(error: unknown): unknown {
  return error instanceof ActivityFailure ? error.cause : error;
}

/** The last failure: at the end of the retries, that of the last attempt is behind a timeout. */
export function lastCauseOf(error: unknown): unknown {
  let last = causeOf(error);
  while (last instanceof Error && last.cause instanceof Error) last = last.cause;
  return last;
}

/** True if another worker ended the attempt because its worker's process is gone. */
export function isWorkerLost(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof ApplicationFailure && cause.type === workerLost;
}

/** `code` is the default for a failure without a type of its own. */
export function toFailed(error: unknown, code = 'Activity.Failed'): Failed {
  const cause = causeOf(error);
  const type = cause instanceof ApplicationFailure && cause.type ? cause.type : code;
  const details = detailsOf(cause);
  const last = typeof details.last === 'string' ? details.last : undefined;
  const failure = { code: type, message: messageOf(cause), ...defined({ last }) };
  return { type: 'failed', failure, error: cause, ...(isPaid(details) && { paid: details }) };
}

/** Adds the recovery that the loop uses. */
export function toModelFailed(error: unknown): Failed & { recovery: Recovery } {
  const failed = toFailed(error, 'Model.CallFailed');
  return { ...failed, recovery: recoveryOf(failed.failure.code) };
}

/** The reason that a worker handed the task back, before anything of it had begun. Undefined for any other failure. */
export function lackOf(error: unknown): string | undefined {
  const cause = causeOf(error);
  if (!(cause instanceof ApplicationFailure)) return undefined;
  return cause.type === workerLacks || cause.type === cannotDecrypt ? cause.message : undefined;
}

/** Made by activities/model/model-failure.ts; `ledger` by activities/base/hand-back.ts. */
type Details = Partial<PaidFailure> & { last?: unknown; ledger?: ModelLedger };

function detailsOf(error: unknown): Details {
  const cause = causeOf(error);
  const details: unknown = cause instanceof ApplicationFailure ? cause.details?.[0] : undefined;
  return isRecord(details) ? details : {};
}

function isPaid(details: Details): details is Details & PaidFailure {
  return 'wasted' in details && 'costUsd' in details;
}

/** The ledger of a model call that was handed back. */
export function ledgerOf(error: unknown): ModelLedger | undefined {
  return detailsOf(error).ledger;
}

/** The parsed value. Throws the refusal as a failure for the sender, which Temporal does not retry. */
export function accepted<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw refusal(parsed.code, parsed.reason);
  return parsed.value;
}

export function refusal(type: string, message: string): ApplicationFailure {
  return ApplicationFailure.create({ type, message, nonRetryable: true });
}

// The end of a session as its group of alerts keeps it. Pure.
import { defined } from '@holdfast/base/defined';
import { isAmount, isRecord, isText, fieldsOf } from '@holdfast/base/json';
import type { SessionEnd } from '@holdfast/vocabulary/activity-contracts';
import { type RunResult, toOutcomeText } from '@holdfast/vocabulary/run-result';
import { runFailed } from '@holdfast/vocabulary/outer-names';

/** The end by the failure of its workflow: of the type that has a result in its details, a termination, or another. */
export function endOfFailure(failure: unknown): SessionEnd {
  const { name, type, details } = fieldsOf(failure);
  if (type === runFailed) return readSessionEnd(Array.isArray(details) ? details[0] : undefined);
  return { outcome: name === 'TerminatedFailure' ? 'terminated' : 'failed', costUsd: 0 };
}

/** Reads a result that may come from another version: what is not known there is absent here. */
export function readSessionEnd(result: unknown): SessionEnd {
  if (!isRecord(result) || !isText(result['status'])) return { outcome: 'gone', costUsd: 0 };
  const { costUsd, answer } = result;
  return defined({
    outcome: toOutcomeText(result as Pick<RunResult, 'status' | 'cause' | 'report'>),
    costUsd: isAmount(costUsd) ? costUsd : 0,
    answer: isText(answer) ? answer : undefined,
  });
}

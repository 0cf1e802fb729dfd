// The result of a run and of a session. Plain JSON, readable from any language.
import { defined } from '@holdfast/base/defined';
import type { LogRecord } from './messages.ts';
import type { ReportRef, RunCause, RunResult, SeqRange } from './run-result.schema.ts';
import type { RunStatus } from './run-status.ts';

export type * from './run-result.schema.ts';
export type { RunStatus } from './run-status.ts';

/** Range for hooks; with the messages if all of them are below 64 KiB together. */
export type MessageRange = SeqRange & { messages?: LogRecord[] };

/** A call by its id, with its tool and main arguments. */
export type NamedCall = [callId: string, summary: string];

/** The part of a result that comes from the run's messages; built by code that has all of them. */
export type RunOutput = Pick<RunResult, 'answer' | 'content' | 'thoughts' | 'stopReason' | 'newMessages'>;

/** Stands in place of a grade in the text of an outcome: the agent owed a report, and its run completed without one. */
export const noReport = 'no_report' satisfies RunCause;

/** Stands in place of a grade: the agent has looked, and nothing is wrong. */
export const noFault = 'no_fault';

export type Outcome = { status: RunStatus; cause?: 'no_report'; grade?: ReportRef['grade'] | 'no_fault' };

/**
 * Such as `completed/confirmed`, `completed/no_fault`, `budget_exceeded/inconclusive`, `completed/no_report`; just the status, such as
 * `failed`, if the agent gave no grade.
 */
export function toOutcomeText({
  status,
  cause,
  report,
}: Pick<RunResult, 'status' | 'cause' | 'report'>): string {
  if (cause === noReport) return `${status}/${noReport}`;
  if (!report || report.byCode) return status;
  return `${status}/${report.noFault ? noFault : report.grade}`;
}

/** The one place where the attribute's text gets its type back. */
export function fromOutcomeText(text: string): Outcome {
  const [status, word] = text.split('/');
  return defined({ status, [word === noReport ? 'cause' : 'grade']: word }) as Outcome;
}

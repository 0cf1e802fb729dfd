// How a run ended, in one word for lists and filters: its status, and the grade where there is a report. Pure.
import type { ReportRef, RunResult, RunStatus } from './run-result.ts';

type Outcome = { status: RunStatus; grade?: ReportRef['grade'] };

/** Such as `completed/confirmed`, `budget_exceeded/inconclusive`, `failed`. */
export function toOutcomeText({ status, report }: Pick<RunResult, 'status' | 'report'>): string {
  return report ? `${status}/${report.grade}` : status;
}

/** The one place where the attribute's text gets its type back. */
export function fromOutcomeText(text: string): Outcome {
  const [status, grade] = text.split('/');
  return { status, ...(grade === undefined ? {} : { grade }) } as Outcome;
}

// Checks the root cause of a report by code: its component and what it says of it were seen, a line of it is older than the first symptom, an
// alternative is refuted, nothing in the report speaks against it, no failure that was read is left aside, and its hypothesis
// was attacked. Runs in Node, pure: it reads the log and the checked quotes.
import type { Moment } from '@holdfast/base/line-time';
import { checkPrediction } from '@holdfast/report/check-prediction';
import { type CauseCheck, namesCause } from '@holdfast/report/report';
import type { LoggedCalls } from '@holdfast/stored/logged-calls';
import { toCause, type Checked } from './causes/cause.ts';
import { checkAlternatives } from './causes/check-alternatives.ts';
import { checkComponent } from './causes/check-component.ts';
import { checkContradictions } from './causes/check-contradictions.ts';
import { checkOrder, firstSymptom, symptomsOf } from './causes/check-order.ts';
import { checkStatement } from './causes/check-statement.ts';
import { checkUnexplained } from './causes/check-unexplained.ts';

type Run = {
  calls: LoggedCalls;
  /** Ids of the calls of the run of the report. */
  runCalls: ReadonlySet<string>;
  /** The start of the alert that the run is about. */
  alertedAt: Moment | undefined;
};

/** Undefined for a report that names no cause. */
export function checkCause(report: Checked, { calls, runCalls, alertedAt }: Run): CauseCheck[] | undefined {
  if (!namesCause(report)) return undefined;
  const cause = toCause(report, calls);
  const symptoms = symptomsOf(cause, alertedAt);
  return [
    checkComponent(cause),
    checkStatement(cause),
    checkOrder(cause, symptoms),
    checkAlternatives(cause),
    checkContradictions(cause),
    checkUnexplained(cause, runCalls, firstSymptom(symptoms)),
    checkPrediction(report),
  ];
}

// Caps the grade of a report: an agent cannot be surer than its evidence, nor sure of work that it did not finish.
// Pure.
import type { ReportRef, RunStatus } from '@holdfast/vocabulary/run-result';
import { present } from '@holdfast/base/present';
import { counted } from '@holdfast/base/words';
import { type Report, isNoFault, isUnknown } from './report.ts';

type Grade = ReportRef['grade'];
/** `reason` is a clause with its full stop; absent if the grade is the agent's own. */
export type CappedGrade = { grade: Grade; reason?: string };

type Graded = Pick<
  Report,
  'author' | 'grade' | 'claims' | 'rootCause' | 'causeChecks' | 'leftOutQuotes' | 'standsOut'
>;

/** From the least to the most sure. */
const grades: readonly Grade[] = ['inconclusive', 'likely', 'confirmed'];

export function capGrade(report: Graded, status: RunStatus): CappedGrade {
  const { grade } = report;
  const { atMost, reason } = capOf(report, status);
  return grades.indexOf(grade) <= grades.indexOf(atMost) ? { grade } : { grade: atMost, reason };
}

function capOf(report: Graded, status: RunStatus): { atMost: Grade; reason: string } {
  const { claims } = report;
  if (status !== 'completed')
    return { atMost: 'inconclusive', reason: `the run did not complete (${status}).` };
  if (claims.length === 0) return { atMost: 'inconclusive', reason: 'no claim was made.' };
  if (claims.every(({ verified }) => !verified))
    return { atMost: 'inconclusive', reason: 'no claim is carried by quotes that were found.' };
  const { standsOut = [] } = report;
  if (isNoFault(report) && standsOut.length > 0)
    return {
      atMost: 'inconclusive',
      reason: `nothing in the report explains ${counted(standsOut.length, 'line')} about failures that the run has read.`,
    };
  const reasons = doubtsOf(report);
  return reasons.length === 0
    ? { atMost: 'confirmed', reason: '' }
    : { atMost: 'likely', reason: `${reasons.join('; ')}.` };
}

/** The reasons against `confirmed`. */
function doubtsOf(report: Graded): string[] {
  const { claims, causeChecks = [], leftOutQuotes } = report;
  const invented = leftOutQuotes ? leftOutQuotes.quotes - leftOutQuotes.found : 0;
  const open = [...claims.entries()].filter(([, { verified }]) => !verified);
  const names = open.map(([index, { role }]) => `${index + 1}${role === 'cause' ? ' (the root cause)' : ''}`);
  const which = `${names.length === 1 ? 'claim' : 'claims'} ${names.join(', ')}`;
  return present([
    names.length > 0 && `${which}: not carried by quotes that were found`,
    invented > 0 && `${counted(invented, 'quote')} in what was left out of the report: not found`,
    ...causeChecks.filter(({ result }) => result === 'fails').map(({ text }) => text),
    report.rootCause === undefined &&
      causeChecks.length === 0 &&
      'no root cause with its component and kind is named',
    isUnknown(report) && 'the root cause is unknown',
    isNoFault(report) && 'no quote can prove that nothing is wrong',
  ]);
}

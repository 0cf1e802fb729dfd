// Caps the grade of a report: an agent cannot be surer than its evidence, nor sure of work that it did not finish.
// Pure.
import type { ReportRef, RunStatus } from '../model/run-result.ts';
import type { CheckedClaim, Report } from './report.ts';

type Grade = ReportRef['grade'];
/** `reason` is a clause with its full stop; absent if the grade is the agent's own. */
export type CappedGrade = { grade: Grade; reason?: string };

/** From the least to the most sure. */
const grades: readonly Grade[] = ['inconclusive', 'likely', 'confirmed'];

export function capGrade(
  { grade, claims }: Pick<Report, 'grade' | 'claims'>,
  status: RunStatus,
): CappedGrade {
  const { atMost, reason } = capOf(claims, status);
  return grades.indexOf(grade) <= grades.indexOf(atMost) ? { grade } : { grade: atMost, reason };
}

function capOf(claims: readonly CheckedClaim[], status: RunStatus): { atMost: Grade; reason: string } {
  if (status !== 'completed')
    return { atMost: 'inconclusive', reason: `the run did not complete (${status}).` };
  const open = [...claims.entries()].filter(([, { verified }]) => !verified);
  if (claims.length === 0) return { atMost: 'inconclusive', reason: 'no claim was made.' };
  if (open.length === claims.length)
    return { atMost: 'inconclusive', reason: 'no claim is carried by quotes that were found.' };
  const names = open.map(([index, { role }]) => `${index + 1}${role === 'cause' ? ' (the root cause)' : ''}`);
  const which = `${names.length === 1 ? 'claim' : 'claims'} ${names.join(', ')}`;
  return open.length === 0
    ? { atMost: 'confirmed', reason: '' }
    : { atMost: 'likely', reason: `${which}: not carried by quotes that were found.` };
}

// The verdict of a report in words: what is true now, its grade, and its cause. Pure.
import type { ReportRef } from '../../vocabulary/src/run-result.ts';
import { describeGrade } from './marks.ts';

type Judged = Pick<ReportRef, 'grade' | 'agentGrade' | 'byCode' | 'noFault' | 'cause' | 'heading'>;

export function describeVerdict(ref: Judged): string {
  const { heading, noFault } = ref;
  const begun = heading === undefined ? [] : [`${heading}.`];
  // its heading and its grade say so
  const cause = heading !== undefined && noFault ? [] : [causeOf(ref)];
  return [...begun, `Grade: ${describeGrade(ref)}.`, ...cause].join(' ');
}

function causeOf({ byCode, noFault, cause }: Judged): string {
  if (byCode) return 'The agent has handed in no report: this one was made from the log. No cause is known.';
  if (noFault) return 'No fault was found.';
  return cause === undefined ? 'No cause is named.' : `Cause: ${cause}`;
}

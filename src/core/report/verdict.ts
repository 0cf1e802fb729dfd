// The verdict of a report in two sentences: its grade, and its cause or that there is none. Pure.
import type { ReportRef } from '../model/run-result.ts';
import { describeGrade } from './marks.ts';

type Judged = Pick<ReportRef, 'grade' | 'agentGrade' | 'byCode' | 'noFault' | 'cause'>;

export function describeVerdict(ref: Judged): string {
  return `Grade: ${describeGrade(ref)}. ${causeOf(ref)}`;
}

function causeOf({ byCode, noFault, cause }: Judged): string {
  if (byCode) return 'The agent has handed in no report: this one was made from the log. No cause is known.';
  if (noFault) return 'No fault was found.';
  return cause === undefined ? 'No cause is named.' : `Cause: ${cause}`;
}

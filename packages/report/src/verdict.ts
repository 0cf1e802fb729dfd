// The verdict of a report in words: what is true now, its grade, and its cause. Pure.
import { present } from '@holdfast/base/present';
import { capital } from '@holdfast/base/words';
import type { ReportRef } from '@holdfast/vocabulary/run-result';
import { describeGrade } from './marks.ts';

type GradedReport = Pick<ReportRef, 'grade' | 'agentGrade' | 'byCode' | 'noFault' | 'cause' | 'heading'>;

export const noReportNote = 'the agent has handed in no report';
export const byCodeNote = `${noReportNote}: this one was made from the log`;

export function describeVerdict(ref: GradedReport): string {
  const { heading, noFault } = ref;
  // its heading and its grade say so
  const isSaid = heading !== undefined && noFault;
  return present([
    heading !== undefined && `${heading}.`,
    `Grade: ${describeGrade(ref)}.`,
    !isSaid && causeOf(ref),
  ]).join(' ');
}

function causeOf({ byCode, noFault, cause }: GradedReport): string {
  if (byCode) return `${capital(byCodeNote)}. No cause is known.`;
  if (noFault) return 'No fault was found.';
  return cause === undefined ? 'No cause is named.' : `Cause: ${cause}`;
}

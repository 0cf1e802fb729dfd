// The end of a run on one line: the status word for programs, and the facts for a person. Pure.
import type { Colors } from '../colors.ts';
import type { RunEnd } from '@holdfast/vocabulary/agent-state';
import { noReport } from '@holdfast/vocabulary/run-result';
import { answerCutSentence, endSentence } from '@holdfast/report/describe-end';
import { withTyped } from '../../config/command-line.ts';
import { toLine } from './plain-text.ts';

export function describeStatus(end: RunEnd, colors: Colors, errorLength = 600): string {
  const { status, cause, error, answerCut } = end;
  const isGood = status === 'completed' && cause !== noReport && !answerCut;
  const more = cause && cause !== 'answer' ? ` (${cause})` : '';
  // the word alone would read like success
  const cut = answerCut ? `: ${answerCutSentence}` : '';
  const sentence = cause === noReport ? `: ${endSentence(end)} Its words were not checked.` : cut;
  const failure = error ? `: ${error.code}: ${toLine(withTyped(error.message), errorLength)}` : '';
  return (isGood ? colors.green : colors.red)(`${status}${more}${sentence}${failure}`);
}

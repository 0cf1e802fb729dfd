// The last words of an agent that has handed in a report: nobody has checked them, and every reader shows them and the marks
// of code in the same form. Pure.
import { plainLine } from '@holdfast/base/plain-markdown';
import { present } from '@holdfast/base/present';
import { markLines, toReadable } from '@holdfast/base/visible';
import type { RunResult, WordMark } from '@holdfast/vocabulary/run-result';
import type { Recommended } from './report.ts';

/** A mark as a line for people. */
export function describeMark({ mark, text, callId, line }: WordMark): string {
  return `${reasons[mark]}${callId === undefined ? '' : ` (line ${line ?? 0} of call ${callId})`}: "${text}"`;
}

/** For Markdown: a mark with the words of whoever has made it. */
export function markedLine(mark: WordMark): string {
  return `marked by Holdfast: ${plainLine(describeMark(mark))}`;
}

const reasons: Record<WordMark['mark'], string> = {
  retracts: 'takes the report back',
  contradicts: 'contradicts the report',
  not_done: 'claims work that no call of the run did',
  repeats: 'repeats a command of an output',
};

export const lastWordsTitle = 'Last words of the agent, unchecked';

/** The objections of code to a recommendation, for every form of the report. */
export function objectionsTo({ repeats, refused }: Recommended): string[] {
  return present([
    repeats && `repeats a command of an output (line ${repeats.line} of call ${repeats.callId})`,
    refused !== undefined && `the policy would refuse it: ${refused}`,
  ]);
}

/** In Markdown: the heading, the objections, and each line of the words as a quotation. Empty if the answer has the words. */
export function lastWordsText({ lastWords = '', report }: Pick<RunResult, 'lastWords' | 'report'>): string {
  if (lastWords.trim() === '') return '';
  const marks = report?.wordMarks?.map((mark) => `- ${markedLine(mark)}`) ?? [];
  const words = markLines(toReadable(lastWords).trim(), '> ');
  return [`${lastWordsTitle}:`, ...(marks.length === 0 ? [] : ['', ...marks]), '', words].join('\n');
}

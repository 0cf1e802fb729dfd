// Marks in the last words of an agent what speaks against its report or has no call behind it. Pure. Apart from the words for
// people (last-words.ts), because the workflow shows marks and makes none.
import { cutText } from '@holdfast/base/cut-text';
import { oneLine } from '@holdfast/base/one-line';
import { isMade } from '@holdfast/vocabulary/call-outcome';
import type { WordMark } from '@holdfast/vocabulary/run-result';
import { claimsWork } from './claimed-work.ts';
import { causesIn, namesAnother } from './named-cause.ts';
import { type RepeatedCommand, type Report, type RootCause, isNoFault, namesCause } from './report.ts';
import type { Action } from './run-facts.ts';

export type WordFacts = {
  report: Pick<Report, 'author' | 'grade' | 'rootCause' | 'claims'>;
  /** The changes of the run; absent if the report does not have all of them. */
  actions?: readonly Action[];
  repeated: readonly RepeatedCommand[];
};

const mostMarks = 8;
const mostSentences = 200;
const longest = 1_000;
const markedLength = 200;

/** In the order of their weight. */
export function markWords(words: string, { report, actions, repeated }: WordFacts): WordMark[] {
  const sentences = sentencesOf(words);
  const marked = (mark: WordMark['mark'], isMarked: (sentence: string) => boolean): WordMark[] =>
    sentences.filter(isMarked).map((text) => ({ mark, text: cutText(text, markedLength) }));
  const made = actions?.filter(isMade);
  const calls = made?.map(({ call, with: others = '' }) => `${call} ${others}`);
  const isOfAgent = report.author === 'agent';
  return [
    ...marked('retracts', (sentence) => isOfAgent && retracts(sentence)),
    ...marked('contradicts', (sentence) => isOfAgent && contradicts(sentence, report)),
    ...marked('not_done', (sentence) => calls !== undefined && claimsWork(sentence, calls)),
    ...repeated.map(({ command, callId, line }): WordMark => {
      return { mark: 'repeats', text: cutText(oneLine(command), markedLength), callId, line };
    }),
  ].slice(0, mostMarks);
}

function sentencesOf(words: string): string[] {
  return words
    .split(/\n+|(?<=[.!?])\s+/)
    .slice(0, mostSentences)
    .map((sentence) =>
      oneLine(sentence.slice(0, longest).replaceAll(/[*_#>`]+|^\s*(?:[-+]|\d+[.)])\s+/g, ' ')).trim(),
    )
    .filter((sentence) => sentence !== '');
}

const thing = '(?:report|findings?|claims?|conclusions?|diagnosis|analysis|grade|verdict|root cause)';
const retracting = [
  String.raw`\b(?:I|we) (?:hereby |must |have to |need to |now )*(?:retract|withdraw|revoke|take (?:\w+ ){0,3}back)\b`,
  String.raw`\b(?:I|we) (?:was|were|am|are) (?:\w+ )?(?:wrong|mistaken|incorrect)\b`,
  String.raw`\b(?:my|our|the|this|that) (?:\w+ )?${thing}\b[^.]{0,40}\b(?:was|were|is|are) (?:\w+ )?(?:wrong|incorrect|mistaken|false|invalid|premature|outdated|not (?:correct|right|true|valid))\b`,
  String.raw`\b(?:ignore|disregard|discard|forget)\b[^.]{0,30}\b(?:${thing}|above|I (?:said|wrote|reported))\b`,
  String.raw`\bon second thoughts?\b|\bcorrection:|\bscratch that\b`,
].map((pattern) => new RegExp(pattern, 'i'));

function retracts(sentence: string): boolean {
  return retracting.some((pattern) => pattern.test(sentence));
}

const calm =
  /\bno (?:fault|issues?|problems?|incident)\b(?: \w+){0,2} (?:found|seen)\b|\bfalse alarm\b|\bnothing (?:is|was) wrong\b|\b(?:all|everything) (?:is|looks|was) (?:fine|healthy|well|normal)\b/i;
const sure =
  /\b(?:this|it|that|cause|diagnosis|findings?|report|hypothesis)\b[^.,;]{0,20}\b(?:is|are|was|has been|have been) (?:now |fully |definitely )*(?:confirmed|proven)\b|\bconfirmed (?:root )?cause\b|\b(?:100 ?%|absolutely|definitely) (?:certain|sure)\b/i;

function contradicts(sentence: string, report: WordFacts['report']): boolean {
  if (sure.test(sentence) && report.grade !== 'confirmed') return true;
  if (isNoFault(report)) return causesIn(sentence).length > 0;
  const { rootCause } = report;
  if (!namesCause(report)) return false;
  if (calm.test(sentence)) return !isCalm(rootCause);
  return rootCause !== undefined && namesAnother(sentence, rootCause);
}

/** A cause such as a stale alert says itself that nothing else is wrong. */
function isCalm({ kind, text }: RootCause = { component: '', kind: '', text: '' }): boolean {
  return /\bnothing (?:is |was )?wrong|\bno fault|\bfalse (?:alarm|positive)|\bstale\b/i.test(
    `${kind} ${text}`,
  );
}

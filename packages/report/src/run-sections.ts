// The items of the sections that code makes of the facts of a run. Pure.
import { defined } from '@holdfast/base/defined';
import { present } from '@holdfast/base/present';
import { counted, toDuration } from '@holdfast/base/words';
import { behindOutcome, isMarked, outcomeWords } from '@holdfast/vocabulary/call-outcome';
import { ownBooks } from '@holdfast/vocabulary/own-books';
import {
  deciderOf,
  describeAfter,
  describeSettled,
  describeSpan,
  introduceActions,
  mayDiffer,
  settledBy,
  whenSaid,
} from './run-words.ts';
import {
  type Body,
  type Item,
  type Pill,
  type Part,
  type NamedWords,
  type Timed,
  type Tone,
  prose,
} from './document.ts';
import { describeEnd } from './describe-end.ts';
import { type Report, isNoFault } from './report.ts';
import type { Action, LeftOver, RunFacts, TimedCall } from './run-facts.ts';
import { toShownTime } from './shown-times.ts';
import { noReportNote } from './verdict.ts';

/** Behind a report that found no fault: each different call that gave an output, oldest first. */
export function lookedAt(report: Report): Item[] {
  const { calls = [] } = report.run ?? {};
  if (!isNoFault(report)) return [];
  const seen = calls.filter(({ call, isError }) => !isError && !ownBooks.has(call.split(' ')[0] ?? ''));
  return [...new Map(seen.map((each) => [each.call, { words: describeCall(each) }])).values()];
}

function describeCall({ call, callId }: Pick<TimedCall, 'call' | 'callId'>) {
  return prose`${{ code: call }}, call ${{ code: callId }}`;
}

/** The state of unfinished work, for whoever continues it. */
export function leftParts({ findings, plan, openQuestions, lastTried, refusedReports }: LeftOver): Part[] {
  const lines = (texts: readonly string[]) => texts.map((text) => prose`${text}`);
  const parts: Part[] = [
    ['Pinned findings', lines(findings)],
    ['Plan', plan.map(({ text, status }) => prose`${{ state: status, tone: 'flat', end: ':' }} ${text}`)],
    ['Open questions', lines(openQuestions)],
    ['Tried last', lines(lastTried)],
    ['Reports that were refused', lines(describeRefused(refusedReports))],
  ];
  return parts.filter(([, each]) => each.length > 0);
}

function describeRefused(refused: LeftOver['refusedReports']): string[] {
  if (!refused) return [];
  const { count, reason, summary } = refused;
  return present([
    `${counted(count, 'report')}; the last because: ${reason}`,
    summary !== undefined && `Its summary, which was not checked: ${summary}`,
  ]);
}

/** Changes, attempts and refusals; says so if there were none. */
export function actionsBody(report: Report, { actions, actionsLeftOut }: RunFacts): Body {
  const leftOut = actionsLeftOut === undefined ? undefined : { what: counted(actionsLeftOut, 'action') };
  return {
    kind: 'times',
    items: actions.map((action) => actionItem(report, action)),
    ...defined({ introduction: introduceActions(report), leftOut }),
  };
}

const outcomeTones: Record<Action['outcome'], Tone> = {
  done: 'good',
  done_in_part: 'warn',
  failed: 'bad',
  unknown: 'bad',
  refused: 'warn',
  not_run: 'warn',
  simulated: 'warn',
  timed_out: 'bad',
};

function actionItem(report: Report, action: Action): Timed {
  const { at, with: others, change, outcome, why, decidedAt, reason } = action;
  const decider = deciderOf(action);
  const when = decidedAt ? prose`, ${toShownTime(report, decidedAt)}` : '';
  const settled = settledBy(report, action);
  const state = (name: string, text: string): NamedWords => [name, prose`${{ code: text }}`];
  return {
    at: toShownTime(report, at),
    words: describeCall(action),
    outcome: {
      mark: outcomeWords[outcome],
      tone: outcomeTones[outcome],
      ...defined({ why: why === undefined ? undefined : behindOutcome(why, outcome) }),
    },
    notes: present([
      settled && prose`${describeSettled(settled)}: ${{ code: settled.quote }}`,
      others !== undefined && prose`With ${{ code: others }}`,
    ]),
    rows: change
      ? [state('Before', change.before), state('After', change.after), state('Undo', change.undo)]
      : [],
    ...defined({
      by: decider === undefined ? undefined : prose`${decider}${when}`,
      result: reason === undefined ? undefined : prose`${reason}`,
    }),
  };
}

/** Every call with its own times. */
export function callsBody(report: Report, { calls, callsLeftOut }: RunFacts): Body {
  const items = calls.map((call) => callItem(report, call));
  if (callsLeftOut === undefined) return { kind: 'times', items };
  return { kind: 'times', items, leftOut: { what: counted(callsLeftOut, 'call'), isBetween: true } };
}

function callItem(report: Report, timed: TimedCall): Timed {
  const { at, endedAt, waitedMs, result, isError, outcome } = timed;
  const waited = waitedMs === undefined ? '' : ` (after a wait of ${toDuration(waitedMs)})`;
  const span = `${describeSpan(at, endedAt)}${waited}`;
  const mark: Pill = { mark: outcomeWords[outcome ?? 'failed'], tone: 'bad' };
  return {
    at: toShownTime(report, at),
    ...defined({ by: span === '' ? undefined : prose`${{ span, until: endedAt }}` }),
    words: describeCall(timed),
    result: prose`${isMarked(outcome, isError) ? prose`${mark} ` : ''}${behindOutcome(result, outcome)}`,
  };
}

export function steeringItems(report: Report): Timed[] {
  const { steering = [] } = report.run ?? {};
  return steering.map((said) => ({
    at: toShownTime(report, said.at),
    by: prose`${whenSaid(report, said)}`,
    words: prose`${said.text}`,
  }));
}

/** The last words of the run: they are newer than the report if work continued after it. */
export function answerBody({ author }: Report, run: RunFacts): Body | undefined {
  const { answer, afterReport, wordMarks: marks = [], left } = run;
  if (answer.trim() === '' && marks.length === 0) return undefined;
  const mayBeNews = author === 'code' || afterReport !== undefined;
  // its end is on top of the report; other last words may be among the last attempts
  const isSaid = answer.trim() === describeEnd(run) || left?.lastTried.includes(`"${answer}"`);
  const unchecked = author === 'code' ? uncheckedNote : undefined;
  const note = afterReport ? `${describeAfter(afterReport)} ${mayDiffer}` : unchecked;
  const isNews = marks.length > 0 || (mayBeNews && !isSaid);
  return { kind: 'answer', words: answer, marks, isNews, ...defined({ note }) };
}

const uncheckedNote = `These are no answer: ${noReportNote}, and nothing in them was checked.`;

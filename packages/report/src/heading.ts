// The heading of a report: what is true now, decided by code from the grade, the calls of the run and the agent's word on
// whether it goes on. Pure.
import { counted } from '@holdfast/base/words';
import type { CallOutcome } from '@holdfast/vocabulary/messages';
import type { ReportRef } from '@holdfast/vocabulary/run-result';
import { ongoingWords, whoDecided } from './run-words.ts';
import { type Report, carries, isNoFault, isUnknown, namesCause, quotesOf } from './report.ts';
import type { Action, Changes } from './run-facts.ts';

/** Such as `Cause found, NOT fixed (change denied by kim)`. Undefined until the run has ended. */
export function headingOf(report: Report): string | undefined {
  if (!report.run) return undefined;
  const other = otherEnding(report);
  if (other !== undefined) return `${other} (${changesIn(report)})`;
  const isLikely = report.grade === 'likely';
  const state = stateOf(report);
  if (state === fixed) return isLikely ? `${fixed}, its cause is likely` : fixed;
  return `${isLikely ? 'Likely cause' : 'Cause'} found, ${state}`;
}

/** Undefined for a report with a cause that is likely at least. */
function otherEnding(report: Report): string | undefined {
  if (isNoFault(report)) return 'No fault found';
  if (report.author === 'code' || report.grade === 'inconclusive' || isUnknown(report)) return 'Inconclusive';
  return namesCause(report) ? undefined : 'No cause named';
}

function changesIn(report: Report): string {
  const { made, open, isPartial } = changesOf(report);
  if (made > 0) return 'something was changed';
  if (open !== undefined) return open;
  return isPartial ? notAllRead : 'nothing was changed';
}

/** The heading with the cause, or with `subject` where none is named. */
export function headlineOf(
  { heading, cause, grade }: Pick<ReportRef, 'heading' | 'cause' | 'grade'>,
  subject = '',
): string {
  const words = cause === undefined ? subject : grade === 'inconclusive' ? `perhaps ${cause}` : cause;
  return [heading, words].filter(Boolean).join(': ');
}

const fixed = 'Fixed';

export function isFixed(report: Report): boolean {
  return report.run !== undefined && otherEnding(report) === undefined && stateOf(report) === fixed;
}

/** Fixed only if a change succeeded, the agent says that it is over, and the report quotes a call that began later. */
function stateOf(report: Report): string {
  const { impact, dryRun } = report;
  const { last, open, isPartial, others } = changesOf(report);
  const isOver = impact?.ongoing === 'no';
  if (open !== undefined) return `not known if fixed (${open})`;
  if (last) {
    if (last.afterReport) return 'changed after the report, not known if fixed';
    if (impact?.ongoing === 'yes') return `NOT fixed (${ongoingWords.yes} after a change)`;
    if (!isOver) return 'changed, not known if fixed';
    return hasLaterLine(report, last)
      ? fixed
      : 'changed, not known if fixed (the agent says so, no later line shows it)';
  }
  const none = isPartial ? notAllRead : 'nothing was changed';
  const why = others.length > 0 ? describeOthers(others) : `${dryRun ? 'dry run: ' : ''}${none}`;
  return `NOT fixed (${why}${isOver ? '; the agent says that the impact is over' : ''})`;
}

const notAllRead = 'no change is known, and not all logs of subagents were read';

/** `others`: refused and failed attempts of the run. `open`: words for changes whose outcome is unknown. */
function changesOf({ run, gaps }: Report) {
  const { made = 0, last, open = [], isPartial = false } = run?.changes ?? {};
  // what an output had asked for is no attempt to mend anything
  const planted = new Set((run?.instructions ?? []).map(({ callId }) => callId));
  const others = (run?.actions ?? []).filter(
    ({ callId, outcome, isRead }) => !isRead && !planted.has(callId) && outcome in attempts,
  );
  const isSettled = open.every((id) => gaps.some(({ callId, closedBy }) => callId === id && closedBy));
  const words = isSettled
    ? 'a later read says what became of a change'
    : 'the outcome of a change is unknown';
  return { made, last, isPartial, others, open: open.length === 0 ? undefined : words };
}

const attempts: Partial<Record<CallOutcome, string>> = {
  failed: 'failed',
  refused: 'refused',
  simulated: 'simulated in a dry run',
  not_run: 'not run',
};

function hasLaterLine(report: Report, { endedAt }: NonNullable<Changes['last']>): boolean {
  const began = new Map(report.run?.calls.map(({ callId, at }) => [callId, at]));
  return quotesOf(report).some((quote) => carries(quote) && (began.get(quote.callId) ?? '') > endedAt);
}

/** The last one decides: earlier ones were often its first attempts. */
function describeOthers(others: readonly Action[]): string {
  const last = others.at(-1);
  if (!last) return '';
  const many = others.length > 1 ? `${counted(others.length, 'change')}, the last one ` : 'change ';
  return `${many}${whatBecame(last)}`;
}

function whatBecame(action: Action): string {
  const { outcome, by, approved } = action;
  if (by === undefined || approved !== false) return attempts[outcome] ?? outcome;
  const who = whoDecided(action);
  return who.startsWith('denied') ? who : `not approved: ${who}`;
}

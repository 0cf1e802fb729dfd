// The heading of a report: what is true now, decided by code from the grade, the calls of the run and the agent's word on
// whether it goes on. Pure.
import { counted } from '../base/words.ts';
import type { CallOutcome } from '../model/messages.ts';
import type { ReportRef } from '../model/run-result.ts';
import { whoDecided } from './action-words.ts';
import { type Report, carries, isNoFault, isUnknown, namesCause, quotesOf } from './report.ts';
import type { Action } from './run-facts.ts';

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
  const { made, others } = changesOf(report);
  if (made.length > 0) return 'something was changed';
  return others.some(({ outcome }) => isOpen[outcome]) ? unknownOutcome : 'nothing was changed';
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
  return headingOf(report)?.startsWith(fixed) === true;
}

/** Fixed only if a change succeeded, the agent says that it is over, and a later call of the run has a line for the report. */
function stateOf(report: Report): string {
  const { impact, dryRun } = report;
  const { made, others } = changesOf(report);
  const isOver = impact?.ongoing === 'no';
  const lastMade = made.at(-1);
  if (lastMade) {
    if (impact?.ongoing === 'yes') return 'NOT fixed (still going on after a change)';
    if (!isOver) return 'changed, not known if fixed';
    if (hasLaterLine(report, lastMade)) return fixed;
    return 'changed, not known if fixed (the agent says so, no later line shows it)';
  }
  if (others.some(({ outcome }) => isOpen[outcome])) return `not known if fixed (${unknownOutcome})`;
  const why = others.length > 0 ? describeOthers(others) : `${dryRun ? 'dry run: ' : ''}nothing was changed`;
  return `NOT fixed (${why}${isOver ? '; the agent says that the impact is over' : ''})`;
}

const unknownOutcome = 'the outcome of a change is unknown';
const isOpen: Partial<Record<CallOutcome, true>> = { unknown: true, timed_out: true };

function changesOf({ run }: Report): { made: Action[]; others: Action[] } {
  // what an output had asked for is no attempt to mend anything
  const planted = new Set((run?.instructions ?? []).map(({ callId }) => callId));
  const actions = (run?.actions ?? []).filter(({ callId }) => !planted.has(callId));
  const isMade = ({ outcome }: Action): boolean => outcome === 'done' || outcome === 'done_in_part';
  return { made: actions.filter(isMade), others: actions.filter((action) => !isMade(action)) };
}

function hasLaterLine(report: Report, { at, callId }: Action): boolean {
  return quotesOf(report).some(
    (quote) =>
      carries(quote) && quote.callId !== callId && quote.source !== undefined && quote.source.at > at,
  );
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
  if (by !== undefined && approved === false) {
    const who = whoDecided(action);
    return who.startsWith('denied') ? who : `not approved: ${who}`;
  }
  return (
    { failed: 'failed', simulated: 'simulated in a dry run', not_run: 'not run' }[outcome as string] ??
    'refused'
  );
}

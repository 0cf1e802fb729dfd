// Words for the facts of a run, the same in every form of the report: its impact, its changes and refusals, messages of people.
// Pure.
import { capital, counted, toDuration } from '@holdfast/base/words';
import { describeOutcome, isMade } from '@holdfast/vocabulary/call-outcome';
import { notPeople } from '@holdfast/vocabulary/messages';
import { type Words, prose } from './document.ts';
import { describeGrade, describeShare } from './marks.ts';
import type { CheckedQuote, Impact, Report } from './report.ts';
import type { Action, FoundInstruction, ReplacedReport, RunFacts, Said } from './run-facts.ts';
import { timeIn } from './shown-times.ts';

export const dryRunNote = 'nothing was changed, and only reads were executed.';

/** The text before the list; undefined if the list needs none. `short`: for one row of a terminal. */
export function introduceActions(
  { run, dryRun }: Pick<Report, 'run' | 'dryRun'>,
  short = false,
): string | undefined {
  const { actions = [] } = run ?? {};
  if (actions.length === 0)
    return dryRun
      ? `A dry run: ${dryRunNote}`
      : `None. The agent only looked${short ? '.' : ': it tried no call that could change something.'}`;
  if (!actions.every(({ outcome }) => outcome in notMade)) return undefined;
  const how = Object.entries(notMade)
    .flatMap(([word, said]) => (actions.some(({ outcome }) => outcome === word) ? [said] : []))
    .join(', or ');
  return short
    ? `Nothing was changed. ${capital(how)}:`
    : `Nothing was changed. These calls were ${how}; each would have done what it names:`;
}

/** Outcomes of calls that have certainly changed nothing. */
const notMade = { refused: 'tried and refused', not_run: 'not run', simulated: 'simulated in a dry run' };

/** The words for an impact that continues, or does not. */
export const ongoingWords: Record<Impact['ongoing'], string> = {
  yes: 'still going on',
  no: 'over',
  unknown: 'not known if it is over',
};

/** For an impact that the agent calls over: no check shows it unless a change succeeded. */
export function describeOver({ run }: Pick<Report, 'run'>): string {
  return run?.actions.some(isMade) ? ongoingWords.no : `the agent says: ${ongoingWords.no}`;
}

/** The words of `ongoingWords`, with the doubt of `describeOver`. */
export function describeOngoing({ ongoing }: Impact, report: Pick<Report, 'run'>): string {
  return ongoing === 'no' ? describeOver(report) : ongoingWords[ongoing];
}

/** Such as `Failed (exit code 1: no such unit)`. */
export function outcomeOf({ outcome, why }: Pick<Action, 'outcome' | 'why'>): string {
  return capital(describeOutcome(outcome, why));
}

/** Such as `approved by kim`, or `nobody was asked` of a change that was made; undefined where nobody had to decide. */
export function deciderOf(action: Pick<Action, 'outcome' | 'by' | 'approved'>): string | undefined {
  return action.by !== undefined || isMade(action) ? whoDecided(action) : undefined;
}

/** The same behind an outcome: `, approved by kim`. */
export function behindDecider(action: Pick<Action, 'outcome' | 'by' | 'approved'>): string {
  const decider = deciderOf(action);
  return decider === undefined ? '' : `, ${decider}`;
}

export function whoDecided({ by, approved }: Pick<Action, 'by' | 'approved'>): string {
  if (by === undefined) return 'nobody was asked';
  if (approved === true) return by === 'policy' ? 'allowed by a rule (policy)' : `approved by ${by}`;
  const decider = notPeople.find((each) => each === by);
  return decider === undefined ? `denied by ${by}` : notRun[decider];
}

const notRun: Record<(typeof notPeople)[number], string> = {
  // it has more than rules: modes, and limits of a tool or the sandbox
  policy: 'denied by the policy',
  timer: 'nobody answered (timer)',
  stop: 'nobody answered before the run was stopped',
  limit: 'the limit of approvals was reached',
  before: 'not asked again',
};

/** Who said it, on which occasion, and when the agent read it, if later. */
export function whenSaid(report: Pick<Report, 'run'>, said: Said): string {
  const { origin, by = 'somebody', question = '', readAt } = said;
  const occasion = {
    steer: 'while it worked',
    follow_up: 'for when it was done',
    answer: `answered to "${question}"`,
  }[origin];
  return `${by} ${occasion}${readAt === undefined ? '' : `, read at ${timeIn(report, readAt)}`}`;
}

/** The quote from a later read that settles the unknown outcome of a call. */
export function settledBy({ gaps }: Pick<Report, 'gaps'>, { callId }: Action): CheckedQuote | undefined {
  return gaps.find((gap) => gap.callId === callId)?.closedBy;
}

/** Such as `settled by a later read: line 3 of call c5`. */
export function describeSettled({ callId, position }: CheckedQuote): string {
  return `settled by a later read: line ${position?.line ?? 0} of call ${callId}`;
}

export const instructionsTitle = 'Instructions in tool output';
export const instructionsNote =
  'These calls were denied or stopped, and an output that was read before has their words. Somebody may have planted them there.';

/** Such as `Denied by kim`. */
export function whoStopped(by: FoundInstruction['by']): string {
  return by === undefined ? 'Stopped' : capital(whoDecided({ by }));
}

export function describeAfter({ calls, messages }: NonNullable<RunFacts['afterReport']>): string {
  return `The run continued after this report: ${counted(calls, 'call')}, ${counted(messages, 'message')}.`;
}

/** Follows the words of `describeAfter`. */
export const mayDiffer = 'The last words of the agent may say more.';

/** A report of the run that does not count. */
export function describeReplaced(report: Report, replaced: ReplacedReport): Words {
  const { artifactId, callId, at } = replaced;
  return prose`Another report of this run does not count: ${artifactId} of call ${callId}, ${timeIn(report, at)}, grade ${describeGrade(replaced)}, ${describeShare(replaced)}`;
}

/** Such as `12 min 5 s`; empty if either is no time. */
export function describeSpan(from: string, to: string): string {
  const milliseconds = Date.parse(to) - Date.parse(from);
  return milliseconds >= 0 ? toDuration(milliseconds) : '';
}

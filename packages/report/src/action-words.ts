// Words for changes, refusals and people's messages, the same in every form of the report. Pure.
import { capital } from '../../base/src/words.ts';
import { describeOutcome } from '../../vocabulary/src/call-outcome.ts';
import { notPeople } from '../../vocabulary/src/messages.ts';
import { timeIn } from './shown-times.ts';
import type { CheckedQuote, Report } from './report.ts';
import type { Action, Said } from './run-facts.ts';

/** The text before the list; undefined if the list needs none. `short`: for one row of a terminal. */
export function introduceActions(
  { run, dryRun }: Pick<Report, 'run' | 'dryRun'>,
  short = false,
): string | undefined {
  const { actions = [] } = run ?? {};
  if (actions.length === 0)
    return dryRun
      ? 'A dry run: nothing was changed, and only reads were executed.'
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

/** For an impact that the agent calls over: no check shows it unless a change succeeded. */
export function describeOver({ run }: Pick<Report, 'run'>): string {
  const hasChanged = run?.actions.some(({ outcome }) => outcome === 'done' || outcome === 'done_in_part');
  return hasChanged ? 'over' : 'the agent says: over';
}

/** Such as `Failed (exit code 1: no such unit)`. */
export function outcomeOf({ outcome, why }: Pick<Action, 'outcome' | 'why'>): string {
  return capital(describeOutcome(outcome, why));
}

/** Stands behind an outcome: `, approved by kim`, or `, nobody was asked` of a change that was made; empty where nobody had to decide. */
export function behindDecider(action: Pick<Action, 'outcome' | 'by' | 'approved'>): string {
  const isMade = action.outcome === 'done' || action.outcome === 'done_in_part';
  return action.by !== undefined || isMade ? `, ${whoDecided(action)}` : '';
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

export function changeParts({ before, after, undo }: NonNullable<Action['change']>): [string, string][] {
  return [
    ['Before', before],
    ['After', after],
    ['Undo', undo],
  ];
}

/** The quote from a later read that settles the unknown outcome of a call. */
export function settledBy({ gaps }: Pick<Report, 'gaps'>, { callId }: Action): CheckedQuote | undefined {
  return gaps.find((gap) => gap.callId === callId)?.closedBy;
}

/** Such as `settled by a later read: line 3 of call c5`. */
export function describeSettled({ callId, position }: CheckedQuote): string {
  return `settled by a later read: line ${position?.line ?? 0} of call ${callId}`;
}

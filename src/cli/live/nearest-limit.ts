// The limit that a run is nearest to, for the status line. Pure.
import { toTimeLeft } from '../../core/base/words.ts';
import type { RunProgress, Snapshot } from '../../core/model/snapshot.ts';

/** `words` follow "nearest limit: ". */
type Limit = { used: number; limit: number | undefined; words: string };

/** Below it turns are only a number: nobody knows how many a run needs. */
const nearShare = 0.75;

/**
 * E.g. `nearest limit: turn 80 of 100`; undefined without a run or a limit, and for turns that are not near theirs. `at` in ms of the wall clock. While a person
 * is waited for, the budget of time does not run and is left out.
 */
export function nearestLimit(
  { run, budget, costUnknown }: Pick<Snapshot, 'run' | 'budget' | 'costUnknown'>,
  { at, isWaiting }: { at: number; isWaiting: boolean },
): string | undefined {
  if (!run) return undefined;
  const { maxTurns, responses, turns, toolCalls, tokens, costUsd } = run;
  const limits: Limit[] = [
    { used: responses, limit: maxTurns || undefined, words: `turn ${responses} of ${maxTurns}` },
    { used: turns, limit: budget.turns, words: `turn ${turns} of ${budget.turns} in all` },
    { used: toolCalls, limit: budget.toolCalls, words: `call ${toolCalls} of ${budget.toolCalls}` },
    { used: tokens, limit: budget.tokens, words: 'tokens' },
    { used: costUsd, limit: costUnknown ? undefined : budget.costUsd, words: 'cost' },
    timeLimit(at - run.workFrom, isWaiting ? undefined : budget.wallMs, ' of work'),
    deadlineLimit(run, at),
  ];
  const shares = limits.flatMap(({ used, limit, words }) =>
    limit === undefined ? [] : [{ share: used / limit, words }],
  );
  const [nearest] = shares.toSorted((one, other) => other.share - one.share);
  if (!nearest || (nearest.words.startsWith('turn ') && nearest.share < nearShare)) return undefined;
  return `nearest limit: ${nearest.words}`;
}

function deadlineLimit({ startedAt, deadline }: RunProgress, at: number): Limit {
  return timeLimit(at - startedAt, deadline === undefined ? undefined : deadline - startedAt, '');
}

function timeLimit(used: number, limit: number | undefined, of: string): Limit {
  return { used, limit, words: `${toTimeLeft(Math.max(0, (limit ?? 0) - used))}${of} left` };
}

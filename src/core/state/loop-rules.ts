// Which rules of the loop a run follows: those of the worker that froze its context. A history that was begun under older
// rules is replayed under them. Pure.
import type { AgentState } from '../model/agent-state.ts';

/**
 * Raised when the loop does something that it did not do before: schedules another activity, ends a run otherwise.
 * 2 (2026-11-22): a report is completed when its run ends; an index of folded calls; circles over condenses.
 * 3 (2026-11-23): an answer that does not follow the outputSchema is sent back once, then it fails the run.
 * 4 (2026-11-23): words without the report that is owed are sent back once; a final report is followed by one answer; turns
 *   in which every call failed are counted; a report beside other calls runs after them.
 */
export const loopRules = 4;

export function followsRules({ context }: Pick<AgentState, 'context'>, version: number): boolean {
  return (context?.rules ?? 1) >= version;
}

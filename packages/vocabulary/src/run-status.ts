// The words for the end of a run, as results, lists and their filters have them. Pure.

export const runStatuses = [
  'completed',
  'max_iterations',
  'loop_detected',
  'context_exhausted',
  'budget_exceeded',
  'timed_out',
  'aborted',
  'failed',
] as const;
export type RunStatus = (typeof runStatuses)[number];

/** `terminated`: Temporal has ended the session, whatever its last run had for an end. */
export type SessionOutcome = RunStatus | 'terminated';

/**
 * Ends that Temporal makes, by its status, whatever a run before had for one. Such a session answers queries as if it still
 * worked.
 */
export const cutOff: Partial<Record<string, SessionOutcome>> = {
  TERMINATED: 'terminated',
  TIMED_OUT: 'timed_out',
};

/** `no_report`: completed without the report that its agent owed. */
export const outcomeFilters = [...runStatuses, 'terminated', 'no_report'] as const;
export type OutcomeFilter = (typeof outcomeFilters)[number];

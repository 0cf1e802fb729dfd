// The ending of a process: in words for the model, and as the outcome of a change. Pure.
import type { CallOutcome } from '@holdfast/vocabulary/messages';
import type { ProcessOutcome } from './run-process.ts';

/** Undefined for exit code 0. A shell adds 128 to the number of the signal that ended its program. */
export function describeEnding(outcome: ProcessOutcome, timeoutMs: number): string | undefined {
  const { ended, exitCode, signal, totalBytes } = outcome;
  if (!outcome.begun) return 'Stopped before it began: nothing was run.';
  const how = exitCode === null ? `Ended by ${signal ?? 'a signal'}` : `Exit code ${exitCode}`;
  switch (ended) {
    case 'exited':
      return exitCode === 0 ? undefined : `${how}.`;
    case 'timed_out':
      return `Stopped at its time limit of ${timeoutMs / 1_000} s. What it printed until then is above.`;
    case 'aborted':
      return 'Stopped from outside before it ended. What it printed until then is above.';
    case 'output_limit':
      return `Stopped at its output limit, after ${totalBytes} bytes. Ask for less, such as the last lines or a count.`;
    case 'memory_limit':
      return 'Stopped at its memory limit. Ask for less at once.';
    case 'output_unread':
      return `${how}, but the end of its output is missing: it was not stored in time.`;
    case 'write_limit':
      return 'Stopped: commands have written more to the writable folders than they may in all.';
    case 'process_limit':
      return 'Stopped: it started more processes than it may.';
  }
}

/** The exit code of a read is part of the answer; that of a change tells whether it worked. */
export function outcomeOfChange({ begun, ended, marks }: ProcessOutcome, hasWorked: boolean): CallOutcome {
  if (!begun) return 'not_run';
  switch (ended) {
    case 'exited':
    case 'output_unread':
      return hasWorked ? 'done' : marks > 0 ? 'done_in_part' : 'failed';
    case 'timed_out':
      return 'timed_out';
    default:
      // stopped midway: the result is not known
      return 'unknown';
  }
}

import { expect, test } from 'vitest';
import { describeEnding } from '../src/describe-ending.ts';
import type { ProcessOutcome } from '../src/run-process.ts';

const good: ProcessOutcome = {
  begun: true,
  exitCode: 0,
  signal: null,
  ended: 'exited',
  text: '',
  errorText: '',
  totalBytes: 7,
  cutBytes: 0,
  marks: 0,
};

test.each<[Partial<ProcessOutcome>, string | undefined]>([
  [{}, undefined],
  [{ exitCode: 3 }, 'Exit code 3.'],
  [{ exitCode: null, signal: 'SIGSEGV' }, 'Ended by SIGSEGV.'],
  [{ ended: 'timed_out' }, 'Stopped at its time limit of 1.5 s. What it printed until then is above.'],
  [{ ended: 'aborted' }, 'Stopped from outside before it ended. What it printed until then is above.'],
  [
    { ended: 'output_limit' },
    'Stopped at its output limit, after 7 bytes. Ask for less, such as the last lines or a count.',
  ],
  [{ ended: 'memory_limit' }, 'Stopped at its memory limit. Ask for less at once.'],
  [
    { ended: 'output_unread' },
    'Exit code 0, but the end of its output is missing: it was not stored in time.',
  ],
  [{ ended: 'timed_out', begun: false }, 'Stopped before it began: nothing was run.'],
  [
    { ended: 'write_limit' },
    'Stopped: commands have written more to the writable folders than they may in all.',
  ],
  [{ ended: 'process_limit' }, 'Stopped: it started more processes than it may.'],
])('%j is said as %s', (how, words) => {
  expect(describeEnding({ ...good, ...how }, 1_500)).toBe(words);
});

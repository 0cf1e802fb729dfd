// Everything may come at any moment and in any order: seeded sessions, with the invariants checked at every step.
// HOLDFAST_SEEDS=20000 plays more of them; a failing list of choices becomes a named test here, for ever.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { playInterleaving } from '../../support/interleaving.ts';

const seeds = Number(process.env['HOLDFAST_SEEDS'] ?? 2_000);
const choices = fc.array(fc.nat({ max: 5_039 }), { minLength: 10, maxLength: 120, size: 'max' });

test(
  `[STATE-02] [STATE-13] ${seeds} sessions with messages, stops and answers in any order`,
  {
    timeout: 60_000 + seeds * 20,
  },
  async () => {
    const property = fc.asyncProperty(choices, async (list) => playInterleaving(list));
    await fc.assert(property, { numRuns: seeds, endOnFailure: false });
    expect(seeds).toBeGreaterThan(0);
  },
);

test.each([
  // an overflow left its message open: message_start without message_end
  [
    'an overflow closes the message that it refuses',
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4219, 0],
  ],
  // a reset took the view from under a run that was about to go on from it
  [
    'a run that goes on from the view comes before a reset',
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 299, 0, 946, 427, 1537, 0, 1, 12],
  ],
  [
    'nothing is continued from a view that is being archived',
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3326, 0, 0, 0, 0, 0, 0, 2083, 10, 5, 0, 1128],
  ],
  // an interrupting message that the last request does not take closed turn after turn
  [
    'the last request goes out, whatever waits',
    [0, 0, 0, 0, 0, 0, 0, 0, 70, 0, 0, 0, 0, 0, 1030, 0, 0, 0, 0, 0, 0, 10, 451, 0, 0, 0, 1434],
  ],
])('[STATE-02] %s', async (_, list) => {
  await playInterleaving(list);
});

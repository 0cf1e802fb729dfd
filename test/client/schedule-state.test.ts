// A schedule as callers see it, made of what the server says of it.
import type { Client } from '@temporalio/client';
import { expect, test } from 'vitest';
import { readSchedule } from '../../src/client/schedule-state.ts';

/** A server whose only schedule is in this state. */
function clientWith(state: { paused: boolean; note?: string }): Client {
  const description = {
    spec: {
      calendars: [],
      intervals: [{ every: 60_000, offset: 0 }],
      skip: [],
      jitter: 0,
      startAt: undefined,
    },
    action: { args: [], taskQueue: 'holdfast' },
    policies: { catchupWindow: 60_000, overlap: 'SKIP' },
    info: { nextActionTimes: [], numActionsMissedCatchupWindow: 2, numActionsSkippedOverlap: 3 },
    state,
  };
  const getHandle = (scheduleId: string) => ({ scheduleId, describe: async () => description });
  return { schedule: { getHandle }, workflow: { list: async function* () {} } } as unknown as Client;
}

test.each([
  [{ paused: true, note: 'the release' }, 'the release'],
  [{ paused: true }, ''],
  // the note of a resumed schedule stays at the server
  [{ paused: false, note: 'resumed by mara' }, undefined],
])('[SCHED-04c] %j: the reason is there while it is paused only', async (state, expected) => {
  const schedule = await readSchedule(clientWith(state), 'night', 2);
  expect(schedule.paused).toBe(expected);
  expect('paused' in schedule).toBe(expected !== undefined);
  expect(schedule).toMatchObject({ missed: 2, skipped: 3, runs: [], overlap: 'skip' });
});

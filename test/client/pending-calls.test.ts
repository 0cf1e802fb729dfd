// What is told of calls that are tried again: the attempt is for later, under way, or due while no worker takes it.
import { expect, test } from 'vitest';
import { toRetries } from '../../src/client/pending-calls.ts';
import type { PendingActivity } from '../../src/common/signs-of-life.ts';
import { describeRetry } from '../../src/cli/live/calls-in-flight.ts';

const now = 1_000_000;
const scheduled = 1;
const started = 2;

function say(state: number, nextAtMs?: number): string[] {
  const pending: unknown = {
    activityType: { name: 'callModel' },
    attempt: 2,
    state,
    lastFailure: { message: 'gone' },
    ...(nextAtMs === undefined ? {} : { nextAttemptScheduleTime: { seconds: nextAtMs / 1_000, nanos: 0 } }),
  };
  return toRetries([pending as PendingActivity], now).map((retry) => describeRetry(retry, now));
}

test.each([
  [scheduled, now + 5_000, 'model call failed, attempt 2 in 5 s: gone'],
  [started, undefined, 'model call failed, attempt 2 is under way: gone'],
  [scheduled, undefined, 'model call failed, attempt 2 waits for a worker: gone'],
  [scheduled, now - 5_000, 'model call failed, attempt 2 waits for a worker: gone'],
])('an attempt in state %i, next at %s', (state, nextAt, text) => {
  expect(say(state, nextAt)).toEqual([text]);
});

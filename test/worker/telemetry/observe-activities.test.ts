// What the log says of activities: tries after the first, failures by whether they are repeated, and never their content.
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { describe, expect, test } from 'vitest';
import { handBack } from '../../../src/activities/base/hand-back.ts';
import { toLogLine } from '../../../src/worker/telemetry/log-line.ts';
import { observeActivities } from '../../../src/worker/telemetry/observe-activities.ts';

type Info = ConstructorParameters<typeof MockActivityEnvironment>[0];
const input = { sessionId: 's1', runId: 'run-1', turn: 3, callId: 'c7', args: { path: '/etc/private' } };

/** Level, message and fields of each line that one try writes. */
async function linesOf(info: Info, body: () => unknown): Promise<unknown[]> {
  const lines: unknown[] = [];
  const logger = new DefaultLogger('DEBUG', (entry) => {
    const line = toLogLine(entry);
    if (!line) return;
    const { run, turn, call, failure, reason } = line.fields;
    lines.push([line.level, line.message, { run, turn, call, failure, reason }]);
  });
  const environment = new MockActivityEnvironment(info, { logger });
  const { inbound } = observeActivities(nothingCounted)(environment.context);
  const tried = environment.run(async () =>
    inbound?.execute?.({ args: [input], headers: {} }, async () => body()),
  );
  await tried.catch(() => undefined);
  expect(JSON.stringify(lines)).not.toContain('private');
  return lines;
}

const nothing = () => undefined;
const nothingCounted = { answered: nothing, failed: nothing, repeated: nothing, sent: nothing };
const ids = { run: 'run-1', turn: 3, call: 'c7' };
const refused = (): never => {
  throw ApplicationFailure.create({ type: 'Model.RateLimit', message: 'try later' });
};
const failed = { ...ids, failure: 'Model.RateLimit', reason: 'try later' };

describe('a try of an activity', () => {
  test('that answers has a line for those who look for it', async () => {
    expect(await linesOf({ activityType: 'tool.read' }, () => 'text')).toEqual([
      ['debug', 'tool call answered', ids],
    ]);
  });

  test('after the first one is said', async () => {
    const lines = await linesOf({ activityType: 'callModel', attempt: 2 }, () => 'text');
    expect(lines[0]).toEqual(['info', 'model call is tried again', ids]);
  });

  test.each([
    [
      'that Temporal repeats',
      { maximumAttempts: 3 },
      refused,
      'warning',
      'model call failed and is repeated',
    ],
    ['that has no limit', {}, refused, 'warning', 'model call failed and is repeated'],
    ['that was the last', { maximumAttempts: 1 }, refused, 'error', 'model call failed'],
    [
      'that is final by itself',
      {},
      () => {
        throw ApplicationFailure.nonRetryable('try later', 'Model.RateLimit');
      },
      'error',
      'model call failed',
    ],
  ])('that fails, %s, says its failure', async (_, retryPolicy, body, level, message) => {
    const lines = await linesOf({ activityType: 'callModel', retryPolicy }, body);
    expect(lines).toEqual([[level, message, failed]]);
  });

  test('that is stopped is no failure', async () => {
    const lines = await linesOf({ activityType: 'callModel' }, () => {
      throw new CancelledFailure('stop');
    });
    expect(lines).toEqual([['debug', 'model call stopped', ids]]);
  });

  test('that is handed back is said elsewhere', async () => {
    const lines = await linesOf({ activityType: 'tool.read' }, () => {
      throw handBack('41@web-1:5e0c3a91', 'has no tool "read".');
    });
    expect(lines).toEqual([]);
  });
});

describe('an attempt to deliver', () => {
  const taken = (): undefined => undefined;
  const away = (): never => {
    throw ApplicationFailure.create({ type: 'Delivery.NotTaken', message: '503' });
  };
  const final = (): never => {
    throw ApplicationFailure.nonRetryable('404', 'Delivery.Refused');
  };
  const stopped = (): never => {
    throw new CancelledFailure('stop');
  };

  test.each([
    ['delivered', 'deliver', taken, [['team', 'delivered']]],
    ['one that Temporal repeats', 'deliver', away, [['team', 'repeated']]],
    ['the last one', 'deliver', final, [['team', 'given_up']]],
    ['one that is stopped', 'deliver', stopped, []],
    ['another activity', 'callModel', taken, []],
  ])('[WORKER-12f] is counted by destination and result: %s', async (_, activityType, body, expected) => {
    const counted: unknown[] = [];
    const metrics = { ...nothingCounted, sent: (...words: unknown[]) => void counted.push(words) };
    const environment = new MockActivityEnvironment({ activityType, workflowType: 'delivery' });
    const { inbound } = observeActivities(metrics)(environment.context);
    const args = [{ destination: 'team', sessionId: 's1' }];
    const tried = environment.run(async () => inbound?.execute?.({ args, headers: {} }, async () => body()));
    await tried.catch(() => undefined);
    expect(counted).toEqual(expected);
  });
});

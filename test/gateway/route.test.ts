// What the configuration says about an alert.
import { expect, test } from 'vitest';
import type { ReceiverConfig } from '@holdfast/alert-intake/receivers.schema';
import { problemsOfReceivers } from '../../src/gateway/check-receivers.ts';
import { toReceiverLimits } from '@holdfast/alert-intake/route';
import { entriesOf, webhook } from '../support/alert-payloads.ts';

type Match = NonNullable<ReceiverConfig['routes']>[number]['match'];

const labels = { alertname: 'DiskFull', severity: 'page', team: 'shop' };

function routeOf(receiver: Omit<ReceiverConfig, 'format'>, of: object = labels) {
  const body = webhook({ labels: of });
  return entriesOf({ format: 'alertmanager', ...receiver }, body)[0]?.route;
}

test.each<[match: Match, matches: boolean]>([
  [{}, true],
  [{ team: 'shop' }, true],
  [{ team: 'sho' }, false],
  [{ team: ['ops', 'shop'] }, true],
  [{ team: '/^s.o/' }, true],
  [{ team: '/^o/' }, false],
  [{ team: 'shop', alertname: 'Other' }, false],
  [{ alertname: '/full$/' }, false],
  [{ alertname: '/Full$/' }, true],
  [{ status: 'firing' }, true],
  [{ severity: 'page' }, true],
  [{ severity: 'critical' }, true],
  [{ severity: 'info' }, false],
  [{ zone: '/^$/' }, true],
  [{ zone: '/./' }, false],
  [{ toString: '/./' }, false],
])('[ALERT-06a] %j matches: %s', (match, matches) => {
  const route = routeOf({
    routes: [
      { name: 'first', match, task: 'yes' },
      { match: {}, task: 'no' },
    ],
  });
  expect(route?.task).toBe(matches ? 'yes' : 'no');
});

test('[ALERT-06b] what a route leaves out is as in the receiver, in a group of options field by field', () => {
  const receiver: Omit<ReceiverConfig, 'format'> = {
    start: { agent: 'night', budget: { turns: 50, costUsd: 1 }, labels: { from: 'alerts', team: 'all' } },
    task: 'Look.',
    cooldownMs: 5_000,
    routes: [{ match: {}, start: { budget: { costUsd: 4 }, labels: { team: 'shop' } }, debounceMs: 10 }],
  };
  expect(routeOf(receiver)).toEqual({
    rule: 'route 1 of receiver prod (any alert)',
    input: { agent: 'night', budget: { turns: 50, costUsd: 4 }, labels: { from: 'alerts', team: 'shop' } },
    task: 'Look.',
    debounceMs: 10,
    cooldownMs: 5_000,
    critical: true,
  });
});

test('[ALERT-06bd] the defaults', () => {
  expect(routeOf({}, { alertname: 'DiskFull', severity: 'warning' })).toEqual({
    rule: 'receiver prod',
    input: {},
    debounceMs: 30_000,
    cooldownMs: 1_800_000,
    critical: false,
  });
  expect(toReceiverLimits({ format: 'alertmanager' })).toEqual({ slots: 3, reserve: 0.2 });
  const budget = { sessionsPerDay: 9, costUsdPerDay: 2, reserve: 0.5 };
  expect(toReceiverLimits({ format: 'alertmanager', slots: 1, budget })).toEqual({ slots: 1, ...budget });
});

test('[ALERT-06c] a route says why nothing is started, what is critical, and its rule as it is now', () => {
  const match = { team: ['ops', '/^s/'], severity: 'page' };
  const route = routeOf({ routes: [{ name: 'quiet', match, suppress: 'A test.', critical: false }] });
  expect(route).toMatchObject({
    rule: 'route "quiet" of receiver prod (team=ops|/^s/, severity=page)',
    suppress: 'A test.',
    critical: false,
  });
  expect(routeOf({ routes: [{ match: { team: 'none' } }] })?.rule).toBe('receiver prod, no route matches');
});

test('[ALERT-07d] what a route names and is not there is found before an alert comes', () => {
  const receiver: ReceiverConfig = {
    format: 'alertmanager',
    start: { deliver: [{ to: 'ops' }] },
    routes: [{ match: {}, start: { agent: 'nigth', deliver: [{ to: 'chat' }] } }],
  };
  const checkNames = ({ agent }: { agent?: string }): void => {
    if (agent !== undefined) throw new Error(`There is no agent "${agent}".`);
  };
  expect(problemsOfReceivers({ prod: receiver }, { checkNames, destinations: { ops: {} } })).toEqual([
    'Receiver prod, route 1: There is no agent "nigth".',
    'Receiver prod, route 1: There is no destination "chat": expected one of ops.',
  ]);
});

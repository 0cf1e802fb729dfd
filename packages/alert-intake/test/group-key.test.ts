// Which alerts are one incident: the key has the resource, and is the same when it is over.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReceiverConfig } from '../src/receivers.schema.ts';
import { entriesOf, payload, shownReceiver, webhook } from '../../../test/support/alert-payloads.ts';

const prod: ReceiverConfig = { format: 'alertmanager' };
const machine = (instance: string, more: object = {}) => ({
  labels: { alertname: 'DiskFull', instance, job: 'node', ...more },
  startsAt: '2026-11-28T09:00:00.1Z',
});

function keysOf(receiver: ReceiverConfig, body: unknown): string[] {
  return entriesOf(receiver, body).map(({ key }) => key);
}

test('[ALERT-05ae] two machines that break by one rule, a moment apart, are two groups', () => {
  const entries = entriesOf(prod, webhook(machine('web-1:9100'), machine('web-2:9100')));
  expect(entries.map(({ title }) => title)).toEqual(['DiskFull web-1:9100', 'DiskFull web-2:9100']);
  for (const [at, { key }] of entries.entries())
    expect(key).toMatch(new RegExp(`^DiskFull-web-${at + 1}:9100-[0-9a-f]{12}$`));
  expect(new Set(entries.map(({ key }) => key)).size).toBe(2);
});

const names = ['1', '2'].map((end) => `${'web'.repeat(70)}${end}`);
test.each([
  [
    '[ALERT-05ae] machines whose names begin with the same two hundred characters',
    names.map((name) => machine(name)),
  ],
  ['[ALERT-05a] services', ['cart', 'pay'].map((service) => ({ labels: { alertname: 'Errors', service } }))],
  [
    '[ALERT-05a] pods of one name in two namespaces',
    ['eu', 'us'].map((namespace) => ({ labels: { alertname: 'Crash', namespace, pod: 'db-0' } })),
  ],
])('%s are two groups', (_, alerts) => {
  expect(new Set(keysOf(prod, webhook(...alerts))).size).toBe(2);
});

test('[ALERT-05a] a recovery has the group and the fingerprint of its alert, whatever else has changed', () => {
  for (const receiver of [prod, shownReceiver('graylog')]) {
    const isGeneric = receiver.format === 'generic';
    const at = (severity: string | number, status: string) =>
      isGeneric
        ? { event_definition_title: 'Errors', event: { priority: severity, source: 'web-1' } }
        : webhook({ ...machine('web-1', { severity }), status });
    const [firing, over] = [
      entriesOf(receiver, at('critical', 'firing')),
      entriesOf(receiver, at('ok', 'resolved')),
    ];
    expect(over[0]?.key).toBe(firing[0]?.key);
    expect(over[0]?.alerts[0]?.fingerprint).toBe(firing[0]?.alerts[0]?.fingerprint);
  }
});

test('[ALERT-05b] with keyLabels these labels decide; an alert with none of them keeps its own group', () => {
  const receiver: ReceiverConfig = { ...prod, keyLabels: ['job', 'severity'] };
  const body = webhook(machine('web-1'), machine('web-2'), {
    labels: { alertname: 'DiskFull', instance: 'web-3' },
  });
  expect(entriesOf(receiver, body).map(({ title, alerts }) => [title, alerts.length])).toEqual([
    ['node unknown', 2],
    ['unknown', 1],
  ]);
  const byJob: ReceiverConfig = { ...prod, keyLabels: ['job'] };
  expect(entriesOf(byJob, body).map(({ title }) => title)).toEqual(['node', 'DiskFull web-3']);
});

test("[ALERT-05c] the sender's id of the incident decides, whatever the alert says of its resource", () => {
  const pager = shownReceiver('pager');
  const { event } = payload('pagerduty') as { event: { data: object } };
  const moved = { event: { ...event, data: { ...event.data, service: { summary: 'Other' } } } };
  expect(keysOf(pager, moved).map((key) => key.slice(-12))).toEqual(
    keysOf(pager, payload('pagerduty')).map((key) => key.slice(-12)),
  );
  const datadog = shownReceiver('datadog');
  const body = payload('datadog');
  const key = keysOf(datadog, body);
  expect(keysOf(datadog, { ...body, alert_scope: 'env:prod,host:web-1', tags: '' })).toEqual(key);
  expect(keysOf(datadog, { ...body, alert_scope: 'env:prod,host:web-2' })).not.toEqual(key);
});

test('[ALERT-05c] an alias of Opsgenie is the group, unless it is only the id of the alert', () => {
  const receiver = shownReceiver('opsgenie');
  const { alert, ...rest } = payload('opsgenie') as { alert: { alertId: string } };
  const again = (alias: string, alertId: string) => ({ ...rest, alert: { ...alert, alias, alertId } });
  expect(keysOf(receiver, again('lag', '1'))).toEqual(keysOf(receiver, again('lag', '2')));
  expect(keysOf(receiver, again('1', '1'))).toEqual(keysOf(receiver, again('2', '2')));
});

test('[ALERT-05d] without a grouping of the sender, name and labels decide', () => {
  const ungrouped = (dag: string) => ({
    status: 'firing',
    alerts: [{ labels: { alertname: 'Failed', dag } }],
  });
  expect(entriesOf(prod, ungrouped('a'))).toMatchObject([{ title: 'Failed a' }]);
  expect(keysOf(prod, ungrouped('a'))).not.toEqual(keysOf(prod, ungrouped('b')));
});

test('[ALERT-05e] a key is readable, short and of few characters, and no two groups share one', () => {
  const keys = new Map<string, string>();
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ maxLength: 300 }),
      (alertname, instance) => {
        const [entry] = entriesOf(prod, { status: 'firing', alerts: [{ labels: { alertname, instance } }] });
        expect(entry?.key).toMatch(/^[A-Za-z0-9._:-]{1,100}$/);
        expect(entry?.title.length).toBeLessThanOrEqual(120);
        // what is shown of a text is what its group is made of
        const of = JSON.stringify([entry?.alerts[0]?.labels]);
        expect(keys.get(entry?.key ?? '') ?? of).toBe(of);
        keys.set(entry?.key ?? '', of);
      },
    ),
  );
});

test('[ALERT-05f] alerts of one group that two routes decide are two entries, and no entry is too large for a signal', () => {
  const receiver: ReceiverConfig = {
    ...prod,
    keyLabels: ['alertname'],
    routes: [{ match: { severity: 'critical' }, task: 'Hurry.' }],
  };
  const labels = (severity: string) => ({ alertname: 'DiskFull', severity });
  const mixed = entriesOf(receiver, webhook({ labels: labels('critical') }, { labels: labels('warning') }));
  expect(mixed.map(({ key, route }) => [key === mixed[0]?.key, route.task])).toEqual([
    [true, 'Hurry.'],
    [true, undefined],
  ]);
  const many = Array.from({ length: 900 }, (_, place) => ({
    labels: { ...labels('critical'), place },
    annotations: { summary: 'x'.repeat(900) },
  }));
  const pieces = entriesOf(receiver, webhook(...many));
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.flatMap(({ alerts }) => alerts.map((alert) => Number(alert.labels['place'])))).toEqual(
    many.map((_, place) => place),
  );
  for (const { alerts } of pieces) expect(JSON.stringify(alerts).length).toBeLessThan(300 * 1_024);
});

// Each sender's payload becomes alerts of one form.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toSeverity } from '../src/found-alert.ts';
import { alertsOf, payload, read, shownReceiver } from '../../../test/support/alert-payloads.ts';
import { sharedMissing, sharedPath } from '../../../test/support/shared.ts';

const generic = shownReceiver('graylog');

test('[ALERT-01a] the recorded webhook of Alertmanager: a resolved alert beside a firing one', () => {
  expect(alertsOf(shownReceiver('prod'), payload('alertmanager-recorded'))).toEqual([
    {
      fingerprint: 'ffcf0de44522df0d',
      name: 'HighErrorRate',
      status: 'resolved',
      severity: 'critical',
      labels: { alertname: 'HighErrorRate', instance: 'api-1:8080', severity: 'critical' },
      annotations: { summary: '5xx' },
      startsAt: Date.parse('2026-11-28T00:26:36.772Z'),
      endsAt: Date.parse('2026-11-28T00:26:39Z'),
      links: [{ title: 'Alertmanager', url: 'http://127.0.0.1:19093' }],
    },
    expect.not.objectContaining({ endsAt: expect.anything() }),
  ]);
});

test('[ALERT-01b] a webhook of Grafana, with its links, its values and what it has left out', () => {
  const [alert] = alertsOf(shownReceiver('grafana'), payload('grafana'));
  expect(alert).toMatchObject({
    name: 'High memory',
    status: 'firing',
    fingerprint: 'c6eadffa33fcdf37',
    startsAt: Date.parse('2026-11-28T07:51:03.157Z'),
    annotations: { values: '{"B":94.5,"C":1}', truncatedAlerts: '3' },
  });
  expect(alert?.links.map(({ title }) => title)).toEqual([
    'Source',
    'Dashboard',
    'Panel',
    'Silence',
    'Grafana',
    'runbook',
  ]);
});

test('[ALERT-01b] a webhook of the older alerting of Grafana', () => {
  const receiver = shownReceiver('grafana');
  const older = payload('grafana-older');
  expect(alertsOf(receiver, older)).toMatchObject([
    {
      name: 'Queue length',
      status: 'firing',
      labels: { team: 'shop' },
      annotations: { message: 'Queue is long' },
    },
  ]);
  expect(alertsOf(receiver, { ...older, state: 'ok' })).toMatchObject([{ status: 'resolved' }]);
  expect(read(receiver, { ...older, state: 'paused' })).toMatchObject({
    ok: true,
    groups: [],
    note: /nothing/,
  });
});

describe('PagerDuty', () => {
  const receiver = shownReceiver('pager');
  const event = (type: string) => {
    const { event: given } = payload('pagerduty');
    return { event: { ...(given as object), event_type: type } };
  };

  test('[ALERT-01c] an incident, and its end', () => {
    expect(alertsOf(receiver, payload('pagerduty'))).toMatchObject([
      {
        fingerprint: 'PGR0VU2',
        name: 'Checkout is slow',
        status: 'firing',
        severity: 'critical',
        labels: { service: 'Checkout', urgency: 'high', priority: 'P1', policy: 'Default', teams: 'Shop' },
        startsAt: Date.parse('2026-11-28T09:16:27Z'),
        links: [{ title: 'Incident', url: 'https://shop.pagerduty.com/incidents/PGR0VU2' }],
      },
    ]);
    const [over] = alertsOf(receiver, event('incident.resolved'));
    expect(over).toMatchObject({ status: 'resolved', endsAt: Date.parse('2026-11-28T09:20:00.169Z') });
  });

  test.each(['incident.annotated', 'incident.acknowledged', 'service.updated', 'pagey.ping'])(
    '[ALERT-01ci] the event %s is answered with a note',
    (type) => {
      const note = `The event ${type} opens and closes no incident: nothing is done.`;
      expect(read(receiver, { event: { event_type: type, data: {} } })).toEqual({
        ok: true,
        groups: [],
        note,
      });
    },
  );
});

test('[ALERT-01di] an action of Opsgenie, and one about people', () => {
  const receiver = shownReceiver('opsgenie');
  const body = payload('opsgenie');
  expect(alertsOf(receiver, body)).toMatchObject([
    {
      name: 'Replication lag',
      status: 'firing',
      severity: 'error',
      fingerprint: '052652ac-5d1c-464a-812a-7dd18bbfba8c',
      labels: { region: 'eu-1', entity: 'db-2', source: 'prometheus', tags: 'db, prod', teams: 'shop' },
      startsAt: 1_795_857_391_104,
    },
  ]);
  expect(alertsOf(receiver, { ...body, action: 'Close' })).toMatchObject([{ status: 'resolved' }]);
  expect(read(receiver, { ...body, action: 'AddNote' })).toMatchObject({
    ok: true,
    groups: [],
    note: /AddNote/,
  });
});

describe('Datadog', () => {
  const receiver = shownReceiver('datadog');

  test('[ALERT-01e] the payload of the page, with values for its variables', () => {
    const body = payload('datadog');
    expect(alertsOf(receiver, body)).toMatchObject([
      {
        name: 'CPU is high on web-1',
        status: 'firing',
        severity: 'error',
        fingerprint: '9bd4ac313a4d',
        labels: { env: 'prod', host: 'web-1', team: 'shop', tags: 'monitor', metric: 'system.cpu.user' },
        annotations: { text: 'CPU has been above 90 % for 5 minutes.' },
        startsAt: 1_795_857_391_000,
        links: [{ title: 'Datadog', url: 'https://app.datadoghq.eu/monitors/1234567' }],
      },
    ]);
    const annotations = { runbook: 'https://runbooks.example.com/cpu' };
    expect(alertsOf(receiver, { ...body, commonannotations: annotations })).toMatchObject([
      { annotations: { text: 'CPU has been above 90 % for 5 minutes.', ...annotations } },
    ]);
    const over = { ...body, alert_transition: 'Recovered' };
    expect(alertsOf(receiver, over)).toMatchObject([{ status: 'resolved', endsAt: 1_795_857_391_000 }]);
  });

  test.each([
    ['[Triggered on {host:web-1}] CPU is high', 'firing'],
    ['[Recovered on {host:web-1}] CPU is high', 'resolved'],
    ['[No Data] CPU is high', 'firing'],
  ])('[ALERT-01e] without a transition the title says it: %s', (title, status) => {
    const body = { id: '1', title, body: 'text', last_updated: '1795857391000', event_type: 'metric_alert' };
    expect(alertsOf(receiver, body)).toMatchObject([
      { name: 'CPU is high', status, annotations: { text: 'text' } },
    ]);
  });

  test('[ALERT-01e] names of variables in capitals, and a variable without a value', () => {
    const body = { ALERT_TRANSITION: 'Triggered', ALERT_TITLE: 'CPU', ALERT_ID: '7', ALERT_CYCLE_KEY: '' };
    expect(alertsOf(receiver, body)).toMatchObject([{ name: 'CPU', fingerprint: '7' }]);
  });
});

test('[ALERT-01f] an alarm of CloudWatch in an envelope of SNS', () => {
  const receiver = shownReceiver('aws');
  const envelope = (alarm: object) => ({ Type: 'Notification', Message: JSON.stringify(alarm) });
  const alarm = payload('cloudwatch-alarm');
  expect(alertsOf(receiver, envelope(alarm))).toMatchObject([
    {
      name: 'db-cpu',
      status: 'firing',
      severity: 'unknown',
      fingerprint: 'arn:aws:cloudwatch:eu-central-1:123456789012:alarm:db-cpu',
      labels: { DBInstanceIdentifier: 'db-1', metric: 'CPUUtilization', account: '123456789012' },
      annotations: { description: 'CPU of the database', before: 'OK' },
      startsAt: Date.parse('2026-11-28T09:43:27.123Z'),
    },
  ]);
  expect(alertsOf(receiver, envelope({ ...alarm, NewStateValue: 'OK' }))).toMatchObject([
    { status: 'resolved' },
  ]);
  for (const Message of [7, alarm, 'CPU is high'])
    expect(read(receiver, { Type: 'Notification', Message })).toMatchObject({
      ok: false,
      reason: expect.stringContaining('Message: expected the JSON text of an alarm of CloudWatch'),
    });
  // an alarm over others has no metric
  const { Trigger: _, ...composite } = alarm;
  expect(alertsOf(receiver, envelope(composite))).toMatchObject([{ name: 'db-cpu' }]);
});

test('[ALERT-01g] a list of alerts by a mapping, with lists and names that have a slash', () => {
  const mapping = {
    alerts: '/items',
    name: '/a~1b',
    status: '/active',
    firingWhen: ['true'],
    resolvedWhen: ['false'],
    severity: '/level',
    severities: { '1': 'critical' as const },
    labels: { first: '/tags/0', own: '/labels' },
  };
  const items = [
    { 'a/b': 'one', active: true, level: 1, tags: ['x'], labels: { zone: 'eu' } },
    { 'a/b': 'two', active: false, level: 'warn', tags: [] },
  ];
  expect(alertsOf({ ...generic, mapping }, { items })).toMatchObject([
    { name: 'one', status: 'firing', severity: 'critical', labels: { first: 'x', zone: 'eu' } },
    { name: 'two', status: 'resolved', severity: 'warning', labels: {} },
  ]);
  const [first] = items;
  const fault = '/a~1b: expected a text, a number or a boolean';
  expect(read({ ...generic, mapping }, { items: [first, {}] })).toMatchObject({
    ok: false,
    reason: expect.stringContaining(` /items/1${fault}`),
  });
  const { alerts: _, ...single } = mapping;
  expect(read({ ...generic, mapping: single }, {})).toMatchObject({
    ok: false,
    reason: expect.stringContaining(` ${fault}`),
  });
});

test.each([
  ['CRITICAL', 'critical'],
  [' P1 ', 'critical'],
  ['major', 'error'],
  ['average', 'warning'],
  ['ok', 'info'],
  ['3', 'unknown'],
  ['constructor', 'unknown'],
  [undefined, 'unknown'],
])('[ALERT-01j] the severity %s is %s', (word, severity) => {
  expect(toSeverity(word)).toBe(severity);
});

/** Each file of the data, its receiver, and what it is. */
const recorded: [file: string, receiver: string, alert: object][] = [
  ['opensre/alertmanager_v4', 'prod', { name: 'HighErrorRate', status: 'firing', severity: 'critical' }],
  [
    'opensre/airflow_task_failure',
    'prod',
    { name: 'AirflowTaskFailure', status: 'firing', severity: 'critical' },
  ],
  [
    'opensre/grafana_legacy',
    'grafana',
    { name: 'PipelineLoadFailure', status: 'firing', severity: 'critical' },
  ],
  ['opensre/opsgenie_flat', 'opsgenie', { name: 'High CPU usage on prod-api-server-01', status: 'firing' }],
  ['opensre/datadog_pipeline_error_wrapped', 'datadog', { name: 'PipelineErrorInLogs', status: 'firing' }],
  ['keep/checkmk', 'checkmk', { status: 'resolved', labels: { host: 'server1', site: 'cmk', what: 'HOST' } }],
  ['keep/libre_nms', 'librenms', { status: 'resolved', name: 'Devices up/down', fingerprint: '26' }],
  ['keep/graylog', 'graylog', { status: 'firing', severity: 'error', startsAt: 1_729_765_324_556 }],
];

const folder = sharedPath('data/alerts');

describe.skipIf(folder === undefined)(
  `the data of others${folder ? '' : `, ${sharedMissing('data/alerts')}`}`,
  () => {
    test.each(recorded)(
      '[ALERT-01hdi] %s is read by the receiver %s of the page',
      (file, receiver, alert) => {
        const body = readFileSync(join(folder ?? '', `${file}.json`));
        expect(alertsOf(shownReceiver(receiver), body)).toMatchObject([alert]);
      },
    );
  },
);

// Payloads as senders really write them, each read by the receiver that the pages show for it. The field names are those of
// the pages that docs/alert-mappings.md names; the values are ours.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ReceiverConfig } from '../src/receivers.schema.ts';
import {
  alertsOf,
  entriesOf,
  payload,
  read,
  reasonOf,
  shownReceiver,
  webhook,
} from '../../../test/support/alert-payloads.ts';
import { sharedMissing, sharedPath } from '../../../test/support/shared.ts';

const kuma = (status: unknown): object => ({
  heartbeat: { monitorID: 7, status, msg: 'connect ECONNREFUSED', important: true },
  monitor: {
    id: 7,
    name: 'shop front',
    type: 'http',
    url: 'https://shop.example.com',
    tags: [
      { tag_id: 1, monitor_id: 7, name: 'env', value: 'prod', color: '#059669' },
      { tag_id: 2, monitor_id: 7, name: 'shop', value: '', color: '#059669' },
    ],
  },
  msg: '[shop front] [Down]',
});
const azure = (monitorCondition: string): object => ({
  schemaId: 'azureMonitorCommonAlertSchema',
  data: {
    essentials: {
      alertId: '/subscriptions/1/providers/Microsoft.AlertsManagement/alerts/a1',
      alertRule: 'cpu-high',
      severity: 'Sev1',
      monitorCondition,
      alertTargetIDs: ['/subscriptions/1/virtualmachines/web-1'],
      configurationItems: ['web-1'],
      firedDateTime: '2026-11-29T04:00:00.3713213Z',
      description: '',
    },
    alertContext: { properties: null, condition: { windowSize: 'PT5M' } },
  },
});
/** Its `monitorCondition` stays Fired to the end. */
const azureHealth = (status: string, alertId: string): object => ({
  schemaId: 'azureMonitorCommonAlertSchema',
  data: {
    essentials: {
      alertId,
      alertRule: 'service health',
      severity: 'Sev4',
      monitorCondition: 'Fired',
      monitoringService: 'ServiceHealth',
      alertTargetIDs: ['/subscriptions/1'],
      firedDateTime: '2026-11-29T04:00:00Z',
    },
    alertContext: { status, properties: { title: 'Log Analytics', stage: status, trackingId: 'VVT9-9SG' } },
  },
});
const gcp = (state: string, ended_at: number | null): object => ({
  version: '1.2',
  incident: {
    incident_id: '0.opqiw61fsv7p',
    policy_name: 'Disk usage',
    condition_name: 'above 90 %',
    resource: { type: 'gce_instance', labels: { instance_id: '42', zone: 'europe-west3-a' } },
    state,
    severity: 'Error',
    started_at: 1_795_924_800,
    ended_at,
    summary: 'above the threshold',
    url: 'https://console.cloud.google.com/monitoring/alerting/incidents/0',
  },
});
const newRelic = (state: string): object => ({
  id: 'd1b1f3fd',
  issueUrl: 'https://radar-api.service.newrelic.com/accounts/1/issues/0',
  title: "Memory used > 90 % on 'checkout'",
  priority: 'CRITICAL',
  impactedEntities: ['checkout'],
  state,
  createdAt: 1_795_924_800_123,
  alertPolicyNames: ['shop'],
  alertConditionNames: ['Memory high'],
});
const dynatrace = (State: string): object => ({
  State,
  PID: '-42_V2',
  ProblemTitle: 'Failure rate',
  ProblemSeverity: 'AVAILABILITY',
  ImpactedEntity: 'checkout',
  Tags: 'prod, shop',
  ProblemURL: 'https://abc.live.dynatrace.com/#problems/problemdetails;pid=-42_V2',
});
const sentryIssue = {
  action: 'triggered',
  data: {
    event: {
      issue_id: '1117540176',
      title: 'ReferenceError: heck is not defined',
      level: 'error',
      tags: [
        ['environment', 'prod'],
        ['level', 'error'],
      ],
      web_url: 'https://sentry.io/organizations/shop/issues/1117540176/',
    },
    triggered_rule: 'Errors of checkout',
  },
};
/** That of the older webhooks, without an action. */
const sentryPlugin = (level: string): object => ({
  project_name: 'Shop',
  message: 'ReferenceError: heck is not defined',
  id: '1257',
  culprit: 'checkout in main',
  url: 'https://sentry.example.com/shop/issues/1257/',
  level,
  triggering_rules: [],
  event: { title: 'ReferenceError: heck is not defined', tags: [['environment', 'prod']] },
});
const sentryMetric = (action: string): object => ({
  action,
  data: {
    metric_alert: { id: '7', alert_rule: { name: 'Too many errors' } },
    description_title: 'Critical: Too many errors',
    description_text: '1000 events in the last 10 minutes',
  },
});
const zabbix = (event_value: string): object => ({
  event_value,
  event_id: '5005',
  event_name: 'Disk is full',
  event_severity: 'Disaster',
  host_name: 'db-1',
  trigger_id: '17',
  event_tags: '[{"tag":"service","value":"shop"},{"tag":"db","value":""}]',
});
const icinga = (notification_type: string): object => ({
  notification_type,
  host_name: 'db-1',
  service_name: 'disk',
  service_state: 'CRITICAL',
  service_output: 'DISK CRITICAL',
});
const pingdom = (current_state: string): object => ({
  check_id: 12_345,
  check_name: 'Shop',
  check_type: 'HTTP',
  check_params: { hostname: 'shop.example.com' },
  tags: [],
  current_state,
  importance_level: 'HIGH',
});
const firing = 'firing';
const resolved = 'resolved';

const readable: [receiver: string, what: string, body: unknown, alert: object][] = [
  [
    'kuma',
    'down',
    kuma(0),
    { name: 'shop front', status: firing, fingerprint: '7', labels: { env: 'prod', tags: 'shop' } },
  ],
  ['kuma', 'up', kuma(1), { status: resolved, fingerprint: '7' }],
  [
    'azure',
    'fired',
    azure('Fired'),
    {
      name: 'cpu-high',
      status: firing,
      severity: 'error',
      startsAt: Date.parse('2026-11-29T04:00:00.371Z'),
      labels: { item: 'web-1' },
    },
  ],
  ['azure', 'resolved', azure('Resolved'), { status: resolved }],
  [
    'azure',
    'a metric alert without the common schema',
    {
      schemaId: 'AzureMonitorMetricAlert',
      data: {
        version: '2.0',
        properties: null,
        status: 'Activated',
        context: { id: '/m', name: 'cpu', severity: '3' },
      },
    },
    { name: 'cpu', status: firing, severity: 'info', fingerprint: '/m' },
  ],
  [
    'azure',
    'an incident of the service',
    azureHealth('Active', '/alerts/a2'),
    { name: 'service health', status: firing, fingerprint: 'VVT9-9SG' },
  ],
  ['azure', 'an operation of the activity log', azureHealth('Succeeded', '/alerts/a4'), { status: firing }],
  ['azure', 'its end', azureHealth('Resolved', '/alerts/a3'), { status: resolved, fingerprint: 'VVT9-9SG' }],
  [
    'gcp',
    'open',
    gcp('open', null),
    {
      name: 'Disk usage',
      status: firing,
      severity: 'error',
      startsAt: 1_795_924_800_000,
      labels: { instance_id: '42' },
    },
  ],
  ['gcp', 'closed', gcp('CLOSED', 1_795_925_000), { status: resolved, endsAt: 1_795_925_000_000 }],
  [
    'newrelic',
    'activated',
    newRelic('ACTIVATED'),
    { name: 'Memory high', status: firing, severity: 'critical', startsAt: 1_795_924_800_123 },
  ],
  ['newrelic', 'closed', newRelic('CLOSED'), { status: resolved, fingerprint: 'd1b1f3fd' }],
  [
    'dynatrace',
    'open',
    dynatrace('OPEN'),
    { status: firing, severity: 'critical', labels: { entity: 'checkout' } },
  ],
  ['dynatrace', 'resolved', dynatrace('RESOLVED'), { status: resolved }],
  [
    'sentry',
    'issue alert',
    sentryIssue,
    { name: 'Errors of checkout', status: firing, severity: 'error', annotations: { environment: 'prod' } },
  ],
  [
    'sentry',
    'an issue by the older webhook',
    sentryPlugin('info'),
    {
      name: 'ReferenceError: heck is not defined',
      status: firing,
      severity: 'info',
      fingerprint: '1257',
      labels: { issue: '1257' },
      annotations: { environment: 'prod' },
    },
  ],
  [
    'sentry',
    'metric alert',
    sentryMetric('critical'),
    { name: 'Too many errors', status: firing, severity: 'critical', fingerprint: '7' },
  ],
  ['sentry', 'its end', sentryMetric('resolved'), { status: resolved, fingerprint: '7' }],
  [
    'zabbix',
    'problem',
    zabbix('1'),
    { name: 'Disk is full', status: firing, severity: 'critical', labels: { service: 'shop', tags: 'db' } },
  ],
  ['zabbix', 'recovery', zabbix('0'), { status: resolved }],
  [
    'icinga',
    'problem',
    icinga('PROBLEM'),
    { name: 'disk', status: firing, severity: 'critical', labels: { host: 'db-1' } },
  ],
  ['icinga', 'recovery', icinga('RECOVERY'), { status: resolved }],
  [
    'splunk',
    'a search without a name',
    { sid: 'scheduler_1', search_name: null, app: 'search', result: { host: 'web-1', count: '8' } },
    { name: 'scheduler_1', status: firing, labels: { host: 'web-1' } },
  ],
  [
    'statuscake',
    'a form',
    'URL=https%3A%2F%2Fshop.example.com&Name=Shop+front&StatusCode=502&Status=Down&Tags=',
    { name: 'Shop front', status: firing, labels: { url: 'https://shop.example.com' } },
  ],
  ['statuscake', 'its end', 'Name=Shop+front&Status=Up', { status: resolved }],
  [
    'pingdom',
    'down',
    pingdom('DOWN'),
    { name: 'Shop', status: firing, severity: 'error', labels: { host: 'shop.example.com' } },
  ],
  ['pingdom', 'a transaction that is right again', pingdom('SUCCESS'), { status: resolved }],
];

test.each(readable)('[ALERT-13] %s: %s', (receiver, _what, body, alert) => {
  expect(alertsOf(shownReceiver(receiver), body)).toMatchObject([alert]);
});

test.each([
  ['kuma', kuma(3)],
  ['icinga', icinga('ACKNOWLEDGEMENT')],
  ['icinga', icinga('DOWNTIMESTART')],
  ['dynatrace', dynatrace('MERGED')],
  ['newrelic', newRelic('ACKNOWLEDGED')],
  ['opsgenie', { status: 'Acked', alert_name: 'Lag' }],
])(
  '[ALERT-14c] %s: a word about people and maintenance opens and closes nothing, and is taken',
  (receiver, body) => {
    expect(read(shownReceiver(receiver), body)).toMatchObject({
      ok: true,
      groups: [],
      note: /opens and closes no alert/,
    });
  },
);

describe('the status of a generic alert', () => {
  const receiver = (lists: object = {}): ReceiverConfig => ({
    format: 'generic',
    mapping: { name: '/name', status: '/status', ...lists },
  });
  const statusIn = (status: unknown, lists?: object) => read(receiver(lists), { name: 'A', status });

  test.each([0, '0', 1, 2, true, false, 'rouge', '5xx'])(
    '[ALERT-14a] %j is no word of all senders: it is refused, and its value is for the person who has the body',
    (status) => {
      const refused = statusIn(status);
      expect(refused).toMatchObject({
        ok: false,
        status: 422,
        value: String(status),
        reason: expect.stringContaining(
          '/status: expected a value of firingWhen, resolvedWhen or ignoredWhen',
        ),
      });
      expect(refused).toMatchObject({ reason: expect.not.stringMatching(/rouge|5xx|true|false/) });
    },
  );

  test.each([
    ['Firing', 'firing'],
    [' PROBLEM ', 'firing'],
    ['CRIT', 'firing'],
    ['No Data', 'firing'],
    ['DOWN', 'firing'],
    ['Recovery', 'resolved'],
    ['ok', 'resolved'],
    ['🟢 Up', 'resolved'],
  ])('[ALERT-14b] %j is %s without any list', (word, status) => {
    expect(statusIn(word)).toMatchObject({ groups: [{ alerts: [{ status }] }] });
  });

  test('[ALERT-14b] the lists of the mapping come first, and case does not count', () => {
    const lists = { firingWhen: ['OK', '1'], resolvedWhen: ['down', '0'], ignoredWhen: ['2'] };
    for (const [word, status] of [
      ['ok', 'firing'],
      [1, 'firing'],
      ['Down', 'resolved'],
      [0, 'resolved'],
    ])
      expect(statusIn(word, lists)).toMatchObject({ groups: [{ alerts: [{ status }] }] });
    expect(statusIn(2, lists)).toMatchObject({ ok: true, groups: [], note: expect.any(String) });
  });
});

test('[ALERT-15a] of several pointers the first that has a value counts; a text on the way may be JSON', () => {
  const receiver: ReceiverConfig = {
    format: 'generic',
    mapping: {
      alerts: ['/none', '/payload/items'],
      name: ['/rule', '/title'],
      severity: '/level',
      severities: { HIGH: 'critical' },
      labels: { host: ['/host', '/node'] },
    },
  };
  const payloadText = JSON.stringify({
    items: [{ rule: '', title: 'Full', host: null, node: 'db-1', level: 'high' }],
  });
  for (const body of [{ payload: payloadText }, `payload=${encodeURIComponent(payloadText)}`])
    expect(alertsOf(receiver, body)).toMatchObject([
      { name: 'Full', severity: 'critical', labels: { host: 'db-1' } },
    ]);
  expect(reasonOf(receiver, { payload: '{"items":[{}]}' })).toContain(
    '/none or /payload/items/0/rule or /title: expected a text, a number or a boolean, received nothing',
  );
});

test.each([[[]], ['[]'], [{}], [null]])('[ALERT-15b] %j at a pointer of labels gives none', (tags) => {
  const [entry] = entriesOf(shownReceiver('zabbix'), { ...zabbix('1'), event_tags: tags });
  expect(entry?.title).toBe('Disk is full db-1 17');
  expect(entry?.alerts[0]?.labels).toEqual({ host: 'db-1', trigger: '17' });
});

test.each([
  ['an empty list', []],
  ['null', null],
  ['nothing', undefined],
])('[ALERT-15b] %s in the place of labels and annotations is none of them', (_what, empty) => {
  const body = {
    ...webhook({ labels: { alertname: 'A' }, annotations: empty }),
    commonLabels: empty,
    commonAnnotations: empty,
  };
  expect(alertsOf({ format: 'alertmanager' }, body)).toMatchObject([{ name: 'A', annotations: {} }]);
  const { tags: _, ...older } = payload('grafana-older');
  expect(alertsOf({ format: 'grafana' }, { ...older, tags: empty, evalMatches: null })).toMatchObject([
    { labels: {} },
  ]);
});

test.each([
  [
    'objects',
    [
      { key: 'env', value: 'prod' },
      { key: 'env', value: 'eu' },
    ],
  ],
  [
    'names and values',
    [
      { Name: 'env', Value: 'prod' },
      { name: 'env', value: 'eu' },
    ],
  ],
  [
    'lists',
    [
      ['env', 'prod'],
      ['env', 'eu'],
    ],
  ],
])('[ALERT-15c] pairs as %s are labels', (_what, labels) => {
  expect(alertsOf({ format: 'alertmanager' }, webhook({ labels }))).toMatchObject([
    { labels: { env: 'prod,eu' } },
  ]);
});

test('[ALERT-15d] the case of a status does not count', () => {
  expect(
    alertsOf({ format: 'alertmanager' }, { ...webhook({ labels: {} }), status: 'RESOLVED' }),
  ).toMatchObject([{ status: 'resolved' }]);
  expect(alertsOf({ format: 'alertmanager' }, webhook({ status: 'Firing', labels: {} }))).toMatchObject([
    { status: 'firing' },
  ]);
  expect(alertsOf({ format: 'grafana' }, { ...payload('grafana-older'), state: 'OK' })).toMatchObject([
    { status: 'resolved' },
  ]);
});

test('[ALERT-15e] line ends and tabs that a template has left in a text of the JSON are read', () => {
  const body =
    '{"status":"firing","alerts":[{"labels":{"alertname":"A"},"annotations":{"text":"one\n\ttwo \\"x\\""}}]}';
  expect(alertsOf({ format: 'alertmanager' }, body)).toMatchObject([
    { annotations: { text: 'one\n\ttwo "x"' } },
  ]);
});

test('[ALERT-15e] backslashes that a template has left in a text of the JSON are read, and escapes stay', () => {
  const body = String.raw`{"notification_type":"PROBLEM","host_name":"win-1","service_name":"disk","service_output":"C:\ 95 %, D:\data\Base, \\ \"e\" \u0041\u12"}`;
  expect(alertsOf(shownReceiver('icinga'), body)).toMatchObject([
    { annotations: { output: String.raw`C:\ 95 %, D:\data\Base, \ "e" A\u12` } },
  ]);
});

test('[ALERT-15f] a body that is a text of JSON is read', () => {
  expect(alertsOf(shownReceiver('kuma'), JSON.stringify(JSON.stringify(kuma(0))))).toMatchObject([
    { name: 'shop front', status: 'firing' },
  ]);
  expect(reasonOf(shownReceiver('kuma'), '"down"')).toContain('The body is no JSON');
});

describe('Datadog', () => {
  const receiver = shownReceiver('datadog');
  const body = payload('datadog');

  test.each([
    ['Triggered', 'firing'],
    ['Re-Triggered', 'firing'],
    ['Warn', 'firing'],
    ['Re-Warn', 'firing'],
    ['No Data', 'firing'],
    ['Re-No Data', 'firing'],
    ['Renotify', 'firing'],
    ['Recovered', 'resolved'],
    ['recovered', 'resolved'],
    ['Recovered from Warn', 'resolved'],
  ])('[ALERT-16a] the transition %s is %s', (alert_transition, status) => {
    expect(alertsOf(receiver, { ...body, alert_transition })).toMatchObject([{ status }]);
  });

  test('[ALERT-16b] a repeat has no start: its date is that of the event', () => {
    for (const again of ['Re-Triggered', 'Renotify', 'Re-No Data'])
      expect(alertsOf(receiver, { ...body, alert_transition: again })[0]).not.toHaveProperty('startsAt');
  });

  test('[ALERT-16c] a form, null, and variables that Datadog does not know', () => {
    const form = new URLSearchParams({
      alert_transition: 'Null',
      alert_cycle_key: '$ALERT_CYCLE_KEY',
      alert_id: '7',
      alert_priority: 'null',
      alert_title: '[Triggered on {host:web-1}] CPU is high',
      title: '[Triggered on {host:web-1}] CPU is high',
      tags: 'env:prod,env:eu',
    }).toString();
    expect(alertsOf(receiver, form)).toMatchObject([
      {
        name: 'CPU is high',
        status: 'firing',
        fingerprint: '7',
        severity: 'unknown',
        labels: { env: 'prod,eu' },
      },
    ]);
  });

  test.each([
    ['an object', { host: 'web-1', env: 'prod' }],
    [
      'pairs',
      [
        { key: 'host', value: 'web-1' },
        { key: 'env', value: 'prod' },
      ],
    ],
    ['texts', ['host:web-1', 'env:prod']],
  ])('[ALERT-16d] tags as %s', (_what, tags) => {
    const [alert] = alertsOf(receiver, { ...body, alert_scope: '', hostname: '', tags });
    expect(alert?.labels).toMatchObject({ host: 'web-1', env: 'prod' });
  });
});

describe('CloudWatch by EventBridge', () => {
  const arn = 'arn:aws:cloudwatch:eu-central-1:123456789012:alarm:db-cpu';
  const metric = {
    name: 'CPUUtilization',
    namespace: 'AWS/RDS',
    dimensions: { DBInstanceIdentifier: 'db-1' },
  };
  const event = (value: string, kind = 'CloudWatch Alarm State Change'): object => ({
    version: '0',
    'detail-type': kind,
    source: 'aws.cloudwatch',
    account: '123456789012',
    time: '2026-11-28T09:43:28Z',
    region: 'eu-central-1',
    resources: [arn],
    detail: {
      alarmName: 'db-cpu',
      state: { value, reason: 'Threshold Crossed', timestamp: '2026-11-28T09:43:27.123+0000' },
      previousState: { value: 'OK' },
      configuration: {
        description: 'CPU of the database',
        metrics: [
          { id: 'e1', expression: 'm1*2' },
          { id: 'm1', metricStat: { metric, period: 60, stat: 'Average' } },
        ],
      },
    },
  });
  const direct: ReceiverConfig = { format: 'cloudwatch' };
  const bySns = shownReceiver('aws');
  const inSns = (message: object): object => ({ Type: 'Notification', Message: JSON.stringify(message) });

  test('[ALERT-17a] an event is the alarm that SNS delivers, in an envelope of SNS and by itself', () => {
    const alarm = {
      name: 'db-cpu',
      status: 'firing',
      fingerprint: arn,
      startsAt: Date.parse('2026-11-28T09:43:27.123Z'),
      labels: {
        metric: 'CPUUtilization',
        metric_namespace: 'AWS/RDS',
        DBInstanceIdentifier: 'db-1',
        account: '123456789012',
      },
      annotations: { description: 'CPU of the database', reason: 'Threshold Crossed', before: 'OK' },
    };
    expect(alertsOf(direct, event('ALARM'))).toMatchObject([alarm]);
    expect(alertsOf(bySns, inSns(event('ALARM')))).toMatchObject([alarm]);
    expect(alertsOf(direct, event('OK'))).toMatchObject([{ status: 'resolved', fingerprint: arn }]);
  });

  test('[ALERT-17b] with topics an event needs the envelope, and without topics an envelope is refused', () => {
    expect(reasonOf(bySns, event('ALARM'))).toContain('Type: expected a type of SNS');
    expect(reasonOf(direct, inSns(event('ALARM')))).toContain('topics: expected this key in the receiver');
  });

  test('[ALERT-17c] another event is taken, and does nothing', () => {
    expect(read(direct, event('ALARM', 'CloudWatch Alarm Configuration Change'))).toMatchObject({
      ok: true,
      groups: [],
      note: /State Change/,
    });
  });

  test('[ALERT-17d] an alarm over an expression has the labels of the metric that it reads', () => {
    const { Trigger: _, ...alarm } = payload('cloudwatch-alarm');
    const Metric = {
      MetricName: 'Errors',
      Namespace: 'Shop',
      Dimensions: [{ name: 'Service', value: 'checkout' }],
    };
    const Trigger = {
      Metrics: [
        { Id: 'e1', Expression: 'm1*2' },
        { Id: 'm1', MetricStat: { Metric } },
      ],
    };
    expect(alertsOf(bySns, inSns({ ...alarm, Trigger }))).toMatchObject([
      { labels: { metric: 'Errors', Service: 'checkout' } },
    ]);
  });
});

test('[ALERT-01c] an incident of PagerDuty with the least that it may have', () => {
  const event = { event_type: 'incident.triggered', data: { id: 'P1', title: 'errors' } };
  expect(alertsOf(shownReceiver('pager'), { event })).toMatchObject([{ name: 'errors', status: 'firing' }]);
  expect(reasonOf(shownReceiver('pager'), { event: {} })).toContain(
    'event.event_type: expected an event such as',
  );
});

test('[ALERT-15d] a word that is missing is named with what was expected there', () => {
  expect(reasonOf({ format: 'grafana' }, { ruleName: 'A' })).toContain(
    'state: expected "alerts", or a state of Grafana',
  );
  expect(reasonOf({ format: 'datadog' }, { alert_id: '7' })).toContain(
    'alert_transition: expected a value of $ALERT_TRANSITION',
  );
});

test('[ALERT-15d] the refusal of a webhook of Datadog names the keys as they came', () => {
  expect(reasonOf({ format: 'datadog' }, { ALERT_ID: '7', Body: 'CPU', alert: { id: '8' } })).toContain(
    'Its keys: ALERT_ID, Body, alert.',
  );
});

test('[ALERT-15d] "recovered" with more words is one of Datadog alone', () => {
  const receiver = { format: 'generic' as const, mapping: { name: '/name', status: '/state' } };
  expect(alertsOf(receiver, { name: 'A', state: 'Recovered' })).toMatchObject([{ status: 'resolved' }]);
  expect(reasonOf(receiver, { name: 'A', state: 'recovered partly' })).toContain('/state: expected');
});

test('[ALERT-18] an incident of PagerDuty that is opened again begins at that time, and its end has no start', () => {
  const { event } = payload('pagerduty');
  const of = (event_type: string) =>
    alertsOf(shownReceiver('pager'), { event: { ...(event as object), event_type } })[0];
  expect(of('incident.triggered')).toMatchObject({ startsAt: Date.parse('2026-11-28T09:16:27Z') });
  expect(of('incident.reopened')).toMatchObject({ startsAt: Date.parse('2026-11-28T09:20:00.169Z') });
  for (const type of ['incident.escalated', 'incident.resolved'])
    expect(of(type)).not.toHaveProperty('startsAt');
});

const folder = sharedPath('data/reports');

describe.skipIf(folder === undefined)(
  `the reports of others${folder ? '' : `, ${sharedMissing('data/reports')}`}`,
  () => {
    const report = (name: string): unknown =>
      JSON.parse(readFileSync(join(folder ?? '', `${name}.json`), 'utf8'));

    test('[ALERT-19] each is read', () => {
      expect(alertsOf(shownReceiver('kuma'), report('r30-kuma-down'))).toMatchObject([
        { name: 'shop front', status: 'firing' },
      ]);
      expect(alertsOf(shownReceiver('datadog'), report('r31-datadog-renotify'))).toMatchObject([
        { name: 'CPU is high on web-1', status: 'firing', fingerprint: '998', labels: { host: 'web-1' } },
      ]);
      expect(alertsOf(shownReceiver('prod'), report('r32-empty-list'))).toMatchObject([
        { name: 'DiskFull', annotations: {} },
      ]);
    });
  },
);

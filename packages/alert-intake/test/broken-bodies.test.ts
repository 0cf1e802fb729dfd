// No body throws, and none loses an alert silently: it is read whole, or refused with a reason that has no value of it.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReceiverConfig } from '../src/receivers.schema.ts';
import {
  alertsOf,
  bytesOf,
  payload,
  read,
  reasonOf,
  shownReceiver,
  webhook,
} from '../../../test/support/alert-payloads.ts';

const prod: ReceiverConfig = { format: 'alertmanager' };

const receivers: [name: string, file: string][] = [
  ['prod', 'alertmanager-recorded'],
  ['grafana', 'grafana'],
  ['grafana', 'grafana-older'],
  ['pager', 'pagerduty'],
  ['opsgenie', 'opsgenie'],
  ['datadog', 'datadog'],
  ['aws', 'cloudwatch-alarm'],
  ['graylog', 'pagerduty'],
];

/** A whole reading, or a refusal in words. */
function expectFate(receiver: ReceiverConfig, body: Uint8Array, alerts?: number): void {
  const found = read(receiver, body);
  if (!found.ok) {
    expect([413, 422]).toContain(found.status);
    expect(found.reason).toMatch(/expected|empty/);
    expect(found.reason.length).toBeLessThan(1_200);
    return;
  }
  const count = found.groups.flatMap((group) => group.alerts).length;
  if (alerts !== undefined) expect(count).toBe(alerts);
  expect(count > 0 || found.note !== undefined).toBe(true);
}

describe.each(receivers)('%s, broken %s', (name, file) => {
  const receiver = shownReceiver(name);
  const whole = bytesOf(payload(file));

  test('[ALERT-03a] a body that is cut anywhere', () => {
    for (let end = 0; end < whole.length; end += 7) {
      expect(read(receiver, whole.subarray(0, end))).toMatchObject({
        ok: false,
        status: 422,
        code: 'Alerts.Shape',
      });
    }
  });

  test('[ALERT-03a] any JSON in the place of any value', () => {
    const paths = pathsOf(payload(file));
    const strange = fc.oneof(
      fc.jsonValue({ maxDepth: 4 }),
      fc.constantFrom(1e308, -1, 2 ** 70, '', '\u0000\u202E', 'x'.repeat(5_000), null),
      fc.constant(JSON.parse('{"__proto__":{"polluted":"yes"},"constructor":1,"toString":null}')),
    );
    fc.assert(
      fc.property(fc.constantFrom(...paths), strange, (path, value) => {
        expectFate(receiver, bytesOf(withValue(payload(file), path, value)));
      }),
    );
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});

test('[ALERT-03a] any bytes, and any JSON', () => {
  for (const [name] of receivers) {
    const receiver = shownReceiver(name);
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => expectFate(receiver, bytes)));
    fc.assert(fc.property(fc.json(), (text) => expectFate(receiver, bytesOf(text))));
  }
});

test('[ALERT-03a] every alert of a body is there, whatever its labels are', () => {
  const bag = fc.dictionary(
    fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'severity')),
    fc.jsonValue(),
  );
  const alert = fc.record({
    labels: bag,
    annotations: bag,
    startsAt: fc.jsonValue(),
    fingerprint: fc.jsonValue(),
  });
  fc.assert(
    fc.property(fc.array(alert, { minLength: 1, maxLength: 20 }), (alerts) => {
      expectFate(prod, bytesOf(webhook(...alerts)), alerts.length);
    }),
  );
});

test.each([
  ['[', 20_000],
  ['{"a":', 20_000],
  ['[', 300],
])('[ALERT-03a] %s, %i levels deep', (open, levels) => {
  const close = open === '[' ? ']' : '}';
  const deep = `${open.repeat(levels)}1${close.repeat(levels)}`;
  expect(reasonOf(prod, deep)).toMatch(/^422 Alerts\.Shape: The body /);
  expect(reasonOf(prod, `{"alerts":[{"status":"firing","labels":{"a":${deep}}}]}`)).toMatch(
    /^422 Alerts\.Shape/,
  );
});

test('[ALERT-03b] a reason has the first wrong field, what was expected there, and the keys of the body; no value', () => {
  const alerts = [{ status: 'firing', labels: 'hunter2' }];
  expect(reasonOf(prod, { version: 'hunter2', alerts })).toBe(
    '422 Alerts.Shape: The body is no webhook of Alertmanager: alerts.0.labels: expected an object, received a string. Its keys: version, alerts.',
  );
  expect(reasonOf(prod, { alerts: [{ labels: {} }] })).toContain(
    'alerts.0.status: expected "firing" or "resolved"',
  );
  expect(reasonOf(prod, { alerts: [] })).toContain('alerts: expected at least one alert');
  const kinds: [id: unknown, kind: string][] = [
    ['', 'an empty text'],
    [[], 'a list'],
    [undefined, 'nothing'],
  ];
  for (const [id, kind] of kinds)
    expect(
      reasonOf(shownReceiver('pager'), { event: { event_type: 'incident.triggered', data: { id } } }),
    ).toContain(`expected a text or a number, received ${kind}.`);
  expect(reasonOf(prod, ['hunter2'])).toContain('It is a list, not an object.');
  expect(reasonOf(shownReceiver('graylog'), {})).toContain(
    '/event_definition_title: expected a text, a number or a boolean, received nothing. Its keys: none.',
  );
  expect(reasonOf(prod, '{"password":"hunter2" oh}')).toBe(
    '422 Alerts.Shape: The body is no JSON in UTF-8 from position 22 on: expected one whole value.',
  );
  expect(reasonOf(prod, Buffer.from([0x22, 0xff, 0x22]))).toContain('The body is no JSON in UTF-8: expected');
  expect(reasonOf(prod, '')).toBe('422 Alerts.Shape: The body is empty: expected JSON.');
  const long = { ['k'.repeat(9_000)]: 1, '\u001b[2J': 2 };
  expect(reasonOf(prod, long)).toMatch(/Its keys: k{39}…, \\u\{1B\}\[2J\.$/);
});

test('[ALERT-03c] a thousand alerts are read, one more is refused', () => {
  const alerts = Array.from({ length: 1_001 }, (_, place) => ({
    labels: { alertname: 'A', instance: place },
  }));
  expect(alertsOf(prod, webhook(...alerts.slice(1)))).toHaveLength(1_000);
  expect(reasonOf(prod, webhook(...alerts))).toBe(
    '413 Alerts.TooMany: The body has 1001 alerts: expected at most 1000. Limit them at the sender.',
  );
});

test('[ALERT-02a] long texts are cut with a mark', () => {
  const [alert] = alertsOf(
    prod,
    webhook({
      labels: { alertname: 'A', text: 'ä'.repeat(9_000) },
      annotations: { long: 'x'.repeat(9_000) },
    }),
  );
  const { text = '' } = alert?.labels ?? {};
  const { long = '' } = alert?.annotations ?? {};
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_024);
  expect(text).toMatch(/^ä{400,}…$/);
  expect(Buffer.byteLength(long)).toBeLessThanOrEqual(4_096);
  expect(long).toMatch(/^x{4000,}…$/);
});

test('[ALERT-02b] characters that steer a terminal or reorder text are escaped', () => {
  const [alert] = alertsOf(
    prod,
    webhook({
      labels: { alertname: 'A\u0007', 'in\u001bstance': 'web\u202E1' },
      annotations: { text: 'one\ntwo\u0000' },
    }),
  );
  expect(alert).toMatchObject({
    name: 'A\\u{7}',
    labels: { 'in\\u{1B}stance': 'web\\u{202E}1' },
    annotations: { text: 'one\ntwo\\u{0}' },
  });
});

test('[ALERT-02c] of many labels 64 are kept, and the alert says so; its group and its route see all', () => {
  const many = Object.fromEntries(Array.from({ length: 70 }, (_, place) => [`label_${place}`, place]));
  const body = webhook({ labels: { ...many, alertname: 'DiskFull', instance: 'web-1' }, annotations: many });
  const receiver: ReceiverConfig = { ...prod, routes: [{ match: { instance: 'web-1' }, task: 'seen' }] };
  const found = read(receiver, body);
  expect(found).toMatchObject({ ok: true, groups: [{ title: 'DiskFull web-1', route: { task: 'seen' } }] });
  const [alert] = alertsOf(receiver, body);
  expect(Object.keys(alert?.labels ?? {})).toHaveLength(64);
  expect(alert?.annotations['holdfast_cut']).toBe('left out of this alert: 8 labels, 6 annotations');
});

test('[ALERT-02d] a time without a zone is kept as a text; the year 1 is no time', () => {
  const at = (startsAt: unknown) => alertsOf(prod, webhook({ labels: { alertname: 'A' }, startsAt }))[0];
  expect(at('2026-11-28 09:00:00')).toMatchObject({ annotations: { startsAt: '2026-11-28 09:00:00' } });
  expect(at('0001-01-01T00:00:00Z')).toMatchObject({ annotations: {} });
  expect(at('0001-01-01T00:00:00Z')).not.toHaveProperty('startsAt');
  expect(at(1_795_857_391)).toMatchObject({ startsAt: 1_795_857_391_000 });
  expect(at('1795857391104')).toMatchObject({ startsAt: 1_795_857_391_104 });
});

test('[ALERT-02e] a label may be named __proto__, and a long number keeps its digits', () => {
  const text =
    '{"status":"firing","alerts":[{"labels":{"alertname":"A","__proto__":"x"},"fingerprint":12345678901234567890}]}';
  const [alert] = alertsOf(prod, text);
  expect(Object.entries(alert?.labels ?? {})).toContainEqual(['__proto__', 'x']);
  expect(alert?.fingerprint).toBe('12345678901234567890');
});

test('[ALERT-02d] what is no web address is no link, and stays a text', () => {
  const links = { generatorURL: 'javascript:alert(1)', dashboardURL: 'https://grafana.example.org/d/1' };
  const [alert] = alertsOf(prod, webhook({ labels: { alertname: 'A' }, ...links }));
  expect(alert).toMatchObject({
    links: [{ title: 'Dashboard', url: 'https://grafana.example.org/d/1' }],
    annotations: { Source: 'javascript:alert(1)' },
  });
});

function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))];
}

function withValue(body: unknown, [key, ...path]: string[], value: unknown): unknown {
  if (key === undefined) return value;
  const copy = Object.assign(Array.isArray(body) ? [] : {}, body) as Record<string, unknown>;
  copy[key] = withValue(copy[key], path, value);
  return copy;
}

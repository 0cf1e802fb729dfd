// The words that a session gets about alerts, and the end of a session as its group keeps it.
import { expect, test } from 'vitest';
import { shortened, toRecord } from '../../../src/core/alerts/alert-record.ts';
import { alertNews, alertOf } from '../../../src/core/alerts/alert-task.ts';
import type { Alert } from '@holdfast/vocabulary/alert';
import { readSessionEnd, endOfFailure } from '../../../src/core/alerts/session-end.ts';
import { sessionInputSchema } from '../../../src/core/session/session-input.schema.ts';
import { anAlert } from '../../support/alerts.ts';

const now = Date.UTC(2026, 10, 28, 3, 12);
const record = (alert: Alert) => ({ ...toRecord(alert, now), alert });
const links = [{ title: 'Runbook', url: 'https://runbooks.example.com/1' }];

/** What stands in the mark, an alert each. */
function described(...records: ReturnType<typeof record>[]): string[] {
  const [, text = ''] = /<alert>([^]*)<\/alert>/.exec(alertNews(records)) ?? [];
  return text.trim().split('\n\n');
}

test('[FATE-13a] an alert is told with its times, its labels, its texts and its links', () => {
  const whole = [
    'alert: HighErrorRate',
    'severity: warning',
    'started: 2026-11-28 03:00 UTC',
    'labels:',
    '  alertname: HighErrorRate',
    '  instance: payments-1',
    'summary: errors are high',
    'link: Runbook https://runbooks.example.com/1',
  ];
  expect(described(record(anAlert({ links })))).toEqual([whole.join('\n')]);
  const { startsAt: _, ...without } = anAlert();
  const over = { ...record(without), endedAt: now + 60_000 };
  expect(described(over)[0]?.split('\n').slice(2, 4)).toEqual([
    'started: 2026-11-28 03:12 UTC (when it arrived)',
    'ended: 2026-11-28 03:13 UTC',
  ]);
});

test('[FATE-13a] of many alerts the first five are told whole, thirty by their labels, and the others counted', () => {
  const many = Array.from({ length: 32 }, (_, at) => record(anAlert({ fingerprint: `f${at}`, links })));
  const told = described(...many);
  expect(told).toHaveLength(31);
  expect(told.map((each) => each.includes('link: Runbook'))).toEqual(told.map((_, at) => at < 5));
  expect(told[5]).toBe(
    'alert: HighErrorRate\nseverity: warning\nstarted: 2026-11-28 03:00 UTC\nlabels: instance=payments-1',
  );
  expect(told[30]).toBe('and 2 more alerts');
});

test('[DELIV-17b] a session knows its alerts for its messages: the gravest, the first start, and each link once', () => {
  const [first, second] = [
    record(anAlert({ links })),
    record(
      anAlert({
        fingerprint: 'g',
        severity: 'critical',
        startsAt: now - 60_000,
        links: [...links, { title: 'Panel', url: 'https://p' }],
      }),
    ),
  ];
  const startsAt = Math.min(first.startsAt ?? 0, now - 60_000);
  expect(alertOf('HighErrorRate payments-1', [first, second])).toEqual({
    name: 'HighErrorRate payments-1',
    severity: 'critical',
    startsAt,
    links: [...links, { title: 'Panel', url: 'https://p' }],
  });
  expect(alertOf('x', [record(anAlert())])).not.toHaveProperty('links');
});

test('[DELIV-17b] what a start does not take is left out of the alert, and never keeps it from being investigated', () => {
  const odd = [
    { title: 'user', url: 'https://u:[redacted:url-password]@wiki.example.com/x' },
    { title: 'long', url: `https://prometheus.example.com/graph?${'x'.repeat(2_500)}` },
    { title: 'script', url: 'javascript:alert(1)' },
    { title: 't'.repeat(300), url: 'https://wiki.example.com/x' },
    ...Array.from({ length: 20 }, (_, at) => ({ title: '', url: `https://p.example.com/${at}` })),
  ];
  const alert = alertOf('', [record(anAlert({ startsAt: 5, links: odd }))]);
  expect(sessionInputSchema.safeParse({ prompt: 'Look.', alert }).error?.issues).toBeUndefined();
  expect(alert.name).toBe('alert');
  expect(alert.links).toHaveLength(8);
  expect(alert.links?.slice(0, 2)).toMatchObject([{ url: 'https://wiki.example.com/x' }, { title: 'link' }]);
  expect(alert).not.toHaveProperty('startsAt');
});

test('[FATE-10c] a long alert keeps the beginnings of its texts, a short one is as it came', () => {
  const short = anAlert({ links });
  expect(shortened(short)).toBe(short);
  const long = 'x'.repeat(13_000);
  const texts = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${at}${long}`, long]));
  const cut = shortened(
    anAlert({
      labels: texts,
      annotations: texts,
      links: Array.from({ length: 9 }, () => ({ title: long, url: `https://${long}` })),
    }),
  );
  for (const { length } of [Object.keys(cut.labels), Object.keys(cut.annotations)]) expect(length).toBe(16);
  expect(cut.links).toHaveLength(5);
  const lengths = (list: string[]) => [...new Set(list.map((text) => text.length))];
  expect(lengths([...Object.keys(cut.labels), ...Object.keys(cut.annotations)])).toEqual([100]);
  expect(lengths([...Object.values(cut.labels), ...Object.values(cut.annotations)])).toEqual([250]);
  expect(lengths(cut.links.map(({ title }) => title))).toEqual([100]);
  expect(lengths(cut.links.map(({ url }) => url))).toEqual([300]);
});

test('[FATE-08c] a session that failed has the outcome and the cost of its result; one without a result costs nothing', () => {
  const result = { status: 'aborted', costUsd: 0.5, answer: 'so far' };
  const end = { outcome: 'aborted', costUsd: 0.5, answer: 'so far' };
  expect(readSessionEnd(result)).toEqual(end);
  expect(endOfFailure({ type: 'RunFailed', details: [result] })).toEqual(end);
  expect(endOfFailure({ type: 'RunFailed' })).toEqual({ outcome: 'gone', costUsd: 0 });
  expect(endOfFailure({ name: 'TerminatedFailure' })).toEqual({ outcome: 'terminated', costUsd: 0 });
  expect(endOfFailure({ type: 'Other', details: [result] })).toEqual({ outcome: 'failed', costUsd: 0 });
  expect(readSessionEnd({ status: 'completed', cause: 'report', costUsd: 'much', answer: 7 })).toEqual({
    outcome: expect.stringMatching(/^completed/),
    costUsd: 0,
  });
});

import { expect, test } from 'vitest';
import { alertedAt } from '../../../src/activities/report/causes/alerted-at.ts';
import { type LogRecord, userMessage } from '@holdfast/vocabulary/messages';

const at = Date.UTC(2026, 10, 21, 4, 0);
const log = (text: string): LogRecord[] => [
  { seq: 1, id: 'm1', runId: 'run-1', turn: 1, at, ...userMessage(text) },
];

test.each<[string, string | undefined]>([
  ['Receiver shop got 2 alerts of one group, the first of 2026-11-21 03:12 UTC.', '2026-11-21T03:12:00.000Z'],
  ['Checkout fails since 03:10 UTC.', '2026-11-21T03:10:00.000Z'],
  ['"startsAt": "2026-11-21T03:09:30Z"', '2026-11-21T03:09:30.000Z'],
  ['It began 03:20 UTC, firing since 03:15 UTC.', '2026-11-21T03:15:00.000Z'],
  ['The deploy of 02:00 UTC went well. Why is it slow?', undefined],
  ['It is slow since yesterday.', undefined],
])('[REPORT-24b] the task says when it began: %s', (text, time) => {
  expect(alertedAt(log(text), 'run-1')?.from).toBe(time === undefined ? undefined : Date.parse(time));
  expect(alertedAt(log(text), 'run-2')).toBeUndefined();
});

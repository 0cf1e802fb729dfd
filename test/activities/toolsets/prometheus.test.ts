// Answers of Prometheus' HTTP API, each kind of its data.
import { expect, test } from 'vitest';
import { values } from '../../../catalog/toolsets/prometheus.ts';

const at = Date.UTC(2026, 10, 28, 3) / 1_000;
const metric = { __name__: 'up', job: 'shop' };

test.each<[string, unknown, RegExp]>([
  ['vector', [{ metric, value: [at, '1'] }], /up\{.*job.*shop.*\} 1 @ 2026-11-28T03:00:00Z/],
  [
    'matrix',
    [
      {
        metric,
        values: [
          [at, '1'],
          [at + 60, '3'],
        ],
      },
    ],
    /up\{.*job.*shop.*\}: 2 samples, 2026-11-28T03:00:00Z to 2026-11-28T03:01:00Z\n.*min 1 .*max 3 /,
  ],
  ['scalar', [at, '7'], /^7 @ 2026-11-28T03:00:00Z$/],
  ['string', [at, 'yes'], /^yes @ 2026-11-28T03:00:00Z$/],
])('[SRC-18a] an answer of the kind %s is shown with its times', (resultType, result, expected) => {
  const answer = JSON.stringify({ status: 'success', data: { resultType, result } });
  expect(values(answer, {})).toMatchObject({ is: 'rows', rows: [expect.stringMatching(expected)] });
});

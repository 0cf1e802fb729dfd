// Readers of the starter set that no stand-in of a server serves: what they say of answers that are not whole.
import { expect, test } from 'vitest';
import { answers as aws } from '../../../toolsets/aws.ts';
import { page } from '../../../toolsets/notion.ts';
import { alerts, targets } from '../../../toolsets/prometheus.ts';

test('[SRC-69a] a metric of CloudWatch that failed, and a query that has not ended, are not nothing', () => {
  const failed = {
    Label: 'cpu',
    Timestamps: [],
    Values: [],
    StatusCode: 'Forbidden',
    Messages: [{ Code: 'x', Value: 'no right' }],
  };
  expect(aws(JSON.stringify({ MetricDataResults: [failed], Messages: [] }), {})).toEqual({
    is: 'partial',
    why: ['cpu: Forbidden x no right'],
    rows: [],
  });
  const rows = { results: [[{ field: '@message', value: 'slow' }]], status: 'Timeout' };
  expect(aws(JSON.stringify(rows), {})).toMatchObject({ is: 'partial', why: ['the query is Timeout'] });
  expect(aws('{"events":[],"nextToken":"abc"}', {})).toMatchObject({ is: 'partial', rows: [] });
});

test('[SRC-06e] blocks of Notion without a text have a line, empty paragraphs have none', () => {
  const results = [
    { id: 'a', type: 'bookmark', bookmark: { url: 'https://runbook.example/db?token=x' } },
    { id: 'b', type: 'paragraph', paragraph: { rich_text: [] } },
    {
      id: 'c',
      type: 'image',
      image: { type: 'external', external: { url: 'https://pictures.example/a.png' } },
    },
    { id: 'd', type: 'divider', divider: {} },
  ];
  expect(page(JSON.stringify({ results }), {})).toMatchObject({
    rows: ['[bookmark] https://runbook.example/db', '[image] https://pictures.example/a.png', '[divider]'],
  });
});

test('[SRC-70c] of many targets and alerts those that are down or firing come first', () => {
  const firstOf = (read: unknown): unknown => (read as { rows?: unknown[] }).rows?.[0];
  const target = (health: string) => ({ labels: {}, scrapeUrl: 'http://x', health });
  const activeTargets = [...Array.from({ length: 59 }, () => target('up')), target('down')];
  const read = targets(JSON.stringify({ status: 'success', data: { activeTargets } }), {});
  expect(firstOf(read)).toMatch(/^down /);
  const alert = (state: string) => ({ labels: { alertname: state }, state });
  const pending = { status: 'success', data: { alerts: [alert('pending'), alert('firing')] } };
  expect(firstOf(alerts(JSON.stringify(pending), {}))).toMatch(/^firing /);
});

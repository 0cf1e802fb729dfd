// Readers of the starter set that no stand-in of a server serves: what they say of answers that are not whole.
import { expect, test } from 'vitest';
import { answers as aws } from '../../../catalog/toolsets/aws.ts';
import { answers as azure } from '../../../catalog/toolsets/azure.ts';
import { page as wiki } from '../../../catalog/toolsets/confluence.ts';
import { fields } from '../../../catalog/toolsets/elasticsearch.ts';
import { answers as gcloud } from '../../../catalog/toolsets/gcloud.ts';
import { page } from '../../../catalog/toolsets/notion.ts';
import { alerts, targets } from '../../../catalog/toolsets/prometheus.ts';

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

test.each([
  [
    aws,
    ['ec2', 'describe-instances', '--max-items', '2', '--query', 'Reservations[].Instances[].InstanceId'],
  ],
  [aws, ['logs', 'describe-log-groups', '--limit=2', '--query', 'logGroups[].logGroupName']],
  [gcloud, ['logging', 'read', 'severity>=ERROR', '--limit', '2']],
  [azure, ['monitor', 'activity-log', 'list', '--max-events', '2']],
])('[SRC-70a] a limit among the words of a cloud command is said where it is reached (%#)', (read, given) => {
  expect(read('["a","b"]', { words: given })).toMatchObject({ is: 'rows', more: true });
  expect(read('["a"]', { words: given })).not.toHaveProperty('more');
  expect(read('["a","b"]', { words: given.slice(0, 2) })).not.toHaveProperty('more');
});

test('[SRC-05e] what --query finds in the items of a limit is not all that there is', () => {
  const given = ['ec2', 'describe-instances', '--max-items', '50', '--query'];
  for (const query of ["Reservations[?OwnerId=='1'].ReservationId", 'length(Reservations)'])
    expect(aws('[]', { words: [...given, query] })).toMatchObject({
      is: 'partial',
      why: ['--query has looked at no more than the first 50'],
    });
  expect(aws('[]', { words: [...given, 'Reservations[].ReservationId'] })).toEqual({ is: 'none' });
});

test('[SRC-38b] a page of Confluence keeps what its links and macros name, and code as it is', () => {
  const value = [
    '<p>See <ac:link><ri:page ri:content-title="Failover &amp; back" /></ac:link>, ',
    '<a href="https://grafana.example/d/1">the board</a>.</p>',
    '<ac:structured-macro ac:name="include"><ac:parameter ac:name=""><ac:link>',
    '<ri:page ri:space-key="OPS" ri:content-title="Contacts" /></ac:link></ac:parameter></ac:structured-macro>',
    '<ac:structured-macro ac:name="code"><ac:plain-text-body><![CDATA[kubectl logs <pod> | grep "&lt;"]]>',
    '</ac:plain-text-body></ac:structured-macro>',
  ];
  const body = { storage: { value: value.join('') } };
  expect(wiki(JSON.stringify({ title: 'Runbook', version: { number: 3 }, body }), {})).toMatchObject({
    rows: [
      'Runbook, version 3',
      'See Failover & back , https://grafana.example/d/1 the board .',
      '[include] Contacts',
      'kubectl logs <pod> | grep "&lt;"',
    ],
  });
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

test('[SRC-23d] a field of Elasticsearch that is an object in one index only is in the list', () => {
  const found = { host: { object: {}, keyword: {} }, 'host.name': { keyword: {} }, log: { object: {} } };
  expect(fields(JSON.stringify({ indices: ['a', 'b'], fields: found }), {})).toMatchObject({
    rows: ['host object, keyword', 'host.name keyword'],
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

// Sources of vendors over HTTP: each request is checked against the vendor's API reference, each answer has the shape that it
// documents. Nobody of the vendors is asked.
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import getPort from 'get-port';
import type { Json } from '../../../src/core/base/json.ts';
import { type SourceRoute, startSourceApi } from '../../support/source-api.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';
import { plantedPassword, starterToolset } from '../../support/toolset-bench.ts';

const now = Date.parse('2026-11-28T05:30:00Z');
const [start, end] = ['2026-11-28T04:30:00Z', '2026-11-28T05:30:00Z'];
const dayBefore = '2026-11-27T05:30:00Z';

type Vendor = {
  name: string;
  settings: Record<string, string>;
  /** The header with the secret, and the setting that holds it. */
  token: [header: string, value: string, setting: string];
  calls: { tool: string; args?: Json; route: SourceRoute; text: string | RegExp; link?: string }[];
  /** An answer of the first call without data. */
  empty: Json;
};

const bearer: Vendor['token'] = ['authorization', 'Bearer {}', 'authorization'];
const basic: Vendor['token'] = ['authorization', 'Basic {}', 'authorization'];

const vendors: Vendor[] = [
  {
    // https://docs.datadoghq.com/api/latest: logs v2, metrics v1, monitors v1, events v2
    name: 'datadog',
    settings: { application_key: 'app-key' },
    token: ['dd-api-key', '{}', 'api_key'],
    empty: { data: [], meta: { status: 'done' } },
    calls: [
      {
        tool: 'datadog_logs',
        args: { query: 'service:shop status:error' },
        route: {
          method: 'POST',
          path: '/api/v2/logs/events/search',
          body: {
            filter: { query: 'service:shop status:error', from: start, to: end },
            sort: '-timestamp',
            page: { limit: 100 },
          },
          answer: {
            data: [
              {
                id: 'AAA',
                type: 'log',
                attributes: {
                  timestamp: '2026-11-28T05:29:00.000Z',
                  status: 'error',
                  service: 'shop',
                  host: 'web-1',
                  message: 'pool exhausted',
                  tags: ['env:prod'],
                },
              },
            ],
          },
        },
        text: '2026-11-28T05:29:00.000Z error shop web-1: pool exhausted',
        link: '/logs?query=service%3Ashop+status%3Aerror',
      },
      {
        tool: 'datadog_metrics',
        args: { query: 'avg:system.load.1{service:shop}' },
        route: {
          path: '/api/v1/query',
          query: {
            query: 'avg:system.load.1{service:shop}',
            from: String(now / 1_000 - 3_600),
            to: String(now / 1_000),
          },
          answer: {
            status: 'ok',
            error: '',
            series: [
              {
                metric: 'system.load.1',
                scope: 'service:shop',
                expression: 'avg:system.load.1{service:shop}',
                pointlist: [
                  [now - 120_000, 1],
                  [now - 60_000, 9],
                  [now, 2],
                ],
              },
            ],
          },
        },
        text: /avg:system\.load\.1\{service:shop\}[^]*min 1 [^]*max 9 /,
      },
      {
        tool: 'datadog_monitors',
        route: {
          path: '/api/v1/monitor/search',
          query: { query: 'status:alert', per_page: '50' },
          answer: {
            monitors: [
              {
                id: 12,
                name: 'Checkout errors',
                status: 'Alert',
                type: 'query alert',
                last_triggered_ts: now / 1_000 - 600,
                tags: ['team:shop'],
              },
            ],
          },
        },
        text: 'Alert Checkout errors (12, query alert) since 2026-11-28T05:20:00.000Z team:shop',
      },
      {
        tool: 'datadog_events',
        args: { query: 'source:deploy' },
        route: {
          path: '/api/v2/events',
          query: {
            'filter[query]': 'source:deploy',
            'filter[from]': dayBefore,
            'filter[to]': end,
            sort: '-timestamp',
            'page[limit]': '50',
          },
          answer: {
            data: [
              {
                type: 'event',
                attributes: {
                  timestamp: '2026-11-28T05:10:00.000Z',
                  message: 'shop 4.2\nby ann',
                  attributes: { title: 'Deployed' },
                  tags: ['service:shop'],
                },
              },
            ],
          },
        },
        text: '2026-11-28T05:10:00.000Z Deployed: shop 4.2 by ann service:shop',
      },
    ],
  },
  {
    // https://docs.newrelic.com/docs/apis/nerdgraph/examples/nerdgraph-nrql-tutorial
    name: 'newrelic',
    settings: { account: '42' },
    token: ['api-key', '{}', 'api_key'],
    empty: { data: { actor: { account: { nrql: { results: [] } } } } },
    calls: [
      {
        tool: 'newrelic_query',
        args: { nrql: 'SELECT count(*) FROM Transaction' },
        route: nerdgraph('SELECT count(*) FROM Transaction', [{ count: 7 }]),
        text: '{"count":7}',
      },
      {
        tool: 'newrelic_incidents',
        route: nerdgraph(
          `SELECT timestamp, event, priority, title, entity.name, conditionName FROM NrAiIncident SINCE ${now - 86_400_000} UNTIL ${now} LIMIT 50`,
          [
            {
              timestamp: now,
              event: 'open',
              priority: 'critical',
              title: 'Errors',
              'entity.name': 'shop',
              conditionName: 'error rate',
            },
          ],
        ),
        text: '2026-11-28T05:30:00.000Z open critical Errors on shop (error rate)',
      },
      {
        tool: 'newrelic_deployments',
        route: nerdgraph(
          `SELECT timestamp, entity.name, version, user, description, commit FROM Deployment SINCE ${now - 86_400_000} UNTIL ${now} LIMIT 100`,
          [{ timestamp: now, 'entity.name': 'shop', version: '4.2', user: 'ann', description: 'pool: 2' }],
        ),
        text: '2026-11-28T05:30:00Z ann: 4.2: pool: 2 (shop)',
      },
    ],
  },
  {
    // https://docs.sentry.io/api/events and /releases
    name: 'sentry',
    settings: { organization: 'shop' },
    token: bearer,
    empty: [],
    calls: [
      {
        tool: 'sentry_issues',
        route: {
          path: '/api/0/organizations/shop/issues/',
          query: { query: 'is:unresolved', start: dayBefore, end, limit: '25', sort: 'date', project: '-1' },
          answer: [
            {
              id: '11',
              shortId: 'SHOP-1',
              title: 'TimeoutError: pool',
              culprit: 'checkout.pay',
              level: 'error',
              count: '120',
              userCount: 9,
              firstSeen: '2026-11-28T05:11:00Z',
              lastSeen: '2026-11-28T05:29:00Z',
            },
          ],
        },
        text: '2026-11-28T05:29:00Z error SHOP-1 (id 11, 120 events, 9 users, first 2026-11-28T05:11:00Z) TimeoutError: pool in checkout.pay',
      },
      {
        tool: 'sentry_event',
        args: { issue: '11' },
        route: {
          path: '/api/0/organizations/shop/issues/11/events/latest/',
          answer: {
            dateCreated: '2026-11-28T05:29:00Z',
            title: 'TimeoutError: pool',
            tags: [{ key: 'release', value: '4.2' }],
            entries: [
              { type: 'breadcrumbs', data: { values: [] } },
              {
                type: 'exception',
                data: {
                  values: [
                    {
                      type: 'TimeoutError',
                      value: 'pool',
                      stacktrace: {
                        frames: [
                          { filename: 'node:net', function: 'read', lineNo: 1, inApp: false },
                          { filename: 'src/pay.ts', function: 'pay', lineNo: 42, inApp: true },
                        ],
                      },
                    },
                  ],
                },
              },
            ],
          },
        },
        text: '2026-11-28T05:29:00Z TimeoutError: pool\nrelease=4.2\nTimeoutError: pool\n  at pay (src/pay.ts:42)',
      },
      {
        tool: 'sentry_releases',
        route: {
          path: '/api/0/organizations/shop/releases/',
          query: { per_page: '30' },
          answer: [
            {
              version: '4.2',
              dateCreated: '2026-11-28T05:10:00Z',
              projects: [{ slug: 'shop' }],
              authors: [{ name: 'Ann' }],
              lastDeploy: { environment: 'prod', dateFinished: '2026-11-28T05:10:30Z' },
            },
          ],
        },
        text: '2026-11-28T05:10:00Z 4.2 (shop) by Ann, deployed to prod 2026-11-28T05:10:30Z',
      },
      {
        tool: 'sentry_changes',
        route: {
          path: '/api/0/organizations/shop/releases/',
          query: { per_page: '100' },
          answer: [
            {
              version: '4.2',
              dateCreated: '2026-11-28T05:10:00Z',
              projects: [{ slug: 'shop' }],
              authors: [{ name: 'Ann' }],
            },
          ],
        },
        text: '2026-11-28T05:10:00Z Ann: release 4.2 (shop)',
      },
    ],
  },
  {
    // Splunk REST API reference: search/jobs/export
    name: 'splunk',
    settings: {},
    token: bearer,
    empty: '',
    calls: [
      {
        tool: 'splunk_search',
        args: { search: 'search index=main error' },
        route: {
          path: '/services/search/jobs/export',
          query: {
            search: 'search index=main error',
            earliest_time: start,
            latest_time: end,
            output_mode: 'json',
            preview: 'false',
          },
          answer: [
            '{"preview":false,"offset":0,"result":{"_time":"2026-11-28 05:29:00.000 UTC","host":"web-1","sourcetype":"shop","_raw":"pool exhausted"}}',
            '{"preview":false,"offset":1,"lastrow":true,"result":{"count":"7"}}',
          ].join('\n'),
        },
        text: '2026-11-28 05:29:00.000 UTC web-1 shop: pool exhausted\n{"count":"7"}',
      },
    ],
  },
  {
    // https://developer.pagerduty.com/api-reference
    name: 'pagerduty',
    settings: {},
    token: ['authorization', 'Token token={}', 'authorization'],
    empty: { incidents: [] },
    calls: [
      {
        tool: 'pagerduty_incidents',
        route: {
          path: '/incidents',
          query: { since: dayBefore, until: end, sort_by: 'created_at:desc', limit: '25' },
          answer: {
            incidents: [
              {
                id: 'PT4KHLK',
                title: 'Checkout is slow',
                status: 'triggered',
                urgency: 'high',
                created_at: '2026-11-28T05:20:00Z',
                service: { summary: 'shop' },
                assignments: [{ assignee: { summary: 'Ann' } }],
              },
            ],
          },
        },
        text: '2026-11-28T05:20:00Z triggered high PT4KHLK shop: Checkout is slow (Ann)',
      },
      {
        tool: 'pagerduty_log',
        args: { incident: 'PT4KHLK' },
        route: {
          path: '/incidents/PT4KHLK/log_entries',
          query: { limit: '50' },
          answer: {
            log_entries: [
              {
                created_at: '2026-11-28T05:21:00Z',
                summary: 'Acknowledged by Ann.',
                channel: { type: 'website' },
              },
            ],
          },
        },
        text: '2026-11-28T05:21:00Z Acknowledged by Ann.',
      },
      {
        tool: 'pagerduty_oncalls',
        route: {
          path: '/oncalls',
          query: { earliest: 'true', limit: '100' },
          answer: {
            oncalls: [
              {
                escalation_level: 2,
                escalation_policy: { summary: 'Shop' },
                user: { summary: 'Bob' },
                end: null,
              },
              {
                escalation_level: 1,
                escalation_policy: { summary: 'Shop' },
                user: { summary: 'Ann' },
                end: '2026-11-29T08:00:00Z',
              },
            ],
          },
        },
        text: 'Shop 1: Ann until 2026-11-29T08:00:00Z\nShop 2: Bob',
      },
      {
        tool: 'pagerduty_changes',
        route: {
          path: '/change_events',
          query: { since: dayBefore, until: end, limit: '100' },
          answer: {
            change_events: [
              {
                timestamp: '2026-11-28T05:10:00Z',
                summary: 'Deploy 4.2',
                source: 'ci',
                services: [{ summary: 'shop' }],
              },
            ],
          },
        },
        text: '2026-11-28T05:10:00Z ci: Deploy 4.2 (shop)',
      },
    ],
  },
  {
    // https://docs.opsgenie.com/docs/alert-api
    name: 'opsgenie',
    settings: {},
    token: ['authorization', 'GenieKey {}', 'authorization'],
    empty: { data: [] },
    calls: [
      {
        tool: 'opsgenie_alerts',
        route: {
          path: '/v2/alerts',
          query: { query: 'status: open', limit: '25', sort: 'createdAt', order: 'desc' },
          answer: {
            data: [
              {
                id: '70413a06',
                message: 'Checkout is slow',
                status: 'open',
                acknowledged: true,
                priority: 'P1',
                count: 3,
                source: 'prometheus',
                createdAt: '2026-11-28T05:20:00Z',
                lastOccurredAt: '2026-11-28T05:28:00Z',
              },
            ],
          },
        },
        text: '2026-11-28T05:20:00Z P1 open acknowledged 70413a06 Checkout is slow (3 times, last 2026-11-28T05:28:00Z, prometheus)',
      },
      {
        tool: 'opsgenie_log',
        args: { alert: '70413a06' },
        route: {
          path: '/v2/alerts/70413a06/logs',
          query: { limit: '50' },
          answer: { data: [{ log: 'Alert acknowledged', owner: 'ann', createdAt: '2026-11-28T05:21:00Z' }] },
        },
        text: '2026-11-28T05:21:00Z ann: Alert acknowledged',
      },
      {
        tool: 'opsgenie_oncalls',
        route: {
          path: '/v2/schedules/on-calls',
          query: { flat: 'true' },
          answer: { data: [{ _parent: { name: 'shop' }, onCallRecipients: ['ann', 'bob'] }] },
        },
        text: 'shop: ann, bob',
      },
    ],
  },
  {
    // https://www.servicenow.com/docs: Table API
    name: 'servicenow',
    settings: {},
    token: basic,
    empty: { result: [] },
    calls: [
      {
        tool: 'servicenow_incidents',
        route: {
          path: '/api/now/table/incident',
          query: {
            sysparm_query: 'active=true^ORDERBYDESCsys_created_on',
            sysparm_limit: '25',
            sysparm_display_value: 'true',
            sysparm_fields: /^number,/,
          },
          answer: {
            result: [
              {
                number: 'INC0010001',
                short_description: 'Checkout is slow',
                state: 'New',
                priority: '1 - Critical',
                sys_created_on: '2026-11-28 05:20:00',
                assignment_group: { display_value: 'Shop', link: 'https://x' },
                cmdb_ci: '',
              },
            ],
          },
        },
        text: '2026-11-28 05:20:00 INC0010001 New 1 - Critical Checkout is slow (Shop)',
      },
      {
        tool: 'servicenow_changes',
        route: {
          path: '/api/now/table/change_request',
          query: {
            sysparm_query: 'sys_updated_onRELATIVEGE@hour@ago@48^ORDERBYDESCsys_updated_on',
            sysparm_limit: '25',
            sysparm_display_value: 'true',
            sysparm_fields: /^number,/,
          },
          answer: {
            result: [
              {
                number: 'CHG0030001',
                short_description: 'Resize the pool',
                state: 'Implement',
                type: 'Normal',
                risk: 'Low',
                start_date: '2026-11-28 05:00:00',
                end_date: '2026-11-28 06:00:00',
                work_start: '2026-11-28 05:10:00',
                work_end: '',
                cmdb_ci: { display_value: 'shop', link: 'https://x' },
                assigned_to: { display_value: 'Ann', link: 'https://x' },
              },
            ],
          },
        },
        text: '2026-11-28 05:10:00 CHG0030001 Implement Normal shop: Resize the pool by Ann (until 2026-11-28 06:00:00, risk Low)',
      },
    ],
  },
  {
    // https://developer.atlassian.com/cloud/jira/platform/rest/v2
    name: 'jira',
    settings: {},
    token: basic,
    empty: { issues: [], isLast: true },
    calls: [
      {
        tool: 'jira_search',
        args: { jql: 'project = OPS' },
        route: {
          path: '/rest/api/2/search/jql',
          query: {
            jql: 'project = OPS',
            maxResults: '25',
            fields: 'summary,status,priority,assignee,created,updated',
          },
          answer: {
            isLast: true,
            issues: [
              {
                key: 'OPS-12',
                fields: {
                  summary: 'Checkout is slow',
                  status: { name: 'Open' },
                  priority: { name: 'High' },
                  assignee: null,
                  updated: '2026-11-28T05:20:00.000+0000',
                },
              },
            ],
          },
        },
        text: '2026-11-28T05:20:00.000+0000 OPS-12 Open High: Checkout is slow',
      },
      {
        tool: 'jira_issue',
        args: { issue: 'OPS-12' },
        route: {
          path: '/rest/api/2/issue/OPS-12',
          query: { fields: 'summary,status,description,comment,created,updated' },
          answer: {
            key: 'OPS-12',
            fields: {
              summary: 'Checkout is slow',
              status: { name: 'Open' },
              description: 'Since 05:10.',
              created: '2026-11-28T05:20:00.000+0000',
              comment: {
                comments: [
                  {
                    created: '2026-11-28T05:25:00.000+0000',
                    author: { displayName: 'Ann' },
                    body: 'The pool.',
                  },
                ],
              },
            },
          },
        },
        text: 'OPS-12 Open: Checkout is slow (created 2026-11-28T05:20:00.000+0000)\nSince 05:10.\n2026-11-28T05:25:00.000+0000 Ann: The pool.',
        link: '/browse/OPS-12',
      },
    ],
  },
  {
    // https://developer.atlassian.com/cloud/confluence/rest/v1
    name: 'confluence',
    settings: {},
    token: basic,
    empty: { results: [] },
    calls: [
      {
        tool: 'confluence_search',
        args: { cql: 'type = page' },
        route: {
          path: '/wiki/rest/api/search',
          query: { cql: 'type = page', limit: '15' },
          answer: {
            results: [
              {
                content: { id: '98', type: 'page' },
                title: '@@@hl@@@Checkout@@@/hl@@@ runbook',
                excerpt: 'When the\n pool is full',
                lastModified: '2026-11-01T08:00:00.000Z',
              },
            ],
          },
        },
        text: '2026-11-01T08:00:00.000Z 98 Checkout runbook: When the pool is full',
      },
      {
        tool: 'confluence_page',
        args: { page: '98' },
        route: {
          path: '/wiki/rest/api/content/98',
          query: { expand: 'body.storage,version' },
          answer: {
            title: 'Checkout runbook',
            version: { number: 3, when: '2026-11-01T08:00:00.000Z' },
            body: { storage: { value: '<h1>Pool</h1><p>Look at <b>pool_size</b>.</p>' } },
          },
        },
        text: /^Checkout runbook \(version 3, .*\)\nPool\nLook at pool_size ?\.$/,
      },
    ],
  },
  {
    // https://developers.notion.com/reference, version 2022-06-28
    name: 'notion',
    settings: {},
    token: bearer,
    empty: { object: 'list', results: [] },
    calls: [
      {
        tool: 'notion_search',
        args: { query: 'runbook' },
        route: {
          method: 'POST',
          path: '/v1/search',
          body: {
            query: 'runbook',
            page_size: 20,
            filter: { property: 'object', value: 'page' },
            sort: { direction: 'descending', timestamp: 'last_edited_time' },
          },
          answer: {
            results: [
              {
                object: 'page',
                id: '59833787-2cf9-4fdf-8782-e53db20768a5',
                last_edited_time: '2026-11-01T08:00:00.000Z',
                url: 'https://www.notion.so/p',
                properties: {
                  Name: { type: 'title', title: [{ plain_text: 'Checkout ' }, { plain_text: 'runbook' }] },
                },
              },
            ],
          },
        },
        text: '2026-11-01T08:00:00.000Z 59833787-2cf9-4fdf-8782-e53db20768a5 Checkout runbook https://www.notion.so/p',
      },
      {
        tool: 'notion_page',
        args: { page: '59833787-2cf9-4fdf-8782-e53db20768a5' },
        route: {
          path: '/v1/blocks/59833787-2cf9-4fdf-8782-e53db20768a5/children',
          query: { page_size: '100' },
          answer: {
            results: [
              { type: 'heading_1', heading_1: { rich_text: [{ plain_text: 'Pool' }] } },
              { type: 'divider', divider: {} },
              {
                type: 'paragraph',
                paragraph: { rich_text: [{ plain_text: 'Look at ' }, { plain_text: 'pool_size.' }] },
              },
            ],
          },
        },
        text: 'Pool\nLook at pool_size.',
      },
    ],
  },
  {
    // Argo CD's API: https://cd.apps.argoproj.io/swagger-ui
    name: 'argocd',
    settings: {},
    token: bearer,
    empty: { items: null },
    calls: [
      {
        tool: 'argocd_applications',
        route: { path: '/api/v1/applications', answer: { items: argoItems() } },
        text: 'Degraded Synced shop 9f3c2d1e, last sync Succeeded 2026-11-28T05:10:20Z: successfully synced. ComparisonError: x\nHealthy Synced blog 11111111',
      },
      {
        tool: 'argocd_resources',
        args: { application: 'shop' },
        route: {
          path: '/api/v1/applications/shop/resource-tree',
          answer: {
            nodes: [
              {
                kind: 'Service',
                namespace: 'web',
                name: 'shop',
                createdAt: '2026-01-01T00:00:00Z',
                health: { status: 'Healthy' },
              },
              {
                kind: 'Pod',
                namespace: 'web',
                name: 'shop-1',
                createdAt: '2026-11-28T05:10:10Z',
                health: { status: 'Degraded', message: 'back-off restarting' },
              },
            ],
          },
        },
        text: 'Degraded Pod web/shop-1 since 2026-11-28T05:10:10Z: back-off restarting\nHealthy Service web/shop since 2026-01-01T00:00:00Z',
      },
      {
        tool: 'argocd_changes',
        route: { path: '/api/v1/applications', answer: { items: argoItems() } },
        text: '2026-11-28T05:10:00Z ann: synced 9f3c2d1e of https://git/shop (shop) 7',
      },
    ],
  },
  {
    // https://docs.github.com/rest, version 2022-11-28
    name: 'github',
    settings: { owner: 'shop', repository: 'checkout' },
    token: bearer,
    empty: { total_count: 0, workflow_runs: [] },
    calls: [
      {
        tool: 'github_runs',
        route: {
          path: '/repos/shop/checkout/actions/runs',
          query: { created: `${dayBefore}..${end}`, per_page: '50' },
          answer: {
            total_count: 1,
            workflow_runs: [
              {
                name: 'deploy',
                run_number: 12,
                status: 'completed',
                conclusion: 'failure',
                head_branch: 'main',
                head_sha: '9f3c2d1e0000',
                created_at: '2026-11-28T05:09:00Z',
                display_title: 'pool: 2',
                actor: { login: 'ann' },
              },
            ],
          },
        },
        text: '2026-11-28T05:09:00Z failure deploy #12 main 9f3c2d1e by ann: pool: 2',
      },
      {
        tool: 'github_commit',
        args: { sha: '9f3c2d1e' },
        route: {
          path: '/repos/shop/checkout/commits/9f3c2d1e',
          answer: {
            sha: '9f3c2d1e0000',
            commit: {
              message: 'pool: 2',
              author: { name: 'Ann' },
              committer: { date: '2026-11-28T05:08:00Z' },
            },
            files: [{ filename: 'pool.yaml', additions: 1, deletions: 1, patch: '-size: 20\n+size: 2' }],
          },
        },
        text: '2026-11-28T05:08:00Z 9f3c2d1e0000 by Ann: pool: 2\npool.yaml +1 -1\n-size: 20\n+size: 2',
      },
      {
        tool: 'github_commits',
        route: {
          path: '/repos/shop/checkout/commits',
          query: { since: dayBefore, until: end, per_page: '100' },
          answer: [
            {
              sha: '9f3c2d1e0000',
              html_url: 'https://github.com/shop/checkout/commit/9f3c2d1e',
              author: null,
              commit: {
                message: 'pool: 2\n\nless',
                author: { name: 'Ann' },
                committer: { date: '2026-11-28T05:08:00Z' },
              },
            },
          ],
        },
        text: '2026-11-28T05:08:00Z Ann: pool: 2 9f3c2d1e <https://github.com/shop/checkout/commit/9f3c2d1e>',
      },
      {
        tool: 'github_deployments',
        route: {
          path: '/repos/shop/checkout/deployments',
          query: { per_page: '100' },
          answer: [
            {
              sha: '9f3c2d1e0000',
              ref: 'main',
              environment: 'production',
              description: null,
              created_at: '2026-11-28T05:10:00Z',
              creator: { login: 'ann' },
            },
          ],
        },
        text: '2026-11-28T05:10:00Z ann: deployed main (production) 9f3c2d1e',
      },
      {
        tool: 'github_pulls',
        route: {
          path: '/repos/shop/checkout/pulls',
          query: { state: 'closed', sort: 'updated', direction: 'desc', per_page: '100' },
          answer: [
            {
              number: 8,
              title: 'no',
              merged_at: null,
              user: { login: 'bob' },
              base: { ref: 'main' },
              html_url: 'https://x',
            },
            {
              number: 7,
              title: 'pool: 2',
              merged_at: '2026-11-28T05:07:00Z',
              user: { login: 'ann' },
              base: { ref: 'main' },
              html_url: 'https://github.com/shop/checkout/pull/7',
            },
          ],
        },
        text: '2026-11-28T05:07:00Z ann: merged #7: pool: 2 (main) <https://github.com/shop/checkout/pull/7>',
      },
    ],
  },
  {
    // https://docs.gitlab.com/api
    name: 'gitlab',
    settings: { project: 'shop/checkout' },
    token: ['private-token', '{}', 'token'],
    empty: [],
    calls: [
      {
        tool: 'gitlab_pipelines',
        args: { status: 'failed' },
        route: {
          path: '/api/v4/projects/shop/checkout/pipelines',
          query: {
            updated_after: dayBefore,
            updated_before: end,
            status: 'failed',
            order_by: 'updated_at',
            per_page: '50',
          },
          answer: [
            {
              id: 47,
              status: 'failed',
              ref: 'main',
              sha: '9f3c2d1e0000',
              source: 'push',
              updated_at: '2026-11-28T05:09:00Z',
            },
          ],
        },
        text: '2026-11-28T05:09:00Z failed #47 main 9f3c2d1e (push)',
      },
      {
        tool: 'gitlab_commit',
        args: { sha: '9f3c2d1e' },
        route: {
          path: '/api/v4/projects/shop/checkout/repository/commits/9f3c2d1e/diff',
          query: { per_page: '50' },
          answer: [
            { new_path: 'pool.yaml', new_file: false, deleted_file: false, diff: '-size: 20\n+size: 2' },
          ],
        },
        text: 'pool.yaml\n-size: 20\n+size: 2',
      },
      {
        tool: 'gitlab_commits',
        route: {
          path: '/api/v4/projects/shop/checkout/repository/commits',
          query: { since: dayBefore, until: end, per_page: '100' },
          answer: [
            {
              short_id: '9f3c2d1e',
              title: 'pool: 2',
              author_name: 'Ann',
              committed_date: '2026-11-28T07:08:00.000+02:00',
              web_url: 'https://gitlab.com/c',
            },
          ],
        },
        text: '2026-11-28T05:08:00Z Ann: pool: 2 9f3c2d1e <https://gitlab.com/c>',
      },
      {
        tool: 'gitlab_deployments',
        route: {
          path: '/api/v4/projects/shop/checkout/deployments',
          query: {
            updated_after: dayBefore,
            updated_before: end,
            order_by: 'updated_at',
            sort: 'desc',
            per_page: '100',
          },
          answer: [
            {
              ref: 'main',
              sha: '9f3c2d1e0000',
              status: 'success',
              updated_at: '2026-11-28T05:10:00.000Z',
              user: { username: 'ann' },
              environment: { name: 'production' },
            },
          ],
        },
        text: '2026-11-28T05:10:00Z ann: deployed main: success (production) 9f3c2d1e',
      },
      {
        tool: 'gitlab_merges',
        route: {
          path: '/api/v4/projects/shop/checkout/merge_requests',
          query: {
            state: 'merged',
            updated_after: dayBefore,
            updated_before: end,
            order_by: 'updated_at',
            per_page: '100',
          },
          answer: [
            {
              iid: 7,
              title: 'pool: 2',
              merged_at: '2026-11-28T05:07:00.000Z',
              author: { username: 'bob' },
              merge_user: { username: 'ann' },
              target_branch: 'main',
              web_url: 'https://gitlab.com/m',
            },
          ],
        },
        text: '2026-11-28T05:07:00Z ann: merged !7: pool: 2 (main) <https://gitlab.com/m>',
      },
    ],
  },
];

function argoItems(): Json[] {
  return [
    {
      metadata: { name: 'blog' },
      status: { health: { status: 'Healthy' }, sync: { status: 'Synced', revision: '1111111122' } },
    },
    {
      metadata: { name: 'shop' },
      status: {
        health: { status: 'Degraded' },
        sync: { status: 'Synced', revision: '9f3c2d1e0000' },
        conditions: [{ type: 'ComparisonError', message: 'x' }],
        operationState: {
          phase: 'Succeeded',
          finishedAt: '2026-11-28T05:10:20Z',
          message: 'successfully synced',
        },
        history: [
          {
            id: 7,
            revision: '9f3c2d1e0000',
            deployedAt: '2026-11-28T05:10:00Z',
            initiatedBy: { username: 'ann' },
            source: { repoURL: 'https://git/shop' },
          },
        ],
      },
    },
  ];
}

function nerdgraph(nrql: string, results: Json[]): SourceRoute {
  const query =
    'query($nrql: Nrql!) { actor { account(id: 42) { nrql(query: $nrql, timeout: 20) { results } } } }';
  return {
    method: 'POST',
    path: '/graphql',
    body: { query, variables: { nrql } },
    answer: { data: { actor: { account: { nrql: { results } } } } },
  };
}

async function open(
  { name, settings, token: [, value, setting] }: Vendor,
  url: string,
  secret = 'secret://password',
) {
  const { open: openSet, returnOf } = starterToolset(
    name,
    { url, ...settings, [setting]: value.replace('{}', secret) },
    { now },
  );
  const toolset = await openSet();
  return { toolset, call: (tool: string, args: Json = {}) => returnOf(toolset, tool, args) };
}

describe.each(vendors)('$name', (vendor) => {
  const token = [vendor.token[0], vendor.token[1].replace('{}', plantedPassword)] as const;

  test('[SRC-60ab] each call is one that the vendor takes, and its answer is in few words', async () => {
    for (const { tool, args, route, text, link } of vendor.calls) {
      const { url } = await startSourceApi([route], token);
      const { call } = await open(vendor, url);
      const answer = await call(tool, args);
      if (typeof text === 'string') expect(answer.text).toBe(text);
      else expect(answer.text).toMatch(text);
      if (link !== undefined) expect(JSON.stringify(answer.details)).toContain(link);
      expect(JSON.stringify(answer)).not.toContain(plantedPassword);
    }
  });

  test('[SRC-60c] its checks are calls of its own tools', async () => {
    const { toolset } = await open(vendor, 'http://127.0.0.1:1');
    expect(toolset.checks?.length).toBeGreaterThan(0);
    for (const { tool, with: args = {} } of toolset.checks ?? [])
      expect(() => toolset.made.find(({ spec }) => spec.name === tool)?.parse(args)).not.toThrow();
    const tools = vendor.calls.map(({ tool }) => tool).sort();
    const all = [...toolset.made, ...toolset.changes.readers];
    expect(all.map(({ spec }) => spec.name).sort()).toEqual(tools);
  });

  test('[SRC-61abc] nothing, no access and no answer are told apart', async () => {
    const [{ tool, args, route } = { tool: '', route: { path: '', answer: '' } }] = vendor.calls;
    const { url } = await startSourceApi([{ ...route, answer: vendor.empty }], token);
    expect((await (await open(vendor, url)).call(tool, args)).text).toMatch(/^Nothing found: /);
    const refused = await (await open(vendor, url, 'wrong')).call(tool, args);
    expect(refused.text).toMatch(/^No access: the source refused the request\. It needs: /);
    const gone = await open(vendor, `http://127.0.0.1:${await getPort()}`);
    expect((await gone.call(tool, args)).text).toMatch(/^Not reachable: /);
  });
});

test.each([
  'search index=main | delete',
  'search index=main | outputlookup x.csv',
  '| makeresults | map search="| delete"',
  'search index=main [ | collect index=x ]',
  'search index=main |  SENDEMAIL to=x',
  'search index=main | `cleanup`',
  '| rest /services/server/info',
  'index=main',
])('[SRC-62a] Splunk is not asked to run %s', async (search) => {
  const { toolset } = await open(vendors[3] as Vendor, 'http://127.0.0.1:1');
  expect(() => toolset.made[0]?.parse({ search })).toThrow();
});

test('[SRC-62b] ServiceNow is not asked to run a script', async () => {
  const { toolset } = await open(vendors[6] as Vendor, 'http://127.0.0.1:1');
  for (const tool of toolset.made)
    expect(() => tool.parse({ query: 'active=true^xIN javascript:gs.nil()' })).toThrow(/not run/);
});

describe.each([
  {
    name: 'aws',
    program: 'aws',
    tool: 'aws_read',
    reads:
      'cloudtrail lookup-events --max-items 5;ecs describe-services --cluster a --services b;rds describe-db-instances;logs filter-log-events --log-group-name x;cloudwatch get-metric-statistics --namespace AWS/RDS',
    others:
      'secretsmanager get-secret-value --secret-id x;ssm get-parameter --name x --with-decryption;s3 cp s3://a/b .;ec2 terminate-instances --instance-ids i-1;sts get-caller-identity --endpoint-url http://x;sts get-session-token;lambda invoke --function-name f out',
  },
  {
    name: 'gcloud',
    program: 'gcloud',
    tool: 'gcloud_read',
    reads:
      'compute instances list;logging read severity>=ERROR --freshness=1h --limit=50;sql instances describe db',
    others:
      'secrets versions access latest --secret=x;auth print-access-token;compute instances delete a;container clusters get-credentials c',
  },
  {
    name: 'azure',
    program: 'az',
    tool: 'azure_read',
    reads:
      'vm list;monitor activity-log list --offset 2h;monitor log-analytics query -w id --analytics-query AppTraces',
    others: 'keyvault secret show --name x;vm delete --name x;account get-access-token;rest --uri x',
  },
])('$name', ({ name, program, tool, reads, others }) => {
  const opened = async () => {
    const folder = await temporaryFolder();
    const script = join(folder, program);
    await writeFile(script, '#!/bin/sh\necho "ran $*"\n');
    await chmod(script, 0o755);
    const bench = starterToolset(name, {}, { path: `${folder}:${process.env['PATH']}` });
    return { bench, toolset: await bench.open() };
  };

  test('[SRC-63a] runs what only reads', async () => {
    const { bench, toolset } = await opened();
    for (const line of reads.split(';')) {
      const words = line.split(' ');
      expect((await bench.returnOf(toolset, tool, { words })).text).toBe(`ran ${line}\n`);
      expect((await toolset.made[0]?.inspect?.({ words }))?.actions).toMatchObject([{ effect: 'read' }]);
    }
  });

  test('[SRC-63b] refuses what changes something or prints a secret, and a rule that allows it changes nothing', async () => {
    const { bench, toolset } = await opened();
    for (const line of others.split(';')) {
      const words = line.split(' ');
      expect((await toolset.made[0]?.inspect?.({ words }))?.actions).toMatchObject([{ decision: 'deny' }]);
      expect(await bench.returnOf(toolset, tool, { words })).toMatchObject({
        isError: true,
        text: expect.stringMatching(/^Not run\. /),
        outcome: 'refused',
      });
    }
  });
});

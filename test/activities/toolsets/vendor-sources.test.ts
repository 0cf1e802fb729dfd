// Sources that vendors run: each against a local server that demands what the vendor's API description demands, and answers in
// its shapes. Nobody has tried them on the vendors' servers yet.
import { expect, test } from 'vitest';
import type { ToolReturn } from '../../../src/activities/tools/define-tool.ts';
import type { Json } from '@holdfast/base/json';
import { type SourceRoute, startSourceApi } from '../../support/source-api.ts';
import { plantedPassword, starterToolset } from '../../support/toolset-bench.ts';

const now = Date.parse('2026-11-28T05:30:00Z');
const end = '2026-11-28T05:30:00Z';
const hourBefore = '2026-11-28T04:30:00Z';
const dayBefore = '2026-11-27T05:30:00Z';
const inMs = (time: string): string => String(Date.parse(time));
const inSeconds = (time: string): string => String(Date.parse(time) / 1_000);
const secret = 'secret://password';

type Asked = {
  tool: string;
  args?: Json;
  route: SourceRoute;
  /** The lines that the model reads. */
  shows: string[];
  /** A part of the address for people. */
  link?: string;
};

type Source = {
  /** By its settings, beside `url`. */
  settings: Record<string, string>;
  /** As the vendor wants them. */
  headers: Record<string, string>;
  asked: [Asked, ...Asked[]];
  /** Its answer when there is nothing, to the first of `asked`. */
  nothing: Json;
};

/** The search of events with this query, and one deployment as its answer. */
const deployedRoute = (query: string, limit: number): SourceRoute => ({
  method: 'POST',
  path: '/api/v2/events/search',
  body: { filter: { query, from: inMs(dayBefore), to: inMs(end) }, sort: '-timestamp', page: { limit } },
  answer: {
    data: [
      {
        id: 'E1',
        type: 'event',
        attributes: {
          timestamp: '2026-11-28T05:00:00.000Z',
          message: 'by ana\nfrom ci',
          tags: ['service:shop'],
          attributes: { title: 'Deployed 2.1' },
        },
      },
    ],
  },
});

/** https://docs.datadoghq.com/api: Logs v2 search, Metrics v1 query, Monitors v1 search, Events v2 search. */
const datadog: Source = {
  settings: { api_key: secret, application_key: secret },
  headers: { 'dd-api-key': plantedPassword, 'dd-application-key': plantedPassword },
  nothing: { data: [], meta: { elapsed: 12, status: 'done' } },
  asked: [
    {
      tool: 'datadog_logs',
      args: { query: 'service:shop status:error', limit: 2 },
      route: {
        method: 'POST',
        path: '/api/v2/logs/events/search',
        body: {
          filter: { query: 'service:shop status:error', from: inMs(hourBefore), to: inMs(end) },
          sort: '-timestamp',
          page: { limit: 2 },
        },
        answer: {
          data: [
            {
              id: 'AAA',
              type: 'log',
              attributes: {
                timestamp: '2026-11-28T05:29:50.000Z',
                status: 'error',
                service: 'shop',
                host: 'web-1',
                message: `connect ECONNREFUSED ${'x'.repeat(2_000)}`,
                tags: ['env:production'],
                attributes: {},
              },
            },
            {
              id: 'AAB',
              type: 'log',
              attributes: {
                timestamp: '2026-11-28T05:28:20.000Z',
                status: 'error',
                host: 'web-2',
                attributes: { code: 7 },
              },
            },
          ],
          meta: { page: { after: 'cursor' }, status: 'done' },
        },
      },
      shows: [
        '2 of at least 2: the limit is reached, and there may be more',
        `2026-11-28T05:29:50.000Z error shop: connect ECONNREFUSED ${'x'.repeat(278)}…`,
        '2026-11-28T05:28:20.000Z error web-2: {"code":7}',
      ],
      link: `/logs?query=service%3Ashop+status%3Aerror&from_ts=${inMs(hourBefore)}`,
    },
    {
      tool: 'datadog_metrics',
      args: { query: 'avg:system.cpu.user{service:shop} by {host}' },
      route: {
        path: '/api/v1/query',
        query: {
          query: 'avg:system.cpu.user{service:shop} by {host}',
          from: inSeconds(hourBefore),
          to: inSeconds(end),
        },
        answer: {
          status: 'ok',
          res_type: 'time_series',
          series: [
            {
              metric: 'system.cpu.user',
              expression: 'avg:system.cpu.user',
              scope: 'host:web-1',
              pointlist: [
                [1795843200000, 1],
                [1795843260000, 9.5],
              ],
            },
          ],
        },
      },
      shows: [
        'avg:system.cpu.user{host:web-1}: 2 samples, 2026-11-28T05:20:00Z to 2026-11-28T05:21:00Z',
        '  min 1 @ 2026-11-28T05:20:00Z, max 9.5 @ 2026-11-28T05:21:00Z, mean 5.25, last 9.5',
      ],
    },
    {
      tool: 'datadog_monitors',
      route: {
        path: '/api/v1/monitor/search',
        query: { query: 'status:(alert OR warn)', per_page: '50', sort: 'status,desc' },
        answer: {
          monitors: [
            {
              id: 7,
              name: 'Errors of the shop',
              status: 'Alert',
              type: 'query alert',
              query: 'avg(last_5m):sum:shop.errors{*} > 5',
              last_triggered_ts: 1795843200,
              scopes: ['service:shop'],
              tags: [],
            },
          ],
          metadata: { total_count: 3, page: 0, page_count: 1, per_page: 50 },
        },
      },
      shows: [
        '1 of 3: the rest is left out',
        'Alert since 2026-11-28T05:20:00.000Z Errors of the shop (7): avg(last_5m):sum:shop.errors{*} > 5 [service:shop]',
      ],
      link: '/monitors/manage?q=status',
    },
    {
      tool: 'datadog_events',
      route: deployedRoute('*', 50),
      shows: ['2026-11-28T05:00:00.000Z Deployed 2.1 [service:shop]: by ana from ci'],
    },
    {
      tool: 'datadog_changes',
      route: deployedRoute('source:deployment OR deployment OR deployed', 200),
      shows: ['2026-11-28T05:00:00Z Deployed 2.1 (service:shop) E1'],
    },
  ],
};

const nrqlAnswer = (...results: Json[]): Json => ({ data: { actor: { account: { nrql: { results } } } } });

/** NerdGraph's one address, with this query of NRQL. */
const nrqlRoute = (nrql: string, results: Json[], timeout = 30): SourceRoute => ({
  method: 'POST',
  path: '/graphql',
  body: {
    query: `query($nrql: Nrql!) { actor { account(id: 42) { nrql(query: $nrql, timeout: ${timeout}) { results } } } }`,
    variables: { nrql },
  },
  answer: nrqlAnswer(...results),
});

/** https://docs.newrelic.com: NerdGraph, NRQL and the event type NrAiIncident. */
const newrelic: Source = {
  settings: { account: '42', api_key: secret },
  headers: { 'api-key': plantedPassword },
  nothing: nrqlAnswer(),
  asked: [
    {
      tool: 'newrelic_query',
      args: { query: 'SELECT * FROM Log LIMIT 3' },
      route: nrqlRoute(`SELECT * FROM Log LIMIT 3 SINCE ${inMs(hourBefore)} UNTIL ${inMs(end)}`, [
        { timestamp: 1795843790000, level: 'ERROR', message: 'out of memory', hostname: 'web-1' },
        { count: 3, facet: 'shop' },
      ]),
      shows: ['2026-11-28T05:29:50.000Z ERROR web-1: out of memory', '{"count":3,"facet":"shop"}'],
    },
    {
      tool: 'newrelic_series',
      args: {
        query: 'SELECT average(duration), percentile(duration, 95) FROM Transaction TIMESERIES FACET appName',
      },
      route: nrqlRoute(
        `SELECT average(duration), percentile(duration, 95) FROM Transaction TIMESERIES FACET appName SINCE ${inMs(hourBefore)} UNTIL ${inMs(end)}`,
        [1, 3].map((value, index) => ({
          beginTimeSeconds: 1795843200 + 60 * index,
          endTimeSeconds: 1795843260 + 60 * index,
          facet: 'shop',
          appName: 'shop',
          'average.duration': value,
          'percentile.duration': { '95': value * 2 },
        })),
      ),
      shows: [
        'average.duration shop: 2 samples, 2026-11-28T05:20:00Z to 2026-11-28T05:21:00Z',
        'percentile.duration 95 shop: 2 samples, 2026-11-28T05:20:00Z to 2026-11-28T05:21:00Z',
      ],
    },
    {
      tool: 'newrelic_incidents',
      route: nrqlRoute(
        `SELECT event, priority, title, conditionName, policyName, targetName, incidentLink FROM NrAiIncident WHERE event IN ('open', 'close') LIMIT 100 SINCE ${inMs(dayBefore)} UNTIL ${inMs(end)}`,
        [
          {
            timestamp: 1795843200000,
            event: 'open',
            priority: 'critical',
            title: 'Error rate above 5',
            conditionName: 'Errors',
            policyName: 'Shop',
            targetName: 'shop',
          },
        ],
      ),
      shows: [
        '2026-11-28T05:20:00.000Z open critical Error rate above 5 (condition Errors, policy Shop) on shop',
      ],
    },
    {
      tool: 'newrelic_deployments',
      route: nrqlRoute(
        `SELECT timestamp, entity.name, version, user, description, commit FROM Deployment SINCE ${inMs(dayBefore)} UNTIL ${inMs(end)} LIMIT 100`,
        [
          {
            timestamp: 1795842000000,
            'entity.name': 'shop',
            version: '2.1',
            user: 'ana',
            description: 'smaller pool',
            commit: 'abc123',
          },
        ],
        20,
      ),
      shows: ['2026-11-28T05:00:00Z ana: 2.1: smaller pool (shop) abc123'],
    },
  ],
};

/** https://docs.sentry.io/api: issues of an organization, an event of an issue, releases. */
const sentry: Source = {
  settings: { organization: 'shop', authorization: `Bearer ${secret}` },
  headers: { authorization: `Bearer ${plantedPassword}` },
  nothing: [],
  asked: [
    {
      tool: 'sentry_issues',
      route: {
        path: '/api/0/organizations/shop/issues/',
        query: { query: 'is:unresolved', sort: 'date', start: dayBefore, end, limit: '30', project: '-1' },
        answer: [
          {
            id: '101',
            shortId: 'SHOP-3',
            title: 'PoolTimeout: no free connection',
            culprit: 'shop.pay in charge',
            level: 'error',
            status: 'unresolved',
            count: '412',
            userCount: 88,
            firstSeen: '2026-11-28T05:01:00Z',
            lastSeen: '2026-11-28T05:29:00Z',
            permalink: 'https://sentry.io/organizations/shop/issues/101/',
            project: { id: '1', slug: 'shop', name: 'Shop' },
          },
        ],
      },
      shows: [
        '2026-11-28T05:29:00Z error SHOP-3 (101) PoolTimeout: no free connection in shop.pay in charge: 412 events, 88 users, since 2026-11-28T05:01:00Z, unresolved',
      ],
      link: '/organizations/shop/issues/?query=is%3Aunresolved',
    },
    {
      tool: 'sentry_event',
      args: { issue: '101' },
      route: {
        path: '/api/0/organizations/shop/issues/101/events/latest/',
        answer: {
          eventID: 'a'.repeat(32),
          title: 'PoolTimeout: no free connection',
          dateCreated: '2026-11-28T05:29:00Z',
          release: { version: 'shop@2.1' },
          tags: [{ key: 'environment', value: 'production' }],
          entries: [
            {
              type: 'exception',
              data: {
                values: [
                  {
                    type: 'PoolTimeout',
                    value: 'no free connection within 3000 ms',
                    stacktrace: {
                      frames: [
                        {
                          filename: 'http/server.py',
                          function: 'handle',
                          lineNo: 10,
                          inApp: false,
                          context: [],
                        },
                        {
                          filename: 'shop/pay.py',
                          function: 'charge',
                          lineNo: 42,
                          inApp: true,
                          context: [
                            [41, '  # the pool'],
                            [42, '  with pool.get() as connection:'],
                          ],
                        },
                      ],
                    },
                  },
                ],
              },
            },
            {
              type: 'breadcrumbs',
              data: {
                values: [
                  {
                    timestamp: '2026-11-28T05:28:59Z',
                    level: 'info',
                    category: 'http',
                    message: 'GET /cart',
                  },
                ],
              },
            },
          ],
        },
      },
      shows: [
        '2026-11-28T05:29:00Z PoolTimeout: no free connection, release shop@2.1',
        'PoolTimeout: no free connection within 3000 ms',
        '  * shop/pay.py:42 charge | with pool.get() as connection:',
        '    http/server.py:10 handle',
        'tags: environment=production',
        '2026-11-28T05:28:59Z info http: GET /cart',
      ],
      link: '/organizations/shop/issues/101/events/latest/',
    },
    {
      tool: 'sentry_changes',
      route: {
        path: '/api/0/organizations/shop/releases/',
        query: { per_page: '100' },
        answer: [
          {
            version: 'shop@2.1',
            dateCreated: '2026-11-28T04:50:00Z',
            dateReleased: null,
            lastDeploy: { environment: 'production', dateFinished: '2026-11-28T05:00:00Z' },
            newGroups: 2,
            commitCount: 3,
            authors: [{ name: 'Ana', email: 'ana@shop.example' }],
            projects: [{ slug: 'shop' }],
          },
          {
            version: 'shop@2.0',
            dateCreated: '2026-11-20T04:50:00Z',
            dateReleased: null,
            lastDeploy: null,
            newGroups: 0,
            commitCount: 1,
            authors: [],
            projects: [{ slug: 'shop' }],
          },
        ],
      },
      shows: [
        '2026-11-28T05:00:00Z Ana: deployed to production shop@2.1, 3 commits, 2 new issues (shop)',
        '2026-11-20T04:50:00Z release shop@2.0, 1 commits, 0 new issues (shop)',
      ],
    },
  ],
};

/** https://docs.splunk.com, REST API reference 9.4: search/v2/jobs/export and alerts/fired_alerts. */
const splunk: Source = {
  settings: { ui: 'https://splunk.example.com/en-US', authorization: `Bearer ${secret}` },
  headers: { authorization: `Bearer ${plantedPassword}` },
  nothing: { preview: false, init_offset: 0, messages: [] },
  asked: [
    {
      tool: 'splunk_search',
      args: { query: 'search index=shop "a | b" error' },
      route: {
        method: 'POST',
        path: '/services/search/v2/jobs/export',
        form: {
          search: 'search index=shop "a | b" error | head 100',
          earliest_time: inSeconds(hourBefore),
          latest_time: inSeconds(end),
          output_mode: 'json',
          max_time: '55',
          preview: 'false',
        },
        answer: [
          {
            preview: false,
            offset: 0,
            result: {
              _time: '2026-11-28T05:29:50.000+00:00',
              host: 'web-1',
              sourcetype: 'shop',
              _raw: 'out of memory',
            },
          },
          { preview: false, offset: 1, lastrow: true, result: { count: '3' } },
        ]
          .map((line) => JSON.stringify(line))
          .join('\n'),
      },
      shows: ['2026-11-28T05:29:50.000+00:00 web-1 shop: out of memory', '{"count":"3"}'],
      link: '/en-US/app/search/search?q=search+index%3Dshop',
    },
    {
      tool: 'splunk_alerts',
      route: {
        path: '/servicesNS/-/-/alerts/fired_alerts/-',
        query: { output_mode: 'json', count: '50', sort_key: 'trigger_time', sort_dir: 'desc' },
        answer: {
          entry: [
            {
              name: 'x',
              content: {
                savedsearch_name: 'Errors',
                severity: 4,
                trigger_time: 1795843200,
                triggered_alerts: 2,
              },
            },
          ],
        },
      },
      shows: ['2026-11-28T05:20:00.000Z Errors, severity 4, 2 times'],
    },
  ],
};

/** https://developer.pagerduty.com, REST API v2. */
const pagerduty: Source = {
  settings: { ui: 'https://shop.pagerduty.com', authorization: `Token token=${secret}` },
  headers: {
    authorization: `Token token=${plantedPassword}`,
    accept: 'application/vnd.pagerduty+json;version=2',
  },
  nothing: { incidents: [], limit: 50, offset: 0, more: false, total: null },
  asked: [
    {
      tool: 'pagerduty_incidents',
      route: {
        path: '/incidents',
        query: { since: dayBefore, until: end, time_zone: 'UTC', sort_by: 'created_at:desc', limit: '50' },
        answer: {
          incidents: [
            {
              id: 'Q0AB12CD',
              incident_number: 7,
              title: 'Shop is slow',
              status: 'acknowledged',
              urgency: 'high',
              created_at: '2026-11-28T05:02:00Z',
              resolved_at: null,
              service: { id: 'P1', summary: 'Shop' },
              assignments: [{ at: '2026-11-28T05:02:00Z', assignee: { summary: 'Ana' } }],
              html_url: 'https://shop.pagerduty.com/incidents/Q0AB12CD',
            },
          ],
          more: true,
        },
      },
      shows: [
        '1 of at least 1: the limit is reached, and there may be more',
        '2026-11-28T05:02:00Z acknowledged high Q0AB12CD Shop is slow, service Shop, assigned to Ana',
      ],
      link: '/incidents',
    },
    {
      tool: 'pagerduty_alerts',
      args: { incident: 'Q0AB12CD' },
      route: {
        path: '/incidents/Q0AB12CD/alerts',
        query: { limit: '50', sort_by: 'created_at:desc' },
        answer: {
          alerts: [
            {
              id: 'A1',
              summary: 'p99 above 2 s',
              severity: 'critical',
              status: 'triggered',
              created_at: '2026-11-28T05:02:00Z',
              service: { summary: 'Shop' },
              body: { type: 'alert_body', details: { p99: '3.1' } },
            },
          ],
        },
      },
      shows: ['2026-11-28T05:02:00Z critical triggered p99 above 2 s, service Shop {"p99":"3.1"}'],
      link: '/incidents/Q0AB12CD',
    },
    {
      tool: 'pagerduty_log',
      args: { incident: 'Q0AB12CD' },
      route: {
        path: '/incidents/Q0AB12CD/log_entries',
        query: { limit: '100', time_zone: 'UTC' },
        answer: {
          log_entries: [
            {
              created_at: '2026-11-28T05:02:00Z',
              summary: 'Triggered through the API',
              agent: { summary: 'Grafana' },
            },
            { created_at: '2026-11-28T05:04:00Z', summary: 'Acknowledged', agent: { summary: 'Ana' } },
          ],
        },
      },
      shows: [
        '2026-11-28T05:04:00Z Acknowledged by Ana',
        '2026-11-28T05:02:00Z Triggered through the API by Grafana',
      ],
    },
    {
      tool: 'pagerduty_oncalls',
      route: {
        path: '/oncalls',
        query: { since: end, until: end, time_zone: 'UTC', limit: '100' },
        answer: {
          oncalls: [
            {
              escalation_policy: { summary: 'Shop' },
              escalation_level: 1,
              schedule: { summary: 'Night' },
              user: { summary: 'Ana' },
              start: '2026-11-27T18:00:00Z',
              end: '2026-11-28T08:00:00Z',
            },
          ],
        },
      },
      shows: ['Shop, level 1: Ana by Night until 2026-11-28T08:00:00Z'],
    },
    {
      tool: 'pagerduty_changes',
      route: {
        path: '/change_events',
        query: { since: dayBefore, until: end, limit: '100' },
        answer: {
          change_events: [
            {
              id: 'C1',
              timestamp: '2026-11-28T05:00:00Z',
              summary: 'Deployed 2.1',
              source: 'ci',
              services: [{ summary: 'Shop' }],
              links: [{ href: 'https://ci.example/1' }],
            },
          ],
        },
      },
      shows: ['2026-11-28T05:00:00Z ci: Deployed 2.1 (Shop) <https://ci.example/1>'],
    },
  ],
};

/** https://docs.opsgenie.com: Alert API and Who Is On Call API. */
const opsgenie: Source = {
  settings: { ui: 'https://shop.app.opsgenie.com', authorization: `GenieKey ${secret}` },
  headers: { authorization: `GenieKey ${plantedPassword}` },
  nothing: { data: [], took: 0.1, requestId: 'r' },
  asked: [
    {
      tool: 'opsgenie_alerts',
      route: {
        path: '/v2/alerts',
        query: {
          query: `(count > 0) AND createdAt >= ${inMs(dayBefore)} AND createdAt <= ${inMs(end)}`,
          sort: 'createdAt',
          order: 'desc',
          limit: '100',
        },
        answer: {
          data: [
            {
              id: '70413a06',
              tinyId: '1791',
              message: 'Shop is slow',
              status: 'open',
              acknowledged: true,
              priority: 'P1',
              source: 'grafana',
              count: 79,
              createdAt: '2026-11-28T05:02:00Z',
              lastOccurredAt: '2026-11-28T05:29:00Z',
              owner: 'ana@shop.example',
              tags: ['shop'],
            },
          ],
        },
      },
      shows: [
        '2026-11-28T05:02:00Z open acknowledged P1 Shop is slow from grafana, 79 times, last 2026-11-28T05:29:00Z, owner ana@shop.example [shop], id 70413a06',
      ],
    },
    {
      tool: 'opsgenie_alert_log',
      args: { id: '70413a06' },
      route: {
        path: '/v2/alerts/70413a06/logs',
        query: { order: 'desc', limit: '100' },
        answer: {
          data: [
            {
              log: 'Alert acknowledged',
              type: 'alertRecipient',
              owner: 'ana',
              createdAt: '2026-11-28T05:04:00Z',
            },
          ],
        },
      },
      shows: ['2026-11-28T05:04:00Z Alert acknowledged by ana'],
      link: '/alert/detail/70413a06/details',
    },
    {
      tool: 'opsgenie_oncalls',
      route: {
        path: '/v2/schedules/on-calls',
        query: { flat: 'true' },
        answer: {
          data: [
            { _parent: { id: 's', name: 'Night', enabled: true }, onCallRecipients: ['ana@shop.example'] },
            { _parent: { id: 't', name: 'Day', enabled: true }, onCallRecipients: [] },
          ],
        },
      },
      shows: ['Night: ana@shop.example', 'Day: nobody'],
    },
  ],
};

/** A table that has this record. */
const tableRoute = (table: string, query: SourceRoute['query'], record: Json): SourceRoute => ({
  path: `/api/now/table/${table}`,
  query: { sysparm_display_value: 'true', sysparm_exclude_reference_link: 'true', ...query },
  answer: { result: [record] },
});

const changeRequest = {
  number: 'CHG0030001',
  type: 'Normal',
  state: 'Implement',
  risk: 'Moderate',
  short_description: 'Resize the pool',
  cmdb_ci: 'shop-db',
  assigned_to: 'Ana',
  requested_by: 'Ben',
  start_date: '2026-11-28 05:00:00',
  end_date: '2026-11-28 06:00:00',
  work_start: '2026-11-28 05:00:10',
  work_end: '',
};

/** https://docs.servicenow.com: Table API. */
const servicenow: Source = {
  settings: { authorization: `Basic ${secret}` },
  headers: { authorization: `Basic ${plantedPassword}`, accept: 'application/json' },
  nothing: { result: [] },
  asked: [
    {
      tool: 'servicenow_incidents',
      args: { query: 'priority<=2' },
      route: tableRoute(
        'incident',
        {
          sysparm_query:
            'opened_at>=2026-11-27 05:30:00^opened_at<=2026-11-28 05:30:59^priority<=2^ORDERBYDESCopened_at',
          sysparm_fields: /^number,opened_at,/,
          sysparm_limit: '100',
        },
        {
          number: 'INC0012345',
          opened_at: '2026-11-28 05:02:00',
          state: 'In Progress',
          priority: '1 - Critical',
          short_description: 'Shop is slow',
          cmdb_ci: 'shop-db',
          assignment_group: 'Operations',
          assigned_to: '',
          resolved_at: '',
        },
      ),
      shows: [
        '2026-11-28 05:02:00 INC0012345 1 - Critical, In Progress: Shop is slow on shop-db, Operations',
      ],
      link: '/incident_list.do?sysparm_query=opened_at',
    },
    {
      tool: 'servicenow_changes',
      route: tableRoute(
        'change_request',
        {
          sysparm_query:
            /^start_date<=2026-11-28 05:30:59\^end_date>=2026-11-27 05:30:00\^NQwork_start<=2026-11-28 05:30:59/,
          sysparm_fields: /^number,type,/,
          sysparm_limit: '100',
        },
        changeRequest,
      ),
      shows: [
        'worked on 2026-11-28 05:00:10 to now: CHG0030001 Normal, Implement, risk Moderate: Resize the pool on shop-db, by Ana',
      ],
    },
    {
      tool: 'servicenow_record',
      args: { number: 'CHG0030001' },
      route: tableRoute(
        'task',
        { sysparm_query: 'number=CHG0030001', sysparm_limit: '1' },
        {
          number: 'CHG0030001',
          state: 'Implement',
          priority: '3',
          short_description: 'Resize the pool',
          description: 'From 20 to 5 connections',
          close_notes: '',
          sys_id: 'x',
        },
      ),
      shows: ['CHG0030001 Implement, 3: Resize the pool', 'description: From 20 to 5 connections'],
    },
    {
      tool: 'servicenow_change_requests',
      route: tableRoute(
        'change_request',
        {
          sysparm_query:
            /^work_start>=2026-11-27 05:30:00\^work_start<=2026-11-28 05:30:59\^NQwork_startISEMPTY\^start_date>=/,
          sysparm_fields: /^number,type,/,
          sysparm_limit: '200',
        },
        { ...changeRequest, assigned_to: '', work_start: '' },
      ),
      shows: ['2026-11-28T05:00:00Z Ben: Resize the pool (Normal, Implement, planned) (shop-db) CHG0030001'],
    },
  ],
};

/** An issue that is open, and by itself has no words, comments or people. */
const issueRoute = (key: string, fields: Record<string, Json>, ...histories: Json[]): SourceRoute => ({
  path: `/rest/api/2/issue/${key}`,
  query: { fields: /^summary,.*comment$/, expand: 'changelog' },
  answer: {
    key,
    fields: {
      status: { name: 'Open' },
      priority: null,
      assignee: null,
      created: 'c',
      updated: 'u',
      description: null,
      comment: { comments: [] },
      ...fields,
    },
    changelog: { histories },
  },
});

/** https://developer.atlassian.com: Jira Cloud platform, search/jql (v3) and issue (v2). */
const jira: Source = {
  settings: { authorization: `Basic ${secret}` },
  headers: { authorization: `Basic ${plantedPassword}` },
  nothing: { issues: [], isLast: true },
  asked: [
    {
      tool: 'jira_search',
      args: { query: 'project = SHOP OR text ~ "pool"' },
      route: {
        path: '/rest/api/3/search/jql',
        query: {
          jql: '(project = SHOP OR text ~ "pool") AND updated >= "2026-11-27 05:30" AND updated <= "2026-11-28 05:30" ORDER BY updated DESC',
          fields: /^summary,/,
          maxResults: '50',
        },
        answer: {
          issues: [
            {
              id: '1',
              key: 'SHOP-12',
              fields: {
                summary: 'Pool exhausted',
                status: { name: 'Open' },
                priority: { name: 'High' },
                issuetype: { name: 'Incident' },
                assignee: null,
                created: '2026-11-28T05:10:00.000+0000',
                updated: '2026-11-28T05:20:00.000+0000',
              },
            },
          ],
          isLast: false,
          nextPageToken: 'x',
        },
      },
      shows: [
        '1 of at least 1: the limit is reached, and there may be more',
        '2026-11-28T05:20:00.000+0000 SHOP-12 Incident, Open, High: Pool exhausted, made 2026-11-28T05:10:00.000+0000',
      ],
      link: '/issues/?jql=',
    },
    {
      tool: 'jira_issue',
      args: { key: 'SHOP-12' },
      route: issueRoute(
        'SHOP-12',
        {
          summary: 'Pool exhausted',
          assignee: { displayName: 'Ana' },
          description: 'Since 5:00.',
          comment: {
            comments: [
              { created: '2026-11-28T05:11:00.000+0000', author: { displayName: 'Ana' }, body: 'first' },
              { created: '2026-11-28T05:12:00.000+0000', author: { displayName: 'Ben' }, body: 'second' },
            ],
          },
        },
        {
          created: '2026-11-28T05:13:00.000+0000',
          author: { displayName: 'Ben' },
          items: [
            { field: 'status', fromString: 'New', toString: 'Open' },
            { field: 'assignee', fromString: null, toString: 'Ana' },
          ],
        },
      ),
      shows: [
        'Open: Pool exhausted, Ana, made c, changed u',
        'Since 5:00.',
        '2026-11-28T05:12:00.000+0000 Ben: second',
        '2026-11-28T05:11:00.000+0000 Ana: first',
        '2026-11-28T05:13:00.000+0000 Ben changed status from New to Open',
        '2026-11-28T05:13:00.000+0000 Ben changed assignee from nothing to Ana',
      ],
      link: '/browse/SHOP-12',
    },
    {
      tool: 'jira_issue',
      args: { key: 'SHOP-13' },
      route: issueRoute('SHOP-13', { summary: 'Without words' }),
      shows: ['Open: Without words, made c, changed u'],
      link: '/browse/SHOP-13',
    },
  ],
};

/** https://developer.atlassian.com: Confluence Cloud, search (v1) and pages (v2). */
const confluence: Source = {
  settings: { authorization: `Basic ${secret}` },
  headers: { authorization: `Basic ${plantedPassword}` },
  nothing: { results: [], start: 0, limit: 20, size: 0, totalSize: 0 },
  asked: [
    {
      tool: 'confluence_search',
      args: { query: 'text ~ "pool"' },
      route: {
        path: '/wiki/rest/api/search',
        query: { cql: 'text ~ "pool"', limit: '20', excerpt: 'indexed' },
        answer: {
          results: [
            {
              content: { id: '9001', type: 'page', status: 'current', title: 'Pool' },
              title: 'Pool of connections',
              excerpt: 'When the pool\nis exhausted',
              url: '/spaces/OPS/pages/9001',
              resultGlobalContainer: { title: 'Operations' },
              lastModified: '2026-11-01T00:00:00.000Z',
            },
          ],
        },
      },
      shows: [
        '9001 Pool of connections in Operations, changed 2026-11-01T00:00:00.000Z: When the pool is exhausted',
      ],
    },
    {
      tool: 'confluence_page',
      args: { id: '9001' },
      route: {
        path: '/wiki/api/v2/pages/9001',
        query: { 'body-format': 'storage' },
        answer: {
          id: '9001',
          title: 'Pool of connections',
          version: { number: 3, createdAt: '2026-11-01T00:00:00.000Z' },
          body: {
            storage: {
              representation: 'storage',
              value:
                '<h2>First</h2><p>Look at <strong>waits</strong> &gt; 5&nbsp;s</p><ac:structured-macro ac:name="code"><ac:plain-text-body><![CDATA[show pool]]></ac:plain-text-body></ac:structured-macro>',
            },
          },
        },
      },
      shows: [
        'Pool of connections, version 3 of 2026-11-01T00:00:00.000Z',
        'First',
        'Look at waits > 5 s',
        'show pool',
      ],
      link: '/wiki/pages/viewpage.action?pageId=9001',
    },
  ],
};

const page = '59833787-2cf9-4fdf-8782-e53db20768a5';
const words = (text: string): Json => [{ type: 'text', plain_text: text }];
const block = (type: string, text: string, more: Record<string, Json> = {}): Json => ({
  object: 'block',
  id: 'b1',
  type,
  has_children: false,
  ...more,
  [type]: { rich_text: words(text), ...(more[type] as object | undefined) },
});

/** https://developers.notion.com, version 2022-06-28. */
const notion: Source = {
  settings: { authorization: `Bearer ${secret}` },
  headers: { authorization: `Bearer ${plantedPassword}`, 'notion-version': '2022-06-28' },
  nothing: { object: 'list', results: [], has_more: false, next_cursor: null },
  asked: [
    {
      tool: 'notion_search',
      args: { query: 'pool' },
      route: {
        method: 'POST',
        path: '/v1/search',
        body: {
          query: 'pool',
          filter: { property: 'object', value: 'page' },
          sort: { direction: 'descending', timestamp: 'last_edited_time' },
          page_size: 30,
        },
        answer: {
          object: 'list',
          results: [
            {
              object: 'page',
              id: page,
              last_edited_time: '2026-11-01T00:00:00.000Z',
              properties: {
                Owner: { id: 'o', type: 'people', people: [] },
                Name: { id: 'title', type: 'title', title: words('Pool of connections') },
              },
            },
          ],
          has_more: false,
        },
      },
      shows: [`2026-11-01T00:00:00.000Z ${page} Pool of connections`],
    },
    {
      tool: 'notion_page',
      args: { id: page },
      route: {
        path: `/v1/blocks/${page}/children`,
        query: { page_size: '100' },
        answer: {
          object: 'list',
          results: [
            block('heading_2', 'First'),
            block('paragraph', 'Look at waits'),
            block('paragraph', ''),
            block('to_do', 'restart', { to_do: { checked: true } }),
            block('toggle', 'Details', { has_children: true }),
          ],
          has_more: true,
          next_cursor: 'c-1',
        },
      },
      shows: [
        '## First',
        'Look at waits',
        '[x] restart',
        'Details (more in b1)',
        'Continues with cursor c-1',
      ],
      link: `/${page}`,
    },
  ],
};

const applications: Json = {
  items: [
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
  ],
};

/** Argo CD's API: https://cd.apps.argoproj.io/swagger-ui */
const argocd: Source = {
  settings: { authorization: `Bearer ${secret}` },
  headers: { authorization: `Bearer ${plantedPassword}` },
  nothing: { items: null },
  asked: [
    {
      tool: 'argocd_applications',
      route: { path: '/api/v1/applications', answer: applications },
      shows: [
        'Degraded Synced shop 9f3c2d1e, last sync Succeeded 2026-11-28T05:10:20Z: successfully synced. ComparisonError: x',
        'Healthy Synced blog 11111111',
      ],
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
      shows: [
        'Degraded Pod web/shop-1 since 2026-11-28T05:10:10Z: back-off restarting',
        'Healthy Service web/shop since 2026-01-01T00:00:00Z',
      ],
    },
    {
      tool: 'argocd_changes',
      route: { path: '/api/v1/applications', answer: applications },
      shows: ['2026-11-28T05:10:00Z ann: synced 9f3c2d1e of https://git/shop (shop) 7'],
    },
  ],
};

/** https://docs.github.com/rest, version 2022-11-28 */
const github: Source = {
  settings: { owner: 'shop', repository: 'checkout', authorization: `Bearer ${secret}` },
  headers: { authorization: `Bearer ${plantedPassword}` },
  nothing: { total_count: 0, workflow_runs: [] },
  asked: [
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
      shows: ['2026-11-28T05:09:00Z failure deploy #12 main 9f3c2d1e by ann: pool: 2'],
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
      shows: [
        '2026-11-28T05:08:00Z 9f3c2d1e0000 by Ann: pool: 2',
        'pool.yaml +1 -1',
        '-size: 20',
        '+size: 2',
      ],
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
      shows: [
        '2026-11-28T05:08:00Z Ann: pool: 2 9f3c2d1e <https://github.com/shop/checkout/commit/9f3c2d1e>',
      ],
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
      shows: ['2026-11-28T05:10:00Z ann: deployed main (production) 9f3c2d1e'],
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
      shows: [
        '2026-11-28T05:07:00Z ann: merged #7: pool: 2 (main) <https://github.com/shop/checkout/pull/7>',
      ],
    },
  ],
};

/** https://docs.gitlab.com/api */
const gitlab: Source = {
  settings: { project: 'shop/checkout', token: secret },
  headers: { 'private-token': plantedPassword },
  nothing: [],
  asked: [
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
      shows: ['2026-11-28T05:09:00Z failed #47 main 9f3c2d1e (push)'],
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
      shows: ['pool.yaml', '-size: 20', '+size: 2'],
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
      shows: ['2026-11-28T05:08:00Z Ann: pool: 2 9f3c2d1e <https://gitlab.com/c>'],
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
      shows: ['2026-11-28T05:10:00Z ann: deployed main: success (production) 9f3c2d1e'],
    },
    {
      tool: 'gitlab_merges',
      route: {
        path: '/api/v4/projects/shop/checkout/merge_requests',
        query: { state: 'merged', updated_after: dayBefore, order_by: 'updated_at', per_page: '100' },
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
      shows: ['2026-11-28T05:07:00Z ann: merged !7: pool: 2 (main) <https://gitlab.com/m>'],
    },
  ],
};

const sources: Record<string, Source> = {
  datadog,
  newrelic,
  sentry,
  splunk,
  pagerduty,
  opsgenie,
  servicenow,
  jira,
  confluence,
  notion,
  argocd,
  github,
  gitlab,
};
const named = Object.entries(sources);

async function opened(name: string, url: string, settings = sources[name]?.settings ?? {}) {
  const { open, returnOf } = starterToolset(name, { url, ...settings }, { now });
  const toolset = await open();
  const call = async (tool: string, args: Json = {}): Promise<ToolReturn & { link: string }> => {
    const answer = await returnOf(toolset, tool, args);
    expect(JSON.stringify(answer)).not.toContain(plantedPassword);
    const { link = '' } = (answer.details ?? {}) as { link?: string };
    return { ...answer, link };
  };
  return { made: toolset.made, readers: toolset.changes.readers, checks: toolset.checks ?? [], call };
}

const calls = named.flatMap(([name, source]) =>
  source.asked.map((asked) => [asked.tool, name, asked] as const),
);

test.each(calls)(
  '[SRC-36ab] [SRC-38ab] [SRC-43] %s of %s: its request, and the decisive lines of its answer',
  async (tool, name, asked) => {
    const { url } = await startSourceApi([asked.route], sources[name]?.headers);
    const { call } = await opened(name, url);
    const answer = await call(tool, asked.args);
    expect(answer.isError, answer.text).toBeUndefined();
    const isSeries = /_(?:metrics|series)$/.test(tool);
    const shown = answer.text.split('\n');
    expect(isSeries ? shown.filter((line) => asked.shows.includes(line)) : shown).toEqual(asked.shows);
    expect(answer.link).toContain(asked.link ?? '');
  },
);

test.each(named)(
  '[SRC-37abc] [SRC-39abc] %s: nothing found, no access, not reachable and a refused request are told apart, without the credential',
  async (name, { asked: [{ tool, args, route }], headers, nothing, settings }) => {
    const { url } = await startSourceApi([{ ...route, answer: nothing }], headers);
    const { call } = await opened(name, url);
    expect(await call(tool, args)).toMatchObject({
      text: expect.stringMatching(/^Nothing found/),
      details: { answer: 'nothing' },
    });
    const others = Object.entries(settings).map(([key, value]) => [key, value.replace(secret, 'another')]);
    const stranger = await opened(name, url, Object.fromEntries(others));
    expect(await stranger.call(tool, args)).toMatchObject({
      text: expect.stringMatching(/^No access: the source refused the request\. It needs: ./),
      details: { answer: 'no_access' },
    });
    const gone = await opened(name, 'http://127.0.0.1:1');
    expect(await gone.call(tool, args)).toMatchObject({
      text: expect.stringMatching(/^Not reachable: /),
      details: { answer: 'not_reachable' },
    });
    const wrong = await startSourceApi(
      [{ ...route, status: 400, answer: 'parse error at column 7' }],
      headers,
    );
    expect(await (await opened(name, wrong.url)).call(tool, args)).toMatchObject({
      text: expect.stringContaining('parse error at column 7'),
      isError: true,
    });
  },
);

test.each(named)('[SRC-36c] [SRC-38c] %s: its checks are calls of its own tools', async (name, { asked }) => {
  const { checks, made, readers } = await opened(name, 'http://127.0.0.1:1');
  const tools = new Set([...made, ...readers].map(({ spec }) => spec.name));
  expect(tools).toEqual(new Set(asked.map(({ tool }) => tool)));
  expect(checks.length).toBeGreaterThan(0);
  for (const { tool, with: args = {} } of checks)
    expect(() => made.find(({ spec }) => spec.name === tool)?.parse(args)).not.toThrow();
});

test.each(named)('[SRC-42] %s: its tools only read, and cost at most 450 tokens', async (name) => {
  const { made } = await opened(name, 'http://127.0.0.1:1');
  const specs = made.map(({ spec }) => spec);
  const shown = specs.map(({ name: tool, description, parameters }) => ({ tool, description, parameters }));
  expect(specs.filter(({ effect }) => effect !== 'read')).toEqual([]);
  // four bytes are about a token
  expect(JSON.stringify(shown).length / 4).toBeLessThan(450);
});

test.each(['timed_out', 'startup_failure', 'action_required', 'waiting'])(
  '[SRC-36b] github: runs that are %s, and no failure to GitHub, can be asked for',
  async (status) => {
    const { route } = github.asked[0];
    const answer = {
      total_count: 1,
      workflow_runs: [{ created_at: end, conclusion: status, head_sha: '9f3c' }],
    };
    const { url } = await startSourceApi([{ ...route, query: { ...route.query, status }, answer }]);
    const { call } = await opened('github', url);
    expect((await call('github_runs', { status })).text).toBe(`${end} ${status} 9f3c`);
  },
);

test('[SRC-38d] a query that New Relic or Datadog refuses inside of a good answer says so', async () => {
  const [query] = newrelic.asked;
  const refusal = { errors: [{ message: 'NRQL Syntax Error at line 1' }], data: null };
  const { url } = await startSourceApi([{ ...query.route, answer: refusal }], newrelic.headers);
  expect(await (await opened('newrelic', url)).call(query.tool, query.args)).toMatchObject({
    text: expect.stringMatching(/^Failed: .*NRQL Syntax Error at line 1\n/),
    isError: true,
  });
  const [, metrics] = datadog.asked;
  if (metrics === undefined) throw new Error('no metrics');
  const answer = { status: 'error', error: 'unknown function', series: [] };
  const other = await startSourceApi([{ ...metrics.route, answer }], datadog.headers);
  const said = await (await opened('datadog', other.url)).call(metrics.tool, metrics.args);
  expect(said).toMatchObject({ text: expect.stringMatching(/^Failed: .*unknown function\n/), isError: true });
});

const writing = [
  'search index=shop | delete',
  'search index=shop |delete',
  'search index=shop | outputlookup a.csv',
  'search index=shop | collect index=b',
  '| makeresults | sendemail to=a@b.example',
  '| makeresults | map search="search x | delete"',
  '| script python x',
  '| runshellscript x',
  '| rest /services/storage/passwords',
  'search x [ | outputcsv a ]',
  'search x | append [ search y | mcollect index=b ]',
  'search `macro`',
  'search " | stats count | delete',
  'search a" | delete | eval x="',
  `search ' " ' | delete | eval x=' " '`,
  'search a\\" | delete | eval x="',
  '| lookup dnslookup clienthost AS host',
  '| savedsearch x',
  'index=shop',
];

test.each(writing)(
  '[SRC-40a] Splunk: a search that could write, run or reach something is refused: %s',
  async (query) => {
    const { call } = await opened('splunk', 'http://127.0.0.1:1');
    await expect(call('splunk_search', { query })).rejects.toThrow(/only read|asks other servers/);
  },
);

test.each([
  'search index=shop error',
  '| tstats count where index=* by index, sourcetype',
  'search index=shop | rex field=_raw "(?<a>x|y)[0-9]" | stats count by a | sort - count',
  `search index=shop | eval size='body.size' | where size > 5 | timechart span=1m count`,
  'search index=shop [ search index=audit user=ana | fields host ] | head 5',
  'search index=shop "a \\" | delete"',
])('[SRC-40c] Splunk: a search that only reads is taken: %s', async (query) => {
  const { call } = await opened('splunk', 'http://127.0.0.1:1');
  expect((await call('splunk_search', { query })).text).toMatch(/^Not reachable/);
});

test.each([
  ['newrelic', 'newrelic_query', { query: 'SELECT 1 FROM Log SINCE 1 hour ago' }, /start and end/],
  ['jira', 'jira_search', { query: 'project = A ORDER BY created' }, /the order is fixed/],
] as const)(
  '[SRC-38e] %s: what the tool adds itself is refused in a query',
  async (name, tool, args, reason) => {
    const { call } = await opened(name, 'http://127.0.0.1:1');
    await expect(call(tool, args)).rejects.toThrow(reason);
  },
);

test('[SRC-40b] ServiceNow is not asked to run a script', async () => {
  const { call } = await opened('servicenow', 'http://127.0.0.1:1');
  const query = 'active=true^xIN javascript:gs.nil()';
  await expect(call('servicenow_incidents', { query })).rejects.toThrow(/runs no script/);
});

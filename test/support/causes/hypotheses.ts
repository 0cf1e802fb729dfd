// The hypotheses that the agent of each of the forty incidents wrote down on its way. Plain data.
import type { Incident } from './incidents.ts';

export type Written = {
  /** Written right before this call; null: before the first one. */
  before: string | null;
  add: {
    statement: string;
    component: string;
    kind: string;
    predictions: { call: string; expect: string; refutes?: true }[];
  }[];
};
export type Tested = { id: string; callId: string; quote: string; opposite?: true };

/** An incident with the hypotheses that its agent wrote down; `leader` is that of its root cause. */
export type Case = Incident & { written: Written[]; tests: Tested[]; leader: string };
export const hypothesesOf: Record<string, Omit<Case, keyof Incident>> = {
  // ---- right ----
  'orders-seq-scan': {
    written: [
      {
        before: 'q2',
        add: [
          {
            statement:
              'No index serves the filter on customer_id, so every list of orders reads the whole table.',
            component: 'Postgres (shop.orders)',
            kind: 'missing index',
            predictions: [
              {
                call: 'psql: explain (analyze, buffers) of the slow select',
                expect: 'A sequential scan of orders that throws away almost all rows.',
                refutes: true,
              },
              {
                call: 'psql: pg_indexes of schema public',
                expect: 'orders has its key and created_at, but nothing on customer_id.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'The query is quick; requests wait for a server connection in pgbouncer.',
            component: 'pgbouncer',
            kind: 'pool exhausted',
            predictions: [
              {
                call: 'psql on pgbouncer: show pools',
                expect: 'cl_waiting of shop above 0, maxwait of seconds.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'There is an index, but old statistics make the planner choose badly.',
            component: 'Postgres planner, statistics of orders',
            kind: 'stale statistics',
            predictions: [
              {
                call: 'psql: explain analyze of the slow select',
                expect: 'Estimated and actual rows are far apart.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      {
        id: 'h1.1',
        callId: 'q2',
        quote:
          '->  Seq Scan on orders  (cost=0.00..98204.80 rows=248 width=212) (actual time=2.1..4010.9 rows=231 loops=1)',
      },
      {
        id: 'h3.1',
        callId: 'q2',
        quote:
          'Seq Scan on orders  (cost=0.00..98204.80 rows=248 width=212) (actual time=2.1..4010.9 rows=231 loops=1)',
        opposite: true,
      },
      { id: 'h1.2', callId: 'q3', quote: ' orders    | orders_created_at' },
      {
        id: 'h2.1',
        callId: 'q4',
        quote: ' shop      | shop |        14 |          0 |         9 |      31 |       0 | transaction',
        opposite: true,
      },
    ],
    leader: 'h1',
  },
  'session-cache-heap': {
    written: [
      {
        before: 'call_2',
        add: [
          {
            statement: 'web simply gets more requests than 2Gi can carry.',
            component: 'web',
            kind: 'load',
            predictions: [
              {
                call: 'query_prometheus: heap of web and rate of requests over 6 h',
                expect: 'The rate climbs together with the heap.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'Buffers of netty are not given back and eat the memory.',
            component: 'netty buffers in web',
            kind: 'buffer leak',
            predictions: [
              {
                call: 'bash: summary of the heap dump by dominator',
                expect: 'PoolArena or ByteBuf at the top of the list.',
                refutes: true,
              },
            ],
          },
        ],
      },
      {
        before: 'call_3',
        add: [
          {
            statement:
              'SessionCache only ever grows: sessions are put in and never taken out, until the limit is hit.',
            component: 'SessionCache of web',
            kind: 'memory leak',
            predictions: [
              {
                call: 'query_prometheus: heap of web over 6 h',
                expect: 'A steady climb of a few hundred MB an hour up to the kill, never back down.',
              },
              {
                call: 'grep: CACHE in Sessions.java',
                expect: 'put, but no remove and no limit of size.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      {
        id: 'h2.1',
        callId: 'call_2',
        quote: 'io.netty.buffer.PoolArena                   33 MB   2.0 %   16 instances',
        opposite: true,
      },
      {
        id: 'h1.1',
        callId: 'call_3',
        quote: 'rate of requests, same range: 118/s 121/s 117/s 120/s 119/s 122/s',
        opposite: true,
      },
      { id: 'h3.1', callId: 'call_3', quote: '2026-02-20T21:00Z  1,702 MB' },
      { id: 'h3.2', callId: 'call_4', quote: '52:  // TODO: CACHE.remove on logout and after idle time' },
    ],
    leader: 'h3',
  },
  'gateway-certificate-end': {
    written: [
      {
        before: 'a2',
        add: [
          {
            statement:
              'The certificate that the payments upstream serves on 8443 reached its end at 08:00 UTC.',
            component: 'payments-gateway, TLS certificate',
            kind: 'certificate expired',
            predictions: [
              {
                call: 'openssl x509 -dates at 10.0.7.31:8443',
                expect: 'notAfter is at or just before the first error of 08:00:03.',
                refutes: true,
              },
              {
                call: 'journalctl of the renewal timer',
                expect: 'The last renewal failed, or did not run at all.',
              },
            ],
          },
          {
            statement: 'The certificate is fine; the clock on gw1 runs ahead, so it looks expired.',
            component: 'clock of gw1',
            kind: 'clock skew',
            predictions: [
              {
                call: 'chronyc tracking on gw1',
                expect: 'An offset of minutes or more, or not synchronised.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 'a2', quote: 'notAfter=Mar 14 08:00:00 2026 GMT' },
      {
        id: 'h1.2',
        callId: 'a3',
        quote: "Mar 09 03:00:01 gw1 systemd[1]: cert-renew.timer: Failed with result 'resources'.",
      },
      {
        id: 'h2.1',
        callId: 'a4',
        quote: 'System time     : 0.000011 seconds fast of NTP time',
        opposite: true,
      },
    ],
    leader: 'h1',
  },
  'payment-deploy-minutes': {
    written: [
      {
        before: 'c2',
        add: [
          {
            statement: 'paymentService 3.4.0, out at 10:00 UTC, brought the failing charges.',
            component: 'paymentService',
            kind: 'bad release',
            predictions: [
              {
                call: 'grep ERROR in payment.log',
                expect: 'The first error comes shortly after 10:00, none before.',
                refutes: true,
              },
              {
                call: 'git log v3.3.9..v3.4.0 of paymentService',
                expect: 'The release touches the file that the errors name.',
                refutes: true,
              },
            ],
          },
          {
            statement:
              'searchService 7.0.1 of 08:45 hands out broken articles, and payment stumbles over them.',
            component: 'searchService',
            kind: 'bad release',
            predictions: [
              {
                call: 'http_get: metrics of search',
                expect: 'Answers with code 500 since 08:45.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      {
        id: 'h1.1',
        callId: 'c2',
        quote:
          '2026-05-04T10:02:11.480Z ERROR paymentService currency is undefined at toMinorUnits (money.js:88)',
      },
      { id: 'h1.2', callId: 'c3', quote: ' src/money.js      | 31 +++++++++++++++++++++++++++++--' },
      { id: 'h2.1', callId: 'c4', quote: 'search_requests_total{code="500"} 0', opposite: true },
    ],
    leader: 'h1',
  },
  'hikari-pool-full': {
    written: [
      {
        before: 't3',
        add: [
          {
            statement:
              'The monthly report takes connections out of booking-main and does not give them back while it runs.',
            component: 'Hikari pool booking-main',
            kind: 'connection pool exhausted',
            predictions: [
              {
                call: 'http_get: hikari checkouts by thread',
                expect: 'Threads of month-report hold most of the 50, for minutes.',
                refutes: true,
              },
              {
                call: 'mysql: threads',
                expect: 'Few threads run: the connections are held rather than busy.',
              },
            ],
          },
          {
            statement: 'MySQL is at max_connections, and the pool cannot get more.',
            component: 'MySQL',
            kind: 'capacity',
            predictions: [
              {
                call: 'mysql: Threads_connected against max_connections',
                expect: 'Both are about equal.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'A rush of bookings: request threads need more than 50 connections at once.',
            component: 'booking, http threads',
            kind: 'traffic',
            predictions: [
              {
                call: 'http_get: hikari checkouts by thread',
                expect: 'The 50 are spread over many http threads.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 't3', quote: 'month-report-1   24 connections  oldest 812 s' },
      { id: 'h3.1', callId: 't3', quote: 'http-41           1 connection   oldest 0.4 s', opposite: true },
      { id: 'h1.2', callId: 't4', quote: 'Threads_running	3' },
      { id: 'h2.1', callId: 't4', quote: 'Threads_connected	61', opposite: true },
    ],
    leader: 'h1',
  },
  'db01-var-full': {
    written: [
      {
        before: 'd3',
        add: [
          {
            statement:
              'A log below /var/log, auditd is the usual suspect, is not rotated and has taken the volume.',
            component: 'auditd on db01',
            kind: 'log rotation',
            predictions: [
              {
                call: 'du of /var and ls of /var/log/audit',
                expect: '/var/log holds most of the 200G, in one huge file.',
                refutes: true,
              },
              {
                call: 'cat auditd.conf and its rules',
                expect: 'No rotation by size, and rules that log a lot.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'The data of the shop outgrew the volume.',
            component: 'MariaDB data on /var/lib',
            kind: 'capacity',
            predictions: [{ call: 'du of /var', expect: '/var/lib holds most of it.', refutes: true }],
          },
          {
            statement: 'nvme1n1 is failing, and writes come back with errors.',
            component: 'disk nvme1n1 of db01',
            kind: 'hardware',
            predictions: [
              { call: 'smartctl of nvme1n1', expect: 'FAILED, or integrity errors above 0.', refutes: true },
            ],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 'd3', quote: '-rw------- 1 root root 150541639680 Apr  3 04:17 audit.log' },
      { id: 'h2.1', callId: 'd3', quote: '48G	/var/lib', opposite: true },
      { id: 'h1.2', callId: 'd4', quote: 'max_log_file_action = IGNORE' },
      { id: 'h3.1', callId: 'd5', quote: 'Media and Data Integrity Errors:    0', opposite: true },
    ],
    leader: 'h1',
  },
  'coredns-dead-upstream': {
    written: [
      {
        before: 'k2',
        add: [
          {
            statement:
              'CoreDNS forwards everything outside to 10.9.9.9 only, and that address does not answer.',
            component: 'CoreDNS',
            kind: 'wrong upstream in the Corefile',
            predictions: [
              { call: 'kubectl: Corefile', expect: 'forward has 10.9.9.9 as its one target.', refutes: true },
              {
                call: 'dig at 10.9.9.9',
                expect: 'Times out, from outside the cluster as well.',
                refutes: true,
              },
              {
                call: 'read: list of resolvers in the wiki',
                expect: 'Something happened to 10.9.9.9 about 17:04.',
              },
            ],
          },
          {
            statement: 'UDP of the pods is lost on the nodes, since kube-proxy is broken.',
            component: 'kube-proxy',
            kind: 'network',
            predictions: [
              {
                call: 'kubectl get pods of kube-proxy',
                expect: 'Pods that are not ready or restart.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'Only the zone mailer.example has lost its name servers.',
            component: 'zone mailer.example',
            kind: 'external DNS',
            predictions: [
              {
                call: 'dig api.mailer.example at another resolver',
                expect: 'No answer there either.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 'k2', quote: '    forward . 10.9.9.9' },
      { id: 'h1.2', callId: 'k3', quote: ';; connection timed out; no servers could be reached' },
      { id: 'h3.1', callId: 'k3', quote: 'api.mailer.example.	300	IN	A	203.0.113.40', opposite: true },
      { id: 'h1.3', callId: 'k4', quote: '| 10.9.9.9   | switched off 2026-06-22 17:04 UTC, NET-812 |' },
      {
        id: 'h2.1',
        callId: 'k5',
        quote: 'kube-proxy-8xq7m   1/1     Running   0          41d',
        opposite: true,
      },
    ],
    leader: 'h1',
  },
  'invoice-poison-message': {
    written: [
      {
        before: 'm2',
        add: [
          {
            statement: 'invoice-consumer-1 hangs at one message which it cannot process and does not skip.',
            component: 'invoice-consumer',
            kind: 'poison message',
            predictions: [
              {
                call: 'kubectl logs invoice-consumer-1',
                expect: 'The same offset, 770118, fails over and over.',
                refutes: true,
              },
              {
                call: 'kcat: the message at 770118 of partition 1',
                expect: 'Its content is malformed.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'invoice-consumer-1 is starved: out of memory, or restarting all the time.',
            component: 'invoice-consumer-1',
            kind: 'resources',
            predictions: [
              {
                call: 'kubectl top and get pods of invoice-consumer',
                expect: 'Restarts, or far more memory than its siblings.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'Partition 1 has lost its leader or replicas.',
            component: 'Kafka brokers',
            kind: 'replication',
            predictions: [
              {
                call: 'kafka-topics --describe invoices',
                expect: 'Partition 1 without leader, or ISR incomplete.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      {
        id: 'h1.1',
        callId: 'm2',
        quote:
          "2026-07-08T05:12:24Z ERROR invoice-consumer-1 partition 1 offset 770118 cannot parse: unexpected token 'N' at 411, will try again",
      },
      { id: 'h1.2', callId: 'm3', quote: '{"id":"inv-90812","lines":[{"sku":"A-1","net":NaN}]}' },
      { id: 'h2.1', callId: 'm4', quote: 'invoice-consumer-1   6m           209Mi', opposite: true },
      {
        id: 'h3.1',
        callId: 'm5',
        quote: 'Topic: invoices	Partition: 1	Leader: 2	Replicas: 2,3,1	Isr: 2,3,1',
        opposite: true,
      },
    ],
    leader: 'h1',
  },
  'redis-small-maxmemory': {
    written: [
      {
        before: 'r-2',
        add: [
          {
            statement: 'cache1 may use only 64 MB and throws out sessions that are still alive.',
            component: 'Redis on cache1',
            kind: 'memory limit, eviction',
            predictions: [
              {
                call: 'query_prometheus: rate of evicted keys, last hour',
                expect: 'Evictions start right before the logouts, from zero.',
                refutes: true,
              },
              {
                call: 'grep session in the log of web',
                expect: 'Sessions are missing from the same minutes on.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'Redis was restarted and came up empty.',
            component: 'Redis on cache1',
            kind: 'restart',
            predictions: [
              { call: 'redis-cli info server', expect: 'An uptime of less than an hour.', refutes: true },
            ],
          },
          {
            statement: 'auth was redeployed and no longer knows the old sessions.',
            component: 'auth',
            kind: 'deployment',
            predictions: [
              { call: 'kubectl get pods of auth', expect: 'Pods of about half an hour.', refutes: true },
            ],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 'r-2', quote: '  11:55 UTC  21.4 /s' },
      {
        id: 'h1.2',
        callId: 'r-3',
        quote: '2026-09-01T11:57:40Z WARN session 7f2a not found, user must log in again',
      },
      { id: 'h2.1', callId: 'r-4', quote: 'uptime_in_seconds:5184201', opposite: true },
      {
        id: 'h3.1',
        callId: 'r-5',
        quote: 'auth-7d8b9c4f6d-kq4mz   1/1     Running   0          6d3h',
        opposite: true,
      },
    ],
    leader: 'h1',
  },
  'nightly-backup-io': {
    written: [
      {
        before: 's2',
        add: [
          {
            statement: 'The full backup of 02:00:01 with 16 jobs takes all of the disk, and the API starves.',
            component: 'nightly-backup.sh (cron of app3)',
            kind: 'disk contention',
            predictions: [
              {
                call: 'sar -d of nvme1n1, 01:50 to 02:40',
                expect: 'Quiet until 02:00, then about 100 % busy, then quiet again.',
                refutes: true,
              },
              {
                call: 'grep 504 in the access log',
                expect: 'The first 504 comes after 02:00:01.',
                refutes: true,
              },
              { call: 'cat the log of the backup', expect: 'It ends when the 504s end.' },
            ],
          },
          {
            statement: 'A wave of requests at two in the morning.',
            component: 'nginx, clients of the API',
            kind: 'traffic',
            predictions: [
              {
                call: 'awk: requests a minute around 02:00',
                expect: 'Clearly more than before 02:00.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'It is the hourly run-parts of minute 17.',
            component: 'cron.hourly on app3',
            kind: 'scheduled job',
            predictions: [
              { call: 'grep 504 in the access log', expect: '504s begin at 02:17.', refutes: true },
            ],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 's2', quote: '02:10:01 UTC  nvme1n1  8810.04  901220.33  288.12  41.20  99.90' },
      {
        id: 'h1.2',
        callId: 's3',
        quote:
          '10.8.0.21 - - [07/Oct/2026:02:00:41 +0000] "GET /api/v2/stock HTTP/1.1" 504 167 "-" "okhttp/4.9" rt=30.001',
      },
      {
        id: 'h3.1',
        callId: 's3',
        quote:
          '10.8.0.21 - - [07/Oct/2026:02:00:41 +0000] "GET /api/v2/stock HTTP/1.1" 504 167 "-" "okhttp/4.9" rt=30.001',
        opposite: true,
      },
      { id: 'h1.3', callId: 's4', quote: 'end     2026-10-07 02:25 UTC  ok' },
      { id: 'h2.1', callId: 's5', quote: '   1995 02:01', opposite: true },
    ],
    leader: 'h1',
  },
  'limit-lowered-zone': {
    written: [
      {
        before: 'g2',
        add: [
          {
            statement:
              'b7719c2 of today (13:30 UTC) cut the memory limit to 256Mi, and that is not enough for resizer.',
            component: 'resizer, memory limit',
            kind: 'change of configuration',
            predictions: [
              {
                call: 'kubectl get events -n media',
                expect: 'OOM kills, all of them after 13:30Z.',
                refutes: true,
              },
              {
                call: 'query_prometheus: working set of resizer over 7 days',
                expect: 'More than 256 MiB on the days before the commit.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'resizer has begun to leak and would run into any limit.',
            component: 'resizer',
            kind: 'memory leak',
            predictions: [
              {
                call: 'query_prometheus: working set of resizer over 7 days',
                expect: 'The maximum rises from day to day.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'The node is short of memory and takes it out on resizer.',
            component: 'node ip-10-0-3-8',
            kind: 'memory pressure',
            predictions: [{ call: 'kubectl describe node', expect: 'MemoryPressure True.', refutes: true }],
          },
        ],
      },
    ],
    tests: [
      {
        id: 'h1.1',
        callId: 'g2',
        quote:
          '2026-02-11T13:34:12Z   resizer-58c7-4tq9k         OOMKilling        Memory cgroup out of memory: Killed process 3311 (node)',
      },
      { id: 'h1.2', callId: 'g3', quote: '  2026-02-10  607 MiB' },
      { id: 'h2.1', callId: 'g3', quote: '  2026-02-10  607 MiB', opposite: true },
      {
        id: 'h3.1',
        callId: 'g4',
        quote: 'MemoryPressure   False   KubeletHasSufficientMemory',
        opposite: true,
      },
    ],
    leader: 'h1',
  },
  'backoffice-idle-transaction': {
    written: [
      {
        before: 'L2',
        add: [
          {
            statement: 'A release of payments changed how it locks or how long it waits.',
            component: 'payments',
            kind: 'release',
            predictions: [
              {
                call: 'cat deploys.log',
                expect: 'A release of payments shortly before 15:18.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'pgmain is overloaded, so that updates hold their locks for too long.',
            component: 'pgmain',
            kind: 'load',
            predictions: [
              { call: 'vmstat on pgmain', expect: 'Hardly any idle CPU, or much I/O wait.', refutes: true },
            ],
          },
        ],
      },
      {
        before: 'L3',
        add: [
          {
            statement:
              'Pid 20417 of backoffice-web sits in an open transaction on invoices; payments waits behind it.',
            component: 'backoffice-web',
            kind: 'idle in transaction, row locks',
            predictions: [
              {
                call: 'psql: pg_blocking_pids of the waiting sessions',
                expect: 'Those of payments are blocked by 20417, and by nobody else.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      { id: 'h3.1', callId: 'L3', quote: ' 20988 | {20417}' },
      {
        id: 'h1.1',
        callId: 'L4',
        quote: '2026-05-19 07:05 UTC payments 9.3.0 "shorter lock timeouts"',
        opposite: true,
      },
      {
        id: 'h2.1',
        callId: 'L5',
        quote: ' 1  0      0 811204  90112 612004    0    0     4    11  290  411  3  1 96  0  0',
        opposite: true,
      },
    ],
    leader: 'h3',
  },
  'worker7-clock': {
    written: [
      {
        before: 'n2',
        add: [
          {
            statement: 'The two pods that complain share a node, and its clock is about five minutes slow.',
            component: 'clock of their node',
            kind: 'clock skew',
            predictions: [
              {
                call: 'kubectl get pods -l app=api -o wide',
                expect: '8w2lq and zz0hk are on one node, the others are not.',
                refutes: true,
              },
              {
                call: 'chronyc tracking on the nodes of api',
                expect: 'That node is 312 s slow, the others are right.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'The issuer dates its tokens five minutes ahead.',
            component: 'token issuer',
            kind: 'clock or signing fault',
            predictions: [
              {
                call: 'kubectl get pods -l app=api -o wide',
                expect: 'The refusing pods are spread over the nodes, as it would hit all alike.',
              },
              {
                call: 'http_get: health of the issuer',
                expect: 'Its Date is minutes ahead of now.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      {
        id: 'h1.1',
        callId: 'n2',
        quote: 'api-6f4b-zz0hk   1/1     Running   0          3d2h   10.42.7.22    worker-7',
      },
      {
        id: 'h2.1',
        callId: 'n2',
        quote: 'api-6f4b-8w2lq   1/1     Running   0          3d2h   10.42.7.21    worker-7',
        opposite: true,
      },
      { id: 'h1.2', callId: 'n3', quote: 'System time     : 312.004410 seconds slow of NTP time' },
      { id: 'h2.2', callId: 'n4', quote: 'Date: Tue, 03 Nov 2026 20:24:31 GMT', opposite: true },
    ],
    leader: 'h1',
  },
  'mail-worker-variable': {
    written: [
      {
        before: 'w2',
        add: [
          {
            statement: 'The worker does not come up any more, so nobody consumes the queue mail.',
            component: 'mail-worker.service',
            kind: 'fails at start, settings',
            predictions: [
              {
                call: 'journalctl of mail-worker',
                expect: 'It exits right after its start, with an error of its own.',
                refutes: true,
              },
              {
                call: 'cat and ls of /etc/default/mail-worker',
                expect: 'The file was changed just before, and something it needs is missing.',
              },
            ],
          },
          {
            statement: 'RabbitMQ holds back deliveries because of an alarm.',
            component: 'rabbit1',
            kind: 'resource alarm',
            predictions: [
              {
                call: 'http_get: nodes of RabbitMQ',
                expect: 'mem_alarm or disk_free_alarm is true.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'The mail server is away; the workers gave up on it.',
            component: 'smtp.internal',
            kind: 'dependency down',
            predictions: [{ call: 'nc smtp.internal 587', expect: 'No greeting.', refutes: true }],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 'w2', quote: 'Mar 27 10:41:08 q2 mailWorker[5120]: Error: SMTP_HOST is not set' },
      {
        id: 'h1.2',
        callId: 'w3',
        quote: '-rw-r----- 1 root mail 118 2026-03-27 10:40:52.118000000 +0000 /etc/default/mail-worker',
      },
      { id: 'h2.1', callId: 'w4', quote: '    "mem_alarm": false,', opposite: true },
      { id: 'h3.1', callId: 'w5', quote: '220 smtp.internal ESMTP ready', opposite: true },
    ],
    leader: 'h1',
  },
  'reporting-password-rotated': {
    written: [
      {
        before: 'v2',
        add: [
          {
            statement:
              'lena rotated the role reporting at 09:15, and the service still logs in with the password from before.',
            component: 'reporting, database credentials from Vault',
            kind: 'rotated password',
            predictions: [
              {
                call: 'grep FATAL in the log of Postgres',
                expect: 'Refused passwords of user reporting, beginning after the rotation.',
                refutes: true,
              },
              {
                call: 'kubectl logs of reporting',
                expect: 'It has not read its credentials since the early morning.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'dwh lets nobody in any more.',
            component: 'Postgres dwh',
            kind: 'outage',
            predictions: [
              {
                call: 'psql: pg_stat_activity of dwh by user',
                expect: 'No new session of any service since 09:15.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      {
        id: 'h1.1',
        callId: 'v2',
        quote:
          '2026-07-02 09:15:40.221 UTC [30112] reporting@dwh FATAL:  password authentication failed for user "reporting"',
      },
      {
        id: 'h1.2',
        callId: 'v3',
        quote: '2026-07-02T03:00:11Z INFO reporting credentials read from vault, kept until restart',
      },
      { id: 'h2.1', callId: 'v4', quote: ' etl     |     6 | 2026-07-02 09:31:40.770119+00', opposite: true },
    ],
    leader: 'h1',
  },
  'edge2-unattended-reboot': {
    written: [
      {
        before: 'b2',
        add: [
          {
            statement: 'After the reboot of 03:12 haproxy did not come back on edge2.',
            component: 'haproxy on edge2',
            kind: 'reboot, service not enabled',
            predictions: [
              {
                call: 'systemctl is-enabled and status of haproxy',
                expect: 'Not running, and not enabled.',
                refutes: true,
              },
              {
                call: 'grep edge2 in the log of the probe',
                expect: '200 until 03:11, refused from the reboot on.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'The machine crashed (hardware or kernel) and is still half dead.',
            component: 'edge2',
            kind: 'crash',
            predictions: [
              {
                call: 'tail of unattended-upgrades.log',
                expect: 'Nothing that asked for a reboot at that time.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'The edge is fine; app1 and app2 do not answer it.',
            component: 'app1, app2',
            kind: 'backend down',
            predictions: [
              { call: 'curl /up of app1 and app2', expect: 'Errors or no answer.', refutes: true },
            ],
          },
        ],
      },
    ],
    tests: [
      {
        id: 'h2.1',
        callId: 'b2',
        quote: '2026-06-09 03:10:53,002 WARNING Found /var/run/reboot-required, rebooting',
        opposite: true,
      },
      { id: 'h1.1', callId: 'b3', quote: '     Active: inactive (dead)' },
      {
        id: 'h1.2',
        callId: 'b4',
        quote:
          '198.51.100.7 - probe [09/Jun/2026:03:13:02 +0000] "GET https://edge2.example/up" connect: connection refused',
      },
      { id: 'h3.1', callId: 'b5', quote: '200 0.012s from 10.5.0.11', opposite: true },
    ],
    leader: 'h1',
  },
  'new-ranking-flag': {
    written: [
      {
        before: 'f-2',
        add: [
          {
            statement: 'newRanking at 100 % sends all searches down a path that does not stand full load.',
            component: 'feature flag newRanking',
            kind: 'rollout of a flag',
            predictions: [
              {
                call: 'grep timeout in search.log',
                expect: 'Timeouts of the new path, from 11:05 on.',
                refutes: true,
              },
              {
                call: 'grep that path in the source of search',
                expect: 'It is taken only when newRanking is on.',
                refutes: true,
              },
              {
                call: 'query_prometheus: mean time by path',
                expect: 'The new path takes about 2 s and nearly all requests.',
              },
            ],
          },
          {
            statement: 'es-search is ill, and every search waits for it.',
            component: 'Elasticsearch es-search',
            kind: 'cluster health',
            predictions: [
              {
                call: 'http_get: _cluster/health',
                expect: 'yellow or red, shards unassigned.',
                refutes: true,
              },
              { call: 'query_prometheus: mean time by path', expect: 'The old path is slow too.' },
            ],
          },
        ],
      },
    ],
    tests: [
      {
        id: 'h1.1',
        callId: 'f-2',
        quote:
          '{"t":"2026-08-05T11:06:12.003Z","lvl":"error","msg":"timeout after 2000 ms","path":"rankV2","shard":3}',
      },
      {
        id: 'h1.2',
        callId: 'f-3',
        quote: "src/query.ts:44:  const rank = flags.on('newRanking', user) ? rankV2 : rankV1;",
      },
      { id: 'h1.3', callId: 'f-4', quote: '{path="rankV2"}  1.914' },
      { id: 'h2.2', callId: 'f-4', quote: '{path="rankV1"}  0.038', opposite: true },
      { id: 'h2.1', callId: 'f-5', quote: '  "status" : "green",', opposite: true },
    ],
    leader: 'h1',
  },
  'haproxy-maxconn': {
    written: [
      {
        before: 'h2',
        add: [
          {
            statement:
              'Frontend www stands at its 256 connections; everybody else waits in the accept queue and is dropped.',
            component: 'HAProxy, frontend www',
            kind: 'connection limit',
            predictions: [
              {
                call: 'ss and nstat on lb1',
                expect: 'The accept queue of 443 is full, and overflows are counted.',
                refutes: true,
              },
              {
                call: 'grep maxconn in haproxy.cfg',
                expect: 'maxconn 256 within frontend www.',
                refutes: true,
              },
              { call: 'query_prometheus: probe of www', expect: 'Fails from some time of this evening on.' },
            ],
          },
          {
            statement: 'app1 and app2 are overloaded and hold the connections open.',
            component: 'app servers',
            kind: 'overload',
            predictions: [
              { call: 'uptime on app1 and app2', expect: 'A load near 16 or above.', refutes: true },
            ],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 'h2', quote: 'LISTEN 129    128          0.0.0.0:443       0.0.0.0:*' },
      { id: 'h1.2', callId: 'h3', quote: '26:    maxconn 256' },
      { id: 'h1.3', callId: 'h4', quote: '  2026-12-01 19:00 UTC  0' },
      {
        id: 'h2.1',
        callId: 'h5',
        quote: ' 19:14:40 up 61 days,  4:02,  0 users,  load average: 0.61, 0.70, 0.66',
        opposite: true,
      },
    ],
    leader: 'h1',
  },
  'newsletter-eats-quota': {
    written: [
      {
        before: '2',
        add: [
          {
            statement:
              'A bulk sender on the same account, most likely the newsletter, used up the quota of the day.',
            component: 'newsletter',
            kind: 'shared quota used up',
            predictions: [
              {
                call: 'http_get: usage of the sender by tag',
                expect: 'The newsletter has nearly all of the quota.',
                refutes: true,
              },
              {
                call: 'kubectl logs of the newsletter job of today',
                expect: 'It sent tens of thousands up to about 06:33.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'accounts itself sends far too many, for example password mails in a loop.',
            component: 'accounts',
            kind: 'bug, too many mails',
            predictions: [
              {
                call: 'http_get: usage of the sender by tag',
                expect: 'accounts is the largest tag.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'The sender has trouble and answers 429 though there is quota left.',
            component: 'sender.example',
            kind: 'outage of a provider',
            predictions: [
              {
                call: 'http_get: status page of the sender',
                expect: 'An incident, or the API is not operational.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: '2', quote: '{ "tag": "newsletterJob", "used": 98214 },' },
      { id: 'h2.1', callId: '2', quote: '{ "tag": "accounts", "used": 1102 },', opposite: true },
      { id: 'h1.2', callId: '3', quote: '2026-10-21 06:33:07Z newsletterJob 98,214 sent' },
      { id: 'h3.1', callId: '4', quote: 'api: operational', opposite: true },
    ],
    leader: 'h1',
  },
  'network-policy-age': {
    written: [
      {
        before: 'p2',
        add: [
          {
            statement:
              'default-deny, twelve minutes old, cuts pricing off from whatever no other policy allows.',
            component: 'network policy default-deny in pricing',
            kind: 'policy change',
            predictions: [
              {
                call: 'kubectl logs of pricing',
                expect: 'Connections work until about 15:30, then time out rather than being refused.',
                refutes: true,
              },
              {
                call: 'argocd: history and manifest of pricing-policies',
                expect: 'Synced about 15:30, for all pods, with Egress.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'rates-db is down.',
            component: 'rates-db',
            kind: 'database outage',
            predictions: [
              {
                call: 'pg_isready from namespace data',
                expect: 'No response, or pods that are not ready.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'pricing can no longer resolve names.',
            component: 'DNS',
            kind: 'name resolution',
            predictions: [
              { call: 'kubectl logs of pricing', expect: 'ENOTFOUND or EAI_AGAIN.', refutes: true },
            ],
          },
        ],
      },
    ],
    tests: [
      {
        id: 'h1.1',
        callId: 'p2',
        quote: '2026-08-19T15:31:08.414Z error connect ETIMEDOUT rates-db.data:5432',
      },
      {
        id: 'h3.1',
        callId: 'p2',
        quote: '2026-08-19T15:31:39.902Z error connect ETIMEDOUT rates-db.data:5432',
        opposite: true,
      },
      { id: 'h1.2', callId: 'p3', quote: '  policyTypes: [Ingress, Egress]' },
      { id: 'h2.1', callId: 'p4', quote: 'rates-db.data:5432 - accepting connections', opposite: true },
    ],
    leader: 'h1',
  },

  // ---- wrong ----
  'inventory-never-seen': {
    written: [
      {
        before: 'c2',
        add: [
          {
            statement: 'inventory-service is slow, and orders of checkout wait for the stock of each line.',
            component: 'inventory-service',
            kind: 'slow dependency',
            predictions: [
              {
                call: 'kubectl logs of checkout',
                expect: 'Orders exceed their deadline while they wait.',
                refutes: true,
              },
              { call: 'query_prometheus: p95 of checkout', expect: 'It jumps to the deadline.' },
            ],
          },
          {
            statement: 'checkout itself has too little CPU.',
            component: 'checkout',
            kind: 'capacity',
            predictions: [
              {
                call: 'kubectl top pods and hpa of checkout',
                expect: 'CPU at or over its target.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      {
        id: 'h1.1',
        callId: 'c2',
        quote: '2026-04-21T16:01:44Z ERROR order 88121: deadline exceeded after 5000 ms',
      },
      { id: 'h1.2', callId: 'c3', quote: '  2026-04-21T16:05Z  5.02' },
      {
        id: 'h2.1',
        callId: 'c4',
        quote: 'checkout   Deployment/checkout   cpu: 9%/70%   2         8         2          212d',
        opposite: true,
      },
    ],
    leader: 'h1',
  },
  'cart-deploy-too-late': {
    written: [
      {
        before: 'd-2',
        add: [
          {
            statement: 'cart 4.12.0 of 14:20 writes to the wrong address of the store.',
            component: 'cart',
            kind: 'deployment',
            predictions: [
              {
                call: 'kubectl logs of cart',
                expect: 'Carts cannot be saved after 14:20:17.',
                refutes: true,
              },
              { call: 'log of sentinel', expect: 'The master is at another address than the one cart uses.' },
              { call: 'kubectl rollout undo of cart', expect: 'Carts are saved again.' },
            ],
          },
          {
            statement: 'search 2.0.4 of the morning has to do with it.',
            component: 'search',
            kind: 'deployment',
            predictions: [{ call: 'http_get: status of search', expect: 'Failed requests.', refutes: true }],
          },
        ],
      },
    ],
    tests: [
      {
        id: 'h1.1',
        callId: 'd-2',
        quote:
          "2026-03-05T14:21:10Z error cart 5702 not saved: READONLY You can't write against a read only replica.",
      },
      {
        id: 'h1.2',
        callId: 'd-3',
        quote: '9:X 05 Mar 2026 13:57:57.882 # +switch-master sessions 10.3.0.4 6379 10.3.0.5 6379',
      },
      { id: 'h2.1', callId: 'd-4', quote: 'failed_1h: 0', opposite: true },
    ],
    leader: 'h1',
  },
  'ingress-change-after-alert': {
    written: [
      {
        before: 's2',
        add: [
          {
            statement:
              'With proxy-read-timeout at 20 instead of 60 the ingress gives up on answers that used to come through.',
            component: 'ingress of api',
            kind: 'changed timeout',
            predictions: [
              {
                call: 'kubectl logs of ingress-nginx, 504',
                expect: 'Each 504 after 20 s sharp.',
                refutes: true,
              },
              { call: 'psql: running statements', expect: 'Reads of orders that take longer than 20 s.' },
            ],
          },
          {
            statement: 'The nodes are full, and api is slow for that.',
            component: 'nodes',
            kind: 'capacity',
            predictions: [{ call: 'kubectl top nodes', expect: 'A node at 90 % or more.', refutes: true }],
          },
        ],
      },
    ],
    tests: [
      {
        id: 'h1.1',
        callId: 's2',
        quote:
          '10.2.0.8 - - [15/Sep/2026:09:15:33 +0000] "GET /v1/orders HTTP/2.0" 504 562 20.001 [shop-api-8080]',
      },
      {
        id: 'h1.2',
        callId: 's3',
        quote: ' 12011 | active | Lock            | 2026-09-15 08:58:31+00 | select id, total from orders w',
      },
      {
        id: 'h2.1',
        callId: 's4',
        quote: 'node-b    702m         17%    8804Mi          55%',
        opposite: true,
      },
    ],
    leader: 'h1',
  },
  'ldap-restart-after-since': {
    written: [
      {
        before: 'u2',
        add: [
          {
            statement: 'slapd came back from its restart without its database and fails every bind.',
            component: 'slapd on ldap1',
            kind: 'restart',
            predictions: [
              {
                call: 'grep bind in sso.log',
                expect: 'Binds fail with an internal error after 22:51.',
                refutes: true,
              },
              { call: 'ls of /var/lib/ldap', expect: 'Files touched by the restart.' },
            ],
          },
          {
            statement: 'sso was restarted and lost its connection to the directory.',
            component: 'sso',
            kind: 'restart',
            predictions: [
              { call: 'kubectl get pods -n sso', expect: 'Young pods, or restarts.', refutes: true },
            ],
          },
        ],
      },
    ],
    tests: [
      {
        id: 'h1.1',
        callId: 'u2',
        quote: '2026-03-09 22:52 UTC  sso  bind of uid=mara failed: LDAP: error code 80 - internal error',
      },
      {
        id: 'h1.2',
        callId: 'u3',
        quote: '-rw------- 1 openldap openldap       8192 2026-03-09 22:51 lock.mdb',
      },
      {
        id: 'h2.1',
        callId: 'u4',
        quote: 'sso-0          1/1     Running   0          30d    n3',
        opposite: true,
      },
    ],
    leader: 'h1',
  },
  'catalog-deploy-without-time': {
    written: [
      {
        before: 'x2',
        add: [
          {
            statement: 'catalog 6.3.0 no longer understands the prices in the feed.',
            component: 'catalog 6.3.0',
            kind: 'deployment',
            predictions: [
              { call: 'kubectl logs of catalog', expect: 'The import stumbles over prices.', refutes: true },
            ],
          },
          {
            statement: 'pricing fails and gives no prices to catalog.',
            component: 'pricing',
            kind: 'errors of a dependency',
            predictions: [
              { call: 'http_get: metrics of pricing', expect: 'Answers with 500.', refutes: true },
            ],
          },
        ],
      },
    ],
    tests: [
      {
        id: 'h1.1',
        callId: 'x2',
        quote: '2026-05-28T05:04:09Z ERROR item 4411: price "" is no number, skipped',
      },
      { id: 'h2.1', callId: 'x3', quote: 'pricing_requests_total{code="500"} 0', opposite: true },
    ],
    leader: 'h1',
  },
  'expiry-without-end': {
    written: [
      {
        before: 'z2',
        add: [
          {
            statement: 'The certificate of ledger.internal is past its end, and export-agent refuses it.',
            component: 'certificate of ledger.internal',
            kind: 'expired certificate',
            predictions: [
              {
                call: 'openssl s_client at ledger.internal:9443',
                expect: 'The server still serves the expired certificate.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'exp1 does not reach the ledger: DNS or network.',
            component: 'network between exp1 and ledger.internal',
            kind: 'connectivity',
            predictions: [
              {
                call: 'getent and nc on exp1',
                expect: 'No address, or no connection to 9443.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 'z2', quote: ' 0 s:CN = ledger.internal' },
      {
        id: 'h2.1',
        callId: 'z3',
        quote: 'Connection to ledger.internal (10.6.1.12) 9443 port [tcp/*] succeeded!',
        opposite: true,
      },
    ],
    leader: 'h1',
  },
  'database-refuted-by-frontend': {
    written: [
      {
        before: 'y2',
        add: [
          {
            statement: 'renderBasket takes too long for large baskets and keeps the PHP workers busy.',
            component: 'basket.php, renderBasket',
            kind: 'slow code',
            predictions: [
              {
                call: 'mysqladmin extended-status',
                expect: 'Many connections open, as the busy workers each keep theirs.',
              },
              {
                call: 'read basket.php around line 118',
                expect: 'A loop over the items that is known to be slow.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'MySQL is in trouble, and the pages wait for it.',
            component: 'MySQL',
            kind: 'database outage',
            predictions: [{ call: 'http_get: healthz of www', expect: 'Not OK.', refutes: true }],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 'y2', quote: '| Threads_connected                 | 151     |' },
      { id: 'h2.1', callId: 'y3', quote: 'HTTP/1.1 200 OK', opposite: true },
      { id: 'h1.2', callId: 'y4', quote: '117:   // slow for large baskets' },
    ],
    leader: 'h1',
  },
  'network-refuted-by-cause-line': {
    written: [
      {
        before: null,
        add: [
          {
            statement:
              'The disk under etcd on m2 is too slow, heartbeats come late, and leaders are elected anew.',
            component: 'etcd on m2',
            kind: 'slow disk',
            predictions: [
              {
                call: 'journalctl of etcd on m2',
                expect: 'Applying takes far longer than 100 ms.',
                refutes: true,
              },
              {
                call: 'kubectl get events, LeaderElection',
                expect: 'Leaders of the control plane change again and again.',
              },
            ],
          },
          {
            statement: 'The network between the masters is bad.',
            component: 'network between m1, m2 and m3',
            kind: 'packet loss',
            predictions: [
              {
                call: 'journalctl of etcd on m2',
                expect: 'Only messages to peers are slow, not what is local.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'm2 has no memory left.',
            component: 'm2',
            kind: 'memory',
            predictions: [{ call: 'free on m2', expect: 'Less than 1 GB available.', refutes: true }],
          },
        ],
      },
    ],
    tests: [
      {
        id: 'h1.1',
        callId: 'j1',
        quote:
          '2026-10-02T10:11:41+0200 m2 etcd[611]: apply request took too long: took 1.912s, expected 100ms',
      },
      {
        id: 'h2.1',
        callId: 'j1',
        quote:
          '2026-10-02T10:11:41+0200 m2 etcd[611]: apply request took too long: took 1.912s, expected 100ms',
        opposite: true,
      },
      {
        id: 'h1.2',
        callId: 'j2',
        quote:
          'kube-system   15m         Normal   LeaderElection   lease/kube-scheduler           m3 became leader',
      },
      {
        id: 'h3.1',
        callId: 'j4',
        quote: 'Mem:           32001        9120       11204         210       11677       22011',
        opposite: true,
      },
    ],
    leader: 'h1',
  },
  'storage-refuted-by-blamed': {
    written: [
      {
        before: null,
        add: [
          {
            statement: 'There are too few workers of the thumbnailer for the uploads of the morning.',
            component: 'thumbnailer',
            kind: 'capacity',
            predictions: [
              {
                call: 'kubectl logs of thumbnailer',
                expect: 'All workers are busy and a queue builds up.',
                refutes: true,
              },
              { call: 'kubectl get deploy thumbnailer', expect: 'A single replica.' },
              {
                call: 'query_prometheus: pictures_without_thumbnail',
                expect: 'A number that grows and grows.',
              },
            ],
          },
          {
            statement: 'The object storage does not take the pictures.',
            component: 'minio',
            kind: 'outage of storage',
            predictions: [
              { call: 'kubectl logs of thumbnailer', expect: 'No batch gets through.', refutes: true },
            ],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 'o1', quote: '08:45:07Z thumbnailer: workers busy 12/12, queue length 900' },
      {
        id: 'h2.1',
        callId: 'o1',
        quote: '08:44:58Z thumbnailer: batch took 8.1 s (usual 0.9 s)',
        opposite: true,
      },
      { id: 'h1.2', callId: 'o2', quote: '  replicas: 1' },
      { id: 'h1.3', callId: 'o3', quote: '  2026-02-02T08:55Z  7733' },
    ],
    leader: 'h1',
  },
  'leak-blamed-and-ruled-out': {
    written: [
      {
        before: null,
        add: [
          {
            statement: 'web leaks: its map of sessions grows until the heap is used up.',
            component: 'web',
            kind: 'memory leak',
            predictions: [
              {
                call: 'kubectl logs of gc of web-0',
                expect: 'The heap is close to 2 GB before the error.',
                refutes: true,
              },
              {
                call: 'grep session in sessions.ts',
                expect: 'Sessions live in a map in memory.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'Users who stay logged in pile up on the heap of web.',
            component: 'web, sessions',
            kind: 'too many sessions',
            predictions: [
              {
                call: 'kubectl logs of gc of web-0',
                expect: 'What is left after a full gc rises all the time.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'Node n4 is full.',
            component: 'node n4',
            kind: 'capacity',
            predictions: [
              {
                call: 'kubectl describe node n4',
                expect: 'Nearly all of its memory is requested.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 'i1', quote: '2026-07-20T12:31:12Z web-0 heap 1,990 MB before gc' },
      {
        id: 'h2.1',
        callId: 'i1',
        quote: '2026-07-20T12:20:00Z web-0 heap after full gc 214 MB, sessions 8,301',
        opposite: true,
      },
      { id: 'h1.2', callId: 'i2', quote: '8: const sessions = new Map();' },
      { id: 'h3.1', callId: 'i4', quote: 'memory             9Gi (28%)     14Gi (44%)', opposite: true },
    ],
    leader: 'h1',
  },
  'replica-behind-and-in-step': {
    written: [
      {
        before: null,
        add: [
          {
            statement: 'The shop reads prices from replica-eu, which is behind the primary.',
            component: 'replica-eu',
            kind: 'replication lag',
            predictions: [
              { call: 'psql: pg_stat_replication', expect: 'A replay_lag for replica-eu.', refutes: true },
              {
                call: 'grep stale in price-check.log',
                expect: 'The shop shows the old price, the source the new one.',
              },
            ],
          },
          {
            statement: 'replica-eu has stopped to replicate altogether.',
            component: 'replica-eu',
            kind: 'replication broken',
            predictions: [
              { call: 'psql: pg_stat_replication', expect: 'Its state is not streaming.', refutes: true },
            ],
          },
          {
            statement: 'The import of prices did not run last night.',
            component: 'import of prices',
            kind: 'job missed',
            predictions: [
              { call: 'psql: updated_at of A-77 and B-10', expect: 'From before today.', refutes: true },
            ],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 'e1', quote: ' replica-eu       | streaming | async      | 00:00:00.312004' },
      {
        id: 'h2.1',
        callId: 'e1',
        quote: ' replica-eu       | streaming | async      | 00:00:00.312004',
        opposite: true,
      },
      {
        id: 'h1.2',
        callId: 'e2',
        quote: '2026-11-12 10:00 UTC price-check A-77: shop 12.90, source 10.90, stale',
      },
      { id: 'h3.1', callId: 'e4', quote: ' A-77 | 10.90 | 2026-11-12 06:00:02+00', opposite: true },
    ],
    leader: 'h1',
  },
  'search-cpu-four-percent': {
    written: [
      {
        before: null,
        add: [
          {
            statement: 'search has run out of CPU, requests queue up and are cut off.',
            component: 'search',
            kind: 'capacity, CPU',
            predictions: [
              {
                call: 'query_prometheus: CPU of search against its limit',
                expect: 'The CPU of the pods is used up.',
                refutes: true,
              },
              {
                call: 'grep /find in the access log of envoy',
                expect: 'Requests to search fail after 10 s.',
              },
            ],
          },
          {
            statement: 'accounts is gone, and search cannot check users.',
            component: 'accounts',
            kind: 'dependency down',
            predictions: [{ call: 'kubectl get endpoints accounts', expect: 'No endpoints.', refutes: true }],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 'call-11', quote: '{pod="search-0"} cpu 4 %' },
      {
        id: 'h1.2',
        callId: 'call-13',
        quote:
          '[2026-03-18T09:10:12.331Z] "GET /find?q=shoe HTTP/1.1" 503 UF 0 91 10000 - "search_cluster" "10.8.3.77:9000"',
      },
      {
        id: 'h2.1',
        callId: 'call-14',
        quote: 'accounts   10.8.4.20:8080,10.8.4.21:8080       90d',
        opposite: true,
      },
    ],
    leader: 'h1',
  },
  'gateway-without-errors': {
    written: [
      {
        before: 'h2',
        add: [
          {
            statement: 'payments-gateway drops charges without a word, and orders stay unpaid.',
            component: 'payments-gateway',
            kind: 'code',
            predictions: [
              {
                call: 'http_get: metrics of payments-gateway',
                expect: 'No errors are counted although orders are not paid.',
                refutes: true,
              },
              { call: 'psql: orders by status', expect: 'Many orders in waiting.', refutes: true },
            ],
          },
          {
            statement: 'A full disk stops the processing of orders.',
            component: 'disk of /srv',
            kind: 'disk full',
            predictions: [{ call: 'df of /srv', expect: 'Close to 100 %.', refutes: true }],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 'h2', quote: 'payments_gateway_errors_total 0' },
      { id: 'h1.2', callId: 'h3', quote: ' waiting   |   874 | 2026-08-11 15:40:55+00' },
      { id: 'h2.1', callId: 'h5', quote: '/dev/sdb1       100G   31G   70G  31% /srv', opposite: true },
    ],
    leader: 'h1',
  },
  'newsletter-and-checkout': {
    written: [
      {
        before: 'a2',
        add: [
          {
            statement: 'newsletter 5.2.0, released at 08:00:10, broke the charges.',
            component: 'newsletter',
            kind: 'deployment',
            predictions: [
              {
                call: 'kubectl logs of checkout',
                expect: 'Charges work before 08:00:10 and fail right after it.',
                refutes: true,
              },
              { call: 'rollback of newsletter to 5.1', expect: 'Charges go through again.' },
            ],
          },
          {
            statement: 'accounts 2.9.1 of yesterday is unstable.',
            component: 'accounts',
            kind: 'deployment',
            predictions: [{ call: 'kubectl get pods of accounts', expect: 'Restarts.', refutes: true }],
          },
        ],
      },
    ],
    tests: [
      {
        id: 'h1.1',
        callId: 'a2',
        quote: '2026-05-12T08:01:03Z ERROR charge ch_2204 refused: 401 api key revoked (key ...x9Q2)',
      },
      {
        id: 'h2.1',
        callId: 'a4',
        quote: 'accounts-5d7f6c9b8d-4kx2p   1/1     Running   0          16h',
        opposite: true,
      },
    ],
    leader: 'h1',
  },
  'retries-of-orders-api': {
    written: [
      {
        before: 'b2',
        add: [
          {
            statement:
              'The retries of orders-api, 570 a second, overrun pg-primary until it takes no more connections.',
            component: 'orders-api',
            kind: 'retry storm',
            predictions: [
              {
                call: 'kubectl logs of orders-api',
                expect: 'Several attempts within seconds, refused in the end.',
                refutes: true,
              },
              {
                call: 'dmesg of pg-primary',
                expect: 'The machine cannot keep up, for example I/O times out.',
              },
            ],
          },
          {
            statement: 'There are simply more orders from outside.',
            component: 'nginx, traffic',
            kind: 'load',
            predictions: [
              {
                call: 'awk: requests for orders a minute in nginx',
                expect: 'Clearly more from 21:14 on.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      {
        id: 'h1.1',
        callId: 'b2',
        quote:
          '2026-09-24T21:14:12Z ERROR orders-api attempt 5 of 5 failed: connection refused (pg-primary:5432)',
      },
      {
        id: 'h1.2',
        callId: 'b3',
        quote: '[Thu Sep 24 21:14:01 2026] nvme nvme0: I/O 312 QID 4 timeout, aborting',
      },
      { id: 'h2.1', callId: 'b4', quote: '  8460 21:14', opposite: true },
    ],
    leader: 'h1',
  },
  'postgres-killed-for-others': {
    written: [
      {
        before: 'g2',
        add: [
          {
            statement: 'Postgres is configured with too much memory for db7, and the kernel kills it.',
            component: 'Postgres on db7',
            kind: 'memory settings',
            predictions: [
              {
                call: 'ps on db7, by memory',
                expect: 'postgres has about 4 GB again soon after its start.',
                refutes: true,
              },
              {
                call: 'tail of the log of Postgres',
                expect: 'Killed by signal 9, and all sessions with it.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'The array under the database is degraded.',
            component: 'md0 of db7',
            kind: 'disk',
            predictions: [{ call: 'cat /proc/mdstat', expect: 'A missing disk, [U_].', refutes: true }],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 'g2', quote: '9180 postgres      3911020       06:40' },
      {
        id: 'h1.2',
        callId: 'g4',
        quote:
          '2026-04-30 02:40:11 UTC [2101] LOG:  server process (PID 2117) was terminated by signal 9: Killed',
      },
      { id: 'h2.1', callId: 'g5', quote: '      937558016 blocks super 1.2 [2/2] [UU]', opposite: true },
    ],
    leader: 'h1',
  },
  'queue-full-consumer-dead': {
    written: [
      {
        before: 'm2',
        add: [
          {
            statement: 'x-max-length of 100,000 is too small for the evening, so that exports overflows.',
            component: 'queue exports',
            kind: 'limit too small',
            predictions: [
              {
                call: 'query_prometheus: length of exports',
                expect: 'It runs up to exactly 100,000.',
                refutes: true,
              },
              {
                call: 'grep nack in exporter.log',
                expect: 'Nacks begin when the limit is reached.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'The broker refuses because of an alarm of memory or disk.',
            component: 'rabbit@mq1',
            kind: 'resource alarm',
            predictions: [{ call: 'rabbitmq-diagnostics alarms', expect: 'An alarm on mq1.', refutes: true }],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 'm3', quote: '  2026-01-22T20:12Z  100000' },
      { id: 'h1.2', callId: 'm4', quote: '2026-01-22T20:12:08Z error publish to exports: nack by broker' },
      {
        id: 'h2.1',
        callId: 'm5',
        quote: 'Node rabbit@mq1 reported no alarms, local or clusterwide',
        opposite: true,
      },
    ],
    leader: 'h1',
  },
  'orchestration-layer': {
    written: [
      {
        before: null,
        add: [
          {
            statement: 'The upstream orchestration layer is at its limit and hands on work too slowly.',
            component: 'the upstream orchestration layer',
            kind: 'capacity',
            predictions: [
              {
                call: 'kubectl get pods -n batch',
                expect: 'Pods of the import that wait to be started.',
                refutes: true,
              },
              { call: 'tail of freshness.log', expect: 'The warehouse is late today.' },
            ],
          },
          {
            statement: 'dwh takes no connections, so the import cannot load.',
            component: 'dwh',
            kind: 'database outage',
            predictions: [{ call: 'pg_isready of dwh', expect: 'No response, or rejecting.', refutes: true }],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 'p1', quote: 'import-29-4k2lq   0/1     ContainerCreating   0          16m' },
      { id: 'h1.2', callId: 'p3', quote: '2026-12-10 06:18 UTC late: import-29 has not ended' },
      { id: 'h2.1', callId: 'p4', quote: 'dwh:5432 - accepting connections', opposite: true },
    ],
    leader: 'h1',
  },
  'old-broker-restart': {
    written: [
      {
        before: 't2',
        add: [
          {
            statement: 'kafka-2 was restarted; the rebalance after it left consumers without partitions.',
            component: 'kafka-2',
            kind: 'broker restart',
            predictions: [
              {
                call: 'grep rebalance in consumer.log',
                expect: 'A rebalance in which consumers get nothing.',
                refutes: true,
              },
              { call: 'describe topic clicks', expect: 'kafka-2 is not the leader any more.' },
            ],
          },
          {
            statement: 'More clicks than the consumers can take.',
            component: 'topic clicks',
            kind: 'load',
            predictions: [
              {
                call: 'query_prometheus: messages in of clicks',
                expect: 'A rise before 11:48.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      {
        id: 'h1.1',
        callId: 't2',
        quote: '2026-06-20T11:44:30Z WARN  consumer-1 rebalance: assigned no partition of clicks',
      },
      {
        id: 'h1.2',
        callId: 't3',
        quote: 'Topic: clicks	Partition: 0	Leader: 1	Replicas: 1,2,3	Isr: 1,2,3',
      },
      { id: 'h2.1', callId: 't4', quote: '  2026-06-20T11:50Z  1,211/s', opposite: true },
    ],
    leader: 'h1',
  },
  'no-root-cause': {
    written: [
      {
        before: 'n2',
        add: [
          {
            statement: 'The run of today stopped at a lock that the killed run of yesterday left behind.',
            component: 'billing-cron, lock file',
            kind: 'stale lock',
            predictions: [
              {
                call: 'ls of the lock, ps of pid 22091',
                expect: 'The lock is of 29 October, and its pid is no run of billing.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'cron was restarted in the middle of the run of yesterday and took it down.',
            component: 'cron on bill1',
            kind: 'restart',
            predictions: [
              {
                call: 'journalctl of cron, 29 October 04:00 to 04:10',
                expect: 'cron is stopped at 04:09.',
                refutes: true,
              },
              { call: 'psql: invoices by day', expect: 'Only a part on 29 October.' },
            ],
          },
        ],
      },
    ],
    tests: [
      {
        id: 'h1.1',
        callId: 'n2',
        quote: '-rw-r--r-- 1 billing billing 6 2026-10-29 04:00:01.000000000 +0000 /run/billing-cron.lock',
      },
      {
        id: 'h2.1',
        callId: 'n3',
        quote:
          'Oct 29 04:09:12 bill1 systemd[1]: Stopping cron.service - Regular background program processing daemon...',
      },
      { id: 'h2.2', callId: 'n4', quote: ' 2026-10-29 |  3902' },
    ],
    leader: 'h1',
  },
};

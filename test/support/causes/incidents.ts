// Forty small incidents: 20 reports with a right cause, 20 with a wrong one. Plain data, see README.md.
export type Quote = { callId: string; quote: string };
export type Incident = {
  name: string;
  verdict: 'right' | 'wrong';
  /** what is true, and why the report is right or wrong */
  why: string;
  /** of a right one: what a naive checker stumbles over; of a wrong one: the kind of its fault */
  kind: string;
  alertStartsAt?: string;
  runStartedAt: string;
  calls: { id: string; tool: string; args: Record<string, unknown>; output: string; isError?: boolean }[];
  report: {
    summary: string;
    grade: 'confirmed';
    impact: { who: string; since: string; severity: string; ongoing: 'yes' | 'no' | 'unknown' };
    /** missing in one incident on purpose */
    rootCause?: { component: string; kind: string; text: string };
    claims: {
      text: string;
      role?: 'cause' | 'effect' | 'background';
      confidence?: 'high' | 'medium' | 'low';
      quotes: Quote[];
    }[];
    ruledOut: { text: string; quotes: Quote[] }[];
    recommended: [];
    gaps: [];
    timeline: [];
  };
};

export const incidents: Incident[] = [
  // ---- right ----
  {
    name: 'orders-seq-scan',
    verdict: 'right',
    why: 'The table has no index on customer_id, and the plan shows a sequential scan of 4.1 million rows. The plan was read after the symptom, but it shows a state.',
    kind: 'evidence of a state read after the symptom: query plan; alias Postgres',
    alertStartsAt: '2026-04-14T09:31:00Z',
    runStartedAt: '2026-04-14T09:40:00Z',
    calls: [
      {
        id: 'q1',
        tool: 'grep',
        args: { pattern: 'duration:', path: '/var/log/postgresql/postgresql-16-main.log', limit: 6 },
        output: `2026-04-14 09:27:13.201 UTC [8123] shop@shop LOG:  duration: 4120.551 ms  execute S_3: select * from orders where customer_id = $1 order by created_at desc limit 20
2026-04-14 09:27:14.982 UTC [8125] shop@shop LOG:  duration: 4377.020 ms  execute S_3: select * from orders where customer_id = $1 order by created_at desc limit 20
2026-04-14 09:28:02.115 UTC [8123] shop@shop LOG:  duration: 3988.317 ms  execute S_3: select * from orders where customer_id = $1 order by created_at desc limit 20
2026-04-14 09:30:41.870 UTC [8131] shop@shop LOG:  duration: 5102.894 ms  execute S_3: select * from orders where customer_id = $1 order by created_at desc limit 20
2026-04-14 09:31:19.006 UTC [8125] shop@shop LOG:  duration: 4870.110 ms  execute S_3: select * from orders where customer_id = $1 order by created_at desc limit 20`,
      },
      {
        id: 'q2',
        tool: 'psql',
        args: {
          db: 'shop',
          sql: 'explain (analyze, buffers) select * from orders where customer_id = 4711 order by created_at desc limit 20',
        },
        output: `                                QUERY PLAN
--------------------------------------------------------------------------
 Limit  (cost=98211.40..98211.45 rows=20 width=212) (actual time=4011.7..4011.8 rows=20 loops=1)
   ->  Sort  (cost=98211.40..98212.02 rows=248 width=212) (actual time=4011.7..4011.7 rows=20 loops=1)
         Sort Key: created_at DESC
         ->  Seq Scan on orders  (cost=0.00..98204.80 rows=248 width=212) (actual time=2.1..4010.9 rows=231 loops=1)
               Filter: (customer_id = 4711)
               Rows Removed by Filter: 4104882
 Planning Time: 0.212 ms
 Execution Time: 4011.9 ms
-- collected_at 2026-04-14T09:41:52Z`,
      },
      {
        id: 'q3',
        tool: 'psql',
        args: {
          db: 'shop',
          sql: "select tablename, indexname from pg_indexes where schemaname = 'public' order by 1, 2",
        },
        output: ` tablename |     indexname
-----------+--------------------
 customers | customers_email
 customers | customers_pkey
 orders    | orders_created_at
 orders    | orders_pkey
(4 rows)`,
      },
      {
        id: 'q4',
        tool: 'psql',
        args: { db: 'pgbouncer', sql: 'show pools' },
        output: ` database  | user | cl_active | cl_waiting | sv_active | sv_idle | maxwait | pool_mode
-----------+------+-----------+------------+-----------+---------+---------+-------------
 shop      | shop |        14 |          0 |         9 |      31 |       0 | transaction
 pgbouncer | adm  |         1 |          0 |         0 |       0 |       0 | statement
 reports   | ro   |         2 |          0 |         1 |       4 |       0 | session
(3 rows)`,
      },
    ],
    report: {
      summary:
        'The page of a customer is slow because Postgres reads all of orders for each request: there is no index on customer_id.',
      grade: 'confirmed',
      impact: {
        who: 'everybody who opens the list of orders',
        since: '2026-04-14 09:27 UTC',
        severity: '4 to 5 s a request',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'Postgres, table orders',
        kind: 'slow query, missing index',
        text: 'Without an index on customer_id each request is a sequential scan of 4.1 million rows, which takes four seconds.',
      },
      claims: [
        {
          text: 'The query is planned as a scan of the whole table.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'q2',
              quote:
                '->  Seq Scan on orders  (cost=0.00..98204.80 rows=248 width=212) (actual time=2.1..4010.9 rows=231 loops=1)',
            },
            { callId: 'q2', quote: 'Rows Removed by Filter: 4104882' },
          ],
        },
        {
          text: 'The table has only an index on created_at beside its key.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: 'q3', quote: ' orders    | orders_created_at' }],
        },
        {
          text: 'Requests take more than four seconds in the database.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'q1',
              quote:
                '2026-04-14 09:27:13.201 UTC [8123] shop@shop LOG:  duration: 4120.551 ms  execute S_3: select * from orders where customer_id = $1 order by created_at desc limit 20',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'Waiting for a connection of pgbouncer: no client waits.',
          quotes: [
            {
              callId: 'q4',
              quote:
                ' shop      | shop |        14 |          0 |         9 |      31 |       0 | transaction',
            },
          ],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'session-cache-heap',
    verdict: 'right',
    why: 'SessionCache keeps 71 % of the heap and is never emptied. The dump was taken after the kills; a dump is evidence of a state.',
    kind: 'evidence of a state read after the symptom: heap dump; camel case',
    alertStartsAt: '2026-02-20T21:58:40Z',
    runStartedAt: '2026-02-20T22:05:00Z',
    calls: [
      {
        id: 'call_1',
        tool: 'kubectl',
        args: { args: 'describe pod web-6c9f7d5b8-k2xvp -n shop' },
        output: `Name:             web-6c9f7d5b8-k2xvp
Namespace:        shop
Node:             ip-10-2-3-17.ec2.internal/10.2.3.17
Containers:
  web:
    Image:          registry.local/web:5.1.0
    State:          Running
      Started:      Fri, 20 Feb 2026 21:58:33 +0000
    Last State:     Terminated
      Reason:       OOMKilled
      Exit Code:    137
      Started:      Fri, 20 Feb 2026 15:44:02 +0000
      Finished:     Fri, 20 Feb 2026 21:58:31 +0000
    Restart Count:  9
    Limits:
      memory:  2Gi`,
      },
      {
        id: 'call_2',
        tool: 'bash',
        args: { command: 'jhat-summary /dumps/web-2026-02-20T2207.hprof --top 6' },
        output: `file: web-2026-02-20T2207.hprof   taken: 2026-02-20T22:07:14Z
retained heap by dominator (total 1,611 MB)
  com.shop.web.SessionCache                 1,149 MB  71.3 %   1 instance   2,204,118 entries
  org.apache.tomcat.util.buf.ByteChunk        88 MB   5.5 %   1,802 instances
  java.lang.Class                             41 MB   2.5 %   21,977 instances
  io.netty.buffer.PoolArena                   33 MB   2.0 %   16 instances
  com.shop.web.TemplateStore                  19 MB   1.2 %   1 instance
path to root of SessionCache: static com.shop.web.Sessions.CACHE -> ConcurrentHashMap`,
      },
      {
        id: 'call_3',
        tool: 'query_prometheus',
        args: { query: 'jvm_memory_used_bytes{area="heap",app="web"}', range: '6h', step: '1h' },
        output: `jvm_memory_used_bytes{area="heap",app="web"}  6 points, step 1h
  2026-02-20T16:00Z  401 MB
  2026-02-20T17:00Z  640 MB
  2026-02-20T18:00Z  918 MB
  2026-02-20T19:00Z  1,170 MB
  2026-02-20T20:00Z  1,433 MB
  2026-02-20T21:00Z  1,702 MB
rate of requests, same range: 118/s 121/s 117/s 120/s 119/s 122/s`,
      },
      {
        id: 'call_4',
        tool: 'grep',
        args: { pattern: 'CACHE', path: '/src/web/src/main/java/com/shop/web/Sessions.java' },
        output: `14:  static final Map<String, Session> CACHE = new ConcurrentHashMap<>();
31:    CACHE.put(session.id(), session);
38:    return CACHE.get(id);
52:  // TODO: CACHE.remove on logout and after idle time
67:    return CACHE.size();`,
      },
    ],
    report: {
      summary:
        'The session cache of web is never emptied; it fills the heap until the container is killed for memory.',
      grade: 'confirmed',
      impact: {
        who: 'users of web, logged out at each kill',
        since: 'Fri, 20 Feb 2026 21:58:31 +0000',
        severity: '9 restarts',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'the session cache',
        kind: 'memory leak',
        text: 'Sessions are put into a static map and never removed; after six hours the map fills the limit of 2Gi.',
      },
      claims: [
        {
          text: 'The session cache holds 71 % of the heap.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'call_2',
              quote:
                'com.shop.web.SessionCache                 1,149 MB  71.3 %   1 instance   2,204,118 entries',
            },
          ],
        },
        {
          text: 'Nothing removes a session.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: 'call_4', quote: '// TODO: CACHE.remove on logout and after idle time' }],
        },
        {
          text: 'The container is killed for memory.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            { callId: 'call_1', quote: 'Reason:       OOMKilled' },
            { callId: 'call_1', quote: 'Finished:     Fri, 20 Feb 2026 21:58:31 +0000' },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'More traffic: the rate of requests stays at 120/s while the heap grows.',
          quotes: [
            { callId: 'call_3', quote: 'rate of requests, same range: 118/s 121/s 117/s 120/s 119/s 122/s' },
          ],
        },
        {
          text: 'Buffers of netty: 2 % of the heap.',
          quotes: [
            {
              callId: 'call_2',
              quote: 'io.netty.buffer.PoolArena                   33 MB   2.0 %   16 instances',
            },
          ],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'gateway-certificate-end',
    verdict: 'right',
    why: 'The certificate ended at 08:00:00, three seconds before the first refused handshake. It was read at 08:20.',
    kind: 'evidence of a state read after the symptom: certificate end in openssl form',
    alertStartsAt: '2026-03-14T08:02:30Z',
    runStartedAt: '2026-03-14T08:18:00Z',
    calls: [
      {
        id: 'a1',
        tool: 'grep',
        args: { pattern: 'SSL', path: '/var/log/nginx/error.log', limit: 5 },
        output: `2026/03/14 08:00:03 [error] 812#812: *99120 upstream SSL certificate verify error: (10:certificate has expired) while SSL handshaking to upstream, client: 10.0.4.9, upstream: "https://10.0.7.31:8443/charge"
2026/03/14 08:00:04 [error] 812#812: *99124 upstream SSL certificate verify error: (10:certificate has expired) while SSL handshaking to upstream, client: 10.0.4.11, upstream: "https://10.0.7.31:8443/charge"
2026/03/14 08:00:09 [error] 813#813: *99131 upstream SSL certificate verify error: (10:certificate has expired) while SSL handshaking to upstream, client: 10.0.4.9, upstream: "https://10.0.7.32:8443/charge"
2026/03/14 08:00:11 [error] 812#812: *99140 upstream SSL certificate verify error: (10:certificate has expired) while SSL handshaking to upstream, client: 10.0.4.10, upstream: "https://10.0.7.31:8443/refund"
2026/03/14 08:00:15 [error] 813#813: *99152 upstream SSL certificate verify error: (10:certificate has expired) while SSL handshaking to upstream, client: 10.0.4.9, upstream: "https://10.0.7.31:8443/charge"`,
      },
      {
        id: 'a2',
        tool: 'bash',
        args: {
          command:
            'date -u; echo | openssl s_client -connect 10.0.7.31:8443 2>/dev/null | openssl x509 -noout -subject -issuer -dates -serial',
        },
        output: `Sat Mar 14 08:20:41 UTC 2026
subject=CN = payments-gateway.internal
issuer=CN = Shop Internal CA 2
notBefore=Dec 14 08:00:00 2025 GMT
notAfter=Mar 14 08:00:00 2026 GMT
serial=4E11A0D93B72`,
      },
      {
        id: 'a3',
        tool: 'journalctl',
        args: { unit: 'cert-renew.timer', since: '7 days ago' },
        output: `Mar 09 03:00:01 gw1 systemd[1]: cert-renew.timer: Unit to trigger vanished.
Mar 09 03:00:01 gw1 systemd[1]: cert-renew.timer: Failed with result 'resources'.
Mar 09 03:00:01 gw1 systemd[1]: cert-renew.timer: Deactivated.
Mar 09 03:00:02 gw1 systemd[1]: Stopped Renew the certificate of payments-gateway.
Mar 11 14:22:10 gw1 sudo[40121]: ops : COMMAND=/usr/bin/systemctl list-timers`,
      },
      {
        id: 'a4',
        tool: 'bash',
        args: { command: 'ssh gw1 chronyc tracking' },
        output: `Reference ID    : 0A000102 (ntp1.internal)
Stratum         : 3
Ref time (UTC)  : Sat Mar 14 08:20:02 2026
System time     : 0.000011 seconds fast of NTP time
Last offset     : +0.000004 seconds
Leap status     : Normal`,
      },
    ],
    report: {
      summary:
        'The certificate of payments-gateway ended on 14 March at 08:00 UTC and was not renewed; nginx refuses it.',
      grade: 'confirmed',
      impact: {
        who: 'customers who pay',
        since: '2026-03-14 08:00 UTC',
        severity: 'every charge fails',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'the certificate of payments-gateway',
        kind: 'expired certificate',
        text: 'The timer that renews it vanished on 9 March, so that the certificate reached its end while in use.',
      },
      claims: [
        {
          text: 'The certificate ended at 08:00:00 GMT.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'a2', quote: 'subject=CN = payments-gateway.internal' },
            { callId: 'a2', quote: 'notAfter=Mar 14 08:00:00 2026 GMT' },
          ],
        },
        {
          text: 'Its renewal has not run since 9 March.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'a3',
              quote: 'Mar 09 03:00:02 gw1 systemd[1]: Stopped Renew the certificate of payments-gateway.',
            },
          ],
        },
        {
          text: 'nginx refuses the certificate from 08:00:03 on.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'a1',
              quote:
                '2026/03/14 08:00:03 [error] 812#812: *99120 upstream SSL certificate verify error: (10:certificate has expired) while SSL handshaking to upstream',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'A wrong clock of the host: chronyc sees it within 11 microseconds.',
          quotes: [{ callId: 'a4', quote: 'System time     : 0.000011 seconds fast of NTP time' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'payment-deploy-minutes',
    verdict: 'right',
    why: 'Release 3.4.0 of paymentService at 10:00 UTC (in minutes) comes before the first error at 10:02:11, which is in code the release added.',
    kind: 'deploy with times in minutes; payment-service for paymentService',
    alertStartsAt: '2026-05-04T10:05:00Z',
    runStartedAt: '2026-05-04T10:12:00Z',
    calls: [
      {
        id: 'c1',
        tool: 'read',
        args: { path: '/srv/ci/deploys.txt' },
        output: `when                  component        version  by    status
2026-05-03 16:20 UTC  cartService      1.19.2   ci    done
2026-05-04 08:45 UTC  searchService    7.0.1    ci    done
2026-05-04 10:00 UTC  paymentService   3.4.0    ci    done
2026-05-04 10:10 UTC  cartService      1.19.3   ci    waiting for approval`,
      },
      {
        id: 'c2',
        tool: 'grep',
        args: { pattern: 'ERROR', path: '/srv/logs/payment.log', limit: 6 },
        output: `2026-05-04T10:02:11.480Z ERROR paymentService currency is undefined at toMinorUnits (money.js:88)
2026-05-04T10:02:13.017Z ERROR paymentService currency is undefined at toMinorUnits (money.js:88)
2026-05-04T10:02:20.654Z ERROR paymentService currency is undefined at toMinorUnits (money.js:88)
2026-05-04T10:03:02.900Z ERROR paymentService currency is undefined at toMinorUnits (money.js:88)
2026-05-04T10:03:44.118Z ERROR paymentService currency is undefined at toMinorUnits (money.js:88)`,
      },
      {
        id: 'c3',
        tool: 'bash',
        args: { command: 'git -C /src/paymentService log --oneline --stat v3.3.9..v3.4.0' },
        output: `8c0f3aa money: convert to minor units by currency
 src/money.js      | 31 +++++++++++++++++++++++++++++--
 test/money.js     |  9 +++++++++
 2 files changed, 38 insertions(+), 2 deletions(-)
5d2e910 docs: typo in readme
 README.md         |  2 +-
 1 file changed, 1 insertion(+), 1 deletion(-)`,
      },
      {
        id: 'c4',
        tool: 'http_get',
        args: { url: 'http://search.internal/metrics' },
        output: `search_requests_total{code="200"} 481223
search_requests_total{code="500"} 0
search_latency_seconds{quantile="0.95"} 0.041
search_build_info{version="7.0.1"} 1
search_queue_length 0`,
      },
    ],
    report: {
      summary:
        'Release 3.4.0 of payment-service breaks charges without a currency: toMinorUnits, new in it, throws.',
      grade: 'confirmed',
      impact: {
        who: 'customers who pay without a stored currency',
        since: '2026-05-04T10:02:11Z',
        severity: '5 errors in the first two minutes',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'payment-service',
        kind: 'deployment',
        text: 'Release 3.4.0 converts amounts by currency and throws where the currency is missing.',
      },
      claims: [
        {
          text: 'Release 3.4.0 went out at 10:00 UTC.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: 'c1', quote: '2026-05-04 10:00 UTC  paymentService   3.4.0    ci    done' }],
        },
        {
          text: 'It changed money.js, where the error comes from.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'c3', quote: '8c0f3aa money: convert to minor units by currency' },
            { callId: 'c3', quote: 'src/money.js      | 31 +++++++++++++++++++++++++++++--' },
          ],
        },
        {
          text: 'Charges fail from 10:02:11 on.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'c2',
              quote:
                '2026-05-04T10:02:11.480Z ERROR paymentService currency is undefined at toMinorUnits (money.js:88)',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'Release 7.0.1 of search: it answers without errors.',
          quotes: [{ callId: 'c4', quote: 'search_requests_total{code="500"} 0' }],
        },
        {
          text: 'Release 1.19.3 of cart-service: it is not out yet.',
          quotes: [
            {
              callId: 'c1',
              quote: '2026-05-04 10:10 UTC  cartService      1.19.3   ci    waiting for approval',
            },
          ],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'hikari-pool-full',
    verdict: 'right',
    why: 'A report holds 48 of 50 connections open; requests wait for one. The figures of the pool carry a collected_at after the symptom.',
    kind: 'figure with collected_at; "the connection pool" for connections',
    runStartedAt: '2026-01-12T14:25:00+01:00',
    calls: [
      {
        id: 't1',
        tool: 'http_get',
        args: { url: 'http://booking.internal:8081/actuator/hikari' },
        output: `{
  "collected_at": "2026-01-12T13:27:40Z",
  "name": "booking-main",
  "maximumPoolSize": 50,
  "connections": { "active": 50, "idle": 0, "waiting": 137 },
  "connectionTimeoutMs": 30000,
  "longestCheckout": { "thread": "month-report-2", "seconds": 811 }
}`,
      },
      {
        id: 't2',
        tool: 'bash',
        args: { command: 'tail -5 /var/log/booking/app.log' },
        output: `2026-01-12 14:15:31 +0100 WARN  [http-41] SQLTransientConnectionException: booking-main - Connection is not available, request timed out after 30001ms
2026-01-12 14:15:33 +0100 WARN  [http-07] SQLTransientConnectionException: booking-main - Connection is not available, request timed out after 30000ms
2026-01-12 14:16:02 +0100 WARN  [http-12] SQLTransientConnectionException: booking-main - Connection is not available, request timed out after 30002ms
2026-01-12 14:16:05 +0100 WARN  [http-41] SQLTransientConnectionException: booking-main - Connection is not available, request timed out after 30001ms
2026-01-12 14:16:31 +0100 WARN  [http-19] SQLTransientConnectionException: booking-main - Connection is not available, request timed out after 30000ms`,
      },
      {
        id: 't3',
        tool: 'http_get',
        args: { url: 'http://booking.internal:8081/actuator/hikari/checkouts?by=thread' },
        output: `collected_at 2026-01-12T13:28:05Z
month-report-1   24 connections  oldest 812 s
month-report-2   24 connections  oldest 811 s
http-41           1 connection   oldest 0.4 s
http-33           1 connection   oldest 0.2 s
sum              50 of 50`,
      },
      {
        id: 't4',
        tool: 'bash',
        args: {
          command: "mysql -e \"show global status like 'Threads%'; show variables like 'max_connections'\"",
        },
        output: `Variable_name	Value
Threads_cached	12
Threads_connected	61
Threads_created	211
Threads_running	3
max_connections	500`,
      },
    ],
    report: {
      summary:
        'The report of the month holds 48 of the 50 connections of the pool for more than 13 minutes; requests wait 30 s and fail.',
      grade: 'confirmed',
      impact: {
        who: 'everybody who books',
        since: '2026-01-12 14:15:31 +0100',
        severity: '137 requests wait',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'the connection pool',
        kind: 'capacity',
        text: 'month-report takes connections and keeps them; the pool of booking has none left for requests.',
      },
      claims: [
        {
          text: 'All connections of the pool are taken.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: 't1', quote: '"connections": { "active": 50, "idle": 0, "waiting": 137 }' }],
        },
        {
          text: 'The report of the month holds 48 of them.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 't3', quote: 'month-report-1   24 connections  oldest 812 s' },
            { callId: 't3', quote: 'month-report-2   24 connections  oldest 811 s' },
          ],
        },
        {
          text: 'Requests time out after 30 s.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 't2',
              quote:
                '2026-01-12 14:15:31 +0100 WARN  [http-41] SQLTransientConnectionException: booking-main - Connection is not available, request timed out after 30001ms',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'MySQL itself at its limit: 61 threads are connected of 500.',
          quotes: [
            { callId: 't4', quote: 'Threads_connected	61' },
            { callId: 't4', quote: 'max_connections	500' },
          ],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'db01-var-full',
    verdict: 'right',
    why: 'audit.log with debug on fills /var; the server stops writing. df was read afterwards (a state).',
    kind: 'state read after the symptom (df, du); syslog times; bare Linux',
    runStartedAt: '2026-04-03T04:30:00Z',
    calls: [
      {
        id: 'd1',
        tool: 'journalctl',
        args: { unit: 'mariadb', since: '04:00' },
        output: `Apr 03 04:17:22 db01 mariadbd[1188]: 2026-04-03  4:17:22 0 [ERROR] mariadbd: Disk is full writing './shop/orders.MYD' (Errcode: 28 "No space left on device")
Apr 03 04:17:22 db01 mariadbd[1188]: 2026-04-03  4:17:22 0 [Warning] Waiting for someone to free space...
Apr 03 04:18:22 db01 mariadbd[1188]: 2026-04-03  4:18:22 0 [ERROR] mariadbd: Disk is full writing './shop/orders.MYD' (Errcode: 28 "No space left on device")
Apr 03 04:19:22 db01 mariadbd[1188]: 2026-04-03  4:19:22 0 [ERROR] mariadbd: Disk is full writing './shop/orders.MYD' (Errcode: 28 "No space left on device")
Apr 03 04:27:22 db01 mariadbd[1188]: 2026-04-03  4:27:22 0 [ERROR] mariadbd: Disk is full writing './shop/orders.MYD' (Errcode: 28 "No space left on device")`,
      },
      {
        id: 'd2',
        tool: 'bash',
        args: { command: 'ssh db01 df -h' },
        output: `Filesystem      Size  Used Avail Use% Mounted on
/dev/nvme0n1p2   30G   11G   18G  38% /
/dev/nvme1n1    200G  200G     0 100% /var
tmpfs            16G     0   16G   0% /dev/shm
/dev/nvme2n1    500G   80G  420G  16% /backup`,
      },
      {
        id: 'd3',
        tool: 'bash',
        args: {
          command: 'ssh db01 du -xh --max-depth=2 /var | sort -rh | head -6; ssh db01 ls -l /var/log/audit',
        },
        output: `200G	/var
151G	/var/log
48G	/var/lib
612M	/var/cache
total 147013320
-rw------- 1 root root 150541639680 Apr  3 04:17 audit.log
-rw------- 1 root root      8388608 Mar 30 11:00 audit.log.1`,
      },
      {
        id: 'd4',
        tool: 'bash',
        args: {
          command:
            'ssh db01 grep -v ^# /etc/audit/auditd.conf; ssh db01 tail -1 /etc/audit/rules.d/90-debug.rules',
        },
        output: `log_file = /var/log/audit/audit.log
max_log_file = 8
max_log_file_action = IGNORE
space_left_action = SYSLOG
disk_full_action = IGNORE
-a always,exit -F arch=b64 -S all -k debug`,
      },
      {
        id: 'd5',
        tool: 'bash',
        args: { command: 'ssh db01 smartctl -H -A /dev/nvme1n1' },
        output: `=== START OF SMART DATA SECTION ===
SMART overall-health self-assessment test result: PASSED
Critical Warning:                   0x00
Temperature:                        41 Celsius
Percentage Used:                    3%
Media and Data Integrity Errors:    0`,
      },
    ],
    report: {
      summary:
        'auditd logs every system call of db01 without rotation; audit.log has filled /var, and MariaDB cannot write.',
      grade: 'confirmed',
      impact: {
        who: 'all writes of the shop',
        since: 'Apr 03 04:17:22 UTC',
        severity: 'no write goes through',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'the audit log on db01',
        kind: 'configuration',
        text: 'A debug rule records every call and max_log_file_action = IGNORE rotates nothing; 150 GB of log fill /var, which MariaDB shares.',
      },
      claims: [
        {
          text: 'audit.log is 150 GB long.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: 'd3', quote: '-rw------- 1 root root 150541639680 Apr  3 04:17 audit.log' }],
        },
        {
          text: 'auditd records everything and does not rotate.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'd4', quote: 'max_log_file_action = IGNORE' },
            { callId: 'd4', quote: '-a always,exit -F arch=b64 -S all -k debug' },
          ],
        },
        {
          text: '/var is full and MariaDB waits for space.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            { callId: 'd2', quote: '/dev/nvme1n1    200G  200G     0 100% /var' },
            {
              callId: 'd1',
              quote: `Apr 03 04:17:22 db01 mariadbd[1188]: 2026-04-03  4:17:22 0 [ERROR] mariadbd: Disk is full writing './shop/orders.MYD' (Errcode: 28 "No space left on device")`,
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'Growth of the data: /var/lib has 48G of 200G.',
          quotes: [{ callId: 'd3', quote: '48G	/var/lib' }],
        },
        {
          text: 'A broken disk: SMART passes without integrity errors.',
          quotes: [{ callId: 'd5', quote: 'SMART overall-health self-assessment test result: PASSED' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'coredns-dead-upstream',
    verdict: 'right',
    why: 'CoreDNS forwards to an address where nothing answers any more; the Corefile is a state, the logs agree.',
    kind: 'configuration as a state, no time in its line; CoreDNS for coredns',
    alertStartsAt: '2026-06-22T17:06:00Z',
    runStartedAt: '2026-06-22T17:15:00Z',
    calls: [
      {
        id: 'k1',
        tool: 'kubectl',
        args: { args: 'logs -n kube-system deploy/coredns --tail=5' },
        output: `[ERROR] 2026-06-22T17:04:18Z plugin/errors: 2 api.mailer.example. A: read udp 10.244.0.7:41522->10.9.9.9:53: i/o timeout
[ERROR] 2026-06-22T17:04:20Z plugin/errors: 2 api.mailer.example. AAAA: read udp 10.244.0.7:55010->10.9.9.9:53: i/o timeout
[ERROR] 2026-06-22T17:04:26Z plugin/errors: 2 hooks.chat.example. A: read udp 10.244.0.9:39811->10.9.9.9:53: i/o timeout
[ERROR] 2026-06-22T17:05:01Z plugin/errors: 2 api.mailer.example. A: read udp 10.244.0.9:60213->10.9.9.9:53: i/o timeout
[ERROR] 2026-06-22T17:05:03Z plugin/errors: 2 s3.example. A: read udp 10.244.0.7:48890->10.9.9.9:53: i/o timeout`,
      },
      {
        id: 'k2',
        tool: 'kubectl',
        args: { args: "get configmap coredns -n kube-system -o jsonpath='{.data.Corefile}'" },
        output: `.:53 {
    errors
    health
    kubernetes cluster.local in-addr.arpa ip6.arpa
    prometheus :9153
    forward . 10.9.9.9
    cache 30
    loop
    reload
}`,
      },
      {
        id: 'k3',
        tool: 'bash',
        args: {
          command:
            'for s in 10.9.9.9 10.9.9.53; do echo "== $s"; dig +time=2 +tries=1 @$s api.mailer.example +noall +answer +comments; done',
        },
        output: `== 10.9.9.9
;; connection timed out; no servers could be reached
== 10.9.9.53
;; ->>HEADER<<- opcode: QUERY, status: NOERROR, id: 40117
;; flags: qr rd ra; QUERY: 1, ANSWER: 1, AUTHORITY: 0, ADDITIONAL: 1
api.mailer.example.	300	IN	A	203.0.113.40`,
      },
      {
        id: 'k4',
        tool: 'read',
        args: { path: '/srv/wiki/network/resolvers.md' },
        output: `# Resolvers
| address    | state                                   |
|------------|-----------------------------------------|
| 10.9.9.53  | in use                                  |
| 10.9.9.9   | switched off 2026-06-22 17:04 UTC, NET-812 |
| 10.9.9.10  | reserved                                |`,
      },
      {
        id: 'k5',
        tool: 'kubectl',
        args: { args: 'get pods -n kube-system -l k8s-app=kube-proxy' },
        output: `NAME               READY   STATUS    RESTARTS   AGE
kube-proxy-5kd2p   1/1     Running   0          41d
kube-proxy-8xq7m   1/1     Running   0          41d
kube-proxy-lw9vz   1/1     Running   0          41d
kube-proxy-zt4hn   1/1     Running   1          41d`,
      },
    ],
    report: {
      summary:
        'CoreDNS asks only the resolver 10.9.9.9, which was switched off at 17:04 UTC; no outside name is resolved.',
      grade: 'confirmed',
      impact: {
        who: 'all pods that call outside',
        since: '2026-06-22T17:04:18Z',
        severity: 'all lookups of outside names time out',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'CoreDNS',
        kind: 'configuration',
        text: 'Its only upstream is an address that was switched off; nothing falls back to 10.9.9.53.',
      },
      claims: [
        {
          text: 'The Corefile forwards to 10.9.9.9 alone.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: 'k2', quote: 'forward . 10.9.9.9' }],
        },
        {
          text: 'Nothing answers there: the resolver was switched off.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'k3', quote: ';; connection timed out; no servers could be reached' },
            { callId: 'k4', quote: '| 10.9.9.9   | switched off 2026-06-22 17:04 UTC, NET-812 |' },
          ],
        },
        {
          text: 'Lookups time out.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'k1',
              quote:
                '[ERROR] 2026-06-22T17:04:18Z plugin/errors: 2 api.mailer.example. A: read udp 10.244.0.7:41522->10.9.9.9:53: i/o timeout',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'The zone mailer.example itself: the other resolver answers for it.',
          quotes: [{ callId: 'k3', quote: 'api.mailer.example.	300	IN	A	203.0.113.40' }],
        },
        {
          text: 'kube-proxy: all of them run, for 41 days.',
          quotes: [{ callId: 'k5', quote: 'kube-proxy-5kd2p   1/1     Running   0          41d' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'invoice-poison-message',
    verdict: 'right',
    why: 'One message that cannot be parsed stops the partition. Memory, version and number of the very same consumers are ruled out with healthy figures, which is fair.',
    kind: 'several faults of the blamed component ruled out with healthy figures; plural',
    runStartedAt: '2026-07-08T06:50:00Z',
    calls: [
      {
        id: 'm1',
        tool: 'bash',
        args: {
          command: 'kafka-consumer-groups.sh --bootstrap-server kafka:9092 --describe --group invoices',
        },
        output: `GROUP     TOPIC     PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG     CONSUMER-ID          HOST
invoices  invoices  0          771204          771206          2       invoice-consumer-0   /10.1.0.4
invoices  invoices  1          770118          801777          31659   invoice-consumer-1   /10.1.0.5
invoices  invoices  2          769950          769951          1       invoice-consumer-2   /10.1.0.6
collected_at 2026-07-08T06:52Z`,
      },
      {
        id: 'm2',
        tool: 'kubectl',
        args: { args: 'logs invoice-consumer-1 --since=2h | head -6' },
        output: `2026-07-08T05:11:09Z INFO  invoice-consumer-1 partition 1 offset 770117 done in 12 ms
2026-07-08T05:11:09Z ERROR invoice-consumer-1 partition 1 offset 770118 cannot parse: unexpected token 'N' at 411, will try again
2026-07-08T05:11:14Z ERROR invoice-consumer-1 partition 1 offset 770118 cannot parse: unexpected token 'N' at 411, will try again
2026-07-08T05:11:24Z ERROR invoice-consumer-1 partition 1 offset 770118 cannot parse: unexpected token 'N' at 411, will try again
2026-07-08T05:11:44Z ERROR invoice-consumer-1 partition 1 offset 770118 cannot parse: unexpected token 'N' at 411, will try again
2026-07-08T05:12:24Z ERROR invoice-consumer-1 partition 1 offset 770118 cannot parse: unexpected token 'N' at 411, will try again`,
      },
      {
        id: 'm3',
        tool: 'bash',
        args: { command: 'kcat -b kafka:9092 -t invoices -p 1 -o 770118 -c 1 -f "%T %k %s"' },
        output: `% Reading 1 message
% Auto-selecting Consumer mode
1783487468911 inv-90812
{"id":"inv-90812","lines":[{"sku":"A-1","net":NaN}]}
% Reached stop offset`,
      },
      {
        id: 'm4',
        tool: 'kubectl',
        args: { args: 'top pods -l app=invoice-consumer; get pods -l app=invoice-consumer -o wide' },
        output: `NAME                 CPU(cores)   MEMORY(bytes)
invoice-consumer-0   41m          212Mi
invoice-consumer-1   6m           209Mi
invoice-consumer-2   39m          214Mi
NAME                 READY   STATUS    RESTARTS   AGE   IMAGE
invoice-consumer-0   1/1     Running   0          19d   invoice-consumer:2.2.0
invoice-consumer-1   1/1     Running   0          19d   invoice-consumer:2.2.0
invoice-consumer-2   1/1     Running   0          19d   invoice-consumer:2.2.0`,
      },
      {
        id: 'm5',
        tool: 'bash',
        args: { command: 'kafka-topics.sh --bootstrap-server kafka:9092 --describe --topic invoices' },
        output: `Topic: invoices	PartitionCount: 3	ReplicationFactor: 3	Configs: retention.ms=604800000
	Topic: invoices	Partition: 0	Leader: 1	Replicas: 1,2,3	Isr: 1,2,3
	Topic: invoices	Partition: 1	Leader: 2	Replicas: 2,3,1	Isr: 2,3,1
	Topic: invoices	Partition: 2	Leader: 3	Replicas: 3,1,2	Isr: 3,1,2
Under replicated partitions: none`,
      },
    ],
    report: {
      summary:
        'The invoice consumers try one message that is no JSON (offset 770118) for ever; partition 1 has stood since 05:11 UTC.',
      grade: 'confirmed',
      impact: {
        who: 'a third of the customers get no invoice',
        since: '2026-07-08T05:11:09Z',
        severity: '31,659 messages wait',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'the invoice consumers',
        kind: 'code, bad data',
        text: 'A message with NaN cannot be parsed; the consumer tries it again without end and without setting it aside, so its partition stands.',
      },
      claims: [
        {
          text: 'The consumer of partition 1 fails at the same offset again and again.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'm2',
              quote:
                "2026-07-08T05:11:09Z ERROR invoice-consumer-1 partition 1 offset 770118 cannot parse: unexpected token 'N' at 411, will try again",
            },
          ],
        },
        {
          text: 'That message contains NaN.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: 'm3', quote: '{"id":"inv-90812","lines":[{"sku":"A-1","net":NaN}]}' }],
        },
        {
          text: 'Partition 1 is 31,659 messages behind, the others are not.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'm1',
              quote:
                'invoices  invoices  1          770118          801777          31659   invoice-consumer-1   /10.1.0.5',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'Memory of the invoice consumers: about 210Mi each.',
          quotes: [{ callId: 'm4', quote: 'invoice-consumer-1   6m           209Mi' }],
        },
        {
          text: 'A new version of, or a crash of, the invoice consumers: 2.2.0 has run for 19 days without a restart.',
          quotes: [
            {
              callId: 'm4',
              quote: 'invoice-consumer-1   1/1     Running   0          19d   invoice-consumer:2.2.0',
            },
          ],
        },
        {
          text: 'The brokers of Kafka: partition 1 has its leader and all replicas.',
          quotes: [
            { callId: 'm5', quote: 'Topic: invoices	Partition: 1	Leader: 2	Replicas: 2,3,1	Isr: 2,3,1' },
          ],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'redis-small-maxmemory',
    verdict: 'right',
    why: 'Redis runs with 64 MB and evicts sessions. INFO was read after the logouts; the figures are cumulative.',
    kind: 'state read after the symptom (redis INFO); alternatives refuted by outputs of other components',
    alertStartsAt: '2026-09-01T12:10:00Z',
    runStartedAt: '2026-09-01T12:21:00Z',
    calls: [
      {
        id: 'r-1',
        tool: 'bash',
        args: {
          command:
            'redis-cli -h cache1 info memory stats | egrep "used_memory_human|maxmemory|evicted|expired_keys|keyspace"',
        },
        output: `used_memory_human:63.98M
maxmemory:67108864
maxmemory_human:64.00M
maxmemory_policy:allkeys-lru
expired_keys:88123
evicted_keys:412907
keyspace_hits:9120033
keyspace_misses:1440218`,
      },
      {
        id: 'r-2',
        tool: 'query_prometheus',
        args: { query: 'rate(redis_evicted_keys_total{instance="cache1"}[5m])', range: '1h' },
        output: `redis_evicted_keys_total rate, instance cache1
  11:30 UTC   0.0 /s
  11:45 UTC   0.0 /s
  11:55 UTC  21.4 /s
  12:00 UTC  96.0 /s
  12:15 UTC  118.3 /s
collected_at: 2026-09-01T12:23:10Z`,
      },
      {
        id: 'r-3',
        tool: 'grep',
        args: { pattern: 'session', path: '/var/log/web/app.log', limit: 5 },
        output: `2026-09-01T11:57:40Z WARN session 7f2a not found, user must log in again
2026-09-01T11:57:48Z WARN session 19c0 not found, user must log in again
2026-09-01T11:58:03Z WARN session a0e4 not found, user must log in again
2026-09-01T11:58:04Z WARN session 5b71 not found, user must log in again
2026-09-01T12:09:59Z WARN session d31f not found, user must log in again`,
      },
      {
        id: 'r-4',
        tool: 'bash',
        args: {
          command:
            'redis-cli -h cache1 info server | egrep "uptime|redis_version|config_file"; ping -c 20 -q cache1',
        },
        output: `redis_version:7.2.4
uptime_in_seconds:5184201
config_file:/etc/redis/redis.conf
--- cache1 ping statistics ---
20 packets transmitted, 20 received, 0% packet loss, time 19024ms
rtt min/avg/max/mdev = 0.181/0.203/0.266/0.018 ms`,
      },
      {
        id: 'r-5',
        tool: 'kubectl',
        args: { args: 'get pods -l app=auth' },
        output: `NAME                    READY   STATUS    RESTARTS   AGE
auth-7d8b9c4f6d-2pxlk   1/1     Running   0          6d3h
auth-7d8b9c4f6d-9rv8t   1/1     Running   0          6d3h
auth-7d8b9c4f6d-kq4mz   1/1     Running   0          6d3h
auth-7d8b9c4f6d-w6hns   1/1     Running   0          6d3h`,
      },
    ],
    report: {
      summary:
        'Redis on cache1 is limited to 64 MB and evicts live sessions since about 11:55 UTC; users are logged out.',
      grade: 'confirmed',
      impact: {
        who: 'users with a session',
        since: '2026-09-01T11:57:40Z',
        severity: '412,907 keys evicted',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'Redis',
        kind: 'configuration, capacity',
        text: 'maxmemory is 64 MB with allkeys-lru: when the sessions of the day no longer fit, live ones are thrown out.',
      },
      claims: [
        {
          text: 'The memory of Redis is at its limit, and keys are evicted.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'r-1', quote: 'maxmemory_human:64.00M' },
            { callId: 'r-1', quote: 'used_memory_human:63.98M' },
            { callId: 'r-1', quote: 'evicted_keys:412907' },
          ],
        },
        {
          text: 'Eviction began about 11:55 UTC.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: 'r-2', quote: '11:55 UTC  21.4 /s' }],
        },
        {
          text: 'Users lose their session.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'r-3',
              quote: '2026-09-01T11:57:40Z WARN session 7f2a not found, user must log in again',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'A restart of Redis: it has been up for 60 days.',
          quotes: [{ callId: 'r-4', quote: 'uptime_in_seconds:5184201' }],
        },
        {
          text: 'The network to cache1: no packet is lost.',
          quotes: [
            { callId: 'r-4', quote: '20 packets transmitted, 20 received, 0% packet loss, time 19024ms' },
          ],
        },
        {
          text: 'A restart of auth: its pods have run for six days.',
          quotes: [{ callId: 'r-5', quote: 'auth-7d8b9c4f6d-2pxlk   1/1     Running   0          6d3h' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'nightly-backup-io',
    verdict: 'right',
    why: 'The dump of the cron job saturates the disk from 02:00:01; the API slows 40 s later and recovers when it ends.',
    kind: 'cron job, syslog time without year; access log times with zone',
    runStartedAt: '2026-10-07T06:00:00Z',
    calls: [
      {
        id: 's1',
        tool: 'bash',
        args: { command: 'grep -h CRON /var/log/syslog | tail -5' },
        output: `Oct  7 01:17:01 app3 CRON[20110]: (root) CMD (cd / && run-parts --report /etc/cron.hourly)
Oct  7 02:00:01 app3 CRON[20431]: (backup) CMD (/opt/backup/nightly-backup.sh --full --jobs 16)
Oct  7 02:17:01 app3 CRON[20988]: (root) CMD (cd / && run-parts --report /etc/cron.hourly)
Oct  7 03:10:01 app3 CRON[21702]: (root) CMD (test -e /run/systemd/system || SERVICE_MODE=1 /usr/lib/x86_64-linux-gnu/e2fsprogs/e2scrub_all_cron)
Oct  7 03:17:01 app3 CRON[21719]: (root) CMD (cd / && run-parts --report /etc/cron.hourly)`,
      },
      {
        id: 's2',
        tool: 'bash',
        args: { command: 'sar -d -f /var/log/sa/sa07 -s 01:50 -e 02:40 | grep nvme1n1' },
        output: `01:50:01 UTC  nvme1n1   118.20   1204.11   3.10   0.44   6.10
02:00:01 UTC  nvme1n1   121.77   1250.90   3.22   0.47   6.30
02:10:01 UTC  nvme1n1  8810.04  901220.33  288.12  41.20  99.90
02:20:01 UTC  nvme1n1  8790.51  899871.08  290.40  41.77  99.95
02:30:01 UTC  nvme1n1  4101.92  420117.55  120.09  19.31  51.20
02:40:01 UTC  nvme1n1   119.40   1222.37   3.12   0.45   6.10`,
      },
      {
        id: 's3',
        tool: 'grep',
        args: { pattern: ' 504 ', path: '/var/log/nginx/access.log', limit: 6 },
        output: `10.8.0.21 - - [07/Oct/2026:02:00:41 +0000] "GET /api/v2/stock HTTP/1.1" 504 167 "-" "okhttp/4.9" rt=30.001
10.8.0.19 - - [07/Oct/2026:02:00:44 +0000] "GET /api/v2/stock HTTP/1.1" 504 167 "-" "okhttp/4.9" rt=30.000
10.8.0.21 - - [07/Oct/2026:02:01:15 +0000] "GET /api/v2/items HTTP/1.1" 504 167 "-" "okhttp/4.9" rt=30.002
10.8.0.33 - - [07/Oct/2026:02:19:58 +0000] "GET /api/v2/stock HTTP/1.1" 504 167 "-" "okhttp/4.9" rt=30.001
10.8.0.19 - - [07/Oct/2026:02:24:31 +0000] "GET /api/v2/items HTTP/1.1" 504 167 "-" "okhttp/4.9" rt=30.000`,
      },
      {
        id: 's4',
        tool: 'bash',
        args: { command: 'cat /var/log/backup/nightly-2026-10-07.log' },
        output: `start   2026-10-07 02:00 UTC  full=yes jobs=16 ionice=none
dump    shop      612 GB read
dump    sessions   41 GB read
upload  s3://backup-eu/app3/2026-10-07/
end     2026-10-07 02:25 UTC  ok`,
      },
      {
        id: 's5',
        tool: 'bash',
        args: {
          command:
            "awk '{print substr($4,14,5)}' /var/log/nginx/access.log | sort | uniq -c | sed -n '118,124p'",
        },
        output: `   2011 01:58
   1987 01:59
   2004 02:00
   1995 02:01
   1990 02:02
   2013 02:03`,
      },
    ],
    report: {
      summary:
        'The nightly backup, full and with 16 jobs, saturates the disk of app3 from 02:00 to 02:25 UTC; the API answers 504 meanwhile.',
      grade: 'confirmed',
      impact: {
        who: 'clients of /api/v2',
        since: '07/Oct/2026:02:00:41 +0000',
        severity: 'answers 504 after 30 s',
        ongoing: 'no',
      },
      rootCause: {
        component: 'nightly backup',
        kind: 'scheduled job, load',
        text: 'nightly-backup.sh reads 650 GB with 16 jobs and without ionice; the disk is busy to 99.9 % and the API waits for it.',
      },
      claims: [
        {
          text: 'The backup starts at 02:00:01 with 16 jobs.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 's1',
              quote:
                'Oct  7 02:00:01 app3 CRON[20431]: (backup) CMD (/opt/backup/nightly-backup.sh --full --jobs 16)',
            },
            { callId: 's4', quote: 'start   2026-10-07 02:00 UTC  full=yes jobs=16 ionice=none' },
          ],
        },
        {
          text: 'The disk is busy to 99.9 % while it runs.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 's2', quote: '02:10:01 UTC  nvme1n1  8810.04  901220.33  288.12  41.20  99.90' },
          ],
        },
        {
          text: 'The API answers 504 from 02:00:41 on.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 's3',
              quote:
                '10.8.0.21 - - [07/Oct/2026:02:00:41 +0000] "GET /api/v2/stock HTTP/1.1" 504 167 "-" "okhttp/4.9" rt=30.001',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'More requests to nginx: about 2,000 a minute, as before.',
          quotes: [{ callId: 's5', quote: '2004 02:00' }],
        },
        {
          text: 'The hourly jobs: they also ran at 01:17 and 03:17, without any effect.',
          quotes: [
            {
              callId: 's1',
              quote:
                'Oct  7 01:17:01 app3 CRON[20110]: (root) CMD (cd / && run-parts --report /etc/cron.hourly)',
            },
          ],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'limit-lowered-zone',
    verdict: 'right',
    why: 'The commit is of 14:30 +0100, i.e. 13:30 UTC, before the first kill at 13:34:12Z; read without the zone it would come later.',
    kind: 'zones: a commit in +0100 before a symptom in UTC',
    alertStartsAt: '2026-02-11T13:36:00Z',
    runStartedAt: '2026-02-11T13:50:00Z',
    calls: [
      {
        id: 'g1',
        tool: 'bash',
        args: {
          command:
            "git -C /srv/gitops log -3 --date=iso --format='%h %ad %an %s' -p -- apps/resizer/values.yaml | head -24",
        },
        output: `b7719c2 2026-02-11 14:30:08 +0100 Jana resizer: requests and limits as the cost review asks
diff --git a/apps/resizer/values.yaml b/apps/resizer/values.yaml
--- a/apps/resizer/values.yaml
+++ b/apps/resizer/values.yaml
@@ -12,7 +12,7 @@ resources:
   limits:
-    memory: 1Gi
+    memory: 256Mi
   requests:
     memory: 256Mi
e20f4d1 2026-01-20 10:02:51 +0100 Omar resizer: 3 replicas`,
      },
      {
        id: 'g2',
        tool: 'kubectl',
        args: {
          args: 'get events -n media --sort-by=.lastTimestamp -o custom-columns=T:.lastTimestamp,O:.involvedObject.name,R:.reason,M:.message',
        },
        output: `T                      O                          R                 M
2026-02-11T13:31:40Z   resizer                    ScalingReplicaSet Scaled up replica set resizer-58c7 to 3
2026-02-11T13:34:12Z   resizer-58c7-4tq9k         OOMKilling        Memory cgroup out of memory: Killed process 3311 (node)
2026-02-11T13:35:01Z   resizer-58c7-9mzl2         OOMKilling        Memory cgroup out of memory: Killed process 4120 (node)
2026-02-11T13:35:44Z   resizer-58c7-4tq9k         BackOff           Back-off restarting failed container
2026-02-11T13:47:02Z   resizer-58c7-xw8dd         OOMKilling        Memory cgroup out of memory: Killed process 2899 (node)`,
      },
      {
        id: 'g3',
        tool: 'query_prometheus',
        args: { query: 'max_over_time(container_memory_working_set_bytes{container="resizer"}[7d])' },
        output: `container_memory_working_set_bytes, container resizer, max over 7 days
  2026-02-05  611 MiB
  2026-02-07  598 MiB
  2026-02-09  620 MiB
  2026-02-10  607 MiB
  2026-02-11  256 MiB (limit)`,
      },
      {
        id: 'g4',
        tool: 'kubectl',
        args: { args: 'describe node ip-10-0-3-8 | grep -A6 Conditions' },
        output: `Conditions:
  Type             Status  Reason
  MemoryPressure   False   KubeletHasSufficientMemory
  DiskPressure     False   KubeletHasNoDiskPressure
  PIDPressure      False   KubeletHasSufficientPID
  Ready            True    KubeletReady`,
      },
    ],
    report: {
      summary:
        'Commit b7719c2 lowered the memory limit of resizer from 1Gi to 256Mi; it needs about 600 MiB and is killed.',
      grade: 'confirmed',
      impact: {
        who: 'uploads of pictures',
        since: '2026-02-11T13:34:12Z',
        severity: 'all three pods are killed again and again',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'resizer',
        kind: 'configuration change',
        text: 'The limit of 256Mi, set at 14:30 +0100, is below what resizer needs, so that the kernel kills it.',
      },
      claims: [
        {
          text: 'The limit was lowered at 13:30 UTC.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'g1',
              quote:
                'b7719c2 2026-02-11 14:30:08 +0100 Jana resizer: requests and limits as the cost review asks',
            },
            { callId: 'g1', quote: '+    memory: 256Mi' },
          ],
        },
        {
          text: 'It has needed about 600 MiB every day.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: 'g3', quote: '2026-02-10  607 MiB' }],
        },
        {
          text: 'Pods are killed for memory since 13:34.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'g2',
              quote:
                '2026-02-11T13:34:12Z   resizer-58c7-4tq9k         OOMKilling        Memory cgroup out of memory: Killed process 3311 (node)',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'Memory pressure of the node: it reports none.',
          quotes: [{ callId: 'g4', quote: 'MemoryPressure   False   KubeletHasSufficientMemory' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'backoffice-idle-transaction',
    verdict: 'right',
    why: 'A transaction of the back office holds row locks while idle; payments waits on its pid. Read while it was going on.',
    kind: 'state read after the symptom (locks); back office for backoffice-web',
    runStartedAt: '2026-05-19T15:30:00Z',
    calls: [
      {
        id: 'L1',
        tool: 'bash',
        args: { command: 'journalctl -u payments --since 15:10 -o short-iso | head -5' },
        output: `2026-05-19T15:18:42+0000 pay1 payments[902]: WARN update of invoice 55120 waits for a lock since 5 s
2026-05-19T15:19:07+0000 pay1 payments[902]: ERROR update of invoice 55120: canceling statement due to lock timeout
2026-05-19T15:19:11+0000 pay1 payments[902]: ERROR update of invoice 55121: canceling statement due to lock timeout
2026-05-19T15:19:40+0000 pay1 payments[902]: ERROR update of invoice 55120: canceling statement due to lock timeout
2026-05-19T15:20:12+0000 pay1 payments[902]: ERROR update of invoice 55124: canceling statement due to lock timeout`,
      },
      {
        id: 'L2',
        tool: 'psql',
        args: {
          sql: 'select pid, application_name, state, now() - xact_start as age, left(query, 40) as query from pg_stat_activity where xact_start is not null order by 4 desc',
        },
        output: `  pid  | application_name |        state        |       age       |                  query
-------+------------------+---------------------+-----------------+------------------------------------------
 20417 | backoffice-web   | idle in transaction | 00:14:51.220131 | update invoices set checked = true where
 20988 | payments         | active              | 00:00:04.118200 | update invoices set paid_at = now() wher
 20991 | payments         | active              | 00:00:02.907744 | update invoices set paid_at = now() wher
 21003 | psql             | active              | 00:00:00        | select pid, application_name, state, now
(4 rows)`,
      },
      {
        id: 'L3',
        tool: 'psql',
        args: {
          sql: 'select pid, pg_blocking_pids(pid) from pg_stat_activity where cardinality(pg_blocking_pids(pid)) > 0',
        },
        output: `  pid  | pg_blocking_pids
-------+------------------
 20988 | {20417}
 20991 | {20417}
(2 rows)
Time: 3.118 ms`,
      },
      {
        id: 'L4',
        tool: 'bash',
        args: { command: 'cat /srv/deploys.log | tail -5' },
        output: `2026-05-18 09:12 UTC accounts 8.0.2
2026-05-18 13:40 UTC payments 9.2.9
2026-05-19 07:05 UTC payments 9.3.0 "shorter lock timeouts"
2026-05-19 07:31 UTC search 4.4.1
2026-05-19 08:00 UTC end of window`,
      },
      {
        id: 'L5',
        tool: 'bash',
        args: { command: 'ssh pgmain vmstat 1 5' },
        output: `procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
 1  0      0 811204  90112 612004    0    0     4    11  290  411  3  1 96  0  0
 0  0      0 811200  90112 612004    0    0     0     8  281  402  2  1 97  0  0
 0  0      0 811188  90112 612004    0    0     0    20  288  415  2  1 97  0  0`,
      },
    ],
    report: {
      summary:
        'The back office keeps a transaction open (pid 20417, idle in transaction); it locks rows of invoices, and payments runs into lock timeouts.',
      grade: 'confirmed',
      impact: {
        who: 'customers who pay an invoice',
        since: '2026-05-19T15:18:42+0000',
        severity: 'updates of invoices fail',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'the back office',
        kind: 'lock, open transaction',
        text: 'Its session updated invoices and neither commits nor rolls back; every update of the same rows waits for it.',
      },
      claims: [
        {
          text: 'A session of the back office has been idle in a transaction for almost 15 minutes.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'L2',
              quote:
                ' 20417 | backoffice-web   | idle in transaction | 00:14:51.220131 | update invoices set checked = true where',
            },
          ],
        },
        {
          text: 'payments waits for exactly that session.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: 'L3', quote: ' 20988 | {20417}' }],
        },
        {
          text: 'Updates are cancelled after the lock timeout.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'L1',
              quote:
                '2026-05-19T15:19:07+0000 pay1 payments[902]: ERROR update of invoice 55120: canceling statement due to lock timeout',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'Release 9.3.0 of payments: eight hours before the first timeout, and the blocking session is not one of payments.',
          quotes: [
            { callId: 'L4', quote: '2026-05-19 07:05 UTC payments 9.3.0 "shorter lock timeouts"' },
            {
              callId: 'L2',
              quote:
                ' 20988 | payments         | active              | 00:00:04.118200 | update invoices set paid_at = now() wher',
            },
          ],
        },
        {
          text: 'Load of the database host pgmain: 96 % idle.',
          quotes: [
            {
              callId: 'L5',
              quote: ' 1  0      0 811204  90112 612004    0    0     4    11  290  411  3  1 96  0  0',
            },
          ],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'worker7-clock',
    verdict: 'right',
    why: 'worker-7 is 312 seconds slow; tokens look as if issued in the future. Only pods of that node refuse them.',
    kind: 'state read after the symptom (clock); node named loosely',
    alertStartsAt: '2026-11-03T20:14:00Z',
    runStartedAt: '2026-11-03T20:22:00Z',
    calls: [
      {
        id: 'n1',
        tool: 'bash',
        args: { command: 'kubectl logs -l app=api --prefix --since=20m | grep "token" | head -5' },
        output: `[pod/api-6f4b-8w2lq/api] 2026-11-03T20:06:48Z WARN token used before issued: iat 1793736720 is 312 s ahead
[pod/api-6f4b-8w2lq/api] 2026-11-03T20:06:55Z WARN token used before issued: iat 1793736727 is 312 s ahead
[pod/api-6f4b-zz0hk/api] 2026-11-03T20:07:03Z WARN token used before issued: iat 1793736735 is 312 s ahead
[pod/api-6f4b-8w2lq/api] 2026-11-03T20:07:21Z WARN token used before issued: iat 1793736753 is 312 s ahead
[pod/api-6f4b-zz0hk/api] 2026-11-03T20:08:00Z WARN token used before issued: iat 1793736792 is 312 s ahead`,
      },
      {
        id: 'n2',
        tool: 'kubectl',
        args: { args: 'get pods -l app=api -o wide' },
        output: `NAME             READY   STATUS    RESTARTS   AGE    IP            NODE
api-6f4b-1c9sv   1/1     Running   0          3d2h   10.42.1.18    worker-2
api-6f4b-8w2lq   1/1     Running   0          3d2h   10.42.7.21    worker-7
api-6f4b-q5d7n   1/1     Running   0          3d2h   10.42.4.90    worker-4
api-6f4b-zz0hk   1/1     Running   0          3d2h   10.42.7.22    worker-7`,
      },
      {
        id: 'n3',
        tool: 'bash',
        args: {
          command:
            'for n in worker-2 worker-4 worker-7; do echo "== $n"; ssh $n chronyc tracking | egrep "Reference|System|Leap"; done',
        },
        output: `== worker-2
Reference ID    : 0A00000A (ntp.internal)
System time     : 0.000020 seconds slow of NTP time
Leap status     : Normal
== worker-4
Reference ID    : 0A00000A (ntp.internal)
System time     : 0.000007 seconds fast of NTP time
Leap status     : Normal
== worker-7
Reference ID    : 00000000 ()
System time     : 312.004410 seconds slow of NTP time
Leap status     : Not synchronised`,
      },
      {
        id: 'n4',
        tool: 'http_get',
        args: { url: 'http://issuer.internal/health' },
        output: `HTTP/1.1 200 OK
Date: Tue, 03 Nov 2026 20:24:31 GMT
content-type: application/json

{"service":"issuer","ok":true,"tokens_issued":771203,"sign_errors":0}`,
      },
    ],
    report: {
      summary:
        'The clock of node worker-7 is 312 s slow and not synchronised; the two api pods there refuse fresh tokens.',
      grade: 'confirmed',
      impact: {
        who: 'half of the requests to api',
        since: '2026-11-03T20:06:48Z (clock of the node)',
        severity: 'logins fail on 2 of 4 pods',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'Clock of worker7',
        kind: 'clock skew',
        text: 'Without a time server the node has drifted by 312 s; to it, tokens come from the future.',
      },
      claims: [
        {
          text: 'The node has no time server and is 312 s slow.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'n3', quote: '== worker-7' },
            { callId: 'n3', quote: 'System time     : 312.004410 seconds slow of NTP time' },
          ],
        },
        {
          text: 'The pods that refuse tokens are those of worker-7.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'n2',
              quote: 'api-6f4b-8w2lq   1/1     Running   0          3d2h   10.42.7.21    worker-7',
            },
            {
              callId: 'n2',
              quote: 'api-6f4b-zz0hk   1/1     Running   0          3d2h   10.42.7.22    worker-7',
            },
          ],
        },
        {
          text: 'They see tokens as 312 s ahead.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'n1',
              quote:
                '[pod/api-6f4b-8w2lq/api] 2026-11-03T20:06:48Z WARN token used before issued: iat 1793736720 is 312 s ahead',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'The issuer of the tokens: its Date is right and it signs without errors.',
          quotes: [
            { callId: 'n4', quote: 'Date: Tue, 03 Nov 2026 20:24:31 GMT' },
            { callId: 'n4', quote: '{"service":"issuer","ok":true,"tokens_issued":771203,"sign_errors":0}' },
          ],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'mail-worker-variable',
    verdict: 'right',
    why: 'mailWorker stops at its start for want of SMTP_HOST; the queue grows as a consequence, and is reported as one.',
    kind: 'consequence (full queue) reported as effect; mail worker for mailWorker',
    runStartedAt: '2026-03-27T11:20:00Z',
    calls: [
      {
        id: 'w1',
        tool: 'bash',
        args: { command: 'rabbitmqctl list_queues name messages consumers memory --formatter pretty_table' },
        output: `| name         | messages | consumers | memory    |
| audit        | 0        | 2         | 14180     |
| mail         | 48211    | 0         | 118200344 |
| mail.dead    | 3        | 0         | 14240     |
| thumbnails   | 12       | 4         | 20112     |`,
      },
      {
        id: 'w2',
        tool: 'journalctl',
        args: { unit: 'mail-worker', lines: 8 },
        output: `Mar 27 10:41:07 q2 systemd[1]: Started mail-worker.service - mailWorker.
Mar 27 10:41:08 q2 mailWorker[5120]: Error: SMTP_HOST is not set
Mar 27 10:41:08 q2 mailWorker[5120]:     at readSettings (/opt/mailWorker/settings.js:19:11)
Mar 27 10:41:08 q2 systemd[1]: mail-worker.service: Main process exited, code=exited, status=1/FAILURE
Mar 27 10:41:13 q2 systemd[1]: mail-worker.service: Scheduled restart job, restart counter is at 5.
Mar 27 10:41:13 q2 systemd[1]: mail-worker.service: Start request repeated too quickly.
Mar 27 10:41:13 q2 systemd[1]: Failed to start mail-worker.service - mailWorker.`,
      },
      {
        id: 'w3',
        tool: 'bash',
        args: {
          command:
            'ssh q2 cat /etc/default/mail-worker; ssh q2 ls -l --time-style=full-iso /etc/default/mail-worker',
        },
        output: `# written by ansible, role mail_worker
AMQP_URL=amqp://mail@rabbit1/prod
SMTP_PORT=587
SMTP_USER=mailer
CONCURRENCY=8
-rw-r----- 1 root mail 118 2026-03-27 10:40:52.118000000 +0000 /etc/default/mail-worker`,
      },
      {
        id: 'w4',
        tool: 'http_get',
        args: {
          url: 'http://rabbit1:15672/api/nodes?columns=name,mem_alarm,disk_free_alarm,running,partitions',
        },
        output: `[
  {
    "name": "rabbit@rabbit1",
    "running": true,
    "mem_alarm": false,
    "disk_free_alarm": false,
    "partitions": []
  }
]`,
      },
      {
        id: 'w5',
        tool: 'bash',
        args: { command: 'printf "EHLO x\\r\\nQUIT\\r\\n" | nc -w3 smtp.internal 587' },
        output: `220 smtp.internal ESMTP ready
250-smtp.internal
250-STARTTLS
250 SIZE 35882577
221 2.0.0 Bye`,
      },
    ],
    report: {
      summary:
        'The mail worker does not start: ansible wrote its settings without SMTP_HOST at 10:40 UTC. 48,211 mails wait.',
      grade: 'confirmed',
      impact: {
        who: 'everybody who waits for a mail',
        since: 'Mar 27 10:41:08 UTC',
        severity: '48,211 messages without a consumer',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'mail worker',
        kind: 'configuration',
        text: 'Without SMTP_HOST it exits at its start, and systemd gives up; the queue has no consumer.',
      },
      claims: [
        {
          text: 'It stops since SMTP_HOST is not set.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'w2', quote: 'Mar 27 10:41:08 q2 mailWorker[5120]: Error: SMTP_HOST is not set' },
          ],
        },
        {
          text: 'Its settings were written at 10:40:52, just before the restart.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'w3',
              quote:
                '-rw-r----- 1 root mail 118 2026-03-27 10:40:52.118000000 +0000 /etc/default/mail-worker',
            },
          ],
        },
        {
          text: 'The queue mail has no consumer and 48,211 messages.',
          role: 'effect',
          confidence: 'high',
          quotes: [{ callId: 'w1', quote: '| mail         | 48211    | 0         | 118200344 |' }],
        },
      ],
      ruledOut: [
        {
          text: 'RabbitMQ itself: rabbit1 runs without an alarm.',
          quotes: [
            { callId: 'w4', quote: '"name": "rabbit@rabbit1",' },
            { callId: 'w4', quote: '"mem_alarm": false,' },
          ],
        },
        {
          text: 'The mail server smtp.internal: it answers.',
          quotes: [{ callId: 'w5', quote: '220 smtp.internal ESMTP ready' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'reporting-password-rotated',
    verdict: 'right',
    why: 'Vault rotated the password of the role reporting at 09:15 (no seconds); the first refusal is at 09:15:40 and the service still has the old lease.',
    kind: 'event with a time without seconds in the same minute as the symptom',
    alertStartsAt: '2026-07-02T09:20:00Z',
    runStartedAt: '2026-07-02T09:33:00Z',
    calls: [
      {
        id: 'v1',
        tool: 'bash',
        args: { command: 'vault-audit --path "database/*" --since 12h' },
        output: `time               op      path                              by
2026-07-02T03:00Z  read    database/static-creds/orders      k8s:orders
2026-07-02T03:00Z  read    database/static-creds/reporting   k8s:reporting
2026-07-02T09:14Z  login   auth/oidc                         dba:lena
2026-07-02T09:15Z  rotate  database/rotate-role/reporting    dba:lena
2026-07-02T09:21Z  read    database/static-creds/orders      k8s:orders`,
      },
      {
        id: 'v2',
        tool: 'bash',
        args: { command: 'grep -h FATAL /var/log/postgresql/postgresql-15-main.log | head -5' },
        output: `2026-07-02 09:15:40.221 UTC [30112] reporting@dwh FATAL:  password authentication failed for user "reporting"
2026-07-02 09:15:50.310 UTC [30120] reporting@dwh FATAL:  password authentication failed for user "reporting"
2026-07-02 09:16:00.404 UTC [30127] reporting@dwh FATAL:  password authentication failed for user "reporting"
2026-07-02 09:16:10.498 UTC [30131] reporting@dwh FATAL:  password authentication failed for user "reporting"
2026-07-02 09:16:20.611 UTC [30140] reporting@dwh FATAL:  password authentication failed for user "reporting"`,
      },
      {
        id: 'v3',
        tool: 'kubectl',
        args: { args: 'logs deploy/reporting -n dwh --tail=5' },
        output: `2026-07-02T03:00:11Z INFO reporting credentials read from vault, kept until restart
2026-07-02T09:15:40Z ERROR reporting cannot connect: password authentication failed
2026-07-02T09:15:50Z ERROR reporting cannot connect: password authentication failed
2026-07-02T09:16:00Z ERROR reporting cannot connect: password authentication failed
2026-07-02T09:33:40Z ERROR reporting cannot connect: password authentication failed`,
      },
      {
        id: 'v4',
        tool: 'psql',
        args: {
          sql: "select usename, count(*), max(backend_start) from pg_stat_activity where datname = 'dwh' group by 1",
        },
        output: ` usename | count |              max
---------+-------+-------------------------------
 dba     |     1 | 2026-07-02 09:34:02.110211+00
 etl     |     6 | 2026-07-02 09:31:40.770119+00
 orders  |    12 | 2026-07-02 09:22:15.001928+00
(3 rows)`,
      },
    ],
    report: {
      summary:
        'The password of reporting was rotated in Vault at 09:15 UTC; the service reads it only at its start and goes on with the old one.',
      grade: 'confirmed',
      impact: {
        who: 'readers of the reports',
        since: '2026-07-02 09:15 UTC',
        severity: 'reporting cannot connect at all',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'credentials of reporting',
        kind: 'change',
        text: 'After the rotation the password that reporting keeps until its restart is wrong.',
      },
      claims: [
        {
          text: 'The role reporting was rotated at 09:15 UTC by hand.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'v1', quote: '2026-07-02T09:15Z  rotate  database/rotate-role/reporting    dba:lena' },
          ],
        },
        {
          text: 'reporting keeps the credentials it read at 03:00 until it restarts.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'v3',
              quote: '2026-07-02T03:00:11Z INFO reporting credentials read from vault, kept until restart',
            },
          ],
        },
        {
          text: 'The database refuses its password since 09:15:40.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'v2',
              quote:
                '2026-07-02 09:15:40.221 UTC [30112] reporting@dwh FATAL:  password authentication failed for user "reporting"',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'A database that takes no connections: etl has connected since.',
          quotes: [{ callId: 'v4', quote: ' etl     |     6 | 2026-07-02 09:31:40.770119+00' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'edge2-unattended-reboot',
    verdict: 'right',
    why: 'edge2 rebooted at 03:12 for a kernel upgrade; haproxy was not enabled and stayed down.',
    kind: 'restart with times in minutes (`last`), access log form',
    runStartedAt: '2026-06-09T03:40:00Z',
    calls: [
      {
        id: 'b1',
        tool: 'bash',
        args: { command: 'ssh edge2 "last -x reboot shutdown | head -5"' },
        output: `reboot   system boot  6.8.0-47-generic Tue Jun  9 03:12   still running
shutdown system down  6.8.0-45-generic Tue Jun  9 03:11 - 03:12  (00:01)
reboot   system boot  6.8.0-45-generic Tue May  5 10:20 - 03:11 (34+16:51)
shutdown system down  6.8.0-41-generic Tue May  5 10:18 - 10:20  (00:02)
wtmp begins Thu Jan  8 08:00:01 2026`,
      },
      {
        id: 'b2',
        tool: 'bash',
        args: { command: 'ssh edge2 tail -4 /var/log/unattended-upgrades/unattended-upgrades.log' },
        output: `2026-06-09 03:04:10,118 INFO Packages that will be upgraded: linux-image-generic linux-headers-generic
2026-06-09 03:10:52,450 INFO All upgrades installed
2026-06-09 03:10:53,002 WARNING Found /var/run/reboot-required, rebooting
2026-06-09 03:10:53,090 WARNING Shutdown msg: b"Shutdown scheduled for Tue 2026-06-09 03:11:53 UTC"
2026-06-09 03:10:53,091 INFO edge2: done`,
      },
      {
        id: 'b3',
        tool: 'bash',
        args: {
          command: 'ssh edge2 "systemctl is-enabled haproxy; systemctl status haproxy --no-pager | head -5"',
        },
        output: `disabled
○ haproxy.service - HAProxy Load Balancer
     Loaded: loaded (/usr/lib/systemd/system/haproxy.service; disabled; preset: enabled)
     Active: inactive (dead)
       Docs: man:haproxy(1)`,
      },
      {
        id: 'b4',
        tool: 'grep',
        args: { pattern: 'edge2', path: '/var/log/monitor/probe.log', limit: 6 },
        output: `198.51.100.7 - probe [09/Jun/2026:03:10:31 +0000] "GET https://edge2.example/up" 200 2 0.041
198.51.100.7 - probe [09/Jun/2026:03:13:02 +0000] "GET https://edge2.example/up" connect: connection refused
198.51.100.7 - probe [09/Jun/2026:03:13:32 +0000] "GET https://edge2.example/up" connect: connection refused
198.51.100.7 - probe [09/Jun/2026:03:14:02 +0000] "GET https://edge2.example/up" connect: connection refused
198.51.100.7 - probe [09/Jun/2026:03:39:32 +0000] "GET https://edge2.example/up" connect: connection refused`,
      },
      {
        id: 'b5',
        tool: 'bash',
        args: {
          command:
            'for a in app1 app2; do echo "== $a"; curl -s -o /dev/null -w "%{http_code} %{time_total}s from %{remote_ip}\\n" http://$a:8080/up; done',
        },
        output: `== app1
200 0.012s from 10.5.0.11
== app2
200 0.010s from 10.5.0.12
(2 of 2)`,
      },
    ],
    report: {
      summary:
        'edge2 rebooted at 03:12 UTC after an unattended kernel upgrade; haproxy is not enabled there and did not come up.',
      grade: 'confirmed',
      impact: {
        who: 'clients that are sent to edge2',
        since: '09/Jun/2026:03:13:02 +0000',
        severity: 'all connections to edge2 are refused',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'edge2 (haproxy)',
        kind: 'restart',
        text: 'The reboot stopped haproxy, which is disabled in systemd, so that nothing listens since.',
      },
      claims: [
        {
          text: 'edge2 came up again at 03:12 UTC after unattended-upgrades asked for a reboot.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'b1',
              quote: 'reboot   system boot  6.8.0-47-generic Tue Jun  9 03:12   still running',
            },
            {
              callId: 'b2',
              quote: '2026-06-09 03:10:53,002 WARNING Found /var/run/reboot-required, rebooting',
            },
          ],
        },
        {
          text: 'haproxy is disabled and inactive.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'b3',
              quote: 'Loaded: loaded (/usr/lib/systemd/system/haproxy.service; disabled; preset: enabled)',
            },
          ],
        },
        {
          text: 'Connections are refused from 03:13:02 on.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'b4',
              quote:
                '198.51.100.7 - probe [09/Jun/2026:03:13:02 +0000] "GET https://edge2.example/up" connect: connection refused',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'The applications behind it, app1 and app2: both answer 200.',
          quotes: [
            { callId: 'b5', quote: '200 0.012s from 10.5.0.11' },
            { callId: 'b5', quote: '200 0.010s from 10.5.0.12' },
          ],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'new-ranking-flag',
    verdict: 'right',
    why: 'The flag newRanking went to 100 % at 11:05 UTC; the slow path that only it uses times out from 11:06 on. Its time has no date.',
    kind: 'change with `11:05 UTC` without a date; "the new ranking flag" for newRanking',
    alertStartsAt: '2026-08-05T11:09:00Z',
    runStartedAt: '2026-08-05T11:16:00Z',
    calls: [
      {
        id: 'f-1',
        tool: 'http_get',
        args: { url: 'http://flags.internal/api/flags/newRanking/history?day=today' },
        output: `flag newRanking (owner: search team)
08:10 UTC   5 %  ->  10 %   by rollout-bot
09:40 UTC  10 %  ->  10 %   comment "looks fine"
11:05 UTC  10 %  -> 100 %   by kim
no further changes`,
      },
      {
        id: 'f-2',
        tool: 'grep',
        args: { pattern: 'timeout', path: '/var/log/search/search.log', limit: 5 },
        output: `{"t":"2026-08-05T11:06:12.003Z","lvl":"error","msg":"timeout after 2000 ms","path":"rankV2","shard":3}
{"t":"2026-08-05T11:06:12.871Z","lvl":"error","msg":"timeout after 2000 ms","path":"rankV2","shard":1}
{"t":"2026-08-05T11:06:14.440Z","lvl":"error","msg":"timeout after 2000 ms","path":"rankV2","shard":3}
{"t":"2026-08-05T11:06:15.019Z","lvl":"error","msg":"timeout after 2000 ms","path":"rankV2","shard":2}
{"t":"2026-08-05T11:06:15.702Z","lvl":"error","msg":"timeout after 2000 ms","path":"rankV2","shard":3}`,
      },
      {
        id: 'f-3',
        tool: 'grep',
        args: { pattern: 'rankV2', path: '/src/search/src', limit: 5 },
        output: `src/query.ts:44:  const rank = flags.on('newRanking', user) ? rankV2 : rankV1;
src/rank-v2.ts:9:export const rankV2: Rank = async (hits, user) => {
src/rank-v2.ts:17:  const scores = await Promise.all(hits.map((hit) => model.score(hit, user)));
src/rank-v2.ts:30:  span.setAttribute('path', 'rankV2');
test/rank-v2.test.ts:4:import { rankV2 } from '../src/rank-v2.ts';`,
      },
      {
        id: 'f-4',
        tool: 'query_prometheus',
        args: { query: 'sum by (path) (rate(rank_seconds_sum[1m]) / rate(rank_seconds_count[1m]))' },
        output: `at 2026-08-05T11:18:00Z
{path="rankV1"}  0.038
{path="rankV2"}  1.914
sum of requests, rankV1: 0.1/s, rankV2: 212/s
an hour ago: rankV1 190/s, rankV2 21/s`,
      },
      {
        id: 'f-5',
        tool: 'http_get',
        args: { url: 'http://es.internal:9200/_cluster/health?pretty' },
        output: `{
  "cluster_name" : "es-search",
  "status" : "green",
  "number_of_nodes" : 6,
  "active_shards_percent_as_number" : 100.0,
  "unassigned_shards" : 0
}`,
      },
    ],
    report: {
      summary:
        'The flag newRanking went from 10 to 100 % at 11:05 UTC; its path calls the model once for each hit and times out under full load.',
      grade: 'confirmed',
      impact: {
        who: 'users of search',
        since: '2026-08-05T11:06:12Z',
        severity: 'mean of ranking 1.9 s instead of 0.04 s',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'the new ranking flag',
        kind: 'change (feature flag)',
        text: 'At 100 % all requests take rankV2, which scores every hit by a call of its own and exceeds 2 s.',
      },
      claims: [
        {
          text: 'The flag went to 100 % at 11:05 UTC.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: 'f-1', quote: '11:05 UTC  10 %  -> 100 %   by kim' }],
        },
        {
          text: 'The flag selects rankV2.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'f-3',
              quote: "src/query.ts:44:  const rank = flags.on('newRanking', user) ? rankV2 : rankV1;",
            },
          ],
        },
        {
          text: 'rankV2 times out since 11:06:12.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'f-2',
              quote:
                '{"t":"2026-08-05T11:06:12.003Z","lvl":"error","msg":"timeout after 2000 ms","path":"rankV2","shard":3}',
            },
            { callId: 'f-4', quote: '{path="rankV2"}  1.914' },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'The cluster es-search: green, no shard unassigned.',
          quotes: [
            { callId: 'f-5', quote: '"cluster_name" : "es-search",' },
            { callId: 'f-5', quote: '"status" : "green",' },
          ],
        },
        { text: 'The old path rankV1: 38 ms.', quotes: [{ callId: 'f-4', quote: '{path="rankV1"}  0.038' }] },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'haproxy-maxconn',
    verdict: 'right',
    why: 'The frontend stands at its maxconn of 256 while servers are idle. The figures come from after the symptom.',
    kind: 'capacity as a state; plural "HAProxy frontends"; alternative refuted by another component',
    runStartedAt: '2026-12-01T19:12:00Z',
    calls: [
      {
        id: 'h1',
        tool: 'bash',
        args: {
          command: 'echo "show stat" | socat - /run/haproxy.sock | cut -d, -f1,2,5,6,7,8,18 | column -s, -t',
        },
        output: `# pxname  svname    scur  smax  slim  stot     status
www       FRONTEND  256   256   256   9120441  OPEN
stats     FRONTEND  1     2     256   311      OPEN
app       app1      31    64    400   4559120  UP
app       app2      30    61    400   4561002  UP
app       BACKEND   61    125   26    9120122  UP`,
      },
      {
        id: 'h2',
        tool: 'bash',
        args: {
          command: 'ssh lb1 "ss -ltn sport = :443; nstat -az TcpExtListenOverflows TcpExtListenDrops"',
        },
        output: `State  Recv-Q Send-Q Local Address:Port Peer Address:Port
LISTEN 129    128          0.0.0.0:443       0.0.0.0:*
#kernel
TcpExtListenOverflows           41872              0.0
TcpExtListenDrops               41872              0.0`,
      },
      {
        id: 'h3',
        tool: 'grep',
        args: { pattern: 'maxconn|frontend|timeout http-keep-alive', path: '/etc/haproxy/haproxy.cfg' },
        output: `7:    maxconn 20000
19:    timeout http-keep-alive 60s
24:frontend www
26:    maxconn 256
41:frontend stats`,
      },
      {
        id: 'h4',
        tool: 'query_prometheus',
        args: { query: 'probe_success{target="https://www.example"}', range: '30m' },
        output: `probe_success{target="https://www.example"}
  2026-12-01 18:50 UTC  1
  2026-12-01 18:55 UTC  1
  2026-12-01 19:00 UTC  0
  2026-12-01 19:05 UTC  0
  2026-12-01 19:10 UTC  0`,
      },
      {
        id: 'h5',
        tool: 'bash',
        args: { command: 'for a in app1 app2; do ssh $a "hostname; uptime"; done' },
        output: `app1
 19:14:40 up 61 days,  4:02,  0 users,  load average: 0.61, 0.70, 0.66
app2
 19:14:41 up 61 days,  4:01,  0 users,  load average: 0.58, 0.64, 0.63
(both: 16 cores)`,
      },
    ],
    report: {
      summary:
        'The frontend www of HAProxy is at its limit of 256 connections; more wait in the kernel and are dropped, while the servers have room.',
      grade: 'confirmed',
      impact: {
        who: 'visitors of www',
        since: '2026-12-01 19:00 UTC',
        severity: '41,872 connections dropped',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'HAProxy frontends',
        kind: 'capacity',
        text: 'maxconn 256 of frontend www, with keep-alive of 60 s, leaves no place for new connections in the evening.',
      },
      claims: [
        {
          text: 'The frontend has 256 connections of 256.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: 'h1', quote: 'www       FRONTEND  256   256   256   9120441  OPEN' }],
        },
        {
          text: 'The limit is in its configuration.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: 'h3', quote: '26:    maxconn 256' }],
        },
        {
          text: 'New connections are dropped, and the probe fails since 19:00 UTC.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            { callId: 'h2', quote: 'TcpExtListenDrops               41872              0.0' },
            { callId: 'h4', quote: '2026-12-01 19:00 UTC  0' },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'The limit of app1: 31 of 400.',
          quotes: [{ callId: 'h1', quote: 'app       app1      31    64    400   4559120  UP' }],
        },
        {
          text: 'Load of the hosts app1 and app2: below 1 on 16 cores.',
          quotes: [
            { callId: 'h5', quote: ' 19:14:40 up 61 days,  4:02,  0 users,  load average: 0.61, 0.70, 0.66' },
          ],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'newsletter-eats-quota',
    verdict: 'right',
    why: 'newsletterJob used 98,214 of the 100,000 mails of the day; password mails are refused with 429. The account of use was read afterwards.',
    kind: 'state with collected_at after the symptom; newsletter job for newsletterJob',
    alertStartsAt: '2026-10-21T06:40:00Z',
    runStartedAt: '2026-10-21T06:48:00Z',
    calls: [
      {
        id: '1',
        tool: 'grep',
        args: { pattern: '429', path: '/var/log/accounts/accounts.log', limit: 5 },
        output: `2026-10-21 06:33:09Z accounts ERROR password mail not sent: 429 daily quota exceeded (sender api)
2026-10-21 06:33:31Z accounts ERROR password mail not sent: 429 daily quota exceeded (sender api)
2026-10-21 06:34:02Z accounts ERROR password mail not sent: 429 daily quota exceeded (sender api)
2026-10-21 06:35:40Z accounts ERROR password mail not sent: 429 daily quota exceeded (sender api)
2026-10-21 06:36:12Z accounts ERROR password mail not sent: 429 daily quota exceeded (sender api)`,
      },
      {
        id: '2',
        tool: 'http_get',
        args: { url: 'https://sender.example/v1/usage?by=tag' },
        output: `{
  "collected_at": "2026-10-21T06:50:02Z",
  "day": "2026-10-21", "quota": 100000, "used": 100000,
  "tags": [
    { "tag": "newsletterJob", "used": 98214 },
    { "tag": "accounts", "used": 1102 },
    { "tag": "invoices", "used": 684 }
  ]
}`,
      },
      {
        id: '3',
        tool: 'bash',
        args: { command: 'kubectl logs job/newsletter-20261021 -n marketing | tail -5' },
        output: `2026-10-21 05:00:02Z newsletterJob list "all customers (copy)" 214,800 receivers
2026-10-21 05:00:03Z newsletterJob sending, 20 in parallel
2026-10-21 06:00:00Z newsletterJob 62,118 sent
2026-10-21 06:33:07Z newsletterJob 98,214 sent
2026-10-21 06:33:08Z newsletterJob stopped: 429 daily quota exceeded`,
      },
      {
        id: '4',
        tool: 'http_get',
        args: { url: 'https://status.sender.example/api/v2/summary' },
        output: `page: sender status
updated_at: 2026-10-21T06:45:00Z
api: operational
smtp relay: operational
incidents: []`,
      },
    ],
    report: {
      summary:
        'The newsletter job sent 98,214 mails and used up the daily quota of the account that accounts shares; password mails are refused until tomorrow.',
      grade: 'confirmed',
      impact: {
        who: 'customers who ask for a new password',
        since: '2026-10-21 06:33:09Z',
        severity: 'no password mail goes out',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'newsletter job',
        kind: 'quota',
        text: 'It went to all 214,800 customers instead of a part and took the quota of 100,000 mails that all services share.',
      },
      claims: [
        {
          text: 'The newsletter job used 98,214 of 100,000.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: '2', quote: '{ "tag": "newsletterJob", "used": 98214 },' },
            { callId: '2', quote: '"day": "2026-10-21", "quota": 100000, "used": 100000,' },
          ],
        },
        {
          text: 'It sends to all customers.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: '3',
              quote: '2026-10-21 05:00:02Z newsletterJob list "all customers (copy)" 214,800 receivers',
            },
          ],
        },
        {
          text: 'accounts is refused with 429 since 06:33:09.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: '1',
              quote:
                '2026-10-21 06:33:09Z accounts ERROR password mail not sent: 429 daily quota exceeded (sender api)',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'An outage of the sender: its API is operational.',
          quotes: [
            { callId: '4', quote: 'page: sender status' },
            { callId: '4', quote: 'api: operational' },
          ],
        },
        {
          text: 'Too many mails of accounts: 1,102.',
          quotes: [{ callId: '2', quote: '{ "tag": "accounts", "used": 1102 },' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'network-policy-age',
    verdict: 'right',
    why: 'The policy default-deny is 12 minutes old, i.e. of about 15:30; calls time out from 15:31:08 on; Argo synced it at 15:30 UTC.',
    kind: 'change shown by an age (12m) and by minutes',
    alertStartsAt: '2026-08-19T15:33:00Z',
    runStartedAt: '2026-08-19T15:41:30Z',
    calls: [
      {
        id: 'p1',
        tool: 'kubectl',
        args: { args: 'get networkpolicy -n pricing' },
        output: `NAME                POD-SELECTOR   AGE
allow-dns           <none>         212d
allow-metrics       <none>         212d
default-deny        <none>         12m
ingress-from-edge   app=pricing    212d`,
      },
      {
        id: 'p2',
        tool: 'kubectl',
        args: { args: 'logs deploy/pricing -n pricing --since=20m | head -5' },
        output: `2026-08-19T15:29:58.120Z info  rates loaded from rates-db in 21 ms
2026-08-19T15:31:08.414Z error connect ETIMEDOUT rates-db.data:5432
2026-08-19T15:31:39.902Z error connect ETIMEDOUT rates-db.data:5432
2026-08-19T15:32:10.377Z error connect ETIMEDOUT rates-db.data:5432
2026-08-19T15:32:41.018Z error connect ETIMEDOUT rates-db.data:5432`,
      },
      {
        id: 'p3',
        tool: 'bash',
        args: {
          command:
            'argocd app history pricing-policies | tail -4; argocd app manifests pricing-policies | grep -A9 default-deny',
        },
        output: `ID  DATE                  REVISION
11  2026-03-02 09:12 UTC  c01d2aa
12  2026-08-19 15:30 UTC  77e0b19
---
  name: default-deny
  namespace: pricing
spec:
  podSelector: {}
  policyTypes: [Ingress, Egress]`,
      },
      {
        id: 'p4',
        tool: 'bash',
        args: {
          command:
            'kubectl exec -n data deploy/toolbox -- pg_isready -h rates-db.data -p 5432; kubectl get pods -n data -l app=rates-db',
        },
        output: `rates-db.data:5432 - accepting connections
NAME         READY   STATUS    RESTARTS   AGE
rates-db-0   1/1     Running   0          96d
rates-db-1   1/1     Running   0          96d
rates-db-2   1/1     Running   0          96d`,
      },
    ],
    report: {
      summary:
        'The network policy default-deny, applied about 15:30 UTC, forbids all egress of pricing; it cannot reach rates-db.',
      grade: 'confirmed',
      impact: {
        who: 'everything that asks for a price',
        since: '15:31 UTC',
        severity: 'no rates since',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'NetworkPolicy/default-deny',
        kind: 'change',
        text: 'It denies egress for all pods of the namespace, and no policy allows the database.',
      },
      claims: [
        {
          text: 'The policy is 12 minutes old.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: 'p1', quote: 'default-deny        <none>         12m' }],
        },
        {
          text: 'It was synced at 15:30 UTC and covers egress.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'p3', quote: '12  2026-08-19 15:30 UTC  77e0b19' },
            { callId: 'p3', quote: 'policyTypes: [Ingress, Egress]' },
          ],
        },
        {
          text: 'Connections time out since 15:31:08.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            { callId: 'p2', quote: '2026-08-19T15:31:08.414Z error connect ETIMEDOUT rates-db.data:5432' },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'rates-db is down: it accepts connections from the namespace data.',
          quotes: [{ callId: 'p4', quote: 'rates-db.data:5432 - accepting connections' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  // ---- wrong ----
  {
    name: 'inventory-never-seen',
    verdict: 'wrong',
    why: 'Nothing that is quoted speaks of inventory-service; it stands only in a list of pods. The timeouts are those of tax.example (c2).',
    kind: 'component is nowhere in what is quoted (only in an unrelated call)',
    alertStartsAt: '2026-04-21T16:03:00Z',
    runStartedAt: '2026-04-21T16:10:00Z',
    calls: [
      {
        id: 'c1',
        tool: 'kubectl',
        args: { args: 'get pods -n shop' },
        output: `NAME                                 READY   STATUS    RESTARTS   AGE
cart-7b9c-2kq8x                      1/1     Running   0          9d
checkout-66d4-p0v7n                  1/1     Running   0          2d4h
checkout-66d4-x8r1m                  1/1     Running   0          2d4h
inventory-service-5f8b-6tqzw         1/1     Running   0          9d
search-84cc-lm3d5                    1/1     Running   0          9d`,
      },
      {
        id: 'c2',
        tool: 'kubectl',
        args: { args: 'logs -n shop checkout-66d4-p0v7n --since=15m' },
        output: `2026-04-21T16:01:12Z INFO  order 88120 placed in 210 ms
2026-04-21T16:01:44Z ERROR order 88121: deadline exceeded after 5000 ms
2026-04-21T16:01:44Z ERROR POST https://api.tax.example/v3/quote: no answer within 5000 ms
2026-04-21T16:02:10Z ERROR order 88123: deadline exceeded after 5000 ms
2026-04-21T16:02:10Z ERROR POST https://api.tax.example/v3/quote: no answer within 5000 ms
2026-04-21T16:02:31Z ERROR order 88124: deadline exceeded after 5000 ms`,
      },
      {
        id: 'c3',
        tool: 'query_prometheus',
        args: { query: 'histogram_quantile(0.95, rate(checkout_seconds_bucket[5m]))', range: '30m' },
        output: `checkout_seconds p95
  2026-04-21T15:50Z  0.24
  2026-04-21T15:55Z  0.25
  2026-04-21T16:00Z  0.31
  2026-04-21T16:05Z  5.02
  2026-04-21T16:10Z  5.01`,
      },
      {
        id: 'c4',
        tool: 'bash',
        args: { command: 'kubectl top pods -n shop -l app=checkout; kubectl get hpa -n shop' },
        output: `NAME                  CPU(cores)   MEMORY(bytes)
checkout-66d4-p0v7n   88m          311Mi
checkout-66d4-x8r1m   91m          306Mi
NAME       REFERENCE             TARGETS       MINPODS   MAXPODS   REPLICAS   AGE
checkout   Deployment/checkout   cpu: 9%/70%   2         8         2          212d`,
      },
    ],
    report: {
      summary: 'inventory-service answers too slowly; orders run into their deadline of 5 s.',
      grade: 'confirmed',
      impact: {
        who: 'customers who order',
        since: '2026-04-21T16:01:44Z',
        severity: 'p95 5.02 s',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'inventory-service',
        kind: 'code, slow dependency',
        text: 'Orders wait for the stock of each line until the deadline is reached.',
      },
      claims: [
        {
          text: 'Orders wait for stock until the deadline.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'c2',
              quote: '2026-04-21T16:01:44Z ERROR order 88121: deadline exceeded after 5000 ms',
            },
            {
              callId: 'c2',
              quote: '2026-04-21T16:02:10Z ERROR order 88123: deadline exceeded after 5000 ms',
            },
          ],
        },
        {
          text: 'The 95th percentile is at the deadline.',
          role: 'effect',
          confidence: 'high',
          quotes: [{ callId: 'c3', quote: '2026-04-21T16:05Z  5.02' }],
        },
      ],
      ruledOut: [
        {
          text: 'CPU of checkout: 9 %.',
          quotes: [
            {
              callId: 'c4',
              quote: 'checkout   Deployment/checkout   cpu: 9%/70%   2         8         2          212d',
            },
          ],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'cart-deploy-too-late',
    verdict: 'wrong',
    why: 'The release is of 14:20, the first error of 13:58 (quoted as background). The shared session store had failed over before (c3).',
    kind: 'cause after the symptom: symptom in a background claim',
    runStartedAt: '2026-03-05T14:40:00Z',
    calls: [
      {
        id: 'd-1',
        tool: 'bash',
        args: { command: 'kubectl rollout history deploy/cart -n shop; cat /srv/ci/log | tail -4' },
        output: `REVISION  CHANGE-CAUSE
41        cart 4.11.0
42        cart 4.12.0
2026-03-04T10:02:11Z deploy cart 4.11.0 ok
2026-03-05T09:30:40Z deploy search 2.0.4 ok
2026-03-05T14:20:17Z deploy cart 4.12.0 ok
2026-03-05T14:31:00Z deploy pages 1.1.8 ok`,
      },
      {
        id: 'd-2',
        tool: 'kubectl',
        args: { args: 'logs deploy/cart -n shop --since=1h' },
        output: `2026-03-05T13:57:50Z info  cart 5512 saved
2026-03-05T13:58:02Z error cart 5518 not saved: READONLY You can't write against a read only replica.
2026-03-05T13:58:04Z error cart 5519 not saved: READONLY You can't write against a read only replica.
2026-03-05T14:21:10Z error cart 5702 not saved: READONLY You can't write against a read only replica.
2026-03-05T14:38:44Z error cart 5811 not saved: READONLY You can't write against a read only replica.`,
      },
      {
        id: 'd-3',
        tool: 'bash',
        args: { command: 'tail -5 /var/log/redis/sentinel.log' },
        output: `9:X 05 Mar 2026 13:57:54.118 # +sdown master sessions 10.3.0.4 6379
9:X 05 Mar 2026 13:57:55.201 # +failover-triggered master sessions 10.3.0.4 6379
9:X 05 Mar 2026 13:57:57.882 # +switch-master sessions 10.3.0.4 6379 10.3.0.5 6379
9:X 05 Mar 2026 13:57:58.014 * +slave slave 10.3.0.4:6379 10.3.0.4 6379 @ sessions 10.3.0.5 6379
9:X 05 Mar 2026 13:58:00.530 # -sdown slave 10.3.0.4:6379`,
      },
      {
        id: 'd-4',
        tool: 'http_get',
        args: { url: 'http://search.internal/status' },
        output: `service: search
version: 2.0.4
requests_1h: 180233
failed_1h: 0
p95_ms: 44`,
      },
    ],
    report: {
      summary: 'Release 4.12.0 of cart cannot save carts.',
      grade: 'confirmed',
      impact: {
        who: 'everybody with a cart',
        since: 'unknown',
        severity: 'carts are not saved',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'cart',
        kind: 'deployment',
        text: 'cart 4.12.0 writes to the wrong address of the store.',
      },
      claims: [
        {
          text: 'cart 4.12.0 went out.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: 'd-1', quote: '2026-03-05T14:20:17Z deploy cart 4.12.0 ok' }],
        },
        {
          text: 'Carts are not saved after it.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'd-2',
              quote:
                "2026-03-05T14:21:10Z error cart 5702 not saved: READONLY You can't write against a read only replica.",
            },
          ],
        },
        {
          text: 'The store refuses writes as read only.',
          role: 'background',
          confidence: 'high',
          quotes: [
            {
              callId: 'd-2',
              quote:
                "2026-03-05T13:58:02Z error cart 5518 not saved: READONLY You can't write against a read only replica.",
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'Release 2.0.4 of search: no failed requests.',
          quotes: [{ callId: 'd-4', quote: 'failed_1h: 0' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'ingress-change-after-alert',
    verdict: 'wrong',
    why: 'The alert fired at 09:02Z, the timeout of the ingress was changed at 09:10 UTC, as an attempt to help. The API waits for a vacuum full since 08:58 (s3).',
    kind: "cause after the symptom: the alert's own start; time in minutes",
    alertStartsAt: '2026-09-15T09:02:00Z',
    runStartedAt: '2026-09-15T09:25:00Z',
    calls: [
      {
        id: 's1',
        tool: 'bash',
        args: {
          command:
            'git -C /srv/gitops log -2 --date=format:"%Y-%m-%d %H:%M UTC" --format="%h %ad %an: %s" -p -- ingress/api.yaml | head -12',
        },
        output: `41aa0c7 2026-09-15 09:10 UTC Priya: ingress of api: proxy-read-timeout 20
--- a/ingress/api.yaml
+++ b/ingress/api.yaml
@@ -9,1 +9,1 @@
-    nginx.ingress.kubernetes.io/proxy-read-timeout: "60"
+    nginx.ingress.kubernetes.io/proxy-read-timeout: "20"
0d3e518 2026-07-01 12:00 UTC Omar: ingress of api: add host`,
      },
      {
        id: 's2',
        tool: 'bash',
        args: {
          command: 'kubectl logs -n ingress deploy/ingress-nginx --since=10m | grep " 504 " | head -5',
        },
        output: `10.2.0.8 - - [15/Sep/2026:09:15:33 +0000] "GET /v1/orders HTTP/2.0" 504 562 20.001 [shop-api-8080]
10.2.0.8 - - [15/Sep/2026:09:15:41 +0000] "GET /v1/orders HTTP/2.0" 504 562 20.000 [shop-api-8080]
10.2.0.9 - - [15/Sep/2026:09:16:02 +0000] "GET /v1/orders HTTP/2.0" 504 562 20.001 [shop-api-8080]
10.2.0.8 - - [15/Sep/2026:09:17:20 +0000] "GET /v1/orders HTTP/2.0" 504 562 20.000 [shop-api-8080]
10.2.0.9 - - [15/Sep/2026:09:24:58 +0000] "GET /v1/orders HTTP/2.0" 504 562 20.002 [shop-api-8080]`,
      },
      {
        id: 's3',
        tool: 'psql',
        args: {
          sql: "select pid, state, wait_event_type, query_start, left(query, 30) from pg_stat_activity where state <> 'idle' order by query_start limit 4",
        },
        output: `  pid  | state  | wait_event_type |      query_start       |              left
-------+--------+-----------------+------------------------+--------------------------------
 11802 | active |                 | 2026-09-15 08:58:02+00 | vacuum full orders
 12011 | active | Lock            | 2026-09-15 08:58:31+00 | select id, total from orders w
 12019 | active | Lock            | 2026-09-15 08:58:40+00 | select id, total from orders w
 12020 | active | Lock            | 2026-09-15 08:59:02+00 | select id, total from orders w
(4 rows)`,
      },
      {
        id: 's4',
        tool: 'kubectl',
        args: { args: 'top nodes' },
        output: `NAME      CPU(cores)   CPU%   MEMORY(bytes)   MEMORY%
node-a    611m         15%    9120Mi          57%
node-b    702m         17%    8804Mi          55%
node-c    588m         14%    9301Mi          58%
node-d    640m         16%    9011Mi          56%`,
      },
    ],
    report: {
      summary:
        'The read timeout of the ingress of api was lowered from 60 to 20 s; requests that take longer end as 504.',
      grade: 'confirmed',
      impact: { who: 'clients of /v1/orders', since: 'unknown', severity: '504 after 20 s', ongoing: 'yes' },
      rootCause: {
        component: 'ingress of api',
        kind: 'configuration change',
        text: 'With proxy-read-timeout 20 the ingress gives up before api answers.',
      },
      claims: [
        {
          text: 'The timeout was lowered to 20 s.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 's1',
              quote: '41aa0c7 2026-09-15 09:10 UTC Priya: ingress of api: proxy-read-timeout 20',
            },
            { callId: 's1', quote: '+    nginx.ingress.kubernetes.io/proxy-read-timeout: "20"' },
          ],
        },
        {
          text: 'Requests end after exactly 20 s.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 's2',
              quote:
                '10.2.0.8 - - [15/Sep/2026:09:15:33 +0000] "GET /v1/orders HTTP/2.0" 504 562 20.001 [shop-api-8080]',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'Full nodes: node-b, the busiest, uses 17 % of its CPU.',
          quotes: [{ callId: 's4', quote: 'node-b    702m         17%    8804Mi          55%' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'ldap-restart-after-since',
    verdict: 'wrong',
    why: 'Logins fail since 22:40 UTC (impact.since), the restart of slapd came at 22:51. The disk of the database of slapd was full before (u3).',
    kind: 'cause after the symptom: impact.since; syslog time against `22:40 UTC`',
    runStartedAt: '2026-03-09T23:05:00Z',
    calls: [
      {
        id: 'u1',
        tool: 'journalctl',
        args: { unit: 'slapd', since: '22:45' },
        output: `Mar 09 22:51:04 ldap1 systemd[1]: Stopping slapd.service - OpenLDAP...
Mar 09 22:51:04 ldap1 slapd[701]: daemon: shutdown requested and initiated.
Mar 09 22:51:06 ldap1 slapd[701]: slapd stopped.
Mar 09 22:51:06 ldap1 systemd[1]: Started slapd.service - OpenLDAP.
Mar 09 22:51:07 ldap1 slapd[9920]: slapd starting`,
      },
      {
        id: 'u2',
        tool: 'grep',
        args: { pattern: 'bind', path: '/var/log/sso/sso.log', limit: 5 },
        output: `2026-03-09 22:52 UTC  sso  bind of uid=mara failed: LDAP: error code 80 - internal error
2026-03-09 22:52 UTC  sso  bind of uid=tom failed: LDAP: error code 80 - internal error
2026-03-09 22:53 UTC  sso  bind of uid=li failed: LDAP: error code 80 - internal error
2026-03-09 22:58 UTC  sso  bind of uid=mara failed: LDAP: error code 80 - internal error
2026-03-09 23:04 UTC  sso  bind of uid=eva failed: LDAP: error code 80 - internal error`,
      },
      {
        id: 'u3',
        tool: 'bash',
        args: { command: 'ssh ldap1 "df -h /var/lib/ldap; ls -l --time-style=long-iso /var/lib/ldap"' },
        output: `Filesystem      Size  Used Avail Use% Mounted on
/dev/vdb1       4.0G  4.0G     0 100% /var/lib/ldap
total 4190208
-rw------- 1 openldap openldap 4290772992 2026-03-09 22:39 data.mdb
-rw------- 1 openldap openldap       8192 2026-03-09 22:51 lock.mdb`,
      },
      {
        id: 'u4',
        tool: 'bash',
        args: { command: 'kubectl get pods -n sso -o wide; curl -s http://sso.internal/health' },
        output: `NAME           READY   STATUS    RESTARTS   AGE    NODE
sso-0          1/1     Running   0          30d    n3
sso-1          1/1     Running   0          30d    n5
{"service":"sso","db":"ok","ldap":"error 80"}
(2 pods)`,
      },
    ],
    report: {
      summary: 'slapd on ldap1 was restarted and answers binds with an internal error since.',
      grade: 'confirmed',
      impact: {
        who: 'everybody who logs in',
        since: '2026-03-09 22:40 UTC',
        severity: 'no login works',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'slapd on ldap1',
        kind: 'restart',
        text: 'After the restart its database is not loaded, and it answers error 80.',
      },
      claims: [
        {
          text: 'slapd was restarted.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'u1', quote: 'Mar 09 22:51:06 ldap1 systemd[1]: Started slapd.service - OpenLDAP.' },
          ],
        },
        {
          text: 'Binds fail with error 80.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'u2',
              quote:
                '2026-03-09 22:52 UTC  sso  bind of uid=mara failed: LDAP: error code 80 - internal error',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'A restart of sso: its pods have run for 30 days.',
          quotes: [{ callId: 'u4', quote: 'sso-0          1/1     Running   0          30d    n3' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'catalog-deploy-without-time',
    verdict: 'wrong',
    why: 'The kind is a deployment, and no line says when it took place: the image may be weeks old. (It is: AGE 38d in x4.) The feed of the partner is broken (x2).',
    kind: 'kind deployment without any time',
    alertStartsAt: '2026-05-28T05:10:00Z',
    runStartedAt: '2026-05-28T05:20:00Z',
    calls: [
      {
        id: 'x1',
        tool: 'kubectl',
        args: {
          args: "get deploy catalog -n shop -o jsonpath='{.metadata.annotations}{.spec.template.spec.containers[0]}'",
        },
        output: `{
  "deployment.kubernetes.io/revision": "118",
  "kubernetes.io/change-cause": "catalog 6.3.0"
}
{
  "name": "catalog",
  "image": "registry.local/catalog:6.3.0"
}`,
      },
      {
        id: 'x2',
        tool: 'kubectl',
        args: { args: 'logs deploy/catalog -n shop --since=20m | head -5' },
        output: `2026-05-28T05:04:02Z INFO  import of partner feed started, 18 MB
2026-05-28T05:04:09Z ERROR item 4411: price "" is no number, skipped
2026-05-28T05:04:09Z ERROR item 4412: price "" is no number, skipped
2026-05-28T05:04:10Z ERROR item 4413: price "" is no number, skipped
2026-05-28T05:06:31Z WARN  import done: 0 of 31,204 items have a price`,
      },
      {
        id: 'x3',
        tool: 'http_get',
        args: { url: 'http://pricing.internal/metrics' },
        output: `pricing_up 1
pricing_requests_total{code="200"} 88123
pricing_requests_total{code="500"} 0
pricing_rules 412
pricing_last_reload_seconds 1779940800`,
      },
      {
        id: 'x4',
        tool: 'kubectl',
        args: { args: 'get rs -n shop -l app=catalog' },
        output: `NAME                 DESIRED   CURRENT   READY   AGE
catalog-5c8d9f7b6    0         0         0       71d
catalog-6b7c4d8f9    2         2         2       38d
catalog-79d6c5b4f    0         0         0       102d
catalog-84f5b6c7d    0         0         0       130d`,
      },
    ],
    report: {
      summary: 'The deployment of catalog 6.3.0 broke the import of prices.',
      grade: 'confirmed',
      impact: {
        who: 'everybody who looks at an item',
        since: '2026-05-28T05:04:09Z',
        severity: '31,204 items without a price',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'catalog',
        kind: 'deployment',
        text: 'Version 6.3.0 no longer reads the prices of the feed.',
      },
      claims: [
        {
          text: 'catalog 6.3.0 was deployed.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'x1', quote: '"kubernetes.io/change-cause": "catalog 6.3.0"' },
            { callId: 'x1', quote: '"image": "registry.local/catalog:6.3.0"' },
          ],
        },
        {
          text: 'Prices are not read.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            { callId: 'x2', quote: '2026-05-28T05:04:09Z ERROR item 4411: price "" is no number, skipped' },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'pricing: it answers without errors.',
          quotes: [{ callId: 'x3', quote: 'pricing_requests_total{code="500"} 0' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'expiry-without-end',
    verdict: 'wrong',
    why: 'An expiry is claimed, but no end of the certificate was ever read, only subject and issuer. The client lacks the new CA (z1: unable to get local issuer).',
    kind: 'kind expiry without any time',
    alertStartsAt: '2026-01-29T13:01:00Z',
    runStartedAt: '2026-01-29T13:15:00Z',
    calls: [
      {
        id: 'z1',
        tool: 'journalctl',
        args: { unit: 'export-agent', lines: 5 },
        output: `Jan 29 12:58:01 exp1 export-agent[440]: push to ledger.internal:9443 failed: TLS handshake: unable to get local issuer certificate
Jan 29 12:58:31 exp1 export-agent[440]: push to ledger.internal:9443 failed: TLS handshake: unable to get local issuer certificate
Jan 29 12:59:01 exp1 export-agent[440]: push to ledger.internal:9443 failed: TLS handshake: unable to get local issuer certificate
Jan 29 12:59:31 exp1 export-agent[440]: push to ledger.internal:9443 failed: TLS handshake: unable to get local issuer certificate
Jan 29 13:00:01 exp1 export-agent[440]: push to ledger.internal:9443 failed: TLS handshake: unable to get local issuer certificate`,
      },
      {
        id: 'z2',
        tool: 'bash',
        args: { command: 'echo | openssl s_client -connect ledger.internal:9443 2>/dev/null | head -8' },
        output: `CONNECTED(00000003)
---
Certificate chain
 0 s:CN = ledger.internal
   i:CN = Ledger Issuing CA G3
   a:PKEY: rsaEncryption, 2048 (bit); sigalg: RSA-SHA256
---
Server certificate`,
      },
      {
        id: 'z3',
        tool: 'bash',
        args: {
          command:
            'ssh exp1 "ls /etc/export-agent/ca; getent hosts ledger.internal; nc -zv ledger.internal 9443"',
        },
        output: `ledger-issuing-ca-g1.pem
ledger-issuing-ca-g2.pem
root-2019.pem
10.6.1.12       ledger.internal
Connection to ledger.internal (10.6.1.12) 9443 port [tcp/*] succeeded!`,
      },
    ],
    report: {
      summary: 'The certificate of ledger.internal has expired; export-agent refuses it.',
      grade: 'confirmed',
      impact: {
        who: 'accounting',
        since: 'Jan 29 12:58:01 UTC',
        severity: 'no export reaches the ledger',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'certificate of ledger.internal',
        kind: 'expiry',
        text: 'The certificate of the server is past its end, so that the handshake is refused.',
      },
      claims: [
        {
          text: 'The certificate that ledger.internal shows has expired.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'z2', quote: ' 0 s:CN = ledger.internal' },
            { callId: 'z2', quote: '   i:CN = Ledger Issuing CA G3' },
          ],
        },
        {
          text: 'Handshakes fail.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'z1',
              quote:
                'Jan 29 12:58:01 exp1 export-agent[440]: push to ledger.internal:9443 failed: TLS handshake: unable to get local issuer certificate',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'The name in DNS and the network: port 9443 can be reached.',
          quotes: [
            { callId: 'z3', quote: 'Connection to ledger.internal (10.6.1.12) 9443 port [tcp/*] succeeded!' },
          ],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'database-refuted-by-frontend',
    verdict: 'wrong',
    why: 'MySQL is "ruled out" with a health check of the web tier, which says nothing of it. In fact MySQL has no free threads (y2).',
    kind: 'alternative refuted by a line that does not name it',
    alertStartsAt: '2026-06-30T18:31:00Z',
    runStartedAt: '2026-06-30T18:40:00Z',
    calls: [
      {
        id: 'y1',
        tool: 'bash',
        args: { command: 'tail -6 /var/log/php-fpm/www-slow.log' },
        output: `[30-Jun-2026 18:29:14]  [pool www] pid 2211
script_filename = /srv/www/index.php
[0x00007f1c] renderBasket() /srv/www/lib/basket.php:118
[30-Jun-2026 18:29:20]  [pool www] pid 2214
script_filename = /srv/www/index.php
[0x00007f1d] renderBasket() /srv/www/lib/basket.php:118`,
      },
      {
        id: 'y2',
        tool: 'bash',
        args: {
          command:
            'mysqladmin -h db extended-status | egrep "Threads_connected|Max_used|Aborted_connects|Connection_errors_max|Uptime "',
        },
        output: `| Aborted_connects                  | 18112   |
| Connection_errors_max_connections | 17903   |
| Max_used_connections              | 151     |
| Threads_connected                 | 151     |
| Uptime                            | 7012331 |`,
      },
      {
        id: 'y3',
        tool: 'http_get',
        args: { url: 'http://www.internal/healthz' },
        output: `HTTP/1.1 200 OK
server: nginx/1.24.0
date: Tue, 30 Jun 2026 18:43:05 GMT
content-length: 3

ok`,
      },
      {
        id: 'y4',
        tool: 'read',
        args: { path: '/srv/www/lib/basket.php', from: 112, to: 120 },
        output: `112: function renderBasket($user) {
113:   $lines = [];
114:   foreach (basketOf($user) as $item) {
115:     $lines[] = renderLine($item);
116:   }
117:   // slow for large baskets
118:   $db = connect();
119:   return join($lines);
120: }`,
      },
    ],
    report: {
      summary: 'renderBasket in basket.php is slow for large baskets and blocks the workers of PHP.',
      grade: 'confirmed',
      impact: {
        who: 'visitors with a basket',
        since: '30-Jun-2026 18:29:14 UTC',
        severity: 'pages take more than 5 s',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'basket.php',
        kind: 'code',
        text: 'renderBasket renders line by line, which takes too long for large baskets.',
      },
      claims: [
        {
          text: 'Slow requests stand in renderBasket, which is known to be slow.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'y1', quote: '[0x00007f1c] renderBasket() /srv/www/lib/basket.php:118' },
            { callId: 'y4', quote: '// slow for large baskets' },
          ],
        },
        {
          text: 'Requests are slow since 18:29.',
          role: 'effect',
          confidence: 'high',
          quotes: [{ callId: 'y1', quote: '[30-Jun-2026 18:29:14]  [pool www] pid 2211' }],
        },
      ],
      ruledOut: [{ text: 'MySQL: it is healthy.', quotes: [{ callId: 'y3', quote: 'HTTP/1.1 200 OK' }] }],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'network-refuted-by-cause-line',
    verdict: 'wrong',
    why: 'The network is "ruled out" with the very line that is quoted for the cause; that line fits a broken link as well. The switch port drops packets (j3).',
    kind: "alternative refuted by the cause's own line",
    runStartedAt: '2026-10-02T10:30:00+02:00',
    calls: [
      {
        id: 'j1',
        tool: 'bash',
        args: { command: 'journalctl -u etcd --since "10:05" -o short-iso | head -5' },
        output: `2026-10-02T10:11:40+0200 m2 etcd[611]: waiting for ReadIndex response took too long, retrying
2026-10-02T10:11:41+0200 m2 etcd[611]: apply request took too long: took 1.912s, expected 100ms
2026-10-02T10:11:49+0200 m2 etcd[611]: lost TCP streaming connection with peer m3
2026-10-02T10:12:03+0200 m2 etcd[611]: apply request took too long: took 2.204s, expected 100ms
2026-10-02T10:12:20+0200 m2 etcd[611]: elected leader m2 changed to m1`,
      },
      {
        id: 'j2',
        tool: 'kubectl',
        args: { args: 'get events -A --field-selector reason=LeaderElection --sort-by=.lastTimestamp' },
        output: `NAMESPACE     LAST SEEN   TYPE     REASON           OBJECT                         MESSAGE
kube-system   18m         Normal   LeaderElection   lease/kube-scheduler           m1 became leader
kube-system   17m         Normal   LeaderElection   lease/kube-controller-manager  m3 became leader
kube-system   15m         Normal   LeaderElection   lease/kube-scheduler           m3 became leader
kube-system   11m         Normal   LeaderElection   lease/kube-controller-manager  m1 became leader`,
      },
      {
        id: 'j3',
        tool: 'bash',
        args: { command: 'ssh m2 "ip -s link show eno1; ethtool -S eno1 | grep -i -E crc"' },
        output: `2: eno1: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9000 qdisc mq state UP mode DEFAULT group default qlen 1000
    RX:   bytes    packets  errors  dropped  missed   mcast
    91120044120  98220114   441902    12011       0   88120
    TX:   bytes    packets  errors  dropped carrier collsns
    88120449120  91229910        0        0       0       0
     rx_crc_errors: 441902`,
      },
      {
        id: 'j4',
        tool: 'bash',
        args: { command: 'ssh m2 "free -m; uptime"' },
        output: `               total        used        free      shared  buff/cache   available
Mem:           32001        9120       11204         210       11677       22011
Swap:              0           0           0
 10:36:12 up 88 days, 20:10,  1 user,  load average: 0.90, 0.88, 0.91
m2`,
      },
    ],
    report: {
      summary: 'The disk of etcd on m2 is too slow: applying takes two seconds, and leaders change.',
      grade: 'confirmed',
      impact: {
        who: 'the control plane',
        since: '2026-10-02T10:11:40+0200',
        severity: 'leaders change every few minutes',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'etcd',
        kind: 'capacity, slow disk',
        text: 'The disk does not keep up with the writes of etcd; heartbeats are late and leaders are elected anew.',
      },
      claims: [
        {
          text: 'Applying takes 1.9 s instead of 100 ms.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'j1',
              quote:
                '2026-10-02T10:11:41+0200 m2 etcd[611]: apply request took too long: took 1.912s, expected 100ms',
            },
          ],
        },
        {
          text: 'Leaders change.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            { callId: 'j1', quote: '2026-10-02T10:12:20+0200 m2 etcd[611]: elected leader m2 changed to m1' },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'The network between the masters: what is slow is applying, which is local.',
          quotes: [
            {
              callId: 'j1',
              quote:
                '2026-10-02T10:11:41+0200 m2 etcd[611]: apply request took too long: took 1.912s, expected 100ms',
            },
          ],
        },
        {
          text: 'Memory of m2: 22 GB are available.',
          quotes: [
            {
              callId: 'j4',
              quote: 'Mem:           32001        9120       11204         210       11677       22011',
            },
          ],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'storage-refuted-by-blamed',
    verdict: 'wrong',
    why: 'The object storage is "ruled out" with a line of the thumbnailer itself. The storage answers 503 SlowDown (o4).',
    kind: 'alternative refuted by a quote of the component that is blamed',
    alertStartsAt: '2026-02-02T08:47:00Z',
    runStartedAt: '2026-02-02T08:55:00Z',
    calls: [
      {
        id: 'o1',
        tool: 'kubectl',
        args: { args: 'logs deploy/thumbnailer --since=15m | head -5' },
        output: `08:44:50Z thumbnailer: start of batch, 12 workers
08:44:58Z thumbnailer: batch took 8.1 s (usual 0.9 s)
08:45:07Z thumbnailer: batch took 8.8 s (usual 0.9 s)
08:45:07Z thumbnailer: workers busy 12/12, queue length 900
08:45:16Z thumbnailer: batch took 9.2 s (usual 0.9 s)`,
      },
      {
        id: 'o2',
        tool: 'kubectl',
        args: { args: 'get deploy thumbnailer -o yaml | grep -A12 "spec:"' },
        output: `spec:
  replicas: 1
  template:
    spec:
      containers:
      - name: thumbnailer
        image: thumbnailer:1.8.0
        env:
        - name: WORKERS
          value: "12"`,
      },
      {
        id: 'o3',
        tool: 'query_prometheus',
        args: { query: 'pictures_without_thumbnail', range: '30m' },
        output: `pictures_without_thumbnail
  2026-02-02T08:35Z  3
  2026-02-02T08:40Z  5
  2026-02-02T08:45Z  918
  2026-02-02T08:50Z  4120
  2026-02-02T08:55Z  7733`,
      },
      {
        id: 'o4',
        tool: 'grep',
        args: { pattern: 'PUT', path: '/var/log/minio/access.log', limit: 5 },
        output: `2026-02-02T08:44:41Z PUT /pictures/t/81220.webp 503 SlowDown 4.021s
2026-02-02T08:44:43Z PUT /pictures/t/81221.webp 503 SlowDown 4.008s
2026-02-02T08:44:48Z PUT /pictures/t/81220.webp 200 0.611s
2026-02-02T08:44:52Z PUT /pictures/t/81224.webp 503 SlowDown 4.010s
2026-02-02T08:45:01Z PUT /pictures/t/81227.webp 503 SlowDown 4.017s`,
      },
    ],
    report: {
      summary: 'The thumbnailer has too few workers; pictures wait.',
      grade: 'confirmed',
      impact: {
        who: 'everybody who uploads a picture',
        since: '2026-02-02T08:45Z',
        severity: '7,733 pictures without a thumbnail',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'thumbnailer',
        kind: 'capacity',
        text: 'One replica with 12 workers is too little for the uploads of the morning.',
      },
      claims: [
        {
          text: 'All 12 workers of its one replica are busy.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'o1', quote: '08:45:07Z thumbnailer: workers busy 12/12, queue length 900' },
            { callId: 'o2', quote: 'replicas: 1' },
          ],
        },
        {
          text: 'Pictures have no thumbnail.',
          role: 'effect',
          confidence: 'high',
          quotes: [{ callId: 'o3', quote: '2026-02-02T08:55Z  7733' }],
        },
      ],
      ruledOut: [
        {
          text: 'The object storage (minio): batches go through, if slowly.',
          quotes: [{ callId: 'o1', quote: '08:44:58Z thumbnailer: batch took 8.1 s (usual 0.9 s)' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'leak-blamed-and-ruled-out',
    verdict: 'wrong',
    why: 'The leak of sessions is the root cause and, in other words, ruled out with a line that truly speaks against it. Big uploads are read whole into memory (i3).',
    kind: 'the cause itself among ruledOut in other words',
    runStartedAt: '2026-07-20T12:45:00Z',
    calls: [
      {
        id: 'i1',
        tool: 'bash',
        args: { command: 'kubectl logs web-0 -c gc --since=1h | tail -5' },
        output: `2026-07-20T12:10:00Z web-0 heap after full gc 212 MB, sessions 8,120
2026-07-20T12:20:00Z web-0 heap after full gc 214 MB, sessions 8,301
2026-07-20T12:30:00Z web-0 heap after full gc 209 MB, sessions 8,011
2026-07-20T12:31:12Z web-0 heap 1,990 MB before gc
2026-07-20T12:31:15Z web-0 java.lang.OutOfMemoryError: Java heap space`,
      },
      {
        id: 'i2',
        tool: 'grep',
        args: { pattern: 'session', path: '/src/web/sessions.ts' },
        output: `8: const sessions = new Map();
15: export const open = (id) => sessions.set(id, { at: Date.now() });
22: export const close = (id) => sessions.delete(id);
29: export const count = () => sessions.size;
33: // sessions are closed by a timer after 30 minutes`,
      },
      {
        id: 'i3',
        tool: 'grep',
        args: { pattern: 'POST /upload', path: '/var/log/nginx/access.log' },
        output: `10.1.1.4 - - [20/Jul/2026:12:02:11 +0000] "POST /upload HTTP/1.1" 201 18 len=1204112
10.1.1.9 - - [20/Jul/2026:12:19:40 +0000] "POST /upload HTTP/1.1" 201 18 len=880123
10.1.1.7 - - [20/Jul/2026:12:31:02 +0000] "POST /upload HTTP/1.1" 502 150 len=1610612736
10.1.1.7 - - [20/Jul/2026:12:33:40 +0000] "POST /upload HTTP/1.1" 502 150 len=1610612736
10.1.1.7 - - [20/Jul/2026:12:40:08 +0000] "POST /upload HTTP/1.1" 502 150 len=1610612736`,
      },
      {
        id: 'i4',
        tool: 'kubectl',
        args: { args: 'describe node n4 | grep -A5 Allocated' },
        output: `Allocated resources:
  Resource           Requests      Limits
  cpu                2100m (26%)   6 (75%)
  memory             9Gi (28%)     14Gi (44%)
  ephemeral-storage  0 (0%)        0 (0%)
  node               n4`,
      },
    ],
    report: {
      summary: 'web leaks sessions: its map grows until the heap is full.',
      grade: 'confirmed',
      impact: {
        who: 'all users of web',
        since: '2026-07-20T12:31:15Z',
        severity: 'web-0 ran out of memory',
        ongoing: 'unknown',
      },
      rootCause: {
        component: 'web',
        kind: 'memory leak',
        text: 'Sessions stay in a map in memory; with time it fills the heap of web.',
      },
      claims: [
        {
          text: 'Sessions are kept in a map in the memory of web.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'i2', quote: '8: const sessions = new Map();' },
            { callId: 'i1', quote: '2026-07-20T12:31:12Z web-0 heap 1,990 MB before gc' },
          ],
        },
        {
          text: 'web-0 runs out of memory.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            { callId: 'i1', quote: '2026-07-20T12:31:15Z web-0 java.lang.OutOfMemoryError: Java heap space' },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'Sessions of web that pile up on the heap: after each collection it is back at about 210 MB.',
          quotes: [
            { callId: 'i1', quote: '2026-07-20T12:20:00Z web-0 heap after full gc 214 MB, sessions 8,301' },
          ],
        },
        {
          text: 'A full node n4: 28 % of its memory is requested.',
          quotes: [{ callId: 'i4', quote: 'memory             9Gi (28%)     14Gi (44%)' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'replica-behind-and-in-step',
    verdict: 'wrong',
    why: 'One line of the replica is said to show that it is behind and that it is in step. It is in step (0.3 s); the stale prices come from a cache with a lifetime of a day (e3).',
    kind: 'two claims that say opposite things over one line',
    alertStartsAt: '2026-11-12T10:02:00Z',
    runStartedAt: '2026-11-12T10:10:00Z',
    calls: [
      {
        id: 'e1',
        tool: 'psql',
        args: { sql: 'select application_name, state, sync_state, replay_lag from pg_stat_replication' },
        output: ` application_name |   state   | sync_state |   replay_lag
------------------+-----------+------------+-----------------
 replica-eu       | streaming | async      | 00:00:00.312004
 replica-us       | streaming | async      | 00:00:00.518811
(2 rows)
-- 2026-11-12 10:12:30 UTC`,
      },
      {
        id: 'e2',
        tool: 'grep',
        args: { pattern: 'stale', path: '/var/log/shop/price-check.log', limit: 5 },
        output: `2026-11-12 10:00 UTC price-check A-77: shop 12.90, source 10.90, stale
2026-11-12 10:00 UTC price-check A-78: shop 4.50, source 3.95, stale
2026-11-12 10:00 UTC price-check B-10: shop 99.00, source 89.00, stale
2026-11-12 10:00 UTC price-check B-12: shop 19.00, source 17.50, stale
2026-11-12 10:00 UTC price-check: 4 of 40 stale`,
      },
      {
        id: 'e3',
        tool: 'bash',
        args: { command: 'curl -sI https://shop.example/api/prices/A-77' },
        output: `HTTP/2 200
content-type: application/json
cache-control: public, max-age=86400
age: 50211
x-cache: HIT from cdn-fra-3`,
      },
      {
        id: 'e4',
        tool: 'psql',
        args: { sql: "select sku, price, updated_at from prices where sku in ('A-77', 'B-10')" },
        output: ` sku  | price |       updated_at
------+-------+------------------------
 A-77 | 10.90 | 2026-11-12 06:00:02+00
 B-10 | 89.00 | 2026-11-12 06:00:02+00
(2 rows)`,
      },
    ],
    report: {
      summary: 'replica-eu is behind; the shop shows old prices.',
      grade: 'confirmed',
      impact: {
        who: 'customers in Europe',
        since: '2026-11-12 10:00 UTC',
        severity: '4 of 40 prices',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'replica-eu',
        kind: 'data, replication',
        text: 'The shop reads from replica-eu, which lags behind the primary.',
      },
      claims: [
        {
          text: 'replica-eu lags behind the primary.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: 'e1', quote: ' replica-eu       | streaming | async      | 00:00:00.312004' }],
        },
        {
          text: 'The shop shows stale prices.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            { callId: 'e2', quote: '2026-11-12 10:00 UTC price-check A-77: shop 12.90, source 10.90, stale' },
          ],
        },
        {
          text: 'replica-eu is in step with the primary, streaming goes on.',
          role: 'background',
          confidence: 'medium',
          quotes: [{ callId: 'e1', quote: ' replica-eu       | streaming | async      | 00:00:00.312004' }],
        },
      ],
      ruledOut: [
        {
          text: 'The import of prices: A-77 has its new price since 06:00.',
          quotes: [{ callId: 'e4', quote: ' A-77 | 10.90 | 2026-11-12 06:00:02+00' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'search-cpu-four-percent',
    verdict: 'wrong',
    why: 'search is said to be at the limit of its CPU; what is quoted shows it at 4 %. The proxy in front of it resolves an address that is gone (k4).',
    kind: 'a healthy figure of the blamed component quoted beside blaming it: cpu 4 %, Ready',
    alertStartsAt: '2026-03-18T09:12:00Z',
    runStartedAt: '2026-03-18T09:20:00Z',
    calls: [
      {
        id: 'call-11',
        tool: 'query_prometheus',
        args: {
          query:
            'avg by (pod) (rate(container_cpu_usage_seconds_total{app="search"}[5m])) / on (pod) kube_pod_container_resource_limits{resource="cpu"}',
        },
        output: `at 2026-03-18T09:21:00Z
{pod="search-0"} cpu 4 %
{pod="search-1"} cpu 4 %
{pod="search-2"} cpu 5 %
throttled periods: 0, 0, 0`,
      },
      {
        id: 'call-12',
        tool: 'kubectl',
        args: { args: 'get pods -l app=search' },
        output: `NAME       READY   STATUS    RESTARTS   AGE
search-0   2/2     Running   0          16d
search-1   2/2     Running   0          16d
search-2   2/2     Running   0          16d
(3 pods)`,
      },
      {
        id: 'call-13',
        tool: 'grep',
        args: { pattern: '/find', path: '/var/log/envoy/access.log', limit: 5 },
        output: `[2026-03-18T09:10:12.331Z] "GET /find?q=shoe HTTP/1.1" 503 UF 0 91 10000 - "search_cluster" "10.8.3.77:9000"
[2026-03-18T09:10:13.004Z] "GET /find?q=hat HTTP/1.1" 503 UF 0 91 10001 - "search_cluster" "10.8.3.77:9000"
[2026-03-18T09:10:20.190Z] "GET /find?q=red HTTP/1.1" 503 UF 0 91 10000 - "search_cluster" "10.8.3.77:9000"
[2026-03-18T09:11:02.777Z] "GET /find?q=bag HTTP/1.1" 503 UF 0 91 10000 - "search_cluster" "10.8.3.77:9000"
[2026-03-18T09:18:41.208Z] "GET /find?q=tie HTTP/1.1" 503 UF 0 91 10000 - "search_cluster" "10.8.3.77:9000"`,
      },
      {
        id: 'call-14',
        tool: 'bash',
        args: {
          command: 'kubectl get endpoints search -o yaml | grep "ip:"; kubectl get endpoints accounts',
        },
        output: `    - ip: 10.8.3.14
    - ip: 10.8.3.15
    - ip: 10.8.3.18
NAME       ENDPOINTS                           AGE
accounts   10.8.4.20:8080,10.8.4.21:8080       90d`,
      },
    ],
    report: {
      summary: 'search has no CPU left and does not answer within 10 s.',
      grade: 'confirmed',
      impact: {
        who: 'everybody who searches',
        since: '2026-03-18T09:10:12Z',
        severity: '503 after 10 s',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'search',
        kind: 'capacity',
        text: 'The CPU of search is saturated; requests wait and are cut off after 10 s.',
      },
      claims: [
        {
          text: 'The CPU of search is saturated.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'call-11', quote: '{pod="search-0"} cpu 4 %' },
            { callId: 'call-12', quote: 'search-0   2/2     Running   0          16d' },
          ],
        },
        {
          text: 'Requests to search end as 503.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'call-13',
              quote:
                '[2026-03-18T09:10:12.331Z] "GET /find?q=shoe HTTP/1.1" 503 UF 0 91 10000 - "search_cluster" "10.8.3.77:9000"',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'accounts: it has two endpoints.',
          quotes: [{ callId: 'call-14', quote: 'accounts   10.8.4.20:8080,10.8.4.21:8080       90d' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'gateway-without-errors',
    verdict: 'wrong',
    why: 'payments-gateway is blamed, while its quoted figures are 200 OK and 0 errors. The orders are lost in a dead-letter queue (h4).',
    kind: 'a healthy figure of the blamed component quoted beside blaming it: 200 OK, 0 errors',
    runStartedAt: '2026-08-11T17:00:00Z',
    calls: [
      {
        id: 'h1',
        tool: 'http_get',
        args: { url: 'http://payments-gateway.internal/health' },
        output: `HTTP/1.1 200 OK
content-type: text/plain
date: Tue, 11 Aug 2026 17:01:30 GMT

payments-gateway up 12d
payments-gateway version 3.2.1`,
      },
      {
        id: 'h2',
        tool: 'http_get',
        args: { url: 'http://payments-gateway.internal/metrics' },
        output: `payments_gateway_charges_total 188203
payments_gateway_errors_total 0
payments_gateway_timeouts_total 0
payments_gateway_latency_seconds{quantile="0.5"} 0.112
payments_gateway_latency_seconds{quantile="0.95"} 0.190`,
      },
      {
        id: 'h3',
        tool: 'psql',
        args: {
          db: 'orders',
          sql: "select status, count(*), min(created_at) from orders where created_at > now() - interval '2 hours' group by 1",
        },
        output: `  status   | count |          min
-----------+-------+------------------------
 paid      |   311 | 2026-08-11 15:02:10+00
 waiting   |   874 | 2026-08-11 15:40:55+00
 cancelled |     9 | 2026-08-11 15:12:00+00
(3 rows)`,
      },
      {
        id: 'h4',
        tool: 'bash',
        args: {
          command:
            'aws sqs get-queue-attributes --queue-url q/charges-dlq --attribute-names All --output text; aws sqs receive-message --queue-url q/charges-dlq --output text | head -2',
        },
        output: `ATTRIBUTES	ApproximateNumberOfMessages	874
ATTRIBUTES	CreatedTimestamp	1750000000
ATTRIBUTES	QueueArn	arn:aws:sqs:eu-west-1:000000000000:charges-dlq
MESSAGES	{"order":"77120","v":2}	schema v2 unknown to charge-worker 1.6
MESSAGES	{"order":"77121","v":2}	schema v2 unknown to charge-worker 1.6`,
      },
      {
        id: 'h5',
        tool: 'bash',
        args: { command: 'psql -h dwh -c "select max(loaded_at) from dwh.orders"; df -h /srv | tail -1' },
        output: `          max
------------------------
 2026-08-11 17:00:00+00
(1 row)
/dev/sdb1       100G   31G   70G  31% /srv`,
      },
    ],
    report: {
      summary: 'payments-gateway does not charge; 874 orders wait for their payment.',
      grade: 'confirmed',
      impact: {
        who: 'customers who order',
        since: '2026-08-11 15:40 UTC',
        severity: '874 orders wait',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'payments-gateway',
        kind: 'code',
        text: 'The gateway drops charges, so that orders stay in waiting.',
      },
      claims: [
        {
          text: 'payments-gateway takes no charges for the orders.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'h1', quote: 'HTTP/1.1 200 OK' },
            { callId: 'h2', quote: 'payments_gateway_errors_total 0' },
          ],
        },
        {
          text: 'Orders stay in waiting.',
          role: 'effect',
          confidence: 'high',
          quotes: [{ callId: 'h3', quote: ' waiting   |   874 | 2026-08-11 15:40:55+00' }],
        },
      ],
      ruledOut: [
        {
          text: 'A full disk of /srv: 31 %.',
          quotes: [{ callId: 'h5', quote: '/dev/sdb1       100G   31G   70G  31% /srv' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'newsletter-and-checkout',
    verdict: 'wrong',
    why: 'The release of newsletter came a minute before the errors of checkout, and nothing links the two. checkout itself says which key its provider refuses (a2, a3).',
    kind: 'correlation of two unrelated services',
    alertStartsAt: '2026-05-12T08:04:00Z',
    runStartedAt: '2026-05-12T08:12:00Z',
    calls: [
      {
        id: 'a1',
        tool: 'read',
        args: { path: '/srv/ci/releases.csv' },
        output: `2026-05-11T13:10:00Z,search,8.0.0,done
2026-05-11T15:42:00Z,accounts,2.9.1,done
2026-05-12T08:00:10Z,newsletter,5.2.0,done
2026-05-12T08:09:00Z,search,8.0.1,queued
2026-05-12T08:10:00Z,pages,1.0.4,queued`,
      },
      {
        id: 'a2',
        tool: 'kubectl',
        args: { args: 'logs deploy/checkout --since=15m' },
        output: `2026-05-12T07:59:48Z INFO  charge ch_2201 ok
2026-05-12T08:01:03Z ERROR charge ch_2204 refused: 401 api key revoked (key ...x9Q2)
2026-05-12T08:01:09Z ERROR charge ch_2205 refused: 401 api key revoked (key ...x9Q2)
2026-05-12T08:01:30Z ERROR charge ch_2209 refused: 401 api key revoked (key ...x9Q2)
2026-05-12T08:02:44Z ERROR charge ch_2213 refused: 401 api key revoked (key ...x9Q2)`,
      },
      {
        id: 'a3',
        tool: 'http_get',
        args: { url: 'https://provider.example/v1/keys/audit' },
        output: `{ "events": [
  { "at": "2026-05-12T08:01:00Z", "key": "...x9Q2", "event": "revoked", "by": "security@shop" },
  { "at": "2026-05-11T09:00:00Z", "key": "...b71K", "event": "created", "by": "security@shop" },
  { "at": "2025-05-11T09:00:00Z", "key": "...x9Q2", "event": "created", "by": "ops@shop" }
] }`,
      },
      {
        id: 'a4',
        tool: 'kubectl',
        args: { args: 'get pods -l app=accounts' },
        output: `NAME                        READY   STATUS    RESTARTS   AGE
accounts-5d7f6c9b8d-4kx2p   1/1     Running   0          16h
accounts-5d7f6c9b8d-9mt7w   1/1     Running   0          16h
accounts-5d7f6c9b8d-q2z8n   1/1     Running   0          16h
accounts-5d7f6c9b8d-v6hrl   1/1     Running   0          16h`,
      },
    ],
    report: {
      summary: 'Release 5.2.0 of newsletter broke the charges of checkout.',
      grade: 'confirmed',
      impact: {
        who: 'customers who pay',
        since: '2026-05-12T08:01:03Z',
        severity: 'charges are refused',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'newsletter',
        kind: 'deployment',
        text: 'A minute after release 5.2.0 of newsletter charges began to fail.',
      },
      claims: [
        {
          text: 'newsletter 5.2.0 went out at 08:00:10.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: 'a1', quote: '2026-05-12T08:00:10Z,newsletter,5.2.0,done' }],
        },
        {
          text: 'Charges of checkout fail right after it.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'a2',
              quote: '2026-05-12T08:01:03Z ERROR charge ch_2204 refused: 401 api key revoked (key ...x9Q2)',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'accounts: its pods run without a restart.',
          quotes: [{ callId: 'a4', quote: 'accounts-5d7f6c9b8d-4kx2p   1/1     Running   0          16h' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'retries-of-orders-api',
    verdict: 'wrong',
    why: 'The retries are an answer to the failing primary (b3: crash at 21:14:02), not its cause; they come after it.',
    kind: 'a consequence blamed as the cause: retries',
    alertStartsAt: '2026-09-24T21:16:00Z',
    runStartedAt: '2026-09-24T21:24:00Z',
    calls: [
      {
        id: 'b1',
        tool: 'query_prometheus',
        args: { query: 'sum(rate(db_calls_total{app="orders-api"}[1m])) by (attempt)', range: '15m' },
        output: `db_calls_total rate, app orders-api
  time               first   retry
  2026-09-24T21:13Z  140/s   0/s
  2026-09-24T21:14Z  141/s   12/s
  2026-09-24T21:15Z  143/s   570/s
  2026-09-24T21:20Z  139/s   566/s`,
      },
      {
        id: 'b2',
        tool: 'bash',
        args: { command: 'kubectl logs deploy/orders-api --since=12m | head -6' },
        output: `2026-09-24T21:14:05Z WARN  orders-api attempt 1 of 5 failed: connection reset by peer (pg-primary:5432)
2026-09-24T21:14:05Z WARN  orders-api attempt 2 of 5 failed: connection refused (pg-primary:5432)
2026-09-24T21:14:06Z WARN  orders-api attempt 3 of 5 failed: connection refused (pg-primary:5432)
2026-09-24T21:14:08Z WARN  orders-api attempt 4 of 5 failed: connection refused (pg-primary:5432)
2026-09-24T21:14:12Z ERROR orders-api attempt 5 of 5 failed: connection refused (pg-primary:5432)`,
      },
      {
        id: 'b3',
        tool: 'bash',
        args: { command: 'ssh pg-primary "dmesg -T | tail -5"' },
        output: `[Thu Sep 24 21:14:01 2026] nvme nvme0: I/O 312 QID 4 timeout, aborting
[Thu Sep 24 21:14:02 2026] nvme nvme0: Device not ready; aborting reset, CSTS=0x1
[Thu Sep 24 21:14:02 2026] blk_update_request: I/O error, dev nvme0n1, sector 88120440
[Thu Sep 24 21:14:02 2026] EXT4-fs (nvme0n1): Remounting filesystem read-only
[Thu Sep 24 21:14:03 2026] EXT4-fs error (device nvme0n1): ext4_journal_check_start: Detected aborted journal`,
      },
      {
        id: 'b4',
        tool: 'bash',
        args: {
          command:
            "awk '$6 ~ /orders/ {print substr($4,14,5)}' /var/log/nginx/access.log | uniq -c | tail -5",
        },
        output: `  8411 21:12
  8399 21:13
  8460 21:14
  8502 21:15
  8377 21:16`,
      },
    ],
    report: {
      summary: 'orders-api floods the database with retries; it no longer takes connections.',
      grade: 'confirmed',
      impact: {
        who: 'everybody who orders',
        since: '2026-09-24T21:14:12Z',
        severity: '570 retries/s, orders fail',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'orders-api',
        kind: 'code, retry storm',
        text: 'Five attempts for each call quadruple the load; pg-primary refuses connections.',
      },
      claims: [
        {
          text: 'orders-api tries again up to five times, 570 times a second.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'b1', quote: '2026-09-24T21:15Z  143/s   570/s' },
            {
              callId: 'b2',
              quote:
                '2026-09-24T21:14:06Z WARN  orders-api attempt 3 of 5 failed: connection refused (pg-primary:5432)',
            },
          ],
        },
        {
          text: 'The database refuses connections.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'b2',
              quote:
                '2026-09-24T21:14:12Z ERROR orders-api attempt 5 of 5 failed: connection refused (pg-primary:5432)',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'More requests from outside through nginx: about 8,400 a minute, as before.',
          quotes: [{ callId: 'b4', quote: '8460 21:14' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'postgres-killed-for-others',
    verdict: 'wrong',
    why: 'postgres is the victim of the OOM killer; etl-worker leaks and holds 27 GB of the host (g2, g3).',
    kind: 'a consequence blamed as the cause: OOM after a leak elsewhere',
    alertStartsAt: '2026-04-30T02:41:00Z',
    runStartedAt: '2026-04-30T02:55:00Z',
    calls: [
      {
        id: 'g1',
        tool: 'bash',
        args: { command: 'ssh db7 "dmesg -T | grep -i -E oom\\|killed | tail -5"' },
        output: `[Thu Apr 30 02:40:11 2026] etl-worker invoked oom-killer: gfp_mask=0x140cca, order=0, oom_score_adj=-500
[Thu Apr 30 02:40:11 2026] Out of memory: Killed process 2117 (postgres) total-vm:9120044kB, anon-rss:4120112kB
[Thu Apr 30 02:40:12 2026] oom_reaper: reaped process 2117 (postgres), now anon-rss:0kB
[Thu Apr 30 02:47:55 2026] Out of memory: Killed process 9011 (postgres) total-vm:9118220kB, anon-rss:4098120kB
[Thu Apr 30 02:47:56 2026] oom_reaper: reaped process 9011 (postgres), now anon-rss:0kB`,
      },
      {
        id: 'g2',
        tool: 'bash',
        args: { command: 'ssh db7 "ps -eo pid,comm,rss,etime --sort=-rss | head -6"' },
        output: `    PID COMMAND           RSS     ELAPSED
   1450 etl-worker   28311552  6-04:12:09
   9180 postgres      3911020       06:40
    612 node_exporte    21044 88-20:01:40
    590 chronyd          4120 88-20:01:44
      1 systemd         12044 88-20:02:01`,
      },
      {
        id: 'g3',
        tool: 'query_prometheus',
        args: {
          query: 'namedprocess_namegroup_memory_bytes{memtype="resident",instance="db7"}',
          range: '6d',
          step: '2d',
        },
        output: `resident memory, instance db7
  date        etl-worker  postgres
  2026-04-24  0.9 GB      4.1 GB
  2026-04-26  9.8 GB      4.1 GB
  2026-04-28  18.7 GB     4.2 GB
  2026-04-30  27.0 GB     4.1 GB`,
      },
      {
        id: 'g4',
        tool: 'bash',
        args: { command: 'ssh db7 "tail -5 /var/log/postgresql/postgresql-14-main.log"' },
        output: `2026-04-30 02:40:11 UTC [2101] LOG:  server process (PID 2117) was terminated by signal 9: Killed
2026-04-30 02:40:11 UTC [2101] LOG:  terminating any other active server processes
2026-04-30 02:40:13 UTC [2101] LOG:  all server processes terminated; reinitializing
2026-04-30 02:40:14 UTC [2130] LOG:  database system was interrupted; last known up at 2026-04-30 02:36:40 UTC
2026-04-30 02:40:19 UTC [2101] LOG:  database system is ready to accept connections`,
      },
      {
        id: 'g5',
        tool: 'bash',
        args: { command: 'ssh db7 "df -h /var/lib/postgresql | tail -1; cat /proc/mdstat | head -4"' },
        output: `/dev/md0        900G  311G  589G  35% /var/lib/postgresql
Personalities : [raid1]
md0 : active raid1 nvme1n1[1] nvme0n1[0]
      937558016 blocks super 1.2 [2/2] [UU]
unused devices: <none>`,
      },
    ],
    report: {
      summary: 'Postgres on db7 needs too much memory and is killed.',
      grade: 'confirmed',
      impact: {
        who: 'all users of the database',
        since: 'Thu Apr 30 02:40:11 2026 UTC',
        severity: 'two kills in 8 minutes',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'Postgres',
        kind: 'memory, configuration',
        text: 'Its shared buffers are too large for the host, so that the kernel kills it.',
      },
      claims: [
        {
          text: 'postgres used 4.1 GB when it was killed.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'g1',
              quote:
                '[Thu Apr 30 02:40:11 2026] Out of memory: Killed process 2117 (postgres) total-vm:9120044kB, anon-rss:4120112kB',
            },
          ],
        },
        {
          text: 'All its sessions are ended at each kill.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'g4',
              quote: '2026-04-30 02:40:11 UTC [2101] LOG:  terminating any other active server processes',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'The array md0: both disks are in it.',
          quotes: [{ callId: 'g5', quote: 'md0 : active raid1 nvme1n1[1] nvme0n1[0]' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'queue-full-consumer-dead',
    verdict: 'wrong',
    why: 'The queue is full because its consumer is dead since 19:55 UTC (20:55 +0100; m2, m3); a larger queue changes nothing. The report blames the limit of the queue.',
    kind: 'a consequence blamed as the cause: full queue behind a dead consumer',
    runStartedAt: '2026-01-22T21:20:00+01:00',
    calls: [
      {
        id: 'm1',
        tool: 'bash',
        args: { command: 'rabbitmqctl list_queues name messages consumers arguments' },
        output: `Timeout: 60.0 seconds ...
Listing queues for vhost / ...
name	messages	consumers	arguments
exports	100000	0	[{"x-max-length",100000},{"x-overflow","reject-publish"}]
imports	3	4	[]
reports	0	2	[]`,
      },
      {
        id: 'm2',
        tool: 'journalctl',
        args: { unit: 'export-consumer', since: '20:50' },
        output: `Jan 22 20:55:31 w4 export-consumer[3300]: panic: runtime error: index out of range [3] with length 3
Jan 22 20:55:31 w4 export-consumer[3300]: main.parse(...) /src/export/parse.go:71
Jan 22 20:55:31 w4 systemd[1]: export-consumer.service: Main process exited, code=exited, status=2/INVALIDARGUMENT
Jan 22 20:55:31 w4 systemd[1]: export-consumer.service: Failed with result 'exit-code'.
Jan 22 20:55:32 w4 systemd[1]: export-consumer.service: Consumed 2h 11min CPU time.`,
      },
      {
        id: 'm3',
        tool: 'query_prometheus',
        args: { query: 'rabbitmq_queue_messages{queue="exports"}', range: '40m' },
        output: `rabbitmq_queue_messages{queue="exports"}
  2026-01-22T19:50Z  41
  2026-01-22T19:55Z  38
  2026-01-22T20:00Z  28911
  2026-01-22T20:05Z  61040
  2026-01-22T20:12Z  100000`,
      },
      {
        id: 'm4',
        tool: 'grep',
        args: { pattern: 'nack', path: '/var/log/exporter/exporter.log', limit: 5 },
        output: `2026-01-22T20:12:08Z error publish to exports: nack by broker
2026-01-22T20:12:08Z error publish to exports: nack by broker
2026-01-22T20:12:09Z error publish to exports: nack by broker
2026-01-22T20:12:11Z error publish to exports: nack by broker
2026-01-22T20:19:58Z error publish to exports: nack by broker`,
      },
      {
        id: 'm5',
        tool: 'bash',
        args: { command: 'rabbitmq-diagnostics alarms; rabbitmq-diagnostics memory_breakdown | head -4' },
        output: `Node rabbit@mq1 reported no alarms, local or clusterwide
Reporting memory breakdown on node rabbit@mq1...
queue_procs: 0.2101 gb (31.2%)
binary: 0.1902 gb (28.3%)
code: 0.0398 gb (5.9%)`,
      },
    ],
    report: {
      summary:
        'The queue exports is limited to 100,000 messages, which is too small; the broker rejects what comes.',
      grade: 'confirmed',
      impact: {
        who: 'customers who export',
        since: '2026-01-22T20:12:08Z',
        severity: 'all exports are rejected',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'queue exports',
        kind: 'capacity, configuration',
        text: 'x-max-length of 100,000 with reject-publish is too small for the evening.',
      },
      claims: [
        {
          text: 'The queue is at its limit.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'm1',
              quote: 'exports	100000	0	[{"x-max-length",100000},{"x-overflow","reject-publish"}]',
            },
            { callId: 'm3', quote: '2026-01-22T20:12Z  100000' },
          ],
        },
        {
          text: 'The broker refuses messages.',
          role: 'effect',
          confidence: 'high',
          quotes: [{ callId: 'm4', quote: '2026-01-22T20:12:08Z error publish to exports: nack by broker' }],
        },
      ],
      ruledOut: [
        {
          text: 'An alarm of the node rabbit@mq1: there is none.',
          quotes: [{ callId: 'm5', quote: 'Node rabbit@mq1 reported no alarms, local or clusterwide' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'orchestration-layer',
    verdict: 'wrong',
    why: 'No output knows an "upstream orchestration layer". The nodes have no free addresses (p2), as the CNI says.',
    kind: 'rootCause with a component that no output knows',
    alertStartsAt: '2026-12-10T06:20:00Z',
    runStartedAt: '2026-12-10T06:30:00Z',
    calls: [
      {
        id: 'p1',
        tool: 'kubectl',
        args: { args: 'get pods -n batch' },
        output: `NAME              READY   STATUS              RESTARTS   AGE
import-29-4k2lq   0/1     ContainerCreating   0          16m
import-29-8vz0p   0/1     ContainerCreating   0          16m
import-28-1x9cd   0/1     Completed           0          24h
import-27-7r4mw   0/1     Completed           0          2d`,
      },
      {
        id: 'p2',
        tool: 'kubectl',
        args: { args: 'get events -n batch' },
        output: `LAST SEEN   TYPE      REASON                   OBJECT                MESSAGE
16m         Normal    Scheduled                pod/import-29-4k2lq   Successfully assigned batch/import-29-4k2lq to node-11
16m         Warning   FailedCreatePodSandBox   pod/import-29-4k2lq   plugin type="aws-cni" failed (add): failed to assign an IP address to container
15m         Warning   FailedCreatePodSandBox   pod/import-29-8vz0p   plugin type="aws-cni" failed (add): failed to assign an IP address to container
2m          Warning   FailedCreatePodSandBox   pod/import-29-4k2lq   plugin type="aws-cni" failed (add): failed to assign an IP address to container`,
      },
      {
        id: 'p3',
        tool: 'bash',
        args: { command: 'tail -5 /srv/dwh/freshness.log' },
        output: `2026-12-08 06:18 UTC fresh
2026-12-09 06:17 UTC fresh
2026-12-10 06:18 UTC late: import-29 has not ended
2026-12-10 06:23 UTC late: import-29 has not ended
2026-12-10 06:28 UTC late: import-29 has not ended`,
      },
      {
        id: 'p4',
        tool: 'bash',
        args: { command: 'pg_isready -h dwh; psql -h dwh -Atc "select count(*) from pg_stat_activity"' },
        output: `dwh:5432 - accepting connections
31
psql: 1 row
server: PostgreSQL 15.8
checked 2026-12-10 06:33 UTC`,
      },
    ],
    report: {
      summary: 'The upstream orchestration layer stalls; the import does not start.',
      grade: 'confirmed',
      impact: {
        who: 'readers of the warehouse',
        since: '2026-12-10 06:18 UTC',
        severity: 'data of yesterday',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'the upstream orchestration layer',
        kind: 'capacity',
        text: 'It hands work on too slowly, so that the import waits.',
      },
      claims: [
        {
          text: 'Work is not handed on.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'p1', quote: 'import-29-4k2lq   0/1     ContainerCreating   0          16m' },
            { callId: 'p1', quote: 'import-29-8vz0p   0/1     ContainerCreating   0          16m' },
          ],
        },
        {
          text: 'The warehouse is late.',
          role: 'effect',
          confidence: 'high',
          quotes: [{ callId: 'p3', quote: '2026-12-10 06:18 UTC late: import-29 has not ended' }],
        },
      ],
      ruledOut: [
        {
          text: 'dwh: it accepts connections.',
          quotes: [{ callId: 'p4', quote: 'dwh:5432 - accepting connections' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'old-broker-restart',
    verdict: 'wrong',
    why: 'The restart of broker kafka-2 is of 9 June, eleven days before; the consumers worked since. Today the topic was deleted and made anew with one partition (t3).',
    kind: "an old incident's line quoted as the cause of an event of today",
    alertStartsAt: '2026-06-20T11:48:00Z',
    runStartedAt: '2026-06-20T12:00:00Z',
    calls: [
      {
        id: 't1',
        tool: 'bash',
        args: { command: 'ssh kafka-2 "grep -h -E started\\|shut /var/log/kafka/server.log | tail -5"' },
        output: `[2026-05-02 07:11:20,118] INFO [KafkaServer id=2] started (kafka.server.KafkaServer)
[2026-06-09 22:04:51,402] INFO [KafkaServer id=2] shutting down (kafka.server.KafkaServer)
[2026-06-09 22:05:12,077] INFO [KafkaServer id=2] shut down completed (kafka.server.KafkaServer)
[2026-06-09 22:06:40,933] INFO [KafkaServer id=2] started (kafka.server.KafkaServer)
-- end of /var/log/kafka/server.log`,
      },
      {
        id: 't2',
        tool: 'grep',
        args: { pattern: 'rebalance|assigned', path: '/var/log/tracking/consumer.log', limit: 5 },
        output: `2026-06-20T11:44:30Z WARN  consumer-1 rebalance: assigned no partition of clicks
2026-06-20T11:44:30Z WARN  consumer-2 rebalance: assigned no partition of clicks
2026-06-20T11:44:30Z INFO  consumer-3 rebalance: assigned clicks-0
2026-06-20T11:44:31Z WARN  consumer-4 rebalance: assigned no partition of clicks
2026-06-20T11:46:02Z WARN  consumer-3 lag 41,002 and growing`,
      },
      {
        id: 't3',
        tool: 'bash',
        args: {
          command:
            'grep -h clicks /var/log/kafka/controller.log | tail -4; kafka-topics.sh --bootstrap-server kafka-1:9092 --describe --topic clicks',
        },
        output: `[2026-06-20 11:43:58,120] INFO [Controller id=1] Starting topic deletion for topic clicks
[2026-06-20 11:44:02,771] INFO [Controller id=1] Deletion of topic clicks successfully completed
[2026-06-20 11:44:21,015] INFO [Controller id=1] New topics: [clicks], new partition replica assignment [clicks-0 -> 1,2,3]
Topic: clicks	PartitionCount: 1	ReplicationFactor: 3
	Topic: clicks	Partition: 0	Leader: 1	Replicas: 1,2,3	Isr: 1,2,3`,
      },
      {
        id: 't4',
        tool: 'query_prometheus',
        args: {
          query: 'sum(rate(kafka_server_brokertopicmetrics_messagesin_total{topic="clicks"}[5m]))',
          range: '30m',
        },
        output: `messagesin_total rate, topic clicks
  2026-06-20T11:30Z  1,204/s
  2026-06-20T11:40Z  1,198/s
  2026-06-20T11:50Z  1,211/s
  2026-06-20T12:00Z  1,190/s`,
      },
    ],
    report: {
      summary: 'Broker kafka-2 was restarted; consumers lost their partitions.',
      grade: 'confirmed',
      impact: {
        who: 'everything that reads clicks',
        since: '2026-06-20T11:44:30Z',
        severity: '3 of 4 consumers without work, lag grows',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'kafka-2',
        kind: 'restart',
        text: 'The restart of the broker led to a rebalance that left consumers without partitions.',
      },
      claims: [
        {
          text: 'kafka-2 was shut down and started.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 't1',
              quote: '[2026-06-09 22:06:40,933] INFO [KafkaServer id=2] started (kafka.server.KafkaServer)',
            },
          ],
        },
        {
          text: 'Consumers have no partition after a rebalance.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 't2',
              quote: '2026-06-20T11:44:30Z WARN  consumer-1 rebalance: assigned no partition of clicks',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'More clicks than usual: about 1,200 a second all the time.',
          quotes: [{ callId: 't4', quote: '2026-06-20T11:50Z  1,211/s' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
  {
    name: 'no-root-cause',
    verdict: 'wrong',
    why: 'There is no rootCause, only claims in the role of a cause, with a grade of confirmed. The lines name two different things (the scheduler and a stale lock), and neither is said to be it.',
    kind: 'rootCause missing',
    runStartedAt: '2026-10-30T07:30:00Z',
    calls: [
      {
        id: 'n1',
        tool: 'bash',
        args: { command: 'tail -6 /var/log/billing-cron/run.log' },
        output: `2026-10-28 04:00 UTC start
2026-10-28 04:21 UTC end, 8,811 invoices
2026-10-29 04:00 UTC start
2026-10-29 04:09 UTC killed by signal 15
2026-10-30 04:00 UTC start
2026-10-30 04:00 UTC lock /run/billing-cron.lock is held by pid 22091, nothing done`,
      },
      {
        id: 'n2',
        tool: 'bash',
        args: {
          command: 'ls -l --time-style=full-iso /run/billing-cron.lock; ps -p 22091 -o pid,comm,lstart',
        },
        output: `-rw-r--r-- 1 billing billing 6 2026-10-29 04:00:01.000000000 +0000 /run/billing-cron.lock
    PID COMMAND                          STARTED
  22091 postgres        Fri Oct 30 01:12:40 2026
host bill1
checked 2026-10-30T07:33:02Z`,
      },
      {
        id: 'n3',
        tool: 'journalctl',
        args: { unit: 'cron', since: '2026-10-29 04:00', until: '2026-10-29 04:10' },
        output: `Oct 29 04:00:01 bill1 CRON[22088]: (billing) CMD (/opt/billing/cron.sh)
Oct 29 04:09:12 bill1 systemd[1]: Stopping cron.service - Regular background program processing daemon...
Oct 29 04:09:12 bill1 systemd[1]: cron.service: Deactivated successfully.
Oct 29 04:09:13 bill1 systemd[1]: Started cron.service - Regular background program processing daemon.
Oct 29 04:09:13 bill1 cron[23140]: (CRON) INFO (Skipping @reboot jobs -- not system startup)`,
      },
      {
        id: 'n4',
        tool: 'psql',
        args: {
          db: 'billing',
          sql: "select created_at::date as day, count(*) from invoices where created_at > '2026-10-27' group by 1 order by 1",
        },
        output: `    day     | count
------------+-------
 2026-10-27 |  8790
 2026-10-28 |  8811
 2026-10-29 |  3902
(3 rows)`,
      },
    ],
    report: {
      summary: 'No invoices were made today.',
      grade: 'confirmed',
      impact: {
        who: 'about 8,800 customers',
        since: '2026-10-30 04:00 UTC',
        severity: 'no invoice today',
        ongoing: 'yes',
      },
      claims: [
        {
          text: 'The run of today found a lock.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'n1',
              quote: '2026-10-30 04:00 UTC lock /run/billing-cron.lock is held by pid 22091, nothing done',
            },
          ],
        },
        {
          text: 'cron was restarted during the run of yesterday.',
          role: 'cause',
          confidence: 'medium',
          quotes: [
            {
              callId: 'n3',
              quote:
                'Oct 29 04:09:12 bill1 systemd[1]: Stopping cron.service - Regular background program processing daemon...',
            },
          ],
        },
        {
          text: 'Yesterday only 3,902 invoices were made.',
          role: 'effect',
          confidence: 'high',
          quotes: [{ callId: 'n4', quote: ' 2026-10-29 |  3902' }],
        },
      ],
      ruledOut: [],
      recommended: [],
      gaps: [],
      timeline: [],
    },
  },
];

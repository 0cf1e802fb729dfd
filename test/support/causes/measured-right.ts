// Ten more small incidents whose report is right, each with the hypotheses of its agent. Plain data, written without
// knowing the rules that judge it, to measure them.
import type { Case } from './hypotheses.ts';

export const measuredRight: Case[] = [
  {
    name: 'gw02-conntrack-full',
    verdict: 'right',
    why: 'The conntrack table of gw-02 stands at its limit of 65536, and the kernel drops the first packet of new connections. It fills because dead connections are kept for five days.',
    kind: 'kernel log and sysctl; the application only sees timeouts; the limit is a state read later',
    alertStartsAt: '2026-05-12T14:02:00Z',
    runStartedAt: '2026-05-12T14:11:00Z',
    calls: [
      {
        id: 'c1',
        tool: 'logs',
        args: { query: '{app="checkout"} |= "level=error"', from: '13:50', to: '14:11', limit: 7 },
        output: `2026-05-12T13:58:11.402Z level=error app=checkout msg="authorize failed" psp=adyen err="dial tcp 203.0.113.20:443: i/o timeout" attempt=1
2026-05-12T13:58:14.977Z level=error app=checkout msg="authorize failed" psp=adyen err="dial tcp 203.0.113.20:443: i/o timeout" attempt=2
2026-05-12T13:59:40.016Z level=error app=checkout msg="voucher image missing" sku=VC-25 err="404 Not Found"
2026-05-12T14:00:02.330Z level=error app=checkout msg="address lookup failed" err="dial tcp 198.51.100.7:443: i/o timeout" attempt=1
2026-05-12T14:00:58.119Z level=error app=checkout msg="authorize failed" psp=adyen err="dial tcp 203.0.113.20:443: i/o timeout" attempt=1
2026-05-12T14:03:21.604Z level=error app=checkout msg="tax service failed" err="dial tcp 192.0.2.81:443: i/o timeout" attempt=3`,
      },
      {
        id: 'c2',
        tool: 'bash',
        args: { command: "ssh gw-02 'dmesg -T | tail -9'" },
        output: `[Sun May 10 03:12:44 2026] perf: interrupt took too long (3141 > 3130), lowering kernel.perf_event_max_sample_rate to 63500
[Mon May 11 22:40:09 2026] ixgbe 0000:03:00.1 eno2: NIC Link is Up 10 Gbps, Flow Control: RX/TX
[Tue May 12 06:25:01 2026] systemd-journald[611]: Data hash table of /run/log/journal/5d1c/system.journal has a fill level at 75.0
[Tue May 12 13:57:52 2026] nf_conntrack: nf_conntrack: table full, dropping packet
[Tue May 12 13:57:52 2026] nf_conntrack: nf_conntrack: table full, dropping packet
[Tue May 12 13:57:53 2026] nf_conntrack: nf_conntrack: table full, dropping packet
[Tue May 12 13:57:57 2026] net_ratelimit: 1184 callbacks suppressed
[Tue May 12 14:11:32 2026] nf_conntrack: nf_conntrack: table full, dropping packet
[Tue May 12 14:11:37 2026] net_ratelimit: 2207 callbacks suppressed`,
      },
      {
        id: 'c3',
        tool: 'bash',
        args: {
          command:
            'ssh gw-02 \'sysctl -a 2>/dev/null | grep -E "nf_conntrack_(count|max|buckets|tcp_timeout)"\'',
        },
        output: `net.netfilter.nf_conntrack_buckets = 16384
net.netfilter.nf_conntrack_count = 65536
net.netfilter.nf_conntrack_max = 65536
net.netfilter.nf_conntrack_tcp_timeout_close = 10
net.netfilter.nf_conntrack_tcp_timeout_close_wait = 60
net.netfilter.nf_conntrack_tcp_timeout_established = 432000
net.netfilter.nf_conntrack_tcp_timeout_fin_wait = 120
net.netfilter.nf_conntrack_tcp_timeout_time_wait = 120`,
      },
      {
        id: 'c4',
        tool: 'bash',
        args: {
          command: 'ssh gw-02 \'ethtool -S eno2 | grep -E "rx_(packets|dropped|missed|no_buffer)|crc"\'',
        },
        output: `     rx_packets: 88210047312
     rx_dropped: 0
     rx_missed_errors: 0
     rx_no_buffer_count: 0
     rx_crc_errors: 2`,
      },
      {
        id: 'c5',
        tool: 'bash',
        args: { command: "ssh gw-02 '/usr/local/bin/ct-summary --by state,idle'" },
        output: `proto  state         idle      entries
tcp    ESTABLISHED   >24h        49820
tcp    ESTABLISHED   1h-24h       8107
tcp    ESTABLISHED   <1h          2966
tcp    TIME_WAIT     -            2714
udp    -             -            1871
icmp   -             -              58`,
      },
      {
        id: 'c6',
        tool: 'http_get',
        args: { url: 'https://status.adyen.example/api/v2/summary.json' },
        output: `{"page":{"name":"Adyen","time_zone":"Etc/UTC","updated_at":"2026-05-12T14:12:40Z"},
"status":{"indicator":"none","description":"All Systems Operational"},
"components":[{"name":"Payments API","status":"operational"},{"name":"Customer Area","status":"operational"},{"name":"Reports","status":"degraded_performance"}]}`,
      },
    ],
    report: {
      summary:
        'Outgoing calls of checkout time out since 13:58 because the NAT gateway gw-02 has no room left in its connection tracking table and drops every new connection that does not find a slot.',
      grade: 'confirmed',
      impact: {
        who: 'customers who pay, and every other service that leaves through gw-02',
        since: '2026-05-12T13:57:52Z',
        severity: 'a good part of the payments fails at the first attempt',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'gw-02 (netfilter connection tracking)',
        kind: 'resource limit reached',
        text: 'nf_conntrack on gw-02 is limited to 65536 entries and all of them are taken. Three quarters are connections which have been silent for more than a day, kept by the default timeout of five days for established connections. The kernel drops packets that would open a new entry, so connections to the outside time out.',
      },
      claims: [
        {
          text: 'The kernel of gw-02 drops packets because the table is full, beginning a few seconds before the first timeout of checkout.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'c2',
              quote: '[Tue May 12 13:57:52 2026] nf_conntrack: nf_conntrack: table full, dropping packet',
            },
          ],
        },
        {
          text: 'The number of entries equals the limit.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'c3', quote: 'net.netfilter.nf_conntrack_count = 65536' },
            { callId: 'c3', quote: 'net.netfilter.nf_conntrack_max = 65536' },
          ],
        },
        {
          text: 'Most entries are idle connections that wait for a timeout of 432000 seconds.',
          role: 'cause',
          confidence: 'medium',
          quotes: [
            { callId: 'c5', quote: 'tcp    ESTABLISHED   >24h        49820' },
            { callId: 'c3', quote: 'net.netfilter.nf_conntrack_tcp_timeout_established = 432000' },
          ],
        },
        {
          text: 'Checkout cannot open connections to several unrelated hosts on the internet.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'c1',
              quote:
                'msg="authorize failed" psp=adyen err="dial tcp 203.0.113.20:443: i/o timeout" attempt=1',
            },
            {
              callId: 'c1',
              quote: 'msg="tax service failed" err="dial tcp 192.0.2.81:443: i/o timeout" attempt=3',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'An outage at Adyen: their status page shows none, and two other providers are out of reach as well.',
          quotes: [{ callId: 'c6', quote: '{"name":"Payments API","status":"operational"}' }],
        },
        {
          text: 'Loss at the network card of the gateway.',
          quotes: [{ callId: 'c4', quote: 'rx_missed_errors: 0' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
    written: [
      {
        before: 'c2',
        add: [
          {
            statement: 'The payment provider has an outage and does not accept connections.',
            component: 'Adyen',
            kind: 'outage of a third party',
            predictions: [
              {
                call: 'http_get: status page of Adyen',
                expect: 'An incident at the payments API.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'gw-02 loses packets on its way out: card, cable or kernel.',
            component: 'gw-02, eno2',
            kind: 'packet loss',
            predictions: [
              {
                call: 'bash on gw-02: ethtool -S eno2',
                expect: 'Counters of drops or missed packets well above zero.',
                refutes: true,
              },
            ],
          },
        ],
      },
      {
        before: 'c3',
        add: [
          {
            statement: 'The conntrack table of gw-02 is full, new connections are dropped.',
            component: 'conntrack on gw-02',
            kind: 'table full',
            predictions: [
              {
                call: 'bash on gw-02: sysctl nf_conntrack_count and nf_conntrack_max',
                expect: 'count at or very near max.',
                refutes: true,
              },
              {
                call: 'bash on gw-02: entries by state',
                expect: 'Something holds a large share of the entries, idle connections or one source.',
              },
            ],
          },
        ],
      },
    ],
    tests: [
      { id: 'h3.1', callId: 'c3', quote: 'net.netfilter.nf_conntrack_count = 65536' },
      { id: 'h2.1', callId: 'c4', quote: 'rx_missed_errors: 0', opposite: true },
      { id: 'h3.2', callId: 'c5', quote: 'tcp    ESTABLISHED   >24h        49820' },
      { id: 'h1.1', callId: 'c6', quote: '{"name":"Payments API","status":"operational"}', opposite: true },
    ],
    leader: 'h3',
  },
  {
    name: 'ledger-vault-max-ttl',
    verdict: 'right',
    why: 'Vault revoked the database user of ledger-api when its lease reached the max_ttl of 24 h; the application only renews and never asks for new credentials.',
    kind: 'JSON lines; cause is a revocation one minute before the symptom plus a setting read later',
    alertStartsAt: '2026-03-03T06:13:00Z',
    runStartedAt: '2026-03-03T06:20:00Z',
    calls: [
      {
        id: 'l1',
        tool: 'log_search',
        args: { service: 'ledger-api', level: 'WARN', since: '2026-03-03T04:30:00Z' },
        output: `{"ts":"2026-03-03T04:41:10.004Z","lvl":"WARN","logger":"o.s.v.c.lease","msg":"renewed lease database/creds/ledger-rw/9QmTq, requested 3600s, granted 3600s"}
{"ts":"2026-03-03T05:31:10.018Z","lvl":"WARN","logger":"o.s.v.c.lease","msg":"renewed lease database/creds/ledger-rw/9QmTq, requested 3600s, granted 2430s"}
{"ts":"2026-03-03T05:50:00.220Z","lvl":"WARN","logger":"i.m.core.MeterRegistry","msg":"gauge jvm.gc.overhead registered twice"}
{"ts":"2026-03-03T06:12:14.611Z","lvl":"ERROR","logger":"c.z.h.pool.HikariPool","msg":"ledger-pool - Connection is not available, request timed out after 30001ms (total=0, active=0, idle=0, waiting=22)"}
{"ts":"2026-03-03T06:12:14.615Z","lvl":"ERROR","logger":"c.l.api.PostingController","msg":"POST /postings 500","cause":"FATAL: password authentication failed for user \\"v-approle-ledger-r-9QmTqXb\\""}
{"ts":"2026-03-03T06:12:19.870Z","lvl":"ERROR","logger":"c.l.api.PostingController","msg":"POST /postings 500","cause":"FATAL: password authentication failed for user \\"v-approle-ledger-r-9QmTqXb\\""}`,
      },
      {
        id: 'l2',
        tool: 'log_search',
        args: { service: 'postgres-ledger', since: '2026-03-03T06:05:00Z', limit: 6 },
        output: `2026-03-03 06:05:11.480 UTC [77] LOG:  checkpoint complete: wrote 2114 buffers (1.6%); write=209.771 s, sync=0.011 s
2026-03-03 06:11:40.963 UTC [20911] vault@ledger LOG:  statement: DROP ROLE IF EXISTS "v-approle-ledger-r-9QmTqXb"
2026-03-03 06:11:44.127 UTC [20950] v-approle-ledger-r-9QmTqXb@ledger FATAL:  password authentication failed for user "v-approle-ledger-r-9QmTqXb"
2026-03-03 06:11:44.127 UTC [20950] v-approle-ledger-r-9QmTqXb@ledger DETAIL:  Role "v-approle-ledger-r-9QmTqXb" does not exist.
2026-03-03 06:13:02.555 UTC [20987] metabase@ledger ERROR:  canceling statement due to statement timeout`,
      },
      {
        id: 'l3',
        tool: 'vault',
        args: { args: 'status -format=json' },
        output: `{
  "type": "shamir",
  "initialized": true,
  "sealed": false,
  "version": "1.15.4",
  "storage_type": "raft",
  "ha_enabled": true,
  "active_time": "2026-02-18T07:30:55Z"
}`,
      },
      {
        id: 'l4',
        tool: 'log_search',
        args: { service: 'vault', since: '2026-03-03T06:00:00Z', limit: 5 },
        output: `2026-03-03T06:02:17.330Z [WARN]  storage.raft: skipping application of an already applied log: index=90417731
2026-03-03T06:08:59.001Z [INFO]  expiration: revoked lease: lease_id=pki/issue/web/1vPzE
2026-03-03T06:11:40.991Z [INFO]  expiration: revoked lease: lease_id=database/creds/ledger-rw/9QmTq
2026-03-03T06:14:33.712Z [ERROR] auth.github.auth_github: error during login: error="user is not part of required org"`,
      },
      {
        id: 'l5',
        tool: 'vault',
        args: { args: 'read -format=json database/roles/ledger-rw' },
        output: `{
  "data": {
    "creation_statements": ["CREATE ROLE \\"{{name}}\\" WITH LOGIN PASSWORD '{{password}}' VALID UNTIL '{{expiration}}' IN ROLE ledger_rw"],
    "db_name": "ledger",
    "default_ttl": 3600,
    "max_ttl": 86400,
    "renew_statements": [],
    "revocation_statements": ["SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{{name}}'", "DROP ROLE IF EXISTS \\"{{name}}\\""]
  }
}`,
      },
      {
        id: 'l6',
        tool: 'kubectl',
        args: { args: 'get pods -n ledger -o wide' },
        output: `NAME                          READY   STATUS    RESTARTS   AGE     IP            NODE
ledger-api-5f4cbd6d7f-m8wvr   0/1     Running   0          24h     10.52.3.118   node-c3
ledger-export-29541240-x7p2   0/1     Error     0          5h40m   10.52.1.40    node-c1
ledger-ui-7b9d54c8b5-2hjkl    1/1     Running   0          19d     10.52.2.9     node-c2`,
      },
    ],
    report: {
      summary:
        'ledger-api has no valid database login since 06:11:40. Its credentials from Vault had reached their maximum age of 24 hours, Vault dropped the role in Postgres, and the service did not fetch new ones.',
      grade: 'confirmed',
      impact: {
        who: 'everything that posts to the ledger',
        since: '2026-03-03 06:11:44 UTC',
        severity: 'all POST /postings answer 500',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'Vault lease of ledger-api (database/creds/ledger-rw)',
        kind: 'expired credentials',
        text: 'The role ledger-rw has a max_ttl of 86400 s. ledger-api renews its lease but does not request a new one when that is used up, so after 24 h Vault revoked the lease and dropped the Postgres user which the pool still logs in with.',
      },
      claims: [
        {
          text: 'Vault revoked the lease at 06:11:40, and the database user was dropped with it.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'l4',
              quote:
                '2026-03-03T06:11:40.991Z [INFO]  expiration: revoked lease: lease_id=database/creds/ledger-rw/9QmTq',
            },
            {
              callId: 'l2',
              quote:
                '2026-03-03 06:11:40.963 UTC [20911] vault@ledger LOG:  statement: DROP ROLE IF EXISTS "v-approle-ledger-r-9QmTqXb"',
            },
          ],
        },
        {
          text: 'Credentials of this role live for at most one day.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: 'l5', quote: '"max_ttl": 86400,' }],
        },
        {
          text: 'The last renewal was already cut to what was left of the day.',
          role: 'background',
          quotes: [
            {
              callId: 'l1',
              quote: 'renewed lease database/creds/ledger-rw/9QmTq, requested 3600s, granted 2430s',
            },
          ],
        },
        {
          text: 'Since then Postgres rejects the service.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            { callId: 'l2', quote: 'DETAIL:  Role "v-approle-ledger-r-9QmTqXb" does not exist.' },
            { callId: 'l1', quote: 'Connection is not available, request timed out after 30001ms' },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'Vault is sealed or lost its leader.',
          quotes: [{ callId: 'l3', quote: '"sealed": false,' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
    written: [
      {
        before: 'l2',
        add: [
          {
            statement:
              'The dynamic credentials of ledger-api expired at their maximum TTL and were not replaced.',
            component: 'ledger-api, Vault lease',
            kind: 'credentials expired',
            predictions: [
              {
                call: 'log_search vault around 06:11',
                expect: 'The lease 9QmTq is revoked shortly before the first failed login.',
                refutes: true,
              },
              {
                call: 'vault read database/roles/ledger-rw',
                expect: 'A max_ttl of about a day, the age of the pod.',
              },
            ],
          },
          {
            statement: 'Vault is sealed or without a leader, so nothing can be renewed.',
            component: 'Vault',
            kind: 'unavailable',
            predictions: [
              {
                call: 'vault status',
                expect: 'sealed: true, or an active_time of this morning.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'Somebody changed pg_hba.conf or the users by hand.',
            component: 'postgres-ledger',
            kind: 'manual change',
            predictions: [
              {
                call: 'log_search postgres-ledger since 06:05',
                expect: 'A reload of the configuration, or an ALTER ROLE by a human.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      {
        id: 'h3.1',
        callId: 'l2',
        quote:
          '2026-03-03 06:11:40.963 UTC [20911] vault@ledger LOG:  statement: DROP ROLE IF EXISTS "v-approle-ledger-r-9QmTqXb"',
        opposite: true,
      },
      { id: 'h2.1', callId: 'l3', quote: '"sealed": false,', opposite: true },
      {
        id: 'h1.1',
        callId: 'l4',
        quote:
          '2026-03-03T06:11:40.991Z [INFO]  expiration: revoked lease: lease_id=database/creds/ledger-rw/9QmTq',
      },
      { id: 'h1.2', callId: 'l5', quote: '"max_ttl": 86400,' },
    ],
    leader: 'h1',
  },
  {
    name: 'pricing-cpu-throttled',
    verdict: 'right',
    why: 'The container pricing has a limit of half a core with 16 runnable threads, so the CFS quota stops it in 7 of 10 periods. The node itself is mostly idle.',
    kind: 'Prometheus answers and cpu.stat; a low CPU usage that looks like an alibi',
    alertStartsAt: '2026-06-09T10:26:00Z',
    runStartedAt: '2026-06-09T10:31:00Z',
    calls: [
      {
        id: 'call_1',
        tool: 'promql',
        args: {
          query:
            'histogram_quantile(0.99, sum by (le, app) (rate(http_request_duration_seconds_bucket{ns="quote"}[5m])))',
        },
        output: `{app="pricing"}       1.184   @2026-06-09T10:31:30Z
{app="basket"}        1.302   @2026-06-09T10:31:30Z
{app="catalog"}       0.061   @2026-06-09T10:31:30Z
{app="recommender"}   0.410   @2026-06-09T10:31:30Z`,
      },
      {
        id: 'call_2',
        tool: 'promql',
        args: { query: 'rate(container_cpu_usage_seconds_total{ns="quote",container!=""}[5m])' },
        output: `{container="pricing",pod="pricing-7d6f8b9c44-4xk2n"}     0.497
{container="pricing",pod="pricing-7d6f8b9c44-zt8wq"}     0.493
{container="basket",pod="basket-58c7f5d6b9-6m4hs"}       0.122
{container="catalog",pod="catalog-6b5f99c7d8-k9d2c"}     0.240`,
      },
      {
        id: 'call_3',
        tool: 'redis_cli',
        args: { host: 'redis-pricing', command: 'SLOWLOG GET 3' },
        output: `1) 1) (integer) 418
   2) (integer) 1780881134
   3) (integer) 12033
   4) 1) "KEYS"
      2) "tmp:*"
2) 1) (integer) 417
   2) (integer) 1780704202
   3) (integer) 10871`,
      },
      {
        id: 'call_4',
        tool: 'kubectl',
        args: {
          args: 'exec -n quote pricing-7d6f8b9c44-4xk2n -- cat /sys/fs/cgroup/cpu.stat /sys/fs/cgroup/cpu.max',
        },
        output: `usage_usec 214883120044
user_usec 198110775310
system_usec 16772344734
nr_periods 4310882
nr_throttled 3061004
throttled_usec 1522093377121
50000 100000`,
      },
      {
        id: 'call_5',
        tool: 'kubectl',
        args: { args: 'get deploy pricing -n quote -o yaml | yq .spec.template.spec.containers' },
        output: `- name: pricing
  image: registry.local/quote/pricing:3.14.2
  env:
    - name: GOMAXPROCS
      value: "16"
    - name: REDIS_ADDR
      value: redis-pricing:6379
  resources:
    requests:
      cpu: 250m
      memory: 256Mi
    limits:
      cpu: 500m
      memory: 512Mi`,
      },
      {
        id: 'call_6',
        tool: 'promql',
        args: { query: 'instance:node_cpu_utilisation:rate5m{cluster="eu-1"}' },
        output: `{instance="node-a1"}   0.29
{instance="node-a2"}   0.33
{instance="node-a3"}   0.81
{instance="node-a4"}   0.27
# pricing pods: node-a1, node-a4`,
      },
    ],
    report: {
      summary:
        'Quotes take more than a second at the 99th percentile since pricing is throttled by its own CPU limit; basket is slow only because it waits for pricing.',
      grade: 'confirmed',
      impact: {
        who: 'visitors who look at their basket or ask for a price',
        since: 'at the latest 2026-06-09 10:26 UTC',
        severity: 'p99 of 1.2 s',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'deployment pricing, CPU limit',
        kind: 'CPU throttling',
        text: 'The limit of 500m gives the container 50 ms of CPU in each 100 ms. With GOMAXPROCS at 16 the Go runtime burns that in the first few milliseconds of a busy period and the kernel then halts the process until the next one. That happened in 71 % of all periods.',
      },
      claims: [
        {
          text: 'The container is throttled in most scheduling periods.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'call_4', quote: 'nr_periods 4310882' },
            { callId: 'call_4', quote: 'nr_throttled 3061004' },
          ],
        },
        {
          text: 'Its quota is half a core, while the runtime may use sixteen threads.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'call_4', quote: '50000 100000' },
            { callId: 'call_5', quote: '      cpu: 500m' },
            { callId: 'call_5', quote: 'value: "16"' },
          ],
        },
        {
          text: 'Both pods use all that they are allowed to.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'call_2', quote: '{container="pricing",pod="pricing-7d6f8b9c44-4xk2n"}     0.497' },
          ],
        },
        {
          text: 'p99 of pricing is at 1.18 s.',
          role: 'effect',
          confidence: 'high',
          quotes: [{ callId: 'call_1', quote: '{app="pricing"}       1.184   @2026-06-09T10:31:30Z' }],
        },
      ],
      ruledOut: [
        {
          text: 'Nodes short of CPU: the two that host pricing are at less than a third.',
          quotes: [
            { callId: 'call_6', quote: '{instance="node-a1"}   0.29' },
            { callId: 'call_6', quote: '{instance="node-a4"}   0.27' },
          ],
        },
        {
          text: 'Slow commands in Redis. The longest took 12 ms, and none is from today.',
          quotes: [{ callId: 'call_3', quote: '   3) (integer) 12033' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
    written: [
      {
        before: 'call_2',
        add: [
          {
            statement: 'pricing waits for slow answers from Redis.',
            component: 'redis-pricing',
            kind: 'slow dependency',
            predictions: [
              {
                call: 'redis_cli: SLOWLOG GET',
                expect: 'Fresh entries of several hundred ms.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'pricing is throttled by its CPU limit.',
            component: 'pricing',
            kind: 'CPU limit',
            predictions: [
              {
                call: 'kubectl exec: cpu.stat of a pricing pod',
                expect: 'nr_throttled is a large part of nr_periods.',
                refutes: true,
              },
              {
                call: 'promql: CPU usage of the containers',
                expect: 'Usage of pricing flat at a round number, its limit.',
              },
            ],
          },
          {
            statement: 'The nodes are overcommitted and pricing gets no time on them.',
            component: 'nodes of eu-1',
            kind: 'CPU saturation',
            predictions: [
              {
                call: 'promql: utilisation of the nodes',
                expect: 'The nodes of pricing near 100 %.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      {
        id: 'h2.2',
        callId: 'call_2',
        quote: '{container="pricing",pod="pricing-7d6f8b9c44-4xk2n"}     0.497',
      },
      { id: 'h1.1', callId: 'call_3', quote: '   3) (integer) 12033', opposite: true },
      { id: 'h2.1', callId: 'call_4', quote: 'nr_throttled 3061004' },
      { id: 'h3.1', callId: 'call_6', quote: '{instance="node-a1"}   0.29', opposite: true },
    ],
    leader: 'h2',
  },
  {
    name: 'translations-cors-cached',
    verdict: 'right',
    why: 'The CDN keeps one copy of strings.json for all origins, filled by a request of admin; the origin answers per Origin but sends no Vary. The browsers of app reject the copy.',
    kind: 'HTTP headers; each part alone is right; the alert comes from Sentry long after the deploys',
    alertStartsAt: '2026-01-22T16:05:00Z',
    runStartedAt: '2026-01-22T16:09:00Z',
    calls: [
      {
        id: 't1',
        tool: 'sentry',
        args: { project: 'app-web', query: 'is:unresolved', period: '1h' },
        output: `count  first_seen            last_seen             title
 4127  2026-01-22T15:51:07Z  2026-01-22T16:09:20Z  TypeError: Failed to fetch  (loadStrings, https://cdn.lumen.example/i18n/strings.json)
   88  2025-11-03T09:12:44Z  2026-01-22T16:08:51Z  ResizeObserver loop completed with undelivered notifications.
   19  2026-01-19T12:30:00Z  2026-01-22T15:58:13Z  ChunkLoadError: Loading chunk 417 failed.
    3  2026-01-22T10:44:59Z  2026-01-22T14:01:36Z  RangeError: Invalid time value`,
      },
      {
        id: 't2',
        tool: 'bash',
        args: {
          command:
            "curl -sI -H 'Origin: https://app.lumen.example' https://cdn.lumen.example/i18n/strings.json",
        },
        output: `HTTP/2 200
date: Thu, 22 Jan 2026 16:10:41 GMT
content-type: application/json
content-length: 48113
cache-control: public, max-age=86400
access-control-allow-origin: https://admin.lumen.example
etag: "9b1e-63f2"
x-cache: HIT
age: 1174
server: edge-fra-07`,
      },
      {
        id: 't3',
        tool: 'bash',
        args: {
          command:
            "curl -sI -H 'Origin: https://app.lumen.example' --resolve cdn.lumen.example:443:10.9.0.31 https://cdn.lumen.example/i18n/strings.json",
        },
        output: `HTTP/1.1 200 OK
Server: nginx/1.26.2
Date: Thu, 22 Jan 2026 16:11:05 GMT
Content-Type: application/json
Content-Length: 48113
Cache-Control: public, max-age=86400
Access-Control-Allow-Origin: https://app.lumen.example
ETag: "9b1e-63f2"`,
      },
      {
        id: 't4',
        tool: 'cdn_api',
        args: { path: '/zones/lumen/cache-rules' },
        output: `[
  {"id":"r1","match":"*.woff2","edge_ttl":2592000,"key":{"query":"ignore","headers":[]}},
  {"id":"r2","match":"/i18n/*","edge_ttl":86400,"key":{"query":"include","headers":[]}},
  {"id":"r3","match":"/api/*","edge_ttl":0,"key":null}
]`,
      },
      {
        id: 't5',
        tool: 'bash',
        args: { command: "ssh web-origin-1 'grep strings.json /var/log/nginx/cdn.access.log | tail -4'" },
        output: `198.51.100.41 - [21/Jan/2026:15:51:02 +0000] "GET /i18n/strings.json HTTP/1.1" 200 48002 origin="https://app.lumen.example" ua="edge-pull/4" peer=edge-fra-07
198.51.100.77 - [22/Jan/2026:09:20:16 +0000] "GET /i18n/strings.json HTTP/1.1" 200 48113 origin="https://app.lumen.example" ua="edge-pull/4" peer=edge-iad-02
198.51.100.41 - [22/Jan/2026:15:51:06 +0000] "GET /i18n/strings.json HTTP/1.1" 200 48113 origin="https://admin.lumen.example" ua="edge-pull/4" peer=edge-fra-07
10.9.0.4 - [22/Jan/2026:16:11:05 +0000] "HEAD /i18n/strings.json HTTP/1.1" 200 0 origin="https://app.lumen.example" ua="curl/8.5.0" peer=-`,
      },
    ],
    report: {
      summary:
        'The web app cannot load its translations at the Frankfurt edge: the CDN serves a cached copy whose CORS header names admin.lumen.example. The rule for /i18n/ leaves the Origin header out of the cache key and nginx does not send Vary.',
      grade: 'confirmed',
      impact: {
        who: 'users of app.lumen.example served by edge-fra-07',
        since: '2026-01-22 15:51:07 UTC',
        severity: 'the app shows raw keys instead of text',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'CDN cache rule r2 (/i18n/*)',
        kind: 'cache key misconfigured',
        text: 'The origin reflects the Origin of the request into Access-Control-Allow-Origin, without Vary: Origin. The CDN stores one object per URL, so when the daily refresh was triggered by the admin interface at 15:51:06, the copy for admin went to everybody and browsers on app refuse it.',
      },
      claims: [
        {
          text: 'A request from app gets a cached response that allows admin only.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 't2', quote: 'access-control-allow-origin: https://admin.lumen.example' },
            { callId: 't2', quote: 'x-cache: HIT' },
          ],
        },
        {
          text: 'No header is part of the key for /i18n/.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 't4',
              quote: '{"id":"r2","match":"/i18n/*","edge_ttl":86400,"key":{"query":"include","headers":[]}}',
            },
          ],
        },
        {
          text: 'edge-fra-07 pulled the file for admin at 15:51:06, one second before the first error.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 't5',
              quote:
                '198.51.100.41 - [22/Jan/2026:15:51:06 +0000] "GET /i18n/strings.json HTTP/1.1" 200 48113 origin="https://admin.lumen.example" ua="edge-pull/4" peer=edge-fra-07',
            },
          ],
        },
        {
          text: 'Fetching the strings fails in thousands of browsers.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 't1',
              quote: 'TypeError: Failed to fetch  (loadStrings, https://cdn.lumen.example/i18n/strings.json)',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'nginx has app.lumen.example missing from its list of allowed origins. Asked directly, it answers with the right one.',
          quotes: [{ callId: 't3', quote: 'Access-Control-Allow-Origin: https://app.lumen.example' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
    written: [
      {
        before: 't2',
        add: [
          {
            statement: 'The edge serves a copy of strings.json that was cached for another origin.',
            component: 'CDN',
            kind: 'cache without Vary',
            predictions: [
              {
                call: 'curl -I through the CDN with Origin app',
                expect: 'A cache hit with an allow-origin other than app.',
                refutes: true,
              },
              { call: 'cdn_api: cache rules', expect: 'Origin is not in the key of /i18n/.', refutes: true },
            ],
          },
          {
            statement: 'The origin server does not allow app.lumen.example any more.',
            component: 'nginx on web-origin-1',
            kind: 'wrong CORS list',
            predictions: [
              {
                call: 'curl -I at the origin, past the CDN',
                expect: 'No allow-origin for app, or a wrong one.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 't2', quote: 'access-control-allow-origin: https://admin.lumen.example' },
      {
        id: 'h2.1',
        callId: 't3',
        quote: 'Access-Control-Allow-Origin: https://app.lumen.example',
        opposite: true,
      },
      {
        id: 'h1.2',
        callId: 't4',
        quote: '{"id":"r2","match":"/i18n/*","edge_ttl":86400,"key":{"query":"include","headers":[]}}',
      },
    ],
    leader: 'h1',
  },
  {
    name: 'graz-vpn-mtu',
    verdict: 'right',
    why: 'The tunnel interface has an MTU of 1480, the path with IPsec carries at most 1400, and the ICMP that would say so is dropped. Large packets vanish, small ones pass.',
    kind: 'ping and tcpdump; no alert, a complaint by telephone; evidence of a state measured afterwards',
    runStartedAt: '2026-02-05T09:40:00Z',
    calls: [
      {
        id: 'v1',
        tool: 'bash',
        args: { command: 'ssh vpn-hq sudo swanctl --list-sas --ike graz' },
        output: `graz: #214, ESTABLISHED, IKEv2, 5c1f0a88b2e94d10_i* 0d37ac219bb4e6f2_r
  local  'vpn-hq.norden.example' @ 203.0.113.5[4500]
  remote 'graz.norden.example' @ 198.51.100.130[4500]
  AES_CBC-256/HMAC_SHA2_256_128/PRF_HMAC_SHA2_256/ECP_256
  established 31022s ago, rekeying in 52114s
  graz-net: #902, reqid 7, INSTALLED, TUNNEL-in-UDP, ESP:AES_CBC-256/HMAC_SHA2_256_128
    installed 2290s ago, rekeying in 1011s, expires in 1670s
    in  c92f01aa,  18114402 bytes,  91120 packets,     0s ago
    out c4e7713b,  90277310 bytes, 102664 packets,     0s ago`,
      },
      {
        id: 'v2',
        tool: 'bash',
        args: { command: 'ssh vpn-hq "tcpdump -nr /tmp/graz-dms.pcap | head -9"' },
        output: `10:43:10.101442 IP 10.20.0.14.51514 > 10.1.4.9.443: Flags [S], seq 771034, win 64240, options [mss 1440,sackOK,nop,wscale 7], length 0
10:43:10.118301 IP 10.1.4.9.443 > 10.20.0.14.51514: Flags [S.], seq 22019, ack 771035, win 65160, options [mss 1440,sackOK,nop,wscale 7], length 0
10:43:10.161904 IP 10.20.0.14.51514 > 10.1.4.9.443: Flags [P.], seq 1:518, ack 1, win 502, length 517
10:43:10.162880 IP 10.1.4.9.443 > 10.20.0.14.51514: Flags [.], seq 1:1441, ack 518, win 505, length 1440
10:43:10.377120 IP 10.1.4.9.443 > 10.20.0.14.51514: Flags [.], seq 1:1441, ack 518, win 505, length 1440
10:43:10.809133 IP 10.1.4.9.443 > 10.20.0.14.51514: Flags [.], seq 1:1441, ack 518, win 505, length 1440
10:43:11.673150 IP 10.1.4.9.443 > 10.20.0.14.51514: Flags [.], seq 1:1441, ack 518, win 505, length 1440
10:43:13.402117 IP 10.1.4.9.443 > 10.20.0.14.51514: Flags [.], seq 1:1441, ack 518, win 505, length 1440`,
      },
      {
        id: 'v3',
        tool: 'bash',
        args: {
          command:
            'ssh vpn-hq "for s in 1200 1372 1400 1452; do ping -M do -c 2 -W 2 -q -s $s 10.20.0.1 | grep -E \'^PING|transmitted\'; done"',
        },
        output: `PING 10.20.0.1 (10.20.0.1) 1200(1228) bytes of data.
2 packets transmitted, 2 received, 0% packet loss, time 1001ms
PING 10.20.0.1 (10.20.0.1) 1372(1400) bytes of data.
2 packets transmitted, 2 received, 0% packet loss, time 1002ms
PING 10.20.0.1 (10.20.0.1) 1400(1428) bytes of data.
2 packets transmitted, 0 received, 100% packet loss, time 1021ms
PING 10.20.0.1 (10.20.0.1) 1452(1480) bytes of data.
2 packets transmitted, 0 received, 100% packet loss, time 1018ms`,
      },
      {
        id: 'v4',
        tool: 'bash',
        args: { command: 'ssh vpn-hq "ip -s link show xfrm-graz; sudo nft list chain inet edge input"' },
        output: `14: xfrm-graz@eno1: <NOARP,UP,LOWER_UP> mtu 1480 qdisc noqueue state UNKNOWN mode DEFAULT group default qlen 1000
    RX:  bytes packets errors dropped  missed   mcast
     181144020  911204      0       0       0       0
    TX:  bytes packets errors dropped carrier collsns
     902773100 1026641      0      17       0       0
table inet edge {
  chain input {
    type filter hook input priority filter; policy drop;
    ct state established accept
    udp dport { 500, 4500 } accept
    icmp type echo-request accept
  }
}`,
      },
      {
        id: 'v5',
        tool: 'bash',
        args: { command: 'ssh dms-01 "journalctl -u dms-web --since 09:30 --no-pager | tail -5"' },
        output: `Feb 05 10:31:02 dms-01 dms-web[2210]: GET /inbox 200 84ms client=10.1.12.40
Feb 05 10:36:48 dms-01 dms-web[2210]: thumbnailer: WARN no preview for application/x-dwg
Feb 05 10:41:17 dms-01 dms-web[2210]: GET /doc/88120 200 131ms client=10.1.12.77
Feb 05 10:43:40 dms-01 dms-web[2210]: TLS handshake aborted: i/o timeout client=10.20.0.14
Feb 05 10:44:02 dms-01 dms-web[2210]: GET /inbox 200 79ms client=10.1.9.3`,
      },
    ],
    report: {
      summary:
        'The branch in Graz cannot open the document system because full-sized packets do not get through the VPN. The tunnel interface on vpn-hq is set to 1480 bytes, but only 1400 fit.',
      grade: 'confirmed',
      impact: {
        who: 'about 40 people in the Graz office',
        since: 'not known; first call at the service desk this morning',
        severity: 'HTTPS to the head office does not load; ping and DNS work',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'vpn-hq, tunnel interface xfrm-graz',
        kind: 'MTU too large',
        text: 'xfrm-graz has an MTU of 1480, hence both ends negotiate an MSS of 1440. After ESP in UDP such packets exceed what the line of Graz carries, and since the firewall accepts no ICMP "fragmentation needed", path MTU discovery never corrects it. Everything above 1400 bytes is lost silently.',
      },
      claims: [
        {
          text: 'Packets of 1400 bytes arrive, those of 1428 are all lost, without any error being returned.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'v3', quote: 'PING 10.20.0.1 (10.20.0.1) 1400(1428) bytes of data.' },
            { callId: 'v3', quote: '2 packets transmitted, 0 received, 100% packet loss, time 1021ms' },
          ],
        },
        {
          text: 'The interface is configured with 1480 and the input chain does not accept the ICMP type which would report it.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'v4', quote: '14: xfrm-graz@eno1: <NOARP,UP,LOWER_UP> mtu 1480' },
            { callId: 'v4', quote: 'icmp type echo-request accept' },
          ],
        },
        {
          text: 'The first full segment of the TLS handshake is sent again and again and never acknowledged.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'v2',
              quote:
                '10:43:13.402117 IP 10.1.4.9.443 > 10.20.0.14.51514: Flags [.], seq 1:1441, ack 518, win 505, length 1440',
            },
            { callId: 'v5', quote: 'TLS handshake aborted: i/o timeout client=10.20.0.14' },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'The tunnel is down, or fails at rekeying.',
          quotes: [
            { callId: 'v1', quote: 'graz: #214, ESTABLISHED, IKEv2, 5c1f0a88b2e94d10_i* 0d37ac219bb4e6f2_r' },
          ],
        },
        {
          text: 'The document server itself: clients at the head office are answered in 80 ms.',
          quotes: [{ callId: 'v5', quote: 'dms-web[2210]: GET /inbox 200 79ms client=10.1.9.3' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
    written: [
      {
        before: null,
        add: [
          {
            statement: 'The VPN to Graz is down or flapping.',
            component: 'IPsec tunnel graz',
            kind: 'connection lost',
            predictions: [
              {
                call: 'swanctl --list-sas on vpn-hq',
                expect: 'No SA for graz, or one that is only seconds old.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'The document management server is overloaded.',
            component: 'dms-01',
            kind: 'overload',
            predictions: [
              {
                call: 'journalctl of dms-web',
                expect: 'Clients elsewhere see slow requests or errors too.',
                refutes: true,
              },
            ],
          },
        ],
      },
      {
        before: 'v3',
        add: [
          {
            statement: 'Packets above a certain size do not survive the tunnel (MTU black hole).',
            component: 'VPN tunnel vpn-hq to Graz',
            kind: 'MTU',
            predictions: [
              {
                call: 'ping -M do with growing sizes through the tunnel',
                expect: 'Small ones answer, from some size on 100 % loss.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 'v1', quote: '  established 31022s ago, rekeying in 52114s', opposite: true },
      { id: 'h3.1', callId: 'v3', quote: '2 packets transmitted, 0 received, 100% packet loss, time 1021ms' },
      {
        id: 'h2.1',
        callId: 'v5',
        quote: 'dms-web[2210]: GET /inbox 200 79ms client=10.1.9.3',
        opposite: true,
      },
    ],
    leader: 'h3',
  },
  {
    name: 'beacon-too-many-parts',
    verdict: 'right',
    why: 'beacon-ingest 2.9.0 flushes every 50 ms instead of every 10 s; each insert makes a part of a few rows, merges do not keep up, ClickHouse rejects inserts.',
    kind: 'ClickHouse tables, git diff; a change 26 min before the symptom, with a quantity that grows slowly',
    alertStartsAt: '2026-04-28T11:30:00Z',
    runStartedAt: '2026-04-28T11:36:00Z',
    calls: [
      {
        id: 'k1',
        tool: 'grep',
        args: {
          pattern: '<Error>|<Warning>',
          path: 'ch-events-2:/var/log/clickhouse-server/clickhouse-server.log',
          limit: 6,
        },
        output: `2026.04.28 10:14:31.207718 [ 1180 ] {} <Warning> Access(user directories): User 'grafana' has no password set
2026.04.28 11:28:04.550102 [ 2377 ] {6a1b} <Error> executeQuery: Code: 252. DB::Exception: Too many parts (3004 with average size of 1.71 KiB) in table 'web.beacons'. Merges are processing significantly slower than inserts. (TOO_MANY_PARTS) (from 10.7.3.22:40118)
2026.04.28 11:28:04.612390 [ 2381 ] {9f03} <Error> executeQuery: Code: 252. DB::Exception: Too many parts (3004 with average size of 1.71 KiB) in table 'web.beacons'. Merges are processing significantly slower than inserts. (TOO_MANY_PARTS) (from 10.7.3.25:51940)
2026.04.28 11:29:00.000871 [ 1204 ] {} <Warning> KeeperTCPHandler: Session 412 expired, closing
2026.04.28 11:31:17.339004 [ 2377 ] {b770} <Error> executeQuery: Code: 62. DB::Exception: Syntax error: failed at position 31 ('form'). (SYNTAX_ERROR) (from 10.7.9.4:60122)`,
      },
      {
        id: 'k2',
        tool: 'clickhouse',
        args: {
          sql: "select toStartOfInterval(event_time, interval 10 minute) t, user, count() inserts, round(avg(written_rows)) rows from system.query_log where type = 'QueryFinish' and query_kind = 'Insert' and event_time > today() + interval 10 hour group by 1, 2 order by 1, 2",
        },
        output: `t	user	inserts	rows
2026-04-28 10:40:00	beacon_ingest	240	9120
2026-04-28 10:40:00	orders_cdc	60	410
2026-04-28 10:50:00	beacon_ingest	238	9207
2026-04-28 10:50:00	orders_cdc	60	388
2026-04-28 11:00:00	beacon_ingest	36904	57
2026-04-28 11:00:00	orders_cdc	59	402
2026-04-28 11:10:00	beacon_ingest	46818	46
2026-04-28 11:10:00	orders_cdc	60	415
2026-04-28 11:20:00	beacon_ingest	41277	44
2026-04-28 11:20:00	orders_cdc	60	397`,
      },
      {
        id: 'k3',
        tool: 'clickhouse',
        args: {
          sql: 'select name, formatReadableSize(free_space) free, formatReadableSize(total_space) total from system.disks',
        },
        output: `name	free	total
default	1.92 TiB	3.44 TiB
cold	11.07 TiB	14.00 TiB`,
      },
      {
        id: 'k4',
        tool: 'deploys',
        args: { since: '2026-04-28T08:00:00Z', env: 'prod' },
        output: `2026-04-28T08:47:19Z  web-shop        9.120.0  ok  by=releasebot
2026-04-28T10:15:40Z  grafana         11.6.1   ok  by=tomas
2026-04-28T11:02:10Z  beacon-ingest   2.9.0    ok  by=releasebot  prev=2.8.3
2026-04-28T11:33:55Z  web-shop        9.120.1  ok  by=releasebot`,
      },
      {
        id: 'k5',
        tool: 'bash',
        args: { command: 'git -C /src/beacon-ingest diff 2.8.3 2.9.0 -- config/ go.mod' },
        output: `diff --git a/config/prod.toml b/config/prod.toml
@@ -14,7 +14,7 @@ [sink.clickhouse]
 table = "web.beacons"
 max_rows = 10000
-flush_interval = "10s"
+flush_interval = "50ms"
 async_insert = false
diff --git a/go.mod b/go.mod
@@ -9 +9 @@
-	github.com/ClickHouse/clickhouse-go/v2 v2.28.1
+	github.com/ClickHouse/clickhouse-go/v2 v2.28.3`,
      },
      {
        id: 'k6',
        tool: 'clickhouse',
        args: { sql: 'select database, table, elapsed, progress, num_parts from system.merges' },
        output: `database	table	elapsed	progress	num_parts
web	beacons	3.11	0.62	100
web	beacons	1.40	0.18	100
web	beacons	0.87	0.44	98
system	query_log	0.22	0.91	6`,
      },
    ],
    report: {
      summary:
        'ClickHouse refuses inserts into web.beacons since 11:28. Release 2.9.0 of beacon-ingest flushes its buffer every 50 ms instead of every 10 s, which makes some 75 tiny parts a second.',
      grade: 'confirmed',
      impact: {
        who: 'analytics; beacons of the last minutes are missing from the dashboards',
        since: '2026-04-28T11:28:04Z',
        severity: 'most inserts rejected, the ingest buffers fill up',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'beacon-ingest',
        kind: 'configuration change in a deploy',
        text: 'With 2.9.0, deployed at 11:02, flush_interval went from 10s to 50ms. The number of inserts rose from 240 to about 45000 in ten minutes with around 50 rows each. Merges cannot keep up and the table hit the limit of 3000 parts at 11:28.',
      },
      claims: [
        {
          text: 'The flush interval was reduced by a factor of 200.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'k5', quote: '-flush_interval = "10s"' },
            { callId: 'k5', quote: '+flush_interval = "50ms"' },
          ],
        },
        {
          text: 'That version went live at 11:02:10.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'k4',
              quote: '2026-04-28T11:02:10Z  beacon-ingest   2.9.0    ok  by=releasebot  prev=2.8.3',
            },
          ],
        },
        {
          text: 'From then on the service sends a great many very small inserts.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'k2', quote: '2026-04-28 10:50:00	beacon_ingest	238	9207' },
            { callId: 'k2', quote: '2026-04-28 11:10:00	beacon_ingest	46818	46' },
          ],
        },
        {
          text: 'ClickHouse throws TOO_MANY_PARTS for web.beacons.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'k1',
              quote:
                "Code: 252. DB::Exception: Too many parts (3004 with average size of 1.71 KiB) in table 'web.beacons'.",
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'Merges stopped for lack of disk space.',
          quotes: [{ callId: 'k3', quote: 'default	1.92 TiB	3.44 TiB' }],
        },
        {
          text: 'Merges hang: three of this table are running and take seconds.',
          quotes: [{ callId: 'k6', quote: 'web	beacons	3.11	0.62	100' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
    written: [
      {
        before: 'k2',
        add: [
          {
            statement: 'A client began to insert in much smaller batches.',
            component: 'beacon-ingest',
            kind: 'too small inserts',
            predictions: [
              {
                call: 'clickhouse: inserts and rows per user from query_log',
                expect: 'Inserts jump and rows per insert fall, at some moment before 11:28.',
                refutes: true,
              },
              {
                call: 'deploys and diff of the client',
                expect: 'A change of its batching around that time.',
              },
            ],
          },
          {
            statement: 'Merges cannot run because the disk is nearly full.',
            component: 'ch-events-2, disk default',
            kind: 'disk full',
            predictions: [
              { call: 'clickhouse: system.disks', expect: 'Only a few GiB free.', refutes: true },
            ],
          },
          {
            statement: 'A long mutation or merge blocks the merge pool.',
            component: 'ClickHouse background pool',
            kind: 'blocked merges',
            predictions: [
              {
                call: 'clickhouse: system.merges',
                expect: 'One merge running since many minutes.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 'k2', quote: '2026-04-28 11:10:00	beacon_ingest	46818	46' },
      { id: 'h2.1', callId: 'k3', quote: 'default	1.92 TiB	3.44 TiB', opposite: true },
      { id: 'h1.2', callId: 'k5', quote: '+flush_interval = "50ms"' },
      { id: 'h3.1', callId: 'k6', quote: 'web	beacons	3.11	0.62	100', opposite: true },
    ],
    leader: 'h1',
  },
  {
    name: 'node-upgrade-pdb',
    verdict: 'right',
    why: 'The budget of match-engine demands 2 of 2 replicas, so no eviction is ever allowed and the drain of the node cannot end.',
    kind: 'Kubernetes objects; the component is a policy object that is two years old',
    alertStartsAt: '2026-03-17T03:00:00Z',
    runStartedAt: '2026-03-17T05:12:00Z',
    calls: [
      {
        id: 'n1',
        tool: 'gcloud',
        args: { args: 'container operations list --location=europe-west3 --limit=3' },
        output: `NAME                              TYPE           LOCATION      TARGET   STATUS_MESSAGE  STATUS   START_TIME                      END_TIME
operation-1773709204417-5e0a91bc  UPGRADE_NODES  europe-west3  batch-b                  RUNNING  2026-03-17T01:00:04.417Z
operation-1773640021008-b71f20e4  SET_LABELS     europe-west3  eu-main                  DONE     2026-03-16T05:47:01.008Z        2026-03-16T05:47:19.551Z
operation-1773104402930-08c6d5aa  UPGRADE_NODES  europe-west3  web-a                    DONE     2026-03-10T01:00:02.930Z        2026-03-10T01:38:40.112Z`,
      },
      {
        id: 'n2',
        tool: 'kubectl',
        args: { args: 'get nodes -l cloud.google.com/gke-nodepool=batch-b' },
        output: `NAME                     STATUS                     ROLES    AGE    VERSION
gke-eu-batch-b-1f-04kq   Ready,SchedulingDisabled   <none>   61d    v1.31.6-gke.1020000
gke-eu-batch-b-1f-9wz1   Ready                      <none>   4h1m   v1.32.2-gke.1297000
gke-eu-batch-b-1f-c2vn   Ready                      <none>   61d    v1.31.6-gke.1020000`,
      },
      {
        id: 'n3',
        tool: 'kubectl',
        args: { args: 'get events -A --sort-by=.lastTimestamp | tail -6' },
        output: `exchange    4m11s   Warning   Unhealthy          pod/rate-import-29562540-hs6d   Readiness probe failed: HTTP probe failed with statuscode: 503
dev-anna    3m02s   Warning   BackOff            pod/sandbox-0                   Back-off pulling image "registry.local/dev/sandbox:anna-3"
exchange    2m40s   Normal    EvictionBlocked    pod/match-engine-1              Cannot evict pod as it would violate the pod's disruption budget.
exchange    1m35s   Normal    EvictionBlocked    pod/match-engine-1              Cannot evict pod as it would violate the pod's disruption budget.
kube-system 58s     Normal    ScalingReplicaSet  deployment/konnectivity-agent   Scaled up replica set konnectivity-agent-7c9f to 4
exchange    30s     Normal    EvictionBlocked    pod/match-engine-1              Cannot evict pod as it would violate the pod's disruption budget.`,
      },
      {
        id: 'n4',
        tool: 'gcloud',
        args: {
          args: 'compute regions describe europe-west3 --flatten=quotas --format="table(quotas.metric,quotas.usage,quotas.limit)"',
        },
        output: `METRIC              USAGE   LIMIT
CPUS                212     600
IN_USE_ADDRESSES    31      64
SSD_TOTAL_GB        9120    20480
N2_CPUS             148     300
PREEMPTIBLE_CPUS    0       0`,
      },
      {
        id: 'n5',
        tool: 'kubectl',
        args: { args: 'get pdb -n exchange' },
        output: `NAME           MIN AVAILABLE   MAX UNAVAILABLE   ALLOWED DISRUPTIONS   AGE
gateway        N/A             1                 1                     410d
match-engine   2               N/A               0                     731d
rate-import    N/A             100%              1                     96d`,
      },
      {
        id: 'n6',
        tool: 'kubectl',
        args: { args: 'get sts -n exchange' },
        output: `NAME           READY   AGE
audit-log      1/1     402d
match-engine   2/2     731d`,
      },
    ],
    report: {
      summary:
        'The upgrade of node pool batch-b hangs since 01:00 on its first node. It cannot be drained since the PodDisruptionBudget of match-engine requires as many pods as there are.',
      grade: 'confirmed',
      impact: {
        who: 'platform team; no user sees anything',
        since: '2026-03-17 01:00 UTC',
        severity: 'one node cordoned, the maintenance window is missed',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'PodDisruptionBudget match-engine (namespace exchange)',
        kind: 'misconfiguration',
        text: 'minAvailable is 2 and the StatefulSet match-engine has 2 replicas, hence the number of allowed disruptions is 0 also when all is healthy. Every eviction of match-engine-1 from gke-eu-batch-b-1f-04kq is rejected and the drain goes on trying.',
      },
      claims: [
        {
          text: 'The budget allows no disruption at all.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'n5',
              quote: 'match-engine   2               N/A               0                     731d',
            },
          ],
        },
        {
          text: 'Two replicas are wanted and two are ready, so this is not a passing lack of pods.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: 'n6', quote: 'match-engine   2/2     731d' }],
        },
        {
          text: 'Evictions of match-engine-1 are turned down again and again.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'n3',
              quote:
                "EvictionBlocked    pod/match-engine-1              Cannot evict pod as it would violate the pod's disruption budget.",
            },
          ],
        },
        {
          text: 'The old node has been cordoned for four hours; the new one stands ready beside it.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'n2',
              quote:
                'gke-eu-batch-b-1f-04kq   Ready,SchedulingDisabled   <none>   61d    v1.31.6-gke.1020000',
            },
            {
              callId: 'n2',
              quote:
                'gke-eu-batch-b-1f-9wz1   Ready                      <none>   4h1m   v1.32.2-gke.1297000',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'Quota for the surge node: N2 CPUs are at half of their limit.',
          quotes: [{ callId: 'n4', quote: 'N2_CPUS             148     300' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
    written: [
      {
        before: 'n2',
        add: [
          {
            statement: 'GKE cannot create the surge node because a quota of the region is used up.',
            component: 'GCP quota europe-west3',
            kind: 'quota exceeded',
            predictions: [
              {
                call: 'gcloud compute regions describe: quotas',
                expect: 'N2_CPUS or IN_USE_ADDRESSES at the limit.',
                refutes: true,
              },
              { call: 'kubectl get nodes of the pool', expect: 'No node with the new version.' },
            ],
          },
          {
            statement: 'The drain of the old node is blocked by a disruption budget.',
            component: 'a PodDisruptionBudget',
            kind: 'eviction blocked',
            predictions: [
              {
                call: 'kubectl get pdb',
                expect: 'A budget with 0 allowed disruptions for a pod on that node.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      {
        id: 'h1.2',
        callId: 'n2',
        quote: 'gke-eu-batch-b-1f-9wz1   Ready                      <none>   4h1m   v1.32.2-gke.1297000',
        opposite: true,
      },
      { id: 'h1.1', callId: 'n4', quote: 'N2_CPUS             148     300', opposite: true },
      {
        id: 'h2.1',
        callId: 'n5',
        quote: 'match-engine   2               N/A               0                     731d',
      },
    ],
    leader: 'h2',
  },
  {
    name: 'trunk-codec-488',
    verdict: 'right',
    why: 'A change of pjsip.conf left only opus and g722 on the trunk; the carrier takes alaw and ulaw and answers 488 to every INVITE since the reload at 07:42.',
    kind: 'SIP trace, Asterisk CLI, CSV; local time in one source',
    alertStartsAt: '2026-05-20T08:05:00Z',
    runStartedAt: '2026-05-20T08:14:00Z',
    calls: [
      {
        id: 'call_a',
        tool: 'bash',
        args: {
          command:
            "ssh pbx1 'tail -n 7 /var/log/asterisk/cdr-csv/Master.csv | cut -d, -f3,9,11,14,15 | tr -d \\\"'",
        },
        output: `+4315550190,PJSIP/trunk-austel-000018a1,2026-05-20 07:31:20,84,ANSWERED
+436605550111,PJSIP/trunk-austel-000018a4,2026-05-20 07:39:02,211,ANSWERED
2204,PJSIP/2204-000018a6,2026-05-20 07:44:47,35,ANSWERED
+4315550144,PJSIP/trunk-austel-000018a8,2026-05-20 07:46:13,0,FAILED
+493055501234,PJSIP/trunk-austel-000018ab,2026-05-20 07:52:30,0,FAILED
2117,PJSIP/2117-000018ac,2026-05-20 07:55:09,0,NO ANSWER
+4315550190,PJSIP/trunk-austel-000018af,2026-05-20 08:01:58,0,FAILED`,
      },
      {
        id: 'call_b',
        tool: 'bash',
        args: { command: 'ssh pbx1 \'asterisk -rx "pjsip show registrations"\'' },
        output: ` <Registration/ServerURI..............................>  <Auth....................>  <Status.......>
==========================================================================================

 trunk-austel/sip:sip.austel.example                      trunk-austel-auth           Registered        (exp. 211s)
 fax-legacy/sip:fax.oldtel.example                        fax-legacy-auth             Rejected          (exp. 0s)

Objects found: 2`,
      },
      {
        id: 'call_c',
        tool: 'bash',
        args: {
          command:
            'ssh pbx1 \'sngrep -rNI /var/spool/capture/austel-0801.pcap --text | grep -vE "^(Via|Max-Forwards|Contact|User-Agent)"\'',
        },
        output: `INVITE sip:+4315550190@sip.austel.example SIP/2.0
CSeq: 21044 INVITE
Content-Type: application/sdp
m=audio 14822 RTP/AVP 107 9 101
a=rtpmap:107 opus/48000/2
a=rtpmap:9 G722/8000
a=rtpmap:101 telephone-event/8000

SIP/2.0 100 Trying
CSeq: 21044 INVITE

SIP/2.0 488 Not Acceptable Here
CSeq: 21044 INVITE
Warning: 305 sbc2.austel.example "Incompatible media format: offer PCMA or PCMU"`,
      },
      {
        id: 'call_d',
        tool: 'bash',
        args: {
          command:
            'ssh pbx1 \'cd /etc/asterisk && git log -2 --date=iso --format="%h %ad %an %s" -p -- pjsip.conf\'',
        },
        output: `d41c7e0 2026-05-20 09:40:12 +0200 mkern HD audio for softphones
@@ -61,7 +61,7 @@ [trunk-austel](endpoint-template)
 context=from-austel
 disallow=all
-allow=alaw,ulaw
+allow=opus,g722
 direct_media=no
9e02b1f 2026-03-02 14:11:40 +0100 mkern new extension 2231`,
      },
      {
        id: 'call_e',
        tool: 'grep',
        args: {
          pattern: '2026-05-20 07:[34]|2026-05-20 08:0',
          path: 'pbx1:/var/log/asterisk/messages.log',
          limit: 6,
        },
        output: `[2026-05-20 07:38:55] WARNING[1820] res_pjsip_outbound_registration.c: Fatal response '403' received from 'sip:fax.oldtel.example' on registration attempt
[2026-05-20 07:42:06] NOTICE[1791] loader.c: Reloading module 'res_pjsip.so' (Basic SIP resource)
[2026-05-20 07:46:14] WARNING[2977][C-00000f1c] app_dial.c: Unable to connect to PJSIP/trunk-austel: 488 Not Acceptable Here
[2026-05-20 08:01:20] WARNING[1820] res_musiconhold.c: No files found for class 'queue-old'
[2026-05-20 08:01:59] WARNING[2991][C-00000f23] app_dial.c: Unable to connect to PJSIP/trunk-austel: 488 Not Acceptable Here`,
      },
    ],
    report: {
      summary:
        'Nobody can call outside since about 07:42 UTC. The trunk to Austel was switched to opus and g722 together with the softphones, and Austel only speaks G.711.',
      grade: 'confirmed',
      impact: {
        who: 'all extensions, outgoing calls',
        since: '2026-05-20T07:42:06Z',
        severity: 'no outgoing call succeeds; internal calls are fine',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'Asterisk on pbx1, endpoint trunk-austel in pjsip.conf',
        kind: 'config change',
        text: 'Commit d41c7e0 (09:40 local time, 07:40 UTC) replaced alaw,ulaw by opus,g722 on the trunk and was loaded at 07:42:06. Since then the INVITEs offer no codec that the carrier accepts and are answered with 488.',
      },
      claims: [
        {
          text: 'The codecs of the trunk were changed at 07:40 UTC.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'call_d', quote: 'd41c7e0 2026-05-20 09:40:12 +0200 mkern HD audio for softphones' },
            { callId: 'call_d', quote: '+allow=opus,g722' },
          ],
        },
        {
          text: 'The change took effect with the reload at 07:42:06.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'call_e',
              quote:
                "[2026-05-20 07:42:06] NOTICE[1791] loader.c: Reloading module 'res_pjsip.so' (Basic SIP resource)",
            },
          ],
        },
        {
          text: 'The session border controller of Austel says why it refuses.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'call_c',
              quote: 'Warning: 305 sbc2.austel.example "Incompatible media format: offer PCMA or PCMU"',
            },
          ],
        },
        {
          text: 'The last outgoing call that worked was at 07:39, and the first that failed at 07:46.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'call_a',
              quote: '+436605550111,PJSIP/trunk-austel-000018a4,2026-05-20 07:39:02,211,ANSWERED',
            },
            {
              callId: 'call_a',
              quote: '+4315550144,PJSIP/trunk-austel-000018a8,2026-05-20 07:46:13,0,FAILED',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'The trunk lost its registration (the rejected one is the old fax line, which has nothing to do with it).',
          quotes: [
            {
              callId: 'call_b',
              quote:
                'trunk-austel/sip:sip.austel.example                      trunk-austel-auth           Registered',
            },
          ],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
    written: [
      {
        before: 'call_b',
        add: [
          {
            statement: 'The SIP trunk is not registered at the carrier any more.',
            component: 'trunk-austel',
            kind: 'registration lost',
            predictions: [
              {
                call: 'pjsip show registrations on pbx1',
                expect: 'trunk-austel Rejected or Unregistered.',
                refutes: true,
              },
            ],
          },
          {
            statement:
              'The carrier declines our calls because of something in the INVITE: caller id, codec or number format.',
            component: 'Asterisk configuration of the trunk',
            kind: 'incompatible signalling',
            predictions: [
              {
                call: 'SIP trace of a failed call',
                expect: 'A 4xx final answer from Austel that names the reason.',
                refutes: true,
              },
              {
                call: 'git log of /etc/asterisk',
                expect: 'A change to the trunk between 07:39 and 07:46 UTC.',
              },
            ],
          },
        ],
      },
    ],
    tests: [
      {
        id: 'h1.1',
        callId: 'call_b',
        quote:
          'trunk-austel/sip:sip.austel.example                      trunk-austel-auth           Registered',
        opposite: true,
      },
      { id: 'h2.1', callId: 'call_c', quote: 'SIP/2.0 488 Not Acceptable Here' },
      {
        id: 'h2.2',
        callId: 'call_d',
        quote: 'd41c7e0 2026-05-20 09:40:12 +0200 mkern HD audio for softphones',
      },
    ],
    leader: 'h2',
  },
  {
    name: 'staff-sync-thousand',
    verdict: 'right',
    why: 'staff-sync searches Active Directory without paging and takes the first 1000 of 1037 people for all of them; the rest is disabled in the wiki.',
    kind: 'LDIF, code excerpt; the job reports success; the cause is code that has not changed',
    alertStartsAt: '2026-09-01T05:31:00Z',
    runStartedAt: '2026-09-01T07:20:00Z',
    calls: [
      {
        id: 's1',
        tool: 'bash',
        args: { command: 'journalctl -u staff-sync --since "2026-08-31" --no-pager -o cat' },
        output: `2026-08-31T05:30:01Z INFO  start run=2231 base=OU=People,DC=hav,DC=example
2026-08-31T05:30:09Z INFO  directory: 998 entries
2026-08-31T05:30:14Z INFO  wiki: created=2 updated=11 disabled=0
2026-09-01T05:30:01Z INFO  start run=2232 base=OU=People,DC=hav,DC=example
2026-09-01T05:30:08Z WARN  urllib3: retrying POST /scim/v2/Users/8812 after 429
2026-09-01T05:30:10Z WARN  ldap: result code 4 (sizeLimitExceeded), using partial result
2026-09-01T05:30:10Z INFO  directory: 1000 entries
2026-09-01T05:30:31Z INFO  wiki: created=39 updated=4 disabled=37
2026-09-01T05:30:31Z INFO  done run=2232 status=ok`,
      },
      {
        id: 's2',
        tool: 'wiki_admin',
        args: { path: '/audit?action=user.disabled&since=2026-09-01', limit: 4 },
        output: `{"at":"2026-09-01T05:30:15Z","actor":"svc-staff-sync","action":"user.disabled","target":"w.zangerl"}
{"at":"2026-09-01T05:30:15Z","actor":"svc-staff-sync","action":"user.disabled","target":"a.zehetner"}
{"at":"2026-09-01T05:30:16Z","actor":"svc-staff-sync","action":"user.disabled","target":"m.zeilinger"}
{"at":"2026-09-01T05:30:16Z","actor":"svc-staff-sync","action":"user.disabled","target":"p.ziegler"}`,
      },
      {
        id: 's3',
        tool: 'bash',
        args: {
          command:
            'ldapsearch -LLL -H ldaps://dc1.hav.example -b OU=People,DC=hav,DC=example "(sAMAccountName=w.zangerl)" userAccountControl whenChanged employeeID',
        },
        output: `dn: CN=Zangerl Walter,OU=Plant 2,OU=People,DC=hav,DC=example
employeeID: 100442
userAccountControl: 512
whenChanged: 20260218090114.0Z`,
      },
      {
        id: 's4',
        tool: 'bash',
        args: {
          command:
            'for o in "" "-E pr=500/noprompt"; do ldapsearch -H ldaps://dc1.hav.example $o -b OU=People,DC=hav,DC=example "(objectClass=user)" dn | grep -E "^# num(Entries)|^result"; done',
        },
        output: `result: 4 Size limit exceeded
# numEntries: 1000
result: 0 Success
result: 0 Success
result: 0 Success
# numEntries: 1037`,
      },
      {
        id: 's5',
        tool: 'grep',
        args: {
          pattern: 'search|SIZELIMIT|PagedResults',
          path: '/opt/staff-sync/staff_sync/directory.py',
          context: 1,
        },
        output: `41-    try:
42:        msgid = conn.search_ext(base, ldap.SCOPE_SUBTREE, "(objectClass=user)", ATTRS)
43-        for rtype, data in drain(conn, msgid):
--
46-            entries.extend(data)
47:    except ldap.SIZELIMIT_EXCEEDED:
48-        log.warning("ldap: result code 4 (sizeLimitExceeded), using partial result")`,
      },
      {
        id: 's6',
        tool: 'bash',
        args: { command: 'repadmin-summary dc1 dc2 dc3' },
        output: `Source DSA   largest delta   fails/total  %%   error
DC1              04m:11s        0 /  10    0
DC2              06m:52s        0 /  10    0
DC3          02d.03h:15m:40s    3 /  10   30  (1722) The RPC server is unavailable.
note: staff-sync binds to dc1 only`,
      },
    ],
    report: {
      summary:
        'Thirty-seven active employees were locked out of the wiki by the nightly staff sync. The job does not page its LDAP search; as of today the directory has more than 1000 people and what lies beyond the size limit counts as gone.',
      grade: 'confirmed',
      impact: {
        who: '37 employees, names at the end of the alphabet for the most part',
        since: '2026-09-01 05:30 UTC',
        severity: 'no login to the wiki',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'staff-sync (directory.py)',
        kind: 'bug',
        text: 'The search has no paged results control, so Active Directory cuts it at 1000 entries. The code catches SIZELIMIT_EXCEEDED, goes on with the partial result and disables everybody who is not in it. It never mattered while there were fewer than 1000 users; the new starters of 1 September brought the number to 1037.',
      },
      claims: [
        {
          text: 'Tonight the search ended with code 4 and the job carried on with 1000 entries.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 's1',
              quote:
                '2026-09-01T05:30:10Z WARN  ldap: result code 4 (sizeLimitExceeded), using partial result',
            },
            { callId: 's1', quote: '2026-09-01T05:30:10Z INFO  directory: 1000 entries' },
          ],
        },
        {
          text: 'It is written that way: an ordinary search without paging, and a handler that only logs.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 's5',
              quote:
                '42:        msgid = conn.search_ext(base, ldap.SCOPE_SUBTREE, "(objectClass=user)", ATTRS)',
            },
            { callId: 's5', quote: '47:    except ldap.SIZELIMIT_EXCEEDED:' },
          ],
        },
        {
          text: 'With paging the same search finds 1037, which is exactly 37 more.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: 's4', quote: '# numEntries: 1037' }],
        },
        {
          text: 'The job disabled 37 accounts.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            { callId: 's1', quote: '2026-09-01T05:30:31Z INFO  wiki: created=39 updated=4 disabled=37' },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'The people were disabled in Active Directory: the account looked at is enabled there and was last touched in February.',
          quotes: [
            { callId: 's3', quote: 'userAccountControl: 512' },
            { callId: 's3', quote: 'whenChanged: 20260218090114.0Z' },
          ],
        },
        {
          text: 'A stale domain controller. DC3 is two days behind, but the job binds to dc1.',
          quotes: [{ callId: 's6', quote: 'note: staff-sync binds to dc1 only' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
    written: [
      {
        before: 's3',
        add: [
          {
            statement: 'HR or an admin disabled or moved these people in Active Directory.',
            component: 'Active Directory',
            kind: 'change of data',
            predictions: [
              {
                call: 'ldapsearch of one of the victims',
                expect: 'userAccountControl with the disabled bit (514), or another OU, changed today.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'staff-sync gets a truncated list because it does not page.',
            component: 'staff-sync',
            kind: 'missing paging',
            predictions: [
              {
                call: 'ldapsearch with and without paging, counted',
                expect: '1000 without, about 1037 with.',
                refutes: true,
              },
              { call: 'grep search in directory.py', expect: 'No paged results control.', refutes: true },
            ],
          },
          {
            statement: 'The sync read from a domain controller that lags behind.',
            component: 'AD replication',
            kind: 'stale replica',
            predictions: [{ call: 'repadmin', expect: 'dc1 has a large delta.', refutes: true }],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 's3', quote: 'userAccountControl: 512', opposite: true },
      { id: 'h2.1', callId: 's4', quote: '# numEntries: 1037' },
      {
        id: 'h2.2',
        callId: 's5',
        quote: '42:        msgid = conn.search_ext(base, ldap.SCOPE_SUBTREE, "(objectClass=user)", ATTRS)',
      },
      { id: 'h3.1', callId: 's6', quote: 'DC1              04m:11s        0 /  10    0', opposite: true },
    ],
    leader: 'h2',
  },
  {
    name: 'accounts-collation-glibc',
    verdict: 'right',
    why: 'The upgrade of pg-acc-01 from Ubuntu 18.04 to 22.04 changed the sort order of glibc; the index on login is in the old order and lookups miss rows that exist.',
    kind: 'psql warnings and amcheck; the change is ten hours before the alert, the symptom only hits some names',
    alertStartsAt: '2026-07-06T06:40:00Z',
    runStartedAt: '2026-07-06T07:02:00Z',
    calls: [
      {
        id: 'p1',
        tool: 'log_search',
        args: {
          service: 'login',
          query: 'level:warn OR level:error',
          since: '2026-07-06T06:00:00Z',
          limit: 6,
        },
        output: `06:02:51 warn  login  unknown user login="anna-lena.b" ip=10.88.1.4
06:11:09 warn  login  rate limit for ip=45.83.12.9 (credential stuffing list)
06:17:32 warn  login  unknown user login="o'hara.d" ip=10.88.3.19
06:18:00 error login  smtp: 421 4.7.0 try again later (password reset mail)
06:24:45 warn  login  unknown user login="o'hara.d" ip=10.88.3.19
06:31:14 warn  login  unknown user login="jean-luc.m" ip=10.90.0.7`,
      },
      {
        id: 'p2',
        tool: 'psql',
        args: {
          db: 'accounts',
          sql: "select id, login, created_at from users where login = 'anna-lena.b'; set enable_indexscan = off; set enable_bitmapscan = off; select id, login, created_at from users where login = 'anna-lena.b'",
        },
        output: `WARNING:  database "accounts" has a collation version mismatch
DETAIL:  The database was created using collation version 2.27, but the operating system provides version 2.35.
 id | login | created_at
----+-------+------------
(0 rows)

SET
SET
  id   |    login    |          created_at
-------+-------------+-------------------------------
 40117 | anna-lena.b | 2023-10-02 08:14:55.310291+00
(1 row)`,
      },
      {
        id: 'p3',
        tool: 'psql',
        args: {
          db: 'accounts',
          sql: "select bt_index_check('users_pkey'::regclass, true); select bt_index_check('users_login_key'::regclass, true)",
        },
        output: ` bt_index_check
----------------

(1 row)

ERROR:  item order invariant violated for index "users_login_key"
DETAIL:  Lower index tid=(118,44) (points to heap tid=(902,3)) higher index tid=(118,45) (points to heap tid=(77,19)) page lsn=5C/9A0013F8.`,
      },
      {
        id: 'p4',
        tool: 'psql',
        args: {
          db: 'accounts',
          sql: 'select client_addr, state, replay_lag from pg_stat_replication; select n_tup_del, n_live_tup, last_autovacuum from pg_stat_user_tables where relname = $$users$$',
        },
        output: ` client_addr |   state   |   replay_lag
-------------+-----------+-----------------
 10.60.0.22  | streaming | 00:00:00.001942
(1 row)

 n_tup_del | n_live_tup |        last_autovacuum
-----------+------------+-------------------------------
         0 |     218840 | 2026-07-05 22:10:31.55171+00
(1 row)`,
      },
      {
        id: 'p5',
        tool: 'bash',
        args: {
          command:
            'ssh pg-acc-01 \'grep -E " upgrade (libc6|openssl|postgresql-15|tzdata):" /var/log/dpkg.log; uptime -s; lsb_release -ds\'',
        },
        output: `2026-07-05 20:31:48 upgrade libc6:amd64 2.27-3ubuntu1.6 2.35-0ubuntu3.8
2026-07-05 20:35:10 upgrade openssl:amd64 1.1.1-1ubuntu2.1~18.04.23 3.0.2-0ubuntu1.18
2026-07-05 20:36:02 upgrade tzdata:all 2024a-0ubuntu0.18.04 2025b-0ubuntu0.22.04
2026-07-05 20:41:55 upgrade postgresql-15:amd64 15.6-1.pgdg18.04+1 15.13-1.pgdg22.04+1
2026-07-05 20:58:17
Ubuntu 22.04.5 LTS`,
      },
    ],
    report: {
      summary:
        'Users with a hyphen or an apostrophe in their name cannot log in. The upgrade of the database host last night brought a glibc with a different sort order, which makes the index on users.login invalid.',
      grade: 'confirmed',
      impact: {
        who: 'part of the users; those seen have a hyphen or apostrophe in the login',
        since: '2026-07-05 20:58 UTC (restart), noticed 2026-07-06 06:02 UTC',
        severity: '"unknown user" at login',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'pg-acc-01: index users_login_key',
        kind: 'index corruption after OS upgrade',
        text: 'libc6 went from 2.27 to 2.35 with the upgrade to Ubuntu 22.04. Between those, punctuation is collated differently. users_login_key was built in the old order and was not reindexed, so Postgres descends into the wrong branch and does not find rows that are there.',
      },
      claims: [
        {
          text: 'The row exists but the index does not lead to it: no row by index, one by sequential scan.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'p2', quote: '(0 rows)' },
            { callId: 'p2', quote: ' 40117 | anna-lena.b | 2023-10-02 08:14:55.310291+00' },
          ],
        },
        {
          text: 'amcheck finds the index out of order.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'p3', quote: 'ERROR:  item order invariant violated for index "users_login_key"' },
          ],
        },
        {
          text: 'glibc was replaced on the evening before, and Postgres notices the mismatch.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'p5',
              quote: '2026-07-05 20:31:48 upgrade libc6:amd64 2.27-3ubuntu1.6 2.35-0ubuntu3.8',
            },
            {
              callId: 'p2',
              quote:
                'DETAIL:  The database was created using collation version 2.27, but the operating system provides version 2.35.',
            },
          ],
        },
        {
          text: 'Logins are rejected as unknown.',
          role: 'effect',
          quotes: [
            { callId: 'p1', quote: '06:02:51 warn  login  unknown user login="anna-lena.b" ip=10.88.1.4' },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'Deleted users: the statistics of the table know of no delete.',
          quotes: [{ callId: 'p4', quote: '         0 |     218840 | 2026-07-05 22:10:31.55171+00' }],
        },
        {
          text: 'Reads from a replica which lags.',
          quotes: [{ callId: 'p4', quote: ' 10.60.0.22  | streaming | 00:00:00.001942' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
    written: [
      {
        before: 'p2',
        add: [
          {
            statement: 'The users were really deleted, by a cleanup job perhaps.',
            component: 'table users',
            kind: 'data loss',
            predictions: [
              {
                call: 'psql: select of one such login with index scans off',
                expect: 'No row either way.',
                refutes: true,
              },
              { call: 'psql: pg_stat_user_tables of users', expect: 'n_tup_del above 0.' },
            ],
          },
          {
            statement: 'The login service reads a replica that is behind.',
            component: 'replica 10.60.0.22',
            kind: 'replication lag',
            predictions: [
              {
                call: 'psql: pg_stat_replication',
                expect: 'Lag of hours, or a state other than streaming.',
                refutes: true,
              },
            ],
          },
        ],
      },
      {
        before: 'p3',
        add: [
          {
            statement: 'users_login_key is corrupt since the sort order of the system library changed.',
            component: 'users_login_key on pg-acc-01',
            kind: 'collation change',
            predictions: [
              {
                call: 'psql: bt_index_check of users_login_key',
                expect: 'It reports a wrong order.',
                refutes: true,
              },
              {
                call: 'dpkg.log of pg-acc-01',
                expect: 'libc6 upgraded from 2.27 to 2.35 not long before the complaints.',
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
        callId: 'p2',
        quote: ' 40117 | anna-lena.b | 2023-10-02 08:14:55.310291+00',
        opposite: true,
      },
      {
        id: 'h3.1',
        callId: 'p3',
        quote: 'ERROR:  item order invariant violated for index "users_login_key"',
      },
      { id: 'h2.1', callId: 'p4', quote: ' 10.60.0.22  | streaming | 00:00:00.001942', opposite: true },
      {
        id: 'h1.2',
        callId: 'p4',
        quote: '         0 |     218840 | 2026-07-05 22:10:31.55171+00',
        opposite: true,
      },
      {
        id: 'h3.2',
        callId: 'p5',
        quote: '2026-07-05 20:31:48 upgrade libc6:amd64 2.27-3ubuntu1.6 2.35-0ubuntu3.8',
      },
    ],
    leader: 'h3',
  },
];

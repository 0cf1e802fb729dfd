// Ten more incidents whose report is wrong, each with the hypotheses its agent wrote down. Plain data, see README.md.
import type { Case } from './hypotheses.ts';

export const measuredWrong: Case[] = [
  {
    name: 'airflow-daily-late',
    verdict: 'wrong',
    why: 'The six slots of the Airflow pool warehouse are held by a backfill of clickstream, so dwh_daily waits. The report takes this pool for a pool of database connections and blames a PgBouncer that no output has.',
    kind: 'a component that no output has',
    alertStartsAt: '2026-03-11T05:30:00Z',
    runStartedAt: '2026-03-11T05:34:00Z',
    calls: [
      {
        id: 'a1',
        tool: 'bash',
        args: { command: 'airflow dags list-runs -d dwh_daily --limit 4' },
        output: `dag_id    | run_id                               | state   | execution_date            | start_date                       | end_date
==========+======================================+=========+===========================+==================================+=================================
dwh_daily | scheduled__2026-03-10T01:00:00+00:00 | running | 2026-03-10T01:00:00+00:00 | 2026-03-11T01:00:01.377210+00:00 |
dwh_daily | scheduled__2026-03-09T01:00:00+00:00 | success | 2026-03-09T01:00:00+00:00 | 2026-03-10T01:00:00.921882+00:00 | 2026-03-10T03:12:40.018231+00:00
dwh_daily | scheduled__2026-03-08T01:00:00+00:00 | success | 2026-03-08T01:00:00+00:00 | 2026-03-09T01:00:01.104490+00:00 | 2026-03-09T03:09:58.771014+00:00
dwh_daily | scheduled__2026-03-07T01:00:00+00:00 | success | 2026-03-07T01:00:00+00:00 | 2026-03-08T01:00:00.668013+00:00 | 2026-03-08T03:11:22.240337+00:00`,
      },
      {
        id: 'a2',
        tool: 'bash',
        args: { command: 'celery -A airflow.executors.celery_executor.app inspect ping' },
        output: `->  celery@airflow-worker-0: OK
        pong
->  celery@airflow-worker-1: OK
        pong
->  celery@airflow-worker-2: OK
        pong

3 nodes online.`,
      },
      {
        id: 'a3',
        tool: 'grep',
        args: {
          pattern: 'slots|up for execution|adopt|heartbeat',
          path: '/opt/airflow/logs/scheduler/latest/scheduler.log',
          limit: 8,
        },
        output: `[2026-03-11T05:28:10.402+0000] {scheduler_job_runner.py:413} INFO - 38 tasks up for execution:
[2026-03-11T05:28:10.409+0000] {scheduler_job_runner.py:450} INFO - Not scheduling since there are 0 open slots in pool warehouse
[2026-03-11T05:28:41.017+0000] {scheduler_job_runner.py:1595} INFO - Adopting or resetting orphaned tasks for active dag runs
[2026-03-11T05:29:12.551+0000] {scheduler_job_runner.py:413} INFO - 38 tasks up for execution:
[2026-03-11T05:29:12.556+0000] {scheduler_job_runner.py:450} INFO - Not scheduling since there are 0 open slots in pool warehouse
[2026-03-11T05:30:02.884+0000] {job.py:218} INFO - Heartbeat recovered after 11.20 seconds
[2026-03-11T05:30:13.120+0000] {scheduler_job_runner.py:413} INFO - 38 tasks up for execution:
[2026-03-11T05:30:13.126+0000] {scheduler_job_runner.py:450} INFO - Not scheduling since there are 0 open slots in pool warehouse`,
      },
      {
        id: 'a4',
        tool: 'psql',
        args: {
          db: 'airflow',
          sql: "select coalesce(state, 'none') as state, count(*), max(now() - state_change) as longest from pg_stat_activity where datname = 'airflow' group by 1 order by 2 desc",
        },
        output: `        state        | count |     longest
---------------------+-------+-----------------
 idle                |    61 | 00:41:09.331802
 active              |     3 | 00:00:00.008114
 idle in transaction |     2 | 00:00:01.402277
(3 rows)`,
      },
      {
        id: 'a5',
        tool: 'psql',
        args: {
          db: 'airflow',
          sql: "select ti.dag_id, dr.run_type, ti.state, count(*), min(ti.start_date) as first from task_instance ti join dag_run dr using (dag_id, run_id) where ti.pool = 'warehouse' and ti.state in ('running', 'queued', 'scheduled') group by 1, 2, 3 order by 1",
        },
        output: `        dag_id        | run_type  |   state   | count |             first
----------------------+-----------+-----------+-------+-------------------------------
 clickstream_rebuild  | backfill  | running   |     6 | 2026-03-11 00:48:17.55019+00
 clickstream_rebuild  | backfill  | scheduled |   211 |
 dwh_daily            | scheduled | scheduled |    38 |
(3 rows)`,
      },
    ],
    report: {
      summary:
        'The daily load of the warehouse is late because PgBouncer in front of the Airflow metadata database has no free server connection, so the scheduler cannot queue tasks.',
      grade: 'confirmed',
      impact: {
        who: 'all readers of the daily warehouse tables',
        since: '2026-03-11 03:15 UTC',
        severity: 'dwh_daily more than two hours late, 38 tasks waiting',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'PgBouncer of the Airflow metadata database',
        kind: 'connection pool exhausted',
        text: 'PgBouncer has given all its server connections to idle Airflow sessions. The scheduler finds 0 open slots in the pool in every loop and does not queue the 38 tasks of dwh_daily.',
      },
      claims: [
        {
          text: 'The scheduler finds no open slot in the PgBouncer pool in any of its loops.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'a3', quote: 'INFO - Not scheduling since there are 0 open slots in pool warehouse' },
          ],
        },
        {
          text: 'PgBouncer keeps 61 server connections open which do nothing, the oldest for 41 minutes.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: 'a4', quote: ' idle                |    61 | 00:41:09.331802' }],
        },
        {
          text: 'All 38 tasks of dwh_daily are scheduled and none runs.',
          role: 'effect',
          confidence: 'high',
          quotes: [{ callId: 'a5', quote: ' dwh_daily            | scheduled | scheduled |    38 |' }],
        },
      ],
      ruledOut: [
        {
          text: 'Dead Celery workers: all three answer.',
          quotes: [{ callId: 'a2', quote: '3 nodes online.' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
    written: [
      {
        before: 'a2',
        add: [
          {
            statement:
              'The connection pool of PgBouncer is exhausted, so the scheduler cannot move tasks to queued.',
            component: 'PgBouncer of the Airflow metadata database',
            kind: 'connection pool exhausted',
            predictions: [
              {
                call: 'grep: scheduler.log for slots of the pool',
                expect: 'The scheduler says in each loop that the pool has nothing open.',
                refutes: true,
              },
              {
                call: 'psql: pg_stat_activity of database airflow by state',
                expect: 'Most connections are idle and held for many minutes.',
              },
            ],
          },
          {
            statement: 'Celery workers are gone, so queued tasks are never picked up.',
            component: 'Airflow Celery workers',
            kind: 'process down',
            predictions: [
              { call: 'celery inspect ping', expect: 'Fewer than three nodes answer.', refutes: true },
            ],
          },
        ],
      },
    ],
    tests: [
      { id: 'h2.1', callId: 'a2', quote: '3 nodes online.', opposite: true },
      {
        id: 'h1.1',
        callId: 'a3',
        quote:
          '[2026-03-11T05:29:12.556+0000] {scheduler_job_runner.py:450} INFO - Not scheduling since there are 0 open slots in pool warehouse',
      },
      { id: 'h1.2', callId: 'a4', quote: ' idle                |    61 | 00:41:09.331802' },
    ],
    leader: 'h1',
  },
  {
    name: 'clickhouse-parts-volume',
    verdict: 'wrong',
    why: 'Since 08:40 the user ingest_edge inserts one row at a time, 4000 times a minute, so parts arise faster than they can be merged. The report says that the volume is slow: its 66 % is the space in use of df, and its 840 ms stand nowhere.',
    kind: 'an invented or unrelated figure taken as proof',
    alertStartsAt: '2026-05-18T09:02:00Z',
    runStartedAt: '2026-05-18T09:06:30Z',
    calls: [
      {
        id: 'call_1',
        tool: 'grep',
        args: {
          pattern: 'TOO_MANY_PARTS',
          path: '/var/log/clickhouse-server/clickhouse-server.err.log',
          limit: 4,
        },
        output: `2026.05.18 09:01:12.440187 [ 2214 ] {0d6a1f3e-5a52-4b0e-9d3e-0c6f1b9c7f10} <Error> executeQuery: Code: 252. DB::Exception: Too many parts (3001 with average size of 1.12 KiB) in table 'metrics.events_local'. Merges are processing significantly slower than inserts. (TOO_MANY_PARTS)
2026.05.18 09:01:12.902551 [ 2219 ] {7be0c1c4-94aa-4a0d-8a52-3a2f3f6a9c58} <Error> executeQuery: Code: 252. DB::Exception: Too many parts (3000 with average size of 1.12 KiB) in table 'metrics.events_local'. Merges are processing significantly slower than inserts. (TOO_MANY_PARTS)
2026.05.18 09:01:14.117090 [ 2214 ] {f1d9e2a7-01bd-4d0c-b7a5-6f1e8d40aa11} <Error> executeQuery: Code: 252. DB::Exception: Too many parts (3002 with average size of 1.12 KiB) in table 'metrics.events_local'. Merges are processing significantly slower than inserts. (TOO_MANY_PARTS)
2026.05.18 09:01:15.630448 [ 2231 ] {2c80b5d6-7c41-4a77-8a0f-90be54b1de02} <Error> executeQuery: Code: 252. DB::Exception: Too many parts (3001 with average size of 1.12 KiB) in table 'metrics.events_local'. Merges are processing significantly slower than inserts. (TOO_MANY_PARTS)`,
      },
      {
        id: 'call_2',
        tool: 'bash',
        args: { command: 'df -h -x tmpfs -x overlay' },
        output: `Filesystem      Size  Used Avail Use% Mounted on
/dev/nvme0n1p1   40G   17G   24G  42% /
/dev/nvme1n1    2.0T  1.3T  711G  66% /var/lib/clickhouse
/dev/nvme2n1    200G   31G  170G  16% /var/log`,
      },
      {
        id: 'call_3',
        tool: 'clickhouse',
        args: {
          sql: 'select table, elapsed, progress, num_parts, formatReadableSize(total_size_bytes_compressed) as size from system.merges order by elapsed desc',
        },
        output: `   ┌─table────────┬────elapsed─┬───progress─┬─num_parts─┬─size───────┐
1. │ sessions_agg │ 840.117204 │ 0.71230011 │         9 │ 118.02 GiB │
2. │ events_local │   0.418820 │ 0.90114021 │       100 │ 113.40 KiB │
3. │ events_local │   0.377105 │ 0.88410030 │       100 │ 112.91 KiB │
4. │ events_local │   0.110436 │ 0.21450017 │       100 │ 111.77 KiB │
   └──────────────┴────────────┴────────────┴───────────┴────────────┘`,
      },
      {
        id: 'call_4',
        tool: 'clickhouse',
        args: {
          sql: "select toStartOfTenMinutes(event_time) as t, user, count() as inserts, round(avg(written_rows), 1) as rows from system.query_log where type = 'QueryFinish' and query_kind = 'Insert' and event_date = today() and event_time >= '2026-05-18 08:20:00' group by t, user order by t, user",
        },
        output: `    ┌───────────────────t─┬─user────────┬─inserts─┬─────rows─┐
 1. │ 2026-05-18 08:20:00 │ ingest_core │     118 │  48210.3 │
 2. │ 2026-05-18 08:20:00 │ ingest_edge │      61 │  40110.8 │
 3. │ 2026-05-18 08:30:00 │ ingest_core │     121 │  47904.1 │
 4. │ 2026-05-18 08:30:00 │ ingest_edge │      60 │  40877.2 │
 5. │ 2026-05-18 08:40:00 │ ingest_core │     119 │  48333.9 │
 6. │ 2026-05-18 08:40:00 │ ingest_edge │   40912 │      1.0 │
 7. │ 2026-05-18 08:50:00 │ ingest_core │     120 │  48127.5 │
 8. │ 2026-05-18 08:50:00 │ ingest_edge │   41205 │      1.0 │
    └─────────────────────┴─────────────┴─────────┴──────────┘`,
      },
      {
        id: 'call_5',
        tool: 'clickhouse',
        args: {
          sql: "select metric, value from system.metrics where metric in ('BackgroundMergesAndMutationsPoolTask', 'BackgroundMergesAndMutationsPoolSize', 'ReadonlyReplica', 'ZooKeeperSession', 'Query')",
        },
        output: `   ┌─metric───────────────────────────────┬─value─┐
1. │ Query                                │    27 │
2. │ BackgroundMergesAndMutationsPoolTask │     4 │
3. │ BackgroundMergesAndMutationsPoolSize │    32 │
4. │ ZooKeeperSession                     │     1 │
5. │ ReadonlyReplica                      │     0 │
   └──────────────────────────────────────┴───────┘`,
      },
    ],
    report: {
      summary:
        'Inserts into metrics.events_local are refused because the data volume nvme1n1 is saturated and merges cannot keep up.',
      grade: 'confirmed',
      impact: {
        who: 'all producers of events',
        since: '2026-05-18 09:01 UTC',
        severity: 'inserts fail with TOO_MANY_PARTS',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'volume /dev/nvme1n1 of ClickHouse',
        kind: 'saturated disk',
        text: 'The volume under /var/lib/clickhouse is saturated: it is busy to 66 % and a write waits 840 ms. Merges are therefore slower than inserts, and the parts of events_local grow beyond 3000.',
      },
      claims: [
        {
          text: 'nvme1n1 has a utilisation of 66 %, far more than the other volumes.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: 'call_2', quote: '/dev/nvme1n1    2.0T  1.3T  711G  66% /var/lib/clickhouse' }],
        },
        {
          text: 'A write of a merge waits 840 ms on the volume.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: 'call_3', quote: 'sessions_agg │ 840.117204 │ 0.71230011 │         9 │' }],
        },
        {
          text: 'Merges are slower than inserts, which ClickHouse says itself.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'call_1',
              quote: 'Merges are processing significantly slower than inserts. (TOO_MANY_PARTS)',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'A replica that has become read-only: there is none.',
          quotes: [{ callId: 'call_5', quote: 'ReadonlyReplica                      │     0 │' }],
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
            statement: 'The data volume is saturated, so merges take too long and parts pile up.',
            component: 'volume /dev/nvme1n1 of ClickHouse',
            kind: 'saturated disk',
            predictions: [
              {
                call: 'bash: figures of the volumes',
                expect: 'The volume of /var/lib/clickhouse stands out with a high percentage.',
                refutes: true,
              },
              {
                call: 'clickhouse: system.merges',
                expect: 'Some merge has been slow for long.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'The replica lost its session with Keeper and went read-only.',
            component: 'ClickHouse Keeper',
            kind: 'lost session',
            predictions: [
              {
                call: 'clickhouse: system.metrics ReadonlyReplica',
                expect: 'A value above 0.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 'call_2', quote: '/dev/nvme1n1    2.0T  1.3T  711G  66% /var/lib/clickhouse' },
      {
        id: 'h1.2',
        callId: 'call_3',
        quote: '1. │ sessions_agg │ 840.117204 │ 0.71230011 │         9 │ 118.02 GiB │',
      },
      {
        id: 'h2.1',
        callId: 'call_5',
        quote: '5. │ ReadonlyReplica                      │     0 │',
        opposite: true,
      },
    ],
    leader: 'h1',
  },
  {
    name: 'ledger-burst-balance',
    verdict: 'wrong',
    why: 'A vacuum against wraparound has read the table since 12:58 and used up the burst credits of the gp2 volume by 13:40. Reads became slow, so the services opened more and more connections from 13:45. The report takes the connections for the cause.',
    kind: 'a consequence taken for the cause',
    alertStartsAt: '2026-02-05T13:52:00Z',
    runStartedAt: '2026-02-05T13:57:00Z',
    calls: [
      {
        id: 'r1',
        tool: 'bash',
        args: {
          command:
            'aws cloudwatch get-metric-statistics --namespace AWS/RDS --metric-name DatabaseConnections --dimensions Name=DBInstanceIdentifier,Value=ledger-prod --period 300 --statistics Maximum --output text | sort -k3',
        },
        output: `DATAPOINTS	61.0	2026-02-05T13:25:00+00:00	Count
DATAPOINTS	63.0	2026-02-05T13:30:00+00:00	Count
DATAPOINTS	60.0	2026-02-05T13:35:00+00:00	Count
DATAPOINTS	64.0	2026-02-05T13:40:00+00:00	Count
DATAPOINTS	188.0	2026-02-05T13:45:00+00:00	Count
DATAPOINTS	480.0	2026-02-05T13:50:00+00:00	Count`,
      },
      {
        id: 'r2',
        tool: 'bash',
        args: {
          command:
            'aws rds download-db-log-file-portion --db-instance-identifier ledger-prod --log-file-name error/postgresql.log.2026-02-05-13 --output text | tail -7',
        },
        output: `2026-02-05 13:46:20 UTC::@:[391]:LOG:  checkpoint complete: wrote 10231 buffers (1.0%); 0 WAL file(s) added, 2 removed, 3 recycled; write=268.940 s, sync=9.117 s, total=278.604 s
2026-02-05 13:49:58 UTC:10.30.4.18(50214):ledger@ledger:[20117]:FATAL:  remaining connection slots are reserved for roles with the SUPERUSER attribute
2026-02-05 13:50:03 UTC:10.30.4.21(44102):ledger@ledger:[20140]:FATAL:  remaining connection slots are reserved for roles with the SUPERUSER attribute
2026-02-05 13:50:03 UTC:10.30.4.18(50298):ledger@ledger:[20141]:FATAL:  remaining connection slots are reserved for roles with the SUPERUSER attribute
2026-02-05 13:50:11 UTC:10.30.4.25(38820):ledger@ledger:[20166]:FATAL:  remaining connection slots are reserved for roles with the SUPERUSER attribute
2026-02-05 13:51:37 UTC:10.30.4.21(44390):ledger@ledger:[20203]:LOG:  could not receive data from client: Connection reset by peer
2026-02-05 13:52:00 UTC:10.30.4.18(50511):ledger@ledger:[20219]:FATAL:  remaining connection slots are reserved for roles with the SUPERUSER attribute`,
      },
      {
        id: 'r3',
        tool: 'psql',
        args: {
          db: 'ledger',
          sql: "select coalesce(wait_event_type, 'CPU') as type, wait_event, count(*), max(now() - query_start) as oldest, min(left(query, 58)) as sample from pg_stat_activity where state = 'active' group by 1, 2 order by 3 desc",
        },
        output: ` type |    wait_event    | count |     oldest      |                           sample
------+------------------+-------+-----------------+------------------------------------------------------------
 IO   | DataFileRead     |   391 | 01:00:41.220187 | autovacuum: VACUUM public.entries (to prevent wraparound)
 IO   | DataFilePrefetch |     6 | 00:00:31.881240 | select sum(amount) from entries where account_id = $1 and
 CPU  |                  |     2 | 00:00:00.002901 | select coalesce(wait_event_type, 'CPU') as type, wait_even
(3 rows)`,
      },
      {
        id: 'r4',
        tool: 'bash',
        args: {
          command:
            'aws cloudwatch get-metric-statistics --namespace AWS/RDS --metric-name BurstBalance --dimensions Name=DBInstanceIdentifier,Value=ledger-prod --period 300 --statistics Minimum --output text | sort -k3',
        },
        output: `DATAPOINTS	68.0	2026-02-05T13:15:00+00:00	Percent
DATAPOINTS	55.0	2026-02-05T13:20:00+00:00	Percent
DATAPOINTS	41.0	2026-02-05T13:25:00+00:00	Percent
DATAPOINTS	27.0	2026-02-05T13:30:00+00:00	Percent
DATAPOINTS	12.0	2026-02-05T13:35:00+00:00	Percent
DATAPOINTS	0.0	2026-02-05T13:40:00+00:00	Percent
DATAPOINTS	0.0	2026-02-05T13:45:00+00:00	Percent
DATAPOINTS	0.0	2026-02-05T13:50:00+00:00	Percent`,
      },
      {
        id: 'r5',
        tool: 'psql',
        args: {
          db: 'ledger',
          sql: 'select count(*) as waiting, count(distinct pg_blocking_pids(pid)) as blockers from pg_stat_activity where cardinality(pg_blocking_pids(pid)) > 0',
        },
        output: ` waiting | blockers
---------+----------
       0 |        0
(1 row)`,
      },
    ],
    report: {
      summary:
        'ledger-prod is down because the services opened 480 connections within ten minutes and overloaded it.',
      grade: 'confirmed',
      impact: {
        who: 'all services that read the ledger',
        since: '2026-02-05 13:45 UTC',
        severity: 'new connections are refused, queries take half a minute',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'connection pools of the ledger services',
        kind: 'connection storm',
        text: 'The services raised the number of connections from 64 to 480. So many sessions at once read from disk, used up the burst credits of the volume and took all slots of ledger-prod.',
      },
      claims: [
        {
          text: 'The connections rose to 480 at 13:50.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'r1', quote: 'DATAPOINTS	188.0	2026-02-05T13:45:00+00:00	Count' },
            { callId: 'r1', quote: 'DATAPOINTS	480.0	2026-02-05T13:50:00+00:00	Count' },
          ],
        },
        {
          text: 'No slot is left for new sessions.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'r2',
              quote: 'FATAL:  remaining connection slots are reserved for roles with the SUPERUSER attribute',
            },
          ],
        },
        {
          text: 'The many sessions used up the burst credits of the volume.',
          role: 'effect',
          confidence: 'medium',
          quotes: [{ callId: 'r4', quote: 'DATAPOINTS	0.0	2026-02-05T13:50:00+00:00	Percent' }],
        },
      ],
      ruledOut: [
        {
          text: 'Locks: no session waits for another.',
          quotes: [{ callId: 'r5', quote: '       0 |        0' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
    written: [
      {
        before: 'r1',
        add: [
          {
            statement: 'The services flood the database with connections and exhaust its slots.',
            component: 'connection pools of the ledger services',
            kind: 'connection storm',
            predictions: [
              {
                call: 'cloudwatch: DatabaseConnections of ledger-prod',
                expect: 'A steep rise shortly before the alert at 13:52.',
                refutes: true,
              },
              {
                call: 'Postgres error log of 13 h',
                expect: 'Refused sessions: no slots left.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'A transaction holds a lock on which all others wait.',
            component: 'Postgres ledger, locks',
            kind: 'lock wait',
            predictions: [
              {
                call: 'psql: pg_blocking_pids over pg_stat_activity',
                expect: 'Dozens of sessions waiting for one blocker.',
                refutes: true,
              },
            ],
          },
        ],
      },
      {
        before: 'r4',
        add: [
          {
            statement: 'The storage is the bottleneck, and the sessions are only waiting for it.',
            component: 'gp2 volume of ledger-prod',
            kind: 'burst credits used up',
            predictions: [
              {
                call: 'cloudwatch: BurstBalance of ledger-prod',
                expect: 'A balance at 0 for half an hour or more before the alert.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 'r1', quote: 'DATAPOINTS	480.0	2026-02-05T13:50:00+00:00	Count' },
      {
        id: 'h1.2',
        callId: 'r2',
        quote:
          '2026-02-05 13:49:58 UTC:10.30.4.18(50214):ledger@ledger:[20117]:FATAL:  remaining connection slots are reserved for roles with the SUPERUSER attribute',
      },
      {
        id: 'h3.1',
        callId: 'r4',
        quote: 'DATAPOINTS	68.0	2026-02-05T13:15:00+00:00	Percent',
        opposite: true,
      },
      { id: 'h2.1', callId: 'r5', quote: '       0 |        0', opposite: true },
    ],
    leader: 'h1',
  },
  {
    name: 'inventory-strict-mtls',
    verdict: 'wrong',
    why: 'At 10:03:40 m.ortega set the PeerAuthentication of namespace shop to STRICT; the importer has no sidecar and speaks plain text, so its connections are reset from 10:04:02. The sync of ArgoCD that the report blames was at 10:21:47.',
    kind: 'a change that came after the symptom',
    alertStartsAt: '2026-05-06T10:24:00Z',
    runStartedAt: '2026-05-06T10:28:00Z',
    calls: [
      {
        id: 'k1',
        tool: 'kubectl',
        args: { args: 'logs deploy/feed-importer -n legacy --since=40m --tail=9' },
        output: `2026-05-06T09:58:30Z INFO  batch 88120 sent items=500 took=412ms
2026-05-06T10:01:31Z INFO  batch 88121 sent items=500 took=398ms
2026-05-06T10:04:02Z ERROR batch 88122 Post "http://inventory.shop.svc.cluster.local:8080/v1/stock": read tcp 10.4.3.9:51022->10.96.18.7:8080: read: connection reset by peer
2026-05-06T10:04:07Z WARN  batch 88122 retry 1/5 in 30s
2026-05-06T10:04:37Z ERROR batch 88122 Post "http://inventory.shop.svc.cluster.local:8080/v1/stock": read tcp 10.4.3.9:51040->10.96.18.7:8080: read: connection reset by peer
2026-05-06T10:13:11Z ERROR batch 88122 given up after 5 retries, kept on disk
2026-05-06T10:22:40Z ERROR batch 88125 Post "http://inventory.shop.svc.cluster.local:8080/v1/stock": read tcp 10.4.3.9:52218->10.96.18.7:8080: read: connection reset by peer
2026-05-06T10:23:10Z ERROR batch 88125 Post "http://inventory.shop.svc.cluster.local:8080/v1/stock": read tcp 10.4.3.9:52230->10.96.18.7:8080: read: connection reset by peer
2026-05-06T10:24:01Z WARN  spool /data/spool at 4 batches, alert threshold 4`,
      },
      {
        id: 'k2',
        tool: 'bash',
        args: { command: 'argocd app history inventory' },
        output: `SOURCE  https://git.local/platform/inventory-deploy
ID      DATE                           REVISION
39      2026-04-22 09:11:20 +0000 UTC  main (a81c0f2)
40      2026-04-28 13:40:05 +0000 UTC  main (5e7710d)
41      2026-05-04 15:02:33 +0000 UTC  main (c0d92b1)
42      2026-05-06 10:21:47 +0000 UTC  main (f4b6e08)`,
      },
      {
        id: 'k3',
        tool: 'kubectl',
        args: { args: 'get pods -A -l tier=stock' },
        output: `NAMESPACE   NAME                             READY   STATUS    RESTARTS   AGE
legacy      feed-importer-5c7b9d6f4c-8wzlp   1/1     Running   0          63d
shop        inventory-7d4f58c9b6-2hq5x       2/2     Running   0          7m2s
shop        inventory-7d4f58c9b6-l9vtn       2/2     Running   0          6m41s
shop        pricing-66c8d7b5f-kd4rm          2/2     Running   0          12d`,
      },
      {
        id: 'k4',
        tool: 'bash',
        args: {
          command:
            'jq -r \'select(.objectRef.namespace=="shop" and (.verb|test("patch|update|delete"))) | [.stageTimestamp,.user.username,.verb,.objectRef.resource+"/"+.objectRef.name]|@tsv\' /var/log/kube-audit/audit.log | tail -7',
        },
        output: `2026-05-06T09:47:12Z	system:serviceaccount:kube-system:horizontal-pod-autoscaler	update	horizontalpodautoscalers/pricing
2026-05-06T10:03:40Z	m.ortega	patch	peerauthentications/default
2026-05-06T10:07:12Z	system:serviceaccount:kube-system:horizontal-pod-autoscaler	update	horizontalpodautoscalers/pricing
2026-05-06T10:21:47Z	system:serviceaccount:argocd:argocd-application-controller	patch	deployments/inventory
2026-05-06T10:21:48Z	system:serviceaccount:argocd:argocd-application-controller	patch	configmaps/inventory-env
2026-05-06T10:22:14Z	system:serviceaccount:kube-system:replicaset-controller	update	replicasets/inventory-7d4f58c9b6
2026-05-06T10:26:40Z	system:serviceaccount:cert-manager:cert-manager	update	certificates/shop-ingress`,
      },
      {
        id: 'k5',
        tool: 'kubectl',
        args: { args: 'get peerauthentication default -n shop -o yaml' },
        output: `apiVersion: security.istio.io/v1
kind: PeerAuthentication
metadata:
  generation: 3
  name: default
  namespace: shop
spec:
  mtls:
    mode: STRICT`,
      },
      {
        id: 'k6',
        tool: 'kubectl',
        args: { args: 'get endpoints -n shop' },
        output: `NAME        ENDPOINTS                         AGE
inventory   10.4.1.77:8080,10.4.5.102:8080    402d
pricing     10.4.5.61:8080                    402d
redis       10.4.2.14:6379                    388d`,
      },
    ],
    report: {
      summary:
        'feed-importer cannot deliver stock because the inventory service rolled out by ArgoCD (revision f4b6e08) resets its connections.',
      grade: 'confirmed',
      impact: {
        who: 'the stock feed of the warehouses',
        since: '2026-05-06 10:04 UTC',
        severity: 'four batches are kept on disk, no stock update',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'inventory, ArgoCD sync 42',
        kind: 'faulty deployment',
        text: 'ArgoCD synced revision f4b6e08 of inventory. The new pods reset the connections of feed-importer, and the alert fires two minutes after.',
      },
      claims: [
        {
          text: 'ArgoCD synced a new revision of inventory.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'k2', quote: '42      2026-05-06 10:21:47 +0000 UTC  main (f4b6e08)' },
            {
              callId: 'k4',
              quote:
                '2026-05-06T10:21:47Z	system:serviceaccount:argocd:argocd-application-controller	patch	deployments/inventory',
            },
          ],
        },
        {
          text: 'Both pods of inventory are from this sync.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'k3',
              quote: 'shop        inventory-7d4f58c9b6-2hq5x       2/2     Running   0          7m2s',
            },
          ],
        },
        {
          text: 'feed-importer gets resets from inventory.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'k1',
              quote:
                '2026-05-06T10:04:02Z ERROR batch 88122 Post "http://inventory.shop.svc.cluster.local:8080/v1/stock": read tcp 10.4.3.9:51022->10.96.18.7:8080: read: connection reset by peer',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'A service without endpoints: inventory has two.',
          quotes: [{ callId: 'k6', quote: 'inventory   10.4.1.77:8080,10.4.5.102:8080    402d' }],
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
            statement: 'A new release of inventory resets the connections of the importer.',
            component: 'inventory, ArgoCD sync 42',
            kind: 'faulty deployment',
            predictions: [
              {
                call: 'argocd app history inventory',
                expect: 'A sync of today, close to the alert.',
                refutes: true,
              },
              { call: 'kubectl: pods of inventory', expect: 'Pods that are minutes old.', refutes: true },
            ],
          },
          {
            statement: 'The service inventory has lost its endpoints.',
            component: 'Service inventory (namespace shop)',
            kind: 'no endpoints',
            predictions: [
              { call: 'kubectl get endpoints -n shop', expect: 'None for inventory.', refutes: true },
            ],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 'k2', quote: '42      2026-05-06 10:21:47 +0000 UTC  main (f4b6e08)' },
      {
        id: 'h1.2',
        callId: 'k3',
        quote: 'shop        inventory-7d4f58c9b6-l9vtn       2/2     Running   0          6m41s',
      },
      {
        id: 'h2.1',
        callId: 'k6',
        quote: 'inventory   10.4.1.77:8080,10.4.5.102:8080    402d',
        opposite: true,
      },
    ],
    leader: 'h1',
  },
  {
    name: 'office-dhcp-pool',
    verdict: 'wrong',
    why: 'The range has 201 addresses and leases of eight days; since the conference of 2 June its guests hold 93 of them, and the pool is empty. The report blames the new firmware of the switch, which has run since 12 May without trouble.',
    kind: 'a change weeks before the symptom',
    alertStartsAt: '2026-06-03T08:55:00+02:00',
    runStartedAt: '2026-06-03T07:03:00Z',
    calls: [
      {
        id: '1',
        tool: 'bash',
        args: { command: 'journalctl -u isc-dhcp-server --since "2026-06-03 08:30" | tail -9' },
        output: `Jun 03 08:41:10 infra1 dhcpd[911]: DHCPREQUEST for 10.20.0.117 from 3c:22:fb:10:aa:04 (lt-0412) via 10.20.0.1
Jun 03 08:41:10 infra1 dhcpd[911]: DHCPACK on 10.20.0.117 to 3c:22:fb:10:aa:04 (lt-0412) via 10.20.0.1
Jun 03 08:49:52 infra1 dhcpd[911]: DHCPDISCOVER from a4:83:e7:51:0c:9b via 10.20.0.1: network 10.20.0.0/23: no free leases
Jun 03 08:49:57 infra1 dhcpd[911]: DHCPDISCOVER from a4:83:e7:51:0c:9b via 10.20.0.1: network 10.20.0.0/23: no free leases
Jun 03 08:50:21 infra1 dhcpd[911]: DHCPDISCOVER from 3c:22:fb:77:1e:d0 via 10.20.0.1: network 10.20.0.0/23: no free leases
Jun 03 08:51:02 infra1 dhcpd[911]: DHCPREQUEST for 10.20.0.201 from 00:1b:a9:c4:12:88 (prn-3og) via 10.20.0.1
Jun 03 08:51:02 infra1 dhcpd[911]: DHCPACK on 10.20.0.201 to 00:1b:a9:c4:12:88 (prn-3og) via 10.20.0.1
Jun 03 08:52:44 infra1 dhcpd[911]: DHCPDISCOVER from f0:18:98:2d:63:5a via 10.20.0.1: network 10.20.0.0/23: no free leases
Jun 03 08:53:18 infra1 dhcpd[911]: DHCPDISCOVER from 3c:22:fb:77:1e:d0 via 10.20.0.1: network 10.20.0.0/23: no free leases`,
      },
      {
        id: '2',
        tool: 'ssh',
        args: { host: 'sw-core-1', command: 'show logging | last 8' },
        output: `May 12 22:04:51 sw-core-1 %INSTALL-5-ACTIVATE: Activated image 17.12.4, previous 17.9.5
May 12 22:05:02 sw-core-1 %SYS-5-RELOAD: Reload requested by neteng. Reason: Upgrade
May 12 22:11:37 sw-core-1 %SYS-5-RESTART: System restarted
May 12 22:11:58 sw-core-1 %LINK-3-UPDOWN: Interface Vlan20, changed state to up
May 27 14:30:19 sw-core-1 %SYS-5-CONFIG_I: Configured from console by neteng on vty0 (10.1.0.14)
Jun 01 06:02:44 sw-core-1 %LINEPROTO-5-UPDOWN: Line protocol on Interface Gi1/0/22, changed state to down
Jun 01 06:02:51 sw-core-1 %LINEPROTO-5-UPDOWN: Line protocol on Interface Gi1/0/22, changed state to up
Jun 03 07:15:03 sw-core-1 %SEC_LOGIN-5-LOGIN_SUCCESS: Login Success [user: monitor] [Source: 10.1.0.9]`,
      },
      {
        id: '3',
        tool: 'ssh',
        args: { host: 'sw-core-1', command: 'show running-config interface Vlan20' },
        output: `interface Vlan20
 description office wlan and desks
 ip address 10.20.0.1 255.255.254.0
 ip helper-address 10.1.0.5
 no ip redirects
end`,
      },
      {
        id: '4',
        tool: 'grep',
        args: { pattern: 'range|lease-time|subnet', path: '/etc/dhcp/dhcpd.conf' },
        output: `default-lease-time 691200;
max-lease-time 691200;
subnet 10.20.0.0 netmask 255.255.254.0 {
  range 10.20.0.50 10.20.0.250;
subnet 10.30.0.0 netmask 255.255.255.0 {
  range 10.30.0.20 10.30.0.240;`,
      },
      {
        id: '5',
        tool: 'bash',
        args: {
          command:
            'dhcp-lease-list --parsable | awk \'/10\\.20\\./{split($6,h,"-"); n[h[1]]++; if(!f[h[1]]||$8<f[h[1]])f[h[1]]=$8} END{for(k in n)print n[k], k, "first", f[k]}\' | sort -rn',
        },
        output: `96 lt first 2026-05-26
93 guest first 2026-06-02
7 prn first 2026-05-26
3 tv first 2026-05-29
2 cam first 2026-05-27`,
      },
      {
        id: '6',
        tool: 'bash',
        args: { command: 'nmap --script broadcast-dhcp-discover -e vlan20 2>/dev/null' },
        output: `Starting Nmap 7.94 ( https://nmap.org ) at 2026-06-03 09:08 CEST
Pre-scan script results:
| broadcast-dhcp-discover:
|_  (no response)
WARNING: No targets were specified, so 0 hosts scanned.`,
      },
    ],
    report: {
      summary:
        'Laptops in the office get no address because firmware 17.12.4 of sw-core-1 breaks the DHCP relay of VLAN 20.',
      grade: 'confirmed',
      impact: {
        who: 'people who come to the office',
        since: '2026-06-03 08:49 CEST',
        severity: 'no network for new devices',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'sw-core-1, firmware 17.12.4',
        kind: 'faulty upgrade',
        text: 'sw-core-1 was upgraded from 17.9.5 to 17.12.4. With the new firmware its relay on Vlan20 forwards requests in a way that dhcpd cannot match to free leases, so it answers "no free leases".',
      },
      claims: [
        {
          text: 'sw-core-1 was upgraded to 17.12.4 and restarted.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: '2',
              quote:
                'May 12 22:04:51 sw-core-1 %INSTALL-5-ACTIVATE: Activated image 17.12.4, previous 17.9.5',
            },
          ],
        },
        {
          text: 'All requests of VLAN 20 come through its relay.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: '3', quote: ' ip helper-address 10.1.0.5' }],
        },
        {
          text: 'dhcpd finds no lease for the requests of the relay.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: '1',
              quote:
                'DHCPDISCOVER from a4:83:e7:51:0c:9b via 10.20.0.1: network 10.20.0.0/23: no free leases',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'A foreign DHCP server in the VLAN: nobody else answers.',
          quotes: [{ callId: '6', quote: '|_  (no response)' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
    written: [
      {
        before: '2',
        add: [
          {
            statement: 'The core switch was upgraded, and its relay now breaks DHCP.',
            component: 'sw-core-1, firmware',
            kind: 'faulty upgrade',
            predictions: [
              {
                call: 'ssh sw-core-1: show logging',
                expect: 'An upgrade or reload in the log.',
                refutes: true,
              },
              {
                call: 'ssh sw-core-1: running-config of Vlan20',
                expect: 'A helper address, so the switch relays all requests.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'A foreign DHCP server in the VLAN answers before ours.',
            component: 'unknown DHCP server in VLAN 20',
            kind: 'rogue server',
            predictions: [
              {
                call: 'nmap broadcast-dhcp-discover on vlan20',
                expect: 'An offer from another address than 10.1.0.5.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: '2', quote: '%INSTALL-5-ACTIVATE: Activated image 17.12.4, previous 17.9.5' },
      { id: 'h1.2', callId: '3', quote: ' ip helper-address 10.1.0.5' },
      { id: 'h2.1', callId: '6', quote: '|_  (no response)', opposite: true },
    ],
    leader: 'h1',
  },
  {
    name: 'storefront-stale-prices',
    verdict: 'wrong',
    why: 'The purge worker gets 401 from the CDN since 06:12, its token has expired, so old prices stay until their TTL is over. The report blames a raised TTL, of which nothing says that or when it was changed; the header of a week ago has the same.',
    kind: 'a change with no time at all',
    alertStartsAt: '2026-01-29T07:20:00Z',
    runStartedAt: '2026-01-29T07:26:00Z',
    calls: [
      {
        id: 'c-1',
        tool: 'http',
        args: { method: 'GET', url: 'https://shop.example/fragments/price/88213' },
        output: `HTTP/2 200
date: Thu, 29 Jan 2026 07:27:40 GMT
content-type: text/html; charset=utf-8
cache-control: public, s-maxage=86400
surrogate-key: price-88213 prices
age: 51122
x-cache: HIT, HIT
x-served-by: cache-fra-etou8220, cache-fra-etou8241

<span class="price" data-rev="20260128-1710">EUR 49.90</span>`,
      },
      {
        id: 'c-2',
        tool: 'http',
        args: { method: 'GET', url: 'http://origin.internal/fragments/price/88213' },
        output: `HTTP/1.1 200 OK
Date: Thu, 29 Jan 2026 07:28:03 GMT
Content-Type: text/html; charset=utf-8
Cache-Control: no-store
Server: nginx

<span class="price" data-rev="20260129-0600">EUR 39.90</span>`,
      },
      {
        id: 'c-3',
        tool: 'bash',
        args: { command: 'cdnctl rules list --service storefront' },
        output: `PRIO  NAME               MATCH                   ACTION
10    admin-pass         /admin/*                pass
20    price-fragments    /fragments/price/*      cache ttl=86400 override-origin
30    stock-fragments    /fragments/stock/*      cache ttl=60
40    assets             /assets/*               cache ttl=31536000
90    default            *                       cache honor-origin`,
      },
      {
        id: 'c-4',
        tool: 'kubectl',
        args: { args: 'logs deploy/cdn-purger -n web --since=3h --tail=8' },
        output: `{"ts":"2026-01-29T05:40:11Z","lvl":"info","msg":"purge ok","keys":41,"ms":180}
{"ts":"2026-01-29T05:58:37Z","lvl":"info","msg":"purge ok","keys":12,"ms":164}
{"ts":"2026-01-29T06:12:02Z","lvl":"error","msg":"purge failed","keys":2214,"status":401,"body":"token expired"}
{"ts":"2026-01-29T06:12:32Z","lvl":"error","msg":"purge failed","keys":2214,"status":401,"body":"token expired"}
{"ts":"2026-01-29T06:13:32Z","lvl":"warn","msg":"dropping batch after 3 attempts","keys":2214}
{"ts":"2026-01-29T06:41:19Z","lvl":"error","msg":"purge failed","keys":97,"status":401,"body":"token expired"}
{"ts":"2026-01-29T06:42:49Z","lvl":"warn","msg":"dropping batch after 3 attempts","keys":97}
{"ts":"2026-01-29T07:10:55Z","lvl":"error","msg":"purge failed","keys":30,"status":401,"body":"token expired"}`,
      },
      {
        id: 'c-5',
        tool: 'grep',
        args: { pattern: 's-maxage', path: '/var/lib/synthetics/storefront/headers-2026-01-22.txt' },
        output: `/fragments/price/10014   cache-control: public, s-maxage=86400   age: 412
/fragments/price/88213   cache-control: public, s-maxage=86400   age: 2290
/fragments/stock/10014   cache-control: public, s-maxage=60   age: 17`,
      },
    ],
    report: {
      summary:
        'Customers see yesterday’s prices because the TTL of the CDN rule price-fragments was raised to a day and overrides the origin.',
      grade: 'confirmed',
      impact: {
        who: 'all visitors of the storefront',
        since: '2026-01-29 06:12 UTC',
        severity: 'reduced prices of the sale are not shown',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'CDN rule price-fragments',
        kind: 'configuration change',
        text: 'The rule price-fragments was changed to ttl=86400 with override-origin. From then on the CDN ignores the no-store of the origin and delivers prices that are up to a day old.',
      },
      claims: [
        {
          text: 'The rule was raised to a day and overrides what the origin says.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'c-3',
              quote: '20    price-fragments    /fragments/price/*      cache ttl=86400 override-origin',
            },
          ],
        },
        {
          text: 'The origin wants no caching.',
          role: 'background',
          confidence: 'high',
          quotes: [{ callId: 'c-2', quote: 'Cache-Control: no-store' }],
        },
        {
          text: 'The CDN delivers a copy that is 14 hours old.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            { callId: 'c-1', quote: 'age: 51122' },
            { callId: 'c-1', quote: 'x-cache: HIT, HIT' },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'Old prices at the origin: it has the revision of 06:00.',
          quotes: [{ callId: 'c-2', quote: 'data-rev="20260129-0600">EUR 39.90' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
    written: [
      {
        before: 'c-2',
        add: [
          {
            statement: 'Somebody changed the cache rule of prices to a long TTL.',
            component: 'CDN rule price-fragments',
            kind: 'configuration change',
            predictions: [
              {
                call: 'cdnctl rules list --service storefront',
                expect: 'The rule of prices has a TTL of hours and does not honour the origin.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'The origin itself still renders the old prices.',
            component: 'storefront origin',
            kind: 'stale data',
            predictions: [
              {
                call: 'http: the fragment from origin.internal',
                expect: 'EUR 49.90, revision of yesterday.',
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
        callId: 'c-2',
        quote: '<span class="price" data-rev="20260129-0600">EUR 39.90</span>',
        opposite: true,
      },
      {
        id: 'h1.1',
        callId: 'c-3',
        quote: '20    price-fragments    /fragments/price/*      cache ttl=86400 override-origin',
      },
    ],
    leader: 'h1',
  },
  {
    name: 'ios-push-silent',
    verdict: 'wrong',
    why: 'The APNs certificate apns_prod.pem ended on 12 April at 06:18, since then Apple closes each handshake. The report blames the CPU limit of the push workers and rules the certificate out with the end date of the website’s certificate.',
    kind: 'an alternative ruled out by a line of something else',
    alertStartsAt: '2026-04-12T06:45:00Z',
    runStartedAt: '2026-04-12T06:50:00Z',
    calls: [
      {
        id: 'p1',
        tool: 'bash',
        args: {
          command:
            "redis-cli -h sidekiq-redis --raw eval \"local r={} for _,q in ipairs(redis.call('smembers','queues')) do r[#r+1]=q..' '..redis.call('llen','queue:'..q) end return r\" 0",
        },
        output: `default 14
mailers 3
push_android 22
push_ios 18841
webhooks 0`,
      },
      {
        id: 'p2',
        tool: 'kubectl',
        args: { args: 'logs deploy/push-worker -n notify --since=45m --tail=8' },
        output: `2026-04-12T06:17:52.310Z pid=1 tid=gt4 class=PushIosJob jid=8f1c02 elapsed=0.212 INFO: done
2026-04-12T06:18:40.004Z pid=1 tid=gtk class=PushAndroidJob jid=11ba90 elapsed=0.188 INFO: done
2026-04-12T06:18:41.771Z pid=1 tid=gt4 class=PushIosJob jid=b20d7e elapsed=30.004 WARN: Apnotic::ConnectionPool timeout, connection to api.push.apple.com:443 closed by peer during handshake
2026-04-12T06:19:12.093Z pid=1 tid=gt8 class=PushIosJob jid=b20d81 elapsed=30.002 WARN: Apnotic::ConnectionPool timeout, connection to api.push.apple.com:443 closed by peer during handshake
2026-04-12T06:19:12.640Z pid=1 tid=gtk class=PushAndroidJob jid=11bb02 elapsed=0.190 INFO: done
2026-04-12T06:33:05.218Z pid=1 tid=gt4 class=PushIosJob jid=b21a10 elapsed=30.003 WARN: Apnotic::ConnectionPool timeout, connection to api.push.apple.com:443 closed by peer during handshake
2026-04-12T06:44:30.127Z pid=1 tid=gtq class=PushIosJob jid=b22f4c elapsed=30.001 WARN: Apnotic::ConnectionPool timeout, connection to api.push.apple.com:443 closed by peer during handshake
2026-04-12T06:44:31.006Z pid=1 tid=gtk class=PushAndroidJob jid=11d7c3 elapsed=0.201 INFO: done`,
      },
      {
        id: 'p3',
        tool: 'kubectl',
        args: { args: 'exec deploy/push-worker -n notify -- cat /sys/fs/cgroup/cpu.stat' },
        output: `usage_usec 91822401177
user_usec 80113004120
system_usec 11709397057
nr_periods 4810022
nr_throttled 291404
throttled_usec 10922817330
nr_bursts 0
burst_usec 0`,
      },
      {
        id: 'p4',
        tool: 'kubectl',
        args: {
          args: 'get deploy push-worker -n notify -o jsonpath=\'{.spec.replicas}{"\\n"}{.spec.strategy.type}{"\\n"}{.spec.template.spec.containers[0].resources}\'',
        },
        output: `2
RollingUpdate
{"limits":{"cpu":"500m","memory":"768Mi"},"requests":{"cpu":"250m","memory":"512Mi"}}`,
      },
      {
        id: 'p5',
        tool: 'bash',
        args: {
          command:
            'for f in /etc/notify/certs/*.pem; do echo "== $f"; openssl x509 -in $f -noout -subject -enddate; done',
        },
        output: `== /etc/notify/certs/api_example_com.pem
subject=CN = api.example.com
notAfter=Mar  3 23:59:59 2027 GMT
== /etc/notify/certs/apns_prod.pem
subject=UID = com.example.app, CN = Apple Push Services: com.example.app, OU = 4K7Q2V9XYZ, C = DE
notAfter=Apr 12 06:18:11 2026 GMT
== /etc/notify/certs/internal_ca.pem
subject=O = Example, CN = Example Internal CA 3
notAfter=Nov 30 00:00:00 2031 GMT`,
      },
    ],
    report: {
      summary:
        'iOS users get no push messages because the push workers are throttled at their CPU limit and do not finish the TLS handshake with Apple in time.',
      grade: 'confirmed',
      impact: {
        who: 'all users of the iOS app',
        since: '2026-04-12 06:18 UTC',
        severity: '18,841 messages wait, none is delivered',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'push-worker, CPU limit',
        kind: 'cgroup throttling',
        text: 'Two replicas with 500m each are too few for the load. The kernel throttles the workers, their handshakes with APNs take longer than Apple allows, and Apple closes the connections.',
      },
      claims: [
        {
          text: 'The workers are throttled.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'p3', quote: 'nr_throttled 291404' },
            { callId: 'p4', quote: '"limits":{"cpu":"500m","memory":"768Mi"}' },
          ],
        },
        {
          text: 'Handshakes with APNs are not finished in time.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            { callId: 'p2', quote: 'connection to api.push.apple.com:443 closed by peer during handshake' },
          ],
        },
        {
          text: 'The queue of iOS messages grows.',
          role: 'effect',
          confidence: 'high',
          quotes: [{ callId: 'p1', quote: 'push_ios 18841' }],
        },
      ],
      ruledOut: [
        {
          text: 'An expired push certificate: it is valid until March 2027.',
          quotes: [{ callId: 'p5', quote: 'notAfter=Mar  3 23:59:59 2027 GMT' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
    written: [
      {
        before: 'p3',
        add: [
          {
            statement: 'The workers hit their CPU limit, and handshakes with Apple time out.',
            component: 'push-worker, CPU limit',
            kind: 'cgroup throttling',
            predictions: [
              {
                call: 'kubectl exec push-worker: cpu.stat',
                expect: 'nr_throttled well above 0.',
                refutes: true,
              },
              {
                call: 'kubectl: resources of the deployment push-worker',
                expect: 'A CPU limit below one core.',
              },
            ],
          },
          {
            statement: 'The certificate for pushes to iOS has expired.',
            component: 'APNs client certificate',
            kind: 'expired certificate',
            predictions: [
              {
                call: 'openssl: end dates of the certificates of notify',
                expect: 'notAfter in the past.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 'p3', quote: 'nr_throttled 291404' },
      { id: 'h1.2', callId: 'p4', quote: '"limits":{"cpu":"500m","memory":"768Mi"}' },
      { id: 'h2.1', callId: 'p5', quote: 'notAfter=Mar  3 23:59:59 2027 GMT', opposite: true },
    ],
    leader: 'h1',
  },
  {
    name: 'branch-tunnel-hangs',
    verdict: 'wrong',
    why: 'The tunnel to the branch carries packets only up to 1372 bytes of payload and no ICMP "fragmentation needed" comes back, so large answers hang. The report blames an overloaded firewall, whose figures show 9 % CPU, 2 % sessions and no drops.',
    kind: 'a component blamed whose own figures are fine',
    runStartedAt: '2026-03-24T12:40:00Z',
    calls: [
      {
        id: 'v1',
        tool: 'bash',
        args: {
          command:
            'for p in /healthz /login /assets/app.js; do timeout 20 curl -sk -o /dev/null -w "$p code=%{http_code} bytes=%{size_download} connect=%{time_connect} ttfb=%{time_starttransfer} total=%{time_total}\\n" --interface 10.77.3.20 https://erp.hq.local$p || echo "$p exit=$?"; done',
        },
        output: `/healthz code=200 bytes=17 connect=0.021 ttfb=0.049 total=0.049
/login code=302 bytes=0 connect=0.022 ttfb=0.061 total=0.061
/assets/app.js exit=124`,
      },
      {
        id: 'v2',
        tool: 'ssh',
        args: { host: 'fw-hq', command: 'get system performance status' },
        output: `CPU states: 3% user 2% system 0% nice 91% idle 0% iowait 0% irq 4% softirq
Memory: 8123456k total, 2911002k used (35.8%), 4870210k free (60.0%), 342244k freeable (4.2%)
Average network usage: 218304 / 217811 kbps in 1 minute, 209112 / 208640 kbps in 10 minutes
Average sessions: 40817 sessions in 1 minute, 40122 sessions in 10 minutes
Average session setup rate: 212 sessions per second in last 1 minute
Average NPU sessions: 31250 sessions in last 1 minute
Virus caught: 0 total in 1 minute
IPS attacks blocked: 0 total in 1 minute
Uptime: 141 days,  3 hours,  12 minutes`,
      },
      {
        id: 'v3',
        tool: 'ssh',
        args: { host: 'fw-hq', command: 'diagnose sys session stat' },
        output: `misc info:       session_count=40790 setup_rate=207 exp_count=14 clash=0
        memory_tension_drop=0 ephemeral=0/2097152 removeable=0
delete=0, flush=0, dev_down=0/0
session walkers: active=0, vf-331, dev-0, saddr-0, npu-0
TCP sessions:
         22114 in ESTABLISHED state
         611 in SYN_SENT state
         1802 in FIN_WAIT state
firewall error stat:
error1=00000000
error4=00000000`,
      },
      {
        id: 'v4',
        tool: 'bash',
        args: {
          command:
            'for s in 1300 1372 1373 1400 1472; do printf "%s " $s; ping -I 10.77.3.20 -M do -c 3 -q -s $s erp.hq.local | grep transmitted; done',
        },
        output: `1300 3 packets transmitted, 3 received, 0% packet loss, time 2003ms
1372 3 packets transmitted, 3 received, 0% packet loss, time 2002ms
1373 3 packets transmitted, 0 received, 100% packet loss, time 2041ms
1400 3 packets transmitted, 0 received, 100% packet loss, time 2044ms
1472 3 packets transmitted, 0 received, 100% packet loss, time 2039ms`,
      },
      {
        id: 'v5',
        tool: 'bash',
        args: { command: 'ip -br link; ip route get 10.10.8.15' },
        output: `lo               UNKNOWN        00:00:00:00:00:00 <LOOPBACK,UP,LOWER_UP>
eth0             UP             52:54:00:9e:17:4c <BROADCAST,MULTICAST,UP,LOWER_UP>
10.10.8.15 via 10.77.3.1 dev eth0 src 10.77.3.20 uid 0
    cache`,
      },
      {
        id: 'v6',
        tool: 'http',
        args: { method: 'GET', url: 'https://erp.hq.local/assets/app.js' },
        output: `HTTP/1.1 200 OK
Date: Tue, 24 Mar 2026 12:49:31 GMT
Content-Type: application/javascript
Content-Length: 2218840
X-Request-Time: 0.031`,
      },
    ],
    report: {
      summary:
        'The branch cannot load the ERP because the firewall fw-hq at headquarters is overloaded and drops large transfers.',
      grade: 'confirmed',
      impact: {
        who: 'about 40 people of the branch',
        since: 'this morning',
        severity: 'the ERP does not open',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'fw-hq',
        kind: 'overloaded firewall',
        text: 'fw-hq handles more sessions than it can inspect. Small answers pass, but under the load of 40,000 sessions it drops the packets of large transfers to the branch.',
      },
      claims: [
        {
          text: 'fw-hq is under a load of 40,000 sessions.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'v2',
              quote: 'Average sessions: 40817 sessions in 1 minute, 40122 sessions in 10 minutes',
            },
            { callId: 'v3', quote: 'session_count=40790 setup_rate=207' },
          ],
        },
        {
          text: 'Large packets through the firewall are dropped.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            { callId: 'v4', quote: '1472 3 packets transmitted, 0 received, 100% packet loss, time 2039ms' },
          ],
        },
        {
          text: 'The large script of the ERP hangs, the health check is answered.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            { callId: 'v1', quote: '/assets/app.js exit=124' },
            { callId: 'v1', quote: '/healthz code=200 bytes=17 connect=0.021' },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'A slow ERP: inside headquarters it answers in 31 ms.',
          quotes: [{ callId: 'v6', quote: 'X-Request-Time: 0.031' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
    written: [
      {
        before: 'v2',
        add: [
          {
            statement: 'The firewall at headquarters is overloaded and drops packets.',
            component: 'fw-hq',
            kind: 'overloaded firewall',
            predictions: [
              {
                call: 'ssh fw-hq: performance status',
                expect: 'Tens of thousands of sessions.',
                refutes: true,
              },
              {
                call: 'bash: pings of several sizes from the branch',
                expect: 'Packets are lost.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'The ERP server is slow to deliver large files.',
            component: 'erp.hq.local',
            kind: 'slow server',
            predictions: [
              {
                call: 'http from headquarters: /assets/app.js',
                expect: 'X-Request-Time of many seconds.',
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
        quote: 'Average sessions: 40817 sessions in 1 minute, 40122 sessions in 10 minutes',
      },
      {
        id: 'h1.2',
        callId: 'v4',
        quote: '1400 3 packets transmitted, 0 received, 100% packet loss, time 2044ms',
      },
      { id: 'h2.1', callId: 'v6', quote: 'X-Request-Time: 0.031', opposite: true },
    ],
    leader: 'h1',
  },
  {
    name: 'node7-conntrack-full',
    verdict: 'wrong',
    why: 'The pod link-checker opens a connection for each link and fills the conntrack table of node-7; packets of all pods there are dropped. The report blames booking-api, which holds 1,902 entries and only suffers.',
    kind: 'the victim blamed for what another did',
    alertStartsAt: '2026-04-27T15:11:00Z',
    runStartedAt: '2026-04-27T15:16:00Z',
    calls: [
      {
        id: 'tc_1',
        tool: 'kubectl',
        args: { args: 'logs deploy/booking-api -n travel --since=20m --tail=7' },
        output: `15:08:58.221 INFO  [http-nio-8080-exec-11] c.t.booking.SearchController - search FRA-LIS 214 results in 188 ms
15:09:31.740 ERROR [http-nio-8080-exec-3] c.t.booking.FareClient - GET http://fares.travel:8080/v3/quote: java.net.SocketTimeoutException: Connect timed out
15:09:33.912 ERROR [http-nio-8080-exec-19] c.t.booking.FareClient - GET http://fares.travel:8080/v3/quote: java.net.SocketTimeoutException: Connect timed out
15:10:02.108 WARN  [http-nio-8080-exec-7] c.t.booking.FareClient - retry 1 of 2 for quote 77120
15:10:04.115 ERROR [http-nio-8080-exec-7] c.t.booking.FareClient - GET http://fares.travel:8080/v3/quote: java.net.SocketTimeoutException: Connect timed out
15:10:40.663 INFO  [scheduling-1] c.t.booking.CacheWarmer - warmed 310 routes in 4.1 s
15:11:00.482 ERROR [http-nio-8080-exec-22] c.t.booking.FareClient - GET http://fares.travel:8080/v3/quote: java.net.SocketTimeoutException: Connect timed out`,
      },
      {
        id: 'tc_2',
        tool: 'ssh',
        args: { host: 'node-7', command: 'dmesg -T | grep -v audit | tail -5' },
        output: `[Mon Apr 27 11:02:17 2026] eth0: renamed from tmp8c1f0
[Mon Apr 27 15:09:29 2026] nf_conntrack: nf_conntrack: table full, dropping packet
[Mon Apr 27 15:09:29 2026] nf_conntrack: nf_conntrack: table full, dropping packet
[Mon Apr 27 15:09:34 2026] net_ratelimit: 1188 callbacks suppressed
[Mon Apr 27 15:09:34 2026] nf_conntrack: nf_conntrack: table full, dropping packet`,
      },
      {
        id: 'tc_3',
        tool: 'ssh',
        args: {
          host: 'node-7',
          command:
            'sysctl net.netfilter.nf_conntrack_count net.netfilter.nf_conntrack_max net.netfilter.nf_conntrack_buckets',
        },
        output: `net.netfilter.nf_conntrack_count = 262144
net.netfilter.nf_conntrack_max = 262144
net.netfilter.nf_conntrack_buckets = 65536`,
      },
      {
        id: 'tc_4',
        tool: 'ssh',
        args: {
          host: 'node-7',
          command:
            "conntrack -L 2>/dev/null | awk '{for(i=1;i<=NF;i++)if($i~/^src=/){print $i;break}}' | sort | uniq -c | sort -rn | head -6",
        },
        output: ` 251377 src=10.42.7.88
   4120 src=10.42.7.12
   1902 src=10.42.7.31
   1544 src=10.42.7.5
    871 src=10.42.7.64
    402 src=10.1.7.7`,
      },
      {
        id: 'tc_5',
        tool: 'kubectl',
        args: { args: 'get pods -A -o wide --field-selector spec.nodeName=node-7' },
        output: `NAMESPACE     NAME                            READY   STATUS    RESTARTS   AGE     IP           NODE
ingress       nginx-ingress-x7q2v             1/1     Running   0          41d     10.42.7.12   node-7
kube-system   coredns-6f6b679f8f-m5k4s        1/1     Running   0          41d     10.42.7.5    node-7
seo           link-checker-29621709-qv8ht     1/1     Running   0          9m      10.42.7.88   node-7
travel        booking-api-84b7c5c6d9-hj2rw    1/1     Running   0          6d4h    10.42.7.31   node-7
travel        seatmap-5b8d4f7c44-9xkfn        1/1     Running   0          6d4h    10.42.7.64   node-7`,
      },
      {
        id: 'tc_6',
        tool: 'kubectl',
        args: { args: 'top pods -n travel' },
        output: `NAME                            CPU(cores)   MEMORY(bytes)
booking-api-84b7c5c6d9-hj2rw    212m         911Mi
fares-7c9f5d6b8d-4zlqs          187m         640Mi
fares-7c9f5d6b8d-wt6vg          171m         655Mi
seatmap-5b8d4f7c44-9xkfn        33m          288Mi`,
      },
    ],
    report: {
      summary:
        'Searches fail because booking-api opens a new connection for each quote and its retries fill the conntrack table of node-7.',
      grade: 'confirmed',
      impact: {
        who: 'travellers who search for flights',
        since: '2026-04-27 15:09 UTC',
        severity: 'quotes time out',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'booking-api, FareClient',
        kind: 'connection leak',
        text: 'FareClient of booking-api does not reuse connections and retries after each timeout. The entries that it leaves behind fill the conntrack table of node-7, and the kernel drops new connections.',
      },
      claims: [
        {
          text: 'booking-api runs into timeouts and retries.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'tc_1',
              quote:
                '15:10:02.108 WARN  [http-nio-8080-exec-7] c.t.booking.FareClient - retry 1 of 2 for quote 77120',
            },
            { callId: 'tc_4', quote: '   1902 src=10.42.7.31' },
          ],
        },
        {
          text: 'The conntrack table of node-7 is full.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            { callId: 'tc_3', quote: 'net.netfilter.nf_conntrack_count = 262144' },
            { callId: 'tc_2', quote: 'nf_conntrack: table full, dropping packet' },
          ],
        },
        {
          text: 'booking-api runs on node-7.',
          role: 'background',
          confidence: 'high',
          quotes: [
            {
              callId: 'tc_5',
              quote:
                'travel        booking-api-84b7c5c6d9-hj2rw    1/1     Running   0          6d4h    10.42.7.31   node-7',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'An overloaded fares service: it uses a fifth of a core.',
          quotes: [{ callId: 'tc_6', quote: 'fares-7c9f5d6b8d-4zlqs          187m         640Mi' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
    written: [
      {
        before: 'tc_2',
        add: [
          {
            statement: 'FareClient of booking-api leaks connections until the node cannot track more.',
            component: 'booking-api, FareClient',
            kind: 'connection leak',
            predictions: [
              {
                call: 'ssh node-7: dmesg and conntrack counters',
                expect: 'The table of connections is full.',
                refutes: true,
              },
              {
                call: 'ssh node-7: conntrack entries by source, and the addresses of its pods',
                expect: 'The address of booking-api is among the first.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'fares is overloaded and accepts no more connections.',
            component: 'fares',
            kind: 'overload',
            predictions: [
              {
                call: 'kubectl top pods -n travel',
                expect: 'fares at its limit of one core.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 'tc_3', quote: 'net.netfilter.nf_conntrack_count = 262144' },
      { id: 'h1.2', callId: 'tc_4', quote: '   1902 src=10.42.7.31' },
      {
        id: 'h2.1',
        callId: 'tc_6',
        quote: 'fares-7c9f5d6b8d-4zlqs          187m         640Mi',
        opposite: true,
      },
    ],
    leader: 'h1',
  },
  {
    name: 'reports-vault-lease',
    verdict: 'wrong',
    why: 'The lease of reports-api had a max TTL of 768 h and ended at 02:14:09; Vault dropped the role as it should, and reports-api kept the old password. The report says that Vault could answer nobody from 02:03 to 02:31, and also that it renewed and revoked leases in that time.',
    kind: 'two claims that cannot both be true',
    alertStartsAt: '2026-06-15T02:20:00Z',
    runStartedAt: '2026-06-15T02:36:00Z',
    calls: [
      {
        id: 'toolu_01',
        tool: 'kubectl',
        args: { args: 'logs deploy/reports-api -n finance --since=40m --tail=6' },
        output: `{"t":"2026-06-15T02:09:40.118Z","level":30,"msg":"report built","id":"r-55120","ms":4122}
{"t":"2026-06-15T02:14:31.902Z","level":50,"msg":"query failed","err":"password authentication failed for user \\"v-k8s-reports-8Qm2zT\\"","code":"28P01"}
{"t":"2026-06-15T02:14:36.915Z","level":50,"msg":"query failed","err":"password authentication failed for user \\"v-k8s-reports-8Qm2zT\\"","code":"28P01"}
{"t":"2026-06-15T02:20:04.447Z","level":40,"msg":"healthcheck degraded","db":"down"}
{"t":"2026-06-15T02:31:12.086Z","level":50,"msg":"query failed","err":"password authentication failed for user \\"v-k8s-reports-8Qm2zT\\"","code":"28P01"}
{"t":"2026-06-15T02:35:50.731Z","level":50,"msg":"query failed","err":"password authentication failed for user \\"v-k8s-reports-8Qm2zT\\"","code":"28P01"}`,
      },
      {
        id: 'toolu_02',
        tool: 'bash',
        args: {
          command:
            "for i in 0 1 2; do kubectl logs vault-$i -n vault --since=1h | grep -E 'raft|leader|core:'; done | sort | tail -7",
        },
        output: `2026-06-15T02:03:17.440Z [WARN]  storage.raft: heartbeat timeout reached, starting election: last-leader-addr=vault-1.vault-internal:8201
2026-06-15T02:03:17.452Z [INFO]  storage.raft: entering candidate state: node="Node at vault-2.vault-internal:8201 [Candidate]" term=48
2026-06-15T02:03:19.010Z [INFO]  storage.raft: election won: term=48 tally=2
2026-06-15T02:03:19.377Z [INFO]  core: acquired lock, enabling active operation
2026-06-15T02:03:20.121Z [INFO]  core: post-unseal setup complete
2026-06-15T02:31:02.006Z [INFO]  storage.raft: starting snapshot up to: index=90210044
2026-06-15T02:31:03.518Z [INFO]  storage.raft: snapshot complete up to: index=90210044`,
      },
      {
        id: 'toolu_03',
        tool: 'bash',
        args: {
          command:
            'kubectl exec vault-2 -n vault -- grep -hE \'T02:(0|1|2)\' /vault/audit/audit.log | jq -r \'select(.type=="response")|[.time,.request.operation,.request.path,(.error//"ok")]|@tsv\' | tail -6',
        },
        output: `2026-06-15T02:04:01.337Z	update	sys/leases/renew	ok
2026-06-15T02:06:55.020Z	read	database/creds/billing	ok
2026-06-15T02:11:48.614Z	update	sys/leases/renew	ok
2026-06-15T02:17:30.441Z	read	secret/data/finance/smtp	ok
2026-06-15T02:22:09.870Z	update	auth/kubernetes/login	ok
2026-06-15T02:27:13.255Z	update	sys/leases/renew	ok`,
      },
      {
        id: 'toolu_04',
        tool: 'bash',
        args: {
          command: 'kubectl logs vault-2 -n vault --since=1h | grep -E "expiration|reports" | tail -4',
        },
        output: `2026-06-15T02:03:20.118Z [INFO]  expiration: lease restore complete
2026-06-15T02:14:09.003Z [INFO]  expiration: revoked lease: lease_id=database/creds/reports/Yc2pLq0vXw8s
2026-06-15T02:19:44.712Z [INFO]  expiration: revoked lease: lease_id=auth/kubernetes/login/h5f0d1a2c77e
2026-06-15T02:25:00.930Z [INFO]  expiration: revoked lease: lease_id=pki/issue/mesh/3a-90-1c`,
      },
      {
        id: 'toolu_05',
        tool: 'bash',
        args: { command: 'vault read database/roles/reports' },
        output: `Key                      Value
---                      -----
creation_statements      [CREATE ROLE "{{name}}" WITH LOGIN PASSWORD '{{password}}' VALID UNTIL '{{expiration}}';]
credential_type          password
db_name                  finance-pg
default_ttl              24h
max_ttl                  768h`,
      },
      {
        id: 'toolu_06',
        tool: 'psql',
        args: {
          db: 'postgres',
          sql: "select pg_is_in_recovery(), pg_postmaster_start_time(), (select count(*) from pg_roles where rolname like 'v-k8s-%') as vault_roles",
        },
        output: ` pg_is_in_recovery |   pg_postmaster_start_time    | vault_roles
-------------------+-------------------------------+-------------
 f                 | 2026-03-02 21:14:55.30118+00  |          11
(1 row)`,
      },
    ],
    report: {
      summary:
        'reports-api lost its database login because the Vault cluster was without a leader for half an hour and could not renew the lease.',
      grade: 'confirmed',
      impact: {
        who: 'the finance department',
        since: '2026-06-15 02:14 UTC',
        severity: 'no report is built',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'Vault cluster, Raft',
        kind: 'loss of the leader',
        text: 'vault-1 lost the leadership at 02:03. Without a leader the lease of reports-api could not be renewed, it ended, and its role in Postgres was removed.',
      },
      claims: [
        {
          text: 'Vault had no leader from 02:03 to 02:31 and answered no request in this time.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'toolu_02',
              quote:
                '2026-06-15T02:03:17.440Z [WARN]  storage.raft: heartbeat timeout reached, starting election: last-leader-addr=vault-1.vault-internal:8201',
            },
          ],
        },
        {
          text: 'Vault renewed leases of other services at 02:04, 02:11 and 02:27 and revoked that of reports-api at 02:14.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'toolu_03', quote: '2026-06-15T02:11:48.614Z	update	sys/leases/renew	ok' },
            {
              callId: 'toolu_04',
              quote:
                '2026-06-15T02:14:09.003Z [INFO]  expiration: revoked lease: lease_id=database/creds/reports/Yc2pLq0vXw8s',
            },
          ],
        },
        {
          text: 'Postgres refuses the user of reports-api since then.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            { callId: 'toolu_01', quote: '"t":"2026-06-15T02:14:31.902Z","level":50,"msg":"query failed"' },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'A failover of Postgres: it is the primary and has run since March.',
          quotes: [
            { callId: 'toolu_06', quote: ' f                 | 2026-03-02 21:14:55.30118+00  |          11' },
          ],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
    written: [
      {
        before: 'toolu_02',
        add: [
          {
            statement: 'Vault lost its leader, so the lease of reports-api was not renewed and ended.',
            component: 'Vault cluster, Raft',
            kind: 'loss of the leader',
            predictions: [
              {
                call: 'logs of vault-0 to vault-2: raft and leader',
                expect: 'A lost leader before 02:14.',
                refutes: true,
              },
              {
                call: 'log of vault-2: expiration',
                expect: 'The lease of reports is revoked right before the first error.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'Postgres failed over to a replica that lacks the role.',
            component: 'finance-pg',
            kind: 'failover',
            predictions: [
              {
                call: 'psql: pg_postmaster_start_time and pg_is_in_recovery',
                expect: 'A start tonight.',
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
        callId: 'toolu_02',
        quote:
          '2026-06-15T02:03:17.440Z [WARN]  storage.raft: heartbeat timeout reached, starting election: last-leader-addr=vault-1.vault-internal:8201',
      },
      {
        id: 'h1.2',
        callId: 'toolu_04',
        quote: 'expiration: revoked lease: lease_id=database/creds/reports/Yc2pLq0vXw8s',
      },
      {
        id: 'h2.1',
        callId: 'toolu_06',
        quote: ' f                 | 2026-03-02 21:14:55.30118+00  |          11',
        opposite: true,
      },
    ],
    leader: 'h1',
  },
];

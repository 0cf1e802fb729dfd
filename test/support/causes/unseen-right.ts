// Ten small incidents with a right cause, written by somebody who had not read the code that judges them. Plain data.
import type { Case } from './hypotheses.ts';

export const unseenRight: Case[] = [
  {
    name: 'usage-events-hot-key',
    verdict: 'right',
    why: 'The import of one tenant writes under one key, so that everything lands in partition 5, which one consumer reads at its usual pace. The other partitions have no lag.',
    kind: 'a table of offsets, counts of keys; the broker and the consumers are healthy',
    alertStartsAt: '2026-05-11T13:20:00Z',
    runStartedAt: '2026-05-11T13:27:10Z',
    calls: [
      {
        id: 'k1',
        tool: 'bash',
        args: {
          command:
            'kafka-consumer-groups.sh --bootstrap-server kafka-1:9092 --describe --group billing-enricher',
        },
        output: `GROUP            TOPIC         PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG      CONSUMER-ID                 HOST          CLIENT-ID
billing-enricher usage-events  0          88120411        88120436        25       enricher-0-5b1c0f2e         /10.4.1.21    enricher-0
billing-enricher usage-events  1          87990102        87990140        38       enricher-0-5b1c0f2e         /10.4.1.21    enricher-0
billing-enricher usage-events  2          88301877        88301890        13       enricher-1-c80ad7b3         /10.4.1.34    enricher-1
billing-enricher usage-events  3          88014566        88014601        35       enricher-1-c80ad7b3         /10.4.1.34    enricher-1
billing-enricher usage-events  4          88177020        88177049        29       enricher-2-914e6d10         /10.4.2.12    enricher-2
billing-enricher usage-events  5          88702954        89907285        1204331  enricher-2-914e6d10         /10.4.2.12    enricher-2
billing-enricher usage-events  6          88093310        88093331        21       enricher-3-02f7ba55         /10.4.2.40    enricher-3
billing-enricher usage-events  7          88155098        88155139        41       enricher-3-02f7ba55         /10.4.2.40    enricher-3`,
      },
      {
        id: 'k2',
        tool: 'bash',
        args: { command: 'kafka-topics.sh --bootstrap-server kafka-1:9092 --describe --topic usage-events' },
        output: `Topic: usage-events	TopicId: 5nVb0yq8QcG3m2dK1tYw7A	PartitionCount: 8	ReplicationFactor: 3	Configs: retention.ms=259200000,min.insync.replicas=2
	Topic: usage-events	Partition: 0	Leader: 1	Replicas: 1,2,3	Isr: 1,2,3
	Topic: usage-events	Partition: 1	Leader: 2	Replicas: 2,3,1	Isr: 2,3,1
	Topic: usage-events	Partition: 2	Leader: 3	Replicas: 3,1,2	Isr: 1,2,3
	Topic: usage-events	Partition: 3	Leader: 1	Replicas: 1,3,2	Isr: 1,2,3
	Topic: usage-events	Partition: 4	Leader: 2	Replicas: 2,1,3	Isr: 1,2,3
	Topic: usage-events	Partition: 5	Leader: 3	Replicas: 3,2,1	Isr: 3,2,1
	Topic: usage-events	Partition: 6	Leader: 1	Replicas: 1,2,3	Isr: 1,2,3
	Topic: usage-events	Partition: 7	Leader: 2	Replicas: 2,3,1	Isr: 2,3,1`,
      },
      {
        id: 'k3',
        tool: 'bash',
        args: { command: 'kubectl logs enricher-2 -n billing --since=30m | grep throughput | tail -6' },
        output: `2026-05-11T13:05:00.118Z INFO  enricher.metrics throughput window=5m records=128211 rps=427 errors=0 poll_avg_ms=31
2026-05-11T13:10:00.104Z INFO  enricher.metrics throughput window=5m records=126904 rps=423 errors=0 poll_avg_ms=32
2026-05-11T13:15:00.121Z INFO  enricher.metrics throughput window=5m records=127630 rps=425 errors=0 poll_avg_ms=31
2026-05-11T13:20:00.097Z INFO  enricher.metrics throughput window=5m records=128055 rps=426 errors=0 poll_avg_ms=31
2026-05-11T13:25:00.110Z INFO  enricher.metrics throughput window=5m records=127118 rps=423 errors=0 poll_avg_ms=32`,
      },
      {
        id: 'k4',
        tool: 'bash',
        args: {
          command:
            "kcat -b kafka-1:9092 -t usage-events -p 5 -o -20000 -e -q -f '%k\\n' | sort | uniq -c | sort -rn | head -6",
        },
        output: `  19388 tenant-3092
    121 tenant-0417
     96 tenant-1180
     74 tenant-2265
     60 tenant-0088
     52 tenant-1931`,
      },
      {
        id: 'k5',
        tool: 'bash',
        args: { command: 'ssh kafka-3 df -h /var/lib/kafka /var/log' },
        output: `Filesystem      Size  Used Avail Use% Mounted on
/dev/nvme1n1    1.8T  911G  798G  54% /var/lib/kafka
/dev/nvme0n1p2   98G   21G   73G  23% /var/log`,
      },
      {
        id: 'k6',
        tool: 'psql',
        args: {
          db: 'usage',
          sql: 'select id, tenant, source, rows_total, rows_sent, started_at from backfills order by started_at desc limit 4',
        },
        output: `  id  |   tenant    |      source      | rows_total | rows_sent |       started_at
------+-------------+------------------+------------+-----------+------------------------
 2217 | tenant-3092 | csv upload       |    3600000 |   1741200 | 2026-05-11 12:37:04+00
 2216 | tenant-1180 | api              |       1240 |      1240 | 2026-05-10 17:02:48+00
 2215 | tenant-0088 | csv upload       |      20310 |     20310 | 2026-05-08 09:15:30+00
 2214 | tenant-2265 | api              |        402 |       402 | 2026-05-07 14:44:11+00
(4 rows)`,
      },
    ],
    report: {
      summary:
        'Billing lags by 1.2 million events because the backfill of tenant-3092 sends all of its rows with the same key, and so to partition 5 of usage-events. One consumer has to work through them alone.',
      grade: 'confirmed',
      impact: {
        who: 'tenants whose keys hash to partition 5, among them tenant-0417 and tenant-1180',
        since: '2026-05-11 12:37 UTC, when the backfill began',
        severity: 'invoice previews are about 47 minutes old',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'usage-events partition 5 (backfill of tenant-3092)',
        kind: 'hot partition',
        text: 'Backfill 2217 of tenant-3092 puts 3.6 million rows under a single key. They all land in partition 5, where they come in faster than enricher-2 can take them out.',
      },
      claims: [
        {
          text: 'Only partition 5 has a backlog.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'k1',
              quote: 'billing-enricher usage-events  5          88702954        89907285        1204331',
            },
            {
              callId: 'k1',
              quote: 'billing-enricher usage-events  4          88177020        88177049        29',
            },
          ],
        },
        {
          text: 'Of the last 20,000 messages in partition 5, 19,388 have the key tenant-3092.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: 'k4', quote: '19388 tenant-3092' }],
        },
        {
          text: 'A CSV backfill of 3.6 million rows for that tenant has been running since 12:37.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'k6',
              quote:
                '2217 | tenant-3092 | csv upload       |    3600000 |   1741200 | 2026-05-11 12:37:04+00',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'A slow consumer: enricher-2 keeps its rate of about 425 records a second and reports no errors.',
          quotes: [
            { callId: 'k3', quote: 'throughput window=5m records=127118 rps=423 errors=0 poll_avg_ms=32' },
          ],
        },
        {
          text: 'A broker that is down or behind: all three replicas of partition 5 are in sync.',
          quotes: [{ callId: 'k2', quote: 'Partition: 5	Leader: 3	Replicas: 3,2,1	Isr: 3,2,1' }],
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
            statement: 'A broker lost replicas and the fetches from partition 5 are slow.',
            component: 'Kafka broker kafka-3',
            kind: 'under-replicated partition',
            predictions: [
              {
                call: 'kafka-topics --describe usage-events',
                expect: 'The Isr of partition 5 is shorter than its replicas.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'enricher-2 has become slow at processing.',
            component: 'billing-enricher, enricher-2',
            kind: 'slow consumer',
            predictions: [
              {
                call: 'kubectl logs enricher-2, throughput lines',
                expect: 'rps falls between 13:00 and 13:25, or errors go up.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'One key floods partition 5.',
            component: 'usage-events, partition 5',
            kind: 'hot key',
            predictions: [
              {
                call: 'kcat partition 5, count the keys of the last messages',
                expect: 'One tenant has most of the messages.',
                refutes: true,
              },
            ],
          },
        ],
      },
      {
        before: 'k6',
        add: [
          {
            statement: 'tenant-3092 runs a bulk import, and that is what fills partition 5.',
            component: 'usage backfill of tenant-3092, partition 5 of usage-events',
            kind: 'hot partition',
            predictions: [
              {
                call: 'psql usage: backfills',
                expect: 'A running backfill of tenant-3092 that is far larger than the usual ones.',
                refutes: true,
              },
              {
                call: 'psql usage: backfills',
                expect: 'It started before the alert of 13:20.',
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
        callId: 'k2',
        quote: 'Partition: 5	Leader: 3	Replicas: 3,2,1	Isr: 3,2,1',
        opposite: true,
      },
      {
        id: 'h2.1',
        callId: 'k3',
        quote:
          '2026-05-11T13:25:00.110Z INFO  enricher.metrics throughput window=5m records=127118 rps=423 errors=0',
        opposite: true,
      },
      { id: 'h3.1', callId: 'k4', quote: '19388 tenant-3092' },
      { id: 'h4.1', callId: 'k6', quote: '2217 | tenant-3092 | csv upload       |    3600000 |   1741200' },
      {
        id: 'h4.2',
        callId: 'k6',
        quote: '2217 | tenant-3092 | csv upload       |    3600000 |   1741200 | 2026-05-11 12:37:04+00',
      },
    ],
    leader: 'h4',
  },
  {
    name: 'solr-heap-in-swap',
    verdict: 'right',
    why: 'tika-batch took 11 GB on a host where Solr has a heap of 24 GB of 32. The kernel swapped parts of the heap out, and each collection has to read them back.',
    kind: 'GC log, sar and /proc; the pauses are a symptom of another process',
    alertStartsAt: '2026-01-19T08:10:00Z',
    runStartedAt: '2026-01-19T08:16:30Z',
    calls: [
      {
        id: 'read-1',
        tool: 'bash',
        args: { command: 'ssh sol-03 "grep -E \'Pause|User=\' /var/solr/logs/solr_gc.log | tail -8"' },
        output: `[2026-01-19T07:38:12.004+0000][info][gc          ] GC(4398) Pause Young (Normal) (G1 Evacuation Pause) 16980M->11811M(24576M) 84.112ms
[2026-01-19T07:38:12.004+0000][info][gc,cpu      ] GC(4398) User=0.91s Sys=0.04s Real=0.08s
[2026-01-19T07:59:30.771+0000][info][gc          ] GC(4409) Pause Young (Normal) (G1 Evacuation Pause) 17204M->11877M(24576M) 2911.530ms
[2026-01-19T07:59:30.771+0000][info][gc,cpu      ] GC(4409) User=0.98s Sys=1.60s Real=2.91s
[2026-01-19T08:06:41.338+0000][info][gc          ] GC(4412) Pause Young (Normal) (G1 Evacuation Pause) 17311M->11902M(24576M) 6120.447ms
[2026-01-19T08:06:41.338+0000][info][gc,cpu      ] GC(4412) User=1.02s Sys=2.77s Real=6.12s
[2026-01-19T08:13:55.602+0000][info][gc          ] GC(4415) Pause Young (Normal) (G1 Evacuation Pause) 17288M->11890M(24576M) 9404.018ms
[2026-01-19T08:13:55.602+0000][info][gc,cpu      ] GC(4415) User=1.05s Sys=3.12s Real=9.40s`,
      },
      {
        id: 'read-2',
        tool: 'bash',
        args: { command: 'ssh sol-03 sar -W -s 07:20:00 -e 08:20:00' },
        output: `Linux 5.15.0-119-generic (sol-03) 	01/19/2026 	_x86_64_	(16 CPU)

07:20:01     pswpin/s pswpout/s
07:30:01         0.00      0.00
07:40:01         0.00      0.31
07:50:01        44.18   2210.75
08:00:01       913.40   1877.02
08:10:01      1702.66    940.13
Average:       532.05   1005.64`,
      },
      {
        id: 'read-3',
        tool: 'bash',
        args: { command: 'ssh sol-03 "ps -eo pid,user,lstart,rss,args --sort=-rss | cut -c1-110 | head -6"' },
        output: `    PID USER                      STARTED   RSS COMMAND
   2211 solr     Mon Jan  5 06:12:40 2026 19644120 /usr/bin/java -server -Xms24g -Xmx24g -XX:+UseG1GC -Djetty.port
 918340 tika     Mon Jan 19 07:41:03 2026 11530904 /usr/bin/java -Xmx12g -jar /opt/tika/tika-batch.jar -i /mnt/inb
    702 root     Mon Jan  5 06:11:58 2026 118240 /usr/bin/filebeat -c /etc/filebeat/filebeat.yml
    655 root     Mon Jan  5 06:11:57 2026  61288 /usr/sbin/multipathd -d -s
    611 root     Mon Jan  5 06:11:57 2026  30112 /lib/systemd/systemd-journald`,
      },
      {
        id: 'read-4',
        tool: 'bash',
        args: { command: 'ssh sol-03 "grep -E \'^(Name|VmRSS|VmSwap|Threads)\' /proc/2211/status; free -m"' },
        output: `Name:	java
VmRSS:	19644120 kB
VmSwap:	 6103284 kB
Threads:	212
               total        used        free      shared  buff/cache   available
Mem:           32101       31344         210           3         546         288
Swap:           8191        6122        2069`,
      },
      {
        id: 'read-5',
        tool: 'http_get',
        args: {
          url: 'http://sol-03:8983/solr/admin/metrics?group=core&prefix=QUERY./select.requestTimes&compact=true',
        },
        output: `{"responseHeader":{"status":0,"QTime":2},
"metrics":{"solr.core.catalog":{"QUERY./select.requestTimes":{
"count":41822907,"meanRate":34.61,"1minRate":33.02,"5minRate":33.80,"15minRate":34.11,
"min_ms":0.4,"max_ms":9611.2,"median_ms":11.8,"p95_ms":7204.5,"p99_ms":9460.0}}}}`,
      },
    ],
    report: {
      summary:
        'Search on sol-03 stops for up to nine seconds at a time. tika-batch was started on the host at 07:41, memory ran out, and about 6 GB of the Solr heap are in swap; every young collection has to page them back in.',
      grade: 'confirmed',
      impact: {
        who: 'about a third of the searches in the shop, those which sol-03 answers',
        since: '2026-01-19 07:50 UTC',
        severity: 'p95 of 7.2 s',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'tika-batch on sol-03',
        kind: 'memory contention, swapping',
        text: 'tika-batch takes 11 GB on a host of 32 GB whose Solr already has 24 GB of heap. The kernel moved 6 GB of the Solr process to swap, so GC pauses now wait for the disk.',
      },
      claims: [
        {
          text: 'Collections of the same size went from 84 ms to over 9 s.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            { callId: 'read-1', quote: '16980M->11811M(24576M) 84.112ms' },
            { callId: 'read-1', quote: '17288M->11890M(24576M) 9404.018ms' },
          ],
        },
        {
          text: 'Most of a pause is waiting: 9.4 s of wall time for about 4 s of CPU.',
          role: 'background',
          confidence: 'high',
          quotes: [{ callId: 'read-1', quote: 'User=1.05s Sys=3.12s Real=9.40s' }],
        },
        {
          text: 'tika-batch was started at 07:41:03 and holds 11.5 GB.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'read-3',
              quote:
                '918340 tika     Mon Jan 19 07:41:03 2026 11530904 /usr/bin/java -Xmx12g -jar /opt/tika/tika-batch.jar',
            },
          ],
        },
        {
          text: 'The host began to swap out in the ten minutes after that.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: 'read-2', quote: '07:50:01        44.18   2210.75' }],
        },
        {
          text: 'Around 6 GB of Solr are in swap.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: 'read-4', quote: 'VmSwap:	 6103284 kB' }],
        },
      ],
      ruledOut: [
        {
          text: 'More traffic. The rate of queries is the same over one, five and fifteen minutes.',
          quotes: [{ callId: 'read-5', quote: '"1minRate":33.02,"5minRate":33.80,"15minRate":34.11' }],
        },
        {
          text: 'A heap that is too small or leaks: after a collection just under 12 of 24 GB are in use, as before.',
          quotes: [{ callId: 'read-1', quote: '17311M->11902M(24576M) 6120.447ms' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
    written: [
      {
        before: 'read-2',
        add: [
          {
            statement: 'Parts of the heap of Solr are swapped out, so the collector waits for the disk.',
            component: 'sol-03, memory of Solr',
            kind: 'swapping',
            predictions: [
              {
                call: 'sar -W on sol-03',
                expect: 'pswpin/s goes up at the same time as the pauses; zero before 07:40.',
                refutes: true,
              },
              { call: '/proc/2211/status', expect: 'VmSwap of Solr is several GB.', refutes: true },
            ],
          },
          {
            statement: 'Search traffic has multiplied and Solr allocates much faster.',
            component: 'Solr core catalog',
            kind: 'overload',
            predictions: [
              {
                call: 'Solr metrics, requestTimes of /select',
                expect: '1minRate well above meanRate.',
                refutes: true,
              },
            ],
          },
        ],
      },
      {
        before: 'read-3',
        add: [
          {
            statement: 'Another process came onto sol-03 shortly before 07:50 and pushes Solr out of memory.',
            component: 'sol-03, a process beside Solr',
            kind: 'memory contention',
            predictions: [
              {
                call: 'ps by rss on sol-03, with start times',
                expect: 'A process of several GB that started between 07:30 and 07:50.',
                refutes: true,
              },
              { call: 'free -m', expect: 'Hardly anything available.' },
            ],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 'read-2', quote: '08:10:01      1702.66    940.13' },
      {
        id: 'h3.1',
        callId: 'read-3',
        quote:
          '918340 tika     Mon Jan 19 07:41:03 2026 11530904 /usr/bin/java -Xmx12g -jar /opt/tika/tika-batch.jar',
      },
      { id: 'h1.2', callId: 'read-4', quote: 'VmSwap:	 6103284 kB' },
      {
        id: 'h3.2',
        callId: 'read-4',
        quote: 'Mem:           32101       31344         210           3         546         288',
      },
      {
        id: 'h2.1',
        callId: 'read-5',
        quote: '"count":41822907,"meanRate":34.61,"1minRate":33.02,"5minRate":33.80,"15minRate":34.11',
        opposite: true,
      },
    ],
    leader: 'h3',
  },
  {
    name: 'fs02-address-twice',
    verdict: 'right',
    why: 'A restore test of the backup was connected to the port group of production and came up with the address of FS02. Windows reports the conflict with its MAC address, and vCenter knows the machine with that address.',
    kind: 'Windows event log, switch and vCenter; the MAC address is written in three ways; an old error in a log that was read in vain',
    alertStartsAt: '2026-03-03T05:36:00Z',
    runStartedAt: '2026-03-03T05:44:20Z',
    calls: [
      {
        id: 'w1',
        tool: 'powershell',
        args: {
          host: 'FS02',
          command:
            'Get-WinEvent -LogName System -MaxEvents 8 | Format-Table TimeCreated, ProviderName, Id, LevelDisplayName, Message -Wrap',
        },
        output: `TimeCreated            ProviderName                         Id LevelDisplayName Message
-----------            ------------                         -- ---------------- -------
2026-03-03 05:42:51Z   Tcpip                              4199 Error            The system detected an address conflict for IP address 10.20.4.31 with the system having network hardware address 00-50-56-9A-3C-11. Network operations on this system may be disrupted as a result.
2026-03-03 05:40:07Z   Service Control Manager            7036 Information      The Windows Modules Installer service entered the stopped state.
2026-03-03 05:37:44Z   Tcpip                              4199 Error            The system detected an address conflict for IP address 10.20.4.31 with the system having network hardware address 00-50-56-9A-3C-11. Network operations on this system may be disrupted as a result.
2026-03-03 05:33:12Z   Tcpip                              4199 Error            The system detected an address conflict for IP address 10.20.4.31 with the system having network hardware address 00-50-56-9A-3C-11. Network operations on this system may be disrupted as a result.
2026-03-03 05:20:31Z   Microsoft-Windows-Time-Service       35 Information      The time service is now synchronizing the system time with the time source dc01.corp.local.
2026-03-03 04:58:02Z   Microsoft-Windows-DistributedCOM  10016 Warning          The application-specific permission settings do not grant Local Activation permission for the COM Server application.`,
      },
      {
        id: 'w2',
        tool: 'powershell',
        args: {
          host: 'FS02',
          command:
            "Get-Counter '\\Processor(_Total)\\% Processor Time','\\PhysicalDisk(_Total)\\Avg. Disk sec/Read','\\Memory\\Available MBytes'; (Get-CimInstance Win32_OperatingSystem).LastBootUpTime",
        },
        output: `Timestamp                 CounterSamples
---------                 --------------
03.03.2026 05:46:02       \\\\fs02\\processor(_total)\\% processor time :
                          7.31442105

                          \\\\fs02\\physicaldisk(_total)\\avg. disk sec/read :
                          0.00210877

                          \\\\fs02\\memory\\available mbytes :
                          9214

Sunday, 8 February 2026 03:12:40`,
      },
      {
        id: 'w3',
        tool: 'powershell',
        args: {
          host: 'FS02',
          command:
            'Get-WinEvent -LogName Application -MaxEvents 5 | Format-Table TimeCreated, ProviderName, Id, LevelDisplayName, Message -Wrap',
        },
        output: `TimeCreated            ProviderName              Id LevelDisplayName Message
-----------            ------------              -- ---------------- -------
2026-03-03 03:00:04Z   SceCli                  1704 Information      Security policy in the Group policy objects has been applied successfully.
2026-03-02 22:15:19Z   ESENT                    326 Information      svchost (4120,D,0) The database engine attached a database (1, C:\\ProgramData\\Microsoft\\Windows\\AppRepository\\StateRepository-Machine.srd).
2026-02-17 11:08:55Z   VSS                     8194 Error            Volume Shadow Copy Service error: Unexpected error querying for the IVssWriterCallback interface. hr = 0x80070005, Access is denied.
2026-02-17 11:08:51Z   VSS                     8224 Information      The VSS service is shutting down due to idle timeout.`,
      },
      {
        id: 'w4',
        tool: 'ssh',
        args: {
          host: 'sw-core-1',
          command: 'show logging last 6 ; show mac address-table address 0050.569a.3c11',
        },
        output: `2026 Mar  3 05:33:12 sw-core-1 %ARP-5-ENTRY_MOVED:  arp [4711]  10.20.4.31 on Vlan204(port-channel12) moved from 0050.568f.207d to 0050.569a.3c11
2026 Mar  3 05:33:40 sw-core-1 %L2FM-4-L2FM_MAC_MOVE: Mac 0050.5691.e4b2 in vlan 118 has moved from Po12 to Po14
2026 Mar  3 05:41:09 sw-core-1 %VSHD-5-VSHD_SYSLOG_CONFIG_I: Configured from vty by netops on 10.20.1.9@pts/0

   VLAN     MAC Address      Type      age     Secure NTFY Ports
---------+-----------------+--------+---------+------+----+------------------
* 204      0050.569a.3c11   dynamic  20         F      F    Po12`,
      },
      {
        id: 'w5',
        tool: 'powercli',
        args: {
          command:
            "Get-VM | Get-NetworkAdapter | ? MacAddress -in '00:50:56:9a:3c:11','00:50:56:8f:20:7d' | select Parent,MacAddress,NetworkName,ConnectionState",
        },
        output: `Parent              MacAddress          NetworkName        ConnectionState
------              ----------          -----------        ---------------
FS02                00:50:56:8f:20:7d   pg-prod-files-204  Connected, GuestControl, StartConnected
FS02_restore_test   00:50:56:9a:3c:11   pg-prod-files-204  Connected, GuestControl, StartConnected`,
      },
      {
        id: 'w6',
        tool: 'powercli',
        args: {
          command:
            'Get-VIEvent -Entity FS02_restore_test -MaxSamples 5 | select CreatedTime,UserName,FullFormattedMessage',
        },
        output: `CreatedTime           UserName          FullFormattedMessage
-----------           --------          --------------------
03.03.2026 05:32:38Z                    FS02_restore_test on esx-07.corp.local in DC-North has powered on
03.03.2026 05:32:31Z  CORP\\svc-backup   Reconfigured FS02_restore_test on esx-07.corp.local in DC-North. Modified: config.hardware.device(4000).backing.port.portgroupKey: "pg-isolated" -> "pg-prod-files-204"
03.03.2026 05:30:02Z  CORP\\svc-backup   Created virtual machine FS02_restore_test on esx-07.corp.local in DC-North`,
      },
    ],
    report: {
      summary:
        'File shares on FS02 drop out because a second machine uses its address 10.20.4.31: the restore test of the backup, FS02_restore_test, was powered on at 05:32 in the production port group.',
      grade: 'confirmed',
      impact: {
        who: 'users of the shares on FS02',
        since: '2026-03-03 05:33 UTC',
        severity: 'sessions break off every few minutes',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'FS02_restore_test (VM)',
        kind: 'duplicate IP address',
        text: 'The restore test of FS02 was moved from the isolated port group to pg-prod-files-204 and powered on, so two machines answer for 10.20.4.31.',
      },
      claims: [
        {
          text: 'FS02 sees an address conflict with 00-50-56-9A-3C-11 from 05:33:12 on.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'w1',
              quote:
                '2026-03-03 05:33:12Z   Tcpip                              4199 Error            The system detected an address conflict for IP address 10.20.4.31 with the system having network hardware address 00-50-56-9A-3C-11.',
            },
          ],
        },
        {
          text: 'That MAC belongs to FS02_restore_test, which is on the same network as FS02.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: 'w5', quote: 'FS02_restore_test   00:50:56:9a:3c:11   pg-prod-files-204' }],
        },
        {
          text: 'The backup account changed its port group and it was powered on half a minute before the first conflict.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'w6', quote: 'portgroupKey: "pg-isolated" -> "pg-prod-files-204"' },
            {
              callId: 'w6',
              quote:
                '03.03.2026 05:32:38Z                    FS02_restore_test on esx-07.corp.local in DC-North has powered on',
            },
          ],
        },
        {
          text: 'The core switch saw the address move to that MAC at the same second.',
          confidence: 'medium',
          quotes: [
            {
              callId: 'w4',
              quote: '10.20.4.31 on Vlan204(port-channel12) moved from 0050.568f.207d to 0050.569a.3c11',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'FS02 itself overloaded: the disks read in 2 ms and the CPU idles.',
          quotes: [
            {
              callId: 'w2',
              quote: `\\\\fs02\\physicaldisk(_total)\\avg. disk sec/read :
                          0.00210877`,
            },
          ],
        },
        {
          text: 'A reboot of FS02; it has been up since February.',
          quotes: [{ callId: 'w2', quote: 'Sunday, 8 February 2026 03:12:40' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
    written: [
      {
        before: 'w2',
        add: [
          {
            statement: 'Another machine on VLAN 204 has taken 10.20.4.31, the address of FS02.',
            component: 'second host with the address of FS02',
            kind: 'duplicate IP',
            predictions: [
              {
                call: 'sw-core-1: log and MAC table for 0050.569a.3c11',
                expect: 'The MAC is learnt in VLAN 204 and the switch saw the address move to it.',
                refutes: true,
              },
              {
                call: 'PowerCLI: network adapters by MAC',
                expect: 'A VM other than FS02 owns 00:50:56:9a:3c:11.',
              },
            ],
          },
          {
            statement: 'FS02 is overloaded, and the clients time out.',
            component: 'FS02',
            kind: 'overload',
            predictions: [
              {
                call: 'Get-Counter on FS02: processor and disk',
                expect: 'CPU near 100 % or reads slower than 20 ms.',
                refutes: true,
              },
            ],
          },
        ],
      },
      {
        before: 'w6',
        add: [
          {
            statement: 'The restore test FS02_restore_test was put on the production network by mistake.',
            component: 'FS02_restore_test',
            kind: 'duplicate IP, wrong port group',
            predictions: [
              {
                call: 'Get-VIEvent of FS02_restore_test',
                expect: 'Power on shortly before 05:33:12, the time of the first conflict.',
                refutes: true,
              },
              {
                call: 'Get-VIEvent of FS02_restore_test',
                expect: 'It was created on, or moved to, pg-prod-files-204 just now.',
              },
            ],
          },
        ],
      },
    ],
    tests: [
      {
        id: 'h2.1',
        callId: 'w2',
        quote: `\\\\fs02\\processor(_total)\\% processor time :
                          7.31442105`,
        opposite: true,
      },
      {
        id: 'h1.1',
        callId: 'w4',
        quote:
          '%ARP-5-ENTRY_MOVED:  arp [4711]  10.20.4.31 on Vlan204(port-channel12) moved from 0050.568f.207d to 0050.569a.3c11',
      },
      { id: 'h1.2', callId: 'w5', quote: 'FS02_restore_test   00:50:56:9a:3c:11   pg-prod-files-204' },
      {
        id: 'h3.1',
        callId: 'w6',
        quote:
          '05:32:38Z                    FS02_restore_test on esx-07.corp.local in DC-North has powered on',
      },
      {
        id: 'h3.2',
        callId: 'w6',
        quote:
          'Modified: config.hardware.device(4000).backing.port.portgroupKey: "pg-isolated" -> "pg-prod-files-204"',
      },
    ],
    leader: 'h3',
  },
  {
    name: 'archive-bucket-deny',
    verdict: 'right',
    why: 'The policy of the bucket denies uploads without SSE-KMS since a Terraform run at 10:02; the archiver uploads with AES256. Its role still allows the upload.',
    kind: 'JSON of the AWS CLI, a log of GitHub Actions; the policy is a state read after the symptom',
    alertStartsAt: '2026-07-08T10:15:00Z',
    runStartedAt: '2026-07-08T10:21:00Z',
    calls: [
      {
        id: 'toolu_01',
        tool: 'kubectl',
        args: { args: 'logs deploy/invoice-archiver -n finance --since=40m' },
        output: `{"ts":"2026-07-08T09:58:41.220Z","level":"info","msg":"archived","key":"2026/07/08/inv-881204.pdf","bytes":88213,"ms":74}
{"ts":"2026-07-08T10:00:12.871Z","level":"info","msg":"archived","key":"2026/07/08/inv-881205.pdf","bytes":91002,"ms":69}
{"ts":"2026-07-08T10:02:40.409Z","level":"error","msg":"upload failed","key":"2026/07/08/inv-881206.pdf","err":"AccessDenied: User: arn:aws:sts::210987654321:assumed-role/invoice-archiver/web-identity is not authorized to perform: s3:PutObject on resource: \\"arn:aws:s3:::acme-invoice-archive/2026/07/08/inv-881206.pdf\\" with an explicit deny in a resource-based policy"}
{"ts":"2026-07-08T10:02:40.410Z","level":"warn","msg":"retry scheduled","key":"2026/07/08/inv-881206.pdf","in":"60s","sse":"AES256"}
{"ts":"2026-07-08T10:09:00.006Z","level":"info","msg":"cache of customers refreshed","entries":20411}`,
      },
      {
        id: 'toolu_02',
        tool: 'aws',
        args: { args: 'iam get-role-policy --role-name invoice-archiver --policy-name s3-write' },
        output: `{
    "RoleName": "invoice-archiver",
    "PolicyName": "s3-write",
    "PolicyDocument": {
        "Version": "2012-10-17",
        "Statement": [
            { "Effect": "Allow", "Action": ["s3:PutObject", "s3:AbortMultipartUpload"], "Resource": "arn:aws:s3:::acme-invoice-archive/*" }
        ]
    }
}`,
      },
      {
        id: 'toolu_03',
        tool: 'aws',
        args: { args: 's3api get-bucket-policy --bucket acme-invoice-archive --query Policy --output text' },
        output: `{"Version":"2012-10-17","Statement":[
{"Sid":"DenyPlainHttp","Effect":"Deny","Principal":"*","Action":"s3:*","Resource":"arn:aws:s3:::acme-invoice-archive/*","Condition":{"Bool":{"aws:SecureTransport":"false"}}},
{"Sid":"DenyUnlessKms","Effect":"Deny","Principal":"*","Action":"s3:PutObject","Resource":"arn:aws:s3:::acme-invoice-archive/*","Condition":{"StringNotEquals":{"s3:x-amz-server-side-encryption":"aws:kms"}}}
]}`,
      },
      {
        id: 'toolu_04',
        tool: 'aws',
        args: {
          args: 'cloudtrail lookup-events --lookup-attributes AttributeKey=ResourceName,AttributeValue=acme-invoice-archive --max-results 3',
        },
        output: `{
    "Events": [
        { "EventId": "0c6b5f1e-90b1-4f3b-8a10-6d2f0c9a7a55", "EventName": "PutBucketPolicy", "EventTime": "2026-07-08T10:02:17+00:00", "Username": "gha-infra-live", "ReadOnly": "false" },
        { "EventId": "e1f4a3d0-2b57-47ce-9d0e-b3f20f6b1c02", "EventName": "GetBucketPolicy", "EventTime": "2026-07-08T10:01:48+00:00", "Username": "gha-infra-live", "ReadOnly": "true" },
        { "EventId": "7e920d4c-5f06-4a0b-bd84-1a0c55b7e1f9", "EventName": "GetBucketTagging", "EventTime": "2026-07-08T06:00:09+00:00", "Username": "cost-explorer-sync", "ReadOnly": "true" }
    ]
}`,
      },
      {
        id: 'toolu_05',
        tool: 'gh',
        args: { args: 'run view 16120443918 --repo acme/infra-live --log | tail -13' },
        output: `apply	Terraform apply	2026-07-08T10:01:58.1130044Z   # module.archive.aws_s3_bucket_policy.this will be updated in-place
apply	Terraform apply	2026-07-08T10:01:58.1130871Z   ~ resource "aws_s3_bucket_policy" "this" {
apply	Terraform apply	2026-07-08T10:01:58.1131610Z       ~ policy = jsonencode(
apply	Terraform apply	2026-07-08T10:01:58.1132402Z           + { Sid = "DenyUnlessKms", Effect = "Deny", Action = "s3:PutObject", Principal = "*", ... }
apply	Terraform apply	2026-07-08T10:01:58.1133195Z   # module.dns.aws_route53_record.status will be updated in-place
apply	Terraform apply	2026-07-08T10:01:58.1133744Z       ~ ttl = 300 -> 60
apply	Terraform apply	2026-07-08T10:02:16.9014430Z module.archive.aws_s3_bucket_policy.this: Modifying... [id=acme-invoice-archive]
apply	Terraform apply	2026-07-08T10:02:17.7720119Z module.archive.aws_s3_bucket_policy.this: Modifications complete after 1s [id=acme-invoice-archive]
apply	Terraform apply	2026-07-08T10:02:50.3391004Z Apply complete! Resources: 0 added, 2 changed, 0 destroyed.
apply	Post Checkout	2026-07-08T10:02:51.0040933Z ##[warning]Node.js 16 actions are deprecated. Please update the following actions to use Node.js 20: actions/checkout@v3`,
      },
    ],
    report: {
      summary:
        'invoice-archiver cannot upload since 10:02 because Terraform added a statement to the bucket policy of acme-invoice-archive that denies every PutObject without SSE-KMS. The archiver still sends AES256.',
      grade: 'confirmed',
      impact: {
        who: 'finance; invoices are created and mailed, but not archived',
        since: '2026-07-08T10:02:40Z',
        severity: 'every upload fails and is retried',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'bucket policy of acme-invoice-archive',
        kind: 'configuration change, access denied',
        text: 'The new statement DenyUnlessKms, applied by the infra-live pipeline at 10:02:17, rejects uploads that are encrypted with AES256, and those are the only ones that invoice-archiver makes.',
      },
      claims: [
        {
          text: 'The bucket policy denies PutObject unless the object is encrypted with KMS.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'toolu_03',
              quote:
                '{"Sid":"DenyUnlessKms","Effect":"Deny","Principal":"*","Action":"s3:PutObject","Resource":"arn:aws:s3:::acme-invoice-archive/*","Condition":{"StringNotEquals":{"s3:x-amz-server-side-encryption":"aws:kms"}}}',
            },
          ],
        },
        {
          text: 'Terraform put that policy in place at 10:02:17.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'toolu_04',
              quote: '"EventName": "PutBucketPolicy", "EventTime": "2026-07-08T10:02:17+00:00"',
            },
            {
              callId: 'toolu_05',
              quote:
                '+ { Sid = "DenyUnlessKms", Effect = "Deny", Action = "s3:PutObject", Principal = "*", ... }',
            },
          ],
        },
        {
          text: 'Uploads worked at 10:00:12 and have failed since 10:02:40 with an explicit deny of the resource.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            { callId: 'toolu_01', quote: '{"ts":"2026-07-08T10:00:12.871Z","level":"info","msg":"archived"' },
            { callId: 'toolu_01', quote: 'with an explicit deny in a resource-based policy' },
          ],
        },
        {
          text: 'The archiver asks for AES256.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: 'toolu_01', quote: '"in":"60s","sse":"AES256"' }],
        },
      ],
      ruledOut: [
        {
          text: 'The IAM role lost its permission. It still allows s3:PutObject on the bucket.',
          quotes: [
            {
              callId: 'toolu_02',
              quote: '"Effect": "Allow", "Action": ["s3:PutObject", "s3:AbortMultipartUpload"]',
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
        before: 'toolu_02',
        add: [
          {
            statement: 'A change to the bucket policy blocks the uploads of the archiver.',
            component: 'acme-invoice-archive, bucket policy',
            kind: 'access denied by policy',
            predictions: [
              {
                call: 'aws s3api get-bucket-policy acme-invoice-archive',
                expect: 'A Deny on s3:PutObject whose condition fits AES256 uploads.',
                refutes: true,
              },
              {
                call: 'aws cloudtrail lookup-events for the bucket',
                expect: 'PutBucketPolicy between 10:00:12 and 10:02:40.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'The role invoice-archiver no longer has s3:PutObject.',
            component: 'IAM role invoice-archiver',
            kind: 'missing permission',
            predictions: [
              {
                call: 'aws iam get-role-policy invoice-archiver s3-write',
                expect: 'No Allow for s3:PutObject on this bucket.',
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
        callId: 'toolu_02',
        quote:
          '{ "Effect": "Allow", "Action": ["s3:PutObject", "s3:AbortMultipartUpload"], "Resource": "arn:aws:s3:::acme-invoice-archive/*" }',
        opposite: true,
      },
      {
        id: 'h1.1',
        callId: 'toolu_03',
        quote: '{"Sid":"DenyUnlessKms","Effect":"Deny","Principal":"*","Action":"s3:PutObject"',
      },
      {
        id: 'h1.2',
        callId: 'toolu_04',
        quote:
          '"EventName": "PutBucketPolicy", "EventTime": "2026-07-08T10:02:17+00:00", "Username": "gha-infra-live"',
      },
    ],
    leader: 'h1',
  },
  {
    name: 'bundle-lock-order',
    verdict: 'right',
    why: 'The new reservation of bundles locks rows of stock in the order of the bundle, the old one by id. The report of InnoDB shows the two statements that hold what the other one wants.',
    kind: 'a deadlock report of many lines, a search in code, a history of deployments; other words for the same table',
    alertStartsAt: '2026-06-10T14:05:00Z',
    runStartedAt: '2026-06-10T14:12:00Z',
    calls: [
      {
        id: '1',
        tool: 'grep',
        args: { pattern: '1213|1205', path: '/var/log/shop-api/app.log', limit: 5 },
        output: `2026-06-10 13:31:08,114 WARNING reserve.line order=5510288 OperationalError (1213, 'Deadlock found when trying to get lock; try restarting transaction')
2026-06-10 13:38:55,902 WARNING reserve.bundle order=5510341 OperationalError (1213, 'Deadlock found when trying to get lock; try restarting transaction')
2026-06-10 13:52:17,660 WARNING reserve.line order=5510467 OperationalError (1213, 'Deadlock found when trying to get lock; try restarting transaction')
2026-06-10 14:01:33,237 ERROR   reserve.bundle order=5510532 gave up after 3 attempts: (1213, 'Deadlock found when trying to get lock; try restarting transaction')
2026-06-10 14:04:49,018 ERROR   reserve.bundle order=5510560 gave up after 3 attempts: (1213, 'Deadlock found when trying to get lock; try restarting transaction')`,
      },
      {
        id: '2',
        tool: 'mysql',
        args: { host: 'mysql-shop-0', sql: 'show engine innodb status\\G' },
        output: `------------------------
LATEST DETECTED DEADLOCK
------------------------
2026-06-10 14:04:48 0x7f3a1c5f8700
*** (1) TRANSACTION:
TRANSACTION 98120442, ACTIVE 0 sec starting index read, 3 lock struct(s), heap size 1128, 2 row lock(s)
/* reserve.line */ SELECT qty FROM stock WHERE sku_id = 20417 FOR UPDATE
*** (1) HOLDS THE LOCK(S): RECORD LOCKS space id 211 page no 88 index PRIMARY of table \`shop\`.\`stock\` trx id 98120442 lock_mode X locks rec but not gap, sku_id 10933
*** (1) WAITING FOR THIS LOCK TO BE GRANTED: table \`shop\`.\`stock\` trx id 98120442 lock_mode X locks rec but not gap waiting, sku_id 20417
*** (2) TRANSACTION:
TRANSACTION 98120439, ACTIVE 0 sec starting index read, 4 lock struct(s), heap size 1128, 3 row lock(s)
/* reserve.bundle */ SELECT qty FROM stock WHERE sku_id = 10933 FOR UPDATE
*** (2) HOLDS THE LOCK(S): RECORD LOCKS space id 211 page no 91 index PRIMARY of table \`shop\`.\`stock\` trx id 98120439 lock_mode X locks rec but not gap, sku_id 20417
*** (2) WAITING FOR THIS LOCK TO BE GRANTED: table \`shop\`.\`stock\` trx id 98120439 lock_mode X locks rec but not gap waiting, sku_id 10933
*** WE ROLL BACK TRANSACTION (2)`,
      },
      {
        id: '3',
        tool: 'mysql',
        args: { host: 'mysql-shop-1', sql: 'show replica status\\G' },
        output: `*************************** 1. row ***************************
             Replica_IO_State: Waiting for source to send event
                  Source_Host: mysql-shop-0
           Replica_IO_Running: Yes
          Replica_SQL_Running: Yes
                   Last_Errno: 0
        Seconds_Behind_Source: 0
             Auto_Position: 1`,
      },
      {
        id: '4',
        tool: 'bash',
        args: {
          command: "cd /srv/src/shop-api && git checkout -q 2026.24.0 && grep -n -B3 'for_update' stock/*.py",
        },
        output: `stock/bundle.py-41-    def reserve_bundle(self, tx, bundle, n):
stock/bundle.py-42-        for part in bundle.parts:            # as the bundle lists them
stock/bundle.py-43-            row = (tx.query(Stock).filter_by(sku_id=part.sku_id)
stock/bundle.py:44:                     .with_for_update().one())
--
stock/line.py-27-    def reserve_lines(self, tx, lines):
stock/line.py-28-        for line in sorted(lines, key=lambda l: l.sku_id):
stock/line.py-29-            row = (tx.query(Stock).filter_by(sku_id=line.sku_id)
stock/line.py:30:                     .with_for_update().one())`,
      },
      {
        id: '5',
        tool: 'argocd',
        args: { args: 'app history shop-api --output wide' },
        output: `ID   DATE                           REVISION              AUTHOR
118  2026-05-27 09:02:11 +0000 UTC  2026.22.0 (5ac01de)   m.rossi
119  2026-06-03 08:55:40 +0000 UTC  2026.23.0 (be77a90)   t.lind
120  2026-06-10 13:22:07 +0000 UTC  2026.24.0 (10f3c6b)   m.rossi   "stock: reserve bundles in one transaction"`,
      },
      {
        id: '6',
        tool: 'mysql',
        args: {
          host: 'mysql-shop-0',
          sql: "select date_format(ts, '%H:%i') t, orders_per_min, p95_trx_ms, longest_trx_s from ops.minutely where ts >= now() - interval 70 minute and minute(ts) % 10 = 0",
        },
        output: `+-------+----------------+------------+---------------+
| t     | orders_per_min | p95_trx_ms | longest_trx_s |
+-------+----------------+------------+---------------+
| 13:10 |            212 |         18 |             1 |
| 13:20 |            220 |         17 |             1 |
| 13:30 |            209 |         19 |             1 |
| 13:40 |            217 |         18 |             1 |
| 13:50 |            214 |         21 |             1 |
| 14:00 |            221 |         19 |             1 |
| 14:10 |            216 |         18 |             1 |
+-------+----------------+------------+---------------+`,
      },
    ],
    report: {
      summary:
        'Orders with bundles fail on MySQL deadlocks. Release 2026.24.0 of shop-api reserves the parts of a bundle in the order in which the bundle lists them, while ordinary reservations lock by ascending sku_id, so the two block each other.',
      grade: 'confirmed',
      impact: {
        who: 'customers who order bundles',
        since: '2026-06-10 13:31 UTC',
        severity: 'some orders are given up after three attempts, others succeed when retried',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'shop-api, reserve_bundle (stock/bundle.py)',
        kind: 'deadlock, inconsistent lock order',
        text: 'reserve_bundle takes its row locks in stock unsorted. If an ordinary reservation holds a lower sku_id and wants a higher one, each waits for the other and MySQL kills one.',
      },
      claims: [
        {
          text: 'In the last deadlock reserve.bundle held 20417 and wanted 10933, while reserve.line held 10933 and wanted 20417.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: '2',
              quote: '/* reserve.bundle */ SELECT qty FROM stock WHERE sku_id = 10933 FOR UPDATE',
            },
            { callId: '2', quote: 'trx id 98120439 lock_mode X locks rec but not gap, sku_id 20417' },
            { callId: '2', quote: 'trx id 98120442 lock_mode X locks rec but not gap waiting, sku_id 20417' },
          ],
        },
        {
          text: 'bundle.py iterates over the parts as they are listed; line.py sorts by sku_id.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: '4', quote: 'for part in bundle.parts:            # as the bundle lists them' },
            { callId: '4', quote: 'for line in sorted(lines, key=lambda l: l.sku_id):' },
          ],
        },
        {
          text: 'The release with the new reservation went out at 13:22, nine minutes before the first deadlock.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: '5',
              quote:
                '120  2026-06-10 13:22:07 +0000 UTC  2026.24.0 (10f3c6b)   m.rossi   "stock: reserve bundles in one transaction"',
            },
            {
              callId: '1',
              quote: '2026-06-10 13:31:08,114 WARNING reserve.line order=5510288 OperationalError (1213,',
            },
          ],
        },
        {
          text: 'Orders are lost from 14:01 on.',
          role: 'effect',
          confidence: 'medium',
          quotes: [
            {
              callId: '1',
              quote: '2026-06-10 14:01:33,237 ERROR   reserve.bundle order=5510532 gave up after 3 attempts',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'A rush of orders or a long transaction that keeps locks: both are where they were before 13:20.',
          quotes: [
            { callId: '6', quote: '| 13:10 |            212 |         18 |             1 |' },
            { callId: '6', quote: '| 14:00 |            221 |         19 |             1 |' },
          ],
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
            statement: 'Two code paths of shop-api lock the same rows in different order.',
            component: 'shop-api, stock reservation',
            kind: 'lock order',
            predictions: [
              {
                call: 'mysql: show engine innodb status, latest deadlock',
                expect:
                  'Each transaction holds the row that the other one waits for, and they come from different paths.',
                refutes: true,
              },
              {
                call: 'grep for_update in the source of shop-api',
                expect: 'One of the paths does not sort by sku_id.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'Many more orders than usual meet on the same articles.',
            component: 'order traffic',
            kind: 'load',
            predictions: [
              {
                call: 'mysql: ops.minutely',
                expect: 'orders_per_min clearly higher since 13:30.',
                refutes: true,
              },
            ],
          },
        ],
      },
      {
        before: '5',
        add: [
          {
            statement: 'It came with a recent release that introduced reserve_bundle with row locks.',
            component: 'shop-api, reserve_bundle',
            kind: 'regression, deadlock',
            predictions: [
              {
                call: 'argocd app history shop-api',
                expect: 'A rollout before 13:31 today that touches the reservation of bundles.',
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
        callId: '2',
        quote:
          '*** (2) HOLDS THE LOCK(S): RECORD LOCKS space id 211 page no 91 index PRIMARY of table `shop`.`stock` trx id 98120439 lock_mode X locks rec but not gap, sku_id 20417',
      },
      { id: 'h1.2', callId: '4', quote: 'for part in bundle.parts:            # as the bundle lists them' },
      {
        id: 'h3.1',
        callId: '5',
        quote: '2026.24.0 (10f3c6b)   m.rossi   "stock: reserve bundles in one transaction"',
      },
      {
        id: 'h2.1',
        callId: '6',
        quote: '| 14:00 |            221 |         19 |             1 |',
        opposite: true,
      },
    ],
    leader: 'h1',
  },
  {
    name: 'logs-index-allocation-off',
    verdict: 'right',
    why: 'The setting cluster.routing.allocation.enable stayed at "none" after the upgrade, so the shards of the new index of the day cannot be allocated. Disks and nodes are fine.',
    kind: 'a setting that somebody left behind; JSON and tables of _cat; the evidence is a state, set hours before the symptom',
    alertStartsAt: '2026-02-05T00:02:00Z',
    runStartedAt: '2026-02-05T00:09:45Z',
    calls: [
      {
        id: 'es-1',
        tool: 'http_get',
        args: {
          url: 'http://es-1:9200/_cat/shards/logs-app-*?v&s=index:desc&h=index,shard,prirep,state,docs,node,unassigned.reason',
        },
        output: `index               shard prirep state          docs node unassigned.reason
logs-app-2026.02.05 0     p      UNASSIGNED               INDEX_CREATED
logs-app-2026.02.05 0     r      UNASSIGNED               INDEX_CREATED
logs-app-2026.02.05 1     p      UNASSIGNED               INDEX_CREATED
logs-app-2026.02.05 1     r      UNASSIGNED               INDEX_CREATED
logs-app-2026.02.04 0     p      STARTED    41220981 es-2
logs-app-2026.02.04 0     r      STARTED    41220981 es-3
logs-app-2026.02.04 1     p      STARTED    41208110 es-3
logs-app-2026.02.04 1     r      STARTED    41208110 es-1`,
      },
      {
        id: 'es-2',
        tool: 'http_get',
        args: { url: 'http://es-1:9200/_cat/allocation?v&h=node,shards,disk.percent,disk.avail,disk.total' },
        output: `node shards disk.percent disk.avail disk.total
es-1    204           61    760.4gb      1.9tb
es-2    203           63    721.9gb      1.9tb
es-3    205           60    779.0gb      1.9tb`,
      },
      {
        id: 'es-3',
        tool: 'http_post',
        args: {
          url: 'http://es-1:9200/_cluster/allocation/explain',
          body: '{"index":"logs-app-2026.02.05","shard":0,"primary":true}',
        },
        output: `{
  "index": "logs-app-2026.02.05", "shard": 0, "primary": true, "current_state": "unassigned",
  "unassigned_info": { "reason": "INDEX_CREATED", "at": "2026-02-05T00:00:01.414Z", "last_allocation_status": "no" },
  "can_allocate": "no",
  "node_allocation_decisions": [
    { "node_name": "es-1", "node_decision": "no", "deciders": [
      { "decider": "enable", "decision": "NO",
        "explanation": "no allocations are allowed due to cluster setting [cluster.routing.allocation.enable=none]" } ] },
    { "node_name": "es-2", "node_decision": "no", "deciders": [
      { "decider": "enable", "decision": "NO",
        "explanation": "no allocations are allowed due to cluster setting [cluster.routing.allocation.enable=none]" } ] }
  ]
}`,
      },
      {
        id: 'es-4',
        tool: 'http_get',
        args: { url: 'http://es-1:9200/_cluster/settings?flat_settings=true' },
        output: `{
  "persistent": {
    "cluster.routing.allocation.enable": "none",
    "cluster.routing.allocation.disk.watermark.low": "85%",
    "indices.recovery.max_bytes_per_sec": "200mb"
  },
  "transient": {}
}`,
      },
      {
        id: 'es-5',
        tool: 'grep',
        args: {
          pattern: 'updating \\[|master node changed|version',
          path: '/var/log/elasticsearch/logs-prod.log',
          host: 'es-1',
          limit: 5,
        },
        output: `[2026-02-04T15:11:06,201][INFO ][o.e.c.s.ClusterSettings  ] [es-1] updating [cluster.routing.allocation.enable] from [ALL] to [NONE]
[2026-02-04T15:14:52,880][INFO ][o.e.n.Node               ] [es-1] version[8.17.1], pid[1733], build[deb/d4b391d/2026-01-14T10:08:11Z], OS[Linux/6.1.0-31-amd64/amd64]
[2026-02-04T15:52:19,007][INFO ][o.e.c.s.MasterService    ] [es-1] node-join[{es-3}{8.17.1} joining], term: 41, version: 90112
[2026-02-04T18:20:40,455][INFO ][o.e.c.s.ClusterSettings  ] [es-1] updating [indices.recovery.max_bytes_per_sec] from [40mb] to [200mb]`,
      },
    ],
    report: {
      summary:
        'No application logs have been indexed since midnight. Shard allocation was switched off for the upgrade yesterday afternoon and never switched on again, so the new daily index logs-app-2026.02.05 has no shards.',
      grade: 'confirmed',
      impact: {
        who: 'everybody who searches logs; alerts that are made from logs',
        since: '2026-02-05T00:00Z',
        severity: 'nothing of today can be searched; yesterday is complete',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'Elasticsearch cluster logs-prod, cluster.routing.allocation.enable',
        kind: 'misconfiguration left after maintenance',
        text: 'cluster.routing.allocation.enable has been none since the upgrade on 4 February, 15:11. Existing shards stayed where they are, but those of a new index are not assigned to any node.',
      },
      claims: [
        {
          text: 'All shards of the index of today are unassigned.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'es-1',
              quote: 'logs-app-2026.02.05 0     p      UNASSIGNED               INDEX_CREATED',
            },
            {
              callId: 'es-1',
              quote: 'logs-app-2026.02.05 1     p      UNASSIGNED               INDEX_CREATED',
            },
          ],
        },
        {
          text: 'The cluster refuses them because of the setting.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'es-3',
              quote:
                'no allocations are allowed due to cluster setting [cluster.routing.allocation.enable=none]',
            },
          ],
        },
        {
          text: 'It is a persistent setting, and it was changed during the upgrade at 15:11.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'es-4', quote: '"cluster.routing.allocation.enable": "none",' },
            { callId: 'es-5', quote: 'updating [cluster.routing.allocation.enable] from [ALL] to [NONE]' },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'Disks above the watermark. The fullest node is at 63 %, and the low watermark is 85 %.',
          quotes: [
            { callId: 'es-2', quote: 'es-2    203           63    721.9gb      1.9tb' },
            { callId: 'es-4', quote: '"cluster.routing.allocation.disk.watermark.low": "85%"' },
          ],
        },
        {
          text: 'A missing node: es-1, es-2 and es-3 all hold shards.',
          quotes: [{ callId: 'es-2', quote: 'es-3    205           60    779.0gb      1.9tb' }],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
    written: [
      {
        before: 'es-2',
        add: [
          {
            statement: 'The data nodes are too full to take new shards.',
            component: 'Elasticsearch data nodes, disks',
            kind: 'disk watermark',
            predictions: [
              { call: '_cat/allocation', expect: 'disk.percent of every node is 85 or more.', refutes: true },
            ],
          },
          {
            statement: 'Allocation is disabled in the cluster settings.',
            component: 'Elasticsearch logs-prod, allocation setting',
            kind: 'misconfiguration',
            predictions: [
              {
                call: '_cluster/allocation/explain for logs-app-2026.02.05 shard 0',
                expect: 'The decider "enable" says NO on all nodes.',
                refutes: true,
              },
              {
                call: '_cluster/settings',
                expect: 'cluster.routing.allocation.enable is none or primaries.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'The template of the index asks for a node attribute that no node has.',
            component: 'index template logs-app',
            kind: 'allocation filter',
            predictions: [
              { call: '_cluster/allocation/explain', expect: 'The decider "filter" says NO.', refutes: true },
            ],
          },
        ],
      },
      {
        before: 'es-5',
        add: [
          {
            statement: 'The setting was left over from the upgrade of yesterday.',
            component: 'Elasticsearch logs-prod, maintenance of 4 February',
            kind: 'forgotten step of maintenance',
            predictions: [
              {
                call: 'grep the log of es-1 for changed settings',
                expect: 'A change to NONE around the restarts, and none back to ALL.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 'es-2', quote: 'es-2    203           63    721.9gb      1.9tb', opposite: true },
      {
        id: 'h2.1',
        callId: 'es-3',
        quote:
          '"explanation": "no allocations are allowed due to cluster setting [cluster.routing.allocation.enable=none]"',
      },
      { id: 'h3.1', callId: 'es-3', quote: '{ "decider": "enable", "decision": "NO",', opposite: true },
      { id: 'h2.2', callId: 'es-4', quote: '"cluster.routing.allocation.enable": "none",' },
      {
        id: 'h4.1',
        callId: 'es-5',
        quote:
          '[2026-02-04T15:11:06,201][INFO ][o.e.c.s.ClusterSettings  ] [es-1] updating [cluster.routing.allocation.enable] from [ALL] to [NONE]',
      },
    ],
    leader: 'h2',
  },
  {
    name: 'spf-too-many-lookups',
    verdict: 'right',
    why: 'With the include of the survey vendor the SPF record needs 12 lookups, which is a permerror, and the mails of the shop have no DKIM signature that would pass. The address is on no list.',
    kind: 'mail log, DNS and a git log; an old error of Postfix in a log that was read in vain',
    alertStartsAt: '2026-04-21T10:40:00Z',
    runStartedAt: '2026-04-21T10:52:30Z',
    calls: [
      {
        id: 'a',
        tool: 'bash',
        args: { command: 'ssh mx-out-1 "grep -E \'status=\' /var/log/mail.log | tail -6"' },
        output: `Apr 21 10:44:02 mx-out-1 postfix/smtp[20118]: 4XhW2k3Fz9: to=<r.k@gmail.com>, relay=gmail-smtp-in.l.google.com[142.250.27.26]:25, delay=1.1, dsn=5.7.26, status=bounced (host gmail-smtp-in.l.google.com said: 550-5.7.26 Your email has been blocked because the sender is unauthenticated. DKIM = did not pass, SPF [acme-shop.example] with ip: [198.51.100.24] = did not pass)
Apr 21 10:44:05 mx-out-1 postfix/smtp[20121]: 4XhW2n0Qd1: to=<office@bauhof.example>, relay=mx.bauhof.example[203.0.113.77]:25, delay=0.8, dsn=2.0.0, status=sent (250 2.0.0 Ok: queued as 7C1F2A03)
Apr 21 10:45:19 mx-out-1 postfix/smtp[20118]: 4XhW4B7Lr2: to=<lena.m@gmail.com>, relay=gmail-smtp-in.l.google.com[142.250.27.26]:25, delay=1.0, dsn=5.7.26, status=bounced (host gmail-smtp-in.l.google.com said: 550-5.7.26 Your email has been blocked because the sender is unauthenticated. DKIM = did not pass, SPF [acme-shop.example] with ip: [198.51.100.24] = did not pass)
Apr 21 10:46:40 mx-out-1 postfix/smtp[20125]: 4XhW5f1Zk8: to=<info@hofladen.example>, relay=mail.hofladen.example[203.0.113.9]:25, delay=31, dsn=4.4.1, status=deferred (connect to mail.hofladen.example[203.0.113.9]:25: Connection timed out)`,
      },
      {
        id: 'b',
        tool: 'bash',
        args: {
          command:
            'for z in zen.spamhaus.org bl.spamcop.net b.barracudacentral.org; do dig +noall +comments 24.100.51.198.$z A | grep status | sed "s/^/$z /"; done',
        },
        output: `zen.spamhaus.org ;; ->>HEADER<<- opcode: QUERY, status: NXDOMAIN, id: 40122
bl.spamcop.net ;; ->>HEADER<<- opcode: QUERY, status: NXDOMAIN, id: 1877
b.barracudacentral.org ;; ->>HEADER<<- opcode: QUERY, status: NXDOMAIN, id: 51003`,
      },
      {
        id: 'c',
        tool: 'bash',
        args: { command: 'dig +noall +answer acme-shop.example TXT _dmarc.acme-shop.example TXT' },
        output: `acme-shop.example.	2871	IN	TXT	"google-site-verification=0bJ7tq2Vh1sQ"
acme-shop.example.	2871	IN	TXT	"v=spf1 mx include:_spf.crm-cloud.example include:spf.helpdesk.example include:mail.payroll.example include:spf.survey-vendor.example ip4:198.51.100.24 ~all"
_dmarc.acme-shop.example.	3600	IN	TXT	"v=DMARC1; p=none; rua=mailto:dmarc@acme-shop.example"`,
      },
      {
        id: 'd',
        tool: 'bash',
        args: { command: 'python3 -m spf_tree acme-shop.example --ip 198.51.100.24' },
        output: `acme-shop.example
  mx                                      1
  include:_spf.crm-cloud.example          1 + 3
  include:spf.helpdesk.example            1 + 1
  include:mail.payroll.example            1
  include:spf.survey-vendor.example       1 + 3
  ip4:198.51.100.24                       0
lookups: 12 (limit 10)
result: permerror  "SPF Permanent Error: Too many DNS lookups"`,
      },
      {
        id: 'e',
        tool: 'bash',
        args: {
          command:
            'ssh mx-out-1 "journalctl -u postfix@- -p warning --no-pager | tail -4; postqueue -p | tail -1"',
        },
        output: `Mar 02 04:11:50 mx-out-1 postfix/cleanup[8812]: fatal: open database /etc/postfix/virtual.db: No such file or directory
Mar 02 04:11:51 mx-out-1 postfix/master[1107]: warning: process /usr/lib/postfix/sbin/cleanup pid 8812 exit status 1
Apr 14 19:30:07 mx-out-1 postfix/smtpd[15520]: warning: hostname scan-12.probe.example does not resolve to address 192.0.2.145
-- 41 Kbytes in 9 Requests.`,
      },
      {
        id: 'f',
        tool: 'git',
        args: {
          repo: 'dns-zones',
          args: "log -2 -p --date=iso-strict --format='%h %an %ad %s' -U0 -- acme-shop.example.yaml",
        },
        output: `c71fe02 Ines Vogt 2026-04-21T09:12:40+00:00 allow survey vendor to send for us
@@ -14 +14 @@
-    - v=spf1 mx include:_spf.crm-cloud.example include:spf.helpdesk.example include:mail.payroll.example ip4:198.51.100.24 ~all
+    - v=spf1 mx include:_spf.crm-cloud.example include:spf.helpdesk.example include:mail.payroll.example include:spf.survey-vendor.example ip4:198.51.100.24 ~all
0aa83d1 Jonas Reh 2026-03-30T13:50:02+00:00 status page to new provider
@@ -41 +41 @@
-    value: pages.oldstatus.example.
+    value: acme.statuspages.example.`,
      },
    ],
    report: {
      summary:
        'Gmail refuses the mails of the shop as unauthenticated. Since this morning the SPF record of acme-shop.example includes the survey vendor, needs 12 DNS lookups instead of the 10 allowed, and evaluates to a permerror.',
      grade: 'confirmed',
      impact: {
        who: 'customers with an address at Gmail',
        since: 'between 09:12 UTC, when the record was changed, and 10:40',
        severity: 'order confirmations and password resets bounce',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'DNS zone acme-shop.example, SPF record',
        kind: 'misconfiguration, SPF permerror',
        text: 'Commit c71fe02 added include:spf.survey-vendor.example, which takes the record over the limit of ten lookups. SPF no longer passes for 198.51.100.24, although its address is listed.',
      },
      claims: [
        {
          text: 'Gmail bounces because neither SPF nor DKIM passes.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'a',
              quote: 'DKIM = did not pass, SPF [acme-shop.example] with ip: [198.51.100.24] = did not pass',
            },
          ],
        },
        {
          text: 'The record needs 12 lookups and so is a permanent error.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'd', quote: 'lookups: 12 (limit 10)' },
            { callId: 'd', quote: 'result: permerror  "SPF Permanent Error: Too many DNS lookups"' },
          ],
        },
        {
          text: 'Four of them came with the include of the survey vendor, which was added at 09:12.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'd', quote: 'include:spf.survey-vendor.example       1 + 3' },
            {
              callId: 'f',
              quote: 'c71fe02 Ines Vogt 2026-04-21T09:12:40+00:00 allow survey vendor to send for us',
            },
          ],
        },
        {
          text: 'The server itself is in the record.',
          role: 'background',
          confidence: 'high',
          quotes: [{ callId: 'c', quote: 'include:spf.survey-vendor.example ip4:198.51.100.24 ~all"' }],
        },
      ],
      ruledOut: [
        {
          text: 'The address of mx-out-1 is on a blocklist: Spamhaus, SpamCop and Barracuda do not list it.',
          quotes: [
            { callId: 'b', quote: 'zen.spamhaus.org ;; ->>HEADER<<- opcode: QUERY, status: NXDOMAIN' },
            { callId: 'b', quote: 'b.barracudacentral.org ;; ->>HEADER<<- opcode: QUERY, status: NXDOMAIN' },
          ],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
    written: [
      {
        before: 'b',
        add: [
          {
            statement: 'Our outgoing address got onto a blocklist.',
            component: 'mx-out-1, 198.51.100.24',
            kind: 'blocklisted',
            predictions: [
              {
                call: 'dig 198.51.100.24 at Spamhaus, SpamCop, Barracuda',
                expect: 'An answer 127.0.0.x from one of them.',
                refutes: true,
              },
            ],
          },
          {
            statement:
              'The SPF record of acme-shop.example is broken or does not contain 198.51.100.24 any more.',
            component: 'SPF record of acme-shop.example',
            kind: 'DNS misconfiguration',
            predictions: [
              {
                call: 'evaluate SPF of acme-shop.example for 198.51.100.24',
                expect: 'Anything but "pass".',
                refutes: true,
              },
              { call: 'git log of the zone', expect: 'The TXT record was edited today.' },
            ],
          },
        ],
      },
    ],
    tests: [
      {
        id: 'h1.1',
        callId: 'b',
        quote: 'zen.spamhaus.org ;; ->>HEADER<<- opcode: QUERY, status: NXDOMAIN',
        opposite: true,
      },
      { id: 'h2.1', callId: 'd', quote: 'result: permerror  "SPF Permanent Error: Too many DNS lookups"' },
      {
        id: 'h2.2',
        callId: 'f',
        quote: 'c71fe02 Ines Vogt 2026-04-21T09:12:40+00:00 allow survey vendor to send for us',
      },
    ],
    leader: 'h2',
  },
  {
    name: 'nas04-half-duplex',
    verdict: 'right',
    why: 'The port of the switch was fixed to 100/full; nas-04 negotiates, gets no answer and falls back to half duplex. The counters of both ends show it, and the disks idle.',
    kind: 'counters of a switch and of a network card; the two ends of one link, each with its own name for it',
    alertStartsAt: '2026-08-19T18:30:00Z',
    runStartedAt: '2026-08-19T18:41:00Z',
    calls: [
      {
        id: 'n1',
        tool: 'bash',
        args: { command: 'ssh build-12 nfsiostat 5 1 /mnt/artifacts' },
        output: `nas-04:/tank/artifacts mounted on /mnt/artifacts:

           ops/s       rpc bklog
          21.402           4.118

read:              ops/s            kB/s           kB/op         retrans    avg RTT (ms)    avg exe (ms)  avg queue (ms)
                  11.204         604.811          53.981       37 (2.1%)         702.114        1930.077        1219.402
write:             ops/s            kB/s           kB/op         retrans    avg RTT (ms)    avg exe (ms)  avg queue (ms)
                   6.118         211.930          34.640       29 (3.0%)         911.620        2204.815        1290.331`,
      },
      {
        id: 'n2',
        tool: 'bash',
        args: { command: 'ssh nas-04 "zpool status -x; zpool iostat tank 5 2; uptime"' },
        output: `all pools are healthy
              capacity     operations     bandwidth
pool        alloc   free   read  write   read  write
----------  -----  -----  -----  -----  -----  -----
tank        14.2T  7.61T     38     52  2.11M  1.80M
tank        14.2T  7.61T     12      9   644K   240K
 18:43:37 up 131 days,  4:02,  1 user,  load average: 0.21, 0.26, 0.30`,
      },
      {
        id: 'n3',
        tool: 'bash',
        args: { command: 'ssh nas-04 "ethtool eno1; ethtool -S eno1 | grep -E \'coll|crc|drop\'"' },
        output: `Settings for eno1:
	Supported ports: [ TP ]
	Supports auto-negotiation: Yes
	Advertised auto-negotiation: Yes
	Link partner advertised auto-negotiation: No
	Speed: 100Mb/s
	Duplex: Half
	Auto-negotiation: on
	Link detected: yes
     rx_crc_errors: 0
     rx_dropped: 0
     tx_late_collisions: 90447
     tx_single_collisions: 211803`,
      },
      {
        id: 'n4',
        tool: 'ssh',
        args: { host: 'sw-rack4', command: 'show interfaces Gi1/0/17' },
        output: `GigabitEthernet1/0/17 is up, line protocol is up (connected)
  Description: nas-04 eno1
  MTU 1500 bytes, BW 100000 Kbit/sec, DLY 100 usec, reliability 249/255, txload 11/255, rxload 3/255
  Full-duplex, 100Mb/s, media type is 10/100/1000BaseTX
  Last input never, output 00:00:01, output hang never
  5 minute input rate 1204000 bits/sec, 311 packets/sec
     8810442 packets input, 5930118277 bytes, 0 no buffer
     61120 runts, 0 giants, 0 throttles
     97318 input errors, 36198 CRC, 0 frame, 0 overrun, 0 ignored
     0 output errors, 0 collisions, 1 interface resets`,
      },
      {
        id: 'n5',
        tool: 'ssh',
        args: {
          host: 'sw-rack4',
          command: 'show archive log config all | last 7 ; show logging | include 1/0/17',
        },
        output: ` idx   sess           user@line      Logged command
  211    38         bkramer@vty0   | interface GigabitEthernet1/0/16
  212    38         bkramer@vty0   |  description camera dock-3
  213    38         bkramer@vty0   | interface range GigabitEthernet1/0/16 - 17
  214    38         bkramer@vty0   |  speed 100
  215    38         bkramer@vty0   |  duplex full
  216    38         bkramer@vty0   | end
Aug 19 18:12:26.114: %LINK-3-UPDOWN: Interface GigabitEthernet1/0/17, changed state to down
Aug 19 18:12:29.870: %LINK-3-UPDOWN: Interface GigabitEthernet1/0/17, changed state to up`,
      },
    ],
    report: {
      summary:
        'Builds crawl because nas-04 is connected with a duplex mismatch. When the port of a camera was set to 100/full on sw-rack4, the port of nas-04 was in the same range; nas-04 now runs at 100 Mb/s half duplex against a full-duplex port.',
      grade: 'confirmed',
      impact: {
        who: 'all builds that read or write artifacts on nas-04',
        since: '2026-08-19 18:12 UTC',
        severity: 'about 0.6 MB/s for reads, two seconds an operation',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'sw-rack4 port Gi1/0/17 (link to nas-04)',
        kind: 'duplex mismatch after a config change',
        text: 'speed 100 and duplex full on Gi1/0/17 turned negotiation off. nas-04 still negotiates and falls back to half duplex, so frames collide and are lost.',
      },
      claims: [
        {
          text: 'NFS operations take about two seconds, with 2 to 3 % sent again.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'n1',
              quote:
                '11.204         604.811          53.981       37 (2.1%)         702.114        1930.077        1219.402',
            },
          ],
        },
        {
          text: 'The NAS runs half duplex and gets no negotiation from its partner.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'n3', quote: 'Link partner advertised auto-negotiation: No' },
            {
              callId: 'n3',
              quote: `Speed: 100Mb/s
	Duplex: Half`,
            },
          ],
        },
        {
          text: 'The switch runs the same link in full duplex and counts runts and CRC errors.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'n4', quote: 'Full-duplex, 100Mb/s, media type is 10/100/1000BaseTX' },
            { callId: 'n4', quote: '97318 input errors, 36198 CRC, 0 frame, 0 overrun, 0 ignored' },
          ],
        },
        {
          text: 'Both settings were made on the range 16 - 17, and the link went down and up at 18:12.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'n5', quote: 'bkramer@vty0   | interface range GigabitEthernet1/0/16 - 17' },
            { callId: 'n5', quote: 'bkramer@vty0   |  duplex full' },
            {
              callId: 'n5',
              quote:
                'Aug 19 18:12:29.870: %LINK-3-UPDOWN: Interface GigabitEthernet1/0/17, changed state to up',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'Trouble with the disks of nas-04: the pool is healthy and has next to nothing to do.',
          quotes: [
            { callId: 'n2', quote: 'all pools are healthy' },
            { callId: 'n2', quote: 'tank        14.2T  7.61T     12      9   644K   240K' },
          ],
        },
        {
          text: 'A bad cable alone. nas-04 receives without CRC errors; it only has late collisions, as a half-duplex end does.',
          quotes: [
            { callId: 'n3', quote: 'rx_crc_errors: 0' },
            { callId: 'n3', quote: 'tx_late_collisions: 90447' },
          ],
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
            statement: 'A disk of the pool on nas-04 is dying or it resilvers.',
            component: 'nas-04, pool tank',
            kind: 'disk failure',
            predictions: [
              {
                call: 'zpool status -x on nas-04',
                expect: 'The pool is degraded, or a resilver runs.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'The network link of nas-04 loses frames.',
            component: 'link between nas-04 and its switch',
            kind: 'packet loss',
            predictions: [
              {
                call: 'ethtool eno1 and its counters on nas-04',
                expect: 'Speed or duplex is not 1000/full, or errors are counted.',
                refutes: true,
              },
            ],
          },
        ],
      },
      {
        before: 'n4',
        add: [
          {
            statement: 'Duplex mismatch: the switch port is forced to full duplex, nas-04 fell back to half.',
            component: 'sw-rack4, port of nas-04',
            kind: 'duplex mismatch',
            predictions: [
              {
                call: 'show interfaces of the port on sw-rack4',
                expect: 'Full-duplex at 100Mb/s, with runts and CRC errors.',
                refutes: true,
              },
              {
                call: 'config log of sw-rack4',
                expect: 'Somebody set speed and duplex on this port before 18:30.',
              },
            ],
          },
          {
            statement: 'The cable or the plug is damaged.',
            component: 'cable of nas-04',
            kind: 'physical fault',
            predictions: [
              {
                call: 'show logging of sw-rack4 for the port',
                expect: 'The link flaps again and again.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 'n2', quote: 'all pools are healthy', opposite: true },
      { id: 'h2.1', callId: 'n3', quote: 'tx_late_collisions: 90447' },
      { id: 'h3.1', callId: 'n4', quote: 'Full-duplex, 100Mb/s, media type is 10/100/1000BaseTX' },
      {
        id: 'h3.2',
        callId: 'n5',
        quote: '213    38         bkramer@vty0   | interface range GigabitEthernet1/0/16 - 17',
      },
      {
        id: 'h4.1',
        callId: 'n5',
        quote: 'Aug 19 18:12:29.870: %LINK-3-UPDOWN: Interface GigabitEthernet1/0/17, changed state to up',
        opposite: true,
      },
    ],
    leader: 'h3',
  },
  {
    name: 'payouts-hour-twice',
    verdict: 'right',
    why: 'In the night when summer time ended 02:30 came twice in Berlin, and jobrunner compares the time of the clock on the wall. There was one leader the whole night.',
    kind: 'end of summer time; nothing was changed or broke at that time, the code has been so for long',
    alertStartsAt: '2026-10-25T06:10:00Z',
    runStartedAt: '2026-10-25T06:18:00Z',
    calls: [
      {
        id: 'c01',
        tool: 'psql',
        args: {
          db: 'payouts',
          sql: 'select batch_id, business_day, created_at, n, total_eur from payout_batches order by created_at desc limit 5',
        },
        output: ` batch_id | business_day |          created_at           |  n   |  total_eur
----------+--------------+-------------------------------+------+-------------
     4412 | 2026-10-24   | 2026-10-25 01:30:01.118402+00 | 1877 |  412,009.51
     4411 | 2026-10-24   | 2026-10-25 00:30:01.097730+00 | 1877 |  412,009.51
     4410 | 2026-10-23   | 2026-10-24 00:30:01.120915+00 | 2011 |  466,180.20
     4409 | 2026-10-22   | 2026-10-23 00:30:01.104471+00 | 1990 |  450,772.83
     4408 | 2026-10-21   | 2026-10-22 00:30:01.111008+00 | 1954 |  438,905.17
(5 rows)`,
      },
      {
        id: 'c02',
        tool: 'kubectl',
        args: {
          args: "logs deploy/jobrunner -n payouts --since-time=2026-10-25T00:00:00Z | grep -vE 'heartbeat|tick '",
        },
        output: `2026-10-25T00:15:00.008Z INFO  start job=export-ledger at=02:15 wall=02:15 offset=+02:00
2026-10-25T00:15:41.730Z INFO  done  job=export-ledger rows=48211
2026-10-25T00:30:00.010Z INFO  start job=payout-batch at=02:30 wall=02:30 offset=+02:00
2026-10-25T00:30:09.442Z INFO  done  job=payout-batch batch=4411
2026-10-25T01:15:00.007Z INFO  start job=export-ledger at=02:15 wall=02:15 offset=+01:00
2026-10-25T01:15:43.019Z INFO  done  job=export-ledger rows=48211
2026-10-25T01:30:00.009Z INFO  start job=payout-batch at=02:30 wall=02:30 offset=+01:00
2026-10-25T01:30:09.801Z INFO  done  job=payout-batch batch=4412
2026-10-25T03:00:00.011Z INFO  start job=prune-sessions at=04:00 wall=04:00 offset=+01:00`,
      },
      {
        id: 'c03',
        tool: 'kubectl',
        args: { args: 'get lease,pods -n payouts -o wide' },
        output: `NAME                                     HOLDER                        AGE
lease.coordination.k8s.io/jobrunner      jobrunner-6b7c8d9f54-t2mzq    212d

NAME                             READY   STATUS    RESTARTS   AGE     NODE
pod/jobrunner-6b7c8d9f54-t2mzq   1/1     Running   0          11d     node-b2
pod/payout-api-75f9c4d8bb-8vxkc  1/1     Running   0          4d2h    node-a1
pod/payout-api-75f9c4d8bb-lq77r  1/1     Running   0          4d2h    node-b2`,
      },
      {
        id: 'c04',
        tool: 'bash',
        args: { command: "cd /srv/src/jobrunner && sed -n '38,50p' src/tick.ts" },
        output: `  // called once a minute
  async tick(): Promise<void> {
    const wall = DateTime.now().setZone(this.config.zone); // Europe/Berlin
    const hhmm = wall.toFormat('HH:mm');
    for (const job of this.config.jobs) {
      if (job.at !== hhmm) continue;
      await this.run(job, wall);
    }
  }`,
      },
      {
        id: 'c05',
        tool: 'http_get',
        args: { url: 'https://status.bankgate.example/api/v2/summary.json' },
        output: `{"page":{"name":"BankGate","updated_at":"2026-10-25T05:02:11Z"},
"status":{"indicator":"none","description":"All Systems Operational"},
"components":[{"name":"SEPA Credit Transfer","status":"operational"},{"name":"Instant Payments","status":"operational"},{"name":"Statements (camt.053)","status":"operational"}],
"scheduled_maintenances":[{"name":"Statements: database upgrade","scheduled_for":"2026-11-02T21:00:00Z"}]}`,
      },
      {
        id: 'c06',
        tool: 'bash',
        args: { command: 'zdump -v Europe/Berlin | grep 2026' },
        output: `Europe/Berlin  Sun Mar 29 00:59:59 2026 UT = Sun Mar 29 01:59:59 2026 CET isdst=0 gmtoff=3600
Europe/Berlin  Sun Mar 29 01:00:00 2026 UT = Sun Mar 29 03:00:00 2026 CEST isdst=1 gmtoff=7200
Europe/Berlin  Sun Oct 25 00:59:59 2026 UT = Sun Oct 25 02:59:59 2026 CEST isdst=1 gmtoff=7200
Europe/Berlin  Sun Oct 25 01:00:00 2026 UT = Sun Oct 25 02:00:00 2026 CET isdst=0 gmtoff=3600`,
      },
    ],
    report: {
      summary:
        'Merchants were paid twice for 24 October. Daylight saving time ended this night, 02:30 occurred twice, and jobrunner, which only looks at the local time, started payout-batch both times.',
      grade: 'confirmed',
      impact: {
        who: '1,877 merchants, EUR 412,009.51 too much',
        since: '2026-10-25T01:30:00Z',
        severity: 'one duplicate batch of payouts; the ledger export ran twice as well',
        ongoing: 'no',
      },
      rootCause: {
        component: 'jobrunner (scheduler)',
        kind: 'daylight saving bug, job run twice',
        text: 'jobrunner starts a job whenever the wall clock in Europe/Berlin shows its time, without remembering that it ran. At the end of DST the hour from 2 to 3 is repeated, so payout-batch ran at 00:30 and at 01:30 UTC.',
      },
      claims: [
        {
          text: 'Batch 4412 repeats batch 4411: same day, number and total.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'c01',
              quote: '4412 | 2026-10-24   | 2026-10-25 01:30:01.118402+00 | 1877 |  412,009.51',
            },
            {
              callId: 'c01',
              quote: '4411 | 2026-10-24   | 2026-10-25 00:30:01.097730+00 | 1877 |  412,009.51',
            },
          ],
        },
        {
          text: 'The job started at 02:30 summer time and again at 02:30 winter time.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'c02',
              quote:
                '2026-10-25T00:30:00.010Z INFO  start job=payout-batch at=02:30 wall=02:30 offset=+02:00',
            },
            {
              callId: 'c02',
              quote:
                '2026-10-25T01:30:00.009Z INFO  start job=payout-batch at=02:30 wall=02:30 offset=+01:00',
            },
          ],
        },
        {
          text: 'The code compares hours and minutes of the local time and nothing else.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'c04', quote: "const hhmm = wall.toFormat('HH:mm');" },
            { callId: 'c04', quote: 'if (job.at !== hhmm) continue;' },
          ],
        },
        {
          text: 'In Berlin the clock was put back at 01:00 UTC.',
          role: 'background',
          confidence: 'high',
          quotes: [
            {
              callId: 'c06',
              quote: 'Sun Oct 25 01:00:00 2026 UT = Sun Oct 25 02:00:00 2026 CET isdst=0 gmtoff=3600',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'Two schedulers at once, or a restart in between. There is one pod, up for 11 days, and it holds the lease.',
          quotes: [
            { callId: 'c03', quote: 'pod/jobrunner-6b7c8d9f54-t2mzq   1/1     Running   0          11d' },
            {
              callId: 'c03',
              quote: 'lease.coordination.k8s.io/jobrunner      jobrunner-6b7c8d9f54-t2mzq    212d',
            },
          ],
        },
        {
          text: 'A retry after a failure: the first run finished by itself.',
          quotes: [
            { callId: 'c02', quote: '2026-10-25T00:30:09.442Z INFO  done  job=payout-batch batch=4411' },
          ],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
    written: [
      {
        before: 'c02',
        add: [
          {
            statement: 'The first batch failed half way and was retried an hour later.',
            component: 'payout-batch job',
            kind: 'retry without idempotency',
            predictions: [
              {
                call: 'logs of jobrunner since 00:00 UTC',
                expect: 'An error of the run of 00:30, and a retry.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'The clocks were put back tonight and the scheduler ran 02:30 twice.',
            component: 'jobrunner, schedule in local time',
            kind: 'daylight saving time',
            predictions: [
              {
                call: 'logs of jobrunner since 00:00 UTC',
                expect:
                  'Two regular starts at 02:30, with offsets +02:00 and +01:00; other jobs between 2 and 3 also twice.',
                refutes: true,
              },
              {
                call: 'source of the scheduler, jobrunner/src/tick.ts',
                expect: 'It matches the local time and keeps no record of the last run.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'Two replicas of jobrunner were active.',
            component: 'jobrunner, leader election',
            kind: 'split brain',
            predictions: [
              {
                call: 'kubectl get lease,pods -n payouts',
                expect: 'More than one pod of jobrunner, or a young holder of the lease.',
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
        callId: 'c02',
        quote: '2026-10-25T00:30:09.442Z INFO  done  job=payout-batch batch=4411',
        opposite: true,
      },
      {
        id: 'h2.1',
        callId: 'c02',
        quote: '2026-10-25T01:30:00.009Z INFO  start job=payout-batch at=02:30 wall=02:30 offset=+01:00',
      },
      {
        id: 'h3.1',
        callId: 'c03',
        quote: 'pod/jobrunner-6b7c8d9f54-t2mzq   1/1     Running   0          11d     node-b2',
        opposite: true,
      },
      { id: 'h2.2', callId: 'c04', quote: 'if (job.at !== hhmm) continue;' },
    ],
    leader: 'h2',
  },
  {
    name: 'home-feed-stampede',
    verdict: 'right',
    why: 'Since the release of 11:57 nothing keeps the requests from computing the feed all at once when its key expires, every ten minutes. The query itself is as quick as ever when it is alone.',
    kind: 'Envoy, the profiler of MongoDB, a diff; a symptom with a period; names of one thing in camel case, with dashes and with colons',
    alertStartsAt: '2026-09-17T12:12:00Z',
    runStartedAt: '2026-09-17T12:19:00Z',
    calls: [
      {
        id: 'call-a1',
        tool: 'prometheus',
        args: {
          query:
            'histogram_quantile(0.99, sum by (le) (rate(envoy_cluster_upstream_rq_time_bucket{cluster="feed-api"}[1m])))',
          start: '2026-09-17T11:50:00Z',
          end: '2026-09-17T12:14:00Z',
          step: '2m',
        },
        output: `time (UTC)   p99 ms
11:50           94
11:52           97
11:54           90
11:56           93
11:58           91
12:00           95
12:02         7810
12:04          388
12:06          104
12:08           99
12:10           97
12:12         8244
12:14          611`,
      },
      {
        id: 'call-a2',
        tool: 'http_get',
        args: { url: 'http://edge-3:9901/stats?filter=cluster.feed-api&usedonly' },
        output: `cluster.feed-api.circuit_breakers.default.rq_open: 0
cluster.feed-api.lb_healthy_panic: 0
cluster.feed-api.membership_healthy: 6
cluster.feed-api.membership_total: 6
cluster.feed-api.upstream_cx_connect_fail: 0
cluster.feed-api.upstream_rq_active: 41
cluster.feed-api.upstream_rq_pending_overflow: 0
cluster.feed-api.upstream_rq_retry: 118
cluster.feed-api.upstream_rq_timeout: 2204
cluster.feed-api.upstream_rq_total: 90441207`,
      },
      {
        id: 'call-a3',
        tool: 'mongosh',
        args: {
          db: 'social',
          js: "db.system.profile.aggregate([{$match:{ns:'social.posts',queryHash:'7C1E90B2'}},{$group:{_id:{$dateTrunc:{date:'$ts',unit:'minute'}},n:{$sum:1},p50:{$median:{input:'$millis',method:'approximate'}},plan:{$first:'$planSummary'}}},{$sort:{_id:1}}])",
        },
        output: `[
  { _id: ISODate('2026-09-17T11:42:00.000Z'), n: 1, p50: 318, plan: 'IXSCAN { region: 1, score: -1 }' },
  { _id: ISODate('2026-09-17T11:52:00.000Z'), n: 1, p50: 322, plan: 'IXSCAN { region: 1, score: -1 }' },
  { _id: ISODate('2026-09-17T12:02:00.000Z'), n: 386, p50: 6902, plan: 'IXSCAN { region: 1, score: -1 }' },
  { _id: ISODate('2026-09-17T12:12:00.000Z'), n: 402, p50: 7340, plan: 'IXSCAN { region: 1, score: -1 }' }
]`,
      },
      {
        id: 'call-a4',
        tool: 'bash',
        args: {
          command:
            "printf 'stats\\r\\nquit\\r\\n' | nc memcached-feed 11211 | grep -E 'uptime|evictions|curr_items|limit_maxbytes| bytes |conn_yields'",
        },
        output: `STAT uptime 7703112
STAT conn_yields 0
STAT limit_maxbytes 1073741824
STAT bytes 211870144
STAT curr_items 90117
STAT evictions 0`,
      },
      {
        id: 'call-a5',
        tool: 'bash',
        args: {
          command:
            'cd /srv/src/feed-api && git log -1 --format="%h %an %aI %s" v5.3.0 -- src/home-feed.ts && git diff -U1 v5.2.4 v5.3.0 -- src/home-feed.ts',
        },
        output: `b90fd17 Sam Okoro 2026-09-16T15:20:08+00:00 home feed: drop the lock helper, use plain cache.get/set
diff --git a/src/home-feed.ts b/src/home-feed.ts
@@ -18,5 +18,6 @@ export async function homeFeed(region: string) {
   const key = \`feed:home:\${region}\`;
-  return cache.getOrLock(key, { ttl: 600, staleFor: 60 }, () => rankPosts(region));
+  const hit = await cache.get(key);
+  if (hit) return hit;
+  const feed = await rankPosts(region);
+  await cache.set(key, feed, { ttl: 600 });
+  return feed;
 }`,
      },
      {
        id: 'call-a6',
        tool: 'kubectl',
        args: {
          args: 'rollout history deploy/feed-api -n social -o custom-columns=REV:.revision,IMAGE:.image,DONE:.completed',
        },
        output: `REV   IMAGE                          DONE
71    registry.local/feed-api:5.2.3  2026-09-02T08:31:15Z
72    registry.local/feed-api:5.2.4  2026-09-09T10:04:52Z
73    registry.local/feed-api:5.3.0  2026-09-17T11:57:33Z`,
      },
    ],
    report: {
      summary:
        'Every ten minutes the home page hangs for several seconds: since feed-api 5.3.0 there is no lock around the cached home feed, so when the key expires about 400 requests rank the posts in MongoDB at once.',
      grade: 'confirmed',
      impact: {
        who: 'visitors of the home page around 12:02 and 12:12, and each ten minutes from there',
        since: '2026-09-17T12:02Z',
        severity: 'p99 of 8 s, over 2,000 timeouts on edge-3',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'feed-api 5.3.0, homeFeed()',
        kind: 'cache stampede',
        text: 'Version 5.3.0 replaced getOrLock with a plain get and set. When feed:home expires after 600 s every request that misses runs rankPosts itself, and MongoDB gets hundreds of the same aggregation.',
      },
      claims: [
        {
          text: 'The latency peaks at 12:02 and at 12:12 and is normal in between.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            { callId: 'call-a1', quote: '12:02         7810' },
            { callId: 'call-a1', quote: '12:12         8244' },
          ],
        },
        {
          text: 'At these minutes MongoDB runs the ranking about 400 times, where it used to run once.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'call-a3', quote: "{ _id: ISODate('2026-09-17T11:52:00.000Z'), n: 1, p50: 322," },
            { callId: 'call-a3', quote: "{ _id: ISODate('2026-09-17T12:12:00.000Z'), n: 402, p50: 7340," },
          ],
        },
        {
          text: 'The new version computes the feed without a lock and without serving the stale one.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'call-a5',
              quote: '-  return cache.getOrLock(key, { ttl: 600, staleFor: 60 }, () => rankPosts(region));',
            },
            { callId: 'call-a5', quote: '+  await cache.set(key, feed, { ttl: 600 });' },
          ],
        },
        {
          text: '5.3.0 was rolled out at 11:57.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: 'call-a6', quote: '73    registry.local/feed-api:5.3.0  2026-09-17T11:57:33Z' }],
        },
        {
          text: 'Envoy has counted 2,204 timeouts of feed-api on this edge; how many of them are older is not known.',
          role: 'effect',
          confidence: 'low',
          quotes: [{ callId: 'call-a2', quote: 'cluster.feed-api.upstream_rq_timeout: 2204' }],
        },
      ],
      ruledOut: [
        {
          text: 'A bad query plan: the slow runs use the same index as the quick ones.',
          quotes: [
            { callId: 'call-a3', quote: "n: 386, p50: 6902, plan: 'IXSCAN { region: 1, score: -1 }'" },
          ],
        },
        {
          text: 'memcached loses the key early because it is full or was restarted.',
          quotes: [
            { callId: 'call-a4', quote: 'STAT evictions 0' },
            { callId: 'call-a4', quote: 'STAT uptime 7703112' },
          ],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
    written: [
      {
        before: 'call-a2',
        add: [
          {
            statement: 'Instances of feed-api drop out of the load balancing now and then.',
            component: 'feed-api behind Envoy',
            kind: 'failing health checks',
            predictions: [
              {
                call: 'Envoy stats of cluster feed-api',
                expect: 'membership_healthy below membership_total.',
                refutes: true,
              },
            ],
          },
        ],
      },
      {
        before: 'call-a3',
        add: [
          {
            statement: 'When the cached home feed expires, all requests recompute it together.',
            component: 'feed-api, home feed cache',
            kind: 'cache stampede',
            predictions: [
              {
                call: 'MongoDB profiler: the ranking aggregation by minute',
                expect: 'Hundreds of runs at 12:02 and 12:12, next to none in between.',
                refutes: true,
              },
              {
                call: 'diff of home-feed.ts between 5.2.4 and 5.3.0',
                expect: 'No lock or single flight around the computation, ttl of 600.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'MongoDB has switched to a bad plan for the ranking.',
            component: 'MongoDB, social.posts',
            kind: 'plan regression',
            predictions: [
              {
                call: 'MongoDB profiler: planSummary of the slow runs',
                expect: 'COLLSCAN, or another index than in the quick runs.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'memcached evicts the key.',
            component: 'memcached-feed',
            kind: 'cache too small',
            predictions: [{ call: 'memcached stats', expect: 'evictions above 0.', refutes: true }],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 'call-a2', quote: 'cluster.feed-api.membership_healthy: 6', opposite: true },
      {
        id: 'h2.1',
        callId: 'call-a3',
        quote:
          "{ _id: ISODate('2026-09-17T12:12:00.000Z'), n: 402, p50: 7340, plan: 'IXSCAN { region: 1, score: -1 }' }",
      },
      {
        id: 'h3.1',
        callId: 'call-a3',
        quote:
          "{ _id: ISODate('2026-09-17T12:02:00.000Z'), n: 386, p50: 6902, plan: 'IXSCAN { region: 1, score: -1 }' }",
        opposite: true,
      },
      { id: 'h4.1', callId: 'call-a4', quote: 'STAT evictions 0', opposite: true },
      {
        id: 'h2.2',
        callId: 'call-a5',
        quote: '-  return cache.getOrLock(key, { ttl: 600, staleFor: 60 }, () => rankPosts(region));',
      },
    ],
    leader: 'h2',
  },
];

// Ten more small incidents whose report is wrong, written without knowing the rules that judge them. Plain data.
import type { Case } from './hypotheses.ts';

export const unseenWrong: Case[] = [
  {
    name: 'fraud-scoring-rebalances',
    verdict: 'wrong',
    why: 'A batch takes 340 s because geo-lookup answers slowly since 13:05, so poll() comes too late and the members leave the group. The rebalances that the report blames follow from that.',
    kind: 'consequence taken for the cause: rebalances of a group whose members poll too late',
    alertStartsAt: '2026-05-19T13:20:00Z',
    runStartedAt: '2026-05-19T13:31:00Z',
    calls: [
      {
        id: 'k1',
        tool: 'bash',
        args: {
          command:
            'kafka-consumer-groups.sh --bootstrap-server kafka-1:9092 --describe --group fraud-scoring',
        },
        output: `
GROUP          TOPIC        PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG    CONSUMER-ID                                   HOST        CLIENT-ID
fraud-scoring  payments.v3  0          88120447        88164102        43655  fraud-1-0c6e1f9a-5a02-4f3e-9d3c-6b7f0e2b1d11  /10.4.7.21  fraud-1
fraud-scoring  payments.v3  1          87990310        88035002        44692  fraud-1-0c6e1f9a-5a02-4f3e-9d3c-6b7f0e2b1d11  /10.4.7.21  fraud-1
fraud-scoring  payments.v3  2          88201554        88243919        42365  fraud-3-e2a97b04-11c8-4b0d-8a51-90d5c3fe7720  /10.4.7.23  fraud-3
fraud-scoring  payments.v3  3          88077001        88121480        44479  fraud-3-e2a97b04-11c8-4b0d-8a51-90d5c3fe7720  /10.4.7.23  fraud-3

Warning: Consumer group 'fraud-scoring' is rebalancing.`,
      },
      {
        id: 'k2',
        tool: 'grep',
        args: { pattern: 'GroupCoordinator', path: '/var/log/kafka/server.log', host: 'kafka-3', limit: 6 },
        output: `[2026-05-19 13:11:40,902] INFO [GroupCoordinator 3]: Preparing to rebalance group fraud-scoring in state PreparingRebalance with old generation 212 (__consumer_offsets-17) (reason: Removing member fraud-2-7d on LeaveGroup; client reason: consumer poll timeout has expired.)
[2026-05-19 13:11:44,010] INFO [GroupCoordinator 3]: Stabilized group fraud-scoring generation 213 (__consumer_offsets-17) with 2 members
[2026-05-19 13:17:22,118] INFO [GroupCoordinator 3]: Preparing to rebalance group fraud-scoring in state PreparingRebalance with old generation 213 (__consumer_offsets-17) (reason: Removing member fraud-1-1b on LeaveGroup; client reason: consumer poll timeout has expired.)
[2026-05-19 13:17:25,377] INFO [GroupCoordinator 3]: Stabilized group fraud-scoring generation 214 (__consumer_offsets-17) with 2 members
[2026-05-19 13:23:05,641] INFO [GroupCoordinator 3]: Preparing to rebalance group fraud-scoring in state PreparingRebalance with old generation 214 (__consumer_offsets-17) (reason: Removing member fraud-3-aa on LeaveGroup; client reason: consumer poll timeout has expired.)
[2026-05-19 13:23:08,204] INFO [GroupCoordinator 3]: Stabilized group fraud-scoring generation 215 (__consumer_offsets-17) with 2 members`,
      },
      {
        id: 'k3',
        tool: 'bash',
        args: { command: 'cat /etc/fraud-scoring/consumer.properties', host: 'fraud-1' },
        output: `bootstrap.servers=kafka-1:9092,kafka-2:9092,kafka-3:9092
group.id=fraud-scoring
enable.auto.commit=false
max.poll.records=500
max.poll.interval.ms=300000
session.timeout.ms=45000
partition.assignment.strategy=org.apache.kafka.clients.consumer.RangeAssignor
isolation.level=read_committed`,
      },
      {
        id: 'k4',
        tool: 'loki',
        args: { query: '{app="fraud-scoring"}', start: '2026-05-19T12:55:00Z', limit: 8 },
        output: `2026-05-19T12:58:11Z fraud-2 INFO  scored batch of 500 in 4188 ms (rules 2077 ms, geo-lookup 1902 ms, commit 209 ms)
2026-05-19T13:02:40Z fraud-2 INFO  scored batch of 500 in 4302 ms (rules 2101 ms, geo-lookup 1988 ms, commit 213 ms)
2026-05-19T13:10:58Z fraud-2 INFO  scored batch of 500 in 339720 ms (rules 2093 ms, geo-lookup 337402 ms, commit 225 ms)
2026-05-19T13:11:40Z fraud-2 WARN  [Consumer clientId=fraud-2, groupId=fraud-scoring] consumer poll timeout has expired
2026-05-19T13:11:40Z fraud-2 INFO  [Consumer clientId=fraud-2, groupId=fraud-scoring] Revoke previously assigned partitions payments.v3-0, payments.v3-1
2026-05-19T13:17:20Z fraud-1 INFO  scored batch of 500 in 341882 ms (rules 2109 ms, geo-lookup 339410 ms, commit 363 ms)
2026-05-19T13:17:22Z fraud-1 INFO  [Consumer clientId=fraud-1, groupId=fraud-scoring] Revoke previously assigned partitions payments.v3-0, payments.v3-1
2026-05-19T13:17:25Z fraud-1 INFO  [Consumer clientId=fraud-1, groupId=fraud-scoring] Successfully joined group with generation 214`,
      },
      {
        id: 'k5',
        tool: 'query_prometheus',
        args: {
          query: 'sum by (topic) (rate(kafka_server_messagesin_total{topic=~"payments.*"}[5m]))',
          start: '2026-05-19T12:45:00Z',
          end: '2026-05-19T13:30:00Z',
          step: '15m',
        },
        output: `{topic="payments.v3"}
  2026-05-19T12:45:00Z  171.2
  2026-05-19T13:00:00Z  168.8
  2026-05-19T13:15:00Z  173.0
  2026-05-19T13:30:00Z  169.4
{topic="payments.v3.dlq"}
  2026-05-19T12:45:00Z  0
  2026-05-19T13:30:00Z  0`,
      },
    ],
    report: {
      summary:
        'fraud-scoring falls behind because its consumer group rebalances every six minutes: with the eager RangeAssignor each rebalance takes all partitions from all members.',
      grade: 'confirmed',
      impact: {
        who: 'payments that wait for a score',
        since: '2026-05-19 13:11 UTC',
        severity: 'lag of 175,000 messages',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'Kafka consumer group fraud-scoring (coordinator on kafka-3)',
        kind: 'rebalance storm',
        text: 'The group rebalances again and again, and as the RangeAssignor stops the world, partitions are revoked before their batches are committed; the same messages are read again and lag grows.',
      },
      claims: [
        {
          text: 'The coordinator starts a rebalance every six minutes.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'k2',
              quote:
                '[2026-05-19 13:11:44,010] INFO [GroupCoordinator 3]: Stabilized group fraud-scoring generation 213 (__consumer_offsets-17) with 2 members',
            },
            {
              callId: 'k2',
              quote:
                '[2026-05-19 13:23:08,204] INFO [GroupCoordinator 3]: Stabilized group fraud-scoring generation 215 (__consumer_offsets-17) with 2 members',
            },
          ],
        },
        {
          text: 'The assignor is the eager one, which takes all partitions at each rebalance.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'k3',
              quote: 'partition.assignment.strategy=org.apache.kafka.clients.consumer.RangeAssignor',
            },
            {
              callId: 'k4',
              quote:
                '2026-05-19T13:17:22Z fraud-1 INFO  [Consumer clientId=fraud-1, groupId=fraud-scoring] Revoke previously assigned partitions payments.v3-0, payments.v3-1',
            },
          ],
        },
        {
          text: 'All four partitions lag by about 44,000 messages.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            { callId: 'k1', quote: "Warning: Consumer group 'fraud-scoring' is rebalancing." },
            { callId: 'k1', quote: '88120447        88164102        43655' },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'More payments than usual: the rate of the topic is flat.',
          quotes: [{ callId: 'k5', quote: '  2026-05-19T13:15:00Z  173.0' }],
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
            statement:
              'The group rebalances all the time, and while it does no member reads, so the lag grows.',
            component: 'consumer group fraud-scoring',
            kind: 'rebalance storm',
            predictions: [
              {
                call: 'grep GroupCoordinator in server.log of kafka-3',
                expect: 'The generation goes up every few minutes since about 13:10.',
                refutes: true,
              },
              {
                call: 'bash: consumer.properties of fraud-scoring',
                expect: 'An eager assignor, no cooperative-sticky.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'Producers write more payments than three members can score.',
            component: 'topic payments.v3',
            kind: 'load',
            predictions: [
              {
                call: 'query_prometheus: messages in per topic',
                expect: 'The rate rises clearly after 13:00.',
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
        quote: 'Stabilized group fraud-scoring generation 215 (__consumer_offsets-17) with 2 members',
      },
      {
        id: 'h1.2',
        callId: 'k3',
        quote: 'partition.assignment.strategy=org.apache.kafka.clients.consumer.RangeAssignor',
      },
      { id: 'h2.1', callId: 'k5', quote: '  2026-05-19T13:15:00Z  173.0', opposite: true },
    ],
    leader: 'h1',
  },
  {
    name: 'invoices-twice-in-october',
    verdict: 'wrong',
    why: 'The clock went back from 03:00 CEST to 02:00 CET, so the schedule of 02:30 local time came twice. The restart after the update fell between the two by chance: the first run had finished, and the service found no missed run.',
    kind: 'correlation in time: Windows update in the night in which summer time ended',
    alertStartsAt: '2026-10-25T07:10:00Z',
    runStartedAt: '2026-10-25T07:25:00Z',
    calls: [
      {
        id: 'w1',
        tool: 'sqlcmd',
        args: {
          server: 'SQL-BILL01',
          query:
            "select run_id, started_utc, finished_utc, invoices, state from billing.dbo.runs where started_utc > '2026-10-23' order by run_id",
        },
        output: `run_id  started_utc              finished_utc             invoices  state
------  -----------------------  -----------------------  --------  ---------
  4410  2026-10-23 00:30:00.117  2026-10-23 00:43:51.040     17987  COMPLETED
  4411  2026-10-24 00:30:00.093  2026-10-24 00:44:02.610     18122  COMPLETED
  4412  2026-10-25 00:30:00.104  2026-10-25 00:44:18.377     18204  COMPLETED
  4413  2026-10-25 01:30:00.121  2026-10-25 01:44:40.902     18204  COMPLETED

(4 rows affected)`,
      },
      {
        id: 'w2',
        tool: 'powershell',
        args: {
          host: 'BILL-APP02',
          command:
            "Get-WinEvent -FilterHashtable @{LogName='System';StartTime='2026-10-25T00:00Z';EndTime='2026-10-25T02:00Z'} | Sort-Object TimeCreated | Format-Table -Wrap",
        },
        output: `   ProviderName: Microsoft-Windows-WindowsUpdateClient

TimeCreated (UTC)      Id LevelDisplayName Message
-----------------      -- ---------------- -------
2026-10-25 00:51:07    43 Information      Installation Started: Windows has started installing the following update: 2026-10 Cumulative Update for Windows Server 2022 (KB5070884)
2026-10-25 00:56:30    19 Information      Installation Successful: Windows successfully installed the following update: 2026-10 Cumulative Update for Windows Server 2022 (KB5070884)

   ProviderName: User32
2026-10-25 00:57:02  1074 Information      The process C:\\Windows\\system32\\MusNotificationUx.exe has initiated the restart of computer BILL-APP02 on behalf of user NT AUTHORITY\\SYSTEM
   ProviderName: EventLog
2026-10-25 00:57:29  6006 Information      The Event log service was stopped.
2026-10-25 01:03:48  6005 Information      The Event log service was started.

   ProviderName: Microsoft-Windows-Kernel-General
2026-10-25 01:03:50    24 Information      The time zone information was refreshed with exit reason 0. Current time zone bias is -60.`,
      },
      {
        id: 'w3',
        tool: 'powershell',
        args: { host: 'BILL-APP02', command: 'Get-Content D:\\NightRun\\conf\\nightrun.ini' },
        output: `[service]
Name            = NightRun
StartType       = Automatic
[schedule]
InvoiceRun      = daily 02:30
DunningRun      = weekly Mon 04:00
TimeBase        = local
CatchUpMissed   = true
[mail]
From            = billing@contoso.example`,
      },
      {
        id: 'w4',
        tool: 'powershell',
        args: { host: 'BILL-APP02', command: 'Get-Content D:\\NightRun\\log\\nightrun-20261025.log -Tail 9' },
        output: `2026-10-25 02:30:00 INFO  [InvoiceRun] due, trigger=schedule
2026-10-25 02:30:00 INFO  [InvoiceRun] run 4412 started, 18204 accounts
2026-10-25 02:44:18 INFO  [InvoiceRun] run 4412 finished, exit 0, next due 2026-10-26 02:30:00
2026-10-25 02:57:11 INFO  [Service] stop requested by service control manager
2026-10-25 02:57:12 INFO  [Service] stopped
2026-10-25 02:04:11 INFO  [Service] started, missed runs: 0, next due InvoiceRun 2026-10-25 02:30:00
2026-10-25 02:30:00 INFO  [InvoiceRun] due, trigger=schedule
2026-10-25 02:30:00 INFO  [InvoiceRun] run 4413 started, 18204 accounts
2026-10-25 02:44:40 INFO  [InvoiceRun] run 4413 finished, exit 0, next due 2026-10-26 02:30:00`,
      },
      {
        id: 'w5',
        tool: 'powershell',
        args: {
          host: 'BILL-APP02',
          command: 'Get-HotFix | Sort-Object InstalledOn -Descending | Select-Object -First 4',
        },
        output: `Source        Description      HotFixID      InstalledBy          InstalledOn
------        -----------      --------      -----------          -----------
BILL-APP02    Update           KB5070884     NT AUTHORITY\\SYSTEM  10/25/2026 12:00:00 AM
BILL-APP02    Security Update  KB5068409     NT AUTHORITY\\SYSTEM  9/13/2026 12:00:00 AM
BILL-APP02    Update           KB5066137     NT AUTHORITY\\SYSTEM  8/16/2026 12:00:00 AM
BILL-APP02    Security Update  KB5065306     NT AUTHORITY\\SYSTEM  8/16/2026 12:00:00 AM`,
      },
    ],
    report: {
      summary:
        'All 18,204 customers were billed twice because the Windows update KB5070884 restarted BILL-APP02 in the night run, and NightRun caught the run up after the restart.',
      grade: 'confirmed',
      impact: {
        who: '18,204 customers with a second invoice',
        since: '2026-10-25 01:30 UTC',
        severity: 'each was billed twice',
        ongoing: 'no',
      },
      rootCause: {
        component: 'BILL-APP02, Windows Update (KB5070884)',
        kind: 'unplanned restart by an update',
        text: 'The update restarted the server at 00:57 UTC, in the window of the invoice run; with CatchUpMissed = true the service took the run for missed and started it again half an hour after the boot.',
      },
      claims: [
        {
          text: 'Windows Update restarted the server between the two runs.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'w2',
              quote:
                '2026-10-25 00:56:30    19 Information      Installation Successful: Windows successfully installed the following update: 2026-10 Cumulative Update for Windows Server 2022 (KB5070884)',
            },
            {
              callId: 'w2',
              quote: '2026-10-25 01:03:48  6005 Information      The Event log service was started.',
            },
          ],
        },
        {
          text: 'The service catches up missed runs after a start.',
          role: 'cause',
          confidence: 'high',
          quotes: [{ callId: 'w3', quote: 'CatchUpMissed   = true' }],
        },
        {
          text: 'After the restart the same 18,204 accounts were billed again.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'w1',
              quote: '  4413  2026-10-25 01:30:00.121  2026-10-25 01:44:40.902     18204  COMPLETED',
            },
            {
              callId: 'w4',
              quote: '2026-10-25 02:30:00 INFO  [InvoiceRun] run 4413 started, 18204 accounts',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'A second start by hand: run 4413 was started by the service itself.',
          quotes: [{ callId: 'w4', quote: '2026-10-25 02:30:00 INFO  [InvoiceRun] due, trigger=schedule' }],
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
            statement: 'The server was restarted around the run, and the service repeated it after the boot.',
            component: 'BILL-APP02, Windows Update',
            kind: 'restart by an update',
            predictions: [
              {
                call: 'powershell: events of the System log between 00:00 and 02:00 UTC',
                expect: 'A restart after 00:30 and before 01:30.',
                refutes: true,
              },
              {
                call: 'powershell: nightrun.ini',
                expect: 'Missed runs are caught up at start.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'An operator started the run a second time by hand.',
            component: 'operator of NightRun',
            kind: 'operating error',
            predictions: [
              {
                call: 'powershell: log of NightRun of that night',
                expect: 'trigger=manual with the name of a user at the second run.',
                refutes: true,
              },
            ],
          },
        ],
      },
      {
        before: 'w5',
        add: [
          {
            statement: 'Two updates were installed, and it was an older one that broke NightRun.',
            component: 'BILL-APP02, update of September',
            kind: 'faulty update',
            predictions: [
              {
                call: 'powershell: Get-HotFix, newest first',
                expect: 'The newest update is older than this night.',
              },
            ],
          },
        ],
      },
    ],
    tests: [
      {
        id: 'h1.1',
        callId: 'w2',
        quote: '2026-10-25 01:03:48  6005 Information      The Event log service was started.',
      },
      { id: 'h1.2', callId: 'w3', quote: 'CatchUpMissed   = true' },
      {
        id: 'h2.1',
        callId: 'w4',
        quote: '2026-10-25 02:30:00 INFO  [InvoiceRun] due, trigger=schedule',
        opposite: true,
      },
      {
        id: 'h3.1',
        callId: 'w5',
        quote: 'BILL-APP02    Update           KB5070884     NT AUTHORITY\\SYSTEM  10/25/2026 12:00:00 AM',
        opposite: true,
      },
    ],
    leader: 'h1',
  },
  {
    name: 'landing-bucket-forbidden',
    verdict: 'wrong',
    why: 'PutKeyPolicy of this morning at 06:03 took dw-loader out of the policy of the KMS key; the first read after it failed. The bucket policy is six weeks old, and the load of 05:45 still went well under it.',
    kind: 'an older change blamed: bucket policy of January, while the key policy was changed minutes before',
    alertStartsAt: '2026-03-11T06:15:00Z',
    runStartedAt: '2026-03-11T06:22:00Z',
    calls: [
      {
        id: 'toolu_a1',
        tool: 'bash',
        args: { command: 'tail -n 7 /var/log/dw-loader/loader.log' },
        output: `2026-03-11 05:45:09,330 INFO  loader batch 20260311-0545 read 41 objects from s3://acme-dw-landing/orders/
2026-03-11 05:45:52,871 INFO  loader batch 20260311-0545 committed, 188203 rows
2026-03-11 06:15:04,002 INFO  loader batch 20260311-0615 start, 39 objects
2026-03-11 06:15:04,611 ERROR loader s3://acme-dw-landing/orders/2026/03/11/part-0001.parquet: 403 Forbidden
2026-03-11 06:15:05,020 ERROR loader s3://acme-dw-landing/orders/2026/03/11/part-0002.parquet: 403 Forbidden
2026-03-11 06:15:05,377 WARN  loader s3://acme-dw-landing/orders/2026/03/11/_manifest.json: retry 1/5
2026-03-11 06:15:41,908 ERROR loader batch 20260311-0615 failed, 0 rows`,
      },
      {
        id: 'toolu_a2',
        tool: 'aws',
        args: {
          args: 's3api get-bucket-policy --bucket acme-dw-landing --query Policy --output text | jq -c .Statement[]',
        },
        output: `{"Sid":"AllowWriters","Effect":"Allow","Principal":{"AWS":"arn:aws:iam::210987654321:role/orders-exporter"},"Action":"s3:PutObject","Resource":"arn:aws:s3:::acme-dw-landing/*"}
{"Sid":"AllowLoader","Effect":"Allow","Principal":{"AWS":"arn:aws:iam::210987654321:role/dw-loader"},"Action":["s3:GetObject","s3:ListBucket"],"Resource":["arn:aws:s3:::acme-dw-landing","arn:aws:s3:::acme-dw-landing/*"]}
{"Sid":"DenyOutsideVpce","Effect":"Deny","Principal":"*","Action":"s3:GetObject","Resource":"arn:aws:s3:::acme-dw-landing/*","Condition":{"StringNotEquals":{"aws:SourceVpce":"vpce-0a91c7e2f4d05b318"}}}
{"Sid":"DenyPlainHttp","Effect":"Deny","Principal":"*","Action":"s3:*","Resource":"arn:aws:s3:::acme-dw-landing/*","Condition":{"Bool":{"aws:SecureTransport":"false"}}}`,
      },
      {
        id: 'toolu_a3',
        tool: 'aws',
        args: {
          args: 'cloudtrail lookup-events --start-time 2026-01-20 --lookup-attributes AttributeKey=ReadOnly,AttributeValue=false --query "Events[?contains(EventName, `Policy`)].[EventTime,EventName,Username,Resources[0].ResourceName]" --output json | jq -c .[]',
        },
        output: `["2026-03-11T06:03:27+00:00","PutKeyPolicy","tf-security","arn:aws:kms:eu-central-1:210987654321:key/6b1d0c54-8e0f-4c1b-9a7d-2f9b7d3f51aa"]
["2026-02-19T14:10:02+00:00","PutRolePolicy","tf-apps","web-frontend"]
["2026-02-03T09:41:18+00:00","AttachRolePolicy","tf-apps","report-mailer"]
["2026-01-28T10:22:45+00:00","PutBucketPolicy","tf-data","acme-dw-landing"]`,
      },
      {
        id: 'toolu_a4',
        tool: 'bash',
        args: { command: 'git -C /srv/infra show --stat --format="%h %ad %an%n%s" --date=iso HEAD~41' },
        output: `e07b3f1 2026-01-28 11:20:07 +0100 Ines Kaya
data: landing bucket only through the VPC endpoint

 data/landing/policy.tf    | 14 ++++++++++++++
 data/landing/variables.tf |  5 +++++
 2 files changed, 19 insertions(+)`,
      },
      {
        id: 'toolu_a5',
        tool: 'aws',
        args: { args: 'iam get-role-policy --role-name dw-loader --policy-name read-landing' },
        output: `{
    "RoleName": "dw-loader",
    "PolicyName": "read-landing",
    "PolicyDocument": {
        "Version": "2012-10-17",
        "Statement": [
            { "Effect": "Allow", "Action": ["s3:GetObject", "s3:ListBucket"], "Resource": "arn:aws:s3:::acme-dw-landing*" },
            { "Effect": "Allow", "Action": "kms:Decrypt", "Resource": "*" }
        ]
    }
}`,
      },
      {
        id: 'toolu_a6',
        tool: 'aws',
        args: {
          args: 's3api list-objects-v2 --bucket acme-dw-landing --prefix orders/2026/03/11/ --max-items 3 --query "Contents[].[Key,Size,LastModified]" --output text',
        },
        output: `orders/2026/03/11/_manifest.json	4118	2026-03-11T06:10:02+00:00
orders/2026/03/11/part-0001.parquet	18840211	2026-03-11T06:09:31+00:00
orders/2026/03/11/part-0002.parquet	19002874	2026-03-11T06:09:40+00:00`,
      },
    ],
    report: {
      summary:
        'The load of orders fails with 403 because the policy of the bucket acme-dw-landing denies each GetObject that does not come through one VPC endpoint.',
      grade: 'confirmed',
      impact: {
        who: 'readers of the data warehouse',
        since: '2026-03-11 06:15 UTC',
        severity: 'no new orders are loaded',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'S3 bucket policy of acme-dw-landing',
        kind: 'wrong access policy',
        text: 'The statement DenyOutsideVpce, put in place with e07b3f1, denies GetObject to everything outside vpce-0a91c7e2f4d05b318; an explicit deny beats the allow of dw-loader, so its reads get 403.',
      },
      claims: [
        {
          text: 'The bucket policy has an explicit deny of GetObject for all principals.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'toolu_a2',
              quote:
                '{"Sid":"DenyOutsideVpce","Effect":"Deny","Principal":"*","Action":"s3:GetObject","Resource":"arn:aws:s3:::acme-dw-landing/*","Condition":{"StringNotEquals":{"aws:SourceVpce":"vpce-0a91c7e2f4d05b318"}}}',
            },
          ],
        },
        {
          text: 'It was brought in by a change of the infrastructure and applied to this bucket.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'toolu_a4', quote: 'data: landing bucket only through the VPC endpoint' },
            { callId: 'toolu_a3', quote: '"PutBucketPolicy","tf-data","acme-dw-landing"' },
          ],
        },
        {
          text: 'Reads of objects are forbidden, while listing still works, which is what a deny of GetObject alone looks like.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'toolu_a1',
              quote:
                '2026-03-11 06:15:04,611 ERROR loader s3://acme-dw-landing/orders/2026/03/11/part-0001.parquet: 403 Forbidden',
            },
            {
              callId: 'toolu_a6',
              quote: 'orders/2026/03/11/part-0001.parquet	18840211	2026-03-11T06:09:31+00:00',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'The role dw-loader lost its own permission: it may still read the bucket and decrypt.',
          quotes: [
            { callId: 'toolu_a5', quote: '{ "Effect": "Allow", "Action": "kms:Decrypt", "Resource": "*" }' },
          ],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
    written: [
      {
        before: 'toolu_a2',
        add: [
          {
            statement: 'A statement of the bucket policy denies the reads of dw-loader.',
            component: 'bucket policy of acme-dw-landing',
            kind: 'access policy',
            predictions: [
              {
                call: 'aws s3api get-bucket-policy of acme-dw-landing',
                expect: 'A Deny of s3:GetObject that can hit dw-loader.',
                refutes: true,
              },
              {
                call: 'aws cloudtrail: writes of policies',
                expect: 'PutBucketPolicy on acme-dw-landing.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'The role dw-loader lost the right to read or decrypt.',
            component: 'IAM role dw-loader',
            kind: 'missing permission',
            predictions: [
              {
                call: 'aws iam get-role-policy of dw-loader',
                expect: 'No s3:GetObject or no kms:Decrypt in it.',
                refutes: true,
              },
            ],
          },
        ],
      },
      {
        before: 'toolu_a6',
        add: [
          {
            statement: 'The exporter did not write the objects, and S3 answers 403 for a missing key.',
            component: 'orders-exporter',
            kind: 'missing data',
            predictions: [
              {
                call: 'aws s3api list-objects-v2 of today',
                expect: 'part-0001.parquet is not there.',
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
        callId: 'toolu_a2',
        quote: '{"Sid":"DenyOutsideVpce","Effect":"Deny","Principal":"*","Action":"s3:GetObject"',
      },
      {
        id: 'h1.2',
        callId: 'toolu_a3',
        quote: '["2026-01-28T10:22:45+00:00","PutBucketPolicy","tf-data","acme-dw-landing"]',
      },
      {
        id: 'h2.1',
        callId: 'toolu_a5',
        quote: '{ "Effect": "Allow", "Action": "kms:Decrypt", "Resource": "*" }',
        opposite: true,
      },
      {
        id: 'h3.1',
        callId: 'toolu_a6',
        quote: 'orders/2026/03/11/part-0001.parquet	18840211	2026-03-11T06:09:31+00:00',
        opposite: true,
      },
    ],
    leader: 'h1',
  },
  {
    name: 'stock-deadlocks-mysql',
    verdict: 'wrong',
    why: 'price-import updates stock in one transaction that is open since 10:02 and holds 41,873 row locks; checkout is the transaction that is rolled back for it.',
    kind: 'the victim blamed: the short transaction that MySQL rolls back',
    alertStartsAt: '2026-06-03T10:38:00Z',
    runStartedAt: '2026-06-03T10:44:00Z',
    calls: [
      {
        id: 'm1',
        tool: 'bash',
        args: { command: 'journalctl -u checkout --since 10:00 --no-pager | grep -i lock | tail -n 5' },
        output: `Jun 03 10:12:55 app-3 checkout[2207]: SQLSTATE[40001]: Serialization failure: 1213 Deadlock found when trying to get lock; try restarting transaction (UPDATE stock)
Jun 03 10:26:18 app-1 checkout[1988]: SQLSTATE[HY000]: General error: 1205 Lock wait timeout exceeded; try restarting transaction (UPDATE stock)
Jun 03 10:37:41 app-1 checkout[1988]: SQLSTATE[HY000]: General error: 1205 Lock wait timeout exceeded; try restarting transaction (UPDATE stock)
Jun 03 10:41:39 app-3 checkout[2207]: SQLSTATE[40001]: Serialization failure: 1213 Deadlock found when trying to get lock; try restarting transaction (UPDATE stock)
Jun 03 10:41:50 app-2 checkout[2115]: SQLSTATE[HY000]: General error: 1205 Lock wait timeout exceeded; try restarting transaction (UPDATE stock)`,
      },
      {
        id: 'm2',
        tool: 'mysql',
        args: { host: 'mysql-shop', sql: 'show engine innodb status\\G' },
        output: `LATEST DETECTED DEADLOCK
------------------------
2026-06-03 10:41:39 140213377451776
*** (1) TRANSACTION:
TRANSACTION 90871224, ACTIVE 3 sec starting index read
LOCK WAIT 5 lock struct(s), heap size 1136, 3 row lock(s), undo log entries 2
MySQL thread id 55102, query id 7710923 10.3.1.13 checkout updating
UPDATE stock SET reserved = reserved + 1 WHERE sku = 'SKU-20418'
*** (2) TRANSACTION:
TRANSACTION 90811007, ACTIVE 2381 sec fetching rows
3110 lock struct(s), heap size 385144, 41873 row lock(s), undo log entries 40211
MySQL thread id 54870, query id 7710921 10.3.1.40 import updating
UPDATE stock SET price_cents = 1899, updated_at = NOW() WHERE sku = 'SKU-20377'
*** WE ROLL BACK TRANSACTION (1)`,
      },
      {
        id: 'm3',
        tool: 'bash',
        args: { command: 'sed -n 41,52p /srv/checkout/src/Stock/Reservation.php', host: 'app-3' },
        output: `    public function reserve(Basket $basket): void
    {
        $this->db->beginTransaction();
        // positions come in the order in which the customer added them
        foreach ($basket->positions() as $p) {
            $this->db->execute(
                'UPDATE stock SET reserved = reserved + 1 WHERE sku = ?',
                [$p->sku()],
            );
        }
        $this->db->commit();
    }`,
      },
      {
        id: 'm4',
        tool: 'mysql',
        args: {
          host: 'mysql-shop',
          sql: 'select trx_id, trx_state, trx_started, trx_rows_locked, trx_rows_modified, trx_mysql_thread_id from information_schema.innodb_trx order by trx_started',
        },
        output: `+----------+-----------+---------------------+-----------------+-------------------+---------------------+
| trx_id   | trx_state | trx_started         | trx_rows_locked | trx_rows_modified | trx_mysql_thread_id |
+----------+-----------+---------------------+-----------------+-------------------+---------------------+
| 90811007 | RUNNING   | 2026-06-03 10:01:58 |           44120 |             42390 |               54870 |
| 90875518 | LOCK WAIT | 2026-06-03 10:45:02 |               2 |                 1 |               55117 |
| 90875530 | LOCK WAIT | 2026-06-03 10:45:04 |               1 |                 0 |               55102 |
+----------+-----------+---------------------+-----------------+-------------------+---------------------+
3 rows in set (0.00 sec)`,
      },
      {
        id: 'm5',
        tool: 'mysql',
        args: {
          host: 'mysql-shop',
          sql: "show global status where variable_name in ('Threads_running','Innodb_buffer_pool_wait_free','Innodb_log_waits','Slow_queries')",
        },
        output: `+------------------------------+-------+
| Variable_name                | Value |
+------------------------------+-------+
| Innodb_buffer_pool_wait_free | 0     |
| Innodb_log_waits             | 0     |
| Slow_queries                 | 1187  |
| Threads_running              | 9     |
+------------------------------+-------+`,
      },
    ],
    report: {
      summary:
        'Orders fail with deadlocks because checkout locks the rows of stock in the order of the basket, without sorting the SKUs.',
      grade: 'confirmed',
      impact: {
        who: 'customers who order',
        since: '2026-06-03 10:12 UTC',
        severity: 'several orders a minute fail',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'checkout, Reservation::reserve()',
        kind: 'deadlock by order of locks',
        text: 'reserve() updates stock row by row in the order in which the customer filled the basket, so its transactions take their locks crosswise, and InnoDB rolls them back.',
      },
      claims: [
        {
          text: 'checkout takes its row locks in an order that the customer decides.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'm3', quote: '// positions come in the order in which the customer added them' },
          ],
        },
        {
          text: 'The deadlock that InnoDB found is one of the UPDATE of reserve(), and this transaction was rolled back.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'm2', quote: "UPDATE stock SET reserved = reserved + 1 WHERE sku = 'SKU-20418'" },
            { callId: 'm2', quote: '*** WE ROLL BACK TRANSACTION (1)' },
          ],
        },
        {
          text: 'Orders fail with error 1213.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'm1',
              quote:
                'Jun 03 10:41:39 app-3 checkout[2207]: SQLSTATE[40001]: Serialization failure: 1213 Deadlock found when trying to get lock; try restarting transaction (UPDATE stock)',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'A server short of memory or of log: nothing waits for free pages or for the redo log.',
          quotes: [
            { callId: 'm5', quote: '| Innodb_buffer_pool_wait_free | 0     |' },
            { callId: 'm5', quote: '| Innodb_log_waits             | 0     |' },
          ],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
    written: [
      {
        before: 'm2',
        add: [
          {
            statement: 'checkout locks rows of stock in changing order and so makes the deadlocks.',
            component: 'checkout, reservation of stock',
            kind: 'order of locks',
            predictions: [
              {
                call: 'mysql: show engine innodb status, latest deadlock',
                expect: 'An UPDATE stock of checkout takes part.',
                refutes: true,
              },
              {
                call: 'bash: source of the reservation',
                expect: 'Rows are updated in a loop without sorting by sku.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'InnoDB is short of buffer pool or redo log, so transactions hold locks longer.',
            component: 'mysql-shop, InnoDB',
            kind: 'saturation',
            predictions: [
              {
                call: 'mysql: show global status',
                expect: 'Waits for free pages or for the log above 0.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 'm2', quote: "UPDATE stock SET reserved = reserved + 1 WHERE sku = 'SKU-20418'" },
      { id: 'h1.2', callId: 'm3', quote: '// positions come in the order in which the customer added them' },
      { id: 'h2.1', callId: 'm5', quote: '| Innodb_log_waits             | 0     |', opposite: true },
    ],
    leader: 'h1',
  },
  {
    name: 'mail-queue-error-451',
    verdict: 'wrong',
    why: 'The spool has no free inode: 641,882 small files lie in its quarantine directory. df without -i shows blocks only, and does not speak against this. rspamd is slow because it writes to the same spool.',
    kind: 'alternative ruled out by a line that does not speak against it: df shows blocks, the inodes are used up',
    alertStartsAt: '2026-08-22T04:50:00Z',
    runStartedAt: '2026-08-22T05:01:00Z',
    calls: [
      {
        id: 's1',
        tool: 'bash',
        args: { host: 'mx1', command: 'grep -E "451|milter|warning" /var/log/mail.log | tail -n 7' },
        output: `Aug 22 04:44:10 mx1 postfix/smtpd[30177]: warning: hostname static-198-51-100-77.isp.example does not resolve to address 198.51.100.77
Aug 22 04:47:31 mx1 postfix/cleanup[30411]: warning: mail_queue_enter: create file incoming/451288.30411: No space left on device
Aug 22 04:47:39 mx1 postfix/cleanup[30398]: warning: milter inet:localhost:11332: can't read SMFIC_BODYEOB reply packet header: Connection timed out
Aug 22 04:47:39 mx1 postfix/smtpd[30385]: 4F1C2A09B1: milter-reject: END-OF-MESSAGE from mail-ej1.sender.example[203.0.113.81]: 4.7.1 Service unavailable - try again later
Aug 22 04:48:02 mx1 postfix/cleanup[30411]: warning: mail_queue_enter: create file incoming/882410.30411: No space left on device
Aug 22 04:49:17 mx1 postfix/cleanup[30398]: warning: milter inet:localhost:11332: can't read SMFIC_BODYEOB reply packet header: Connection timed out
Aug 22 04:49:30 mx1 postfix/smtpd[30390]: disconnect from mail-ej1.sender.example[203.0.113.81] ehlo=2 starttls=1 mail=1 rcpt=1 data=0/1 quit=1 commands=5/6`,
      },
      {
        id: 's2',
        tool: 'bash',
        args: { host: 'mx1', command: 'df -h /var/spool /var/log /' },
        output: `Filesystem             Size  Used Avail Use% Mounted on
/dev/mapper/vg0-spool  9.8G  2.9G  6.4G  31% /var/spool
/dev/mapper/vg0-log     20G   11G  8.1G  58% /var/log
/dev/mapper/vg0-root    30G   12G   17G  42% /`,
      },
      {
        id: 's3',
        tool: 'bash',
        args: { host: 'mx1', command: 'journalctl -u rspamd --since 04:30 --no-pager | tail -n 6' },
        output: `Aug 22 04:41:12 mx1 rspamd[1190]: <b0c71e>; task; rspamd_task_write_log: id: <20260822.1@list.example>, time: 311.2ms, (default: F (no action): [1.20/15.00])
Aug 22 04:47:39 mx1 rspamd[1190]: <77ab20>; task; rspamd_task_timeout: processing of task time out: 8.0s spent; 8.0s limit; forcing processing
Aug 22 04:47:39 mx1 rspamd[1190]: <77ab20>; proxy; proxy_milter_finish_handler: finished milter connection
Aug 22 04:49:17 mx1 rspamd[1190]: <90fe41>; task; rspamd_task_timeout: processing of task time out: 8.0s spent; 8.0s limit; forcing processing
Aug 22 04:49:44 mx1 rspamd[1190]: <a1d3c9>; lua; clickhouse.lua:488: sent 212 rows
Aug 22 04:49:58 mx1 rspamd[1190]: <c20be7>; task; rspamd_task_timeout: processing of task time out: 8.0s spent; 8.0s limit; forcing processing`,
      },
      {
        id: 's4',
        tool: 'bash',
        args: { host: 'mx1', command: 'tune2fs -l /dev/mapper/vg0-spool | sed -n 14,24p' },
        output: `Inode count:              655360
Block count:              2621440
Reserved block count:     131072
Free blocks:              1809244
Free inodes:              0
First block:              0
Block size:               4096
Fragment size:            4096
Blocks per group:         32768
Inodes per group:         8192`,
      },
      {
        id: 's5',
        tool: 'bash',
        args: {
          host: 'mx1',
          command:
            'cd /var/spool && for d in *; do printf "%8d %s\\n" $(find $d | wc -l) $d; done | sort -rn',
        },
        output: `  641882 quarantine
   11207 postfix
     940 rspamd
      21 cron
       3 anacron`,
      },
      {
        id: 's6',
        tool: 'bash',
        args: { host: 'mx1', command: 'qshape -s incoming active deferred | head -n 5' },
        output: `                     T   5  10  20  40  80 160 320 640 1280 1280+
             TOTAL  61  40   9   4   2   1   1   1   0    1     2
  customer.example  22  17   3   1   0   0   1   0   0    0     0
   partner.example   9   8   1   0   0   0   0   0   0    0     0
       gmail.com     4   1   1   1   1   0   0   0   0    0     0`,
      },
    ],
    report: {
      summary:
        'mx1 turns mail away because rspamd runs into its time limit of 8 s on each message, and postfix answers 451 when the milter does not reply.',
      grade: 'confirmed',
      impact: {
        who: 'senders to mx1',
        since: '2026-08-22 04:47 UTC',
        severity: 'mail is put off',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'rspamd on mx1',
        kind: 'time-out of the milter',
        text: 'rspamd does not finish its tasks within 8 seconds, so the milter connection of postfix times out and each message is answered with a temporary error.',
      },
      claims: [
        {
          text: 'Tasks of rspamd run into the limit.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 's3',
              quote:
                'Aug 22 04:47:39 mx1 rspamd[1190]: <77ab20>; task; rspamd_task_timeout: processing of task time out: 8.0s spent; 8.0s limit; forcing processing',
            },
          ],
        },
        {
          text: 'In the same second postfix waits for the milter in vain and rejects the message.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 's1',
              quote:
                "Aug 22 04:47:39 mx1 postfix/cleanup[30398]: warning: milter inet:localhost:11332: can't read SMFIC_BODYEOB reply packet header: Connection timed out",
            },
            {
              callId: 's1',
              quote:
                'Aug 22 04:47:39 mx1 postfix/smtpd[30385]: 4F1C2A09B1: milter-reject: END-OF-MESSAGE from mail-ej1.sender.example[203.0.113.81]: 4.7.1 Service unavailable - try again later',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'A full spool, in spite of the message "No space left on device": 6.4 GB are free, 31 % are used.',
          quotes: [
            { callId: 's2', quote: '/dev/mapper/vg0-spool  9.8G  2.9G  6.4G  31% /var/spool' },
            { callId: 's4', quote: 'Free blocks:              1809244' },
          ],
        },
        {
          text: 'A flood of mail: only 61 messages are in the queues.',
          quotes: [
            { callId: 's6', quote: '             TOTAL  61  40   9   4   2   1   1   1   0    1     2' },
          ],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
    written: [
      {
        before: 's2',
        add: [
          {
            statement: 'The file system of the spool is full.',
            component: 'mx1, /var/spool',
            kind: 'disk full',
            predictions: [{ call: 'bash: df -h /var/spool', expect: 'Use% near 100.', refutes: true }],
          },
          {
            statement: 'rspamd does not answer in time, and postfix gives a temporary error.',
            component: 'rspamd on mx1',
            kind: 'time-out',
            predictions: [
              {
                call: 'bash: journal of rspamd since 04:30',
                expect: 'Tasks that time out at the seconds of the milter warnings.',
                refutes: true,
              },
            ],
          },
        ],
      },
      {
        before: 's6',
        add: [
          {
            statement: 'A wave of mail overloads the server.',
            component: 'postfix on mx1',
            kind: 'load',
            predictions: [
              {
                call: 'bash: qshape of incoming, active and deferred',
                expect: 'Thousands of messages younger than 10 minutes.',
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
        callId: 's2',
        quote: '/dev/mapper/vg0-spool  9.8G  2.9G  6.4G  31% /var/spool',
        opposite: true,
      },
      {
        id: 'h2.1',
        callId: 's3',
        quote: 'rspamd_task_timeout: processing of task time out: 8.0s spent; 8.0s limit; forcing processing',
      },
      {
        id: 'h3.1',
        callId: 's6',
        quote: '             TOTAL  61  40   9   4   2   1   1   1   0    1     2',
        opposite: true,
      },
    ],
    leader: 'h2',
  },
  {
    name: 'quotes-503-through-envoy',
    verdict: 'wrong',
    why: 'The 503 come from the application (via_upstream), which has no tariff set loaded; why it has none no output shows. No circuit of Envoy is open and nothing overflowed.',
    kind: 'a healthy component blamed: Envoy only passes on the answers of the service behind it',
    alertStartsAt: '2026-07-09T16:22:00Z',
    runStartedAt: '2026-07-09T16:30:00Z',
    calls: [
      {
        id: 'call_01',
        tool: 'kubectl',
        args: { args: 'logs -n edge deploy/envoy --since=10m | grep quotes | tail -n 5' },
        output: `[2026-07-09T16:29:41.113Z] "POST /v2/quotes HTTP/2" 503 - via_upstream - "-" 412 87 4 3 "10.20.0.9" "okhttp/4.12.0" "0f5b2a4e-91cc" "quotes.api.example" "10.20.7.31:8080"
[2026-07-09T16:29:41.208Z] "POST /v2/quotes HTTP/2" 503 - via_upstream - "-" 398 87 3 3 "10.20.0.9" "okhttp/4.12.0" "7bb1c02d-33f0" "quotes.api.example" "10.20.7.32:8080"
[2026-07-09T16:29:41.350Z] "GET /v2/products HTTP/2" 200 - via_upstream - "-" 0 5120 21 20 "10.20.0.14" "Mozilla/5.0" "b2870c55-a010" "quotes.api.example" "10.20.5.12:8080"
[2026-07-09T16:29:41.402Z] "POST /v2/quotes HTTP/2" 503 - via_upstream - "-" 420 87 3 2 "10.20.0.14" "Mozilla/5.0" "d4476e18-5e1b" "quotes.api.example" "10.20.7.31:8080"
[2026-07-09T16:29:41.977Z] "POST /v2/quotes HTTP/2" 503 - via_upstream - "-" 405 87 4 3 "10.20.0.9" "okhttp/4.12.0" "95e0d3c7-c2a4" "quotes.api.example" "10.20.7.32:8080"`,
      },
      {
        id: 'call_02',
        tool: 'bash',
        args: { command: 'curl -s localhost:9901/stats?filter=cluster.quotes | sort' },
        output: `cluster.quotes.circuit_breakers.default.cx_open: 0
cluster.quotes.circuit_breakers.default.rq_open: 0
cluster.quotes.membership_healthy: 2
cluster.quotes.membership_total: 2
cluster.quotes.upstream_cx_active: 8
cluster.quotes.upstream_cx_overflow: 0
cluster.quotes.upstream_rq_200: 91077
cluster.quotes.upstream_rq_503: 1841
cluster.quotes.upstream_rq_active: 37
cluster.quotes.upstream_rq_pending_overflow: 0
cluster.quotes.upstream_rq_retry: 1702
cluster.quotes.upstream_rq_retry_overflow: 0`,
      },
      {
        id: 'call_03',
        tool: 'bash',
        args: {
          command:
            'curl -s localhost:9901/config_dump?resource=dynamic_active_clusters | jq -c ".configs[].cluster | select(.name==\\"quotes\\") | .circuit_breakers, .connect_timeout, .lb_policy"',
        },
        output: `{"thresholds":[{"max_connections":64,"max_pending_requests":32,"max_requests":64,"max_retries":3}]}
"1s"
"LEAST_REQUEST"`,
      },
      {
        id: 'call_04',
        tool: 'kubectl',
        args: { args: 'logs -n pricing deploy/quotes --since=10m | tail -n 5' },
        output: `{"ts":"2026-07-09T16:29:12Z","level":"INFO","logger":"http","msg":"GET /healthz 200 0ms"}
{"ts":"2026-07-09T16:29:41Z","level":"WARN","logger":"quotes.handler","msg":"request rejected: no tariff set (state=LOADING)","status":503}
{"ts":"2026-07-09T16:29:41Z","level":"WARN","logger":"quotes.handler","msg":"request rejected: no tariff set (state=LOADING)","status":503}
{"ts":"2026-07-09T16:29:42Z","level":"INFO","logger":"http","msg":"GET /healthz 200 0ms"}
{"ts":"2026-07-09T16:29:42Z","level":"INFO","logger":"metrics","msg":"flushed 118 series"}`,
      },
      {
        id: 'call_05',
        tool: 'kubectl',
        args: { args: 'get pods -n pricing -o wide' },
        output: `NAME                      READY   STATUS    RESTARTS   AGE   IP           NODE
quotes-5d8c7b9f64-8hx2m   1/1     Running   0          14m   10.20.7.31   ip-10-20-7-3
quotes-5d8c7b9f64-rk9dz   1/1     Running   0          14m   10.20.7.32   ip-10-20-7-3
tariffs-0                 1/1     Running   0          9d    10.20.7.18   ip-10-20-7-1`,
      },
    ],
    report: {
      summary:
        'POST /v2/quotes answers 503 because the pool of Envoy to the cluster quotes is set far too small and sheds requests.',
      grade: 'confirmed',
      impact: {
        who: 'clients who ask for a quote',
        since: '2026-07-09 16:16 UTC',
        severity: 'almost all quotes fail',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'Envoy at the edge, circuit breaker of the cluster quotes',
        kind: 'saturated connection pool',
        text: 'With max_requests 64 and max_retries 3 the pool fills up as soon as retries come on top of the 37 active requests, and Envoy answers the rest within 3 ms with 503.',
      },
      claims: [
        {
          text: 'Envoy counts 1,841 answers 503 for the cluster and retries almost as often, which eats up the pool.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'call_02', quote: 'cluster.quotes.upstream_rq_503: 1841' },
            { callId: 'call_02', quote: 'cluster.quotes.upstream_rq_retry: 1702' },
          ],
        },
        {
          text: 'The thresholds are low: 64 requests, 32 pending, 3 retries.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'call_03',
              quote:
                '{"thresholds":[{"max_connections":64,"max_pending_requests":32,"max_requests":64,"max_retries":3}]}',
            },
          ],
        },
        {
          text: 'The 503 come back after 3 to 4 ms: nobody worked on them, they were shed.',
          role: 'effect',
          confidence: 'medium',
          quotes: [
            {
              callId: 'call_01',
              quote:
                '[2026-07-09T16:29:41.208Z] "POST /v2/quotes HTTP/2" 503 - via_upstream - "-" 398 87 3 3 "10.20.0.9"',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'Pods of quotes that are down: both are ready and answer their health check.',
          quotes: [
            {
              callId: 'call_05',
              quote: 'quotes-5d8c7b9f64-8hx2m   1/1     Running   0          14m   10.20.7.31',
            },
            { callId: 'call_04', quote: '"msg":"GET /healthz 200 0ms"' },
          ],
        },
      ],
      recommended: [],
      gaps: [],
      timeline: [],
    },
    written: [
      {
        before: 'call_02',
        add: [
          {
            statement: 'The circuit breaker of Envoy for quotes is too small and sheds requests with 503.',
            component: 'Envoy, cluster quotes',
            kind: 'saturated pool',
            predictions: [
              {
                call: 'bash: stats of cluster.quotes in Envoy',
                expect: 'Many 503 and many retries in the counters of the cluster.',
                refutes: true,
              },
              {
                call: 'bash: config_dump, circuit_breakers of quotes',
                expect: 'Thresholds of some dozens, not the default of 1024.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'The pods of quotes are down or not ready.',
            component: 'Deployment quotes',
            kind: 'crash',
            predictions: [
              {
                call: 'kubectl get pods -n pricing',
                expect: 'Pods of quotes with restarts or 0/1.',
                refutes: true,
              },
            ],
          },
        ],
      },
    ],
    tests: [
      { id: 'h1.1', callId: 'call_02', quote: 'cluster.quotes.upstream_rq_503: 1841' },
      {
        id: 'h1.2',
        callId: 'call_03',
        quote:
          '{"thresholds":[{"max_connections":64,"max_pending_requests":32,"max_requests":64,"max_retries":3}]}',
      },
      {
        id: 'h2.1',
        callId: 'call_05',
        quote: 'quotes-5d8c7b9f64-rk9dz   1/1     Running   0          14m   10.20.7.32',
        opposite: true,
      },
    ],
    leader: 'h1',
  },
  {
    name: 'datastore-latency-nexus',
    verdict: 'wrong',
    why: 'Eth1/14 gets frames with CRC errors and its received light is below the alarm threshold: a dirty or dying optic or fibre. No output says anything of a fault in the software of the switch.',
    kind: 'a cause that no output shows: a bug of the firmware, taken from the version alone',
    alertStartsAt: '2026-01-17T22:04:00Z',
    runStartedAt: '2026-01-17T22:12:00Z',
    calls: [
      {
        id: 'n1',
        tool: 'ssh',
        args: { host: 'esx-07', command: 'grep -E "performance|iscsi" /var/log/vmkernel.log | tail -n 5' },
        output: `2026-01-17T21:57:40.118Z cpu12:2098181)ScsiDeviceIO: 1762: Device naa.6000d310005caa00000000000000001f performance has deteriorated. I/O latency increased from average value of 1843 microseconds to 38212 microseconds.
2026-01-17T22:01:02.554Z cpu3:2098190)ScsiDeviceIO: 1762: Device naa.6000d310005caa00000000000000001f performance has deteriorated. I/O latency increased from average value of 2011 microseconds to 218422 microseconds.
2026-01-17T22:01:09.871Z cpu8:2098233)iscsi_vmk: iscsivmk_ConnReceiveAtomic:494: vmhba64:CH:1 T:0 CN:0: Failed to receive data: Connection reset by peer
2026-01-17T22:01:12.006Z cpu8:2098233)iscsi_vmk: iscsivmk_StartConnection:903: vmhba64:CH:1 T:0 CN:0: iSCSI connection is being marked "ONLINE"
2026-01-17T22:08:33.190Z cpu5:2098181)ScsiDeviceIO: 1784: Device naa.6000d310005caa00000000000000001f performance has improved. I/O latency reduced from 218422 microseconds to 41007 microseconds.`,
      },
      {
        id: 'n2',
        tool: 'ssh',
        args: { host: 'nx-stor-a', command: 'show interface counters errors | include Eth1/1[1-6]' },
        output: `Port          Align-Err    FCS-Err   Xmit-Err    Rcv-Err  UnderSize OutDiscards
Eth1/11               0          0          0          0          0           0
Eth1/12               0          0          0          0          0           0
Eth1/13               0          0          0          0          0          12
Eth1/14               0     882417          0     882417          0           0
Eth1/15               0          0          0          0          0           0
Eth1/16               0          0          0          0          0           7`,
      },
      {
        id: 'n3',
        tool: 'ssh',
        args: { host: 'nx-stor-a', command: 'show version | include NXOS|uptime|Chassis|Device' },
        output: `  NXOS: version 9.3(5)
  NXOS image file is: bootflash:///nxos.9.3.5.bin
  cisco Nexus9000 C93180YC-EX Chassis
  Device name: nx-stor-a
Kernel uptime is 912 day(s), 4 hour(s), 31 minute(s), 8 second(s)`,
      },
      {
        id: 'n4',
        tool: 'ssh',
        args: { host: 'nx-stor-a', command: 'show interface Eth1/14 transceiver details' },
        output: `Ethernet1/14
    transceiver is present
    type is 10Gbase-SR
    name is CISCO-FINISAR
                Current              Alarms                  Warnings
                Measurement     High        Low         High          Low
  Temperature   38.11 C        75.00 C     -5.00 C     70.00 C        0.00 C
  Voltage        3.28 V         3.63 V      2.97 V      3.46 V        3.13 V
  Current        7.92 mA       11.80 mA     4.00 mA    10.80 mA       5.00 mA
  Tx Power      -2.41 dBm       1.69 dBm  -11.30 dBm   -1.30 dBm     -7.30 dBm
  Rx Power     -14.21 dBm --    1.99 dBm  -13.97 dBm   -1.00 dBm     -9.91 dBm
  Note: ++  high-alarm; +  high-warning; --  low-alarm; -  low-warning`,
      },
      {
        id: 'n5',
        tool: 'ssh',
        args: { host: 'array-1', command: 'perfstat -volume vmfs-prod-03 -interval 60 -count 4' },
        output: `time (UTC)           volume         read_iops  write_iops  read_ms  write_ms  cache_hit
2026-01-17 22:11:00  vmfs-prod-03        4120        1833      1.1       0.7       91%
2026-01-17 22:12:00  vmfs-prod-03        3987        1790      1.2       0.7       91%
2026-01-17 22:13:00  vmfs-prod-03        4055        1911      1.1       0.8       90%
2026-01-17 22:14:00  vmfs-prod-03        4201        1802      1.2       0.7       91%`,
      },
    ],
    report: {
      summary:
        'The datastore is slow because the storage switch nx-stor-a corrupts frames on Eth1/14, a defect of its old software 9.3(5) after more than 900 days of uptime.',
      grade: 'confirmed',
      impact: {
        who: 'virtual machines on vmfs-prod-03',
        since: '2026-01-17 21:57 UTC',
        severity: 'latency up to 218 ms',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'nx-stor-a, NX-OS 9.3(5)',
        kind: 'software defect of the switch',
        text: 'A memory leak in the buffer manager of NX-OS 9.3(5), which shows only after long uptime, corrupts frames in the ASIC; they are dropped as FCS errors and iSCSI has to send them again.',
      },
      claims: [
        {
          text: 'The switch runs 9.3(5) and has not been restarted for 912 days.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'n3', quote: '  NXOS: version 9.3(5)' },
            { callId: 'n3', quote: 'Kernel uptime is 912 day(s), 4 hour(s), 31 minute(s), 8 second(s)' },
          ],
        },
        {
          text: 'It throws away 882,417 corrupt frames on the port of the storage.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'n2',
              quote: 'Eth1/14               0     882417          0     882417          0           0',
            },
          ],
        },
        {
          text: 'The host sees 218 ms and loses its iSCSI connection.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'n1',
              quote: 'I/O latency increased from average value of 2011 microseconds to 218422 microseconds.',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'A slow array: it answers within 1.2 ms itself.',
          quotes: [
            {
              callId: 'n5',
              quote: '2026-01-17 22:12:00  vmfs-prod-03        3987        1790      1.2       0.7       91%',
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
        before: 'n2',
        add: [
          {
            statement: 'The storage switch damages or drops frames by a defect of its software.',
            component: 'nx-stor-a, NX-OS',
            kind: 'software defect',
            predictions: [
              {
                call: 'ssh nx-stor-a: error counters of the storage ports',
                expect: 'Errors on a storage port, far above its neighbours.',
                refutes: true,
              },
              {
                call: 'ssh nx-stor-a: show version',
                expect: 'An old release with a very long uptime.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'The array itself answers slowly.',
            component: 'array-1, vmfs-prod-03',
            kind: 'slow storage',
            predictions: [
              {
                call: 'ssh array-1: perfstat of vmfs-prod-03',
                expect: 'read_ms or write_ms of tens of milliseconds.',
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
        quote: 'Eth1/14               0     882417          0     882417          0           0',
      },
      {
        id: 'h1.2',
        callId: 'n3',
        quote: 'Kernel uptime is 912 day(s), 4 hour(s), 31 minute(s), 8 second(s)',
      },
      {
        id: 'h2.1',
        callId: 'n5',
        quote: '2026-01-17 22:14:00  vmfs-prod-03        4201        1802      1.2       0.7       91%',
        opposite: true,
      },
    ],
    leader: 'h1',
  },
  {
    name: 'bookings-slow-mongo',
    verdict: 'wrong',
    why: 'The migration dropped the index on guestId at 14:10, and queries scan the collection since 14:11. The election was at 14:29, when the site had been slow for 18 minutes.',
    kind: 'a later event blamed: election of a new primary after the symptom had begun',
    alertStartsAt: '2026-09-30T14:18:00Z',
    runStartedAt: '2026-09-30T14:36:00Z',
    calls: [
      {
        id: 'd1',
        tool: 'loki',
        args: { query: '{app="mongod",set="rs-book"} |~ "election|PRIMARY|stepping"', limit: 6 },
        output: `2026-09-30T14:29:07.410Z book-db2 {"c":"ELECTION","id":4615652,"msg":"Starting an election, since we've seen no PRIMARY in election timeout period","attr":{"electionTimeoutPeriodMillis":10000}}
2026-09-30T14:29:07.688Z book-db2 {"c":"ELECTION","id":21450,"msg":"Election succeeded, assuming primary role","attr":{"term":19}}
2026-09-30T14:29:08.120Z book-db2 {"c":"REPL","id":21358,"msg":"Replica set state transition","attr":{"newState":"PRIMARY","oldState":"SECONDARY"}}
2026-09-30T14:29:19.005Z book-db1 {"c":"REPL","id":21358,"msg":"Replica set state transition","attr":{"newState":"SECONDARY","oldState":"ROLLBACK"}}
2026-09-30T14:30:02.771Z book-db3 {"c":"REPL","id":21799,"msg":"Sync source candidate chosen","attr":{"syncSource":"book-db2:27017"}}`,
      },
      {
        id: 'd2',
        tool: 'mongosh',
        args: { uri: 'mongodb://book-db2/book', eval: 'db.serverStatus().wiredTiger.cache' },
        output: `{
  'maximum bytes configured': 16642998272,
  'bytes currently in the cache': 9120044113,
  'bytes read into cache': Long('48211903377'),
  'pages read into cache': 2901744,
  'pages evicted by application threads': 0,
  'tracked dirty bytes in the cache': 88120331
}`,
      },
      {
        id: 'd3',
        tool: 'mongosh',
        args: {
          uri: 'mongodb://book-db2/book',
          eval: 'db.system.profile.find({ns:"book.bookings"},{ts:1,millis:1,docsExamined:1,nreturned:1,planSummary:1,_id:0}).sort({ts:-1}).limit(4)',
        },
        output: `[
  { ts: ISODate('2026-09-30T14:37:51.204Z'), millis: 4022, docsExamined: 3118045, nreturned: 2, planSummary: 'COLLSCAN' },
  { ts: ISODate('2026-09-30T14:37:50.877Z'), millis: 3987, docsExamined: 3118045, nreturned: 1, planSummary: 'COLLSCAN' },
  { ts: ISODate('2026-09-30T14:37:50.101Z'), millis: 9, docsExamined: 14, nreturned: 14, planSummary: 'IXSCAN { hotelId: 1, arrival: 1 }' },
  { ts: ISODate('2026-09-30T14:37:49.660Z'), millis: 4410, docsExamined: 3118045, nreturned: 5, planSummary: 'COLLSCAN' }
]`,
      },
      {
        id: 'd4',
        tool: 'query_prometheus',
        args: {
          query:
            'histogram_quantile(0.99, sum by (le) (rate(book_api_request_seconds_bucket{route="/my/bookings"}[2m])))',
          start: '2026-09-30T14:00:00Z',
          end: '2026-09-30T14:36:00Z',
          step: '6m',
        },
        output: `{route="/my/bookings"}
  2026-09-30T14:00:00Z  0.061
  2026-09-30T14:06:00Z  0.058
  2026-09-30T14:12:00Z  3.912
  2026-09-30T14:18:00Z  4.744
  2026-09-30T14:24:00Z  4.610
  2026-09-30T14:30:00Z  7.203
  2026-09-30T14:36:00Z  4.688`,
      },
      {
        id: 'd5',
        tool: 'bash',
        args: { command: 'gh run view 18822014417 --repo acme/book-api --log | cut -f 3 | tail -n 8' },
        output: `2026-09-30T14:09:58.1120034Z ##[group]Run npm run migrate -- --env production
2026-09-30T14:09:58.1121190Z shell: /usr/bin/bash -e {0}
2026-09-30T14:10:03.4471102Z > book-api@7.31.0 migrate
2026-09-30T14:10:05.9023318Z migrate: 0141-guest-profile-fields ... ok (1.2 s)
2026-09-30T14:10:38.2207719Z migrate: 0142-tidy-indexes: dropIndex bookings.guestId_1_arrival_-1 ... ok
2026-09-30T14:10:38.9910045Z migrate: 2 applied, 0 failed
2026-09-30T14:10:39.3307121Z ##[endgroup]
2026-09-30T14:10:41.0055873Z Post job cleanup.`,
      },
      {
        id: 'd6',
        tool: 'mongosh',
        args: { uri: 'mongodb://book-db2/book', eval: 'db.bookings.getIndexes()' },
        output: `[
  { v: 2, key: { _id: 1 }, name: '_id_' },
  { v: 2, key: { hotelId: 1, arrival: 1 }, name: 'hotelId_1_arrival_1' },
  { v: 2, key: { createdAt: 1 }, name: 'createdAt_1', expireAfterSeconds: 94608000 }
]`,
      },
    ],
    report: {
      summary:
        'My bookings is slow because rs-book elected a new primary, book-db2, whose cache is cold, so that it has to read everything from disk.',
      grade: 'confirmed',
      impact: {
        who: 'guests who open their bookings',
        since: '2026-09-30 14:18 UTC',
        severity: 'p99 of 4 to 7 s',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'MongoDB replica set rs-book',
        kind: 'failover to a cold primary',
        text: 'book-db1 was lost as primary and book-db2 took over with a cache that had not been warmed; since then queries read their pages from disk and take four seconds.',
      },
      claims: [
        {
          text: 'The primary changed to book-db2.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'd1', quote: '"msg":"Election succeeded, assuming primary role","attr":{"term":19}}' },
            {
              callId: 'd1',
              quote:
                '2026-09-30T14:29:08.120Z book-db2 {"c":"REPL","id":21358,"msg":"Replica set state transition","attr":{"newState":"PRIMARY","oldState":"SECONDARY"}}',
            },
          ],
        },
        {
          text: 'Its cache is only a little more than half full and was filled with 48 GB from disk.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'd2', quote: "'bytes currently in the cache': 9120044113," },
            { callId: 'd2', quote: "'bytes read into cache': Long('48211903377')," },
          ],
        },
        {
          text: 'Queries on the new primary take about four seconds, and p99 had its peak right after the election.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            { callId: 'd3', quote: "{ ts: ISODate('2026-09-30T14:37:51.204Z'), millis: 4022," },
            { callId: 'd4', quote: '  2026-09-30T14:30:00Z  7.203' },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'A collection without indexes: bookings has three, and queries use them in 9 ms.',
          quotes: [
            {
              callId: 'd6',
              quote: "{ v: 2, key: { hotelId: 1, arrival: 1 }, name: 'hotelId_1_arrival_1' },",
            },
            {
              callId: 'd3',
              quote:
                "millis: 9, docsExamined: 14, nreturned: 14, planSummary: 'IXSCAN { hotelId: 1, arrival: 1 }' },",
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
        before: 'd1',
        add: [
          {
            statement: 'A failover in rs-book moved the load to a member that is slow.',
            component: 'MongoDB replica set rs-book',
            kind: 'failover',
            predictions: [
              {
                call: 'loki: elections of rs-book',
                expect: 'A member became PRIMARY this afternoon.',
                refutes: true,
              },
              {
                call: 'mongosh: cache of the new primary',
                expect: 'Cache not full, many bytes read into it.',
                refutes: true,
              },
            ],
          },
          {
            statement: 'bookings lacks an index.',
            component: 'collection book.bookings',
            kind: 'missing index',
            predictions: [
              { call: 'mongosh: getIndexes of bookings', expect: 'Nothing but _id_.', refutes: true },
            ],
          },
        ],
      },
      {
        before: 'd4',
        add: [
          {
            statement: 'The cold cache of the new primary makes the page slow.',
            component: 'book-db2, WiredTiger cache',
            kind: 'cold cache',
            predictions: [
              {
                call: 'query_prometheus: p99 of /my/bookings since 14:00',
                expect: 'Highest right after the election, then falling as the cache warms up.',
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
        callId: 'd1',
        quote: '"msg":"Replica set state transition","attr":{"newState":"PRIMARY","oldState":"SECONDARY"}}',
      },
      { id: 'h1.2', callId: 'd2', quote: "'bytes read into cache': Long('48211903377')," },
      { id: 'h3.1', callId: 'd4', quote: '  2026-09-30T14:30:00Z  7.203' },
      {
        id: 'h2.1',
        callId: 'd6',
        quote: "{ v: 2, key: { hotelId: 1, arrival: 1 }, name: 'hotelId_1_arrival_1' },",
        opposite: true,
      },
    ],
    leader: 'h3',
  },
  {
    name: 'nas-array-wrong-disk',
    verdict: 'wrong',
    why: 'ata4 is sdc, as by-path shows, and iostat has sdc at 100 % with 1.8 s a read. sdd, which the report blames, is ata5: older, but with 6 ms and no pending sector.',
    kind: 'the wrong one of two instances: sdd instead of sdc',
    alertStartsAt: '2026-02-05T03:12:00Z',
    runStartedAt: '2026-02-05T03:20:00Z',
    calls: [
      {
        id: 'toolu_01',
        tool: 'bash',
        args: { host: 'nas-2', command: 'dmesg -T | grep -E "ata[0-9]" | tail -n 7' },
        output: `[Thu Feb  5 03:08:41 2026] ata4.00: exception Emask 0x0 SAct 0x7fe00 SErr 0x0 action 0x0
[Thu Feb  5 03:08:41 2026] ata4.00: irq_stat 0x40000008
[Thu Feb  5 03:08:41 2026] ata4.00: failed command: READ FPDMA QUEUED
[Thu Feb  5 03:08:41 2026] ata4.00: cmd 60/08:48:a8:1f:9c/00:00:b1:00:00/40 tag 9 ncq dma 4096 in
[Thu Feb  5 03:08:41 2026] ata4.00: status: { DRDY ERR }
[Thu Feb  5 03:08:41 2026] ata4.00: error: { UNC }
[Thu Feb  5 03:08:42 2026] ata4.00: configured for UDMA/133`,
      },
      {
        id: 'toolu_02',
        tool: 'bash',
        args: { host: 'nas-2', command: 'mdadm --detail /dev/md0 | tail -n 12' },
        output: `            Layout : left-symmetric
        Chunk Size : 512K
Consistency Policy : bitmap
              Name : nas-2:0
            Events : 881204

    Number   Major   Minor   RaidDevice State
       0       8        1        0      active sync   /dev/sda1
       1       8       17        1      active sync   /dev/sdb1
       2       8       33        2      active sync   /dev/sdc1
       3       8       49        3      active sync   /dev/sdd1`,
      },
      {
        id: 'toolu_03',
        tool: 'bash',
        args: { host: 'nas-2', command: 'smartctl -A /dev/sdd | sed -n 7,16p' },
        output: `ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED RAW_VALUE
  1 Raw_Read_Error_Rate     0x002f   200   200   051    Pre-fail  Always       -       0
  4 Start_Stop_Count        0x0032   100   100   000    Old_age   Always       -       61
  5 Reallocated_Sector_Ct   0x0033   199   199   140    Pre-fail  Always       -       8
  9 Power_On_Hours          0x0032   030   030   000    Old_age   Always       -       51234
190 Airflow_Temperature_Cel 0x0022   058   049   045    Old_age   Always       -       42
197 Current_Pending_Sector  0x0032   200   200   000    Old_age   Always       -       0
198 Offline_Uncorrectable   0x0030   200   200   000    Old_age   Offline      -       0
199 UDMA_CRC_Error_Count    0x0032   200   200   000    Old_age   Always       -       0`,
      },
      {
        id: 'toolu_04',
        tool: 'bash',
        args: { host: 'nas-2', command: 'iostat -dxk 30 2 | tail -n 7' },
        output: `Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s w_await  aqu-sz  %util
sda             88.20   5120.40     3.10   3.40    7.21    58.05   21.30    980.20    4.10    0.72  18.40
sdb             90.10   5204.10     2.80   3.01    6.98    57.76   21.10    977.80    4.05    0.71  17.90
sdc              4.30    240.80     0.10   2.27 1843.55    56.00   20.90    970.10  612.40   20.73 100.00
sdd             87.60   5098.20     3.30   3.63    6.11    58.20   21.40    982.30    4.22    0.63  16.80
md0            268.10  15610.20     0.00   0.00  102.80    58.23   44.70   1960.40  180.30   35.61  99.20`,
      },
      {
        id: 'toolu_05',
        tool: 'bash',
        args: {
          host: 'nas-2',
          command: "ls -l /dev/disk/by-path | grep -v part | awk 'NF>8 {print $9,$10,$11}'",
        },
        output: `pci-0000:00:17.0-ata-1 -> ../../sda
pci-0000:00:17.0-ata-2 -> ../../sdb
pci-0000:00:17.0-ata-4 -> ../../sdc
pci-0000:00:17.0-ata-5 -> ../../sdd
pci-0000:01:00.0-nvme-1 -> ../../nvme0n1`,
      },
      {
        id: 'toolu_06',
        tool: 'bash',
        args: { host: 'nas-2', command: 'cat /proc/mdstat' },
        output: `Personalities : [raid6] [raid5] [raid4]
md0 : active raid5 sda1[0] sdb1[1] sdc1[2] sdd1[3]
      17581165056 blocks super 1.2 level 5, 512k chunk, algorithm 2 [4/4] [UUUU]
      bitmap: 3/44 pages [12KB], 65536KB chunk

unused devices: <none>`,
      },
    ],
    report: {
      summary:
        'nas-2 is slow because the fourth disk of its array, /dev/sdd, is dying: it has unreadable sectors.',
      grade: 'confirmed',
      impact: {
        who: 'users of the shares of nas-2',
        since: '2026-02-05 03:08 UTC',
        severity: 'reads hang for seconds',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'nas-2, disk /dev/sdd (ata4)',
        kind: 'failing disk',
        text: 'The disk at ata4, which is sdd, has uncorrectable read errors and reallocated sectors after 51,234 hours; each such read blocks the whole RAID 5.',
      },
      claims: [
        {
          text: 'ata4 reports uncorrectable errors on reading.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'toolu_01',
              quote: '[Thu Feb  5 03:08:41 2026] ata4.00: failed command: READ FPDMA QUEUED',
            },
            { callId: 'toolu_01', quote: 'ata4.00: error: { UNC }' },
          ],
        },
        {
          text: 'sdd has begun to reallocate sectors and is almost six years old.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'toolu_03',
              quote:
                '  5 Reallocated_Sector_Ct   0x0033   199   199   140    Pre-fail  Always       -       8',
            },
            {
              callId: 'toolu_03',
              quote:
                '  9 Power_On_Hours          0x0032   030   030   000    Old_age   Always       -       51234',
            },
          ],
        },
        {
          text: 'The array as a whole waits: md0 is at 99 %.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'toolu_04',
              quote:
                'md0            268.10  15610.20     0.00   0.00  102.80    58.23   44.70   1960.40  180.30   35.61  99.20',
            },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'A rebuild of the array: all four members are up and none is being synchronised.',
          quotes: [
            {
              callId: 'toolu_06',
              quote: '      17581165056 blocks super 1.2 level 5, 512k chunk, algorithm 2 [4/4] [UUUU]',
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
            statement: 'The fourth disk of the array, sdd at ata4, is dying.',
            component: 'nas-2, /dev/sdd',
            kind: 'failing disk',
            predictions: [
              {
                call: 'bash: smartctl -A /dev/sdd',
                expect: 'Reallocated_Sector_Ct above 0, many hours.',
                refutes: true,
              },
              { call: 'bash: iostat -dxk', expect: 'md0 is at its limit because one member is slow.' },
            ],
          },
          {
            statement: 'The array rebuilds or checks itself.',
            component: 'nas-2, md0',
            kind: 'rebuild',
            predictions: [
              {
                call: 'bash: cat /proc/mdstat',
                expect: 'A line with recovery, resync or check.',
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
        callId: 'toolu_03',
        quote: '  5 Reallocated_Sector_Ct   0x0033   199   199   140    Pre-fail  Always       -       8',
      },
      {
        id: 'h1.2',
        callId: 'toolu_04',
        quote:
          'md0            268.10  15610.20     0.00   0.00  102.80    58.23   44.70   1960.40  180.30   35.61  99.20',
      },
      {
        id: 'h2.1',
        callId: 'toolu_06',
        quote: '      17581165056 blocks super 1.2 level 5, 512k chunk, algorithm 2 [4/4] [UUUU]',
        opposite: true,
      },
    ],
    leader: 'h1',
  },
  {
    name: 'payouts-vendor-limit',
    verdict: 'wrong',
    why: 'The JVM keeps the old address of the vendor for ever (networkaddress.cache.ttl=-1) and tries to connect to it, while DNS names another by now. 597 of 600 is what remains, not what is used.',
    kind: 'a figure read in the wrong direction: remaining requests taken for used ones',
    alertStartsAt: '2026-11-12T09:07:00Z',
    runStartedAt: '2026-11-12T09:15:00Z',
    calls: [
      {
        id: 'v1',
        tool: 'bash',
        args: { host: 'pay-1', command: 'grep -E "paylane" /var/log/payouts/payouts.log | tail -n 7' },
        output: `2026-11-12 09:00:11.402 DEBUG c.a.p.PaylaneClient - POST https://api.paylane.example/v1/payouts -> 201 (118 ms)
2026-11-12 09:00:11.403 DEBUG c.a.p.PaylaneClient - headers: x-ratelimit-limit=600 x-ratelimit-remaining=597 x-ratelimit-reset=41 x-request-id=9f1c
2026-11-12 09:01:30.020 WARN  c.a.p.PaylaneClient - POST https://api.paylane.example/v1/payouts -> connect timed out after 5000 ms (attempt 1/3)
2026-11-12 09:01:36.051 WARN  c.a.p.PaylaneClient - POST https://api.paylane.example/v1/payouts -> connect timed out after 5000 ms (attempt 2/3)
2026-11-12 09:01:43.080 WARN  c.a.p.PaylaneClient - POST https://api.paylane.example/v1/payouts -> connect timed out after 5000 ms (attempt 3/3)
2026-11-12 09:01:43.081 ERROR c.a.p.PayoutJob - payout 77120 not sent, left in state PENDING
2026-11-12 09:04:12.660 WARN  c.a.p.PaylaneClient - POST https://api.paylane.example/v1/payouts -> connect timed out after 5000 ms (attempt 1/3)`,
      },
      {
        id: 'v2',
        tool: 'fetch',
        args: { url: 'https://docs.paylane.example/limits' },
        output: `# Limits
Each API key may send 600 requests a minute. The limit holds per key, over all endpoints.
Every response carries X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset (seconds).
Requests over the limit get 429. Clients that keep sending may be throttled at the edge of our network.
Higher limits: ask your account manager.`,
      },
      {
        id: 'v3',
        tool: 'query_prometheus',
        args: {
          query: 'sum by (outcome) (increase(paylane_requests_total[5m]))',
          start: '2026-11-12T08:50:00Z',
          end: '2026-11-12T09:15:00Z',
          step: '5m',
        },
        output: `{outcome="ok"}
  2026-11-12T08:50:00Z  16
  2026-11-12T08:55:00Z  13
  2026-11-12T09:00:00Z  15
  2026-11-12T09:05:00Z  1
  2026-11-12T09:10:00Z  0
{outcome="timeout"}
  2026-11-12T08:50:00Z  0
  2026-11-12T09:05:00Z  42
  2026-11-12T09:10:00Z  45`,
      },
      {
        id: 'v4',
        tool: 'bash',
        args: { host: 'pay-1', command: 'dig api.paylane.example +noall +answer +stats' },
        output: `api.paylane.example.	60	IN	A	203.0.113.40
;; Query time: 2 msec
;; SERVER: 10.0.0.2#53(10.0.0.2) (UDP)
;; WHEN: Thu Nov 12 09:19:02 UTC 2026
;; MSG SIZE  rcvd: 64`,
      },
      {
        id: 'v5',
        tool: 'bash',
        args: { host: 'pay-1', command: 'ss -tnp state syn-sent; ss -s | head -n 2' },
        output: `Recv-Q Send-Q Local Address:Port   Peer Address:Port Process
0      1      10.6.1.21:50844      198.51.100.9:443  users:(("java",pid=1411,fd=212))
0      1      10.6.1.21:50850      198.51.100.9:443  users:(("java",pid=1411,fd=218))
Total: 231
TCP:   64 (estab 41, closed 12, orphaned 0, timewait 12)`,
      },
      {
        id: 'v6',
        tool: 'bash',
        args: {
          host: 'pay-1',
          command:
            'grep -vE "^(#|$)" /etc/java-17-openjdk/security/java.security | grep -E "ttl|timeout|securerandom|keystore.type"',
        },
        output: `securerandom.source=file:/dev/random
keystore.type=pkcs12
networkaddress.cache.ttl=-1
networkaddress.cache.negative.ttl=10`,
      },
    ],
    report: {
      summary:
        'Payouts are not sent because we used up the limit of 600 requests a minute at Paylane, which now throttles us.',
      grade: 'confirmed',
      impact: {
        who: 'merchants who wait for a payout',
        since: '2026-11-12 09:01 UTC',
        severity: 'no payout is sent',
        ongoing: 'yes',
      },
      rootCause: {
        component: 'Paylane API, rate limit of our key',
        kind: 'rate limit of a vendor',
        text: 'At 09:00:11 our key stood at 597 of 600 requests of the minute; the next ones went over the limit, and since our client keeps retrying Paylane throttles us at the edge of its network, which we see as time-outs of the connection.',
      },
      claims: [
        {
          text: 'The last answer before the time-outs shows 597 of 600.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            {
              callId: 'v1',
              quote:
                '2026-11-12 09:00:11.403 DEBUG c.a.p.PaylaneClient - headers: x-ratelimit-limit=600 x-ratelimit-remaining=597 x-ratelimit-reset=41 x-request-id=9f1c',
            },
          ],
        },
        {
          text: 'Paylane documents that it throttles clients at the edge when they keep sending.',
          role: 'cause',
          confidence: 'high',
          quotes: [
            { callId: 'v2', quote: 'Clients that keep sending may be throttled at the edge of our network.' },
          ],
        },
        {
          text: 'Since then connections time out, also the retries.',
          role: 'effect',
          confidence: 'high',
          quotes: [
            {
              callId: 'v1',
              quote:
                '2026-11-12 09:01:43.080 WARN  c.a.p.PaylaneClient - POST https://api.paylane.example/v1/payouts -> connect timed out after 5000 ms (attempt 3/3)',
            },
            { callId: 'v3', quote: '  2026-11-12T09:10:00Z  45' },
          ],
        },
      ],
      ruledOut: [
        {
          text: 'DNS: the name of the vendor resolves within 2 ms.',
          quotes: [
            { callId: 'v4', quote: 'api.paylane.example.	60	IN	A	203.0.113.40' },
            { callId: 'v4', quote: ';; Query time: 2 msec' },
          ],
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
            statement: 'We have used up the rate limit of Paylane and are throttled.',
            component: 'Paylane API, our key',
            kind: 'rate limit',
            predictions: [
              {
                call: 'bash: log of payouts, headers of the last good answer',
                expect: 'A counter close to the limit right before the failures.',
                refutes: true,
              },
              {
                call: 'fetch: limits in the documentation of Paylane',
                expect: 'Clients over the limit can be blocked, not only answered with 429.',
                refutes: true,
              },
            ],
          },
        ],
      },
      {
        before: 'v4',
        add: [
          {
            statement: 'The name api.paylane.example does not resolve any more.',
            component: 'DNS resolver 10.0.0.2',
            kind: 'DNS',
            predictions: [
              {
                call: 'bash: dig api.paylane.example on pay-1',
                expect: 'No answer, or an answer after seconds.',
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
        callId: 'v1',
        quote: 'headers: x-ratelimit-limit=600 x-ratelimit-remaining=597 x-ratelimit-reset=41',
      },
      {
        id: 'h1.2',
        callId: 'v2',
        quote: 'Clients that keep sending may be throttled at the edge of our network.',
      },
      { id: 'h2.1', callId: 'v4', quote: 'api.paylane.example.	60	IN	A	203.0.113.40', opposite: true },
    ],
    leader: 'h1',
  },
];

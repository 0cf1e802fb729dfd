import { describe, expect, test } from 'vitest';
import { isTableHeader } from '../src/table-header.ts';

/** The lines that are headers, counted from 1. */
function headersIn(output: string): number[] {
  const lines = output.split('\n').map((line) => line.trimEnd());
  return lines.flatMap((_, at) => (isTableHeader(lines, at) ? [at + 1] : []));
}

describe('[REPORT-10a] a line of a table that names columns and shows no value', () => {
  test.each([
    [
      'kubectl get',
      [1],
      `NAME                            READY   STATUS             RESTARTS        AGE
payments-6d8f9b7c5-h9k2m        0/1     CrashLoopBackOff   12 (2m ago)     3h
shop-7c9d8e4f6-k3m5n            1/1     Running            0               4h`,
    ],
    [
      'two tables of kubectl get all',
      [1, 4],
      `NAME                              READY   STATUS    RESTARTS   AGE
pod/consul-5c696cc4dc-wrvnx       1/1     Running   0          105s

NAME             TYPE        CLUSTER-IP      EXTERNAL-IP   PORT(S)    AGE
service/consul   ClusterIP   10.102.195.41   <none>        8300/TCP   83s`,
    ],
    [
      'kubectl top',
      [1],
      `NAME                        CPU(cores)   MEMORY(bytes)
filebeat-logger-8k3m9       450m         1.2Gi`,
    ],
    [
      'events of kubectl describe',
      [2],
      `Events:
  Type     Reason     Age                    From               Message
  ----     ------     ----                   ----               -------
  Warning  BackOff    2m45s (x29 over 12m)   kubelet            Back-off restarting failed container`,
    ],
    [
      'ps',
      [1],
      `USER       PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND
root         1  0.5  0.0  51924 19420 ?        SLl  13:08   3:10 /sbin/init`,
    ],
    [
      'df after something else',
      [2],
      `8
Filesystem               Size  Used Avail Use% Mounted on
/dev/vda1                 50G   50G     0 100% /`,
    ],
    [
      'free',
      [1],
      `               total        used        free      shared  buff/cache   available
Mem:           24105         751       22152           9        1594       23353`,
    ],
    [
      'psql',
      [1],
      `  pid  |  state  | wait_event
-------+---------+------------
 20817 | active  | Lock`,
    ],
    ['psql, one column', [1], ' pg_is_in_recovery \n-------------------\n t\n(1 row)'],
    [
      'mysql',
      [2],
      `+----+---------+
| Id | Command |
+----+---------+
|  7 | Sleep   |
|  9 | Query   |
+----+---------+`,
    ],
    [
      'and no row without a figure',
      [1],
      `NAMESPACE     NAME                         STATUS
kube-system   helm-install-traefik-gsxqc   Succeeded
kube-system   coredns-64fd4b4794-29tlv     Running`,
    ],
    [
      'and no row between rules',
      [2],
      `+-----+------+
| id  | name |
+-----+------+
| one | shop |
+-----+------+
| two | db   |
+-----+------+`,
    ],
    ['Markdown', [1], '| node | ready |\n|---|:--|\n| db1 | no |'],
    ['CSV', [1], 'time,level,count\n2026-11-21T03:04:05Z,error,12'],
    ['tabs', [1], 'host\tload\ndb1\t12.4'],
  ])('%s', (_name, expected, output) => {
    expect(headersIn(output)).toEqual(expected);
  });

  test.each([
    [
      'logs',
      `2026-11-21T03:04:05Z ERROR pool exhausted size=2
2026-11-21T03:04:06Z ERROR pool exhausted size=2`,
    ],
    ['capitals in a log', 'FATAL  OUT OF MEMORY\n2026-11-21T03:04:06Z restarting\nPANIC NO SPACE LEFT'],
    [
      'a title of InnoDB',
      '------------------------\nLATEST DETECTED DEADLOCK\n------------------------\n2026',
    ],
    ['nothing below the names', 'CONTAINER ID   IMAGE     COMMAND   CREATED   STATUS    PORTS     NAMES'],
    ['YAML documents', 'time: 2026-11-21T03:04:05+01:00\n---\nkind: Pod'],
    ['figures', 'pool_size 2\npool_waiting 17\npool_timeouts_total 4211'],
    ['a sentence in capitals over another', 'OUT OF MEMORY NOW\nthe of xemory 123'],
    ['words with a comma within an output', 'It is over.\nretried,failed\n3,4'],
    ['a status', 'inactive'],
    ['sentences', 'The deploy has failed, and was stopped.\nIt was made by ann at 12:03 on host 7.'],
  ])('not: %s', (_name, output) => {
    expect(headersIn(output)).toEqual([]);
  });
});

// What a worker's log says while its Temporal server is away.
import { expect, test } from 'vitest';
import type { LogLine } from '../../../src/worker/telemetry/log-line.ts';
import { createOutageLines } from '../../../src/worker/telemetry/install-runtime.ts';

const refused =
  'Status { code: Unavailable, message: "tcp connect error", source: Some(tonic::transport::Error(Transport, ConnectError(' +
  'ConnectError("tcp connect error", 127.0.0.1:7233, Os { code: 111, kind: ConnectionRefused, message: "Connection refused" })))) }';

function lineAt(seconds: number, message: string, error?: string): LogLine {
  return { at: seconds * 1_000, level: 'warning', message, fields: { source: 'core', error } };
}

test('a server that is away is one line in half a minute, in words; another trouble has its own, and other lines stay', () => {
  const shown = createOutageLines();
  const request = 'poll_workflow_task_queue';
  const said = (seconds: number, error = refused) =>
    shown(lineAt(seconds, `gRPC call ${request} retried 6 times`, error));
  expect(said(0)).toMatchObject({
    message: 'the Temporal server does not answer as it should; the worker keeps asking',
    fields: { reason: 'tcp connect error: Connection refused: 127.0.0.1:7233', request, attempts: 6 },
  });
  expect(JSON.stringify(said(31))).not.toContain('Status');
  expect([said(32), said(60)]).toEqual([undefined, undefined]);
  expect(said(62)).toBeDefined();
  expect(said(63, 'Status { code: ResourceExhausted, message: "namespace limit" }')?.fields['reason']).toBe(
    'namespace limit',
  );
  const other = lineAt(64, 'run begins');
  expect(shown(other)).toBe(other);
});

// Lines of the worker's log: what becomes of an entry of the SDK, and how it is written.
import type { LogEntry } from '@temporalio/worker';
import { expect, test } from 'vitest';
import { createRedactor } from '@holdfast/redaction/redaction';
import { outOfStep } from '@holdfast/base/in-step';
import { formatLine, toLogLine } from '../../../src/worker/telemetry/log-line.ts';

const at = '2026-11-23T01:38:12.123Z';
const timestampNanos = BigInt(Date.parse(at)) * 1_000_000n;
const same = (text: string): string => text;

function entry(message: string, meta: LogEntry['meta'], level: LogEntry['level'] = 'INFO'): LogEntry {
  return { level, message, timestampNanos, ...(meta && { meta }) };
}

/** Of a session, as the SDK gives it. */
const ofWorkflow = {
  sdkComponent: 'workflow',
  namespace: 'default',
  taskQueue: 'ops',
  workflowType: 'agentSession',
  workflowId: 'disk-full',
  runId: '0199',
};

test.each([
  ['a line of a session', entry('run begins', { ...ofWorkflow, run: 'run-1' }), 'info'],
  ['a line of an activity', entry('tool call failed', { sdkComponent: 'activity' }, 'ERROR'), 'error'],
  ['a line of Holdfast itself', entry('worker begins', undefined), 'info'],
  ["the SDK's own progress", entry('Heartbeats complete', { sdkComponent: 'worker' }), 'debug'],
  ["the SDK's warning", entry('Something is wrong', { sdkComponent: 'core' }, 'WARN'), 'warning'],
  ['what a line of the call says', entry('Activity failed', { sdkComponent: 'worker' }, 'WARN'), undefined],
])('%s has its level', (_, given, level) => {
  expect(toLogLine(given)?.level).toBe(level);
});

const line = toLogLine(
  entry('run completed', { ...ofWorkflow, run: 'run-1', reason: 'two words', turns: 7 }),
);

test('text is one line, with the fields of the run', () => {
  if (!line) throw new Error('a line was expected');
  expect(formatLine(line, 'text', same)).toBe(
    `${at} info    run completed session=disk-full run=run-1 reason="two words" turns=7\n`,
  );
});

test('JSON has the same names, and where the line comes from', () => {
  if (!line) throw new Error('a line was expected');
  expect(JSON.parse(formatLine(line, 'json', same))).toEqual({
    at,
    level: 'info',
    message: 'run completed',
    source: 'run',
    session: 'disk-full',
    workflowRunId: '0199',
    run: 'run-1',
    reason: 'two words',
    turns: 7,
  });
});

test.each(['text', 'json'] as const)(
  'no secret is in a line of %s: message, field, nested value, error',
  (format) => {
    const secret = 'hunter2-hunter2';
    const cause = new Error(`refused ${secret}`);
    const meta = { reason: `it said ${secret}`, more: { deep: [secret] }, error: cause };
    const given = toLogLine(entry(`failed: ${secret}`, { sdkComponent: 'activity', ...meta }));
    if (!given) throw new Error('a line was expected');
    expect(formatLine(given, format, same).split(secret)).toHaveLength(5);
    const written = formatLine(given, format, createRedactor([secret]).text);
    expect(written).not.toContain(secret);
    expect(written).toContain('refused');
  },
);

test('a message of several lines stays one line of text', () => {
  const given = toLogLine(entry('first\n  second', undefined));
  expect(given && formatLine(given, 'text', same)).toBe(`${at} info    first second\n`);
});

test('[CKPT-11d] a failed workflow task names its reason, and the command that shows where', () => {
  const failure =
    'Failure { failure: Some(Failure { message: "no command \\"x\\"", stack_trace: "" }), force_cause: Unspecified }';
  const meta = { sdkComponent: 'core', runId: '0199-ab', failure };
  expect(toLogLine(entry('Failing workflow task', meta, 'WARN'))).toMatchObject({
    level: 'warning',
    message: expect.stringContaining('"holdfast replay 0199-ab"'),
    fields: { workflowRunId: '0199-ab', reason: 'no command "x"' },
  });
});

test('[FAULT-118c] what the guard of workflow tasks drops is a debug line without a stack', () => {
  const failure = `Failure { failure: Some(Failure { message: "${outOfStep}", stack_trace: "at activate" }) }`;
  const given = entry('Failing legacy query request', { sdkComponent: 'core', runId: 'r1', failure });
  const line = toLogLine({ ...given, level: 'WARN' });
  expect(line).toMatchObject({ level: 'debug', message: outOfStep });
  expect(JSON.stringify(line)).not.toContain('activate');
});

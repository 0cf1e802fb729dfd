// One line of a worker's log, as text for people or as JSON. Pure; the names of the fields are the same in both.
import type { LogEntry } from '@temporalio/worker';
import type { LogFormat, LogLevel } from '../../config/telemetry.ts';

export type LogLine = {
  /** ms since the epoch. */
  at: number;
  level: LogLevel;
  message: string;
  fields: Record<string, unknown>;
};

const levels: Record<LogEntry['level'], LogLevel> = {
  TRACE: 'debug',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warning',
  ERROR: 'error',
};

/** Where a line comes from: `run` is a session's own, `call` is of an activity; the others are the SDK's. */
const sources: Record<string, string> = { workflow: 'run', activity: 'call' };
const renamed: Record<string, string> = {
  workflowId: 'session',
  workflowRunId: 'workflowRunId',
  runId: 'workflowRunId',
  activityType: 'activity',
  sdkComponent: 'source',
};
/** Of no use to who reads a log: the queue is in the first line of the worker. */
const dropped = new Set([
  ...['taskToken', 'isLocal', 'namespace', 'taskQueue', 'workflowType', 'activityId', 'activityRunId'],
  ...['workflowNamespace', 'activityNamespace', 'options', 'target', 'trace_flags'],
]);

/** The worker's own lines say it, with the run that it is for. */
const repeated = new Set([
  'Activity started',
  'Activity completed',
  'Activity failed',
  'Worker state changed',
]);

/** Undefined for a line that another one says better. Of the SDK's lines only warnings are news to who is not looking for them. */
export function toLogLine({ level, message, timestampNanos, meta = {} }: LogEntry): LogLine | undefined {
  const { sdkComponent } = meta;
  const source = sources[String(sdkComponent)];
  const isOwn = source !== undefined || sdkComponent === undefined;
  if (!isOwn && repeated.has(message)) return undefined;
  const known = levels[level];
  const fields = Object.entries({ ...meta, ...(source && { sdkComponent: source }) })
    .filter(([name, value]) => !dropped.has(name) && value !== undefined)
    .map(([name, value]) => [renamed[name] ?? name, plain(value)]);
  return {
    at: Number(timestampNanos / 1_000_000n),
    level: !isOwn && known === 'info' ? 'debug' : known,
    message,
    fields: Object.fromEntries(fields),
  };
}

/** What a field is in JSON: an error is its stack, which has the message. */
function plain(value: unknown): unknown {
  if (value instanceof Error) return value.stack ?? `${value.name}: ${value.message}`;
  if (typeof value === 'bigint') return String(value);
  return value;
}

const formats: Record<LogFormat, (line: LogLine) => string> = { text: toText, json: toJson };

/** Ends in a newline. `clean` takes secrets out of every text in it. */
export function formatLine(line: LogLine, format: LogFormat, clean: (text: string) => string): string {
  const fields = Object.entries(line.fields).map(([name, value]) => [name, cleaned(value, clean)]);
  return `${formats[format]({ ...line, message: clean(line.message), fields: Object.fromEntries(fields) })}\n`;
}

function cleaned(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null) return value;
  return clean(JSON.stringify(value, (_name, part: unknown) => plain(part)));
}

function toJson({ at, level, message, fields }: LogLine): string {
  return JSON.stringify({ at: new Date(at).toISOString(), level, message, ...fields });
}

/** Such as `2026-11-23T01:38:12.123Z info    run completed session=disk-full-k3v9 run=run-1 turns=7`. */
function toText({ at, level, message, fields }: LogLine): string {
  const { source: _, workflowRunId: __, error, session, trace_id, span_id, ...more } = fields;
  const words = Object.entries({ session, ...more, trace_id, span_id })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${quoted(String(value))}`);
  const stack = typeof error === 'string' ? `\n${indented(error)}` : '';
  return `${[new Date(at).toISOString(), level.padEnd(7), firstLine(message), ...words].join(' ')}${stack}`;
}

function firstLine(message: string): string {
  return message.replaceAll(/\s*\n\s*/g, ' ');
}

function quoted(value: string): string {
  return /[\s="]/.test(value) || value === '' ? JSON.stringify(value) : value;
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}

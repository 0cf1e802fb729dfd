// One line of a worker's log, as text for people or as JSON. Pure; both formats have the same field names.
import type { LogEntry, LogMetadata } from '@temporalio/worker';
import { outOfStep } from '@holdfast/base/in-step';
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

/** Names of the SDK's components in our log; others keep their own. */
const sources: Record<string, string> = { workflow: 'run', activity: 'call' };
const renamed: Record<string, string> = {
  workflowId: 'session',
  workflowRunId: 'workflowRunId',
  runId: 'workflowRunId',
  activityType: 'activity',
  sdkComponent: 'source',
};
/** Noise to a reader; the queue is in the worker's first line. */
// oxfmt-ignore
const dropped = new Set([
  'taskToken', 'isLocal', 'namespace', 'taskQueue', 'workflowType', 'activityId', 'activityRunId',
  'workflowNamespace', 'activityNamespace', 'options', 'target', 'trace_flags',
]);

/** The worker's own lines report these, with their run. */
const repeated = new Set([
  'Activity started',
  'Activity completed',
  'Activity failed',
  'Worker state changed',
]);

/** Undefined for a duplicate. Info lines of the SDK itself become debug lines. */
export function toLogLine({ level, message, timestampNanos, meta = {} }: LogEntry): LogLine | undefined {
  const { sdkComponent } = meta;
  const source = sources[String(sdkComponent)];
  const isOwn = source !== undefined || sdkComponent === undefined;
  if (!isOwn && repeated.has(message)) return undefined;
  const known = levels[level];
  const fields = Object.entries({ ...meta, sdkComponent: source ?? sdkComponent })
    .filter(([name, value]) => !dropped.has(name) && value !== undefined)
    .map(([name, value]) => [renamed[name] ?? name, plain(value)]);
  const at = Number(timestampNanos / 1_000_000n);
  // the guard of workflows/step-guard.ts does its work: nobody has to act
  if (String(meta['failure']).includes(outOfStep))
    return {
      at,
      level: 'debug',
      message: outOfStep,
      fields: { source: 'core', workflowRunId: meta['runId'] },
    };
  if (message === 'Failing workflow task') return toFailedTask({ ...meta, at, level: known });
  return {
    at,
    level: !isOwn && known === 'info' ? 'debug' : known,
    message,
    fields: Object.fromEntries(fields),
  };
}

/** The SDK reports the failure in its own types, and without a session. */
function toFailedTask({ at, level, runId, failure }: Pick<LogLine, 'at' | 'level'> & LogMetadata): LogLine {
  const message = `a workflow task failed, and is tried again; "holdfast replay ${String(runId)}" shows where`;
  const reason = printedField(String(failure), 'message') ?? String(failure);
  return { at, level, message, fields: { source: 'core', workflowRunId: runId, reason } };
}

/** The first field of this name in `Failure { message: "...", stack_trace: "..." }`, the SDK's debug format. */
export function printedField(printed: string, name: string): string | undefined {
  const [, text] = new RegExp(String.raw`\b${name}: "((?:[^"\\]|\\.)*)"`).exec(printed) ?? [];
  return text?.replaceAll('\\n', '\n').replaceAll(/\\(.)/g, '$1');
}

/** The JSON value of a field: an error becomes its stack, which includes the message. */
function plain(value: unknown): unknown {
  if (value instanceof Error) return value.stack ?? `${value.name}: ${value.message}`;
  if (typeof value === 'bigint') return String(value);
  return value;
}

const formats: Record<LogFormat, (line: LogLine) => string> = { text: toLogText, json: toJson };

/** Ends with a newline. `clean` removes secrets from every text in it. */
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

/** E.g. `2026-11-23T01:38:12.123Z info    run completed session=disk-full-k3v9 run=run-1 turns=7`. */
function toLogText({ at, level, message, fields }: LogLine): string {
  const { source: _, workflowRunId: __, error, session, trace_id, span_id, ...more } = fields;
  const words = Object.entries({ session, ...more, trace_id, span_id })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${quoted(String(value))}`);
  const stack = typeof error === 'string' ? `\n${error.replaceAll(/^/gm, '    ')}` : '';
  const said = message.replaceAll(/\s*\n\s*/g, ' ');
  return `${[new Date(at).toISOString(), level.padEnd(7), said, ...words].join(' ')}${stack}`;
}

function quoted(value: string): string {
  return /[\s="]/.test(value) || value === '' ? JSON.stringify(value) : value;
}
